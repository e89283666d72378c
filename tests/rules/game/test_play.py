"""Whole games: the set-ups, the order of play, and what is refused (RULES 5.5, 5.6)."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from kdvision.rules import GameRecord, GameState, is_legal_action
from kdvision.rules.game.laying import Action, Choose, Discard, Lay
from kdvision.rules.game.set_up import VARIANTS
from kdvision.rules.kingdom import neighbours
from kdvision.rules.legality import problems
from scripts.synthesis.players import AtRandom, Game, play_game
from tests.support.played import games


def lines(game: Game) -> list[tuple[tuple[int, ...], list[tuple[int, int | None]]]]:
    """The lines of a game: the numbers drawn, and (number, player) as they were chosen."""
    drawn: list[Any] = []
    for state, action in game.record.steps():
        if isinstance(action, Choose):
            if not state.kings:
                drawn.append((state.line, []))
            drawn[-1][1].append((action.number, state.current_player))
    return drawn


@pytest.mark.parametrize(
    ("variant", "players", "kings", "dominoes", "line", "rounds", "size"),
    [
        ("two-players", 2, 2, 24, 4, 6, 5),
        ("two-players-horseshoe", 2, 2, 24, 4, 6, 5),
        ("three-players-lines-of-four", 3, 1, 48, 4, 12, 5),
        ("three-players-lines-of-three", 3, 1, 36, 3, 12, 5),
        ("four-players", 4, 1, 48, 4, 12, 5),
        ("mighty-duel", 2, 2, 48, 4, 12, 7),
    ],
)
def test_rule_5_6_set_up(variant, players, kings, dominoes, line, rounds, size):
    game = play_game([AtRandom()] * players, 1, variant)
    set_up = game.set_up
    assert (set_up.players, set_up.kings, set_up.size) == (players, kings, size)
    drawn = [numbers for numbers, _ in lines(game)]
    assert [len(numbers) for numbers in drawn] == [line] * rounds
    assert len({number for numbers in drawn for number in numbers}) == dominoes


#: The numbers of `games()`, which are played when a test asks for one.
GAMES = range(6 * len(VARIANTS))


@pytest.mark.parametrize("number", GAMES)
def test_rule_5_6_lines_kings_and_dominoes(number):
    """Lines are sorted, the kings on the old line are the order of play, nothing is left over."""
    game = games()[number]
    each = dict.fromkeys(range(game.set_up.players), game.set_up.kings)
    order, chosen = None, []
    for numbers, kings in lines(game):
        players = [player for _, player in kings]
        assert list(numbers) == sorted(numbers) and {number for number, _ in kings} <= set(numbers)
        assert Counter(players) == each
        assert order in (None, players)
        order = [player for _, player in sorted(kings)]
        chosen += kings
    used = []
    for player, played in enumerate(game.kingdoms):
        dominoes = [laid.domino for laid in played.laid] + [*played.discarded]
        used += [(domino.number, player) for domino in dominoes]
    assert sorted(chosen) == sorted(used)


@pytest.mark.parametrize("number", GAMES[::3])
def test_played_kingdoms_stay_legal(number):
    for played in games()[number].kingdoms:
        for laid in range(len(played.laid) + 1):
            kingdom = played.after(laid).kingdom
            assert problems(kingdom, played.size) == (), str(kingdom)


def openings(variant: str) -> set[tuple[int, ...]]:
    """Whose kings went on the first line, in their order, in twenty games."""
    orders = set()
    for _ in range(20):
        start = GameState.start(VARIANTS[variant].players, variant=variant)
        orders.add(tuple(player for _, player in start.turns))
    return orders


def test_rule_5_6_first_kings_are_drawn():
    assert len(openings("four-players")) > 5
    assert openings("two-players-horseshoe") == {(0, 1, 1, 0), (1, 0, 0, 1)}
    assert all(Counter(owners) == {0: 2, 1: 2} for owners in openings("two-players"))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rule_5_6_who_draws_a_king_chooses(players):
    """Text 003: the players draw in turn; from the second line on owners choose."""
    record = GameRecord(GameState.start(players, any_king=True))
    kings = len(record.start.turns)
    while not record.state.over:
        record = record.play(record.state.actions()[-1])
    movers = [state.current_player for state, _ in record.steps()]
    owners = [state.turns[0][1] for state, _ in record.steps()]
    assert movers[:kings] == [number % players for number in range(kings)]
    assert movers[kings:] == owners[kings:]
    assert GameRecord.parse(str(record)) == record


def tries(state: GameState, rng: Random) -> list[Action]:
    """What a player might try, allowed or not."""
    kings = [number for number, _ in (*state.turns, *state.kings) if number]
    numbers = [*state.line, *kings, 48]
    side = range(2 * state.set_up.size)
    at = rng.choice(side), rng.choice(side)
    near = rng.choice(neighbours(at))
    choices: list[Action] = [kind(number) for kind in (Choose, Discard) for number in numbers]
    return [*choices, *(Lay(number, at, near) for number in numbers)]


@pytest.mark.parametrize("variant", ["four-players", "mighty-duel"])
def test_rule_5_5_listed_actions_are_the_legal_ones(variant):
    rng = Random(2)
    state = GameState.start(VARIANTS[variant].players, variant=variant, seed=1)
    while not state.over:
        actions = state.actions()
        for action in (*actions, *tries(state, rng)):
            allowed = state.normalise(action) in actions
            assert is_legal_action(state, action) is allowed, (str(state), str(action))
        state = state.play(rng.choice(actions))
