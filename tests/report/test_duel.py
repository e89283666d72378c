import json
import re

import pytest

from kdvision.errors import ExitCode, KdvisionError
from kdvision.report.duel import duel_report

EMPTY = "/".join(["- - - - - - -"] * 2 + ["- - - C - - -"] + ["- - - - - - -"] * 2)
MAP = "- - D1 D - - -/- - E S - - -/- Q2 Q C T - -/- - - K4 T1 - -/- - - K - - -"


def test_a_sheet():
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
            "Warning: The crosses on d4 need the sixth power: "
            "a die has at most two, and the castle adds one.",
        ]
    )


def test_a_sheet_names_problems():
    assert duel_report(EMPTY.replace("C -", "C D2")).splitlines()[-2:] == [
        "Total: 2",
        "Error: No dice can make this map, not even with the powers that ignore the connection "
        "rule and split a domino.",
    ]


def test_an_empty_map_has_no_table_of_domains():
    assert duel_report(EMPTY).splitlines()[-2:] == ["", "Total: 0"]


def test_json():
    text = duel_report(EMPTY.replace("C -", "C D2"), wizard_coat="d", as_json=True)
    assert "\n" not in text
    assert json.loads(text) == {
        "schema": "kdscore-duel/1",
        "map": EMPTY.replace("C -", "C D2"),
        "score": 5,
        "domains": [{"coat": "dot", "spaces": 1, "crosses": 2, "points": 2, "cells": [[2, 4]]}],
        "largest": 1,
        "wizard": {"coat": "dot", "points": 3},
        "legal": False,
        "problems": [
            {
                "code": "duel.no-cutting",
                "severity": "error",
                "message": "No dice can make this map, not even with the powers that ignore the "
                "connection rule and split a domino.",
                "cells": [],
            }
        ],
    }


@pytest.mark.parametrize(
    ("text", "legal", "cells"),
    [
        (EMPTY, True, []),
        (EMPTY.replace("C - -", "C D E"), True, []),
        # Whether the player had the power that ignores the connection, a map does not show.
        (EMPTY.replace("- -", "D E", 1).replace("C - -", "C Q K"), None, [[]]),
        (EMPTY.replace("C - -", "C D5 E"), False, [[[2, 4]]]),
    ],
)
def test_whether_a_map_is_legal_and_where_not(text, legal, cells):
    result = json.loads(duel_report(text, as_json=True))
    assert result["wizard"] is None
    assert result["legal"] is legal
    assert [problem["cells"] for problem in result["problems"]] == cells


@pytest.mark.parametrize(
    ("text", "coat", "message"),
    [
        (EMPTY.replace("- C", "C C"), None, "Write C on d3, and only there."),
        (EMPTY, "wheat", "'wheat' is no coat of arms. Write one of dot (D), two dots (E), "),
        (EMPTY, "", "'' is no coat of arms."),
    ],
)
def test_bad_text_ends_with_code_2(text, coat, message):
    with pytest.raises(KdvisionError, match=re.escape(message)) as caught:
        duel_report(text, wizard_coat=coat)
    assert caught.value.exit_code == ExitCode.USAGE
