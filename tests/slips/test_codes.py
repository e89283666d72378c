"""Codes of slips in pictures: of any size and turn, slanted, and none where there is none."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from kdvision.arrays import Image
from kdvision.photo.photo import open_photo
from kdvision.slips import codes, layout
from kdvision.slips.codes import find_codes
from kdvision.slips.slip import SlipCode
from scripts.synthesis.slip_photos import slip_photo
from scripts.synthesis.slips import PX_PER_MM, MarkedSlip, draw_slip
from tests.support.paths import ROOT

CODE = SlipCode("7GQ2X", 3, 12, 47)
SAMPLES = sorted((ROOT / "samples").glob("*.jpg"))


def gray(picture: Image) -> codes.Gray:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)


def on_table(code_px: float, side: int, turn: float = 0.0) -> codes.Gray:
    """A slip whose code has a side of so many pixels, turned (degrees), on a wooden table."""
    rng = np.random.default_rng(1)
    drawn = draw_slip(MarkedSlip(CODE, 47), rng)
    factor = code_px / layout.CODE_SIDE / PX_PER_MM
    small = cv2.resize(drawn, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    grain = rng.normal([120, 90, 60], 6, (side * 3 // 4, 1, 3))
    table = np.repeat(np.clip(grain, 0, 255), side, axis=1).astype(np.uint8)
    matrix = cv2.getRotationMatrix2D((small.shape[1] / 2, small.shape[0] / 2), turn, 1.0)
    matrix[:, 2] += side / 4
    size = (table.shape[1], table.shape[0])
    cv2.warpAffine(small, matrix, size, dst=table, borderMode=cv2.BORDER_TRANSPARENT)
    return gray(table)


def photo_of(rng: np.random.Generator, slip: MarkedSlip) -> codes.Gray:
    """A slip seen from 32 degrees above the table."""
    return gray(slip_photo(rng, slip, code_px=150, above=32).image)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_photos_without_slips_show_no_code(path: Path) -> None:
    photo = open_photo(path)
    pixels, _ = photo.pixels(photo.width)
    assert find_codes(gray(pixels)) == ([], False)


@pytest.mark.parametrize("turn", [0, 20, 45, 70])
@pytest.mark.parametrize(("code_px", "side"), [(56, 1000), (80, 1500), (150, 1000), (300, 2000)])
def test_a_code_is_seen_at_any_size_and_turn(code_px: float, side: int, turn: float) -> None:
    found, _ = find_codes(on_table(code_px, side, turn))
    assert [code for code, _ in found] == [CODE]


def test_slanted_codes_are_read_from_any_side() -> None:
    """Those at 45 degrees to the picture only where it is stretched along them."""
    rng = np.random.default_rng(290)
    read = [
        [code for code, _ in find_codes(photo_of(rng, slip))[0]] == [CODE]
        for slip in [MarkedSlip(CODE, 47)] * 20
    ]
    assert sum(read) >= 18


def test_a_code_that_is_seen_and_not_read_says_so() -> None:
    picture = on_table(150, 1000)
    ((_, corners),) = find_codes(picture)[0]
    x, y = corners.mean(axis=0).astype(int)
    picture[y - 30 : y + 30, x - 30 : x + 30] = 128  # more than the code can correct
    assert find_codes(picture) == ([], True)
