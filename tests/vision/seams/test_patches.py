"""Patches of pairs: the line between two places in the middle, the first place on the left."""

import numpy as np
import pytest

from kdvision.vision.grid.grid import middles
from kdvision.vision.seams.reader import ACROSS_PX, ALONG_PX, cut_pairs
from kdvision.vision.squares.patches import BORDER_PX, PX_PER_SQUARE


def window(rows: int, cols: int) -> np.ndarray:
    """A window whose places have colours of their own: red tells the row, green the column."""
    flat = np.zeros((rows * PX_PER_SQUARE, cols * PX_PER_SQUARE, 3), np.uint8)
    for row, col in np.ndindex(rows, cols):
        part = np.s_[row * PX_PER_SQUARE : (row + 1) * PX_PER_SQUARE,
                     col * PX_PER_SQUARE : (col + 1) * PX_PER_SQUARE]  # fmt: skip
        flat[part] = (10 + 50 * row, 10 + 50 * col, 0)
    pad = ((BORDER_PX, BORDER_PX), (BORDER_PX, BORDER_PX), (0, 0))
    return np.pad(flat, pad, constant_values=255)


@pytest.mark.parametrize(
    ("pair", "left", "right"),
    [
        (((1, 0), (1, 1)), (60, 10), (60, 60)),
        (((1, 1), (1, 0)), (60, 10), (60, 60)),  # The order of a pair does not matter.
        (((0, 2), (1, 2)), (10, 110), (60, 110)),
        (((1, 2), (0, 2)), (10, 110), (60, 110)),
    ],
)
def test_the_first_place_lies_on_the_left(pair, left, right) -> None:  # type: ignore[no-untyped-def]
    (patch,) = cut_pairs(window(2, 3), middles(2, 3), [pair])
    assert patch.shape == (ALONG_PX, ACROSS_PX, 3)
    half = ACROSS_PX // 2
    inner = patch[10:-10]
    assert (inner[:, :half, :2] == left).all()
    assert (inner[:, half:, :2] == right).all()


def test_a_patch_follows_where_the_squares_lie() -> None:
    centres = middles(2, 3)
    centres[1, 0] += (0.1, 0.0)
    centres[1, 1] += (0.1, 0.0)
    (patch,) = cut_pairs(window(2, 3), centres, [((1, 0), (1, 1))])
    line = ACROSS_PX // 2 - round(0.1 * PX_PER_SQUARE)
    assert (patch[20, :line, 1] == 10).all() and (patch[20, line:, 1] == 60).all()


def test_many_pairs_come_in_their_order() -> None:
    pairs = [((0, 0), (0, 1)), ((0, 0), (1, 0)), ((1, 1), (1, 2))]
    patches = cut_pairs(window(2, 3), middles(2, 3), pairs)
    assert patches.shape == (3, ALONG_PX, ACROSS_PX, 3) and patches.dtype == np.uint8
    for pair, patch in zip(pairs, patches, strict=True):
        assert (patch == cut_pairs(window(2, 3), middles(2, 3), [pair])[0]).all()
    assert cut_pairs(window(2, 3), middles(2, 3), []).shape == (0, ALONG_PX, ACROSS_PX, 3)


@pytest.mark.parametrize(
    "pair",
    [
        ((0, 0), (0, 2)),
        ((0, 0), (1, 1)),
        ((0, 0), (0, 0)),
        ((0, 2), (0, 3)),
        ((1, 0), (2, 0)),
        ((-1, 0), (0, 0)),
    ],
)
def test_only_neighbours_in_the_window_make_a_pair(pair) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="no neighbours in a window of 2 x 3"):
        cut_pairs(window(2, 3), middles(2, 3), [pair])
