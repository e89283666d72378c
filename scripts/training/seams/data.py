"""Patches of pairs that are one domino, and of pairs that are not, from scenes and real boards.

Scenes list their dominoes. On a board they follow from the deck: pairs that are one domino in every
cutting of the kingdom, and pairs that are one in none; what it leaves open is left out. Patches are
cut with the package's own code, from grids that are off by as much as fitted ones are.
"""

import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kdvision.rules.cover import cut_squares, forced_and_possible
from kdvision.rules.kingdom import Kingdom, Pair
from kdvision.rules.terrain import Square, Terrain
from kdvision.vision.geometry import project, rectify
from kdvision.vision.grid.finder import middles
from kdvision.vision.seams import ACROSS_PX, ALONG_PX, cut_pairs
from kdvision.vision.squares.window import BORDER_PX, PX_PER_SQUARE
from scripts.data_split import Board, boards
from scripts.synthesis.rendering.art import Image, read_rgb
from scripts.training.patch_data import jittered

Array = NDArray[np.float64]
#: Looks whose dominoes are put together in a straight cut, as no real one is, and boards, whose
#: dominoes a scene does not know.
NO_DOMINOES = ("scan recrowned", "flash recrowned", "halves", "halves recrowned", "board")
#: Where patches come from.
SOURCES = ("scene", "board")
TERRAINS = tuple(Terrain)


class Pairs:
    """Patches with what is known of them, gathered one by one.

    `one` is whether a pair is one domino, `terrains` the two terrains as one number (the order does
    not matter).
    """

    def __init__(self) -> None:
        self.patches: list[Image] = []
        self.one: list[bool] = []
        self.terrains: list[int] = []

    def add(self, other: "Pairs") -> None:
        """Append another's."""
        self.patches += other.patches
        self.one += other.one
        self.terrains += other.terrains


def neighbour_pairs(kingdom: Kingdom) -> Iterator[Pair]:
    """All neighbouring squares of terrain, the upper or the left one first."""
    squares = kingdom.squares()
    for row, col in squares:
        for other in ((row, col + 1), (row + 1, col)):
            if other in squares:
                yield (row, col), other


def terrains_of(kingdom: Kingdom, pair: Pair) -> int:
    """The two terrains of a pair as one number."""
    cells = [kingdom[at] for at in pair]
    low, high = sorted(TERRAINS.index(cell.terrain) for cell in cells if isinstance(cell, Square))
    return low * len(TERRAINS) + high


def scene_pairs(path: Path, seed: int) -> Pairs:
    """The pairs of all kingdoms of a rendered scene."""
    rng = np.random.default_rng([seed, int(path.stem)])
    truth, found = json.loads(path.read_text()), Pairs()
    if truth["about"]["look"] in NO_DOMINOES:
        return found
    picture = read_rgb(path.with_suffix(".jpg"))
    for number, kingdom in enumerate(truth["kingdoms"]):
        if kingdom.get("dominoes") is None:
            continue
        whole = Kingdom.parse(kingdom["line"])
        one = scene_pairs_of(kingdom)
        # Pairs under a castle or a hand too: there the network learns to answer 0.
        known = {pair: pair in one for pair in neighbour_pairs(whole)}
        corners = [np.array(s["corners"]) for s in truth["squares"] if s["kingdom"] == number]
        found.add(_cut(picture, np.array(kingdom["homography"]), whole, known, rng, corners))
    return found


def board_pairs(board: Board, seed: int, copies: int) -> Pairs:
    """The pairs of a real board that the deck knows, several times, its grid a little off."""
    rng = np.random.default_rng([seed, int(board.path.stem)])
    picture, kingdom, found = read_rgb(board.path), Kingdom.parse(board.line), Pairs()
    known = known_pairs(kingdom)
    scale = np.diag([picture.shape[1] / kingdom.width, picture.shape[0] / kingdom.height, 1.0])
    for _ in range(copies):
        found.add(_cut(picture, scale, kingdom, known, rng, []))
    return found


def known_pairs(kingdom: Kingdom) -> dict[Pair, bool]:
    """The pairs of neighbours of which the deck tells whether they are one domino."""
    squares, of_deck = cut_squares(kingdom)
    forced, possible = map(squares.pairs, forced_and_possible(squares))
    if not of_deck or not possible:
        return {}
    sure = {pair: pair in forced for pair in neighbour_pairs(kingdom)}
    return {pair: one for pair, one in sure.items() if one or pair not in possible}


def _cut(
    picture: Image,
    homography: Array,
    kingdom: Kingdom,
    known: dict[Pair, bool],
    rng: np.random.Generator,
    corners: list[Array],
) -> Pairs:
    """Patches of pairs, from a grid that is slightly wrong.

    `corners` (4, 2) of squares in pixels tell where they really lie, as the finder mostly knows.
    """
    rows, cols = kingdom.height, kingdom.width
    wrong = jittered(homography, rows, cols, rng)
    flat = rectify(picture, wrong, rows, cols, px=PX_PER_SQUARE, border=BORDER_PX)
    centres = middles(rows, cols)
    own = project(
        np.asarray(np.linalg.inv(wrong), np.float64),
        np.array([c.mean(axis=0) for c in corners]).reshape(-1, 2),
    )
    for row, col in np.ndindex(rows, cols):
        gaps = np.linalg.norm(own - centres[row, col], axis=1)
        if len(gaps) and gaps.min() < 0.25 and rng.random() < 0.8:
            centres[row, col] = own[gaps.argmin()]
    centres = centres + rng.normal(0, 0.02, centres.shape)
    found = Pairs()
    inside = [pair for pair in known if _inside(pair, wrong, picture)]
    found.patches = list(cut_pairs(flat, centres, inside))
    found.one = [known[pair] for pair in inside]
    found.terrains = [terrains_of(kingdom, pair) for pair in inside]
    return found


def _inside(pair: Pair, homography: Array, picture: Image) -> bool:
    """Whether both places lie in the picture."""
    (top, left), (bottom, right) = pair
    points = np.array([[left, top], [right + 1, bottom + 1]], float)
    at = project(homography, points)
    return bool(((at >= 0) & (at < picture.shape[1::-1])).all())


def scene_pairs_of(kingdom: dict[str, Any]) -> set[Pair]:
    """The dominoes of a kingdom in the truth of a scene, the upper or the left square first."""
    every: set[Pair] = set()
    for domino in kingdom["dominoes"]:
        (top, left), (bottom, right) = sorted(domino)
        every.add(((top, left), (bottom, right)))
    return every


def write(
    out: Path,
    scenes: list[Path],
    data: Path | None,
    *,
    seed: int,
    copies: int,
    workers: int,
) -> None:
    """Cut all patches into one file: `patches`, `one`, `terrains`, `source`.

    Args:
        out: The file.
        scenes: The truth files of scenes.
        data: The data folder for boards; None does without.
        seed: Of all random numbers.
        copies: How often each board is cut.
        workers: Processes.
    """
    real = boards(data, measuring=False) if data else []
    found = Pairs()
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for pairs in pool.map(partial(scene_pairs, seed=seed), scenes, chunksize=8):
            found.add(pairs)
        rendered = len(found.one)
        for pairs in pool.map(partial(board_pairs, seed=seed, copies=copies), real):
            found.add(pairs)
    out.parent.mkdir(parents=True, exist_ok=True)
    empty = np.zeros((0, ALONG_PX, ACROSS_PX, 3), np.uint8)
    np.savez(
        out,
        patches=np.stack(found.patches) if found.patches else empty,
        one=np.array(found.one, bool),
        terrains=np.array(found.terrains, np.int16),
        source=(np.arange(len(found.one)) >= rendered).astype(np.int8),
    )
    print(f"{out}: {len(found.one):,} pairs, {sum(found.one):,} of them one domino", flush=True)
