"""What the detector is shown of a photo, and what is kept of its answer."""

import numpy as np
import pytest

from kdvision.photo.photo import open_photo
from kdvision.pipeline.scorer import Scorer
from kdvision.vision.geometry import View
from kdvision.vision.grid import detector
from kdvision.vision.grid.detector import detect_all
from kdvision.vision.grid.finder import detect_squares, find_grids
from kdvision.vision.grid.voting import STRIDE
from kdvision.vision.models import Model
from tests.support.paths import SAMPLES
from tests.support.voting import fields_of


class Painted:
    """A session that always sees the same squares, laid out for an input of `side` pixels."""

    def __init__(self, squares: list[tuple[float, float]], pitch: float, side: int) -> None:
        self.squares, self.pitch, self.side = squares, pitch, side
        self.shown: list[tuple[int, int]] = []

    def run(self, _: None, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        """The fields of an input (1, h, w, 3), in proportion to it."""
        height, width = given["rgb"].shape[1:3]
        self.shown.append((width, height))
        factor = max(width, height) / self.side
        pitch = self.pitch * factor
        centres = [(x * factor, y * factor) for x, y in self.squares]
        fields = fields_of(centres, (pitch, 0), (0, pitch), max(width, height) // STRIDE)
        return [fields[None, :, : height // STRIDE, : width // STRIDE]]


def row(count: int, pitch: float) -> list[tuple[float, float]]:
    """Squares side by side, the first of them a castle."""
    return [(150 + column * pitch, 200.0) for column in range(count)]


def photo(width: int = 2048, height: int = 1536) -> np.ndarray:
    return np.full((height, width, 3), 90, np.uint8)


@pytest.mark.parametrize(
    ("pitch", "views"),
    [
        (20.0, 1),  # large enough to be seen well
        (16.0, 2),  # the whole photo once more, finer
    ],
)
def test_small_squares_get_a_finer_view(
    pitch: float, views: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detector, "MOST_PIXELS_AT_ONCE", 10**7)
    session = Painted(row(8, pitch), pitch, 512)
    (grid,) = find_grids(detect_squares(open_photo(photo()), Model(session)), Model(session))
    wholes = [shape for shape in session.shown if shape[0] / shape[1] == pytest.approx(4 / 3, 0.01)]
    assert len(wholes) == views
    assert grid.found.sum() == 8
    # Four times as many pixels in the photo as in the first detection.
    assert grid.square_px == pytest.approx(4 * pitch, rel=0.03)


def test_empty_view_is_followed_by_a_finer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detector, "MOST_PIXELS_AT_ONCE", 10**7)
    session = Painted([], 20, 512)
    assert find_grids(detect_squares(open_photo(photo()), Model(session)), Model(session)) == []
    assert [max(shape) for shape in session.shown] == [512, 1600]


def test_large_view_is_split_into_bands() -> None:
    """Each with 64 rows more above and below, and no more than 640,000 pixels."""
    session = Painted([], 20, 1600)
    detect_all(View(photo(1600, 1200)), Model(session), 1600)
    assert session.shown == [(1600, height) for height in (336, 400, 400, 400, 176)]


def test_lattices_do_not_depend_on_threads(scorer: Scorer) -> None:
    detected = detect_squares(open_photo(SAMPLES / "four_kingdoms.jpg"), scorer.vision.grid)
    alone, together = (find_grids(detected, scorer.vision.grid, threads) for threads in (1, 3))
    assert len(alone) == len(together) >= 4
    for one, other in zip(alone, together, strict=True):
        assert np.array_equal(one.homography, other.homography)
        assert np.array_equal(one.agreed, other.agreed)
