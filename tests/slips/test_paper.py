"""What is printed on slips is no tile, and squares beside slips are seen as without them."""

from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.arrays import Image
from kdvision.photo.photo import Photo, open_photo
from kdvision.pipeline.reader import KingdomReader
from kdvision.pipeline.scorer import Scorer
from kdvision.reading import DoubtCode
from kdvision.slips.slip import SlipCode
from kdvision.vision.geometry import within
from kdvision.vision.grid.finder import detect_in, grids_in
from kdvision.vision.squares.castle import NOTHING
from kdvision.vision.squares.reader import read_places
from scripts.synthesis.slips import MarkedSlip
from tests.slips.test_reader import scan
from tests.support.paths import ROOT

Corners = tuple[tuple[float, float], ...]
CODE = SlipCode("7GQ2X", 3, 12, 47)
BOX = ((10.0, 10.0), (30.0, 10.0), (30.0, 20.0), (10.0, 20.0))


@cache
def bare() -> Image:
    """A kingdom of 25 squares with room for a slip beside it."""
    return open_photo(ROOT / "samples" / "meadow_5x5.jpg").pixels(1600)[0]


def with_slip(x: int, y: int, px_per_mm: float = 2.5) -> tuple[Photo, Corners]:
    """That kingdom with a slip whose upper left corner is at (x, y), and the slip's corners."""
    slip, picture = scan(MarkedSlip(CODE, 86), px_per_mm=px_per_mm, border=0), bare().copy()
    height, width = slip.shape[:2]
    picture[y : y + height, x : x + width] = slip
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return open_photo(picture, name="table.jpg"), corners


def test_points_lie_in_outlines_of_either_turn() -> None:
    points = np.array([(11, 11), (29, 19), (9, 15), (20, 21), (110, 11)], float)
    box = np.array(BOX)
    assert within(points, [box]).tolist() == [True, True, False, False, False]
    assert within(points, [box[::-1], np.add(box, [100, 0])]).tolist() == [
        True,
        True,
        False,
        False,
        True,
    ]
    assert not within(points, []).any()


def test_no_squares_are_found_in_what_is_printed_on_slips(scorer: Scorer) -> None:
    photo, corners = with_slip(20, 900)

    def found(one: Photo) -> tuple[int, int]:
        _, scale, detection = detect_in(one, scorer.grid_session)
        on_slip = within((detection.squares.centres + 0.5) * scale, [np.array(corners)])
        return int(on_slip.sum()), int((~on_slip).sum())

    assert found(photo) == (2, 25)
    assert found(replace(photo, paper=(corners,))) == (0, 25)


def test_no_tile_is_read_on_a_slip(scorer: Scorer) -> None:
    photo = open_photo(bare(), name="table.jpg")
    (grid,) = grids_in(detect_in(photo, scorer.grid_session), scorer.grid_session)
    places = np.ones((grid.rows, grid.cols), bool)
    before = read_places(photo, grid, places, scorer.squares_session)
    row, col = np.argwhere(grid.found)[0]
    x, y = grid.middles_of([(row, col)])[0]
    corners = tuple((x + dx, y + dy) for dx, dy in ((-9, -9), (9, -9), (9, 9), (-9, 9)))
    after = read_places(replace(photo, paper=(corners,)), grid, places, scorer.squares_session)
    index = int(row * grid.cols + col)
    assert after[index].probabilities == NOTHING != before[index].probabilities
    assert after[:index] + after[index + 1 :] == before[:index] + before[index + 1 :]


@pytest.mark.parametrize("at", [(20, 20), (20, 900), (1200, 20)])
def test_a_kingdom_is_read_as_without_the_slip_beside_it(
    scorer: Scorer, at: tuple[int, int]
) -> None:
    (alone,) = scorer.score(bare(), name="bare.jpg").kingdoms
    result = scorer.score(with_slip(*at)[0])
    assert [one.kingdom for one in result.kingdoms] == [alone.kingdom]
    assert [slip.code for slip in result.slips] == [CODE]


def test_a_photo_without_slips_is_seen_once(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Photo] = []
    read = KingdomReader.read

    def noted(reader: KingdomReader, photo: Photo, *found: object) -> object:
        seen.append(photo)
        return read(reader, photo, *found)  # type: ignore[arg-type]

    monkeypatch.setattr(KingdomReader, "read", noted)
    scorer.score(bare(), name="bare.jpg")
    assert [photo.paper for photo in seen] == [()]
    scorer.score(with_slip(20, 900)[0])
    assert [len(photo.paper) for photo in seen[1:]] == [0, 1]


def test_what_a_slip_may_cover_is_in_doubt(scorer: Scorer) -> None:
    """A slip on a kingdom hides squares: what is read without them is never sure."""
    detected = detect_in(open_photo(bare(), name="bare.jpg"), scorer.grid_session)
    (grid,) = grids_in(detected, scorer.grid_session)
    rows, cols = np.nonzero(grid.found)
    x, y = grid.middles_of([(rows.min(), cols.min())])[0]
    photo, _ = with_slip(round(x) - 100, round(y) - 100, 2.5)
    for kingdom in scorer.score(photo).kingdoms:
        assert kingdom.status.value == "doubtful"
        assert {doubt.code for doubt in kingdom.warnings} & {DoubtCode.COVERED, DoubtCode.HIDDEN}
