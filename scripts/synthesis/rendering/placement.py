"""Kingdoms side by side on a table, each turned its own way, none on another."""

from itertools import product

import cv2
import numpy as np
from msgspec.structs import replace

from kdvision.rules.kingdom import Kingdom, Position
from kdvision.rules.terrain import LABELS
from scripts.arrays import Array, Image, Ints, Rng
from scripts.synthesis.players import Laid, LaidKingdom
from scripts.synthesis.rendering.art import Deck, pyramid, read_rgb
from scripts.synthesis.rendering.layout import Piece, Spread, apply, lay_kingdom, pose
from scripts.synthesis.rendering.recipe import Recipe, Sources


def spread_out(
    rng: Rng, sources: Sources, recipe: Recipe, deck: Deck, look: str, count: int, space: float
) -> list[Spread]:
    """Lay kingdoms side by side on the table, each turned its own way.

    `space` is left between neighbouring dominoes, in squares, beyond what loose laying leaves.
    """
    spreads: list[Spread] = []
    used: set[int] = set()
    gap = 5.0 if count == 1 else rng.uniform(4.6, 8.0)
    looseness = float(rng.choice([0.004, 0.015, 0.03, 0.045], p=[0.25, 0.35, 0.25, 0.15]))
    turned_together = rng.random() < 0.5
    common = rng.uniform(0, 2 * np.pi)
    plain = rng.random() < recipe.plain
    for place in range(count):
        # Where it lies.
        if turned_together:
            angle = common + float(rng.integers(4)) * np.pi / 2
        else:
            angle = rng.uniform(0, 2 * np.pi)
        angle += rng.normal(0, 0.04)
        centre = np.array([place % 2, place // 2]) * gap * 1.4 + rng.normal(0, 0.2, 2)
        if look == "board" and sources.boards:
            lines = {str(spread.kingdom) for spread in spreads} if recipe.one_box else set()
            spreads.append(_board(rng, sources, centre, angle, lines))
            continue
        # Which dominoes lie there.
        played = _played(rng, sources, used)
        if played is None:
            break
        if recipe.one_box:
            used |= {laid.domino.number for laid in played.placed}
        kingdom = played.kingdom
        pitch = 1.0 + abs(rng.normal(0, 0.012)) + 0.5 * looseness + space
        where = centred(kingdom, centre, angle, pitch)
        dominoes = [(laid.domino.number, *_ends(rng, laid)) for laid in played.placed]
        # Each colour is in a box once.
        taken = [spread.colour for spread in spreads]
        starts = {colour: deck.starts[colour] for colour in deck.starts if colour not in taken}
        of_others = replace(deck, starts=starts)
        spreads.append(lay_kingdom(kingdom, dominoes, of_others, rng, where, looseness, plain))
    return _apart(spreads)


def _ends(rng: Rng, laid: Laid) -> tuple[Position, Position]:
    """Return where the two halves lie; equal ones, whose pictures differ, either way round."""
    if laid.domino.left == laid.domino.right and rng.random() < 0.5:
        return laid.right_at, laid.left_at
    return laid.left_at, laid.right_at


def _played(rng: Rng, sources: Sources, used: set[int]) -> LaidKingdom | None:
    """Return a kingdom without the dominoes that are used, complete or part-way through its game.

    Kingdoms of one game follow each other in the pool, so the next one fits most often. None
    where too little is left in the box.
    """
    start, grown = int(rng.integers(len(sources.kingdoms))), rng.random() >= 0.35
    for step in range(len(sources.kingdoms)):
        played = sources.kingdoms[(start + step) % len(sources.kingdoms)]
        if not grown:
            played = played.after(int(rng.integers(1, max(2, len(played.laid)))))
        if used.isdisjoint(laid.domino.number for laid in played.placed):
            return played
    return None


def centred(kingdom: Kingdom, centre: Array, angle: float, pitch: float = 1.0) -> Array:
    """Return the pose of a kingdom whose middle lies at a point of the table."""
    at_origin = pose((0, 0), angle, pitch)
    middle = apply(at_origin, np.array([[kingdom.width / 2, kingdom.height / 2]]))[0]
    return pose(centre - middle, angle, pitch)


def _board(rng: Rng, sources: Sources, centre: Array, angle: float, lines: set[str]) -> Spread:
    """Return a real rectified board, of none of the kingdoms `lines`, laid out row by row.

    Empty places are left out: they would show squares of another table.
    """
    free = [board for board in sources.boards if str(Kingdom.parse(board.line)) not in lines]
    board = free[int(rng.integers(len(free)))]
    kingdom, picture = Kingdom.parse(board.line), read_rgb(board.path)
    where = centred(kingdom, centre, angle)
    pieces = [_strip(kingdom, picture, where, *run) for run in _runs(kingdom)]
    return Spread(kingdom, where, pieces, None)


def _runs(kingdom: Kingdom) -> list[tuple[int, int, int]]:
    """Return squares side by side without a gap: (row, first column, column after the last)."""
    runs: list[tuple[int, int, int]] = []
    for (row, col), cell in kingdom.cells():
        if cell is None:
            continue
        if runs and runs[-1][0] == row and runs[-1][2] == col:
            runs[-1] = (row, runs[-1][1], col + 1)
        else:
            runs.append((row, col, col + 1))
    return runs


def _strip(
    kingdom: Kingdom, picture: Image, where: Array, row: int, start: int, stop: int
) -> Piece:
    """Return one run of squares, cut out of the picture of a board."""
    height, width = picture.shape[0] / kingdom.height, picture.shape[1] / kingdom.width
    rows = slice(round(row * height), round((row + 1) * height))
    part = picture[rows, round(start * width) : round(stop * width)]
    squares = [
        (apply(where, _corners(row, col, col + 1)), LABELS.index(str(kingdom[row, col])))
        for col in range(start, stop)
    ]
    quad = apply(where, _corners(row, start, stop))
    return Piece(pyramid(np.ascontiguousarray(part)), quad, squares)


def _corners(row: int, start: int, stop: int) -> Array:
    """Return the corners (4, 2) of squares of one row in lattice coordinates."""
    return np.array([[start, row], [stop, row], [stop, row + 1], [start, row + 1]], float)


def outline(spread: Spread) -> Array:
    """Return the corners (n, 2) of all squares, on the table."""
    return np.concatenate([quad for piece in spread.pieces for quad, _ in piece.squares])


def _apart(spreads: list[Spread]) -> list[Spread]:
    """Leave out kingdoms that would lie on others."""
    kept: list[Spread] = []
    for spread in spreads:
        points = outline(spread)
        if all(_is_clear(points, outline(other)) for other in kept):
            kept.append(spread)
    return kept


def _is_clear(one: Array, other: Array) -> bool:
    """Return whether corners (n, 2) of a kingdom lie apart from those of another."""
    gaps = np.linalg.norm(one[:, None] - other[None], axis=2)
    mine, others = (cv2.convexHull(points.astype(np.float32)) for points in (one, other))
    overlap, _ = cv2.intersectConvexConvex(mine, others)
    return bool(gaps.min() > 0.35 and overlap <= 0.4)


# ---------------------------------------------------------------------- kingdoms that touch

#: Squares between kingdoms that are pushed together, at most.
_TOUCHING_GAP = 0.06
#: Squares. Spread of how far one of them is pushed along the other, beside whole squares.
_TOUCHING_SLIDE = 0.03
#: Radians. Spread of the angle between the two.
_TOUCHING_TURN = 0.005
#: Edges of squares at which they meet, at least.
_LEAST_EDGES = 2


def push_together(rng: Rng, spreads: list[Spread]) -> list[Spread]:
    """Push the second kingdom against a side of the first, so that squares lie edge to edge.

    Returns:
        The two; the first alone where there is no second one, or no side at which they meet.
    """
    if len(spreads) < 2:
        return spreads[:1]
    first, second = spreads[0], spreads[1]
    quarters = int(rng.integers(4))
    turn = pose((0, 0), quarters * np.pi / 2)
    taken = _taken(first.kingdom)
    middles = np.array(sorted(_taken(second.kingdom)))[:, ::-1] + 0.5
    turned = np.floor(apply(turn, middles)).astype(int)
    ways = _ways_to_meet(taken, turned)
    if not ways:
        return [first]
    (across, along), (col, row) = ways[int(rng.integers(len(ways)))]
    loose = rng.uniform(0, _TOUCHING_GAP) * np.array([across, along])
    loose = loose + rng.normal(0, _TOUCHING_SLIDE) * np.array([along, across])
    shift = pose((col + loose[0], row + loose[1]), 0.0)
    middle = turned.mean(axis=0) + 0.5
    tilt = pose(middle, rng.normal(0, _TOUCHING_TURN)) @ pose(-middle, 0.0)
    where = first.pose @ shift @ tilt @ turn
    return [first, _moved(second, where @ np.linalg.inv(second.pose), where)]


def _taken(kingdom: Kingdom) -> set[Position]:
    """Return the places on which something lies, the castle included."""
    return {at for at, cell in kingdom.cells() if cell is not None}


def _ways_to_meet(
    taken: set[Position], cells: Ints
) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the sides (column, row) and shifts at which cells (n, 2) meet squares edge to edge.

    The boxes of the two then lie side by side.
    """
    mine = np.array([(col, row) for row, col in taken])
    low, high = mine.min(axis=0), mine.max(axis=0)
    least, most = cells.min(axis=0), cells.max(axis=0)
    ways = []
    for axis, sign in product((0, 1), (-1, 1)):
        shift = np.zeros(2, int)
        shift[axis] = high[axis] + 1 - least[axis] if sign > 0 else low[axis] - 1 - most[axis]
        other = 1 - axis
        side = (sign, 0) if axis == 0 else (0, sign)
        for slide in range(low[other] - most[other], high[other] - least[other] + 1):
            shift[other] = slide
            beside = {(int(row), int(col)) for col, row in cells + shift - side}
            if len(beside & taken) >= _LEAST_EDGES:
                ways.append((side, (int(shift[0]), int(shift[1]))))
    return ways


def _moved(spread: Spread, by: Array, where: Array) -> Spread:
    """Return a kingdom moved on the table, to where its lattice becomes `where`."""
    pieces = []
    for piece in spread.pieces:
        squares = [(apply(by, quad), label) for quad, label in piece.squares]
        pieces.append(replace(piece, quad=apply(by, piece.quad), squares=squares))
    castle = None if spread.castle_at is None else apply(by, spread.castle_at[None])[0]
    return replace(spread, pose=where, pieces=pieces, castle_at=castle)
