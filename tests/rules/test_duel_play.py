"""Kingdomino Duel as a game: what can be drawn, whole games, the spell book, what is refused."""

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from operator import itemgetter
from random import Random
from typing import Any

import pytest

from kdvision.rules.duel import (
    EXAMPLE_BOOK,
    EXAMPLE_DICE,
    ByChance,
    Coat,
    Die,
    DuelGame,
    Duelist,
    DuelMap,
    Face,
    Half,
    Placement,
    Power,
    Question,
    Spell,
    duel_problems,
    placements,
    play_duel,
)
from kdvision.rules.duel.map import MIDDLE
from kdvision.rules.duel.scoring import decide
from kdvision.rules.errors import IllegalActionError
from kdvision.rules.kingdom import Position
from kdvision.rules.legality import Code, Severity
from tests.support.refusing import refuses

DOT = Face(Coat.DOT)
BLACK = Face(Coat.BLACK)
JOKER = Face(None)
EMPTY = "- - - - - - -"
#: The castle with quarters on all its sides.
WALLED = f"{EMPTY}/- - - Q - - -/- - Q C Q - -/- - - Q - - -/{EMPTY}"
#: The dot beside the one on d1, then the other coat beside that.
BESIDE_A_DOT = {
    ((0, 2), (0, 1)),
    ((0, 2), (1, 2)),
    ((0, 4), (0, 5)),
    ((0, 4), (1, 4)),
}


def spots(
    line: str, faces: tuple[Face, Face], powers: Collection[Power] = ()
) -> set[tuple[Position, ...]]:
    """Where two dice can be drawn, the first one's space first."""
    places = set()
    for way in placements(DuelMap.parse(line), faces, powers):
        places.add(tuple(half.at for half in way.halves))
    return places


class TestPlacing:
    def test_rule_7_4_domino_joins_castle_or_equal_coat(self):
        # Four edges, three ways on, and either die there; a joker is any of six coats.
        assert len(placements(DuelMap(), (DOT, BLACK))) == 24
        assert len(placements(DuelMap(), (JOKER, BLACK))) == 24 * 6
        assert spots(WALLED, (DOT, BLACK)) == set()
        assert spots(WALLED.replace(EMPTY, "- - - D1 - - -", 1), (DOT, BLACK)) == BESIDE_A_DOT

    def test_rule_7_4_first_power_ignores_the_connection(self):
        ways = placements(DuelMap(), (DOT, BLACK), {Power.IGNORE_CONNECTION})
        assert Counter(way.power for way in ways)[None] == 24
        # 58 pairs of neighbours on 5x7, four of which hold the castle; either die on either space.
        assert len({way.halves for way in ways}) == len(ways) == 2 * (58 - 4)

    def test_rule_7_4_second_power_splits_a_domino(self):
        apart = spots(str(DuelMap()), (DOT, BLACK), {Power.SPLIT})
        assert ((1, 3), (3, 3)) in apart and ((1, 3), (0, 0)) not in apart
        assert {len(spot) for spot in apart} == {2}
        # The black half has no place beside quarters, so the other goes alone.
        alone = spots(WALLED, (Face(Coat.QUARTERS), BLACK), {Power.SPLIT})
        assert {spot for spot in alone if len(spot) == 1} >= {((0, 3),), ((1, 2),)}


class Patient(ByChance):
    """Draws by chance, and keeps the first two powers for the last spaces of the map."""

    def choose(self, question: Question, options: Any, me: Duelist, rng: Random) -> Any:
        if question is Question.PLACE:
            plain = [way for way in options if way is not None and way.power is None]
            last = [way for way in options if way and len(way.halves) == len(me.map.open())]
            return rng.choice(plain or last or [None])
        return rng.choice(options)


@cache
def games() -> tuple[DuelGame, ...]:
    """Games by chance: of players who use powers at once, or late; some fill their maps."""
    patient = [Patient(), Patient()]
    played = []
    for players in ([ByChance(), ByChance()], [Patient(), ByChance()], patient):
        played += [play_duel(players, seed=seed) for seed in range(15)]
    jokers = [(DOT,), (JOKER,), (JOKER,), (JOKER,)]
    book = [Spell(Coat.DOT, 1, Power.SPLIT)]
    played += [play_duel(patient, seed=seed, dice=jokers, book=book) for seed in range(3)]
    return tuple(played)


def halves_of(game: DuelGame, player: int) -> list[Half]:
    """All that a player drew, in order."""
    drawn = [played.placed[player] for played in game.rounds]
    return [half for placement in drawn if placement for half in placement.halves]


class TestGames:
    def test_rule_7_6_played_maps_break_only_what_powers_allow(self):
        powers = {
            Code.DUEL_NEEDS_POWER: {Power.IGNORE_CONNECTION, Power.SPLIT},
            Code.DUEL_CROSS_NEEDS_POWER: {Power.CROSS},
        }
        for duelist in (duelist for game in games() for duelist in game.duelists):
            for problem in duel_problems(duelist.map):
                assert problem.severity is Severity.WARNING
                assert powers[problem.code] & set(duelist.used)

    def test_rule_7_4_order_of_drafts(self):
        for game in games():
            twice = 0
            for number, played in enumerate(game.rounds):
                first, second = number % 2, 1 - number % 2
                usual, doubled = (first, second, second, first), (first, first, second, second)
                assert played.starting == first and played.drafted in (usual, doubled)
                if played.drafted == doubled:
                    twice += 1
            used = [power for duelist in game.duelists for power in duelist.used]
            assert twice == used.count(Power.DRAFT_TWICE)

    def test_rule_7_5_end_of_a_game(self):
        ends = set()
        for game in games():
            full = any(not duelist.map.open() for duelist in game.duelists)
            idle = game.rounds[-1].placed == (None, None)
            assert full or idle
            assert all(played.placed != (None, None) for played in game.rounds[:-1])
            assert game.result == decide(*(duelist.sheet for duelist in game.duelists))
            ends.add((full, idle))
        assert {(True, False), (False, True)} <= ends

    def test_rule_7_4_map_shows_draws_and_added_crosses(self):
        for game in games():
            for player, duelist in enumerate(game.duelists):
                halves, drawn = halves_of(game, player), duelist.map.drawn
                coats = {half.at: half.drawn.coat for half in halves}
                assert coats == {at: space.coat for at, space in drawn.items()}
                added = [not duelist.castle_cross, Power.CROSS in duelist.used]
                rolled = sum(half.drawn.crosses for half in halves)
                assert sum(space.crosses for space in drawn.values()) == rolled + added.count(True)

    def test_rule_7_4_power_is_won_and_used_once(self):
        used: set[Power] = set()
        for game in games():
            won = [power for duelist in game.duelists for power in (*duelist.powers, *duelist.used)]
            assert len(set(won)) == len(won)
            for duelist in game.duelists:
                used.update(duelist.used)
                assert (duelist.wizard_coat is not None) == (Power.DOMAINS in duelist.used)
        assert used == set(Power)

    def test_seed_repeats_a_game(self):
        players = [ByChance()] * 2
        assert play_duel(players, seed=4) == play_duel(players, seed=4)
        assert play_duel(players) != play_duel(players)


class Fixed(ByChance):
    """Takes the first option, keeps what it has, or answers as it is told."""

    def __init__(self, answers: dict[Question, Any] | None = None) -> None:
        self.answers = answers or {}

    def choose(self, question: Question, options: Any, me: Duelist, rng: Random) -> Any:
        first = False if question is Question.DRAFT_TWICE else options[0]
        answer = self.answers.get(question, first)
        return answer(options) if callable(answer) else answer


def play(*book: Spell, faces: Sequence[Face] = (DOT,) * 4, **answers: Any) -> DuelGame:
    """A game with dice of one face each; the answers are those of the first player."""
    players = [Fixed({Question[name]: answer for name, answer in answers.items()}), Fixed()]
    return play_duel(players, seed=1, dice=[(face,) for face in faces], book=book)


class TestSpellBook:
    def test_rule_7_4_coats_without_a_cross_tick_boxes(self):
        book = Spell(Coat.DOT, 99, Power.SPLIT), Spell(Coat.BLACK, 99, Power.CROSS)
        for duelist in play(*book, faces=(DOT, DOT, Face(Coat.BLACK, 1), DOT)).duelists:
            plain = [space for space in duelist.map.drawn.values() if not space.crosses]
            assert duelist.boxes == {Power.SPLIT: len(plain)}
        jokers = play(*book, faces=(JOKER,) * 4)
        assert [duelist.boxes for duelist in jokers.duelists] == [{}, {}]

    def test_rule_7_4_castle_die_ticks_no_box(self):
        book = Spell(Coat.DOT, 99, Power.SPLIT)
        first, second = play(book, CASTLE_CROSS=itemgetter(1)).duelists
        assert (first.castle_cross, second.castle_cross) == (False, True)
        assert first.boxes[Power.SPLIT] == len(first.map.drawn) - 1
        assert second.boxes[Power.SPLIT] == len(second.map.drawn)

    @pytest.mark.parametrize(("boxes", "winner"), [(2, 0), (4, 1)])
    def test_rule_7_4_player_a_wins_a_tie(self, boxes, winner):
        """The second round has the other player as A."""
        game = play(Spell(Coat.DOT, boxes, Power.DOMAINS))
        assert game.duelists[winner].used == (Power.DOMAINS,)
        assert game.duelists[winner].sheet.wizard_points == 3  # All dots are one domain.
        assert game.duelists[1 - winner].used == ()

    @pytest.mark.parametrize("die", [0, 1])
    def test_rule_7_4_turned_die_counts_as_it_shows(self, die):
        book = Spell(Coat.DOT, 2, Power.TURN_DIE), Spell(Coat.BLACK, 99, Power.CROSS)
        dice: list[Die] = [(*(DOT,) * 99, BLACK)] * 4
        players = [Fixed({Question.TURN: (die, BLACK)}), Fixed()]
        first = play_duel(players, seed=3, dice=dice, book=book).duelists[0]
        drawn = Counter(space.coat for space in first.map.drawn.values())
        assert first.used == (Power.TURN_DIE,)
        assert first.boxes[Power.CROSS] == drawn[Coat.BLACK] > 0

    def test_rule_7_4_sixth_power_adds_a_cross(self):
        drawn = play(Spell(Coat.DOT, 2, Power.CROSS)).duelists[0].map.drawn
        assert sum(space.crosses for space in drawn.values()) == 1

    def test_rule_7_5_kept_power_ends_the_game(self):
        """Single spaces are left in the end, which only the second power could fill; it is kept."""
        game = play(Spell(Coat.DOT, 1, Power.SPLIT))
        assert game.rounds[-1].placed == (None, None)
        assert game.duelists[0].powers == {Power.SPLIT} and game.duelists[0].map.open()

    def test_rule_7_7_example_dice_and_powers(self):
        assert [len(die) for die in EXAMPLE_DICE] == [6] * 4
        plain, also_plain, crossed, joker = EXAMPLE_DICE
        assert sum(face.crosses for face in crossed) == 8
        assert not any(face.crosses for face in (*plain, *also_plain, *joker))
        assert {spell.power for spell in EXAMPLE_BOOK} == set(Power)
        assert {spell.coat for spell in EXAMPLE_BOOK} == set(Coat)


@pytest.mark.parametrize(
    ("power", "question", "answer"),
    [
        (None, "PLACE", None),  # What can be drawn must be drawn.
        (None, "PLACE", Placement(())),
        (None, "CASTLE_CROSS", 2),
        (None, "DIE", (0, BLACK)),
        (None, "DIE", (4, DOT)),
        (Power.TURN_DIE, "TURN", (2, DOT)),
        (Power.TURN_DIE, "TURN", (0, BLACK)),
        (Power.DOMAINS, "COAT", "blue"),
        (Power.CROSS, "CROSS", MIDDLE),
        (Power.CROSS, "CROSS", (0, 0)),
    ],
)
def test_player_cannot_break_a_rule(power, question, answer):
    with pytest.raises(IllegalActionError, match=f"{Question[question].value}: .* is no option"):
        play(*([Spell(Coat.DOT, 2, power)] if power else []), **{question: answer})


def test_bad_duels_are_refused():
    one_die_is_empty = [(), (DOT,), (DOT,), (DOT,)]
    refuses("two players, and four dice", play_duel, [ByChance()])
    refuses("two players, and four dice", play, faces=(DOT,))
    refuses("dice with faces", play_duel, [ByChance()] * 2, dice=one_die_is_empty)
    refuses("in the spell book twice", play, *EXAMPLE_BOOK * 2)
    refuses("0 to 2 crosses, not 3", Face, Coat.DOT, 3)
    refuses("A domino of Kingdomino Duel has two faces.", placements, DuelMap(), "")
