import pytest
from hypothesis import given

from kdvision.rules.dominoes import Domino, standard_deck
from kdvision.rules.game.laying import Land
from kdvision.rules.kingdom import Kingdom, Position, position_name
from kdvision.rules.rules import Rules
from kdvision.rules.scoring import score
from tests.support.cuttings import legal_moves
from tests.support.played import laid_kingdoms

DOMINOES = standard_deck().by_number


def moves(line: str, number: int, size: int = 5) -> set[tuple[Position, Position]]:
    """Where a domino may go on a kingdom line, left square first."""
    kingdom = Kingdom.parse(line)
    ((top, left),) = kingdom.castles()
    land = Land.of(kingdom, size)

    def at(place: int) -> Position:
        row, col = land.frame.position(place)
        return row - size + 1 + top, col - size + 1 + left

    return {(at(first), at(second)) for first, second in land.moves(DOMINOES[number])}


WALLED = "- L -/L C L/- L -"
#: Wheat and forest is 13; two wheat, lake and swamp squares are 1, 7 and 12.
MOVES = [
    # A half lies beside the castle or a square of its terrain (RULES 5.1, 5.3), never at a corner.
    ("- L -/L C L/L W L/L W L/L L -", 13, 7, "", "e4-e5"),
    ("- L -/L C L/- W L", 13, 7, "a3-z3, b4-b5", "z3-a3"),
    (WALLED, 1, 5, "", "a0-a1"),
    (WALLED, 12, 5, "", "a0-a1"),
    ("W L -/L C L/- L -", 1, 5, "a0-b0, z0-a0, y1-z1", "c0-c1"),
    # Beside the castle no match is asked for (RULES 5.2).
    ("C/W/W", 48, 5, "b1-c1", "c3-b3"),
    # Both halves together keep the size (RULES 5.4): a column is free on either side, not both.
    ("W W C W", 1, 5, "z1-z2, e1-e2", "y1-z1"),
    ("C/W/W/W", 1, 5, "a5-b5", "a5-a6"),
]


@pytest.mark.parametrize(("line", "number", "size", "legal", "illegal"), MOVES)
def test_rule_5_where_a_domino_may_be_laid(line, number, size, legal, illegal):
    names = {"-".join(map(position_name, places)) for places in moves(line, number, size)}
    assert names >= set(filter(None, legal.split(", ")))
    assert illegal not in names
    assert legal or not names


@pytest.mark.parametrize(("number", "count"), [(13, 24), (1, 12)])
def test_rule_5_2_around_the_castle(number, count):
    """Four edges, three ways on, and either half there; alike halves have no order."""
    ways = moves("C", number)
    assert len(ways) == count
    assert {row for pair in ways for row, _ in pair} == {-2, -1, 0, 1, 2}


def perft(land: Land, dominoes: tuple[Domino, ...]) -> int:
    """Count the ways to lay dominoes in turn."""
    first, *rest = dominoes
    laid = [land.lay(first, left, right) for left, right in land.moves(first)]
    return sum(perft(grown, tuple(rest)) for grown in laid) if rest else len(laid)


@pytest.mark.parametrize(
    ("numbers", "counts"),
    [
        ((13, 14, 15), (24, 540, 11_408)),
        ((1, 2, 3), (12, 224, 1_440)),  # Alike halves count once.
        ((48, 47, 46), (24, 540, 13_792)),
    ],
)
def test_rule_5_1_ways_to_lay(numbers, counts):
    """The figures are those of an independent implementation of the texts."""
    for depth, count in enumerate(counts, 1):
        dominoes = tuple(DOMINOES[number] for number in numbers[:depth])
        assert perft(Land.empty(5), dominoes) == count


@given(laid_kingdoms())
def test_land_agrees_with_plain_rules(played):
    """Step by step: the same moves, points and kingdom as the plain rules and `scoring` find."""
    land, middle = Land.empty(played.size), played.size - 1
    for count, laid in enumerate(played.laid):
        before = played.after(count)
        assert land.points == score(before.kingdom, Rules(played.size)).total
        assert land.kingdom == before.kingdom
        assert Land.of(before.kingdom, played.size) == land
        domino = DOMINOES[laid.domino.number]
        at = land.frame.position
        listed = sorted((at(left), at(right)) for left, right in land.moves(domino))
        plain = [
            move.shifted((middle, middle))
            for move in legal_moves(before.cells, laid.domino, played.size)
        ]
        assert listed == [(move.left_at, move.right_at) for move in plain]
        move = laid.shifted((middle, middle))
        land = land.lay(domino, land.frame.place(move.left_at), land.frame.place(move.right_at))
    assert land.kingdom == played.kingdom


def test_equality_ignores_order_of_laying():
    empty = Land.empty(5)
    wheat, lake = ((1, 45, 46), (7, 54, 64))
    lands = [
        empty.lay(DOMINOES[first], *at).lay(DOMINOES[second], *then)
        for (first, *at), (second, *then) in ((wheat, lake), (lake, wheat))
    ]
    assert lands[0] == lands[1]
    assert hash(lands[0]) == hash(lands[1])
    assert lands[0] != empty != Land.empty(7)
    assert lands[0] != "C"  # type: ignore[comparison-overlap]


@pytest.mark.parametrize("line", ["W W", "C W C", "C W W W W W"])
def test_land_needs_one_castle_that_fits(line):
    with pytest.raises(ValueError, match="one castle and at most 5x5"):
        Land.of(Kingdom.parse(line), 5)
