import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdvision.rules.duel import Coat, Drawn, DuelEnd, DuelMap, duel_problems, score_duel
from kdvision.rules.duel.map import SPACES
from kdvision.rules.duel.scoring import decide
from kdvision.rules.errors import NotationError
from kdvision.rules.game.laying import parse_action
from kdvision.rules.kingdom import position_names
from kdvision.rules.legality import Severity
from kdvision.rules.terrain import Terrain
from kdvision.sentences import languages, text_of
from tests.support.refusing import refuses

EMPTY = "/".join(["- - - - - - -"] * 2 + ["- - - C - - -"] + ["- - - - - - -"] * 2)
LINE = "- - D1 D - - -/- - E S - - -/- Q2 Q C T - -/- - - K4 T1 - -/- - - K - - -"
DRAWN = st.builds(Drawn, st.sampled_from(Coat), st.integers(0, 9))


def middle(row: str, below: str = "") -> DuelMap:
    """A map with some coats beside the castle, and one below the left of them."""
    duel_map = DuelMap.parse(EMPTY.replace("- C -", row))
    return duel_map.draw((3, 2), Drawn(Coat.named(below))) if below else duel_map


def test_rule_7_1_map_has_34_spaces():
    assert len(SPACES) == len(DuelMap().open()) == 34
    assert str(DuelMap()) == EMPTY
    assert DuelMap.parse(EMPTY) == DuelMap()
    assert score_duel(EMPTY).largest == 0


COATS = {"D": "dot", "E": "two dots", "S": "stripe", "T": "two stripes", "Q": "quarters"}


@pytest.mark.parametrize(("letter", "name"), [*COATS.items(), ("K", "black")])
def test_rule_7_1_six_coats_of_arms(letter, name):
    coat = Coat(name)
    assert coat.letter == letter
    for called in (letter, letter.lower(), name, name.upper(), f" {name.replace(' ', '-')} "):
        assert Coat.named(called) is coat


@pytest.mark.parametrize(
    ("line", "wizard", "domains", "total"),
    [
        (LINE, None, ["K 2x4 8", "Q 2x2 4", "D 2x1 2", "T 2x1 2", "E 1x0 0", "S 1x0 0"], 16),
        # Domains of one coat score apart, and the fifth power pays for each (RULES 7.3).
        (EMPTY.replace("- C -", "D1 C D2").replace("- ", "D ", 1), Coat.DOT, None, 3 + 3 * 3),
        (EMPTY.replace("- C -", "D1 C D2"), Coat.BLACK, ["D 1x2 2", "D 1x1 1"], 3),
        (EMPTY, Coat.DOT, [], 0),
    ],
)
def test_rule_7_2_domains(line, wizard, domains, total):
    sheet = score_duel(line, wizard)
    listed = [
        f"{domain.coat.letter} {domain.spaces}x{domain.crosses} {domain.points}"
        for domain in sheet.domains
    ]
    assert (sheet.total, listed) == (total, listed if domains is None else domains)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (("D1 C -",), ("D C D",), (0, DuelEnd.POINTS)),
        (("D C D",), ("D1 C -",), (1, DuelEnd.POINTS)),
        (("D C -",), ("D C D", "D"), (1, DuelEnd.LARGEST)),
        (("D C D", "D"), ("D C D",), (0, DuelEnd.LARGEST)),
        (("D C E",), ("Q C K",), (None, DuelEnd.DRAW)),
        (("- C -",), ("- C -",), (None, DuelEnd.DRAW)),
    ],
)
def test_rule_7_5_who_wins(first, second, expected):
    assert decide(score_duel(middle(*first)), score_duel(middle(*second))) == expected


@given(st.dictionaries(st.sampled_from(SPACES), DRAWN).map(DuelMap))
def test_map_round_trips(duel_map):
    assert DuelMap.parse(str(duel_map)) == duel_map == eval(repr(duel_map))
    assert DuelMap.parse(str(duel_map).lower().replace("/", "\n")) == duel_map
    assert {*duel_map.open(), *duel_map.drawn} == {*SPACES}
    assert hash(DuelMap.parse(str(duel_map))) == hash(duel_map)


def test_hash_differs_between_maps():
    maps = [DuelMap({at: Drawn(coat)}) for at in SPACES for coat in Coat]
    assert len({hash(duel_map) for duel_map in maps}) > 0.9 * len(maps)


def test_notebook_shows_a_map():
    shown = middle("D1 C K")._repr_html_()
    assert shown.count("<tr>") == 5 and shown.count("<td") == 35
    assert all(f">{text}</td>" in shown for text in ("D1", "C", "K"))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "A Duel map has 5 rows of 7 places"),
        (EMPTY + "/- - - - - - -", "5 rows of 7 places"),
        ("/".join(["- - - - -"] * 7), "5 rows of 7 places"),
        ("/".join(["- - - - - -"] * 5), "5 rows of 7 places"),
        (EMPTY.replace("- C -", "- C - -"), "Row 3 has 8 places, but row 1 has 7"),
        (EMPTY.replace("- C -", "- C DD"), "Row 3, place 5: 'DD' is no space"),
        (EMPTY.replace("- C -", "- C W"), "Row 3, place 5: 'W' is no space"),
        (EMPTY.replace("- C -", "- C \u212a"), "'\u212a' is no space"),  # the Kelvin sign
        (EMPTY.replace("- C -", "- C \u017f"), "'\u017f' is no space"),  # the long s
        (EMPTY.replace("- C -", "- C " + "D" * 13), "'DDDDDDDDDDDD...' is no space"),
        (EMPTY.replace("- C -", "- C C"), "Write C on d3, and only there"),
        (EMPTY.replace("- C", "C -"), "Write C on d3"),
        (EMPTY.replace("C", "-"), "printed in the middle"),
    ],
)
def test_bad_text_names_its_place(text, place):
    for read in (DuelMap.parse, score_duel, duel_problems):
        with pytest.raises(NotationError) as caught:
            read(text)
        assert place in str(caught.value)


ERROR = Severity.ERROR
MISREAD = Severity.MISREAD
WARNING = Severity.WARNING
APART = "D E - - - - -/- - - - - - -/- - - C - - -/- - - - - - -/- - - - - D E"
SPLIT = "- - - K - - -/- - - Q - - -/- - D C D - -/- - - - - - -/- - - - - - -"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (EMPTY, []),
        (EMPTY.replace("C - -", "C D E"), []),
        (EMPTY.replace("C -", "C D"), [("no-cutting", ERROR, "")]),
        (EMPTY.replace("- -", "D E", 1), [("no-cutting", ERROR, "")]),
        (EMPTY.replace("- C -", "D C D"), [("no-cutting", ERROR, "")]),
        (SPLIT, [("needs-power", WARNING, "")]),
        (EMPTY.replace("- -", "D E", 1).replace("C - -", "C Q K"), [("needs-power", WARNING, "")]),
        (APART, [("not-connected", ERROR, "a1, b1, f5, g5")]),
        (EMPTY.replace("C - -", "C D5 E2"), [("too-many-crosses", MISREAD, "e3")]),
        (EMPTY.replace("C - -", "C D4 E3"), [("too-many-crosses", MISREAD, "e3, f3")]),
        (EMPTY.replace("C - -", "C D4 E2"), [("cross-needs-power", WARNING, "e3")]),
        (EMPTY.replace("C - -", "C D3 E2"), []),
        (EMPTY.replace("C - -", "C D3 E3"), [("cross-needs-power", WARNING, "e3, f3")]),
    ],
)
def test_rule_7_6_what_a_map_can_show(text, expected):
    problems = duel_problems(text)
    broken = [
        (problem.code.removeprefix("duel."), problem.severity, position_names(problem.cells))
        for problem in problems
    ]
    assert broken == expected
    assert problems == duel_problems(DuelMap.parse(text))
    assert all(text_of(problem, language) for problem in problems for language in languages())


def test_unknown_letters_are_refused():
    """The Kelvin sign and the long s become k and s in lower and upper case."""
    refuses("is no coat of arms. Write one of dot", Coat.named, "wheat")
    refuses("is no coat of arms", Coat.named, "\u212a")
    refuses("stands for no terrain", Terrain.from_letter, "\u017f")
    refuses("is no move", parse_action, "3 \u212a4 c5")


def test_drawn_is_a_coat_with_crosses():
    refuses("is no coat of arms", Drawn, "dot")
    for crosses in (10, -1, True):
        refuses(f"0 to 9 crosses, not {crosses}", Drawn, Coat.DOT, crosses)


@pytest.mark.parametrize("outside", [(0, -1), (2, 3)])
def test_drawing_needs_a_space(outside):
    refuses("on some of its 34 spaces", DuelMap().draw, outside, Drawn(Coat.DOT))


def test_map_is_made_of_drawn_spaces():
    refuses("has Drawn on some", DuelMap, [[None] * 7] * 5)
    refuses("has Drawn on some", DuelMap, {(0, 0): "D"})
