import pytest
from hypothesis import given

from kdvision.rules.dominoes import Domino, deck, standard_deck
from kdvision.rules.game.laying import Land, frame
from kdvision.rules.kingdom import CASTLE, Kingdom, Position
from kdvision.rules.scoring import score
from scripts.synthesis.players import ORIGIN, Laid, LaidKingdom
from tests.support.cuttings import legal_moves
from tests.support.played import laid_kingdoms

LAKE, WHEAT_FOREST = deck()[6], deck()[12]
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


def test_rule_5_1_one_match_is_enough() -> None:
    # The forest half touches a lake; the wheat half matches.
    assert ((3, 1), (3, 2)) in moves("- L -/L C L/- W L", 13, 7)


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


def test_rule_5_2_one_half_beside_the_castle_is_enough() -> None:
    assert ((0, 1), (1, 1)) in moves("C -/W -", 7)


def test_rule_5_3_the_two_halves_do_not_match_each_other() -> None:
    assert moves("- L -/L C L/- L -", 12) == set()  # swamp and swamp


@pytest.mark.parametrize(
    ("line", "size", "expected"),
    [
        ("W W C W W", 5, {((-2, 2), (-1, 2)), ((1, 2), (2, 2))}),
        ("W W C W W", 7, {((0, -2), (0, -1)), ((0, 5), (0, 6)), ((1, 2), (2, 2))}),
    ],
)
def test_rule_5_4_the_kingdom_keeps_its_size(
    line: str, size: int, expected: set[tuple[Position, Position]]
) -> None:
    found = moves(line, 1, size)
    assert expected <= found
    cols = {col for pair in found for _, col in pair}
    assert max(cols) - min(min(cols), 0) + 1 <= (5 if size == 5 else 9)
    for one, other in found:
        spread = [0, 4, one[1], other[1]]
        assert max(spread) - min(spread) < size


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


def test_a_laid_kingdom_knows_what_lies_where() -> None:
    laid = Laid(WHEAT_FOREST, (0, -1), (-1, -1)), Laid(LAKE, (0, 1), (0, 2))
    played = LaidKingdom(5, laid)
    assert str(played.kingdom) == "F - - -/W C L L"
    assert played.placed == (
        Laid(WHEAT_FOREST, (1, 0), (0, 0)),
        Laid(LAKE, (1, 2), (1, 3)),
    )
    assert str(played.after(1).kingdom) == "F -/W C"
    assert str(played.after(0).kingdom) == "C"


def test_empty_places_are_no_hindrance() -> None:
    assert moves("- - -/- C -/- - -", 1) == {
        ((row + 1, col + 1), (other_row + 1, other_col + 1))
        for (row, col), (other_row, other_col) in moves("C", 1)
    }


@given(laid_kingdoms())
def test_the_squares_of_the_dominoes_are_the_squares_of_the_kingdom(played: LaidKingdom) -> None:
    kingdom = played.kingdom
    laid = {at: square for one in played.placed for at, square in one.squares.items()}
    assert kingdom.squares() == laid
    assert kingdom == kingdom.trimmed()
    assert len(kingdom.castles()) == 1
    assert max(kingdom.height, kingdom.width) <= played.size
    assert played.cells[ORIGIN] is CASTLE


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
    wheat, lake = deck()[0], deck()[6]
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


def test_what_does_not_fit() -> None:
    walled = Land.of(Kingdom.parse("- L -/L C L/L L L/L L L"), 5)
    assert not walled.fits(DOMINOES[12])
    assert walled.moves(DOMINOES[12]) == []


def test_the_board_has_the_castle_in_its_middle() -> None:
    board = Land.of(Kingdom.parse("W1 C"), 7).board
    assert (board.height, board.width) == (13, 13)
    assert board[6, 6] is CASTLE and str(board[6, 5]) == "W1"


@pytest.mark.parametrize("line", ["W W", "C W C", "C W W W W W"])
def test_no_land(line: str) -> None:
    with pytest.raises(ValueError, match="one castle and at most 5x5"):
        Land.of(Kingdom.parse(line), 5)


def test_no_frame() -> None:
    with pytest.raises(ValueError, match="5 or 7, not 6"):
        frame(6)
    with pytest.raises(ValueError, match="outside the 9x9 frame"):
        frame(5).place((0, 9))
