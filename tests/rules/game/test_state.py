import pickle
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from kdvision.rules import GameState, is_legal_action
from kdvision.rules.dominoes import Deck, standard_deck
from kdvision.rules.errors import IllegalActionError, NotationError, RulesError
from kdvision.rules.game.laying import Choose, Discard, Lay, parse_action
from kdvision.rules.game.record import GameRecord
from kdvision.rules.game.set_up import VARIANTS
from kdvision.rules.rules import Centre, Rules
from kdvision.rules.standings import TieRule
from tests.support.refusing import refuses


def records(variant: str, seed: int) -> Iterator[GameRecord]:
    """A game by chance, after every action."""
    rng = Random(seed)
    record = GameRecord(GameState.start(VARIANTS[variant].players, variant=variant, seed=seed))
    yield record
    while not record.state.over:
        record = record.play(rng.choice(record.state.actions()))
        yield record


def played(variant: str, seed: int, steps: int | None = None) -> GameRecord:
    """A game by chance, up to some step."""
    *_, record = islice(records(variant, seed), steps)
    return record


@pytest.mark.parametrize("variant", VARIANTS)
def test_positions_and_records_round_trip(variant):
    """And to take a move back is to have the position before it."""
    for seed in range(6):
        before = None
        for record in records(variant, seed):
            state, text = record.state, str(record.state)
            parsed, actions = GameState.parse(text), state.actions()
            assert parsed == state and str(parsed) == text and hash(parsed) == hash(state)
            assert [parse_action(str(action)) for action in actions] == list(actions)
            assert len(set(actions)) == len(actions)
            assert before is None or (record.undo(), record.undo().state) == (before, before.state)
            before = record
        again = GameRecord.parse(str(record))
        assert again == record and again.state == record.state and str(again) == str(record)


def hand_made(kingdom: str) -> str:
    """A position whose first king stands on the swamps, with a kingdom for player A."""
    seen = {1, 2, 3, 4, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18, 19}
    unseen = [str(number) for number in range(1, 49) if number not in seen]
    pile, aside = " ".join(unseen[:8]), " ".join(unseen[8:])
    turns = "turns 12A 13B 14B 15A; line 16 17 18 19; kings -"
    return f"two-players; A, B; {turns}; pile {pile}; aside {aside}; {kingdom}; C"


WALLED = "L L -/L C L/L L L/- L -"


def test_rule_5_5_only_unplaceable_dominoes_are_discarded():
    state = GameState.parse(hand_made(WALLED))
    assert state.actions() == (Discard(12),)
    after = state.play("12 X")
    assert after.lands == state.lands and after.domino is None
    assert after.actions() == tuple(map(Choose, (16, 17, 18, 19)))


CORNER = "L L -/L C L/L L L/L L L/S L -"


@pytest.mark.parametrize(
    ("kingdom", "move", "allowed"),
    [
        # Occupied, not side by side, outside, too large, next to nothing that fits.
        *(
            (CORNER, move, "12 c7 c8; 12 b8 c8.")
            for move in ("12 d7 d8", "12 c8 d9", "12 k4 k5", "12 d9 e9", "12 f8 g8")
        ),
        (CORNER, "13 c7 c8", "12 c7 c8; 12 b8 c8."),
        (CORNER, "16", "12 c7 c8; 12 b8 c8."),
        (WALLED, "12 e8 e9", "12 x."),
        ("C", "12 x", "12 e3 e4; 12 d4 e4; 12 d4 d5; 12 e4 f4 and 8 more."),
    ],
)
def test_refusal_says_what_is_allowed(kingdom, move, allowed):
    state = GameState.parse(hand_made(kingdom))
    with pytest.raises(
        IllegalActionError, match=f"{move!r} is not allowed now. Allowed: "
    ) as error:
        state.play(move)
    assert str(error.value).endswith(f" {allowed}") and not is_legal_action(state, move)


def test_refused_choice_names_free_dominoes():
    state = GameState.parse(hand_made("C")).play("12 e4 e3")
    for move in ("12 e4 e3", "20"):
        with pytest.raises(IllegalActionError, match="Allowed: 16; 17; 18; 19"):
            state.play(move)
    with pytest.raises(IllegalActionError, match="The game is over"):
        played("two-players", 1).state.play("3 x")


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("3 c4 c5", Lay(3, (3, 2), (4, 2))),
        (" 48  E5, f5 ", Lay(48, (4, 4), (4, 5))),
        ("3 x", Discard(3)),
        ("17", Choose(17)),
    ],
)
def test_actions_are_parsed(text, action):
    assert parse_action(text) == action


@pytest.mark.parametrize("text", ["", "c4 c5", "3 c4", "3 c4 c5 c6", "x", "1234", "3 cc4 c5", "٣"])
def test_no_action(text):
    with pytest.raises(IllegalActionError, match=r"is no move\. Write the domino"):
        parse_action(text)


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (5, {}, "two to four players, not for 5"),
        (-1, {}, "two to four players, not for -1"),
        ("Ann", {}, "players is their number, or a list"),
        (2.0, {}, "players is their number, or a list"),
        (3, {"variant": "mighty-duel"}, "Mighty Duel is not for 3 players"),
        (2, {"variant": "chess"}, "'chess' is no variant. Write one of four-players"),
        (2, {"variant": ["chess"]}, r"\['chess'\]\" is no variant. Write one of"),
        (2, {"tie_rule": "x"}, "'x' is no tie rule; write one of 'crowns',"),
        (2, {"deck": Deck(standard_deck().dominoes[:3])}, "needs 24 dominoes; the deck has 3"),
        (2, {"deck": standard_deck().dominoes}, "tuple is no deck"),
        (["Ann", "Ann"], {}, "the same name"),
        (["Ann", 'B"ob'], {}, "no comma, semicolon, quote or line break"),
        *(
            (["Ann", name], {}, "cannot be the name")
            for name in (5, "B;ob", " ", "B\nob", "B\u2028ob")
        ),
        (["Ann", "x" * 41], {}, "cannot be the name"),
    ],
)
def test_bad_starts_are_refused(players, options, message):
    with pytest.raises(RulesError, match=message):
        GameState.start(players, **options)


NUMBERS = "lines of 4 dominoes, 24 dominoes left out, and kings for each player: 2"


class TestText:
    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("two-players", "chess", "begins with its variant"),
            ("A, B", "A", "needs 2 names, not 1"),
            ("A, B; ", "", "9 parts between semicolons, not 8"),
            ("A, B", "A, A", "same name"),
            ("turns", "turn", "'turn 12A 13B 14B 15A' should be 'turns'"),
            ("12A", "12E", "'12E' is no king"),
            ("line 16", "line x", "'x' is no number"),
            ("line 16", "line 60", "no domino 60"),
            ("line 16", "line 13", "Domino 13 is at two places"),
            ("line 16 17", "line 17", NUMBERS),
            ("13B 14B", "13B 14A", NUMBERS),
            ("13B 14B", "13B 14C", NUMBERS),
            ("pile 5 6", "pile 6", NUMBERS),
            ("aside 25", "aside", NUMBERS),
            ("line 16 17 18 19", "line -", NUMBERS),
            ("12A 13B 14B 15A", "12A B B 15A", "should stand on a domino"),
            ("14B 15A; line 16 17 18 19; kings -", "15A; line 16 17 18; kings B", "on a domino"),
            ("C", "W W", "one castle"),
            ("C", "C X", "'X' is no square"),
            ("C", "C; deck 1 W W", "needs 24 dominoes; the deck has 1"),
            ("C", "C; rules chess", "is no rule of a game; write harmony, middle-kingdom"),
            ("C", "C; rules harmony,territory", "is no rule of a game"),
        ],
    )
    def test_no_position(self, old, new, message):
        text = hand_made("C")
        changed = text.replace(old, new, 1) if old != "C" else text[: text.rindex("C")] + new
        assert changed != text
        with pytest.raises(NotationError, match=message):
            GameState.parse(changed)

    def test_parse_takes_numbers_in_any_order(self):
        text = hand_made("C")
        mixed = text.replace("13B 14B", "14B 13B").replace("line 16 17", "line 17 16")
        assert mixed != text and GameState.parse(mixed) == GameState.parse(text)

    @pytest.mark.parametrize(
        ("turns", "aside", "message"),
        [("3A 4B 5C", "", NUMBERS), ("A 4B", "", "should stand on a domino"), ("3A 4B", "", "")],
    )
    def test_last_round(self, turns, aside, message):
        numbers = [number for number in range(1, 49) if number not in (3, 4, 5)][:24]
        text = f"two-players; A, B; turns {turns}; line -; kings -; pile -; "
        text += f"aside {' '.join(map(str, numbers))}; C W W; C"
        if not message:
            assert GameState.parse(text).actions()
            return
        with pytest.raises(NotationError, match=message):
            GameState.parse(text)


class TestRecord:
    def test_game_is_written_by_rounds(self):
        text = str(played("two-players", 1))
        lines = text.splitlines()
        assert lines[0].startswith('[Start "two-players; A, B; turns ')
        assert lines[1].startswith('[Result "A ')
        assert [line.split(".")[0] for line in lines[3:]] == list("1234567")
        assert str(played("two-players", 1, 4)).count("[") == 1

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("Start", "Begin", "begins with its first position"),
            ('[Result "A ', '[Result "A 1', "does not come to its"),
            ('"]\n\n', '"\n\n', "is no header; write"),
            ("1. B", "1. C", "'s turn"),
        ],
    )
    def test_record_with_a_cheat_is_refused(self, old, new, message):
        text = str(played("two-players", 1))
        assert old in text
        with pytest.raises(NotationError, match=message):
            GameRecord.parse(text.replace(old, new))

    def test_record_has_all_moves_and_no_more(self):
        text = str(played("two-players", 1))
        without_last = text[: text.rindex(";")]
        refuses("does not come to its", GameRecord.parse, without_last)
        for move in ("14. A 3", "A 3."):
            refuses("the game is over", GameRecord.parse, f"{text}{move}\n")

    def test_illegal_move_is_named(self):
        record = played("two-players", 1)
        index, (_, action) = next(
            (index, step) for index, step in enumerate(record.steps()) if isinstance(step[1], Lay)
        )
        text = str(record).replace(f" {action};", f" {action.number} a1 b1;", 1)
        with pytest.raises(NotationError, match=f"Move {index + 1}, .*a1 b1' is not allowed now"):
            GameRecord.parse(text)


def test_saved_game_keeps_its_rules():
    rules = Rules(harmony=True, middle_kingdom=True, centre=Centre.FRAME)
    start = GameState.start(2, rules=rules, tie_rule="territory", any_king=True, seed=5)
    record = GameRecord(start)
    while not record.state.over:
        record = record.play(record.state.actions()[0])
    plain = replace(record.state, rules=Rules(5))
    totals = [sheet.total for sheet in record.state.sheets()]
    assert totals != [sheet.total for sheet in plain.sheets()]
    again = GameRecord.parse(str(record))
    assert again == record
    assert again.start.rules == replace(rules, size=5)
    assert (again.start.tie_rule, again.start.any_king) == (TieRule.TERRITORY, True)
    assert f'[Result "A {totals[0]}, B {totals[1]}"]' in str(record)
    assert record.state.standings() == again.state.standings()


def test_variant_sets_the_size():
    assert GameState.start(2, variant="mighty-duel", rules=Rules(7)).rules.size == 7
    with pytest.raises(RulesError, match="two players is played on 5x5"):
        GameState.start(2, rules=Rules(7))


def test_notebook_shows_mover_and_kingdoms():
    state = GameState.start(["Ann", "<Bob>"], seed=7)
    shown = state._repr_html_()
    assert "Bob" in shown and "<Bob>" not in shown
    assert shown.count("<table>") == 2
    mover = state.players[state.current_player or 0].strip("<>")
    assert f"{mover} chooses a domino" in shown.replace("&lt;", "").replace("&gt;", "")


def test_swapped_double_is_one_action():
    record = GameRecord(GameState.parse(hand_made("C")))
    assert record.play("12 e4 e3") == record.play("12 e3 e4")
    assert is_legal_action(record.state, "12 e4 e3")
    assert not any(is_legal_action(record.state, text) for text in ("12 x", "pass"))


def test_name_may_have_forty_letters():
    assert GameState.start(["Ann", "x" * 40]).players[1] == "x" * 40


def test_seed_repeats_a_deal():
    assert GameState.start(4, seed=5) == GameState.start(4, seed=5)
    assert GameState.start(4, seed=5) != GameState.start(4, seed=6)
    assert GameState.start(4) != GameState.start(4)


def test_record_is_pickled_and_undone():
    record = played("two-players", 1, 31)
    again = pickle.loads(pickle.dumps(record))
    assert (again, again.state, hash(again)) == (record, record.state, hash(record))
    with pytest.raises(RulesError, match="no move to take back"):
        played("two-players", 1, 1).undo()
