"""The sample photos are those of `truth.csv`, and show what it says."""

import csv
from collections import Counter

import pytest
from PIL import Image

from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import natural_size, score
from scripts.synthesis.make_samples import sample_kingdoms
from scripts.synthesis.sample_book import book, read_plan
from tests.support.paths import SAMPLES

with (SAMPLES / "truth.csv").open(newline="", encoding="utf-8") as _file:
    ROWS = list(csv.DictReader(_file))

KINGDOMS = [row for row in ROWS if row["kingdom"]]
FILES = list(dict.fromkeys(row["file"] for row in ROWS))


@pytest.mark.parametrize("row", KINGDOMS)
def test_totals_are_scores_of_their_kingdoms(row):
    kingdom = Kingdom.parse(row["kingdom"])
    assert str(kingdom) == row["kingdom"]
    assert natural_size(kingdom) == int(row["size"])
    assert score(kingdom).total == int(row["total"])


def test_folder_holds_the_listed_photos():
    pictures = {path.name for path in SAMPLES.iterdir() if path.suffix not in (".csv", ".md")}
    assert pictures == set(FILES)
    for file in FILES:
        with Image.open(SAMPLES / file) as picture:
            picture.load()
        assert (picture.format, sorted(picture.size)) == ("JPEG", [1200, 1600])
        assert (SAMPLES / file).stat().st_size < 450_000


# ---------------------------------------------------------------------- the book behind the photos

SHOTS = [shot.file for shot in book()]


@pytest.mark.parametrize("shot", book(), ids=SHOTS)
def test_truth_is_what_the_book_lays(shot):
    wanted = [(row["kingdom"], row["colour"]) for row in KINGDOMS if row["file"] == shot.file]
    assert [(str(laid.kingdom), laid.colour) for laid in sample_kingdoms(shot)] == wanted


@pytest.mark.parametrize("shot", book(), ids=SHOTS)
def test_photos_use_one_box_and_untrained_artwork(shot):
    numbers = [number for lay in shot.kingdoms for number, _, _ in read_plan(lay.plan)[1]]
    numbers += [int(thing.what) for thing in shot.things if thing.kind != "king"]
    assert max(Counter(numbers).values()) == 1
    assert not 1000 <= shot.deck < 1012
