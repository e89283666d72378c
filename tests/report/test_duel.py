import json
import re

import pytest

from kdvision.errors import ExitCode, KdvisionError
from kdvision.report.duel import duel_json, duel_report, read_duel
from kdvision.result import Status

EMPTY = "/".join(["- - - - - - -"] * 2 + ["- - - C - - -"] + ["- - - - - - -"] * 2)
MAP = "- - D1 D - - -/- - E S - - -/- Q2 Q C T - -/- - - K4 T1 - -/- - - K - - -"


def test_sheet():
    assert duel_report(read_duel(MAP, wizard_coat="two stripes")) == "\n".join(
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


def test_sheet_in_german():
    sheet = duel_report(read_duel(MAP, wizard_coat="two stripes"), "de")
    assert ["Wappen", "Felder", "Kreuze", "Punkte", "Wo"] in map(str.split, sheet.splitlines())
    assert "Fünfte Macht, zwei Streifen: 3 für jedes Gebiet, zusammen 3\nSumme: 19\n" in sheet
    assert sheet.splitlines()[-1].startswith(
        "Hinweis: Die Kreuze auf d4 brauchen die sechste Macht"
    )


def test_sheet_names_problems():
    assert duel_report(read_duel(EMPTY.replace("C -", "C D2"))).splitlines()[-2:] == [
        "Total: 2",
        "Error: No dice can make this map, not even with the powers that ignore the connection "
        "rule and split a domino.",
    ]


def test_empty_map_has_no_table():
    assert duel_report(read_duel(EMPTY)).splitlines()[-2:] == ["", "Total: 0"]


def test_json_has_sheet_and_problems():
    result = json.loads(duel_json(read_duel(MAP, wizard_coat="T")))
    assert (result["schema"], result["map"], result["score"]) == ("kdscore-duel/1", MAP, 19)
    assert (result["wizard_coat"], result["wizard_points"]) == ("two stripes", 3)
    assert (result["status"], result["legal"]) == ("sure", None)
    assert [problem["code"] for problem in result["problems"]] == ["duel.cross-needs-power"]
    first = {"coat": "black", "spaces": 2, "crosses": 4, "points": 8, "cells": [[3, 3], [4, 3]]}
    assert result["domains"][0] == first


def test_impossible_map_is_doubtful():
    result = read_duel(EMPTY.replace("C - -", "C D5 E2"))
    assert (result.status, result.score, result.legal) == (Status.DOUBTFUL, 7, False)


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
        read_duel(text, wizard_coat=coat)
    assert caught.value.exit_code == ExitCode.USAGE
