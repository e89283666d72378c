"""How tiles end: rounded corners, a rim that catches the light, the shadow between two tiles.

This is what tells two dominoes side by side from one: where tiles end there is a gap with a
shadow in it, a rim, and a step of brightness, and corners are rounded; inside a domino the print
goes on.
"""

import cv2
import numpy as np
from msgspec.structs import replace

from scripts.arrays import Array, Image, Rng
from scripts.synthesis.rendering.camera import Camera
from scripts.synthesis.rendering.layout import Piece
from scripts.synthesis.rendering.scene import is_visible, picture_for

#: Points of the outline per rounded corner.
_CORNER_POINTS = 4


class Edges:
    """How the tiles of one box end, drawn at random; lengths in squares.

    From new tiles laid close together to worn ones laid apart.

    Attributes:
        gap: Between neighbours, beyond what loose laying leaves.
        radius: Of the corners.
        rim: Width of the strip along the edge that bends away.
        shade: Brightness of the rim where it ends; 1 is that of the tile.
        bevel: How much brighter the rim is towards the light, and darker away from it.
        dark: How much light the gap between two tiles loses.
        tones: Standard deviation of the brightness of tiles, which never lie quite level.
        misprint: Standard deviation of the offset of the print on the cardboard.
    """

    def __init__(self, rng: Rng) -> None:
        self.gap = float(rng.choice([0.0, rng.uniform(0, 0.012), rng.uniform(0, 0.04)]))
        self.radius = rng.uniform(0.0, 0.055)
        self.rim = rng.uniform(0.006, 0.03)
        self.shade = rng.uniform(0.45, 1.1)
        self.bevel = rng.uniform(0.0, 0.35)
        self.dark = rng.uniform(0.2, 0.95)
        self.tones = rng.uniform(0.0, 0.05)
        self.misprint = rng.uniform(0.0, 0.012)


def darken_gaps(image: Image, camera: Camera, pieces: list[Piece], edges: Edges) -> None:
    """Draw the narrow shadow around every tile, which fills the gap between two. In place."""
    mask = np.zeros(image.shape[:2], np.uint8)
    for piece in pieces:
        middle = piece.quad.mean(axis=0)
        along, across = _sides(piece.quad)
        reach = np.array([along, across]) * (edges.rim + 0.015)
        wider = piece.quad + np.sign((piece.quad - middle) @ np.c_[along, across]) @ reach
        points = camera.project(np.c_[wider, np.zeros(4)])
        if is_visible(points, image):
            cv2.fillConvexPoly(mask, np.array(points * 16, np.int32), 255, cv2.LINE_AA, 4)
    dark = cv2.GaussianBlur(mask, (0, 0), 0.7).astype(np.float32) * (edges.dark / 255)
    np.multiply(image, 1 - dark[..., None], out=image, casting="unsafe")


def cut_piece(piece: Piece, camera: Camera, edges: Edges, light: Array, rng: Rng) -> Piece:
    """Return a tile that ends as `edges` say; anything else as it is.

    Args:
        piece: A flat piece on the table.
        camera: Of the picture that it is drawn into.
        edges: How it ends.
        light: Where shadows fall on the table: away from the light.
        rng: Random numbers, for its tone and its print.
    """
    top = camera.project(np.c_[piece.quad, np.full(4, piece.thickness)])
    if not piece.squares or not np.isfinite(top).all():
        return piece
    picture = _printed(picture_for(piece, top), edges, rng)
    tone = float(np.clip(rng.normal(1, edges.tones), 0.85, 1.15))
    cut = cut_out(picture, edges, _facing(piece.quad, light), tone)
    return replace(piece, levels=[cut], outline=rounded(piece.quad, edges.radius))


def rounded(quad: Array, radius: float) -> Array:
    """Return the outline (n, 2) of a rectangle on the table, its corners rounded by `radius`."""
    along, across = _sides(quad)
    turns = np.linspace(0, np.pi / 2, _CORNER_POINTS)
    arc = np.c_[1 - np.sin(turns), 1 - np.cos(turns)] * radius
    # From every corner the two sides that meet there.
    ways = np.array([[along, across], [across, -along], [-along, -across], [-across, along]])
    return np.asarray((quad[:, None] + arc @ ways).reshape(-1, 2))


def cut_out(
    picture: Image, edges: Edges, facing: tuple[float, float, float, float], tone: float
) -> Image:
    """Return the picture of a tile, one square high, as RGBA with its rim and its rounded corners.

    Args:
        picture: (h, w, 3).
        edges: How it ends.
        facing: How much the left, upper, right and lower side face the light, -1 to 1.
        tone: Brightness of the whole.
    """
    height, width = picture.shape[:2]
    x, y = (np.arange(width) + 0.5) / height, (np.arange(height) + 0.5) / height
    to_left, to_right = x[None, :], (width / height - x)[None, :]
    to_top, to_bottom = y[:, None], (1 - y)[:, None]
    light = np.full((height, width), tone, np.float32)
    for away, towards in zip((to_left, to_top, to_right, to_bottom), facing, strict=True):
        strength = edges.shade * (1 + edges.bevel * towards) - 1
        light = light * (1 + strength * np.exp(-((away / edges.rim) ** 2)))
    inner = np.minimum(np.minimum(to_left, to_right), edges.radius) - edges.radius
    outer = np.minimum(np.minimum(to_top, to_bottom), edges.radius) - edges.radius
    beyond = np.hypot(inner, outer) - edges.radius
    alpha = np.where((inner < 0) & (outer < 0), np.clip(0.5 - beyond * height, 0, 1), 1.0)
    shaded = np.clip(picture * light[..., None], 0, 255)
    return np.dstack([shaded, alpha * 255]).astype(np.uint8)


def _printed(picture: Image, edges: Edges, rng: Rng) -> Image:
    """Return the print moved a little on its cardboard: cut on one side, and missing none."""
    height, width = picture.shape[:2]
    shifts = np.abs(rng.normal(0, edges.misprint, 4)).clip(0, 0.03) * height
    left, top, right, bottom = (round(float(shift)) for shift in shifts)
    return picture[top : height - bottom, left : width - right]


def _sides(quad: Array) -> tuple[Array, Array]:
    """Return the directions (2,) of a rectangle's upper and left side, of length 1."""
    along, across = quad[1] - quad[0], quad[3] - quad[0]
    return along / np.linalg.norm(along), across / np.linalg.norm(across)


def _facing(quad: Array, light: Array) -> tuple[float, float, float, float]:
    """Return how much the left, upper, right and lower side face the light."""
    along, across = _sides(quad)
    way = light / max(float(np.linalg.norm(light)), 1e-6)
    x, y = float(along @ way), float(across @ way)
    return x, y, -x, -y
