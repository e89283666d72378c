"""Codes of slips: looked for only where a picture shows something like a code."""

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from kdvision.arrays import Image
from kdvision.photo.photo import open_photo
from kdvision.slips import codes, layout
from kdvision.slips.codes import find_codes, has_code
from kdvision.slips.slip import SlipCode
from scripts.synthesis.slip_photos import slip_photo
from scripts.synthesis.slips import PX_PER_MM, MarkedSlip, draw_slip
from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE_S

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


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_photos_without_slips_show_no_code(path: Path) -> None:
    photo = open_photo(path)
    pixels, _ = photo.pixels(photo.width)
    assert not has_code(gray(pixels))


def test_the_library_of_codes_is_loaded_for_slips_alone() -> None:
    program = """
import sys
import cv2
from kdvision.slips.codes import find_codes
for path in sys.argv[1:]:
    find_codes(cv2.imread(path, cv2.IMREAD_GRAYSCALE))
print("zxingcpp" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, SAMPLES)],
        cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S,
    )  # fmt: skip
    assert done.stdout.split() == ["False"], done.stderr


@pytest.mark.parametrize("turn", [0, 20, 45, 70])
@pytest.mark.parametrize(("code_px", "side"), [(56, 1000), (80, 1500), (150, 1000), (300, 2000)])
def test_a_code_is_seen_at_any_size_and_turn(code_px: float, side: int, turn: float) -> None:
    picture = on_table(code_px, side, turn)
    assert has_code(picture)
    assert [found.code for found in find_codes(picture)[0]] == [CODE]


def test_what_can_be_read_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(290)
    lost = 0
    for number in range(40):
        px, above = float(rng.uniform(60, 200)), float(rng.uniform(30, 90))
        photo = slip_photo(rng, MarkedSlip(CODE, number), code_px=px, above=above)
        picture = gray(photo.image)
        if not has_code(picture):
            with monkeypatch.context() as without:
                without.setattr(codes, "has_code", lambda _: True)
                lost += bool(find_codes(picture)[0])
    assert lost == 0


def test_ink_decides_on_both_sides() -> None:
    picture = on_table(150, 1000).astype(np.float32)
    for ratio, expected in ((codes.MOST_INK - 0.1, True), (codes.MOST_INK + 0.1, False)):
        paper = float(picture.max())
        pale = paper - (paper - picture) * (1 - ratio) / (1 - float(picture.min()) / paper)
        assert has_code(pale.astype(np.uint8)) is expected


def test_crossings_decide_on_both_sides() -> None:
    places = [(100.0, 100.0), (156.0, 100.0), (100.0, 156.0)]
    for number, least in enumerate(codes.LEAST_CROSSINGS, start=1):
        for count, expected in ((least, True), (least - 1, False)):
            counts = [1] * (number - 1) + [count - number + 1]
            patterns = [
                [*at, 4.0, 4.0, crossings] for at, crossings in zip(places, counts, strict=False)
            ]
            assert codes._is_code(patterns) is expected
    far = [[100.0, 100.0, 4.0, 4.0, 3], [400.0, 100.0, 4.0, 4.0, 3]]
    assert not codes._is_code(far)
