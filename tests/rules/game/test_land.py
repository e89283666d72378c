import pytest
from hypothesis import given

from kdvision.rules.dominoes import deck, piece
from kdvision.rules.game.laying import Laid, LaidKingdom, Land, frame, perft
from kdvision.rules.kingdom import CASTLE, Kingdom
from kdvision.rules.scoring import score
from tests.support.cuttings import legal_moves
from tests.support.played import laid_kingdoms

PIECES = {domino.number: piece(domino) for domino in deck()}


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
        dominoes = tuple(PIECES[number] for number in numbers[:depth])
        assert perft(Land.empty(5), dominoes) == count


@given(laid_kingdoms())
def test_a_land_says_what_the_plain_rules_say(played: LaidKingdom) -> None:
    """Step by step: the same moves, points and kingdom as `laying` and `scoring` find."""
    land, middle = Land.empty(played.size), played.size - 1
    for count, laid in enumerate(played.laid):
        before = played.after(count)
        assert land.points == score(before.kingdom, played.size).total
        assert land.kingdom == before.kingdom
        assert Land.of(before.kingdom, played.size) == land
        domino = PIECES[laid.domino.number]
        at = land.frame.position
        found = sorted((at(one), at(other)) for one, other in land.moves(domino))
        plain = [
            move.shifted(middle, middle)
            for move in legal_moves(before.cells, laid.domino, played.size)
        ]
        assert found == [(move.left_at, move.right_at) for move in plain]
        assert land.count(domino) == len(found)
        assert land.fits(domino)
        move = laid.shifted(middle, middle)
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
            land = land.lay(PIECES[laid.domino.number], *places)
        lands.append(land)
    assert lands[0] == lands[1]
    assert hash(lands[0]) == hash(lands[1])
    assert lands[0] != Land.empty(5) != Land.empty(7)
    assert lands[0] != "C"


def test_what_does_not_fit() -> None:
    walled = Land.of(Kingdom.parse("- L -/L C L/L L L/L L L"), 5)
    assert not walled.fits(PIECES[12])
    assert walled.count(PIECES[12]) == 0 and walled.moves(PIECES[12]) == []


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
