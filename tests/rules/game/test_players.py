from dataclasses import replace
from random import Random
from statistics import mean

import pytest

from kdvision.rules.dominoes import deck
from kdvision.rules.game.laying import Choose, Discard, Land
from kdvision.rules.game.players import AtRandom, Greedy, Player, odd_pieces, play_game
from kdvision.rules.game.record import Laid, LaidKingdom
from kdvision.rules.game.state import FOUR_PLAYERS, MIGHTY_DUEL, GameState
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import score

RNG = Random(1)


def to_move(lands: LaidKingdom, *numbers: int, lay: bool) -> GameState:
    """The first player of four has a kingdom and is to lay a domino, or to choose from a line."""
    state = GameState.start(4, seed=1)
    land = Land.of(lands.kingdom, 5)
    return replace(
        state,
        turns=((numbers[0], 0), *state.turns[1:]) if lay else ((0, 0), *state.turns[1:]),
        line=state.line if lay else numbers,
        lands=(land, *state.lands[1:]),
    )


def lakes_around() -> LaidKingdom:
    """A castle walled in by lakes."""
    places = ((0, 1), (1, 1)), ((1, 0), (2, 0)), ((0, -1), (-1, -1)), ((-1, 0), (-2, 0))
    return LaidKingdom(5, tuple(Laid(deck()[6], *both) for both in places))


def test_greedy_takes_the_points() -> None:
    # Three wheat squares lie; domino 19 has the crown that pays for them.
    played = LaidKingdom(5, (Laid(deck()[0], (0, 1), (0, 2)),))
    assert Greedy().act(to_move(played, 3, 7, 19, lay=False), RNG) == Choose(19)
    state = to_move(played, 19, lay=True)
    after = state.play(Greedy(tidiness=0).act(state, RNG))
    assert after.lands[0].points == 3


def test_greedy_joins_territories() -> None:
    laid = Laid(deck()[18], (0, 1), (1, 1)), Laid(deck()[0], (-1, 0), (-2, 0))
    played = LaidKingdom(5, laid)
    state = to_move(played, 2, lay=True)
    assert state.play(Greedy(tidiness=0).act(state, RNG)).lands[0].points == 5


def test_greedy_avoids_a_domino_without_a_place() -> None:
    # 12 is swamp and swamp, 17 forest and lake.
    assert Greedy().act(to_move(lakes_around(), 12, 17, lay=False), RNG) == Choose(17)


@pytest.mark.parametrize("player", [AtRandom(), Greedy()])
def test_what_has_no_place_is_discarded(player: Player) -> None:
    assert player.act(to_move(lakes_around(), 12, lay=True), RNG) == Discard(12)


def test_greedy_closes_in_no_single_place() -> None:
    laid = Laid(deck()[0], (0, 1), (0, 2)), Laid(deck()[1], (1, 0), (2, 0))
    played = LaidKingdom(5, laid)
    state = to_move(played, 13, lay=True)
    for seed in range(10):
        board = state.play(Greedy().act(state, Random(seed))).lands[0].board
        assert not (board[5, 5] is None and board[5, 6] and board[6, 5])


@pytest.mark.parametrize(
    ("line", "odd"),
    [
        # The free places beside b1 in a 5x5: one piece of 23; then a single place cut off.
        ("C W W W W/L L L L L/F F F F F/G G G G G/S S S S -", 1),
        ("C W W W W/L L L L L/F F F F F/G G G G G/S S S - -", 0),
        ("C W W W W/L - L L L/F F F F F/G G G G G/S S S S -", 2),
    ],
)
def test_pieces_with_an_odd_number_of_places(line: str, odd: int) -> None:
    land = Land.of(Kingdom.parse(line), 5)
    assert odd_pieces(land.free, (1 << 90) - 1, land.frame.stride) == odd


def test_greedy_kingdoms_are_fuller_and_richer_than_those_by_chance() -> None:
    for set_up in (FOUR_PLAYERS, MIGHTY_DUEL):
        kingdoms = {
            type(player): [
                played
                for seed in range(4)
                for played in play_game([player] * set_up.players, seed, set_up).kingdoms
            ]
            for player in (AtRandom(), Greedy())
        }
        totals = {
            sort: mean(score(played.kingdom, set_up.size).total for played in found)
            for sort, found in kingdoms.items()
        }
        laid = {
            sort: mean(len(played.laid) for played in found) for sort, found in kingdoms.items()
        }
        assert totals[Greedy] > 1.5 * totals[AtRandom]
        assert laid[Greedy] > laid[AtRandom]
