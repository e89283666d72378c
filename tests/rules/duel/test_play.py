from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

from kdvision.rules.duel.map import MIDDLE, Coat, Drawn, DuelMap, duel_problems
from kdvision.rules.duel.play import (
    EXAMPLE_BOOK,
    EXAMPLE_DICE,
    MOST_ROUNDS,
    ByChance,
    Die,
    DuelGame,
    Duelist,
    DuelRules,
    Face,
    Half,
    Placement,
    Power,
    Spell,
    _Table,
    connects,
    placements,
    play_duel,
)
from kdvision.rules.kingdom import Position, neighbours
from kdvision.rules.legality import Code, Severity

DOT, BLACK = Face(Coat.DOT), Face(Coat.BLACK)
JOKER = Face(None)


@cache
def played() -> tuple[DuelGame, ...]:
    return tuple(
        play_duel([ByChance(boldness)] * 2, seed)
        for boldness in (0.1, 0.5, 1.0)
        for seed in range(15)
    )


def spots(ways: Sequence[Placement]) -> set[tuple[Position, ...]]:
    return {tuple(half.at for half in way.halves) for way in ways}


class TestLaying:
    def test_rule_7_4_the_first_coat_touches_the_castle(self) -> None:
        ways = placements(DuelMap.empty(), (DOT, BLACK))
        assert len(ways) == 24  # Four edges, three ways on, and either die there.
        for way in ways:
            assert any(half.at in neighbours(MIDDLE) for half in way.halves)
            one, other = (half.at for half in way.halves)
            assert other in neighbours(one)

    def test_rule_7_4_or_an_equal_coat_drawn_before(self) -> None:
        walled = DuelMap.empty()
        for at in neighbours(MIDDLE):
            walled = walled.draw(at, Drawn(Coat.QUARTERS))
        assert placements(walled, (DOT, BLACK)) == ()
        dotted = walled.draw((0, 3), Drawn(Coat.DOT, 1))
        assert spots(placements(dotted, (DOT, BLACK))) == {
            ((0, 2), (0, 1)),
            ((0, 2), (1, 2)),
            ((0, 4), (0, 5)),
            ((0, 4), (1, 4)),
        }

    def test_rule_7_4_a_joker_is_any_coat(self) -> None:
        ways = placements(DuelMap.empty(), (JOKER, BLACK))
        assert {way.halves[0].drawn.coat for way in ways} == set(Coat)
        assert len(ways) == 24 * 6

    def test_rule_7_4_first_power_ignores_the_connection(self) -> None:
        ways = placements(DuelMap.empty(), (DOT, BLACK), {Power.IGNORE_CONNECTION})
        assert ((0, 0), (0, 1)) in spots(ways)
        by_power = Counter(way.power for way in ways)
        assert by_power[None] == 24
        assert len({way.halves for way in ways}) == len(ways)

    def test_rule_7_4_first_power_beside_something_drawn_where_players_read_it_so(self) -> None:
        powers, rules = {Power.IGNORE_CONNECTION}, DuelRules(ignore_beside=True)
        drawn = DuelMap.empty().draw((1, 3), Drawn(Coat.QUARTERS))
        anywhere = spots(placements(drawn, (DOT, BLACK), powers))
        beside = spots(placements(drawn, (DOT, BLACK), powers, rules))
        assert beside < anywhere
        assert ((0, 3), (0, 2)) in beside and ((0, 0), (0, 1)) in anywhere - beside
        for spot in beside:
            around = {near for at in spot for near in neighbours(at)}
            assert around & {(1, 3), MIDDLE}

    def test_rule_7_4_second_power_splits_a_domino(self) -> None:
        ways = placements(DuelMap.empty(), (DOT, BLACK), {Power.SPLIT})
        assert ((1, 3), (3, 3)) in spots(ways)
        assert ((1, 3), (0, 0)) not in spots(ways)
        assert all(len(way.halves) == 2 for way in ways)

    def test_rule_7_4_second_power_draws_one_half_where_the_other_has_no_place(self) -> None:
        duel_map = DuelMap.empty()
        for at in neighbours(MIDDLE):
            duel_map = duel_map.draw(at, Drawn(Coat.DOT))
        ways = placements(duel_map, (DOT, BLACK), {Power.SPLIT})
        alone = [way for way in ways if way.power is Power.SPLIT]
        assert alone and all(len(way.halves) == 1 for way in alone)
        assert {way.halves[0].drawn.coat for way in alone} == {Coat.DOT}

    def test_what_connects(self) -> None:
        duel_map = DuelMap.empty().draw((0, 6), Drawn(Coat.DOT))
        assert connects(duel_map.drawn(), (1, 6), Coat.DOT)
        assert connects(duel_map.drawn(), (0, 5), Coat.DOT)
        assert not connects(duel_map.drawn(), (0, 5), Coat.BLACK)
        assert not connects(duel_map.drawn(), (4, 6), Coat.DOT)
        assert connects(duel_map.drawn(), (1, 3), Coat.BLACK)


def halves_of(game: DuelGame, player: int) -> list[Half]:
    """All that a player drew, in order."""
    placed = [one.placed[player] for one in game.rounds]
    return [half for placement in placed if placement for half in placement.halves]


class TestGames:
    def test_rule_7_6_played_maps_break_nothing_that_a_power_does_not_explain(self) -> None:
        for game in played():
            for duelist in game.duelists:
                for problem in duel_problems(duelist.map):
                    assert problem.severity is Severity.WARNING
                    assert problem.code is Code.DUEL_NEEDS_POWER
                    assert {Power.IGNORE_CONNECTION, Power.SPLIT} & set(duelist.used)

    def test_rule_7_4_drafts_go_a_b_b_a_or_with_the_third_power_a_a_b_b(self) -> None:
        seen: Counter[bool] = Counter()
        for game in played():
            for number, one in enumerate(game.rounds):
                first, second = number % 2, 1 - number % 2
                assert one.starting == first
                assert one.drafted in (
                    (first, second, second, first),
                    (first, first, second, second),
                )
                seen[one.drafted[0] == one.drafted[1]] += 1
            twice = sum(one.drafted[0] == one.drafted[1] for one in game.rounds)
            assert twice == sum(duelist.used.count(Power.DRAFT_TWICE) for duelist in game.duelists)
        assert min(seen.values()) > 5

    def test_rule_7_5_a_game_ends_when_a_map_is_full_or_nobody_draws(self) -> None:
        ends: Counter[str] = Counter()
        for game in played():
            full = any(not duelist.map.open() for duelist in game.duelists)
            idle = game.rounds[-1].placed == (None, None)
            assert full or idle
            assert all(one.placed != (None, None) for one in game.rounds[:-1])
            ends["full" if full else "idle"] += 1
        assert ends["idle"]

    def test_rule_7_5_a_power_that_is_kept_ends_the_game_or_not(self) -> None:
        """Single spaces are left in the end, which only the second power could fill; it is kept."""
        book = [Spell(Coat.DOT, 1, Power.SPLIT)]
        four = dice(DOT, DOT, DOT, DOT)
        default = play_duel([Fixed()] * 2, 1, four, book)
        able = play_duel([Fixed()] * 2, 1, four, book, DuelRules(end_when_unable=True))
        assert default.rounds[-1].placed == (None, None) and default.rounds[-1].able
        assert len(able.rounds) == MOST_ROUNDS > len(default.rounds)
        none_left = play_duel([Fixed()] * 2, 1, four, [], DuelRules(end_when_unable=True))
        assert none_left.rounds[-1].able == ()

    def test_rule_7_5_the_round_that_fills_a_map_is_played_to_its_end(self) -> None:
        """Its coats tick boxes as well, and what they win at once counts."""
        almost = DuelMap.empty()
        for at in sorted(almost.open() - {(4, 5), (4, 6)}):
            almost = almost.draw(at, Drawn(Coat.DOT))
        book = [Spell(Coat.DOT, 2, Power.CROSS)]
        duelists = [Duelist(map=almost), Duelist()]
        four = dice(DOT, DOT, DOT, DOT)
        table = _Table([Fixed()] * 2, four, book, DuelRules(), Random(1), duelists)
        assert table.is_over(table.round(0))
        assert duelists[0].used == (Power.CROSS,)
        assert duelists[0].sheet.total == 34

    def test_every_placement_is_on_the_map(self) -> None:
        for game in played():
            for player, duelist in enumerate(game.duelists):
                drawn = {half.at: half.drawn.coat for half in halves_of(game, player)}
                assert drawn == {at: space.coat for at, space in duelist.map.drawn().items()}

    def test_rule_7_4_crosses_come_from_dice_castle_and_sixth_power(self) -> None:
        for game in played():
            for player, duelist in enumerate(game.duelists):
                rolled = sum(half.drawn.crosses for half in halves_of(game, player))
                extra = (not duelist.castle_cross) + (Power.CROSS in duelist.used)
                crosses = sum(space.crosses for space in duelist.map.drawn().values())
                assert crosses == rolled + extra

    def test_rule_7_4_every_power_is_won_once_at_most_and_used_once(self) -> None:
        used: Counter[Power] = Counter()
        for game in played():
            one, other = ([*duelist.powers, *duelist.used] for duelist in game.duelists)
            assert len(set(one + other)) == len(one + other)
            for duelist in game.duelists:
                used.update(duelist.used)
                assert (duelist.wizard_coat is not None) == (Power.DOMAINS in duelist.used)
        assert set(used) == set(Power)

    def test_rule_7_3_the_fifth_power_counts_in_the_sheet(self) -> None:
        owners = [
            duelist
            for game in played()
            for duelist in game.duelists
            if duelist.wizard_coat is not None
        ]
        assert owners
        for duelist in owners:
            domains = [one for one in duelist.sheet.domains if one.coat is duelist.wizard_coat]
            assert duelist.sheet.wizard_points == 3 * len(domains)

    def test_the_same_seed_plays_the_same_game(self) -> None:
        assert play_duel([ByChance()] * 2, 4) == play_duel([ByChance()] * 2, 4)
        assert play_duel([ByChance()] * 2, 4) != play_duel([ByChance()] * 2, 5)


class Fixed(ByChance):
    """Takes dice from the left and draws in the first way; turns a die, adds a cross on demand."""

    turned: tuple[int, Face] | None = None
    crossed_die: int | None = None
    drafted: int = 0
    named: object = Coat.DOT
    crossed_at: Position | None = None
    chosen: object = "first"

    def draft_twice(self, me: Duelist, rng: Random) -> bool:
        return False

    def draft(self, faces: Sequence[Face], me: Duelist, rng: Random) -> int:
        return self.drafted

    def turn(self, dice: Sequence[Die], me: Duelist, rng: Random) -> tuple[int, Face] | None:
        return self.turned

    def place(self, ways: Sequence[Placement], me: Duelist, rng: Random) -> Placement | None:
        plain = [way for way in ways if way.power is None]
        if self.chosen == "first":
            return plain[0] if plain else None
        return self.chosen  # type: ignore[return-value]

    def cross(self, halves: Sequence[Half], me: Duelist, rng: Random) -> int | None:
        return self.crossed_die

    def coat(self, me: Duelist, rng: Random) -> Coat:
        return self.named  # type: ignore[return-value]

    def crossed(self, drawn: Sequence[Position], me: Duelist, rng: Random) -> Position:
        return self.crossed_at or drawn[0]


def dice(*faces: Face) -> list[Die]:
    """Dice that always show these faces."""
    return [(face,) for face in faces]


class TestSpellBook:
    def test_rule_7_4_coats_without_a_cross_fill_boxes(self) -> None:
        book = [Spell(Coat.DOT, 99, Power.SPLIT), Spell(Coat.BLACK, 99, Power.CROSS)]
        four = dice(DOT, DOT, Face(Coat.BLACK, 1), DOT)
        game = play_duel([Fixed()] * 2, 1, four, book)
        for duelist in game.duelists:
            halves = [space for space in duelist.map.drawn().values() if not space.crosses]
            assert duelist.boxes.get(Power.SPLIT, 0) == len(halves) > 0
            assert Power.CROSS not in duelist.boxes

    def test_rule_7_4_a_joker_fills_no_box(self) -> None:
        book = [Spell(coat, 99, power) for coat, power in zip(Coat, Power, strict=True)]
        game = play_duel([Fixed()] * 2, 1, dice(JOKER, JOKER, JOKER, JOKER), book)
        assert [duelist.boxes for duelist in game.duelists] == [{}, {}]

    def test_rule_7_4_the_die_with_the_cross_of_the_castle_fills_no_box(self) -> None:
        book = [Spell(Coat.DOT, 99, Power.SPLIT)]
        player = Fixed()
        player.crossed_die = 0
        game = play_duel([player, Fixed()], 1, dice(DOT, DOT, DOT, DOT), book)
        one, other = game.duelists
        assert not one.castle_cross and other.castle_cross
        assert one.boxes[Power.SPLIT] == len(one.map.drawn()) - 1
        assert other.boxes[Power.SPLIT] == len(other.map.drawn())
        assert sum(space.crosses for space in one.map.drawn().values()) == 1

    def test_rule_7_4_player_a_wins_a_spell_that_both_fill_at_once(self) -> None:
        for boxes, winner in ((2, 0), (4, 1)):  # The second round has the other player as A.
            book = [Spell(Coat.DOT, boxes, Power.DOMAINS)]
            game = play_duel([Fixed()] * 2, 1, dice(DOT, DOT, DOT, DOT), book)
            assert game.duelists[winner].used == (Power.DOMAINS,)
            assert game.duelists[1 - winner].used == ()

    def test_rule_7_4_fourth_power_turns_a_die(self) -> None:
        book = [Spell(Coat.DOT, 2, Power.TURN_DIE)]
        player = Fixed()
        player.turned = (1, BLACK)
        four: list[Die] = [(*(DOT,) * 99, BLACK)] * 4
        game = play_duel([player, Fixed()], 3, four, book)
        assert game.duelists[0].used == (Power.TURN_DIE,)
        player.turned = (0, DOT)
        assert play_duel([player, Fixed()], 3, four, book).duelists[0].used == (Power.TURN_DIE,)
        player.turned = (0, Face(Coat.QUARTERS))
        with pytest.raises(ValueError, match="no face"):
            play_duel([player, Fixed()], 3, four, book)

    def test_rule_7_4_a_turned_die_ticks_as_the_face_that_it_shows(self) -> None:
        book = [Spell(Coat.DOT, 2, Power.TURN_DIE), Spell(Coat.BLACK, 99, Power.CROSS)]
        player = Fixed()
        player.turned = (1, BLACK)
        four: list[Die] = [(*(DOT,) * 99, BLACK)] * 4
        duelist = play_duel([player, Fixed()], 3, four, book).duelists[0]
        drawn = Counter(space.coat for space in duelist.map.drawn().values())
        assert duelist.boxes[Power.CROSS] == drawn[Coat.BLACK] > 0

    def test_rule_7_4_sixth_power_adds_a_cross(self) -> None:
        book = [Spell(Coat.DOT, 2, Power.CROSS)]
        game = play_duel([Fixed()] * 2, 1, dice(DOT, DOT, DOT, DOT), book)
        assert sum(space.crosses for space in game.duelists[0].map.drawn().values()) == 1

    def test_rule_7_7_the_examples_are_dice_of_six_faces_and_a_power_for_each_coat(self) -> None:
        assert [len(die) for die in EXAMPLE_DICE] == [6] * 4
        assert {spell.power for spell in EXAMPLE_BOOK} == set(Power)
        assert {spell.coat for spell in EXAMPLE_BOOK} == set(Coat)
        assert max(face.crosses for die in EXAMPLE_DICE for face in die) == 2


class TestRefusals:
    def test_wrong_numbers(self) -> None:
        with pytest.raises(ValueError, match="2 players and 4 dice, not 1 and 4"):
            play_duel([ByChance()], 1)
        with pytest.raises(ValueError, match="2 players and 4 dice, not 2 and 1"):
            play_duel([ByChance()] * 2, 1, dice(DOT))

    def test_what_can_be_drawn_must_be_drawn(self) -> None:
        player = Fixed()
        player.chosen = None
        with pytest.raises(ValueError, match="must be drawn"):
            play_duel([player, Fixed()], 1, dice(DOT, DOT, DOT, DOT), [])

    def test_what_the_rules_do_not_allow_may_not_be_drawn(self) -> None:
        player = Fixed()
        player.chosen = Placement(())
        with pytest.raises(ValueError, match="may not be drawn so"):
            play_duel([player, Fixed()], 1, dice(DOT, DOT, DOT, DOT), [])

    def test_the_cross_of_the_castle_goes_on_a_drawn_die(self) -> None:
        player = Fixed()
        player.crossed_die = 2
        with pytest.raises(ValueError, match="No die 2 was drawn"):
            play_duel([player, Fixed()], 1, dice(DOT, DOT, DOT, DOT), [])

    @pytest.mark.parametrize("index", [-1, 4])
    def test_only_a_die_that_is_left_is_taken(self, index: int) -> None:
        player = Fixed()
        player.drafted = index
        with pytest.raises(ValueError, match=f"no die {index}"):
            play_duel([player, Fixed()], 1, dice(DOT, DOT, DOT, DOT), [])

    def test_the_fifth_power_names_a_coat(self) -> None:
        player = Fixed()
        player.named = "dot"
        with pytest.raises(ValueError, match="no coat of arms"):
            play_duel([player, Fixed()], 1, dice(*[DOT] * 4), [Spell(Coat.DOT, 2, Power.DOMAINS)])

    @pytest.mark.parametrize("at", [MIDDLE, (0, 0), (9, 9)])
    def test_the_cross_of_the_sixth_power_goes_beside_a_drawn_coat(self, at: Position) -> None:
        player = Fixed()
        player.crossed_at = at
        with pytest.raises(ValueError, match="nothing is drawn"):
            play_duel([player, Fixed()], 1, dice(*[DOT] * 4), [Spell(Coat.DOT, 2, Power.CROSS)])
