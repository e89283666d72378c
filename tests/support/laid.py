"""Dominoes of our own artwork laid on a table, seen from above and turned."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from kdvision.rules.dominoes import deck
from scripts.synthesis.rendering.art import Deck, painted_deck

SIDE = 64
#: A domino by number, the place (row, col) of its left square, and whether it lies upright, then
#: its left square above. Places may be halves.
Laid = tuple[int, float, float, bool]


@cache
def artwork() -> Deck:
    """The look of the samples."""
    return painted_deck(2000)


def lay(
    dominoes: list[Laid], castle: tuple[int, int], *, turn: float = 0.0, places: int = 11
) -> NDArray[np.uint8]:
    """A picture (h, w, 3) of a start tile and dominoes on a plain table, turned by degrees."""
    size = places * SIDE
    rng = np.random.default_rng(4)
    picture = np.clip(rng.normal((120, 96, 74), 4, (size, size, 3)), 0, 255).astype(np.uint8)
    _put(picture, artwork().starts["blue"][0], castle, 1, 1)
    for number, row, col, upright in dominoes:
        tile = artwork().dominoes[number][0]
        if upright:
            _put(picture, np.rot90(tile, -1), (row, col), 2, 1)
        else:
            _put(picture, tile, (row, col), 1, 2)
    matrix = cv2.getRotationMatrix2D((size / 2, size / 2), turn, 1.0)
    turned = cv2.warpAffine(
        picture, matrix, (size, size), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT_101
    )
    return np.asarray(cv2.GaussianBlur(turned, (0, 0), 0.7), np.uint8)


def numbers(*faces: str) -> list[int]:
    """A domino of each face (`W-F1`), none twice."""
    left = {one.number: one for one in deck()}
    found = []
    for face in faces:
        wanted = sorted(face.split("-"))
        number = next(
            n for n, one in left.items() if sorted(map(str, (one.left, one.right))) == wanted
        )
        del left[number]
        found.append(number)
    return found


def _put(
    picture: NDArray[np.uint8],
    tile: NDArray[np.uint8],
    at: tuple[float, float],
    rows: int,
    cols: int,
) -> None:
    top, left = round(at[0] * SIDE) + 1, round(at[1] * SIDE) + 1
    size = (cols * SIDE - 2, rows * SIDE - 2)
    picture[top : top + size[1], left : left + size[0]] = cv2.resize(
        np.ascontiguousarray(tile), size, interpolation=cv2.INTER_AREA
    )
