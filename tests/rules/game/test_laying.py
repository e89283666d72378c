import pytest
from hypothesis import given

from kdvision.rules.dominoes import Domino, standard_deck
from kdvision.rules.game.laying import Land
from kdvision.rules.kingdom import Kingdom, Position
from kdvision.rules.scoring import score
from scripts.synthesis.players import Laid, LaidKingdom
from tests.support.cuttings import legal_moves
from tests.support.played import laid_kingdoms

LAKE, WHEAT_FOREST = standard_deck().dominoes[6], standard_deck().dominoes[12]
DOMINOES = standard_deck().by_number


def moves(line: str, number: int, size: int = 5) -> set[tuple[Position, Position]]:
    """Where a domino may go on a kingdom line, left square first."""
    kingdom = Kingdom.parse(line)
    ((top, left),) = kingdom.castles()
    land = Land.of(kingdom, size)

    def at(place: int) -> Position:
        row, col = land.frame.position(place)
        return row - size + 1 + top, col - size + 1 + left

    found = land.moves(DOMINOES[number])
    return {(at(one), at(other)) for one, other in found}


def test_rule_5_1_a_half_matches_a_square_of_its_terrain() -> None:
    # The castle is walled in, so only wheat can be joined, and only by its open edges.
    walled = "- L -/L C L/L W L/L W L/L L -"
    found = moves(walled, 13, 7)  # wheat and forest
    assert found == set()
    found = moves("- L -/L C L/- W L", 13, 7)
    assert ((2, 0), (2, -1)) in found  # The wheat half beside wheat.
    assert ((2, -1), (2, 0)) not in found  # The forest half beside wheat and lake.
    assert ((3, 1), (4, 1)) in found


def test_rule_5_1_corners_never_count() -> None:
    walled = "- L -/L C L/- L -"
    assert moves(walled, 1) == set()
    assert moves("W L -/L C L/- L -", 1) == {
        ((-1, 0), (-1, 1)),
        ((-1, -1), (-1, 0)),
        ((-1, -1), (0, -1)),
        ((0, -1), (1, -1)),
        ((0, -2), (0, -1)),
        ((-2, 0), (-1, 0)),
    }


def test_rule_5_2_beside_the_castle_no_match_is_asked_for() -> None:
    assert len(moves("C", 13)) == 24  # Four edges, three ways on, and either half there.
    assert len(moves("C", 1)) == 12  # Alike halves have no order.
    assert ((0, 1), (0, 2)) in moves("C/W/W", 48)


def test_rule_5_3_the_two_halves_do_not_match_each_other() -> None:
    assert moves("- L -/L C L/- L -", 12) == set()  # swamp and swamp


def test_rule_5_4_both_halves_together_keep_the_size() -> None:
    # One column is free on either side, so a domino may use one of them, never both.
    found = moves("W W C W", 1)
    assert ((0, -1), (1, -1)) in found
    assert ((0, 4), (1, 4)) in found
    assert ((0, -2), (0, -1)) not in found


def test_rule_5_4_the_castle_may_end_anywhere() -> None:
    rows = {one[0] for pair in moves("C", 1) for one in pair}
    assert rows == {-2, -1, 0, 1, 2}
    assert ((4, 0), (4, 1)) in moves("C/W/W/W", 1)


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
def test_rule_5_1_how_many_ways_there_are_to_lay(
    numbers: tuple[int, ...], counts: tuple[int, ...]
) -> None:
    """The figures are those of an independent implementation of the texts."""
    for depth, count in enumerate(counts, 1):
        dominoes = tuple(DOMINOES[number] for number in numbers[:depth])
        assert perft(Land.empty(5), dominoes) == count


@given(laid_kingdoms())
def test_a_land_says_what_the_plain_rules_say(played: LaidKingdom) -> None:
    """Step by step: the same moves, points and kingdom as the plain rules and `scoring` find."""
    land, middle = Land.empty(played.size), played.size - 1
    for count, laid in enumerate(played.laid):
        before = played.after(count)
        assert land.points == score(before.kingdom, played.size).total
        assert land.kingdom == before.kingdom
        assert Land.of(before.kingdom, played.size) == land
        domino = DOMINOES[laid.domino.number]
        at = land.frame.position
        found = sorted((at(one), at(other)) for one, other in land.moves(domino))
        plain = [
            move.shifted((middle, middle))
            for move in legal_moves(before.cells, laid.domino, played.size)
        ]
        assert found == [(move.left_at, move.right_at) for move in plain]
        assert land.fits(domino)
        move = laid.shifted((middle, middle))
        land = land.lay(domino, land.frame.place(move.left_at), land.frame.place(move.right_at))
    assert land.kingdom == played.kingdom


def test_lands_are_equal_whatever_the_order_of_laying() -> None:
    wheat, lake = standard_deck().dominoes[0], standard_deck().dominoes[6]
    one = Laid(wheat, (0, 1), (0, 2))
    other = Laid(lake, (1, 0), (2, 0))
    lands = []
    for order in ((one, other), (other, one)):
        land = Land.empty(5)
        for laid in order:
            places = (
                land.frame.place((row + 4, col + 4)) for row, col in (laid.left_at, laid.right_at)
            )
            land = land.lay(DOMINOES[laid.domino.number], *places)
        lands.append(land)
    assert lands[0] == lands[1]
    assert hash(lands[0]) == hash(lands[1])
    assert lands[0] != Land.empty(5) != Land.empty(7)
    assert lands[0] != "C"


@pytest.mark.parametrize("line", ["W W", "C W C", "C W W W W W"])
def test_no_land(line: str) -> None:
    with pytest.raises(ValueError, match="one castle and at most 5x5"):
        Land.of(Kingdom.parse(line), 5)
