"""Slips of paper on the table, one beside each kingdom."""

from dataclasses import dataclass

import cv2
import numpy as np

from kdvision.slips import layout
from kdvision.slips.slip import ALPHABET, EVENT_LENGTH, SlipCode
from scripts.synthesis.rendering.art import pyramid
from scripts.synthesis.rendering.camera import Camera
from scripts.synthesis.rendering.layout import Array, Piece, Spread, apply
from scripts.synthesis.rendering.placement import outline
from scripts.synthesis.rendering.scene import SlipTruth
from scripts.synthesis.slips import MarkedSlip, draw_slip, random_slip

#: mm. Sides of the squares of tiles: two sizes, as the slips are printed in one.
TILES = (20.0, 40.0)
#: Squares. How far people lay a slip from their kingdom, and from everything else.
_GAP, _CLEARANCE = (0.15, 1.2), 0.2
_TRIES = 24
_THICKNESS = 0.004


@dataclass(slots=True)
class LaidSlip:
    """A slip on the table: `piece.quad` are its corners from above its name on."""

    slip: MarkedSlip
    kingdom: int
    piece: Piece


def lay_slips(rng: np.random.Generator, spreads: list[Spread], share: float) -> list[LaidSlip]:
    """Lay a slip beside kingdoms, a share of them, where there is room.

    The slips of a picture are of one event, round and table.
    """
    event = "".join(rng.choice(list(ALPHABET), EVENT_LENGTH))
    turn, table = int(rng.integers(1, 9)), int(rng.integers(1, 60))
    players = rng.permutation(200)[: len(spreads)] + 1
    tile = float(rng.choice(TILES))
    taken = [outline(spread) for spread in spreads]
    laid: list[LaidSlip] = []
    for index, spread in enumerate(spreads):
        slip = random_slip(rng, SlipCode(event, turn, table, int(players[index])))
        quad = _room(rng, spread, tile, taken) if rng.random() < share else None
        if quad is not None:
            taken.append(quad)
            laid.append(LaidSlip(slip, index, piece_of(slip, quad, rng)))
    return laid


def piece_of(slip: MarkedSlip, quad: Array, rng: np.random.Generator) -> Piece:
    """The slip as a thing on the table; `quad` (4, 2) are its corners from above its name on."""
    return Piece(pyramid(draw_slip(slip, rng)), quad, [], _THICKNESS)


def _room(
    rng: np.random.Generator, spread: Spread, tile: float, taken: list[Array]
) -> Array | None:
    """Where a slip lies beside a kingdom, its corners (4, 2) on the table; None without room."""
    cols, rows = spread.kingdom.width, spread.kingdom.height
    half = np.array(layout.SIZE) / tile / 2
    for _ in range(_TRIES):
        side = int(rng.integers(4))
        quarter = int(rng.integers(4)) if rng.random() < 0.3 else 0
        reach = half if quarter % 2 == 0 else half[::-1]
        gap = rng.uniform(*_GAP)
        along = rng.uniform(0, 1, 2) * [cols, rows]
        outside = [
            (-gap - reach[0], along[1]),
            (cols + gap + reach[0], along[1]),
            (along[0], -gap - reach[1]),
            (along[0], rows + gap + reach[1]),
        ][side]
        angle = quarter * np.pi / 2 + rng.normal(0, 0.06)
        cos, sin = np.cos(angle), np.sin(angle)
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        corners = corners @ np.array([[cos, sin], [-sin, cos]]) + outside
        quad = apply(spread.pose, corners)
        if all(_apart(quad, other) for other in taken):
            return quad
    return None


def _apart(quad: Array, other: Array) -> bool:
    """Whether a slip lies clear of the corners of squares (n, 2) or of another slip."""
    hull = cv2.convexHull(other.astype(np.float32))
    area, _ = cv2.intersectConvexConvex(quad.astype(np.float32), hull)
    if area > 0:
        return False
    points = np.concatenate([quad + (np.roll(quad, 1, axis=0) - quad) * s for s in (0, 0.33, 0.67)])
    far = [cv2.pointPolygonTest(hull, (float(x), float(y)), True) for x, y in points]
    return max(far) < -_CLEARANCE * 0.7


def slip_truth(paper: LaidSlip, camera: Camera) -> SlipTruth:
    """How a slip lies in the picture."""
    quad, size = paper.piece.quad, np.array(layout.SLIP_CORNERS, np.float32)
    to_table = cv2.getPerspectiveTransform(size, quad.astype(np.float32))
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    to_photo = half @ camera.plane(paper.piece.thickness) @ to_table
    return SlipTruth(paper.slip, paper.kingdom, np.asarray(to_photo, np.float64))
