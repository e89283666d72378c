"""The stress set: real boards and photos that were not trained on, damaged more and more."""

import zlib
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct

from kdvision.rules.kingdom import Kingdom
from scripts.arrays import Array, Image, Mask, Rng
from scripts.data_split import boards, data_folder
from scripts.measuring.evaluation import damages
from scripts.measuring.evaluation.cases import Case, Maker, TrueKingdom, photo_lines
from scripts.pictures import resized
from scripts.synthesis.rendering import table_textures
from scripts.synthesis.rendering.art import read_rgb

#: Photos are reduced to this longer side; a board's canvas is as large.
LONGER_PX = 1400
#: A photo's square is taken to be this share of its longer side.
PHOTO_SQUARE = 1 / 14

_SEED = 2026
#: Damage of files, by how strong it is.
_FILES: Mapping[str, tuple[float, ...]] = {
    "none": (0,),
    "jpeg": (40, 25, 15, 8, 4),
    "flipped bytes": (1, 2, 4, 8, 16),
    "truncated": (0.98, 0.9, 0.7, 0.5, 0.3),
}
#: Kinds for which the size of squares must be known, so that only boards serve.
_NEEDS_SQUARES = {"small"}


class BareScene(Struct, frozen=True, eq=False):
    """A picture of one kingdom before anything lies on it.

    Attributes:
        image: RGB (h, w, 3).
        unit: The side of a square in pixels.
        truth: The kingdom.
        places: (n, 2) the middles of its squares in pixels (x, y).
        crowned: (n,) which of them have crowns.
    """

    image: Image
    unit: float
    truth: TrueKingdom
    places: Array
    crowned: Mask


def stress(per_strength: int = 10) -> Iterator[Maker]:
    """Yield the set: for every kind and strength so many pictures, boards and photos in turn."""
    laid = [(board.path, board.line) for board in boards(data_folder(), measuring=True)]
    taken = photo_lines()
    kinds = {kind: damage.stress for kind, damage in damages.KINDS.items()}
    for kind, strengths in {**kinds, **_FILES}.items():
        count = per_strength if len(strengths) > 1 else 6 * per_strength
        for level, strength in enumerate(strengths, 1):
            for number in range(count):
                photo = number % 5 in (1, 3) and kind not in _NEEDS_SQUARES
                bases = taken if photo else laid
                base = bases[(zlib.crc32(kind.encode()) + 7 * level + number) % len(bases)]
                yield partial(_case, kind, level, strength, number, *base, photo)


def _case(
    kind: str, level: int, strength: float, number: int, path: Path, line: str, photo: bool
) -> Case:
    rng = np.random.default_rng([_SEED, zlib.crc32(kind.encode()), level, number])
    scene = _photo(path, line) if photo else on_canvas(path, line, rng, tilted=number % 2 == 0)
    tags = {"kind": kind, "strength": f"{level}"}
    name = f"{kind} {strength:g} {path.name} #{number}"
    return Case(name, _damaged(kind, strength, scene, rng), (scene.truth,), tags)


def _damaged(kind: str, strength: float, scene: BareScene, rng: Rng) -> bytes:
    if kind in damages.KINDS:
        return damages.as_jpeg(damages.KINDS[kind].apply(scene.image, rng, strength, scene.unit))
    if kind == "jpeg":
        return damages.as_jpeg(scene.image, int(strength))
    whole = damages.as_jpeg(scene.image)
    if kind == "flipped bytes":
        return damages.flipped(whole, rng, int(strength))
    return damages.truncated(whole, strength) if kind == "truncated" else whole


def _photo(path: Path, line: str) -> BareScene:
    """Return a photo at moderate size. Where its squares lie is not known."""
    image = read_rgb(path)
    factor = min(1.0, LONGER_PX / max(image.shape[:2]))
    pixels = resized(image, factor)
    unit = max(pixels.shape) * PHOTO_SQUARE
    return BareScene(pixels, unit, TrueKingdom(line), np.zeros((0, 2)), np.zeros(0, bool))


def on_canvas(path: Path, line: str, rng: Rng, *, tilted: bool) -> BareScene:
    """Lay a rectified board on a plain table, as if photographed; `tilted` in mild perspective."""
    board = read_rgb(path)
    kingdom = Kingdom.parse(line)
    width, height = LONGER_PX, LONGER_PX * 3 // 4
    canvas = table_textures.plain(rng, width, height)
    # The board's corners, turned and seen from lower down, around the origin.
    side = rng.uniform(0.6, 0.8) * height
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2
    angle = rng.normal(0, 0.15) + np.pi / 2 * int(rng.integers(4))
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = corners @ turn
    if tilted:
        lean = rng.uniform(0.05, 0.22)
        depth = 1 + lean * corners[:, 1:] / side * 2
        corners = corners / depth * [1, 1 - lean]
    # They are shrunk until they fit, and moved as far as there is room.
    limit = np.array([width, height]) / 2 - 0.08 * side
    corners *= min(1.0, float((limit / np.abs(corners).max(axis=0)).min()))
    shift = np.clip(limit - np.abs(corners).max(axis=0), 0, None)
    corners += np.array([width, height]) / 2 + rng.uniform(-1, 1, 2) * shift
    # The board is warped there, but for its empty places, which would show another table.
    rows, cols = board.shape[:2]
    source = np.array([[0, 0], [cols, 0], [cols, rows], [0, rows]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    warped = cv2.warpPerspective(
        board, matrix, (width, height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, (corners * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    step = np.array([cols / kingdom.width, rows / kingdom.height])
    for (row, col), cell in kingdom.cells():
        if cell is None:
            quad = np.array([[col, row], [col + 1, row], [col + 1, row + 1], [col, row + 1]]) * step
            hole = cv2.perspectiveTransform(quad[None].astype(np.float32), matrix)[0]
            cv2.fillConvexPoly(mask, (hole * 16).astype(np.int32), 0, cv2.LINE_AA, 4)
    weight = (mask / np.float32(255))[..., None]
    image = (canvas * (1 - weight) + warped * weight).astype(np.uint8)
    # Where its squares are then.
    taken = {at: str(cell) for at, cell in kingdom.cells() if cell is not None}
    middles = (np.array(list(taken))[:, ::-1] + 0.5) * step
    places = cv2.perspectiveTransform(middles[None].astype(np.float32), matrix)[0]
    area = cv2.contourArea(corners.astype(np.float32)) / (kingdom.width * kingdom.height)
    crowned = np.array([text[-1].isdigit() for text in taken.values()])
    return BareScene(image, float(np.sqrt(area)), TrueKingdom(line), places, crowned)
