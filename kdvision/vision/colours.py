"""The colour of a castle says whose kingdom it is.

In newer boxes it is in the crown and the rim of the start tile; it is on the roofs of a standing
castle, and on a king that lies or stands on the tile. Older start tiles have none. A small network
sees all of it at once as the camera does, with more than half a square on each side: a castle leans
over what is behind it, and the terrains tell the light.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from kdvision.arrays import Array, Image, softmax
from kdvision.photo.resizing import block_means
from kdvision.reading import Colour
from kdvision.vision.geometry import project, warp
from kdvision.vision.models import PATCHES, Model
from kdvision.vision.squares.castle import line_of_sight

#: A patch is so many pixels wide and high.
PATCH_PX, _ = PATCHES["colours"]
#: It shows so many squares in both directions.
SQUARES_ACROSS = 2.1
#: The middle of the start tile lies so many squares below its upper side.
SQUARES_ABOVE = 1.2


class ColourSettings(Struct, frozen=True):
    """When the colour of a castle is told."""

    #: Probability of a colour from which on a castle is said to have it. Of 841 castles that show
    #: a colour in rendered photos that no figure is reported on, 1 is named wrongly from 0.8 on
    #: and 816 rightly, 1 and 820 from 0.7 on, none and 806 from 0.9 on; at most 1 in 200 is to be
    #: (`scripts.measuring.colour --limit`). Where a castle of another make stands on the tile, its
    #: own colours mislead: 15 of 155 are wrong from 0.8 on, 18 from 0.7 on.
    sure_from: float = 0.8


COLOUR = ColourSettings()


def read_colours(castle: Image, model: Model) -> Array:
    """Read how likely a castle has each colour, by itself.

    Args:
        castle: The patch (48, 48, 3) of `cut_castle`.
        model: The model `colours`.

    Returns:
        (5,) of each `Colour`, and of none of them last, summing to 1.
    """
    # A castle has the colour of its mirror image.
    looks = model.run(np.stack([castle, castle[:, ::-1]]))
    return softmax(looks.mean(axis=0), model.temperature)


def tell_colours(castles: Sequence[Sequence[float] | None]) -> list[tuple[Colour | None, float]]:
    """Tell the colours of the castles of one photo, each with the probability that it is right.

    Args:
        castles: How likely each has each colour by itself, as `read_colours` gives it; None where
            no castle was looked at.

    Returns:
        None, with 0, where no colour is sure enough, as a wrong one is worse, and where no castle
        was looked at.
    """
    looked_at = [shares for shares in castles if shares is not None]
    if not looked_at:
        return [(None, 0.0)] * len(castles)
    shares = iter(shared_out(np.array(looked_at)))
    return [(None, 0.0) if castle is None else _told(next(shares)) for castle in castles]


def _told(shares: Array) -> tuple[Colour | None, float]:
    """Return the likeliest colour of shares (5,), if it is sure enough."""
    share, colour = max(zip(shares.tolist(), Colour, strict=False))
    return (colour, share) if share >= COLOUR.sure_from else (None, 0.0)


def cut_castle(pixels: Image, homography: Array, centre: Array) -> Image:
    """Cut out what is around a castle as the camera sees it, upright: a patch (48, 48, 3).

    What stands on the tile points away from the camera, which is up in the patch whichever way the
    photo is turned.

    Args:
        pixels: RGB (h, w, 3).
        homography: (3, 3) from lattice coordinates (column, row) to its pixels.
        centre: (2,) lattice coordinates of the middle of the start tile.
    """
    view = line_of_sight(homography, (centre[1] - 0.5, centre[0] - 0.5))
    # A square is foreshortened by `height` along the line of sight, and as wide as it is across.
    up = complex(*view.step) / max(view.height, 1e-9)
    right, size = 1j * up, 2 * PATCH_PX
    # Sampled twice as finely as it is seen, and averaged.
    step = SQUARES_ACROSS / size
    middle = complex(*project(homography, centre))
    corner = middle + SQUARES_ABOVE * up - SQUARES_ACROSS / 2 * right
    rows = (step * right, -step * up, corner + step * (right - up) / 2)
    to_photo = np.array([[z.real for z in rows], [z.imag for z in rows], [0, 0, 1]])
    return block_means(warp(pixels, to_photo, (size, size)), 2)


def shared_out(shares: Array) -> Array:
    """Return the probabilities of colours, given that each is there once in a box.

    What two kingdoms claim alike is open between them, and what only one of them can be is its.

    Args:
        shares: (n, 5) of each castle by itself: of `Colour`, and of no colour, summing to 1.

    Returns:
        (n, 5), summing to 1.
    """
    count, kinds = len(shares), len(Colour)
    if count == 1:
        return shares
    rest = _rest_by_counts(shares, boxes=-(-count // kinds))
    # A castle can have a colour where the other castles leave one of that colour in the boxes.
    by_kind = [rest.swapaxes(0, kind)[:-1] for kind in range(kinds)]
    left = [part.reshape(-1, count).sum(axis=0) for part in (*by_kind, rest)]
    result = shares * np.stack(left, axis=1)
    return np.asarray(result / result.sum(axis=1, keepdims=True))


def _rest_by_counts(shares: Array, boxes: int) -> Array:
    """Return how likely each number of castles of each colour is, when one castle is left out.

    Returns:
        (boxes + 1, ..., n): an axis for the number of each colour, and one for the castle that is
        left out.
    """
    count = len(shares)
    counts = np.zeros((*(boxes + 1,) * len(Colour), count))
    counts[(0,) * len(Colour)] = 1.0
    for number, claims in enumerate(shares):
        more = counts * claims[-1]
        for kind in range(len(Colour)):
            more.swapaxes(0, kind)[1:] += counts.swapaxes(0, kind)[:-1] * claims[kind]
        more[..., number] = counts[..., number]
        counts = more
    return counts
