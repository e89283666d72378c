"""Dominoes put together from single squares, with a border printed between the two.

On real dominoes the print goes on from one square to the other: two terrains meet in a ragged
border, a fence or a shore, never in a straight cut. Pictures of single squares do not show it, so
it is drawn: an uneven line along which one picture gives way to the other, most often with a fence.
"""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
from msgspec.structs import replace

from kdvision.rules.dominoes import standard_deck
from kdvision.rules.terrain import Square
from scripts.arrays import Image, Rng
from scripts.synthesis.rendering.art import Deck, pyramid, real_deck

#: Side of a square's picture in pixels.
SIDE = 256
#: How much of a real one is cut off along the border that is printed there already.
PRINTED = 0.09
#: How often the line is a fence, and not only a shore.
FENCED = 0.75


@cache
def rejoined_deck(data: Path, name: str, seed: int) -> Deck:
    """Return a deck whose dominoes are put together anew from its own squares.

    Args:
        data: The data folder.
        name: `scan` or `flash`.
        seed: Of the borders, and of which squares come together.
    """
    rng = np.random.default_rng([seed, 77])
    deck = real_deck(data, name)
    squares: dict[Square, list[Image]] = {}
    for domino in standard_deck().dominoes:
        whole = cv2.resize(deck.dominoes[domino.number][0], (2 * SIDE, SIDE))
        cut = round(PRINTED * SIDE)
        pair = whole[:, : SIDE - cut], whole[:, SIDE + cut :]
        for square, picture in zip((domino.left, domino.right), pair, strict=True):
            wide = cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
            squares.setdefault(square, []).append(np.asarray(wide, np.uint8))
    dominoes = {}
    for domino in standard_deck().dominoes:
        kinds = squares[domino.left], squares[domino.right]
        left, right = (pictures[int(rng.integers(len(pictures)))] for pictures in kinds)
        dominoes[domino.number] = pyramid(joined(left, right, rng))
    return replace(deck, name=f"{name} rejoined", dominoes=dominoes)


def joined(left: Image, right: Image, rng: Rng) -> Image:
    """Join two squares (SIDE, SIDE, 3) to one picture (SIDE, 2 * SIDE, 3) with a border between."""
    reach = SIDE // 8
    whole = np.hstack([left, right])
    # What lies beyond a square's own end is mirrored.
    lefts = np.hstack([left, left[:, ::-1]]).astype(np.float32)
    rights = np.hstack([right[:, ::-1], right]).astype(np.float32)
    line = SIDE + _uneven(rng, rng.uniform(0.01, 0.035) * SIDE)
    x = np.arange(2 * SIDE)[None, :]
    share = np.clip((x - line[:, None]) / rng.uniform(1.0, 6.0) + 0.5, 0, 1)[..., None]
    near = slice(SIDE - reach, SIDE + reach)
    whole[:, near] = (lefts * (1 - share) + rights * share)[:, near].astype(np.uint8)
    if rng.random() < FENCED:
        _fence(whole, line, rng)
    return whole


def _uneven(rng: Rng, strength: float) -> np.ndarray:
    """Return a wandering line: (SIDE,) how far it is off the middle, in pixels."""
    total = np.zeros(SIDE, np.float32)
    for points, share in ((int(rng.integers(4, 9)), 1.0), (int(rng.integers(14, 40)), 0.5)):
        coarse = rng.normal(0, share * strength, (points, 1)).astype(np.float32)
        total += cv2.resize(coarse, (1, SIDE), interpolation=cv2.INTER_CUBIC)[:, 0]
    return total.clip(-0.08 * SIDE, 0.08 * SIDE)


def _fence(picture: Image, line: np.ndarray, rng: Rng) -> None:
    """Draw short strokes along the line: rails of wood, stones or a dark rim. In place."""
    base = np.array(((150, 95, 40), (90, 60, 30), (130, 130, 125), (60, 45, 35))[rng.integers(4)])
    step, y = rng.uniform(6, 22), 0.0
    thick = int(rng.integers(2, 8))
    while y < SIDE - 1:
        stop = min(SIDE - 1.0, y + step * rng.uniform(0.7, 1.5))
        colour = tuple(int(v) for v in np.clip(base * rng.uniform(0.6, 1.3), 0, 255))
        ends = [(int(line[int(at)] + rng.normal(0, 1.5)), int(at)) for at in (y, stop)]
        cv2.line(picture, ends[0], ends[1], colour, thick, cv2.LINE_AA)
        y = stop + (rng.uniform(0, 8) if rng.random() < 0.3 else -1.0) + 1.0
