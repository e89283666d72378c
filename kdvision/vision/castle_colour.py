"""Whose kingdom it is: the colour of its castle, from the pixels at and around its square.

In newer boxes the colour is in the crown and the rim of the start tile; it is on the roofs of a
standing castle, and on a king that lies or stands on the tile. Older start tiles have none. A small
network sees all of it at once, with half a square on each side: the terrains there tell the light.
"""

from collections.abc import Sequence

import numpy as np

from kdvision.arrays import Array, Image
from kdvision.photo.photo import Photo
from kdvision.reading import Colour
from kdvision.rules.kingdom import Position
from kdvision.vision.geometry import on_decoded, rectify, starting_at
from kdvision.vision.grid.finder import Grid
from kdvision.vision.models import PATCHES, Session
from kdvision.vision.settings import COLOUR
from kdvision.vision.squares.window import wanted_side

#: A patch is so many pixels wide and high, and shows so many squares in both directions.
PATCH_PX, _ = PATCHES["colours"]
SQUARES_ACROSS = 2


def read_colours(
    photo: Photo,
    castles: Sequence[tuple[Grid, Position | None]],
    session: Session,
    temperature: float = 1.0,
) -> list[tuple[Colour | None, float]]:
    """The colours of the castles in a photo, each with the probability that it is right.

    None, with 0, where no colour is sure enough, as a wrong one is worse, and where no castle is.

    Args:
        photo: The photo.
        castles: The grid of each kingdom, and the place (row, col) of its castle, if it has one.
        session: The model `colours`.
        temperature: Divides its logits.
    """
    cut = [_cut(photo, grid, castle) for grid, castle in castles if castle is not None]
    if not cut:
        return [(None, 0.0)] * len(castles)
    # Seen from all four sides, so that a table has the same colours whoever takes the photo.
    patches = np.stack(cut)
    sides = np.concatenate([np.rot90(patches, quarters, axes=(1, 2)) for quarters in range(4)])
    logits = session.run(None, {"rgb": sides})[0].reshape(4, len(cut), -1).mean(axis=0)
    logits = logits / temperature
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares = iter(shared_out(powers / powers.sum(axis=1, keepdims=True)))
    return [(None, 0.0) if castle is None else _told(next(shares)) for _, castle in castles]


def _told(shares: Array) -> tuple[Colour | None, float]:
    """The likeliest colour of shares (5,), if it is sure enough."""
    share, colour = max(zip(shares.tolist(), Colour, strict=False))
    return (colour, share) if share >= COLOUR.sure_from else (None, 0.0)


def _cut(photo: Photo, grid: Grid, castle: Position) -> Image:
    """The patch (32, 32, 3) of a castle in a photo."""
    pixels, scale = photo.pixels(wanted_side(photo, [grid]))
    return cut_castle(pixels, on_decoded(grid.homography, scale), grid.centres[castle])


def cut_castle(pixels: Image, homography: Array, centre: Array) -> Image:
    """What lies around a castle, as seen from above: a patch (32, 32, 3).

    Args:
        pixels: RGB (h, w, 3).
        homography: (3, 3) from lattice coordinates (column, row) to its pixels.
        centre: (2,) lattice coordinates of the middle of the start tile.
    """
    corner = starting_at(homography, *(centre - SQUARES_ACROSS / 2))
    px = PATCH_PX // SQUARES_ACROSS
    return rectify(pixels, corner, SQUARES_ACROSS, SQUARES_ACROSS, px=px)


def shared_out(shares: Array) -> Array:
    """Probabilities of colours, given that each is there once in a box.

    What two kingdoms claim alike is open between them, and what only one of them can be is its.

    Args:
        shares: (n, 5) of each castle by itself: of `Colour`, and of no colour, summing to 1.

    Returns:
        (n, 5), summing to 1.
    """
    count, kinds = len(shares), len(Colour)
    boxes = -(-count // kinds)
    result = np.empty_like(shares)
    for number, claims in enumerate(shares):
        rest = _by_counts(np.delete(shares, number, axis=0), boxes)
        # A colour can be this castle's where the rest leave one of it in the boxes.
        left = [np.moveaxis(rest, kind, 0)[:-1].sum() for kind in range(kinds)]
        result[number] = claims * [*left, rest.sum()]
    return np.asarray(result / result.sum(axis=1, keepdims=True))


def _by_counts(shares: Array, boxes: int) -> Array:
    """(boxes + 1, ...) how likely castles are so often of each colour, an axis for each."""
    counts = np.zeros((boxes + 1,) * len(Colour))
    counts.flat[0] = 1.0
    for claims in shares:
        more = counts * claims[-1]
        for kind in range(len(Colour)):
            np.moveaxis(more, kind, 0)[1:] += np.moveaxis(counts, kind, 0)[:-1] * claims[kind]
        counts = more
    return counts
