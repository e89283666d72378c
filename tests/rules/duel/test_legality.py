import pytest

from kdvision.rules.duel.legality import duel_problems
from kdvision.rules.duel.map import MIDDLE, DuelMap
from kdvision.rules.kingdom import position_names
from kdvision.rules.problem import Severity
from kdvision.rules.shape import colour_counts

EMPTY = "/".join(["- - - - - - -"] * 2 + ["- - - C - - -"] + ["- - - - - - -"] * 2)
ERROR, MISREAD, WARNING = Severity.ERROR, Severity.MISREAD, Severity.WARNING


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (EMPTY, []),
        (EMPTY.replace("C - -", "C D E"), []),
        (EMPTY.replace("C", "-"), [("no-castle", MISREAD, "")]),
        (EMPTY.replace("- C", "C -"), [("castle-not-in-the-middle", MISREAD, "c3")]),
        (EMPTY.replace("C -", "C D"), [("odd-spaces", WARNING, "")]),
        (EMPTY.replace("- -", "D E", 1), [("not-connected", WARNING, "a1, b1")]),
        (
            "D E - - - - -/- - - - - - -/- - - C - - -/- - - - - - -/- - - - - D E",
            [("not-connected", ERROR, "a1, b1, f5, g5")],
        ),
        (EMPTY.replace("C - -", "C D5 E4"), [("too-many-crosses", MISREAD, "e3")]),
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
            "1 spaces are drawn, an odd number; only the power that splits a domino allows it.",
        ),
        (
            EMPTY.replace("- -", "D E", 1),
            "Nothing joins a1, b1 to the castle; "
            "only the power that ignores the connection rule allows it.",
        ),
        (
            "D E - - - - -/- - - - - - -/- - - C - - -/- - - - - - -/- - - - - D E",
            "Nothing joins a1, b1, f5, g5 to the castle; "
            "they lie in 2 groups, and no power allows more than one.",
        ),
        (
            EMPTY.replace("C - -", "C D5 E4"),
            "More than 4 crosses on e3: a die has at most two, "
            "the castle and the sixth power add one each.",
        ),
    ],
)
def test_what_a_player_is_told(text: str, message: str) -> None:
    assert [one.message for one in duel_problems(DuelMap.parse(text))] == [message]


def test_rule_7_6_a_map_cannot_be_filled_with_whole_dominoes() -> None:
    assert colour_counts(DuelMap.empty().open()) == (18, 16)
    assert MIDDLE not in DuelMap.empty().open()
