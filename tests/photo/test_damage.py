"""Parts of a photo that have slipped along a straight line."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from kdvision.photo.damage import has_seam
from kdvision.photo.photo import open_photo
from tests.support.paths import SAMPLES

PHOTOS = sorted(SAMPLES.glob("*.jpg"))
Pixels = NDArray[np.uint8]


def slipped(pixels: Pixels, by: int, share: float = 0.5) -> Pixels:
    """From a row on, everything is moved to the right, and comes in again at the left."""
    result = pixels.copy()
    row = round(share * len(pixels))
    result[row:] = np.roll(pixels[row:], by, axis=1)
    return result


def sample(name: str) -> Pixels:
    return open_photo(PHOTOS[0].with_name(name)).pixels(10**6)[0]


@pytest.mark.parametrize("path", PHOTOS, ids=lambda path: path.stem)
def test_photos_have_no_seams(path: Path) -> None:
    assert not has_seam(open_photo(path).pixels(1000)[0])


def test_real_photos_and_boards_have_no_seams(data_folder: Path) -> None:
    for folder in ("photos", "boards", "not_kingdoms"):
        for path in sorted((data_folder / folder).iterdir()):
            assert not has_seam(open_photo(path).pixels(1000)[0]), path


# In one sample the gap of two planks lies beside the seam, and hides it.
@pytest.mark.parametrize(
    "path", [path for path in PHOTOS if path.stem != "sideways_draft"], ids=lambda path: path.stem
)
@pytest.mark.parametrize("by", [150, 300, -300])
def test_what_has_slipped_by_a_tile_is_seen(path: Path, by: int) -> None:
    # The file is whole again: it was saved after the damage.
    pixels = slipped(open_photo(path).pixels(10**6)[0], by)
    data = cv2.imencode(".jpg", pixels[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
    photo = open_photo(data)
    photo.pixels(1000)  # as the program does before it asks
    assert photo.damage


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("share", [0.4, 0.503, 0.61])
def test_a_seam_is_seen_from_every_side_and_at_any_height(turns: int, share: float) -> None:
    pixels = slipped(sample("meadow_5x5.jpg"), 200, share)
    assert has_seam(np.ascontiguousarray(np.rot90(pixels, turns)))


def test_chequered_ground_and_edges_of_tables_are_no_seams() -> None:
    rows, cols = np.mgrid[0:900, 0:1200]
    grain = np.random.default_rng(2).normal(0, 4, (900, 1200, 1))
    checks = np.where((rows // 60 + cols // 60) % 2, 200, 90)[:, :, None] + grain
    edge = np.where(rows < 400, 170, 60)[:, :, None] + grain
    for picture in (checks, edge):
        assert not has_seam(np.clip(np.repeat(picture, 3, axis=2), 0, 255).astype(np.uint8))


@pytest.mark.parametrize("shape", [(1, 1), (1, 3000), (3000, 1), (40, 40), (2000, 30)])
def test_small_and_narrow_pictures_have_no_seams(shape: tuple[int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (*shape, 3)).astype(np.uint8)
    assert not has_seam(noise)
