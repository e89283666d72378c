"""Kingdomino Duel as a game: what can be drawn, whole games, the spell book, what is refused."""

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from random import Random
from typing import Any

import pytest

from kdvision.rules.duel import (
    EXAMPLE_BOOK,
    EXAMPLE_DICE,
    MIDDLE,
    USUAL_DUEL_RULES,
    ByChance,
    Coat,
    Die,
    DuelGame,
    Duelist,
    DuelMap,
    DuelRules,
    Face,
    Half,
    Placement,
    Power,
    Spell,
    decide,
    duel_problems,
    placements,
    play_duel,
)
from kdvision.rules.duel.play import MOST_ROUNDS
from kdvision.rules.errors import IllegalActionError, RulesError
from kdvision.rules.kingdom import Position
from kdvision.rules.legality import Code, Severity

DOT, BLACK, JOKER = Face(Coat.DOT), Face(Coat.BLACK), Face(None)
EMPTY = "- - - - - - -"
#: The castle with quarters on all its sides.
WALLED = f"{EMPTY}/- - - Q - - -/- - Q C Q - -/- - - Q - - -/{EMPTY}"
BESIDE_A_DOT = {((0, 2), at) for at in ((0, 1), (1, 2))} | {((0, 4), at) for at in ((0, 5), (1, 4))}


def spots(
    line: str, faces: tuple[Face, Face], powers: Collection[Power] = (), **rules: bool
) -> set[tuple[Position, ...]]:
    """Where two dice can be drawn, the first one's space first."""
    ways = placements(DuelMap.parse(line), faces, powers, DuelRules(**rules))
    return {tuple(half.at for half in way.halves) for way in ways}


class TestPlacing:
    def test_rule_7_4_a_domino_goes_beside_the_castle_or_an_equal_coat(self):
        # Four edges, three ways on, and either die there; a joker is any of six coats.
        assert len(placements(DuelMap.empty(), (DOT, BLACK))) == 24
        assert len(placements(DuelMap.empty(), (JOKER, BLACK))) == 24 * 6
        assert spots(WALLED, (DOT, BLACK)) == set()
        assert spots(WALLED.replace(EMPTY, "- - - D1 - - -", 1), (DOT, BLACK)) == BESIDE_A_DOT

    def test_rule_7_4_the_first_power_ignores_the_connection(self):
        ways = placements(DuelMap.empty(), (DOT, BLACK), {Power.IGNORE_CONNECTION})
        assert Counter(way.power for way in ways)[None] == 24
        # 58 pairs of neighbours on 5x7, four of which hold the castle; either die on either space.
        assert len({way.halves for way in ways}) == len(ways) == 2 * (58 - 4)
        powers = {Power.IGNORE_CONNECTION}
        beside = spots(WALLED, (DOT, BLACK), powers, ignore_beside=True)
        assert ((0, 3), (0, 2)) in beside
        assert ((0, 0), (0, 1)) in spots(WALLED, (DOT, BLACK), powers) - beside

    def test_rule_7_4_the_second_power_splits_a_domino(self):
        empty = str(DuelMap.empty())
        apart = spots(empty, (DOT, BLACK), {Power.SPLIT})
        assert ((1, 3), (3, 3)) in apart and ((1, 3), (0, 0)) not in apart
        assert {len(spot) for spot in apart} == {2}
        # The black half has no place beside quarters, so the other goes alone.
        alone = spots(WALLED, (Face(Coat.QUARTERS), BLACK), {Power.SPLIT})
        assert {spot for spot in alone if len(spot) == 1} >= {((0, 3),), ((1, 2),)}


@cache
def games() -> tuple[DuelGame, ...]:
    """Games by chance, of players who seldom, often and always use what they have."""
    return tuple(
        play_duel([ByChance(boldness)] * 2, seed=seed)
        for boldness in (0.1, 0.5, 1.0)
        for seed in range(15)
    )


def halves_of(game: DuelGame, player: int) -> list[Half]:
    """All that a player drew, in order."""
    drawn = [played.placed[player] for played in game.rounds]
    return [half for placement in drawn if placement for half in placement.halves]


class TestGames:
    def test_rule_7_6_played_maps_break_nothing_that_a_power_does_not_explain(self):
        for duelist in (duelist for game in games() for duelist in game.duelists):
            for problem in duel_problems(duelist.map):
                assert (problem.severity, problem.code) == (Severity.WARNING, Code.DUEL_NEEDS_POWER)
                assert {Power.IGNORE_CONNECTION, Power.SPLIT} & set(duelist.used)

    def test_rule_7_4_drafts_go_a_b_b_a_or_with_the_third_power_a_a_b_b(self):
        for game in games():
            twice = 0
            for number, played in enumerate(game.rounds):
                first, second = number % 2, 1 - number % 2
                usual, doubled = (first, second, second, first), (first, first, second, second)
                assert played.starting == first and played.drafted in (usual, doubled)
                twice += played.drafted == doubled
            used = [power for duelist in game.duelists for power in duelist.used]
            assert twice == used.count(Power.DRAFT_TWICE)

    def test_rule_7_5_a_game_ends_when_a_map_is_full_or_nobody_draws(self):
        for game in games():
            full = any(not duelist.map.open() for duelist in game.duelists)
            assert full or game.rounds[-1].placed == (None, None)
            assert all(played.placed != (None, None) for played in game.rounds[:-1])
            assert game.result == decide(*(duelist.sheet for duelist in game.duelists))

    def test_rule_7_4_a_map_shows_what_was_drawn_and_the_crosses_that_were_added(self):
        for game in games():
            for player, duelist in enumerate(game.duelists):
                halves, drawn = halves_of(game, player), duelist.map.drawn()
                assert {half.at: half.drawn.coat for half in halves} == {
                    at: space.coat for at, space in drawn.items()
                }
                extra = (not duelist.castle_cross) + (Power.CROSS in duelist.used)
                rolled = sum(half.drawn.crosses for half in halves)
                assert sum(space.crosses for space in drawn.values()) == rolled + extra

    def test_rule_7_4_a_power_is_won_once_and_used_once(self):
        used: set[Power] = set()
        for game in games():
            won = [power for duelist in game.duelists for power in (*duelist.powers, *duelist.used)]
            assert len(set(won)) == len(won)
            for duelist in game.duelists:
                used.update(duelist.used)
                assert (duelist.wizard_coat is not None) == (Power.DOMAINS in duelist.used)
        assert used == set(Power)

    def test_a_seed_plays_its_game_again_and_none_a_new_one(self):
        players = [ByChance()] * 2
        assert play_duel(players, seed=4) == play_duel(players, seed=4)
        assert play_duel(players) != play_duel(players)


class Fixed(ByChance):
    """Takes dice from the left and draws in the first way, or answers as it is told."""

    def __init__(self, **answers: Any) -> None:
        super().__init__()
        self.answers = answers

    def draft_twice(self, me: Duelist, rng: Random) -> bool:
        return False

    def draft(self, faces: Sequence[Face], me: Duelist, rng: Random) -> int:
        return self.answers.get("draft", 0)

    def turn(self, dice: Sequence[Die], me: Duelist, rng: Random) -> tuple[int, Face] | None:
        return self.answers.get("turn")

    def place(self, ways: Sequence[Placement], me: Duelist, rng: Random) -> Placement | None:
        plain = [way for way in ways if way.power is None]
        return self.answers.get("place", plain[0] if plain else None)

    def cross(self, halves: Sequence[Half], me: Duelist, rng: Random) -> int | None:
        return self.answers.get("cross")

    def coat(self, me: Duelist, rng: Random) -> Coat:
        return self.answers.get("coat", Coat.DOT)

    def crossed(self, drawn: Sequence[Position], me: Duelist, rng: Random) -> Position:
        return self.answers.get("crossed", drawn[0])


def play(
    *book: Spell,
    faces: Sequence[Face] = (DOT,) * 4,
    rules: DuelRules = USUAL_DUEL_RULES,
    **answers: Any,
) -> DuelGame:
    """A game with dice of one face each; the answers are those of the first player."""
    players = [Fixed(**answers), Fixed()]
    dice = [(face,) for face in faces]
    return play_duel(players, seed=1, dice=dice, book=book, rules=rules)


class TestSpellBook:
    def test_rule_7_4_coats_without_a_cross_tick_boxes(self):
        book = Spell(Coat.DOT, 99, Power.SPLIT), Spell(Coat.BLACK, 99, Power.CROSS)
        for duelist in play(*book, faces=(DOT, DOT, Face(Coat.BLACK, 1), DOT)).duelists:
            plain = [space for space in duelist.map.drawn().values() if not space.crosses]
            assert duelist.boxes == {Power.SPLIT: len(plain)}
        jokers = play(*book, faces=(JOKER,) * 4)
        assert [duelist.boxes for duelist in jokers.duelists] == [{}, {}]

    def test_rule_7_4_the_die_with_the_cross_of_the_castle_ticks_no_box(self):
        first, second = play(Spell(Coat.DOT, 99, Power.SPLIT), cross=0).duelists
        assert (first.castle_cross, second.castle_cross) == (False, True)
        assert first.boxes[Power.SPLIT] == len(first.map.drawn()) - 1
        assert second.boxes[Power.SPLIT] == len(second.map.drawn())

    @pytest.mark.parametrize(("boxes", "winner"), [(2, 0), (4, 1)])
    def test_rule_7_4_player_a_wins_what_both_fill_at_once(self, boxes, winner):
        """The second round has the other player as A."""
        game = play(Spell(Coat.DOT, boxes, Power.DOMAINS))
        assert game.duelists[winner].used == (Power.DOMAINS,)
        assert game.duelists[winner].sheet.wizard_points == 3  # All dots are one domain.
        assert game.duelists[1 - winner].used == ()

    @pytest.mark.parametrize("die", [0, 1])
    def test_rule_7_4_a_turned_die_is_drawn_and_ticks_as_it_shows(self, die):
        book = Spell(Coat.DOT, 2, Power.TURN_DIE), Spell(Coat.BLACK, 99, Power.CROSS)
        dice: list[Die] = [(*(DOT,) * 99, BLACK)] * 4
        game = play_duel([Fixed(turn=(die, BLACK)), Fixed()], seed=3, dice=dice, book=book)
        first = game.duelists[0]
        drawn = Counter(space.coat for space in first.map.drawn().values())
        assert first.used == (Power.TURN_DIE,)
        assert first.boxes[Power.CROSS] == drawn[Coat.BLACK] > 0

    def test_rule_7_4_the_sixth_power_adds_a_cross(self):
        drawn = play(Spell(Coat.DOT, 2, Power.CROSS)).duelists[0].map.drawn()
        assert sum(space.crosses for space in drawn.values()) == 1

    def test_rule_7_5_a_power_that_is_kept_ends_the_game_or_not(self):
        """Single spaces are left in the end, which only the second power could fill; it is kept."""
        spell, rules = Spell(Coat.DOT, 1, Power.SPLIT), DuelRules(end_when_unable=True)
        usual = play(spell)
        assert usual.rounds[-1].placed == (None, None) and usual.rounds[-1].able
        assert len(play(spell, rules=rules).rounds) == MOST_ROUNDS > len(usual.rounds)
        assert play(rules=rules).rounds[-1].able == ()

    def test_rule_7_7_the_examples_are_dice_of_six_faces_and_a_power_for_each_coat(self):
        assert [len(die) for die in EXAMPLE_DICE] == [6] * 4
        assert {spell.power for spell in EXAMPLE_BOOK} == set(Power)
        assert {spell.coat for spell in EXAMPLE_BOOK} == set(Coat)


@pytest.mark.parametrize(
    ("power", "answers", "sentence"),
    [
        (None, {"place": None}, "must be drawn"),
        (None, {"place": Placement(())}, "may not be drawn so"),
        (None, {"cross": 2}, "No die 2 was drawn"),
        (None, {"draft": -1}, "no die -1 to take"),
        (None, {"draft": 4}, "no die 4 to take"),
        (Power.TURN_DIE, {"turn": (2, DOT)}, "no die 2 to turn"),
        (Power.TURN_DIE, {"turn": (0, BLACK)}, "no face"),
        (Power.DOMAINS, {"coat": "dot"}, "no coat of arms"),
        (Power.CROSS, {"crossed": MIDDLE}, "nothing is drawn"),
        (Power.CROSS, {"crossed": (0, 0)}, "nothing is drawn"),
        (Power.CROSS, {"crossed": (9, 9)}, "nothing is drawn"),
    ],
)
def test_a_player_cannot_break_a_rule(power, answers, sentence):
    with pytest.raises(IllegalActionError, match=sentence):
        play(*([Spell(Coat.DOT, 2, power)] if power else []), **answers)


@pytest.mark.parametrize(
    ("attempt", "sentence"),
    [
        (lambda: play_duel([ByChance()]), "2 players and 4 dice, not 1 and 4"),
        (lambda: play(faces=(DOT,)), "2 players and 4 dice, not 2 and 1"),
        (lambda: play_duel([ByChance()] * 2, dice=[()] * 4), "no face"),
        (lambda: play(*EXAMPLE_BOOK * 2), "in the spell book twice"),
        (lambda: Face(Coat.DOT, 3), "0 to 2 crosses, not 3"),
        (lambda: Face("dot"), "no coat of arms"),  # type: ignore[arg-type]
        (lambda: Spell(Coat.DOT, 0, Power.SPLIT), "at least one box, not 0"),
    ],
)
def test_what_is_no_duel_is_refused(attempt, sentence):
    with pytest.raises(RulesError, match=sentence):
        attempt()
