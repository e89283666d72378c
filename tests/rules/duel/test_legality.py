import pytest

from kdvision.rules.duel.map import MIDDLE, Coat, Drawn, DuelMap, duel_problems
from kdvision.rules.duel.play import DuelRules
from kdvision.rules.kingdom import position_names
from kdvision.rules.legality import DuelCode, Severity
from kdvision.sentences import languages, text_of

EMPTY = "/".join(["- - - - - - -"] * 2 + ["- - - C - - -"] + ["- - - - - - -"] * 2)
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
def test_rule_7_6_what_a_map_can_show(text: str, expected: list[tuple[str, Severity, str]]) -> None:
    found = duel_problems(DuelMap.parse(text))
    assert [(one.code, one.severity, position_names(one.cells)) for one in found] == expected


@pytest.mark.parametrize(
    ("text", "key", "fields"),
    [
        (EMPTY.replace("C", "-"), "duel.no-castle", {"middle": "d3"}),
        (
            EMPTY.replace("- C", "C -"),
            "duel.castle-not-in-the-middle",
            {"squares": "c3", "middle": "d3"},
        ),
        (EMPTY.replace("C -", "C D"), "duel.no-cutting", {}),
        (
            "- - - K - - -/- - - Q - - -/- - D C D - -/- - - - - - -/- - - - - - -",
            "duel.needs-power",
            {"power": "power.split"},
        ),
        (
            EMPTY.replace("- -", "D E", 1).replace("C - -", "C Q K"),
            "duel.needs-power",
            {"power": "power.ignore-connection"},
        ),
        (
            "D T D1 Q K2 K -/D D1 K Q2 E - E/D1 D D1 C E1 E E/D Q K K Q E E/S1 T1 K - Q K -",
            "duel.needs-power",
            {"power": "power.either"},
        ),
        (
            "D E - - - - -/- - - Q - - -/- - K C K - -/- - - Q - - -/- - - K - S S",
            "duel.not-connected",
            {"squares": "a1, b1, f5, g5", "groups": 2},
        ),
        (
            EMPTY.replace("C - -", "C D5 E"),
            "duel.too-many-crosses",
            {"squares": "e3", "number": 3},
        ),
        (EMPTY.replace("C - -", "C D4 E"), "duel.cross-needs-power", {"squares": "e3"}),
    ],
)
def test_what_a_problem_tells(text: str, key: str, fields: dict[str, object]) -> None:
    (found,) = duel_problems(DuelMap.parse(text))
    assert (found.key, found.fields) == (key, fields)
    for language in languages():
        assert text_of(found, language)


BESIDE = DuelRules(ignore_beside=True)


def test_rule_7_4_the_first_power_needs_something_beside_where_players_read_it_so() -> None:
    apart = DuelMap.parse(EMPTY.replace("- -", "D E", 1).replace("C - -", "C Q K"))
    touching = DuelMap.parse(EMPTY.replace("C - -", "C Q K"))
    for at, coat in (((1, 5), Coat.DOT), ((0, 5), Coat.STRIPE)):
        touching = touching.draw(at, Drawn(coat))
    (found,) = duel_problems(apart, BESIDE)
    assert (found.code, found.key) == (DuelCode.NOT_CONNECTED, "duel.not-connected.none")
    (found,) = duel_problems(touching, BESIDE)
    assert found.fields == {"power": "power.ignore-connection"}


def test_rule_7_6_a_map_cannot_be_filled_with_whole_dominoes() -> None:
    colours = [(row + col) % 2 for row, col in DuelMap.empty().open()]
    assert (colours.count(0), colours.count(1)) == (18, 16)
    assert MIDDLE not in DuelMap.empty().open()
