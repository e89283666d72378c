from collections import Counter
from random import Random

import pytest

from kdvision.rules.dominoes import Domino, deck
from kdvision.rules.game.laying import Action, Choose, Discard, IllegalActionError, Lay
from kdvision.rules.game.players import AtRandom, Game, Greedy, Lookahead, Player, play_game
from kdvision.rules.game.record import GameRecord
from kdvision.rules.game.state import (
    FOUR_PLAYERS,
    MIGHTY_DUEL,
    THREE_PLAYERS,
    THREE_PLAYERS_LINES_OF_THREE,
    TWO_PLAYERS,
    GameState,
    Opening,
    SetUp,
    set_up_for,
)
from kdvision.rules.legality import problems
from kdvision.rules.terrain import Square, Terrain
from tests.support.played import Claim, games, lines


@pytest.mark.parametrize(
    ("set_up", "players", "kings", "dominoes", "line", "rounds", "size"),
    [
        (TWO_PLAYERS, 2, 2, 24, 4, 6, 5),
        (THREE_PLAYERS, 3, 1, 48, 4, 12, 5),
        (THREE_PLAYERS_LINES_OF_THREE, 3, 1, 36, 3, 12, 5),
        (FOUR_PLAYERS, 4, 1, 48, 4, 12, 5),
        (MIGHTY_DUEL, 2, 2, 48, 4, 12, 7),
    ],
)
def test_rule_5_6_set_up(
    set_up: SetUp, players: int, kings: int, dominoes: int, line: int, rounds: int, size: int
) -> None:
    assert (set_up.players, set_up.kings) == (players, kings)
    assert (set_up.dominoes, set_up.line) == (dominoes, line)
    assert set_up.dominoes // set_up.line == rounds
    assert set_up.size == size
    game = play_game([AtRandom()] * players, 1, set_up)
    assert len(lines(game)) == rounds
    assert {len(one.dominoes) for one in lines(game)} == {line}
    numbers = {domino.number for one in lines(game) for domino in one.dominoes}
    assert len(numbers) == dominoes


def test_rule_3_5_a_mighty_duel_uses_every_domino() -> None:
    game = play_game([AtRandom()] * 2, 3, MIGHTY_DUEL)
    numbers = [domino.number for line in lines(game) for domino in line.dominoes]
    assert sorted(numbers) == list(range(1, 49))
    assert [len(played.laid) + len(played.discarded) for played in game.kingdoms] == [24, 24]


@pytest.mark.parametrize("game", games(), ids=lambda game: f"{game.set_up.name}-{game.seed}")
class TestAnyGame:
    def test_rule_5_6_lines_are_sorted_by_number(self, game: Game) -> None:
        for line in lines(game):
            numbers = [domino.number for domino in line.dominoes]
            assert numbers == sorted(numbers)

    def test_rule_5_6_the_kings_on_the_old_line_are_the_order_of_play(self, game: Game) -> None:
        for old, new in zip(lines(game), lines(game)[1:], strict=False):
            kings = {claim.domino.number: claim.player for claim in old.claims}
            assert [claim.player for claim in new.claims] == [
                kings[number] for number in sorted(kings)
            ]

    def test_rule_5_6_every_king_claims_one_domino(self, game: Game) -> None:
        kings = dict.fromkeys(range(game.set_up.players), game.set_up.kings)
        for line in lines(game):
            assert Counter(claim.player for claim in line.claims) == kings
            claimed = [claim.domino for claim in line.claims]
            assert sorted([*claimed, *line.leftover], key=lambda one: one.number) == [
                *line.dominoes
            ]
            assert len(line.leftover) == game.set_up.line - sum(kings.values())

    def test_rule_5_5_every_claimed_domino_is_laid_or_discarded(self, game: Game) -> None:
        for player, played in enumerate(game.kingdoms):
            claimed = {
                claim.domino
                for line in lines(game)
                for claim in line.claims
                if claim.player == player
            }
            laid = {one.domino for one in played.laid}
            assert claimed == laid | set(played.discarded)
            assert len(claimed) == len(played.laid) + len(played.discarded)

    def test_every_played_kingdom_is_legal_at_every_moment(self, game: Game) -> None:
        for played in game.kingdoms:
            for laid in range(len(played.laid) + 1):
                kingdom = played.after(laid).kingdom
                assert problems(kingdom, played.size) == (), str(kingdom)


def test_rule_5_6_three_players_leave_one_domino_of_four() -> None:
    game = play_game([Greedy()] * 3, 5)
    assert game.set_up is THREE_PLAYERS
    assert [len(line.leftover) for line in lines(game)] == [1] * 12


def test_the_same_seed_plays_the_same_game() -> None:
    players = [AtRandom(), Greedy(), AtRandom(), Greedy()]
    assert play_game(players, 11) == play_game(players, 11)
    assert play_game(players, 11).kingdoms != play_game(players, 12).kingdoms


@pytest.mark.parametrize(
    ("players", "set_up"), [(2, TWO_PLAYERS), (3, THREE_PLAYERS), (4, FOUR_PLAYERS)]
)
def test_the_usual_set_up(players: int, set_up: SetUp) -> None:
    assert play_game([AtRandom()] * players, 1).set_up is set_up


def test_wrong_numbers_of_players() -> None:
    with pytest.raises(ValueError, match="two to four players, not for 5"):
        play_game([AtRandom()] * 5, 1)
    with pytest.raises(ValueError, match="Mighty Duel is not for 4 players"):
        play_game([AtRandom()] * 4, 1, MIGHTY_DUEL)


def test_the_horseshoe_option_of_two_players() -> None:
    set_up = TWO_PLAYERS.with_opening(Opening.HORSESHOE)
    openings = {
        tuple(claim.player for claim in lines(play_game([AtRandom()] * 2, seed, set_up))[0].claims)
        for seed in range(20)
    }
    assert openings == {(0, 1, 1, 0), (1, 0, 0, 1)}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("player", [AtRandom(), Greedy(), Lookahead(playouts=1, width=2)])
def test_rule_5_6_who_draws_a_king_chooses_for_it_whosever_it_is(
    players: int, player: Player
) -> None:
    """Text 003: the players draw in turn; from the second line on owners choose."""
    set_up = set_up_for(None, players).with_opening(Opening.ANY_KING)
    for seed in range(2):
        game = play_game([player] * players, seed, set_up)
        steps = list(game.record.steps())
        kings = set_up.kings * players
        first, later = steps[:kings], steps[kings:]
        assert [state.current_player for state, _ in first] == [n % players for n in range(kings)]
        assert all(state.current_player == state.turns[0][1] for state, _ in later)
        assert GameRecord.parse(str(game.record)) == game.record
        # Every player owns as many dominoes of the line as kings, whoever chose them.
        owners = Counter(owner for _, owner in later[0][0].turns)
        assert set(owners.values()) == {set_up.kings}


def test_who_chooses_for_a_king_of_others_gives_it_the_worst_domino() -> None:
    set_up = TWO_PLAYERS.with_opening(Opening.ANY_KING)
    state = GameState.parse(
        str(GameState.start(2, variant=set_up, seed=1)).replace("turns A B B A", "turns B A B A")
    )
    assert (state.current_player, state.turns[0]) == (0, (0, 1))
    values = {
        one: Greedy().best(state.lands[1], state.deck.by_number[one])[0] for one in state.line
    }
    action = Greedy().act(state, Random(1))
    assert values[action.number] == min(values.values()) < max(values.values())


def test_the_first_kings_are_drawn() -> None:
    openings = {
        tuple(claim.player for claim in lines(play_game([AtRandom()] * 4, seed))[0].claims)
        for seed in range(20)
    }
    assert len(openings) > 5


class Lowest:
    """Takes the lowest number and lays it where it may first."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, ...]] = []

    def act(self, state: GameState, rng: Random) -> Action:
        if state.domino is None:
            self.asked.append(state.line)
        return state.actions()[0]


def test_a_player_of_ones_own() -> None:
    player = Lowest()
    game = play_game([player] * 4, 2)
    assert [len(free) for free in player.asked] == [4, 3, 2, 1] * 12
    assert all(line.order == line.claims for line in lines(game))
    assert lines(game)[0].claims[0] == Claim(
        lines(game)[0].dominoes[0], lines(game)[0].claims[0].player
    )


class Cheat(Lowest):
    """Plays by the rules until it can cheat in one way."""

    def __init__(self, way: str) -> None:
        super().__init__()
        self.way = way
        self.last: Lay | None = None

    def act(self, state: GameState, rng: Random) -> Action:
        action = super().act(state, rng)
        if isinstance(action, Lay):
            last, self.last = self.last, action
            if self.way == "anothers":
                return Lay(state.turns[-1][0], action.left_at, action.right_at)
            if self.way == "twice" and last is not None:
                return last
            if self.way == "discard":
                return Discard(action.number)
            if self.way == "far off":
                return Lay(action.number, (0, 0), (0, 1))
            if self.way == "choose first":
                return Choose(state.line[0])
        elif isinstance(action, Choose) and self.way == "taken" and state.kings:
            return Choose(state.kings[0][0])
        elif isinstance(action, Choose) and self.way == "lay first":
            return Lay(action.number, (4, 5), (4, 6))
        return action


@pytest.mark.parametrize(
    ("way", "message"),
    [
        ("anothers", "stands on domino"),
        ("twice", "stands on domino"),
        ("discard", "can be laid, so it must be"),
        ("far off", "may not lie on a1 and b1"),
        ("choose first", "is to be laid first"),
        ("taken", "is not free; "),
        ("lay first", "a domino is to be chosen: "),
    ],
)
def test_a_cheat_in_any_answer_is_refused(way: str, message: str) -> None:
    for seed in range(5):
        players: list[Player] = [Cheat(way), Lowest(), Cheat(way), Lowest()]
        with pytest.raises(IllegalActionError, match=message):
            play_game(players, seed)


def test_players_see_the_whole_state_but_what_is_hidden() -> None:
    piles: list[tuple[int, ...]] = []

    class Curious(Lowest):
        def act(self, state: GameState, rng: Random) -> Action:
            piles.append(state.pile)
            assert len(state.kingdoms) == 2
            return super().act(state, rng)

    game = play_game([Curious(), Curious()], 4)
    dealt = [line.dominoes for line in lines(game)[1:]]
    guessed = {tuple(sorted(pile[:4])) for pile in piles[:4]}
    assert len(guessed) > 1
    assert tuple(domino.number for domino in dealt[0]) not in guessed


def test_another_deck_is_played() -> None:
    # A free print-and-play has faces that the box has not (RULES 1.4).
    square = Square(Terrain.FOREST), Square(Terrain.SWAMP, 2)
    cards = [Domino(number, *square) for number in range(101, 125)]
    game = play_game([Greedy()] * 2, 1, dominoes=cards)
    assert {one.domino.number for played in game.kingdoms for one in played.laid} <= set(
        range(101, 125)
    )
    with pytest.raises(ValueError, match="needs 48 dominoes; the deck has 24"):
        play_game([Greedy()] * 4, 1, dominoes=cards)


def test_games_of_the_deck() -> None:
    numbers = {claim.domino for line in lines(games()[-1]) for claim in line.claims}
    assert numbers <= set(deck())
