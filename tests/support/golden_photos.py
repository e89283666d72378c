"""Photos made of the samples on the fly, and what lies in each."""

from functools import cache

import cv2
import numpy as np

from kdvision.arrays import Image
from kdvision.photo.photo import open_photo
from kdvision.rules.kingdom import Kingdom
from tests.support.paths import SAMPLES

MEADOW = "L G2 C W W/W G1 W L S1/G2 G G G1 G/G G G G W/W F1 F F F1"
PLUS = "- - G2 - -/- - L - -/W M3 C S2 W/- - M2 - -/- - S - -"
CORNER = "S1 G - - -/S2 G - - -/S W - - -/M2 M3 - - -/C M1 W W F1"


@cache
def sample(name: str) -> Image:
    return open_photo(SAMPLES / f"{name}.jpg").pixels(1600)[0]


def scaled(pixels: Image, factor: float) -> Image:
    size = round(pixels.shape[1] * factor), round(pixels.shape[0] * factor)
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def blurred(picture: Image) -> Image:
    """A picture of which nothing can be read."""
    return cv2.GaussianBlur(picture, (0, 0), 17).astype(np.uint8)


def beside(left: Image, right: Image) -> Image:
    """Two pictures side by side, what is missing below the lower one in its mean colour."""
    height = max(len(left), len(right))
    padded = []
    for pixels in (left, right):
        whole = np.empty((height, pixels.shape[1], 3), np.uint8)
        whole[:] = pixels.mean((0, 1)).astype(np.uint8)
        whole[: len(pixels)] = pixels
        padded.append(whole)
    return np.hstack(padded)


def tilted(pixels: Image) -> Image:
    """Seen from below: the far side is three quarters as wide."""
    height, width = pixels.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = corners.copy()
    seen[:2, 0] = width / 8, width * 7 / 8
    place = cv2.getPerspectiveTransform(corners, seen)
    return np.asarray(cv2.warpPerspective(pixels, place, (width, height)), np.uint8)


def pushed(pixels: Image) -> Image:
    """The domino on the right below was pushed away from the others, by a quarter of a square."""
    moved = pixels.copy()
    moved[840:1010, 880:1190] = pixels[1050:1060, 900:910].mean((0, 1))
    moved[868:1038, 910:1220] = pixels[840:1010, 880:1190]
    return moved


Kingdoms = list[tuple[str, int, str, list[str]]]
SHOWS_MEADOW: Kingdoms = [(MEADOW, 75, "sure", [])]
#: (line, total, status, doubts) of every kingdom, by photo.
PHOTOS: dict[str, Kingdoms] = {
    "small": SHOWS_MEADOW,
    "upside down": [(str(Kingdom.parse(MEADOW).turned(2)), 75, "sure", [])],
    "tilted": SHOWS_MEADOW,
    "a domino pushed away": SHOWS_MEADOW,
    # A second look with more light finds the squares that the first one missed.
    "dark": [("- - G2 W W/- S2 G M2 M2/S S1 G S F/S G G C F/F L1 L W1 -", 33, "sure", [])],
    "up to the border": SHOWS_MEADOW,
    "a column half outside": [
        (
            "L G2 C W W/- G1 W L S1/- G G G1 G/- G G G W/- F1 F F F1",
            45,
            "doubtful",
            ["obstructed", "beyond-border", "at-border", "corrected", "cut-off"],
        )
    ],
    "a column outside": [
        (
            "W - - -/G2 C W W/G1 W L S1/G G G1 G/G G G W/F1 F F F1",
            45,
            "doubtful",
            ["at-border", "obstructed", "corrected"],
        )
    ],
    "another kingdom is too blurred to be read": [(PLUS, 9, "sure", [])],
    "squares of two sizes, and one mine with three crowns too many": [
        (CORNER, 28, "doubtful", ["too-many-of-kind", "uncertain-squares"]),
        (PLUS, 9, "doubtful", ["too-many-of-kind", "uncertain-squares"]),
    ],
}


def picture(name: str) -> Image:
    """One of `PHOTOS`."""
    return np.ascontiguousarray(pictures()[name])


@cache
def pictures() -> dict[str, Image]:
    meadow, plus, corner = sample("meadow_5x5"), sample("plus"), sample("corner")
    return {
        "small": scaled(meadow, 0.15),
        "upside down": meadow[::-1, ::-1],
        "tilted": tilted(meadow),
        "a domino pushed away": pushed(meadow),
        "dark": (sample("gaps_5x5") * 0.3).astype(np.uint8),
        "up to the border": meadow[:, 420:],
        "a column half outside": meadow[:, 500:],
        "a column outside": meadow[:, 560:],
        "another kingdom is too blurred to be read": beside(plus, blurred(corner)),
        "squares of two sizes, and one mine with three crowns too many": beside(
            plus, scaled(corner, 0.5)
        ),
    }
