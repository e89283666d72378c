"""Tables and cloths: every one can be painted at any size, repeats, and varies."""

import numpy as np
import pytest

from scripts.synthesis import textures


@pytest.mark.parametrize("name", textures.TABLES)
def test_every_surface_fills_the_asked_size_and_repeats(name: str) -> None:
    paint = textures.TABLES[name]
    for height, width in ((90, 120), (150, 101)):
        one, again = (paint(np.random.default_rng(2), height, width) for _ in range(2))
        assert one.shape == (height, width, 3)
        assert one.dtype == np.uint8
        assert np.array_equal(one, again)


@pytest.mark.parametrize("name", textures.TABLES)
def test_two_seeds_give_two_surfaces(name: str) -> None:
    one, other = (
        textures.TABLES[name](np.random.default_rng(seed), 96, 128).astype(int) for seed in (0, 1)
    )
    assert np.abs(one - other).mean() > 2


def test_felt_is_most_often_green_and_walnut_dark() -> None:
    felt = [textures.TABLES["felt"](np.random.default_rng(s), 60, 80) for s in range(20)]
    green = [picture.mean((0, 1)).argmax() == 1 for picture in felt]
    assert sum(green) > 10
    walnut = [textures.TABLES["walnut"](np.random.default_rng(s), 60, 80) for s in range(8)]
    beech = [textures.TABLES["beech"](np.random.default_rng(s), 60, 80) for s in range(8)]
    assert max(p.mean() for p in walnut) < min(p.mean() for p in beech)


def test_table_takes_width_before_height() -> None:
    assert textures.table(np.random.default_rng(0), 160, 90).shape == (90, 160, 3)
