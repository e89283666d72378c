"""Patches of pairs that are one domino, and of pairs that are not, from scenes and real boards.

Scenes list their dominoes. On a board they follow from the deck: pairs that are one domino in every
cutting of the kingdom, and pairs that are one in none; what it leaves open is left out. Patches are
cut with the package's own code, from grids that are off by as much as fitted ones are.
"""

from pathlib import Path

import numpy as np

from kdvision.rules.cutting import cut_squares, forced_and_possible
from kdvision.rules.kingdom import Kingdom, Pair, list_pairs
from kdvision.rules.terrain import Square, Terrain
from kdvision.vision.geometry import project
from kdvision.vision.seams import ACROSS_PX, ALONG_PX, cut_pairs
from scripts.arrays import Array, Image, Rng
from scripts.data_split import Board
from scripts.training.patch_data import Patches, Shown, joined, read_scene, wrong_grid

#: Looks whose dominoes are put together in a straight cut, as no real one is, and boards, whose
#: dominoes a scene does not know.
NO_DOMINOES = ("scan recrowned", "flash recrowned", "halves", "halves recrowned", "board")
#: Patches, and (n, 2): whether the pair is one domino, and its two terrains as one number.
NO_PAIRS = (np.zeros((0, ALONG_PX, ACROSS_PX, 3), np.uint8), np.zeros((0, 2), np.int16))
TERRAINS = tuple(Terrain)


def terrains_of(kingdom: Kingdom, pair: Pair) -> int:
    """Return the two terrains of a pair as one number."""
    cells = [kingdom[at] for at in pair]
    low, high = sorted(TERRAINS.index(cell.terrain) for cell in cells if isinstance(cell, Square))
    return low * len(TERRAINS) + high


def scene_pairs(path: Path, seed: int) -> Patches:
    """Return the pairs of all kingdoms of a rendered scene."""
    rng = np.random.default_rng([seed, int(path.stem)])
    picture, truth = read_scene(path)
    cuts = [NO_PAIRS]
    if truth["about"]["look"] in NO_DOMINOES:
        return NO_PAIRS
    for number, kingdom in enumerate(truth["kingdoms"]):
        whole = Kingdom.parse(kingdom["line"])
        dominoes = {tuple(map(tuple, sorted(domino))) for domino in kingdom["dominoes"]}
        # Pairs under a castle or a hand too: there the network learns to answer 0.
        pairs = {pair: pair in dominoes for pair in list_pairs(whole.squares())}
        squares = [square for square in truth["squares"] if square["kingdom"] == number]
        real = np.array([np.mean(square["corners"], axis=0) for square in squares])
        shown = Shown(picture, np.array(kingdom["homography"]), whole, real)
        cuts.append(_cut(shown, pairs, rng))
    return joined(cuts)


def board_pairs(board: Board, seed: int, copies: int) -> Patches:
    """Return a real board's pairs that the deck knows, several times, its grid a little off."""
    rng = np.random.default_rng([seed, int(board.path.stem)])
    shown = Shown.of(board)
    pairs = known_pairs(shown.kingdom)
    return joined([_cut(shown, pairs, rng) for _ in range(copies)])


def known_pairs(kingdom: Kingdom) -> dict[Pair, bool]:
    """Return the pairs of neighbours of which the deck tells whether they are one domino."""
    squares, of_deck = cut_squares(kingdom)
    forced, possible = map(squares.pairs, forced_and_possible(squares))
    if not of_deck or not possible:
        return {}
    sure = {pair: pair in forced for pair in list_pairs(kingdom.squares())}
    return {pair: one for pair, one in sure.items() if one or pair not in possible}


def _cut(shown: Shown, pairs: dict[Pair, bool], rng: Rng) -> Patches:
    """Return patches of pairs, from a slightly wrong grid; whether each is a domino, terrains."""
    wrong, flat, centres = wrong_grid(shown, rng)
    centres = centres + rng.normal(0, 0.02, centres.shape)
    inside = [pair for pair in pairs if _inside(pair, wrong, shown.picture)]
    labels = [(int(pairs[pair]), terrains_of(shown.kingdom, pair)) for pair in inside]
    return cut_pairs(flat, centres, inside), np.array(labels, np.int16).reshape(-1, 2)


def _inside(pair: Pair, homography: Array, picture: Image) -> bool:
    """Return whether both places lie in the picture."""
    (top, left), (bottom, right) = pair
    points = np.array([[left, top], [right + 1, bottom + 1]], float)
    at = project(homography, points)
    return bool(((at >= 0) & (at < picture.shape[1::-1])).all())
