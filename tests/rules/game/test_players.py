from dataclasses import replace
from random import Random
from statistics import mean

import pytest

from kdvision.rules.dominoes import deck
from kdvision.rules.game.laying import Choose, Discard, Land
from kdvision.rules.game.players import (
    AtRandom,
    Greedy,
    Lookahead,
    Player,
    future_of,
    left_over,
    odd_pieces,
    play_game,
    played_out,
)
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


QUICK = Lookahead(playouts=1, width=2)


def with_lands(state: GameState, *lines: str) -> GameState:
    return replace(state, lands=tuple(Land.of(Kingdom.parse(line), 5) for line in lines))


@pytest.mark.parametrize("variant", ["two-players", "three-players-lines-of-three", "mighty-duel"])
def test_it_plays_whole_games_by_the_rules(variant: str) -> None:
    others: list[Player] = [Greedy()] * (2 if variant.startswith("three") else 1)
    game = play_game([QUICK, *others], 1, variant)
    assert game.record.state.over


def test_the_same_seed_plays_the_same_game() -> None:
    games = [play_game([QUICK, Greedy()], 7).record for _ in range(2)]
    assert games[0] == games[1]


def test_time_ends_a_decision_after_one_future_at_least() -> None:
    state = GameState.start(2, seed=1)
    hasty = Lookahead(playouts=10**9, seconds=0.0)
    assert hasty.act(state, RNG) in state.actions()


def test_it_takes_crowns_for_a_territory_that_waits_for_them() -> None:
    # Eight wheat squares without a crown; 3 is forest, 19 has wheat with a crown.
    state = with_lands(GameState.start(2, seed=1), "W W W W C/W W W W -", "C")
    state = replace(state, line=(3, 4, 7, 19), turns=((0, 0), (0, 1)))
    assert Lookahead(playouts=4).act(state, RNG) == Choose(19)


def test_what_has_no_place_is_discarded_and_what_is_left_is_taken() -> None:
    state = with_lands(GameState.start(2, seed=1), "L L -/L C L/L L L/- L -", "C")
    assert QUICK.act(replace(state, turns=((12, 0), (0, 1))), RNG) == Discard(12)
    assert QUICK.act(replace(state, line=(30,), turns=((0, 0),)), RNG) == Choose(30)
    # One legal place alone needs no future.
    narrow = with_lands(state, "W W W W W/L L C L L/F F F F F/G G G G G/S S S - -", "C")
    only = replace(narrow, turns=((12, 0), (0, 1)))
    assert only.actions() == (QUICK.act(only, RNG),)


def test_what_an_opponent_could_get() -> None:
    state = with_lands(GameState.start(2, seed=1), "C", "W W W W C/W W W W -")
    state = replace(state, line=(3, 19), turns=((0, 0), (0, 1)))
    assert left_over(state, 3) > 8 > left_over(state, 19)
    assert left_over(replace(state, turns=((0, 0), (0, 0))), 3) == 0
    assert left_over(replace(state, line=(3,)), 3) == 0


def test_a_future_has_every_domino_that_is_still_to_come() -> None:
    state = GameState.start(2, seed=1)
    # Of 12 dominoes one is chosen now, and another king waits for one of this line.
    assert len(future_of(replace(state, turns=((0, 0), (0, 1), (0, 0))), RNG)) == 1 + 10
    standing = replace(state, turns=((1, 0), (2, 0), (3, 1)), line=(), pile=(), kings=())
    assert future_of(standing, RNG) == [(state.deck.by_number[2],)]


def test_a_future_is_laid_greedily() -> None:
    dominoes = GameState.start(2).deck.by_number
    land = Land.of(Kingdom.parse("W W W W C/W W W W -"), 5)
    assert played_out(land, []) == 0
    assert played_out(land, [(dominoes[3], dominoes[19])]) == 9
    walled = Land.of(Kingdom.parse("L L -/L C L/L L L/- L -"), 5)
    assert played_out(walled, [(dominoes[12],)]) == 0
