"""The artwork: what each picture shows, that it is countable, and that it repeats."""

import cv2
import numpy as np
import pytest

from kdvision.rules.terrain import SQUARE_KINDS
from scripts.synthesis.artwork.tiles import paint_domino

SIZE = 64


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def crowns_seen(picture: np.ndarray) -> int:
    """Counts crowns by their white rims: wide pale outlines near the upper edge."""
    pale = (picture[: len(picture) * 5 // 16].min(2) > 190).astype(np.uint8)
    pale = cv2.morphologyEx(pale, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(pale)
    return int((stats[1:, cv2.CC_STAT_WIDTH] > 0.14 * len(picture)).sum())


@pytest.mark.parametrize("square", SQUARE_KINDS, ids=str)
def test_crowns_can_be_counted_by_their_white_rims(square):
    dominoes = [paint_domino(square, square, rng(seed), 192) for seed in range(6)]
    assert [crowns_seen(domino[:, :192]) for domino in dominoes] == [square.crowns] * 6
