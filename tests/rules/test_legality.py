from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kdvision.rules.cutting import can_be_cut, square_bits
from kdvision.rules.dominoes import Deck
from kdvision.rules.kingdom import Kingdom, Position, position_names
from kdvision.rules.legality import Code, is_legal, keeps_rules, problems
from kdvision.rules.rules import Rules
from kdvision.sentences import languages, text_of
from tests.support.played import (
    EXAMPLES,
    any_kingdoms,
    changed_kingdoms,
    mirrored,
    real_kingdoms,
    turned_position,
)
from tests.support.refusing import refuses

FACTS = [
    # line, size, whether it is legal, [(code, squares it concerns)]
    ("C", 5, True, []),
    ("C W W", 5, True, []),
    ("- - -/- C F1/- - W", 5, True, []),
    ("W W", 5, False, [("no-castle", "")]),
    ("-", 5, False, [("no-castle", "")]),
    ("C W W C", 5, False, [("several-castles", "a1, d1")]),
    ("C W W/- - -/- L L", 5, False, [("not-connected", "b3, c3")]),
    ("C W W -/- - - F1/- - - W", 5, False, [("not-connected", "d2, d3")]),
    ("W W - L L", 5, False, [("no-castle", "")]),
    (
        "C W W - C/- - - - -/L L - - -",
        5,
        False,
        [("several-castles", "a1, e1"), ("not-connected", "a3, b3")],
    ),
    (
        "C W W W W W W",
        5,
        False,
        [("too-wide", "a1, b1, f1, g1"), ("not-in-deck", "b1, c1, d1, e1, f1, g1")],
    ),
    ("W1 W L L C", 5, False, [("not-in-deck", "a1, b1"), ("no-order", "a1, b1")]),
    ("M3 F C W M3", 5, None, [("too-many-of-a-kind", "a1, e1")]),
    ("M3 F L L C W M3", 7, False, [("too-many-of-a-kind", "a1, g1"), ("no-order", "a1, b1")]),
    ("C L W4 W/- F - -", 5, False, [("unknown-square", "c1"), ("no-order", "c1, d1")]),
    ("C W F W1 F", 5, False, [("no-order", "d1, e1")]),
    ("C W F W1 F F F/L L - - - - -", 5, False, [("too-wide", "f1, g1"), ("no-order", "d1, e1")]),
    ("C W", 5, False, [("odd-squares", "b1")]),
    ("C W F F1", 5, False, [("odd-squares", "b1, d1")]),
    ("- W -/W C W/- W -/- W -", 5, False, [("odd-squares", "b1, a2, c2")]),
    ("- W -/W C W/- W -", 5, False, [("chessboard", "b1, a2, c2, b3")]),
    (
        "- W W C W W -/W - - - - - W",
        7,
        False,
        [("not-connected", "a2, g2"), ("chessboard", "a2, g2")],
    ),
    ("W - - W -/W W C W W/W - - W -", 5, False, [("no-cutting", "a1, d1, b2, e2, a3, d3")]),
    ("C W4 W", 5, None, [("unknown-square", "b1")]),
    ("C W4 F2/- W4 W", 5, None, [("unknown-square", "c1"), ("unknown-square", "b1, b2")]),
    ("M3 W C W M3", 5, None, [("too-many-of-a-kind", "a1, e1")]),
    ("C F M2", 5, None, [("not-in-deck", "b1, c1")]),
    ("M2 F C W M3", 5, None, [("not-in-deck", "a1, b1")]),
    ("M2 F C W1 M3", 5, None, [("not-in-deck", "")]),
    ("C W M3/- W M2/- W G1/- W F", 5, True, []),
    ("C W F/- - L/- - L", 5, False, [("no-order", "c2, c3")]),
    (
        # Each square can be joined to the castle, but not all of them at once.
        "L1 W G W1 G/F F F F G/M2 M C F W/S W1 G F W/L W1 S1 F1 W",
        5,
        None,
        [("no-order-in-deck", "a1, b1, c1, e1, e2")],
    ),
    # Of another deck it may be fine: W S and L L leave the lakes alone; W L and S L would join.
    ("- C/W S/L L", None, None, [("no-order-in-deck", "a3, b3")]),
    # A sixth column is no silent Mighty Duel (RULES 3.5).
    ("W W C F F F/- - - - - F", None, None, [("mighty-duel-guessed", "a1")]),
    ("W W C F F F/- - - - - F", 5, False, [("too-wide", "a1")]),
    ("W W C F F F/- - - - - F", 7, True, []),
    # Empty borders make no kingdom wide, and places keep their names beside them.
    ("- - - - - - -/- - C W W - -", 5, True, []),
    ("- - - -/- C F M2", 5, None, [("not-in-deck", "c2, d2")]),
    ("", 5, False, [("no-castle", "")]),
]


@pytest.mark.parametrize(
    ("line", "size", "legal", "expected"), FACTS, ids=[fact[0] for fact in FACTS]
)
def test_rule_6_what_a_kingdom_breaks(line, size, legal, expected):
    broken = problems(Kingdom.parse(line), size)
    assert [(problem.code, position_names(problem.cells)) for problem in broken] == expected
    assert is_legal(Kingdom.parse(line), size) is keeps_rules(broken) is legal
    assert all(text_of(problem, language) for problem in broken for language in languages())


@pytest.mark.parametrize(
    ("line", "key", "fields"),
    [
        ("C W W C", "several-castles", {"number": 2, "squares": "a1, d1"}),
        ("C W W/- - -/- L L", "not-connected", {"squares": "b3, c3", "number": 2}),
        ("W W C W W F", "too-wide", {"size": 5, "side": 6, "squares": "a1, f1", "number": 2}),
        ("- - C W W W W L/- - F F L L L L", "too-wide", {"side": 6}),
        ("C W", "odd-squares", {"number": 1}),
        ("- W -/W C W/- W -", "chessboard", {"light": 0, "dark": 4}),
        ("C W4 W", "unknown-square", {"kind": "W4", "squares": "b1", "number": 1}),
        ("C F M2", "not-in-deck.at", {"squares": "b1, c1", "number": 2}),
        ("C W F W1 F", "no-order", {"reason": "laying.dominoes", "dominoes": "d1-e1 (W1 F)"}),
        ("- C/W S/L L", "no-order-in-deck", {"dominoes": "a3-b3 (L L)", "number": 1}),
    ],
)
def test_problem_fields(line, key, fields):
    (problem,) = [each for each in problems(line, 5) if each.key == f"problem.{key}"]
    assert fields.items() <= problem.fields.items()


def test_sentence_shortens_a_long_list_of_squares():
    line = "C W W - -/- - - - -/W W W W W/W W W W W"
    problem = problems(Kingdom.parse(line), 5)[0]
    assert problem.fields["squares"] == "a3, b3, c3, d3, e3, a4, b4, c4, … (+2)"
    assert len(problem.cells) == 10


def test_rule_3_5_large_kingdom_needs_no_size():
    full = [example["kingdom"] for example in EXAMPLES.values() if example["size"] == "7"]
    assert full and all(problems(Kingdom.parse(line)) == () for line in full)


@pytest.mark.parametrize(
    ("last_rows", "squares"),
    [
        # Only one domino can cover the forest and the lake at the end.
        (["W W W W W - -", "W W W W W F L"], "f7, g7"),
        # Both lakes on one domino leave two squares out, on two dominoes four.
        (["W W W W - - W", "W W W F L L F"], "e7, f7"),
    ],
)
def test_unjoined_squares_are_named_without_listing_cuttings(last_rows, squares):
    rows = ["C W W W W W W", *["W W W W W W W"] * 4, *last_rows]
    problem = problems("/".join(rows), 7)[-1]
    assert (problem.code, position_names(problem.cells)) == (Code.NO_ORDER, squares)
    assert problem.fields["reason"] == "laying.squares"


def test_rule_1_4_another_deck_judges():
    kingdom = Kingdom.parse("- C/W S/L L")
    deck = Deck.parse("1 W L, 2 S L")
    assert problems(kingdom, deck=deck) == ()
    assert is_legal(kingdom, deck=deck) is True
    for line, code in (("C W L L W", Code.TOO_MANY_OF_A_KIND), ("C F F", Code.UNKNOWN_SQUARE)):
        (problem,) = problems(Kingdom.parse(line), deck=deck)
        assert problem.code == code
    # More dominoes of one face than the box ever has.
    many = Deck.parse(", ".join(f"{number} W W" for number in range(1, 13)))
    full = "/".join(["W W W W W"] * 2 + ["W W C W W"] + ["W W W W W"] * 2)
    assert is_legal(full, deck=many) is True
    assert is_legal(full, deck=Deck(many.dominoes[1:])) is None


@pytest.mark.parametrize("size", [0, 4, 6, 8, -5])
def test_rule_5_4_no_other_sizes(size):
    kingdom = Kingdom.parse("C W W")
    sentence = f"The size of a kingdom is 5 or 7, not {size}."
    refuses(sentence, problems, kingdom, size, error=ValueError)
    refuses(sentence, is_legal, kingdom, size, error=ValueError)
    refuses(sentence, Rules, size, error=ValueError)


@pytest.mark.parametrize(
    ("line", "size", "codes"),
    [
        ("/".join(["W F L G S"] * 5 + ["C - - - -"]), 5, ["too-wide", "too-many-squares"]),
        ("/".join(["W F L G S M W"] * 7), 7, ["no-castle", "too-many-squares"]),
    ],
)
def test_rule_6_too_many_squares(line, size, codes):
    broken = [str(problem.code) for problem in problems(Kingdom.parse(line), size)]
    assert [code for code in broken if code != Code.TOO_MANY_OF_A_KIND] == codes


@settings(max_examples=60)
@given(st.one_of(changed_kingdoms(), any_kingdoms(6)))
def test_turning_and_mirroring_change_no_problem(kingdom):
    last = kingdom.width - 1
    turned = {at: turned_position(at, kingdom) for at, _ in kingdom.cells()}
    flipped = {(row, col): (row, last - col) for row, col in turned}
    for changed, moved in ((kingdom.turned(), turned), (mirrored(kingdom), flipped)):
        expected: Counter[tuple[Code, frozenset[Position]]] = Counter()
        for problem in problems(kingdom, 5):
            expected[problem.code, frozenset(map(moved.__getitem__, problem.cells))] += 1
        found = Counter(
            (problem.code, frozenset(problem.cells)) for problem in problems(changed, 5)
        )
        assert found == expected


@given(any_kingdoms())
@example(Kingdom.parse("- - - - - -"))
def test_any_kingdom_can_be_judged(kingdom):
    broken = problems(kingdom, 7)
    order = [list(Code).index(Code(problem.code)) for problem in broken]
    assert order == sorted(order)
    assert is_legal(kingdom, 7) is keeps_rules(broken)
    assert is_legal(kingdom) is keeps_rules(problems(kingdom))
    for problem in broken:
        assert text_of(problem).endswith(".")
        assert list(problem.cells) == sorted(set(problem.cells))
        assert all(kingdom[at] is not None for at in problem.cells)


#: The real kingdoms that have no legal order of laying, by the folder's tables.
NO_ORDER = {
    "boards.csv": {"02.jpg", "12.jpg", "33.jpg"},
    "photos.csv": {"cutting_mat_3.jpg", "cutting_mat_4.jpg", "pale_table_1.jpg"},
}


@pytest.mark.parametrize(("table", "least"), [("boards.csv", 27), ("photos.csv", 20)])
def test_rule_6_real_kingdoms(data_folder, table, least):
    """The folder may grow: a new picture of a kingdom that breaks the rule is named here then."""
    kingdoms = real_kingdoms(data_folder / table)
    broken = {name: problems(kingdom) for name, kingdom in kingdoms.items()}
    assert len(kingdoms) >= least
    assert {name for name in broken if broken[name]} == NO_ORDER[table]
    codes = {problem.code for listed in broken.values() for problem in listed}
    assert codes <= {Code.NO_ORDER, Code.NO_ORDER_IN_DECK}
    for kingdom in kingdoms.values():
        assert can_be_cut(square_bits(kingdom))
