"""Tables and cloths: every one can be painted at any size, repeats, and varies."""

import numpy as np
import pytest

from scripts.synthesis import textures


@pytest.mark.parametrize("name", textures.TABLES)
def test_every_surface_fills_the_asked_size_and_repeats(name):
    paint = textures.TABLES[name]
    for height, width in ((90, 120), (150, 101)):
        first, again = (paint(np.random.default_rng(2), height, width) for _ in range(2))
        assert first.shape == (height, width, 3)
        assert first.dtype == np.uint8
        assert np.array_equal(first, again)


def test_table_takes_width_before_height():
    assert textures.table(np.random.default_rng(0), 160, 90).shape == (90, 160, 3)
