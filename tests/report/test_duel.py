import json

import pytest

from kdvision.errors import ExitCode, UsageError
from kdvision.report.duel import duel_report

EMPTY = "/".join(["- - - - - - -"] * 2 + ["- - - C - - -"] + ["- - - - - - -"] * 2)
MAP = "- - D1 D - - -/- - E S - - -/- Q2 Q C T - -/- - - K4 T1 - -/- - - K - - -"


def test_a_sheet() -> None:
    assert duel_report(MAP, wizard_coat="two stripes") == "\n".join(
        [
            "   a  b  c  d  e  f  g",
            "1  -  -  D1 D  -  -  -",
            "2  -  -  E  S  -  -  -",
            "3  -  Q2 Q  C  T  -  -",
            "4  -  -  -  K4 T1 -  -",
            "5  -  -  -  K  -  -  -",
            "",
            "Coat          Spaces   Crosses   Points   Where",
            "────────────────────────────────────────────────",
            "black              2         4        8   d4, d5",
            "quarters           2         2        4   b3, c3",
            "dot                2         1        2   c1, d1",
            "two stripes        2         1        2   e3, e4",
            "two dots           1         0        0   c2",
            "stripe             1         0        0   d2",
            "",
            "Fifth power: 3 for each domain of two stripes: 3",
            "Total: 19",
        ]
    )


def test_a_sheet_names_problems() -> None:
    assert duel_report(EMPTY.replace("C -", "C D2")).splitlines()[-2:] == [
        "Total: 2",
        "Warning: 1 spaces are drawn, an odd number; "
        "only the power that splits a domino allows it.",
    ]
    assert duel_report(EMPTY.replace("C", "-")).splitlines()[-1] == (
        "Misread: There is no castle; it is printed on d3."
    )


def test_an_empty_map_has_no_table_of_domains() -> None:
    assert duel_report(EMPTY).splitlines()[-2:] == ["", "Total: 0"]


def test_json() -> None:
    text = duel_report(EMPTY.replace("C -", "C D2"), wizard_coat="d", as_json=True)
    assert "\n" not in text
    assert json.loads(text) == {
        "schema": "kdscore-duel/1",
        "map": EMPTY.replace("C -", "C D2"),
        "score": 5,
        "domains": [{"coat": "dot", "spaces": 1, "crosses": 2, "points": 2, "cells": [[2, 4]]}],
        "largest": 1,
        "wizard": {"coat": "dot", "points": 3},
        "legal": True,
        "problems": [
            {
                "code": "odd-spaces",
                "severity": "warning",
                "message": "1 spaces are drawn, an odd number; "
                "only the power that splits a domino allows it.",
                "cells": [],
            }
        ],
    }


def test_json_tells_what_is_not_legal() -> None:
    found = json.loads(duel_report(EMPTY.replace("- C", "C -"), as_json=True))
    assert found["wizard"] is None
    assert not found["legal"]
    assert found["problems"][0]["cells"] == [[2, 2]]


@pytest.mark.parametrize(
    ("text", "coat", "message"),
    [
        ("", None, "The Duel map is empty."),
        (EMPTY.replace("- C", "C C"), None, "Row 3, place 4: a second castle; a map has one."),
        ("D " * 5_000_000, None, "too long"),
        (EMPTY, "wheat", "'wheat' is no coat of arms. Write one of dot (D), two dots (E), "),
        (EMPTY, "", "'' is no coat of arms."),
    ],
)
def test_bad_text_ends_with_code_2(text: str, coat: str | None, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        duel_report(text, wizard_coat=coat)
    assert message in str(caught.value)
    assert caught.value.exit_code is ExitCode.USAGE
