"""What vision saw of one photo, without its pixels: kept, and judged as often as anybody asks.

A photo is read once. Rules, corrections and claims are judged by what was read, in any process.
"""

from typing import Self

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from kdvision import __version__
from kdvision.arrays import Array
from kdvision.reading import NOTHING, Doubt, Place, Reading
from kdvision.rules.kingdom import Pair, Position, shift
from kdvision.vision.found import FoundKingdom
from kdvision.vision.geometry import project, shift_origin

#: The version of the bytes. Those of another version are of no use: the photo is read anew.
_VERSION = f"{__version__}/1"


class ReadCastle(Struct, frozen=True):
    """The colour of a castle, as far as it shows.

    Attributes:
        place: The place (row, col) of the grid on which the castle stands.
        colours: How likely it has each of `Colour`, and none of them last; they sum to 1.
    """

    place: Position
    colours: tuple[float, ...]


class ReadSeam(Struct, frozen=True):
    """What the photo shows between two places.

    Attributes:
        pair: Two neighbouring places (row, col) of the grid, the upper or the left one first.
        ratio: The natural logarithm of how much likelier it looks so if they are one domino than if
            they are two.
    """

    pair: Pair
    ratio: float


class ReadKingdom(Struct, frozen=True):
    """What vision saw of one kingdom.

    Attributes:
        reading: What lies on every place of its grid, with the doubts.
        homography: (3, 3) row by row, from lattice coordinates (column, row) of the grid to pixels
            (x, y) of the upright photo.
        castle: Its castle; None where no place looks like one.
        seams: The seams that were looked at.
    """

    reading: Reading
    homography: tuple[tuple[float, float, float], ...]
    castle: ReadCastle | None = None
    seams: tuple[ReadSeam, ...] = ()

    @classmethod
    def of(cls, kingdom: FoundKingdom) -> Self:
        """Keep what was read of a kingdom, without a look at its castle and its seams."""
        return cls(kingdom.reading, to_rows(kingdom.grid.homography))

    def to_photo(self, points: Array) -> Array:
        """Return pixels (n, 2) of the photo for lattice coordinates (column, row), (n, 2)."""
        return project(np.array(self.homography), points)

    def widened(self, above: int, left: int, below: int, right: int) -> Self:
        """Return the kingdom in a window that is wider by so many empty places on each side."""

        def move(at: Position) -> Position:
            return shift(at, (above, left))

        reading, castle = self.reading, self.castle
        rows, cols = above + reading.height + below, left + reading.width + right
        homography = shift_origin(np.array(self.homography), -left, -above)
        middles = np.array(list(np.ndindex(rows, cols)), float)[:, ::-1] + 0.5
        # Places that were not looked at count as empty; every one has its middle in the photo.
        bare = [Place(NOTHING, (x, y)) for x, y in project(homography, middles).tolist()]
        places = [bare[row * cols : (row + 1) * cols] for row in range(rows)]
        for row, line in enumerate(reading.places):
            places[above + row][left : left + reading.width] = line
        moved = reading.move_places((above, left))
        seams = []
        for seam in self.seams:
            first, second = seam.pair
            seams.append(replace(seam, pair=(move(first), move(second))))
        return replace(
            self,
            reading=replace(moved, places=tuple(map(tuple, places))),
            homography=to_rows(homography),
            castle=castle and replace(castle, place=move(castle.place)),
            seams=tuple(seams),
        )


class ReadPhoto(Struct, frozen=True):
    """What vision saw of one photo.

    Attributes:
        name: What the photo is called.
        size: (width, height) of the upright photo in pixels.
        kingdoms: Its kingdoms, in the reading order of their castles.
        left_out: Notes on what else may be a kingdom, and is none of these.
    """

    name: str
    size: tuple[int, int]
    kingdoms: tuple[ReadKingdom, ...]
    left_out: tuple[Doubt, ...] = ()


def to_rows(homography: Array) -> tuple[tuple[float, float, float], ...]:
    """Return a homography (3, 3) as plain numbers, row by row."""
    return tuple((a, b, c) for a, b, c in homography.tolist())


# ---------------------------------------------------------------------- kept as bytes


class _Kept(Struct, frozen=True):
    """What stands in the bytes.

    Attributes:
        version: What wrote them; it stands first, so that it can be read whatever follows.
        photo: What was read.
    """

    version: str
    photo: msgspec.Raw


def encode_read(read: ReadPhoto) -> bytes:
    """Return what was read as bytes, some 20 kB a kingdom."""
    photo = msgspec.Raw(msgspec.msgpack.encode(read))
    return msgspec.msgpack.encode(_Kept(_VERSION, photo))


def decode_read(data: bytes) -> ReadPhoto | None:
    """Return what was read, from its bytes.

    Returns:
        None where another version wrote them, or they are damaged: the photo is read anew.
    """
    try:
        kept = msgspec.msgpack.decode(data, type=_Kept)
        if kept.version != _VERSION:
            return None
        return msgspec.msgpack.decode(kept.photo, type=ReadPhoto)
    except msgspec.MsgspecError:
        return None
