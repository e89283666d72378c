"""Windows of kingdoms as seen from above, from which networks learn what lies on places.

Of rendered scenes, and of photographed squares laid on a table, with what is true of their places.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from kdvision.rules.kingdom import Kingdom
from kdvision.vision.geometry import project, shift_origin
from kdvision.vision.squares.window import PATCH_PX, PX_PER_SQUARE, around
from scripts.arrays import Array, Image, Rng
from scripts.data_split import boards, crops
from scripts.synthesis.rendering import table_textures
from scripts.synthesis.rendering.art import read_rgb
from scripts.training.augmentation import on_another_table
from scripts.training.labels import CLASSIFIER_LABELS
from scripts.training.patch_data import board_patches, jittered

#: Places along a side of the part of a window that a step sees.
SEEN = 9
#: Places along a side of a window that is kept of a kingdom.
KEPT = 15
#: How much of a place is seen of which nothing is asked: it is neither hidden nor not.
_UNASKED = 0.7
_CORNERS = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
#: Squares that a photo needs to lend them.
_LEAST_SQUARES = 8
#: How loosely photographed squares lie, in squares.
_LOOSE = 0.03
#: Pixels per square while they are laid on a table.
_LAID_PX = 48
#: Stuffs that things may be made of: pictures,
_PICTURES = 500
#: and plain cloths.
_CLOTHS = 100


@dataclass(frozen=True, slots=True)
class Window:
    """A kingdom as seen from above, and what is true of its places.

    Attributes:
        picture: (places * px, places * px, 3) RGB.
        seen: (places, places) how much is seen of the tile on each; NaN where none lies.
        start: (places, places) whether it is the start tile.
    """

    picture: Image
    seen: Array
    start: NDArray[np.bool_]

    def part(self, rng: Rng) -> "Window":
        """Return a random part of it (`SEEN` places along a side), turned or mirrored."""
        px = len(self.picture) // KEPT
        row, col = rng.integers(0, KEPT - SEEN + 1, 2)
        picture = self.picture[row * px : (row + SEEN) * px, col * px : (col + SEEN) * px]
        part = slice(row, row + SEEN), slice(col, col + SEEN)
        quarters, step = int(rng.integers(4)), int(rng.choice([1, -1]))
        return Window(
            picture=np.ascontiguousarray(np.rot90(picture, quarters)[:, ::step]),
            seen=np.rot90(self.seen[part], quarters)[:, ::step],
            start=np.rot90(self.start[part], quarters)[:, ::step],
        )

    def on_another_table(self, rng: Rng) -> Image:
        """Return its picture with another ground beside the tiles."""
        px = len(self.picture) // len(self.seen)
        places = np.argwhere(~np.isnan(self.seen))[:, None, ::-1]
        return on_another_table(self.picture, (places + _CORNERS) * px - 0.5, rng)


def scene_windows(path: Path, seed: int, *, px: int) -> Iterator[Window]:
    """Yield the windows of a scene's kingdoms, so many pixels along a side of a place.

    Of tiles that the border cuts nothing is asked.
    """
    rng = np.random.default_rng([seed, int(path.stem)])
    truth, picture = json.loads(path.read_text()), read_rgb(path.with_suffix(".jpg"))
    for about in truth["kingdoms"]:
        kingdom, visible = Kingdom.parse(about["line"]), np.array(about["visible"])
        rows, cols = kingdom.height, kingdom.width
        top, left = (KEPT - rows) // 2, (KEPT - cols) // 2
        seen = np.full((KEPT, KEPT), np.nan)
        start = np.zeros((KEPT, KEPT), bool)
        homography = np.array(about["homography"])
        for row, col in (*kingdom.squares(), *kingdom.castles()):
            corners = project(homography, np.array([col, row]) + _CORNERS)
            inside = ((corners >= 0) & (corners < picture.shape[1::-1])).all()
            seen[row + top, col + left] = visible[row + 1, col + 1] if inside else _UNASKED
        for row, col in kingdom.castles():
            start[row + top, col + left] = True
        homography = jittered(homography, rows, cols, rng)
        shifted = shift_origin(homography, -left, -top)
        yield Window(around(picture, shifted, KEPT, KEPT, px), seen, start)


def real_windows(like: Sequence[Window], data: Path, seed: int) -> Iterator[Window]:
    """Yield windows with tiles on the places of others, each of the squares of one photo."""
    # Squares, photo by photo: of crops, and of boards.
    rng = np.random.default_rng(seed)
    every = crops(data, measuring=False)
    ground = [crop for crop in every if crop.label == "-"]
    photos: dict[str, list[Image]] = defaultdict(list)
    for crop in every:
        if crop.label != "-":
            photos[crop.source].append(read_rgb(crop.path))
    edge = (PATCH_PX - PX_PER_SQUARE) // 2
    for board in boards(data, measuring=False):
        patches, labels = board_patches(board, seed, 1)
        patches = patches[labels != CLASSIFIER_LABELS.index("-")]
        photos[board.group] += list(patches[:, edge:-edge, edge:-edge])
    decks = [squares for squares in photos.values() if len(squares) >= _LEAST_SQUARES]
    # The squares of one of them on a table, on the places of each window.
    side = KEPT * _LAID_PX
    for window in like:
        places = np.argwhere(~np.isnan(window.seen))
        squares = decks[rng.integers(len(decks))]
        table = table_textures.any_table(rng, ground, side, side).copy()
        corners = (places + rng.normal(0, _LOOSE, places.shape)) * _LAID_PX
        for row, col in np.round(corners).astype(int).tolist():
            square = cv2.resize(squares[rng.integers(len(squares))], (_LAID_PX, _LAID_PX))
            turned = np.rot90(square, int(rng.integers(4)))
            table[row : row + _LAID_PX, col : col + _LAID_PX] = turned
        homography = jittered(np.diag([_LAID_PX, _LAID_PX, 1.0]), KEPT, KEPT, rng)
        picture = around(table, homography, KEPT, KEPT, len(window.picture) // KEPT)
        seen = np.where(np.isnan(window.seen), np.nan, 1.0)
        yield Window(picture, seen, np.zeros((KEPT, KEPT), bool))


def make_stuffs(data: Path | None, seed: int, side: int) -> list[Image]:
    """Return what things may be made of: pictures and plain cloths (side, side, 3)."""
    rng = np.random.default_rng(seed)
    ground = [crop for crop in crops(data, measuring=False) if crop.label == "-"] if data else []
    stuffs = [table_textures.flat_picture(rng, ground) for _ in range(_PICTURES)]
    stuffs += [table_textures.plain_cloth(rng, side, side) for _ in range(_CLOTHS)]
    return [np.asarray(cv2.resize(stuff, (side, side)), np.uint8) for stuff in stuffs]


def mark_asked(seen: Array) -> NDArray[np.bool_]:
    """Return (places, places) where a tile lies, or beside one: what lies apart is not asked."""
    tile = (~np.isnan(seen)).astype(np.uint8)
    cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
    return np.asarray(cv2.dilate(tile, cross) > 0)
