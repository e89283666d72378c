"""What is missing in a picture that a decoder did not complain of: a part of it, or its colours."""

from typing import Annotated

import numpy as np
from msgspec import Struct

from kdvision.arrays import Image
from kdvision.photo.resizing import block_means
from kdvision.sentences import Sentence


class DamageSettings(Struct, frozen=True):
    """Thresholds of damage, which makes a photo doubtful. Levels are steps of 0 to 255.

    Attributes:
        fill_noise: levels. How far from mid grey a pixel may lie and count as filled in by a
            decoder: room for the noise of a JPEG saved after the damage. Set by hand.
        min_missing: Share of the photo. A smaller plain grey part is let pass, such as the border
            of a screenshot. Set by hand.
        min_colour: levels. A photo has colours where one pixel in 500 is at least so far from the
            usual tint of its brightness, as a kingdom far away on a dull table takes few. Of 467
            rendered tables the least colourful has 52, of photos and boards 90; the same in grey
            or sepia have 24 at most.
    """

    fill_noise: Annotated[int, "sure"] = 8
    min_missing: Annotated[float, "sure"] = 0.02
    min_colour: Annotated[float, "sure"] = 35.0


DAMAGE = DamageSettings()

#: What decoders fill in where data are missing: mid grey.
_FILL = 128
#: px. So many along the longer side are enough to see colours, and noise is averaged away.
_COLOUR_SIDE_PX = 100
#: The number of steps into which brightness is divided.
_STEPS = 32
#: Level from which on a pixel is white, and has no colour left.
_WHITE = 250


def find_damage(pixels: Image) -> Sentence | None:
    """Find what is missing in a picture (h, w, 3); None where nothing is."""
    missing = missing_share(pixels)
    if missing > DAMAGE.min_missing:
        return Sentence("damage.grey", {"percent": f"{100 * missing:.0f}"})
    if has_colours(pixels):
        return None
    return Sentence("damage.no-colours")


def missing_share(pixels: Image) -> float:
    """Return the share of a picture that is plain mid grey, from one side on but not from all."""
    shares = [_grey_share(np.rot90(pixels, quarters)) for quarters in range(4)]
    return max(shares) if min(shares) == 0 else 0.0


def _grey_share(pixels: Image) -> float:
    """Return the share of rows, from the first on, that are nothing but mid grey."""
    for rows, row in enumerate(pixels):
        if np.abs(row.astype(np.int16) - _FILL).max() > DAMAGE.fill_noise:
            return rows / len(pixels)
    return 1.0


def has_colours(pixels: Image) -> bool:
    """Tell a picture (h, w, 3) in colour from one that is black and white, or sepia.

    In the latter all pixels of a brightness have one tint.
    """
    small = block_means(pixels, max(1, max(pixels.shape[:2]) // _COLOUR_SIDE_PX))
    planes = small.reshape(-1, 3).T.astype(np.int32, order="C")
    red, green, blue = planes[:, planes.max(axis=0) < _WHITE]
    if not len(green):
        return False
    # The tint of a pixel is red and blue less green; the usual one is the mean of its brightness.
    steps = (red + green + blue) * _STEPS // (3 * 256)
    counts = np.maximum(np.bincount(steps, minlength=_STEPS), 1)
    away = np.zeros(len(green))
    for tint in (red - green, blue - green):
        usual = np.bincount(steps, tint, _STEPS) / counts
        away = np.maximum(away, np.abs(tint - usual[steps]))
    # One pixel in 500 is farther away than this.
    rank = len(away) * 499 // 500
    return bool(np.partition(away, rank)[rank] >= DAMAGE.min_colour)
