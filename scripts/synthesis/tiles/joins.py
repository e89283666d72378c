"""Dominoes put together from single squares, with a border printed between the two.

On real dominoes the print goes on from one square to the other: two terrains meet in a ragged
border, a fence or a shore, never in a straight cut. Pictures of single squares do not show it, so
it is drawn as on painted dominoes.
"""

from functools import cache
from pathlib import Path

import cv2
import numpy as np

from kdvision.rules.dominoes import Domino, standard_deck
from kdvision.rules.terrain import Square
from scripts.arrays import Image, Rng
from scripts.synthesis.artwork.ground import border_line, draw_border, join
from scripts.synthesis.artwork.pen import Pen
from scripts.synthesis.artwork.style import draw_style
from scripts.synthesis.rendering.art import Deck, pyramid, real_deck

#: Side of a square's picture in pixels.
SIDE = 256
#: How much of a real one is cut off along the border that is printed there already.
PRINTED = 0.09
#: What is mirrored of a square beyond its own end.
MIRRORED = 0.1


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
        left = squares[domino.left][int(rng.integers(len(squares[domino.left])))]
        right = squares[domino.right][int(rng.integers(len(squares[domino.right])))]
        dominoes[domino.number] = pyramid(joined(domino, left, right, rng))
    return Deck(f"{name} rejoined", dominoes, deck.starts, deck.castles, deck.kings)


def joined(domino: Domino, left: Image, right: Image, rng: Rng) -> Image:
    """Join two squares (SIDE, SIDE, 3) to one picture (SIDE, 2 * SIDE, 3) with a border between."""
    beyond = round(MIRRORED * SIDE)
    lefts = np.hstack([left, left[:, : -beyond - 1 : -1]])
    rights = np.hstack([right[:, beyond - 1 :: -1], right])
    line = border_line(rng, rng.uniform(0.01, 0.035))
    picture = join(lefts, rights, line, rng.uniform(0.0, 0.02))
    pen = Pen.over(picture, draw_style(rng), rng, SIDE)
    draw_border(pen, line, domino.left.terrain, domino.right.terrain)
    return picture
