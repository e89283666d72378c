from dataclasses import replace
from random import Random

import pytest

from kdvision.rules.game.laying import Choose, Discard, Land
from kdvision.rules.game.players import (
    Greedy,
    Lookahead,
    Player,
    future_of,
    left_over,
    play_game,
    played_out,
)
from kdvision.rules.game.state import GameState
from kdvision.rules.kingdom import Kingdom

QUICK = Lookahead(playouts=1, width=2)
RNG = Random(1)


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
    assert future_of(standing, RNG) == [(state.deck.pieces[2],)]


def test_a_future_is_laid_greedily() -> None:
    pieces = GameState.start(2).deck.pieces
    land = Land.of(Kingdom.parse("W W W W C/W W W W -"), 5)
    assert played_out(land, []) == 0
    assert played_out(land, [(pieces[3], pieces[19])]) == 9
    walled = Land.of(Kingdom.parse("L L -/L C L/L L L/- L -"), 5)
    assert played_out(walled, [(pieces[12],)]) == 0
