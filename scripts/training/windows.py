"""Windows of kingdoms as seen from above, from which networks learn what lies on places.

Of rendered scenes, and of photographed squares laid on a table, with what is true of their places.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct
from scipy import ndimage

from kdvision.rules.kingdom import CASTLE, Kingdom
from kdvision.rules.terrain import EMPTY_LABEL
from kdvision.vision.geometry import project, shift_origin
from kdvision.vision.squares.window import PATCH_PX, PX_PER_SQUARE, around
from scripts.arrays import Array, Image, Mask, Rng
from scripts.data_split import boards, crops
from scripts.synthesis.rendering import table_textures
from scripts.synthesis.rendering.art import read_rgb
from scripts.synthesis.rendering.cover import HIDDEN_BELOW
from scripts.training.augmentation import printed
from scripts.training.patch_data import board_patches, jittered, read_scene

#: Places along a side of the part of a window that a step sees.
SEEN = 9
#: A place is not hidden where at least so much of its tile can be seen; what lies between this and
#: `HIDDEN_BELOW` teaches nothing.
SHOWN_FROM = 0.85
#: How much of a place is seen of which nothing is asked.
_UNASKED = (HIDDEN_BELOW + SHOWN_FROM) / 2
_CORNERS = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
#: Squares that a photo needs to lend them.
_LEAST_SQUARES = 8
#: How loosely photographed squares lie, in squares.
_LOOSE = 0.03


class Window(Struct, frozen=True, eq=False):
    """A kingdom as seen from above, and what is true of its places.

    Attributes:
        picture: (places * px, places * px, 3) RGB.
        seen: (places, places) how much is seen of the tile on each; NaN where none lies.
        start: (places, places) whether it is the start tile.
    """

    picture: Image
    seen: Array
    start: Mask

    def part(self, rng: Rng) -> "Window":
        """Return a random part of it (`SEEN` places along a side), turned or mirrored."""
        kept = len(self.seen)
        px = len(self.picture) // kept
        row, col = rng.integers(0, kept - SEEN + 1, 2)
        picture = self.picture[row * px : (row + SEEN) * px, col * px : (col + SEEN) * px]
        part = slice(row, row + SEEN), slice(col, col + SEEN)
        quarters, step = int(rng.integers(4)), int(rng.choice([1, -1]))
        return Window(
            picture=np.ascontiguousarray(np.rot90(picture, quarters)[:, ::step]),
            seen=np.rot90(self.seen[part], quarters)[:, ::step],
            start=np.rot90(self.start[part], quarters)[:, ::step],
        )

    def printed(self, rng: Rng, edge_px: int) -> Image:
        """Return its picture with print on all that is no tile, nor so near to one."""
        px = len(self.picture) // len(self.seen)
        table = printed(self.picture, rng)
        is_tile = np.kron(~np.isnan(self.seen), np.ones((px, px))).astype(np.uint8)
        near = np.ones((2 * edge_px + 1, 2 * edge_px + 1), np.uint8)
        is_tile = np.asarray(cv2.dilate(is_tile, near), np.uint8)
        return np.where(is_tile[..., None] > 0, self.picture, table)


def scene_windows(path: Path, seed: int, *, kept: int, px: int) -> Iterator[Window]:
    """Yield the windows of a scene's kingdoms, so many places and pixels a place along a side.

    Of tiles that the border cuts nothing is asked.
    """
    rng = np.random.default_rng([seed, int(path.stem)])
    picture, truth = read_scene(path)
    for about in truth["kingdoms"]:
        kingdom, visible = Kingdom.parse(about["line"]), np.array(about["visible"])
        rows, cols = kingdom.height, kingdom.width
        top, left = (kept - rows) // 2, (kept - cols) // 2
        seen = np.full((kept, kept), np.nan)
        start = np.zeros((kept, kept), bool)
        homography = np.array(about["homography"])
        for row, col in (*kingdom.squares(), *kingdom.castles()):
            corners = project(homography, np.array([col, row]) + _CORNERS)
            inside = ((corners >= 0) & (corners < picture.shape[1::-1])).all()
            seen[row + top, col + left] = visible[row + 1, col + 1] if inside else _UNASKED
            start[row + top, col + left] = kingdom[row, col] is CASTLE
        homography = jittered(homography, rows, cols, rng)
        shifted = shift_origin(homography, -left, -top)
        yield Window(around(picture, shifted, kept, kept, px), seen, start)


def real_windows(
    like: Sequence[Window], data: Path, seed: int, *, laid_px: int
) -> Iterator[Window]:
    """Yield windows with tiles on the places of others, each of the squares of one photo.

    Args:
        like: The others.
        data: The data folder.
        seed: Of all that is random.
        laid_px: Pixels per square while squares are laid on a table.
    """
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
        patches = patches[labels != EMPTY_LABEL]
        photos[board.group] += list(patches[:, edge:-edge, edge:-edge])
    decks = [squares for squares in photos.values() if len(squares) >= _LEAST_SQUARES]
    # The squares of one of them on a table, on the places of each window.
    for window in like:
        kept = len(window.seen)
        places = np.argwhere(~np.isnan(window.seen))
        squares = decks[rng.integers(len(decks))]
        table = table_textures.any_table(rng, ground, kept * laid_px, kept * laid_px).copy()
        loose = rng.normal(0, _LOOSE, places.shape)
        for row, col in np.round((places + loose) * laid_px).astype(int):
            square = cv2.resize(squares[rng.integers(len(squares))], (laid_px, laid_px))
            turned = np.rot90(square, int(rng.integers(4)))
            table[row : row + laid_px, col : col + laid_px] = turned
        homography = jittered(np.diag([laid_px, laid_px, 1.0]), kept, kept, rng)
        picture = around(table, homography, kept, kept, len(window.picture) // kept)
        seen = np.where(np.isnan(window.seen), np.nan, 1.0)
        yield Window(picture, seen, np.zeros((kept, kept), bool))


def make_stuffs(
    data: Path | None, seed: int, *, side: int, pictures: int, plain: int
) -> list[Image]:
    """Return what things may be made of: so many pictures and plain cloths (side, side, 3)."""
    rng = np.random.default_rng(seed)
    ground = [crop for crop in crops(data, measuring=False) if crop.label == "-"] if data else []
    stuffs = [table_textures.flat_picture(rng, ground) for _ in range(pictures)]
    stuffs += [table_textures.plain_cloth(rng, side, side) for _ in range(plain)]
    return [np.asarray(cv2.resize(stuff, (side, side)), np.uint8) for stuff in stuffs]


def mark_asked(seen: Array) -> Mask:
    """Return (places, places) where a tile lies, or beside one: what lies apart is not asked."""
    return np.asarray(ndimage.binary_dilation(~np.isnan(seen)), np.bool_)
