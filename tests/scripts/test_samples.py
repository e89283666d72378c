"""The sample photos: what `truth.csv` says of them holds, and they are all there."""

import csv
from collections import Counter
from itertools import groupby

import numpy as np
import pytest
from PIL import Image, ImageOps

from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import natural_size, score
from scripts.synthesis.rendering.art import COLOURS, Deck
from scripts.synthesis.staging.plans import read_plan
from scripts.synthesis.staging.sample_book import BOOK
from scripts.synthesis.staging.separate_tiles import overlap
from scripts.synthesis.staging.shot import Kind, Shot
from scripts.synthesis.staging.stage import FINER, as_seen, camera_of, lay_out, rng_of
from tests.support.paths import SAMPLES

with (SAMPLES / "truth.csv").open(newline="", encoding="utf-8") as _file:
    ROWS = list(csv.DictReader(_file))

KINGDOMS = [row for row in ROWS if row["kingdom"]]
FILES = [file for file, _ in groupby(row["file"] for row in ROWS)]

#: A deck without pictures: enough to lay kingdoms on a table.
BLANK = Deck("blank", {number: [] for number in range(1, 49)}, {c: [] for c in COLOURS})


def named(row: dict[str, str]) -> str:
    return f"{row['file']}:{row['kingdom'][:9]}"


def test_truth_has_one_row_per_kingdom_and_its_columns() -> None:
    assert list(ROWS[0]) == ["file", "kingdom", "total", "size", "note"]
    counts = Counter(row["file"] for row in KINGDOMS)
    assert counts["two_kingdoms.jpg"] == 2
    assert counts["three_kingdoms.jpg"] == 3
    assert counts["four_kingdoms.jpg"] == 4
    assert sum(count == 1 for count in counts.values()) >= 8
    assert len(FILES) == len(set(FILES)), "rows of one photo stand together"
    assert all(row["note"] for row in ROWS)


@pytest.mark.parametrize("row", KINGDOMS, ids=named)
def test_every_total_is_the_score_of_its_kingdom(row: dict[str, str]) -> None:
    kingdom = Kingdom.parse(row["kingdom"])
    assert str(kingdom) == row["kingdom"]
    assert kingdom.trimmed() == kingdom
    assert len(kingdom.castles()) == 1
    assert natural_size(kingdom) == int(row["size"])
    assert score(kingdom).total == int(row["total"])


@pytest.mark.parametrize("file", FILES)
def test_every_photo_opens_at_its_size(file: str) -> None:
    with Image.open(SAMPLES / file) as picture:
        assert picture.format == "JPEG"
        assert sorted(picture.size) == [1200, 1600]
        picture.load()
    assert (SAMPLES / file).stat().st_size < 450_000


def test_one_photo_lies_on_its_side_and_says_so() -> None:
    tagged = {}
    for file in FILES:
        with Image.open(SAMPLES / file) as picture:
            if ImageOps.exif_transpose(picture).size != picture.size:
                tagged[file] = picture.size
    assert tagged == {"sideways_draft.jpg": (1600, 1200)}


def test_the_folder_holds_the_photos_of_the_truth_and_no_others() -> None:
    pictures = {path.name for path in SAMPLES.iterdir() if path.suffix not in (".csv", ".md")}
    assert pictures == set(FILES)
    assert sum((SAMPLES / file).stat().st_size for file in FILES) < 4_000_000


def test_the_photo_without_a_kingdom_has_none() -> None:
    assert [row["file"] for row in ROWS if not row["kingdom"]] == ["not_a_kingdom.jpg"]


def test_readme_names_every_photo_with_its_totals() -> None:
    text = (SAMPLES / "README.md").read_text(encoding="utf-8")
    table = [
        tuple(cell.strip(" `") for cell in (cells[1], cells[-2]))
        for cells in (line.split("|") for line in text.splitlines() if line.startswith("| `"))
    ]
    assert table == [
        (file, ", ".join(row["total"] for row in rows))
        for file, rows in groupby(ROWS, key=lambda row: row["file"])
    ]


# The book behind the photos --------------------------------------------------------------------


@pytest.mark.parametrize("shot", BOOK, ids=lambda shot: shot.file)
def test_the_truth_is_what_the_book_lays(shot: Shot) -> None:
    spreads = lay_out(shot, BLANK, rng_of(shot))
    seen = as_seen(spreads, camera_of(shot))
    wanted = [row["kingdom"] for row in KINGDOMS if row["file"] == shot.file]
    assert [str(one.kingdom) for one in seen] == wanted
    for spread in spreads:
        quads = [piece.quad for piece in spread.pieces]
        for number, quad in enumerate(quads):
            for other in quads[:number]:
                assert np.linalg.norm(overlap(quad, other)) < 0.005


@pytest.mark.parametrize("shot", BOOK, ids=lambda shot: shot.file)
def test_a_photo_is_laid_from_one_box_in_artwork_that_trains_nothing(shot: Shot) -> None:
    numbers = [number for lay in shot.kingdoms for number, _, _ in read_plan(lay.plan).dominoes]
    loose = (Kind.DOMINO, Kind.BACK, Kind.PILE)
    numbers += [int(prop.what) for prop in shot.props if prop.kind in loose]
    assert max(Counter(numbers).values()) == 1
    assert not 1000 <= shot.deck < 1012


def test_squares_are_large_enough_to_count_crowns() -> None:
    for shot in BOOK:
        for one in as_seen(lay_out(shot, BLANK, rng_of(shot)), camera_of(shot)):
            least = 60 if len(shot.kingdoms) == 1 else 45
            assert least <= one.squares[0] <= one.squares[1] <= 170, shot.file
            width, height = (1200, 1600) if shot.portrait else (1600, 1200)
            assert (one.corners > 8).all()
            assert (one.corners < [width - 8, height - 8]).all()
    assert FINER > 1


def test_a_plan_lays_its_dominoes() -> None:
    plan = read_plan("48 48' C/- 19' 19")
    assert str(plan.kingdom) == "W M3 C/- F W1"
    assert plan.dominoes == ((19, (1, 2), (1, 1)), (48, (0, 0), (0, 1)))


@pytest.mark.parametrize(
    ("plan", "complaint"),
    [
        ("C 19 - 19'", "do not touch"),
        ("C 19", "do not touch"),
        ("C 19/19' 19", "lies twice"),
    ],
)
def test_a_plan_that_cannot_lie_is_refused(plan: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_plan(plan)


def test_tiles_push_each_other_by_the_shortest_way() -> None:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    pushes = {(0.9, 0.2): [0.1, 0], (0.3, -0.95): [0, -0.05], (1.01, 0): [0, 0]}
    for by, push in pushes.items():
        assert overlap(square + np.array(by), square) == pytest.approx(push)
