"""The overlay shows slips: frame, marks, and whose they are."""

import numpy as np
from msgspec.structs import replace

from kdvision.report.overlay import draw_overlay
from kdvision.slips.slip import Slip
from tests.support.results import PHOTO, SLIP


def drawn(slip: Slip | None) -> np.ndarray:
    gray = np.full((600, 800, 3), 200, np.uint8)
    slips = (slip,) if slip else ()
    return draw_overlay(gray, replace(PHOTO, slips=slips), 1.0).astype(int)


def test_a_slip_is_framed_and_lit_and_its_marks_are_circled() -> None:
    bare, picture = drawn(None), drawn(SLIP)
    assert (picture[280, 690] > bare[280, 690] + 40).all()
    for row, col in ((260, 700), (340, 700), (300, 780)):
        assert np.abs(picture[row, col] - picture[280, 690]).max() > 60
    ring = picture[300, 715:726].astype(int)
    assert np.abs(ring - picture[280, 690]).max() > 60


def test_doubt_has_another_colour() -> None:
    sure = drawn(SLIP)[260, 700]
    unclear = drawn(replace(SLIP, claimed=None, unclear="slip.blank"))[260, 700]
    between = drawn(replace(SLIP, kingdom_is_sure=False))[260, 700]
    assert (unclear == between).all()
    assert np.abs(sure - unclear).max() > 60


def test_a_line_leads_to_the_kingdom() -> None:
    beside, alone = drawn(SLIP), drawn(replace(SLIP, kingdom=None))
    row, col = 305, 640
    changed = np.abs(beside - alone).max(axis=2) > 30
    assert changed[row - 20 : row + 20, col - 10 : col + 10].any()
    assert not changed[265:335, 670:770].any()
