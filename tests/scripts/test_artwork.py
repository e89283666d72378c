"""The artwork: what each picture shows, that it is countable, and that it repeats."""

import cv2
import numpy as np
import pytest

from kdvision.rules.terrain import SQUARE_KINDS, Square, Terrain
from scripts.synthesis.artwork.castle import paint_start_tile
from scripts.synthesis.artwork.tiles import paint_domino

SIZE = 64


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def hue(picture: np.ndarray) -> float:
    """The hue of the mean colour, in degrees."""
    mean = picture.reshape(-1, 3).mean(0).astype(np.uint8)
    return 2.0 * cv2.cvtColor(mean.reshape(1, 1, 3), cv2.COLOR_RGB2HSV)[0, 0, 0]


def crowns_seen(picture: np.ndarray) -> int:
    """Counts crowns by their white rims: wide pale outlines near the upper edge."""
    pale = (picture[: len(picture) * 5 // 16].min(2) > 190).astype(np.uint8)
    pale = cv2.morphologyEx(pale, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(pale)
    return int((stats[1:, cv2.CC_STAT_WIDTH] > 0.14 * len(picture)).sum())


@pytest.mark.parametrize("square", SQUARE_KINDS, ids=str)
def test_the_same_seed_paints_the_same_and_another_seed_another(square):
    first, again, second = (paint_domino(square, square, rng(seed), SIZE) for seed in (3, 3, 4))
    assert np.array_equal(first, again)
    assert np.abs(first.astype(int) - second).mean() > 3


@pytest.mark.parametrize("square", SQUARE_KINDS, ids=str)
def test_crowns_can_be_counted_by_their_white_rims(square):
    dominoes = [paint_domino(square, square, rng(seed), 192) for seed in range(6)]
    assert [crowns_seen(domino[:, :192]) for domino in dominoes] == [square.crowns] * 6


def test_a_domino_shows_its_halves_left_and_right():
    for seed in range(4):
        picture = paint_domino(Square(Terrain.WHEAT), Square(Terrain.LAKE), rng(seed), SIZE)
        assert picture.shape == (SIZE, 2 * SIZE, 3)
        assert 36 < hue(picture[:, : SIZE - 6]) < 58
        assert 195 < hue(picture[:, SIZE + 6 :]) < 232


@pytest.mark.parametrize(
    ("colour", "low", "high"), [("blue", 185, 215), ("green", 100, 140), ("pink", 320, 355)]
)
def test_the_start_tile_wears_the_colour_of_its_player(colour, low, high):
    picture = paint_start_tile(colour, rng(), 96)
    hsv = cv2.cvtColor(picture, cv2.COLOR_RGB2HSV).reshape(-1, 3)
    vivid = 2.0 * hsv[hsv[:, 1] > 120, 0]
    assert picture.shape == (96, 96, 3)
    assert low < np.median(vivid) < high
