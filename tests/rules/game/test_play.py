"""Whole games: the set-ups, the order of play, and what is refused (RULES 5.5, 5.6)."""

from collections import Counter

import pytest

from kdvision.rules import GameRecord, GameRules, GameState
from kdvision.rules.dominoes import Deck, Domino
from kdvision.rules.errors import IllegalActionError
from kdvision.rules.game.laying import Action, Choose, Discard, Lay
from kdvision.rules.game.state import VARIANTS
from kdvision.rules.legality import problems
from kdvision.rules.terrain import Square, Terrain
from scripts.synthesis.players import AtRandom, Game, Greedy, play_game
from tests.support.played import games, lines


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
def test_rule_5_6_set_up(
    variant: str, players: int, kings: int, dominoes: int, line: int, rounds: int, size: int
) -> None:
    game = play_game([AtRandom()] * players, 1, variant)
    set_up = game.set_up
    assert (set_up.players, set_up.kings, set_up.size) == (players, kings, size)
    assert [len(drawn.dominoes) for drawn in lines(game)] == [line] * rounds
    assert len({domino.number for drawn in lines(game) for domino in drawn.dominoes}) == dominoes


def test_rule_3_5_a_mighty_duel_uses_every_domino() -> None:
    game = play_game([AtRandom()] * 2, 3, "mighty-duel")
    numbers = [domino.number for line in lines(game) for domino in line.dominoes]
    assert sorted(numbers) == list(range(1, 49))
    assert [len(played.laid) + len(played.discarded) for played in game.kingdoms] == [24, 24]


@pytest.mark.parametrize("game", games(), ids=lambda game: f"{game.set_up.name}-{game.seed}")
def test_rule_5_6_lines_kings_and_dominoes_of_any_game(game: Game) -> None:
    """Lines are sorted, the kings on the old line are the order of play, nothing is left over."""
    kings = dict.fromkeys(range(game.set_up.players), game.set_up.kings)
    order = None
    claimed: dict[int, list[Domino]] = {player: [] for player in kings}
    for line in lines(game):
        numbers = [domino.number for domino in line.dominoes]
        assert numbers == sorted(numbers)
        players = [claim.player for claim in line.claims]
        assert Counter(players) == kings
        assert order in (None, players)
        assert len(line.leftover) == game.set_up.line - sum(kings.values())
        order = [claim.player for claim in line.order]
        for claim in line.claims:
            claimed[claim.player].append(claim.domino)
    for player, played in enumerate(game.kingdoms):
        laid = [move.domino for move in played.laid]
        assert Counter(claimed[player]) == Counter([*laid, *played.discarded])


@pytest.mark.parametrize("game", games()[::3], ids=lambda game: f"{game.set_up.name}-{game.seed}")
def test_every_played_kingdom_is_legal_at_every_moment(game: Game) -> None:
    for played in game.kingdoms:
        for laid in range(len(played.laid) + 1):
            kingdom = played.after(laid).kingdom
            assert problems(kingdom, played.size) == (), str(kingdom)


def openings(variant: str) -> set[tuple[int, ...]]:
    """Whose kings went on the first line, in their order, in twenty games."""
    starts = (GameState.start(VARIANTS[variant].players, variant=variant) for _ in range(20))
    return {tuple(player for _, player in start.turns) for start in starts}


def test_rule_5_6_the_first_kings_are_drawn() -> None:
    assert len(openings("four-players")) > 5
    assert openings("two-players-horseshoe") == {(0, 1, 1, 0), (1, 0, 0, 1)}
    assert all(Counter(owners) == {0: 2, 1: 2} for owners in openings("two-players"))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rule_5_6_who_draws_a_king_chooses_for_it_whosever_it_is(players: int) -> None:
    """Text 003: the players draw in turn; from the second line on owners choose."""
    record = GameRecord(GameState.start(players, rules=GameRules(any_king=True)))
    kings = len(record.start.turns)
    while not record.state.over:
        record = record.play(record.state.actions()[-1])
    movers = [state.current_player for state, _ in record.steps()]
    owners = [state.turns[0][1] for state, _ in record.steps()]
    assert movers[:kings] == [number % players for number in range(kings)]
    assert movers[kings:] == owners[kings:]
    assert GameRecord.parse(str(record)) == record


def cheat(way: str, state: GameState) -> Action | None:
    """An action against the rules, where this state has one of this kind."""
    action, (number, _) = state.actions()[0], state.turns[0]
    if isinstance(action, Lay):
        other = state.turns[-1][0] or state.line[0]
        return {
            "another's": Lay(other, action.left_at, action.right_at),
            "discard": Discard(number),
            "far off": Lay(number, (0, 0), (0, 1)),
            "choose first": Choose(state.line[0]) if state.line else None,
        }.get(way)
    if isinstance(action, Choose) and way == "taken" and state.kings:
        return Choose(state.kings[0][0])
    if isinstance(action, Choose) and way == "lay first":
        return Lay(action.number, (4, 5), (4, 6))
    return None


@pytest.mark.parametrize(
    ("way", "message"),
    [
        ("another's", "stands on domino"),
        ("discard", "can be laid, so it must be"),
        ("far off", "may not lie on a1 and b1"),
        ("choose first", "is to be laid first"),
        ("taken", "is not free; "),
        ("lay first", "a domino is to be chosen: "),
    ],
)
def test_rule_5_5_what_the_rules_do_not_allow_is_refused_all_through_a_game(
    way: str, message: str
) -> None:
    state, tried = GameState.start(4, seed=1), 0
    while not state.over:
        action = cheat(way, state)
        if action is not None and action not in state.actions():
            tried += 1
            with pytest.raises(IllegalActionError, match=message):
                state.play(action)
        state = state.play(state.actions()[0])
    assert tried > 10


def test_rule_1_4_another_deck_is_played() -> None:
    squares = Square(Terrain.FOREST), Square(Terrain.SWAMP, 2)
    deck = Deck(tuple(Domino(number, *squares) for number in range(101, 125)))
    state = GameState.start(2, deck=deck)
    while not state.over:
        state = state.play(state.actions()[0])
    assert sum(len(kingdom.squares()) for kingdom in state.kingdoms) > 20
    assert GameState.parse(str(state)) == state


def test_greedy_kingdoms_are_worth_more_than_random_ones() -> None:
    """Scenes are rendered from both."""
    totals = {
        type(player): sum(
            sheet.total
            for seed in range(3)
            for sheet in play_game([player] * 4, seed).record.state.sheets()
        )
        for player in (AtRandom(), Greedy())
    }
    assert totals[Greedy] > 1.5 * totals[AtRandom]
