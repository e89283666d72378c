import pytest
from hypothesis import given

from kdvision.rules.dominoes import deck, piece
from kdvision.rules.game.laying import ORIGIN, Laid, LaidKingdom, Land
from kdvision.rules.kingdom import CASTLE, Kingdom, Position
from tests.support.played import laid_kingdoms

WHEAT, FOREST, LAKE, WHEAT_FOREST, WHEAT_LAKE, SWAMP = (
    deck()[n - 1] for n in (1, 3, 7, 13, 14, 12)
)


def moves(line: str, number: int, size: int = 5) -> set[tuple[Position, Position]]:
    """Where a domino may go on a kingdom line, left square first."""
    kingdom = Kingdom.parse(line)
    ((top, left),) = kingdom.castles()
    land = Land.of(kingdom, size)

    def at(place: int) -> Position:
        row, col = land.frame.position(place)
        return row - size + 1 + top, col - size + 1 + left

    found = land.moves(piece(deck()[number - 1]))
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


def test_rule_5_5_what_can_be_laid_must_be_laid() -> None:
    with pytest.raises(ValueError, match="Domino 1 can be laid"):
        LaidKingdom().discard(WHEAT)


def test_rule_5_5_what_cannot_be_laid_is_discarded() -> None:
    played = LaidKingdom()
    for one, other in (((0, 1), (1, 1)), ((1, 0), (2, 0)), ((0, -1), (-1, -1)), ((-1, 0), (-2, 0))):
        played = played.lay(Laid(LAKE, one, other))
    assert not played.moves(SWAMP)
    played = played.discard(SWAMP)
    assert played.discarded == (SWAMP,)
    assert len(played.laid) == 4


def test_a_move_that_breaks_a_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="Domino 1 may not lie"):
        LaidKingdom().lay(Laid(WHEAT, (1, 1), (1, 2)))
    with pytest.raises(ValueError, match="Domino 1 may not lie"):
        LaidKingdom().lay(Laid(WHEAT, ORIGIN, (0, 1)))


def test_a_laid_kingdom_knows_what_lies_where() -> None:
    played = (
        LaidKingdom().lay(Laid(WHEAT_FOREST, (0, -1), (-1, -1))).lay(Laid(LAKE, (0, 1), (0, 2)))
    )
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
    laid = {at: square for one in played.placed for at, square in one.squares}
    assert kingdom.squares() == laid
    assert kingdom == kingdom.trimmed()
    assert len(kingdom.castles()) == 1
    assert max(kingdom.height, kingdom.width) <= played.size
    assert played.cells[ORIGIN] is CASTLE
