"""A photo becomes the grids of the kingdoms in it.

The network looks at the reduced photo, squares become lattices, and each lattice is looked at once
more, cut out and scaled to the size that the network sees best.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kdvision.arrays import Array, Image
from kdvision.photo.photo import Photo
from kdvision.photo.settings import PHOTO
from kdvision.vision.geometry import local_axes, project
from kdvision.vision.grid.detector import (
    LOOK_PX,
    MOST_ENLARGED,
    Look,
    look_at_all,
    look_from_above,
)
from kdvision.vision.grid.grid import FEW_VOTES, MANY_VOTES, Grid, middles
from kdvision.vision.grid.lattice import Lattice, grow_lattices
from kdvision.vision.grid.voting import Squares

#: The longer side of the second look at a whole photo whose squares are small in the first, which
#: means a side of less than `SMALL_SQUARE_PX` there, or that none were seen.
FINE_LOOK_PX = 1600
SMALL_SQUARE_PX = 19.0
#: A square's side in pixels at which the network sees best, and what it still sees well.
BEST_SQUARE_PX = 36
GOOD_SQUARE_PX = (24.0, 64.0)
#: Foreshortened squares are looked at from above when they are less high than this, or when they
#: lie further than `LOOSE` squares from their lattice.
SHORTEST_PX = 20.0
LOOSE = 0.07
#: Places around a kingdom that are seen in such a view, and how many views there are at most.
PLACES_AROUND = 2
MOST_LOOKS = 2
#: Squares that become so many times larger or smaller in a second look are others.
SAME_SIDE = 1.4
#: The largest window that is read: a 7x7 kingdom and a ring around it.
MOST_PLACES = 9
#: Fewer squares than castle and one domino are no kingdom; one of them may go unseen where the
#: castle is clear.
LEAST_SQUARES = 3
LIKELY_CASTLE = 0.5
#: At most so many lattices of a photo are looked at.
MOST_GRIDS = 12


#: Decoded pixels (h, w, 3) of a photo, how many of its own pixels one of them is wide, and what is
#: seen in them.
Looked = tuple[Image, float, Look]


def find_grids(photo: Photo, session: Any) -> list[Grid]:
    """The grids in a photo, the one with most squares first.

    Args:
        photo: The photo.
        session: ONNX Runtime session of the model `grid`.
    """
    return grids_in(look_at(photo, session), session)


def grids_in(looked: Looked, session: Any) -> list[Grid]:
    """The grids in what `look_at` saw, the one with most squares first."""
    pixels, scale, look = looked
    grids = []
    for lattice in _lattices(look.squares)[:MOST_GRIDS]:
        better, its_look = _look_again(pixels, session, look, lattice)
        grids.append(_grid(better, its_look, scale))
    return sorted(grids, key=lambda grid: -int(grid.found.sum()))


def look_at(photo: Photo, session: Any) -> Looked:
    """What is seen in all of a photo: finely, where squares are small."""
    pixels, scale = photo.pixels(PHOTO.working_side_px)
    look = look_at_all(pixels, session)
    seen_px = look.square_px
    if seen_px >= SMALL_SQUARE_PX:
        return pixels, scale, look
    wanted = round(LOOK_PX * BEST_SQUARE_PX / seen_px) if seen_px else FINE_LOOK_PX
    wanted = min(wanted, FINE_LOOK_PX, max(photo.width, photo.height))
    if wanted <= LOOK_PX:
        return pixels, scale, look
    pixels, scale = photo.pixels(max(wanted, PHOTO.working_side_px))
    return pixels, scale, look_at_all(pixels, session, wanted)


def _lattices(squares: Squares) -> list[Lattice]:
    """The lattices that may hold a kingdom, the one with most squares first."""
    return [
        lattice
        for lattice in grow_lattices(squares, least=LEAST_SQUARES - 1)
        if len(lattice.members) >= LEAST_SQUARES
        or squares.castle[lattice.members].max() >= LIKELY_CASTLE
    ]


def _look_again(pixels: Image, session: Any, look: Look, lattice: Lattice) -> tuple[Lattice, Look]:
    """The lattice as seen from above, when its squares were hard to see in the first look.

    The second look counts only when it finds the same kingdom at least as well.
    """
    for _ in range(MOST_LOOKS):
        if not _hard_to_see(look, lattice):
            break
        again = _from_above(pixels, session, lattice)
        found = _same_kingdom(again, look, lattice)
        if found is None:
            break
        lattice, look = found, again
    return lattice, look


def _hard_to_see(look: Look, lattice: Lattice) -> bool:
    """Whether squares are small, large or foreshortened in a view, or do not fit their lattice."""
    middle = lattice.places.mean(axis=0, keepdims=True) + 0.5
    axes = local_axes(look.to_view @ lattice.homography, middle)[0]
    _, shorter = np.linalg.svd(axes)[1]
    side = float(np.median(look.squares.scales[lattice.members])) * look.factor
    good = GOOD_SQUARE_PX[0] <= side <= GOOD_SQUARE_PX[1] and shorter >= SHORTEST_PX
    return not good or lattice.residual > LOOSE


def _from_above(pixels: Image, session: Any, lattice: Lattice) -> Look:
    """A view in which the squares in the middle of a lattice are upright squares."""
    low = lattice.places.min(axis=0) - PLACES_AROUND
    high = lattice.places.max(axis=0) + 1 + PLACES_AROUND
    middle = lattice.places.mean(axis=0) + 0.5
    axes = local_axes(lattice.homography, middle[None])[0]
    origin = project(lattice.homography, middle[None])[0] - middle @ axes
    affine = np.array([[*axes[:, 0], origin[0]], [*axes[:, 1], origin[1]], [0, 0, 1]])
    side = float(np.sqrt(abs(np.linalg.det(axes))))
    px = min(BEST_SQUARE_PX, 1.3 * LOOK_PX / (high - low).max(), MOST_ENLARGED * side)
    return look_from_above(pixels, session, affine, (low, high), max(round(px), 4))


def _same_kingdom(again: Look, look: Look, lattice: Lattice) -> Lattice | None:
    """The lattice of a second look that is the one of the first, if it is no worse."""
    squares, members = look.squares, lattice.members
    middle, side = squares.centres[members].mean(axis=0), np.median(squares.scales[members])
    for other in _lattices(again.squares):
        count = len(other.members)
        away = again.squares.centres[other.members].mean(axis=0) - middle
        ratio = np.median(again.squares.scales[other.members]) / side
        if np.linalg.norm(away) < 2 * side and 1 / SAME_SIDE < ratio < SAME_SIDE:
            better = other.residual < 0.8 * lattice.residual and count >= 0.7 * len(members)
            return other if count >= len(members) or better else None
    return None


def _grid(lattice: Lattice, look: Look, scale: float) -> Grid:
    """The window of a lattice: its squares and a ring around them, upright in the photo."""
    squares = look.squares
    homography, places = _upright(lattice)
    low, high = _window(places)
    rows, cols = int(high[1] - low[1] + 1), int(high[0] - low[0] + 1)
    homography = homography @ np.array([[1, 0, low[0]], [0, 1, low[1]], [0, 0, 1.0]])
    centres = middles(rows, cols)
    found, castle = np.zeros((rows, cols), bool), np.zeros((rows, cols))
    agreed = np.full((rows, cols), FEW_VOTES)
    inside = ((places >= low) & (places <= high)).all(axis=1)
    members, (col, row) = lattice.members[inside], (places - low)[inside].T
    own = project(np.linalg.inv(homography), squares.centres[members])
    centres[row, col] += np.clip(own - centres[row, col], -0.15, 0.15)
    found[row, col] = True
    castle[row, col] = squares.castle[members]
    agreed[row, col] = np.clip(squares.votes[members] / MANY_VOTES, FEW_VOTES, 1.0)
    tile, tile_seen = look.tile_share(homography, rows, cols)
    to_photo = np.array([[scale, 0, 0.5 * scale], [0, scale, 0.5 * scale], [0, 0, 1]])
    homography = to_photo @ homography
    middle = local_axes(homography, np.array([[cols / 2, rows / 2]]))[0]
    side = float(np.sqrt(abs(np.linalg.det(middle))))
    return Grid(
        homography,
        rows,
        cols,
        centres,
        found,
        castle,
        tile,
        tile_seen,
        agreed,
        lattice.residual,
        side,
    )


def _upright(lattice: Lattice) -> tuple[Array, NDArray[np.int64]]:
    """Turn the lattice by quarters so that its rows run to the right in the photo."""
    middle = lattice.places.mean(axis=0, keepdims=True) + 0.5
    axes = local_axes(lattice.homography, middle)[0]
    turns = (axes[0], axes[1], -axes[0], -axes[1])
    quarter = int(np.argmax([turn[0] for turn in turns]))
    # New (column, row) of the old place: each quarter maps old rows to new columns.
    turn = np.linalg.matrix_power(np.array([[0, 1], [-1, 0]]), quarter)
    middles = (lattice.places + 0.5) @ turn.T
    back = np.eye(3)
    back[:2, :2] = turn.T
    return lattice.homography @ back, np.floor(middles).astype(np.int64)


def _window(places: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(low, high) of the window, inclusive: all squares and a ring, at most 9x9.

    Where squares lie further apart, the window holds as many of them as it can.
    """
    low, high = places.min(axis=0) - 1, places.max(axis=0) + 1
    for axis in (0, 1):
        if high[axis] - low[axis] + 1 > MOST_PLACES:
            starts = np.arange(low[axis], high[axis] - MOST_PLACES + 2)
            inside = [
                ((places[:, axis] > start) & (places[:, axis] < start + MOST_PLACES - 1)).sum()
                for start in starts
            ]
            low[axis] = starts[int(np.argmax(inside))]
            high[axis] = low[axis] + MOST_PLACES - 1
    return low, high
