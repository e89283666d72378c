"""Patches with labels, from scenes, boards and crops: what the classifier learns from.

Patches are cut with the package's own code, from grids that are off by as much as fitted ones are.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct

from kdvision.rules.kingdom import Kingdom, cell_text
from kdvision.vision.geometry import project, rectify, shift_origin
from kdvision.vision.grid.grid import middles
from kdvision.vision.squares.window import BORDER_PX, PATCH_PX, PX_PER_SQUARE, cut_patches
from scripts.arrays import AnyArray, Array, Image, Rng
from scripts.data_split import Board, Crop, boards, crops
from scripts.synthesis.rendering.art import read_rgb
from scripts.synthesis.rendering.cover import HIDDEN_BELOW, RING
from scripts.training.labels import CLASSIFIER_LABELS, HIDDEN_LABEL

#: Where patches come from, for weights and for tables.
SOURCES = ("scene", "board", "crop")
SEED = 31
#: Patches (n, h, w, 3), and what is true of them (n, ...); with an index into `SOURCES` a part.
Patches = tuple[Image, AnyArray]
Part = tuple[int, Image, AnyArray]


class Shown(Struct, frozen=True, eq=False):
    """A kingdom in a picture.

    Attributes:
        picture: RGB (h, w, 3).
        homography: (3, 3) from lattice coordinates (column, row) to pixels.
        kingdom: What is true of it.
        centres: (n, 2) pixels of where squares really lie, as the finder mostly knows.
    """

    picture: Image
    homography: Array
    kingdom: Kingdom
    centres: Array

    @classmethod
    def of(cls, board: Board) -> "Shown":
        """Return a rectified board, whose squares lie where they belong."""
        picture, kingdom = read_rgb(board.path), Kingdom.parse(board.line)
        scale = np.diag([picture.shape[1] / kingdom.width, picture.shape[0] / kingdom.height, 1.0])
        return cls(picture, scale, kingdom, np.zeros((0, 2)))


def read_scene(path: Path) -> tuple[Image, dict[str, Any]]:
    """Return the picture of a rendered scene and its truth, of which `path` is the file."""
    return read_rgb(path.with_suffix(".jpg")), json.loads(path.read_text())


def scene_patches(path: Path, seed: int) -> Patches:
    """Return the places of every kingdom of a rendered scene, one ring of background around it."""
    rng = np.random.default_rng([seed, int(path.stem)])
    picture, truth = read_scene(path)
    centres = [np.mean(s["corners"], axis=0) for s in truth["squares"] if s["kingdom"] >= 0]
    cuts = []
    for about in truth["kingdoms"]:
        kingdom, homography = Kingdom.parse(about["line"]), np.array(about["homography"])
        shown = Shown(picture, homography, kingdom, np.array(centres))
        cuts.append(_window(shown, RING, rng, np.array(about["visible"])))
    return joined(cuts)


def _window(shown: Shown, ring: int, rng: Rng, visible: Array | None = None) -> Patches:
    """Return all places of a kingdom and of a ring around it, from a slightly wrong grid.

    `visible` (rows + 2 * ring, cols + 2 * ring) tells how much of each can be seen; without it all.
    """
    wrong, rectified, places_at = wrong_grid(shown, rng, ring)
    cells = dict(shown.kingdom.cells())
    places, labels = [], []
    for row, col in np.ndindex(places_at.shape[:2]):
        text = cell_text(cells.get((row - ring, col - ring)))
        hidden = visible is not None and visible[row, col] < HIDDEN_BELOW
        if text == "-" and not hidden and ring and rng.random() < 0.45:
            continue
        at = places_at[row, col]
        pixel = project(wrong, at[None])[0]
        if not ((pixel >= 0) & (pixel < shown.picture.shape[1::-1])).all():
            continue
        places.append(at + rng.normal(0, 0.025, 2))
        labels.append(HIDDEN_LABEL if hidden else CLASSIFIER_LABELS.index(text))
    if not places:
        return np.zeros((0, PATCH_PX, PATCH_PX, 3), np.uint8), np.zeros(0, np.int64)
    return cut_patches(rectified, np.array(places)), np.array(labels, np.int64)


def wrong_grid(shown: Shown, rng: Rng, ring: int = 0) -> tuple[Array, Image, Array]:
    """Return a slightly wrong grid, its window, and the middles (rows, cols, 2) of places in it.

    So many rings of places lie around the kingdom.
    """
    rows, cols = shown.kingdom.height + 2 * ring, shown.kingdom.width + 2 * ring
    wrong = jittered(shift_origin(shown.homography, -ring, -ring), rows, cols, rng)
    window = rectify(shown.picture, wrong, (rows, cols), px=PX_PER_SQUARE, border=BORDER_PX)
    inverse = np.asarray(np.linalg.inv(wrong), np.float64)
    at, real = middles(rows, cols), project(inverse, shown.centres.reshape(-1, 2))
    for row, col in np.ndindex(rows, cols):
        gaps = np.linalg.norm(real - at[row, col], axis=1)
        if len(gaps) and gaps.min() < 0.25 and rng.random() < 0.8:
            at[row, col] = real[gaps.argmin()]
    return wrong, window, at


def jittered(homography: Array, rows: int, cols: int, rng: Rng) -> Array:
    """Return the homography with its window's corners off by a few hundredths of a square."""
    corners = np.array([[0, 0], [cols, 0], [cols, rows], [0, rows]], np.float32)
    spread = rng.choice([0.01, 0.03, 0.06])
    wrong = corners + rng.normal(0, spread, (4, 2)).astype(np.float32)
    return homography @ cv2.getPerspectiveTransform(corners, wrong)


def board_patches(board: Board, seed: int, copies: int) -> Patches:
    """Return the places of a rectified board, several times from slightly different grids."""
    rng = np.random.default_rng([seed, int(board.path.stem)])
    shown = Shown.of(board)
    return joined([_window(shown, 0, rng) for _ in range(copies)])


def joined(cuts: Sequence[Patches]) -> Patches:
    """Return patches and labels of several cuts together."""
    patches, labels = zip(*cuts, strict=True)
    return np.concatenate(patches), np.concatenate(labels)


def crop_patch(crop: Crop, others: list[Crop], rng: Rng) -> Image:
    """Return a crop set into a patch: a square in the middle, something plausible around it."""
    picture = read_rgb(crop.path)
    if crop.label == "-":
        side = int(rng.integers(PATCH_PX, 97))
        big = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
        y, x = rng.integers(0, side - PATCH_PX + 1, 2)
        return np.asarray(big[y : y + PATCH_PX, x : x + PATCH_PX], np.uint8)
    side = int(rng.integers(PX_PER_SQUARE - 2, 61))
    inner = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    gap = (PATCH_PX - side) // 2
    x, y = np.clip(gap + rng.integers(-3, 4, 2), 0, PATCH_PX - side)
    pads = (int(y), int(PATCH_PX - side - y), int(x), int(PATCH_PX - side - x))
    kind = rng.random()
    if kind < 0.45:
        return np.asarray(cv2.copyMakeBorder(inner, *pads, cv2.BORDER_REPLICATE), np.uint8)
    if kind < 0.6:
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        framed = cv2.copyMakeBorder(inner, *pads, cv2.BORDER_CONSTANT, value=colour)
        return np.asarray(framed, np.uint8)
    patch = cv2.resize(read_rgb(others[int(rng.integers(len(others)))].path), (PATCH_PX, PATCH_PX))
    patch = np.roll(patch, PATCH_PX // 2, axis=(0, 1)[: int(rng.integers(1, 3))])
    patch[y : y + side, x : x + side] = inner
    return np.asarray(patch, np.uint8)


def square_parts(
    scenes: list[Path], data: Path | None, copies: int, workers: int
) -> Iterator[Part]:
    """Return patches of squares: of scenes, of boards so many times, and of crops three times."""
    of_scene, of_board = partial(scene_patches, seed=SEED), partial(board_patches, copies=copies)
    yield from cut_parts(scenes, data, of_scene, partial(of_board, seed=SEED), workers)
    if data is None:
        return
    every = crops(data, measuring=False)
    rng = np.random.default_rng(SEED)
    for _ in range(3):
        patches = np.stack([crop_patch(crop, every, rng) for crop in every])
        yield 2, patches, np.array([CLASSIFIER_LABELS.index(crop.label) for crop in every])


def cut_parts(
    scenes: list[Path],
    data: Path | None,
    of_scene: Callable[[Path], Patches],
    of_board: Callable[[Board], Patches],
    workers: int,
) -> Iterator[Part]:
    """Return patches of scenes, and of the boards that train where there is a data folder."""
    context = get_context("spawn")  # a fork of a process with threads of torch can hang
    start = partial(cv2.setNumThreads, 1)
    with ProcessPoolExecutor(workers, mp_context=context, initializer=start) as pool:
        for patches, labels in pool.map(of_scene, scenes, chunksize=8):
            yield 0, patches, labels
        real = boards(data, measuring=False) if data else []
        for patches, labels in pool.map(of_board, real):
            yield 1, patches, labels


def write(out: Path, parts: Iterable[Part]) -> None:
    """Collect patches into one file: `patches` (n, h, w, 3), `labels` (n, ...), `source` (n,)."""
    sources, patches, labels = zip(*parts, strict=True)
    counts = [len(part) for part in labels]
    source = np.repeat(np.array(sources, np.uint8), counts)
    out.parent.mkdir(parents=True, exist_ok=True)
    np.savez(out, patches=np.concatenate(patches), labels=np.concatenate(labels), source=source)
    print(f"{out.name}: {len(source):,} patches:", dict(Counter(SOURCES[s] for s in source)))
