import pytest

from kdvision.rules.duel.legality import duel_problems
from kdvision.rules.duel.map import MIDDLE, DuelMap
from kdvision.rules.kingdom import position_names
from kdvision.rules.legality import colour_counts
from kdvision.rules.problem import Severity

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
    ("text", "message"),
    [
        (EMPTY.replace("C", "-"), "There is no castle; it is printed on d3."),
        (
            EMPTY.replace("- C", "C -"),
            "The castle is on c3; it is printed in the middle, on d3.",
        ),
        (
            EMPTY.replace("C -", "C D"),
            "No pairs of dice can have drawn this map, even with the powers that ignore the "
            "connection rule and that split a domino, once each.",
        ),
        (
            "- - - K - - -/- - - Q - - -/- - D C D - -/- - - - - - -/- - - - - - -",
            "The rules allow it only with the power that splits a domino.",
        ),
        (
            EMPTY.replace("- -", "D E", 1).replace("C - -", "C Q K"),
            "The rules allow it only with the power that ignores the connection rule.",
        ),
        (
            "D T D1 Q K2 K -/D D1 K Q2 E - E/D1 D D1 C E1 E E/D Q K K Q E E/S1 T1 K - Q K -",
            "The rules allow it only with the power that ignores the connection rule or the "
            "power that splits a domino.",
        ),
        (
            "D E - - - - -/- - - Q - - -/- - K C K - -/- - - Q - - -/- - - K - S S",
            "Nothing joins a1, b1, f5, g5 to the castle; "
            "they lie in 2 groups, and no power allows more than 1.",
        ),
        (
            "D E - - - - -/- - - - - - -/- - - C - - -/- - - - - - -/- - - - - D E",
            "Nothing joins a1, b1, f5, g5 to the castle; "
            "they lie in 2 groups, and no power allows more than 1.",
        ),
        (
            EMPTY.replace("C - -", "C D5 E"),
            "There are 3 crosses too many on e3: a die has at most two, "
            "and the castle and the sixth power add one each, once a game.",
        ),
    ],
)
def test_what_a_player_is_told(text: str, message: str) -> None:
    assert [one.message for one in duel_problems(DuelMap.parse(text))] == [message]


def test_rule_7_6_a_map_cannot_be_filled_with_whole_dominoes() -> None:
    assert colour_counts(DuelMap.empty().open()) == (18, 16)
    assert MIDDLE not in DuelMap.empty().open()
