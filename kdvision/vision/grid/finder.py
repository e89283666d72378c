"""A photo becomes the grids of the kingdoms in it.

The detector runs on the reduced photo and squares become lattices. Where the squares of a lattice
were hard to see, it runs again on a view of them from above, at the size that it sees best; and
once more where detector and classifier do not agree on the places of a kingdom (`recheck`).
"""

from functools import partial

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from kdvision.arrays import Array, median
from kdvision.concurrency import map_threads
from kdvision.photo.photo import PHOTO, Photo
from kdvision.reading import Reading
from kdvision.vision.geometry import View, inverse, local_axes, project, shift_origin
from kdvision.vision.grid.detector import Detection, detect_all, detect_from_above
from kdvision.vision.grid.grid import Grid, middles, taken_mask
from kdvision.vision.grid.lattice import Lattice, grow_lattices, quarter_turns
from kdvision.vision.grid.settings import GRID
from kdvision.vision.grid.voting import Squares
from kdvision.vision.models import Model

#: How many times `GRID.view_px` a view from above is wide at most.
_WIDEST_FROM_ABOVE = 1.3
#: Squares. A patch follows its tile no further from the middle of its place, along each axis.
_MOST_SHIFT = 0.15
#: A lattice and the detection that its squares are of.
_DetectedLattice = tuple[Lattice, Detection]


def find_grids(detection: Detection, model: Model, threads: int = 1) -> list[Grid]:
    """Find the grids in what `detect_squares` found, the one with most squares first.

    Args:
        detection: What was found.
        model: The model `grid`.
        threads: How many of them look at lattices from above.
    """
    lattices = [(lattice, detection) for lattice in _find_lattices(detection)]
    best = map_threads(partial(_see_best, model), lattices[: GRID.most_grids], threads)
    grids = [_make_grid(*seen) for seen in best]
    return sorted(grids, key=lambda grid: -int(grid.found.sum()))


def detect_squares(photo: Photo, model: Model) -> Detection:
    """Find squares in all of a photo: in a finer view, where they are small."""
    detection = detect_all(View.of(photo, PHOTO.working_side_px), model)
    seen_px = detection.square_px
    if seen_px >= GRID.fine_below_px:
        return detection
    most = GRID.fine_view_px
    wanted = round(GRID.view_px * GRID.best_square_px / seen_px) if seen_px else most
    wanted = min(wanted, most, max(photo.width, photo.height))
    if wanted <= GRID.view_px:
        return detection
    return detect_all(View.of(photo, max(wanted, PHOTO.working_side_px)), model, wanted)


def _find_lattices(detection: Detection) -> list[Lattice]:
    """Return the lattices that may hold a kingdom, the one with most squares first."""
    least = GRID.least_squares
    return [
        lattice
        for lattice in grow_lattices(detection.squares, least=least - 1)
        if len(lattice.members) >= least or _stands_beside(detection, lattice)
    ]


def _stands_beside(detection: Detection, lattice: Lattice) -> bool:
    """Return whether a place beside squares of a lattice looks like a tile, as a castle does."""
    low, high = lattice.places.min(axis=0) - 1, lattice.places.max(axis=0) + 1
    homography = shift_origin(lattice.homography, *low)
    cols, rows = (high - low + 1).tolist()
    tile, _ = detection.tile_share(homography, rows, cols)
    squares = np.zeros((rows, cols), np.uint8)
    squares[tuple((lattice.places - low).T[::-1])] = 1
    cross = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8)
    beside = cv2.dilate(squares, cross) > squares
    return bool(tile[beside].max() >= GRID.stands_beside)


def _see_best(model: Model, seen: _DetectedLattice) -> _DetectedLattice:
    """Detect a lattice again from above, where its squares were hard to see before.

    A view from above counts only when it finds the same kingdom at least as well.
    """
    lattice, detection = seen
    if not _is_hard_to_see(detection, lattice):
        return seen
    detection_above = _see_from_above(detection.photo, model, lattice)
    better = _match_kingdom(detection_above, detection, lattice)
    return (better, detection_above) if better else seen


def _is_hard_to_see(detection: Detection, lattice: Lattice) -> bool:
    """Return whether squares are small, large, foreshortened, or do not fit their lattice."""
    middle = lattice.places.mean(axis=0, keepdims=True) + 0.5
    axes = local_axes(detection.to_view @ lattice.homography, middle)[0]
    _, shorter = np.linalg.svd(axes)[1]
    side = median(detection.squares.scales[lattice.members]) * detection.factor
    good = GRID.good_from_px <= side <= GRID.good_to_px and shorter >= GRID.shortest_px
    return not good or lattice.residual > GRID.loose_residual


def _see_from_above(photo: View, model: Model, lattice: Lattice) -> Detection:
    """Find squares in a view in which those in the middle of a lattice are upright."""
    low = lattice.places.min(axis=0) - GRID.ring_from_above
    high = lattice.places.max(axis=0) + 1 + GRID.ring_from_above
    middle = lattice.places.mean(axis=0) + 0.5
    axes = local_axes(lattice.homography, middle[None])[0]
    origin = project(lattice.homography, middle[None])[0] - middle @ axes
    affine = np.array([[*axes[:, 0], origin[0]], [*axes[:, 1], origin[1]], [0, 0, 1]])
    side = float(np.sqrt(abs(np.linalg.det(axes))))
    widest = _WIDEST_FROM_ABOVE * GRID.view_px / (high - low).max()
    px = min(GRID.best_square_px, widest, GRID.most_enlarged * side)
    return detect_from_above(photo, model, affine, (low, high), max(round(px), 4))


def _match_kingdom(again: Detection, before: Detection, lattice: Lattice) -> Lattice | None:
    """Find the lattice of the first detection in a second one, if it is no worse there."""
    squares, members = before.squares, lattice.members
    middle, side = squares.centres[members].mean(axis=0), median(squares.scales[members])
    for candidate in _find_lattices(again):
        count = len(candidate.members)
        away = again.squares.centres[candidate.members].mean(axis=0) - middle
        ratio = median(again.squares.scales[candidate.members]) / side
        near = np.linalg.norm(away) < GRID.same_middle * side
        if near and 1 / GRID.same_side < ratio < GRID.same_side:
            better = candidate.residual < GRID.better_residual * lattice.residual
            enough = count >= GRID.enough_squares * len(members)
            return candidate if count >= len(members) or (better and enough) else None
    return None


def _make_grid(lattice: Lattice, detection: Detection) -> Grid:
    """Make the window of a lattice: its squares and a ring around them, upright in the photo."""
    # The window, from which places are counted.
    squares = detection.squares
    homography, places = _turn_lattice(lattice)
    low, high = _find_window(places)
    rows, cols = int(high[1] - low[1] + 1), int(high[0] - low[0] + 1)
    homography = shift_origin(homography, *low)
    centres = middles(rows, cols)
    inside = ((places >= low) & (places <= high)).all(axis=1)
    # Centres as they were detected, where a square was, and what else lies on each place.
    members, (col, row) = lattice.members[inside], (places - low)[inside].T
    shown_at = project(inverse(homography), squares.centres[members])
    centres[row, col] += np.clip(shown_at - centres[row, col], -_MOST_SHIFT, _MOST_SHIFT)
    occupied, castle, agreed = _map_to_places((rows, cols), row, col, squares, members)
    tile, tile_seen = detection.tile_share(homography, rows, cols)
    # From the picture that was searched to the pixels of the photo.
    scale = detection.photo.scale
    to_photo = np.array([[scale, 0, 0.5 * scale], [0, scale, 0.5 * scale], [0, 0, 1]])
    homography = to_photo @ homography
    middle = local_axes(homography, np.array([[cols / 2, rows / 2]]))[0]
    side = float(np.sqrt(abs(np.linalg.det(middle))))
    return Grid(
        homography=homography,
        rows=rows,
        cols=cols,
        centres=centres,
        found=occupied,
        castle=castle,
        tile=tile,
        tile_seen=tile_seen,
        agreed=agreed,
        residual=lattice.residual,
        square_px=side,
    )


def _turn_lattice(lattice: Lattice) -> tuple[Array, NDArray[np.int64]]:
    """Turn the lattice by quarters so that its rows run to the right in the photo."""
    middle = lattice.places.mean(axis=0, keepdims=True) + 0.5
    turns = quarter_turns(local_axes(lattice.homography, middle)[0])
    quarter = int(np.argmax(turns[:, 0, 0]))
    # New (column, row) of the old place: each quarter maps old rows to new columns.
    turn = np.linalg.matrix_power(np.array([[0, 1], [-1, 0]]), quarter)
    middles = (lattice.places + 0.5) @ turn.T
    back = np.eye(3)
    back[:2, :2] = turn.T
    return lattice.homography @ back, np.floor(middles).astype(np.int64)


def _find_window(places: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (low, high) of the window, inclusive: all squares and a ring, at most 16x16.

    Where squares lie further apart, the window holds as many of them as it can.
    """
    low, high = places.min(axis=0) - 1, places.max(axis=0) + 1
    for axis in (0, 1):
        if high[axis] - low[axis] + 1 > GRID.most_places:
            starts = np.arange(low[axis], high[axis] - GRID.most_places + 2)
            inside = [
                ((places[:, axis] > start) & (places[:, axis] < start + GRID.most_places - 1)).sum()
                for start in starts
            ]
            low[axis] = starts[int(np.argmax(inside))]
            high[axis] = low[axis] + GRID.most_places - 1
    return low, high


# ---------------------------------------------------------------------- a second detection


def recheck(photo: Photo, grid: Grid, reading: Reading, model: Model) -> Grid:
    """Return the grid with what a second detection says of its places.

    Args:
        photo: The photo.
        grid: One of its grids.
        reading: What the classifier read on it.
        model: The model `grid`.
    """
    # The window as seen from above, at the size at which the detector sees best.
    longest = max(photo.width, photo.height)
    wanted = round(longest * GRID.best_square_px / max(grid.square_px, 1.0))
    view = View.of(photo, max(PHOTO.working_side_px, wanted))
    homography = view.locate(grid.homography)
    window = np.zeros(2), np.array([grid.cols, grid.rows], np.float64)
    detection = detect_from_above(view, model, homography, window, GRID.best_square_px)
    tile, tile_seen = detection.tile_share(homography, grid.rows, grid.cols)
    # The squares that lie on one of its places.
    taken = taken_mask(reading)
    at = project(inverse(homography), detection.squares.centres) - 0.5
    whole = np.round(at).astype(np.int64)
    near = (np.abs(at - whole).max(axis=1) < GRID.recheck_reach) & (whole >= 0).all(axis=1)
    (members,) = np.nonzero(near & (whole < [grid.cols, grid.rows]).all(axis=1))
    col, row = whole[members].T
    shape = grid.rows, grid.cols
    occupied, castle, agreed = _map_to_places(shape, row, col, detection.squares, members)
    # Where something was read either detection is enough; elsewhere both must see a square.
    return replace(
        grid,
        found=np.where(taken, grid.found | occupied, grid.found & occupied),
        castle=np.where(grid.found & occupied, (grid.castle + castle) / 2, grid.castle + castle),
        tile=(grid.tile + tile) / 2,
        tile_seen=(grid.tile_seen + tile_seen) / 2,
        agreed=np.where(taken, np.maximum(grid.agreed, agreed), np.minimum(grid.agreed, agreed)),
    )


def _map_to_places(
    shape: tuple[int, int],
    row: NDArray[np.int64],
    col: NDArray[np.int64],
    squares: Squares,
    members: NDArray[np.int64],
) -> tuple[NDArray[np.bool_], Array, Array]:
    """Return (rows, cols): where squares were found, how like a castle, how far pixels agreed."""
    occupied, castle = np.zeros(shape, bool), np.zeros(shape)
    agreed = np.full(shape, GRID.few_votes)
    occupied[row, col] = True
    castle[row, col] = squares.castle[members]
    agreed[row, col] = np.clip(squares.votes[members] / GRID.many_votes, GRID.few_votes, 1.0)
    return occupied, castle, agreed
