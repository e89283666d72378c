"""A scene becomes a picture, and the truth that goes with it."""

import cv2
import numpy as np
from msgspec import Struct

from kdvision.rules.kingdom import Position
from scripts.arrays import Array, Image, Rng
from scripts.pictures import resized
from scripts.synthesis.rendering.camera import Camera
from scripts.synthesis.rendering.layout import Piece


class SquareTruth(Struct, eq=False):
    """A square in the picture: corners (4, 2) in pixels and its label, -1 for a loose one.

    `visible` is the share of it that nothing covers.
    """

    corners: Array
    label: int
    kingdom: int
    visible: float


class KingdomTruth(Struct, eq=False):
    """A kingdom in the picture.

    `homography` (3, 3) maps lattice coordinates (column, row) to pixels. `visible` has the visible
    share of every place and of one more on each side, as `cover.visible_places` gives it.
    `dominoes` has the two places of each domino; None where they are not known. `colour` and
    `shown_by` are as in `layout.Spread`, and `colour_px` is how many pixels show the colour.
    """

    line: str
    homography: Array
    visible: Array
    dominoes: tuple[tuple[Position, Position], ...] | None
    colour: str
    shown_by: list[str]
    colour_px: int


class Rendered(Struct, eq=False):
    """A picture with its truth."""

    image: Image
    kingdoms: list[KingdomTruth]
    squares: list[SquareTruth]
    about: dict[str, float | str]

    def squares_of(self, kingdom: int) -> list[SquareTruth]:
        """Return the squares of the kingdom of a number."""
        return [square for square in self.squares if square.kingdom == kingdom]


def draw_table(camera: Camera, texture: Image, scale: float, turn: float) -> Image:
    """Return the table's texture in perspective; `scale` squares are one texture width."""
    width = texture.shape[1]
    texel = scale / width
    cos, sin = texel * np.cos(turn), texel * np.sin(turn)
    to_table = np.array([[cos, -sin, -scale / 2], [sin, cos, -scale / 3], [0, 0, 1.0]])
    matrix, size = camera.plane() @ to_table, (camera.width, camera.height)
    picture = cv2.warpPerspective(texture, matrix, size, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(picture, np.uint8)


def cast_shadows(
    image: Image, camera: Camera, pieces: list[Piece], light: Array, strength: float
) -> None:
    """Darken the table around the pieces, away from the light. In place."""
    mask = np.zeros(image.shape[:2], np.uint8)
    for piece in pieces:
        shift = light * piece.thickness
        ground = np.c_[piece.quad + shift, np.zeros(4)]
        footprint = np.c_[piece.quad, np.zeros(4)]
        both = np.r_[camera.project(ground), camera.project(footprint)].astype(np.float32)
        cv2.fillConvexPoly(mask, np.array(cv2.convexHull(both) * 16, np.int32), 255, cv2.LINE_AA, 4)
    sigma = max(0.6, image.shape[1] / 700)
    dark = cv2.GaussianBlur(mask, (0, 0), sigma).astype(np.float32) * (strength / 255)
    np.multiply(image, 1 - dark[..., None], out=image, casting="unsafe")


def draw_piece(
    image: Image, camera: Camera, piece: Piece, edge: Array, reflected: Image | None = None
) -> None:
    """Draw a flat piece with the cardboard of its sides. In place.

    `reflected` (h, w, 4) is the reflection in the glossy print: window, sky, lamp.
    """
    top = camera.project(np.c_[piece.quad, np.full(4, piece.thickness)])
    if not is_visible(top, image):
        return
    outline = piece.quad if piece.outline is None else piece.outline
    above = camera.project(np.c_[outline, np.full(len(outline), piece.thickness)])
    below = camera.project(np.c_[outline, np.zeros(len(outline))])
    hull = cv2.convexHull(np.r_[above, below].astype(np.float32))
    cv2.fillConvexPoly(image, np.array(hull * 16, np.int32), edge.tolist(), cv2.LINE_AA, 4)
    paste(image, picture_for(piece, top), top)
    if reflected is not None:
        paste(image, reflected, top)


def picture_for(piece: Piece, top: Array) -> Image:
    """Return the smallest level of a piece that is not much coarser than the photo shows it.

    `top` (4, 2) are its corners in the photo.
    """
    rows = float(np.linalg.norm(top[3] - top[0]) + np.linalg.norm(top[2] - top[1])) / 2
    fitting = [level for level in piece.levels if level.shape[0] >= rows * 0.9]
    return fitting[-1] if fitting else piece.levels[0]


def reflection(rng: Rng, strength: float) -> Image:
    """Return a soft RGBA reflection in a glossy tile; every tile lies at another angle."""
    colour = np.clip(rng.normal([200, 210, 235], [35, 25, 20]), 60, 255)
    spots = rng.random((3, 5)).astype(np.float32) ** rng.uniform(0.6, 3.0)
    alpha = cv2.resize(spots, (64, 32), interpolation=cv2.INTER_CUBIC) * strength * 255
    tint = cv2.resize(rng.normal(1, 0.12, (2, 3, 3)).astype(np.float32), (64, 32))
    reflected = [np.clip(colour * tint, 0, 255), np.clip(alpha, 0, 230)]
    return np.dstack(reflected).astype(np.uint8)


def is_visible(quad: Array, image: Image) -> bool:
    """Return whether any of a polygon (n, 2) in pixels may be seen in the picture."""
    height, width = image.shape[:2]
    inside = np.isfinite(quad).all() and np.abs(quad).max() < 20_000
    low, high = quad.min(axis=0), quad.max(axis=0)
    return bool(inside and high[0] > 0 and high[1] > 0 and low[0] < width and low[1] < height)


def paste(image: Image, picture: Image, quad: Array) -> None:
    """Warp a picture, RGB or RGBA, onto four corners (4, 2) of the image. In place."""
    if not is_visible(quad, image):
        return
    height, width = image.shape[:2]
    left, top = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    right, bottom = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 2, [width, height])
    if right <= left or bottom <= top:
        return
    rows, cols = picture.shape[:2]
    source = np.array([[0, 0], [cols, 0], [cols, rows], [0, rows]], np.float32) - 0.5
    target = (quad - [left, top]).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    size = (int(right - left), int(bottom - top))
    edges = cv2.BORDER_REPLICATE
    colour = cv2.warpPerspective(picture[..., :3], matrix, size, borderMode=edges)
    alpha = np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(alpha, np.array(np.round(target * 16), np.int32), 255, cv2.LINE_AA, 4)
    if picture.shape[2] == 4:
        clear = cv2.warpPerspective(picture[..., 3], matrix, size)
        alpha = cv2.min(alpha, clear)
    weight = (alpha.astype(np.float32) * (1 / 255))[..., None]
    region = image[top:bottom, left:right]
    np.copyto(region, (region + (colour - region.astype(np.float32)) * weight).astype(np.uint8))


def draw_standing(
    image: Image, camera: Camera, sprite: Image, base: Array, size: float, angle: float
) -> None:
    """Draw a wooden figure that stands upright. In place.

    Args:
        image: The picture (h, w, 3).
        camera: Its camera.
        sprite: Front view (h, w, 4).
        base: (2,) where it stands on the table.
        size: Its width in squares.
        angle: Which way its front looks, radians.
    """
    height = size * sprite.shape[0] / sprite.shape[1]
    along = np.array([np.cos(angle), np.sin(angle)]) * size / 2
    left, right, low, high = base - along, base + along, 0.05, 0.05 + height
    corners = np.array([[*left, high], [*right, high], [*right, low], [*left, low]])
    quad = camera.project(corners)
    across, down = (float(np.linalg.norm(quad[at] - quad[0])) for at in (1, 3))
    rows = max(down, across * sprite.shape[0] / sprite.shape[1], 8.0)
    factor = min(1.0, rows * 1.3 / sprite.shape[0])
    paste(image, resized(sprite, factor), quad)


def stroke(mask: Image, start: Array, end: Array, px: float) -> None:
    """Draw a thick line into a mask (h, w), between two points (x, y) that may lie far outside."""
    ends = [tuple(map(int, np.clip(point, -20_000, 20_000))) for point in (start, end)]
    cv2.line(mask, ends[0], ends[1], 255, max(2, round(px)), cv2.LINE_AA)
