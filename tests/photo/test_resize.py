"""Pictures made smaller: each pixel is the mean of a block, as scikit-image computes it."""

import numpy as np
import pytest
from skimage.measure import block_reduce

from kdvision.photo.resizing import block_means, resize


def picture(height: int, width: int) -> np.ndarray:
    return np.random.default_rng(5).integers(0, 256, (height, width, 3), dtype=np.uint8)


@pytest.mark.parametrize("factor", [1, 2, 3, 4, 5, 6, 8, 12])
def test_pixel_is_the_mean_of_its_block(factor):
    pixels = picture(50, 37)
    small = block_means(pixels, factor)
    rows, cols = 50 // factor, 37 // factor
    means = block_reduce(pixels, (factor, factor, 1), np.mean)[:rows, :cols]
    # Each halving rounds once.
    assert small.shape == means.shape
    assert np.abs(small - means).max() <= 0.5 * (np.log2(factor) + 1)


def test_tiny_picture_keeps_a_pixel():
    assert block_means(picture(3, 2), 4).shape == (1, 1, 3)


@pytest.mark.parametrize("size", [(20, 30), (100, 40), (9, 7), (300, 200)])
def test_resize_gives_the_requested_size(size):
    assert resize(picture(90, 130), size).shape == (size[1], size[0], 3)


def test_stripes_become_grey_and_no_pattern():
    stripes = np.zeros((240, 240, 3), np.uint8)
    stripes[:, ::2] = 255
    small = resize(stripes, (57, 55))
    assert small.min() >= 126
    assert small.max() <= 129


@pytest.mark.parametrize("size", [(240, 60), (60, 240)])
def test_side_that_keeps_its_length_keeps_its_detail(size):
    stripes = np.zeros((240, 240, 3), np.uint8)
    stripes[:, ::2] = 255
    if size[0] < size[1]:
        stripes = np.ascontiguousarray(stripes.swapaxes(0, 1))
    small = resize(stripes, size)
    assert set(np.unique(small)) == {0, 255}
