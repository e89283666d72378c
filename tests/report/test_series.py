"""What is said of a series, as text and as JSON."""

import csv
import json
from typing import cast

from kdvision.photo.photo import Photo
from kdvision.pipeline.scorer import Scorer
from kdvision.pipeline.series import series_of
from kdvision.report.series import CSV_COLUMNS, series_csv, series_json, series_text
from kdvision.result import PhotoResult, Status
from tests.support.results import read_kingdom


def photo_of(name: str, line: str) -> PhotoResult:
    return PhotoResult(name, Status.SURE, (), (read_kingdom(line),), (800, 600))


def said(**photos: str) -> tuple[str, dict]:
    results = [photo_of(name, line) for name, line in photos.items()]
    found = series_of(cast(Scorer, None), [(cast(Photo, one), one) for one in results])
    return series_text(found), json.loads(series_json(found))


def test_a_kingdom_that_grows() -> None:
    text, data = said(first="F/L1/C", second="C L1 F/W1 - -/L - -")
    assert text == (
        "first: 1, sure\n"
        "    F/L1/C\n"
        "second: 2, sure\n"
        "    C L1 F/W1 - -/L - -\n"
        "    turned by 90 degrees clockwise against the photo before\n"
        "    laid: a2-a3 (W1 L), no. 20\n"
        "\n"
        "The photos are in the order in which the kingdom grew: each shows what the one before it "
        "shows, and more."
    )
    assert (data["schema"], data["order"], data["given"]) == ("kdscore-series/1", "proved", [0, 1])
    first, second = data["photos"]
    assert (first["quarters"], first["new"], first["laid"]) == (None, None, [])
    assert second["quarters"] == 1
    assert second["new"] == [[1, 0], [2, 0]]
    assert second["laid"] == [
        {"cells": [[1, 0], [2, 0]], "numbers": [20], "probability": 1, "broken": 0}
    ]
    assert second["result"]["schema"] == "kdscore/1"


def test_what_was_laid_against_the_rules() -> None:
    text, data = said(first="C W F", second="C W F W1 L")
    assert "laid: d1-e1 (W1 L), no. 20, which no order of laying joins to the rest" in text
    assert data["photos"][1]["laid"][0]["broken"] == 1


def test_a_group_that_nothing_joins_is_not_said_to_touch_nothing() -> None:
    """The lakes of the two new dominoes fit; only the castle's group is out of their reach."""
    text, _ = said(first="C W F", second="C W F W1 L/- - - F1 L")
    assert text.count("which no order of laying joins to the rest") == 2
    assert "touch" not in text


def test_what_is_open_and_what_is_not_of_the_deck() -> None:
    text, _ = said(first="C - -", second="C L L/- L L")
    assert "laid, in one of several ways: b1, c1, b2, c2" in text
    text, _ = said(first="C - -", second="C F G2")
    assert "new, and no dominoes of the deck: b1, c1" in text


def test_photos_of_two_kingdoms() -> None:
    text, data = said(first="C W F", second="C L F W1 L")
    assert "the kingdom of the photo before does not lie in this one" in text
    assert "The photos do not show one kingdom as it grows" in text
    assert data["order"] == "apart"


def test_a_series_as_csv() -> None:
    results = [
        photo_of(name, line) for name, line in (("a", "F/L1/C"), ("b", "C L1 F/W1 - -/L - -"))
    ]
    found = series_of(cast(Scorer, None), [(cast(Photo, one), one) for one in results])
    first, second = csv.DictReader(series_csv(found).splitlines())
    assert tuple(first) == CSV_COLUMNS
    assert (first["photo"], first["score"], first["new"], first["laid"]) == ("a", "1", "", "")
    assert (second["quarters"], second["new"], second["laid"]) == ("1", "a2, a3", "a2, a3")
    assert {first["order"], second["order"]} == {"proved"}
