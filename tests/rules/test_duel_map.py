import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdvision.rules.duel import (
    COLUMNS,
    MIDDLE,
    ROWS,
    Coat,
    Drawn,
    DuelEnd,
    DuelMap,
    DuelRules,
    DuelSheet,
    decide,
    duel_problems,
    score_duel,
)
from kdvision.rules.errors import NotationError, RulesError
from kdvision.rules.kingdom import Position, position_names
from kdvision.rules.legality import Code, Severity

EMPTY = "/".join(["- - - - - - -"] * 2 + ["- - - C - - -"] + ["- - - - - - -"] * 2)
LINE = "- - D1 D - - -/- - E S - - -/- Q2 Q C T - -/- - - K4 T1 - -/- - - K - - -"

SPACES = st.one_of(st.none(), st.builds(Drawn, st.sampled_from(Coat), st.integers(0, 9)))


@st.composite
def maps(draw: st.DrawFn) -> DuelMap:
    """A map with anything drawn on it."""
    result = DuelMap.empty()
    for row in range(ROWS):
        for col in range(COLUMNS):
            space = draw(SPACES)
            if space is not None and (row, col) != MIDDLE:
                result = result.draw((row, col), space)
    return result


def test_rule_7_1_a_map_has_34_spaces_around_its_castle():
    assert (ROWS, COLUMNS, MIDDLE) == (5, 7, (2, 3))
    assert len(DuelMap.empty().open()) == 34
    assert str(DuelMap.empty()) == EMPTY


@pytest.mark.parametrize(
    ("letter", "name"),
    [
        ("D", "dot"),
        ("E", "two dots"),
        ("S", "stripe"),
        ("T", "two stripes"),
        ("Q", "quarters"),
        ("K", "black"),
    ],
)
def test_rule_7_1_six_coats_of_arms(letter, name):
    coat = Coat(name)
    assert coat.letter == letter
    for called in (letter, letter.lower(), name, name.upper(), f" {name.replace(' ', '-')} "):
        assert Coat.named(called) is coat


def test_rule_7_2_domains():
    sheet = score_duel(DuelMap.parse(LINE))
    assert [
        (domain.coat.letter, domain.spaces, domain.crosses, domain.points)
        for domain in sheet.domains
    ] == [
        ("K", 2, 4, 8),
        ("Q", 2, 2, 4),
        ("D", 2, 1, 2),
        ("T", 2, 1, 2),
        ("E", 1, 0, 0),
        ("S", 1, 0, 0),
    ]
    assert sheet.total == 16


def test_rule_7_3_domains_of_a_coat_score_apart_and_the_fifth_power_pays_for_each():
    duel_map = DuelMap.parse(EMPTY.replace("- C -", "D1 C D2").replace("- ", "D ", 1))
    assert [domain.points for domain in score_duel(duel_map).domains] == [2, 1, 0]
    assert score_duel(duel_map, Coat.DOT).total == 3 + 3 * 3
    assert score_duel(duel_map, Coat.BLACK).total == 3


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("D1 C -", "D C D", (0, DuelEnd.POINTS)),
        ("D C D", "D1 C -", (1, DuelEnd.POINTS)),
        ("D C -", "D C D/D", (1, DuelEnd.LARGEST)),
        ("D C D/D", "D C D", (0, DuelEnd.LARGEST)),
        ("D C E", "Q C K", (None, DuelEnd.DRAW)),
        ("- C -", "- C -", (None, DuelEnd.DRAW)),
    ],
)
def test_rule_7_5_who_wins(first, second, expected):
    def sheet(middle: str) -> DuelSheet:
        # A coat behind the slash is drawn below the one on the left of the castle.
        middle, _, below = middle.partition("/")
        duel_map = DuelMap.parse(EMPTY.replace("- C -", middle))
        return score_duel(duel_map.draw((3, 2), Drawn(Coat.named(below))) if below else duel_map)

    assert decide(sheet(first), sheet(second)) == expected


@given(maps())
def test_a_map_prints_and_parses_to_itself(duel_map):
    assert DuelMap.parse(str(duel_map)) == duel_map
    assert DuelMap.parse(str(duel_map).lower().replace("/", "\n")) == duel_map
    assert len(duel_map.open()) + len(duel_map.drawn()) == 34


def test_a_castle_elsewhere_or_none_is_kept_as_it_is_written():
    without = EMPTY.replace("C", "-")
    assert DuelMap.parse(without).castle is None
    assert str(DuelMap.parse(without)) == without
    corner: Position = (0, 0)
    moved = without.replace("-", "C", 1)
    assert DuelMap.parse(moved).castle == corner
    assert str(DuelMap.parse(moved)) == moved


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "The Duel map is empty."),
        (" /\n ", "The Duel map is empty."),
        (EMPTY + "/- - - - - - -", "has 5 rows, not 6"),
        (EMPTY.replace("- C -", "- C - -"), "Row 3 has 8 places; a Duel map has 7. Write -"),
        ("/".join(["- - - - -"] * 7), "Row 1 has 5 places; a Duel map has 7 (write it lying"),
        (EMPTY.replace("- C -", "- C DD"), "Row 3, place 5: 'DD' is no space"),
        (EMPTY.replace("- C -", "- C W"), "Row 3, place 5: 'W' is no space"),
        (EMPTY.replace("- C -", "- C " + "D" * 40), "'DDDDDDDDDDDD...' is no space"),
        (EMPTY.replace("- C -", "- C C"), "Row 3, place 5: a second castle"),
        ("D " * 5_000_000, "10,000,000 characters is too long"),
    ],
)
def test_bad_text_names_the_place_of_the_mistake(text, place):
    with pytest.raises(NotationError) as caught:
        DuelMap.parse(text)
    assert place in str(caught.value)


ERROR, MISREAD, WARNING = Severity.ERROR, Severity.MISREAD, Severity.WARNING


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (EMPTY, []),
        (EMPTY.replace("C - -", "C D E"), []),
        (EMPTY.replace("C", "-"), [("no-castle", MISREAD, "")]),
        (EMPTY.replace("- C", "C -"), [("castle-not-in-the-middle", MISREAD, "c3")]),
        (EMPTY.replace("C -", "C D"), [("no-cutting", ERROR, "")]),
        (EMPTY.replace("- -", "D E", 1), [("no-cutting", ERROR, "")]),
        (EMPTY.replace("- C -", "D C D"), [("no-cutting", ERROR, "")]),
        (
            "- - - K - - -/- - - Q - - -/- - D C D - -/- - - - - - -/- - - - - - -",
            [("needs-power", WARNING, "")],
        ),
        (EMPTY.replace("- -", "D E", 1).replace("C - -", "C Q K"), [("needs-power", WARNING, "")]),
        (
            "D E - - - - -/- - - - - - -/- - - C - - -/- - - - - - -/- - - - - D E",
            [("not-connected", ERROR, "a1, b1, f5, g5")],
        ),
        (EMPTY.replace("C - -", "C D5 E2"), [("too-many-crosses", MISREAD, "e3")]),
        (EMPTY.replace("C - -", "C D4 E3"), [("too-many-crosses", MISREAD, "e3, f3")]),
        (EMPTY.replace("C - -", "C D4 E2"), [("cross-needs-power", WARNING, "e3")]),
        (EMPTY.replace("C - -", "C D3 E2"), []),
        (EMPTY.replace("C - -", "C D3 E3"), [("cross-needs-power", WARNING, "e3, f3")]),
    ],
)
def test_rule_7_6_what_a_map_can_show(text, expected):
    broken = [
        (problem.code.removeprefix("duel."), problem.severity, position_names(problem.cells))
        for problem in duel_problems(DuelMap.parse(text))
    ]
    assert broken == expected


def test_rule_7_4_the_first_power_needs_something_beside_where_players_read_it_so():
    rules = DuelRules(ignore_beside=True)
    apart = DuelMap.parse(EMPTY.replace("- -", "D E", 1).replace("C - -", "C Q K"))
    touching = DuelMap.parse(EMPTY.replace("C - -", "C Q K"))
    for at, coat in (((1, 5), Coat.DOT), ((0, 5), Coat.STRIPE)):
        touching = touching.draw(at, Drawn(coat))
    (problem,) = duel_problems(apart, rules=rules)
    assert (problem.code, problem.key) == (Code.DUEL_NOT_CONNECTED, "duel.not-connected.none")
    (problem,) = duel_problems(touching, rules=rules)
    assert problem.fields == {"power": "power.ignore-connection"}


def test_the_rules_take_a_map_or_its_line():
    line = "- - - - - - -/- - D1 D - - -/- - - C S - -/- - - - Q - -/- - - - - - -"
    duel_map = DuelMap.parse(line)
    assert repr(duel_map) == f"DuelMap.parse({line!r})"
    for judge in (score_duel, duel_problems):
        assert judge(line) == judge(duel_map)
        with pytest.raises(NotationError):
            judge("no map")


def test_rule_7_2_what_is_drawn_where_a_castle_is_missing_counts():
    rows = ["- - - - - - -", "- - D1 D - - -", "- - - D - - -", *["- - - - - - -"] * 2]
    duel_map = DuelMap.parse("/".join(rows))
    assert (duel_map.castle, score_duel(duel_map).total) == (None, 3)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Coat.named("wheat"), "is no coat of arms. Write one of dot"),
        (lambda: score_duel(DuelMap.empty(), "dot"), "is no coat of arms"),
        (lambda: Drawn("dot"), "is no coat of arms"),
        (lambda: Drawn(Coat.DOT, 10), "0 to 9 crosses, not 10"),
        (lambda: Drawn(Coat.DOT, -1), "0 to 9 crosses, not -1"),
        (lambda: DuelMap.empty()[5, 0], "outside the map of 5x7"),
        (lambda: DuelMap.empty().draw((0, -1), Drawn(Coat.DOT)), "outside the map of 5x7"),
        (lambda: DuelMap.empty().draw((2, 3), Drawn(Coat.DOT)), "on the castle"),
        (lambda: DuelMap([[None] * 7] * 5), "tuple of tuples"),
        (lambda: DuelMap((("D",) * 7,) * 5), "Drawn or None"),
        (lambda: DuelMap(((None,) * 5,) * 7), "5 rows of 7 spaces"),
        (lambda: score_duel(5), "int is no Duel map"),
    ],
)
def test_what_makes_no_map_is_refused(make, message):
    with pytest.raises(RulesError, match=message):
        make()
