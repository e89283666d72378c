"""How likely two neighbouring squares are one domino, as the photo shows their seam."""

from functools import cache

import numpy as np
import pytest

from kdvision.photo.photo import Photo, open_photo
from kdvision.rules.breaks import BREAKS, find_breaks
from kdvision.rules.cutting import cut_squares, list_cuttings
from kdvision.rules.kingdom import Kingdom, Pair
from kdvision.vision.grid.finder import detect_squares, find_grids
from kdvision.vision.grid.grid import Grid
from kdvision.vision.models import Model, load_model
from kdvision.vision.seams import ACROSS_PX, ALONG_PX, SEAMS, likelihood_ratios, read_seams
from kdvision.vision.squares.window import view_window
from tests.support.dominoes import Laid, laid_in_samples
from tests.support.paths import ROOT

#: How many samples are read; each takes a tenth of a second.
SAMPLES = 6


class Says:
    """A model whose logit for each patch is the value of its first pixel, less 100."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def run(self, names: object, feed: dict[str, np.ndarray], /) -> list[np.ndarray]:
        patches = feed["rgb"]
        assert patches.dtype == np.uint8 and patches.shape[1:] == (ALONG_PX, ACROSS_PX, 3)
        self.asked.append(len(patches))
        return [patches[:, 0, 0, :1].astype(np.float32) - 100]


def patches(*values: int) -> np.ndarray:
    """Patches in one grey each."""
    shape = (len(values), ALONG_PX, ACROSS_PX, 3)
    return np.array(values, np.uint8)[:, None, None, None] * np.ones(shape, np.uint8)


def test_ratios_are_bounded_logits() -> None:
    said = likelihood_ratios(patches(100, 102, 97, 0, 255), Model(Says(), 2.0))
    assert said.tolist() == [0.0, 1.0, -1.5, -SEAMS.most, SEAMS.most]


@pytest.mark.parametrize(
    ("clear_patches", "ways", "known"),
    [
        # Two patches outweigh that players seldom break the rule: 220 to 1.
        (2, 1, True),
        # One may be wrong, even where the deck has four times as many ways to lay it: 6 to 1.
        (1, 4, False),
    ],
)
def test_break_needs_two_clear_patches(clear_patches: int, ways: int, known: bool) -> None:
    squares, _ = cut_squares(Kingdom.parse("M1 W G/W F1 F1/C F F"))
    legal, broken = list_cuttings(squares) or ()
    if squares.find_apart(legal):
        legal, broken = broken, legal
    shown = likelihood_ratios(patches(*[255] * clear_patches), Model(Says())).sum()
    weight = ways * float(np.exp(shown))
    found = find_breaks(squares, [(legal, 1.0), (broken, weight)])
    assert (found.probability >= BREAKS.known_from) is known


@cache
def sample(file: str) -> tuple[Photo, tuple[Grid, ...]]:
    """A photo of `samples/` and its grids."""
    photo = open_photo(ROOT / "samples" / file)
    model = load_model("grid", threads=1)
    return photo, tuple(find_grids(detect_squares(photo, model), model))


def pairs_on(grid: Grid) -> list[Pair]:
    """All pairs of neighbouring places on which squares were found."""
    found = {(int(row), int(col)) for row, col in zip(*np.nonzero(grid.found), strict=True)}
    return [
        (at, other)
        for at in sorted(found)
        for other in ((at[0], at[1] + 1), (at[0] + 1, at[1]))
        if other in found
    ]


def test_pairs_are_answered_in_either_order() -> None:
    photo, (grid, *_) = sample("meadow_5x5.jpg")
    model = load_model("seams", threads=1)
    flat = view_window(photo, grid).flat
    pairs = pairs_on(grid)
    assert len(pairs) >= 36
    said = read_seams(flat, grid.centres, pairs, model)
    swapped = read_seams(flat, grid.centres, [(two, one) for one, two in pairs], model)
    assert list(said) == pairs
    for one, two in pairs:
        assert swapped[two, one] == said[one, two]
    assert all(abs(ratio) <= SEAMS.most for ratio in said.values())
    some = read_seams(flat, grid.centres, pairs[3:7], model)
    assert some == pytest.approx({pair: said[pair] for pair in pairs[3:7]}, abs=1e-4)
    assert read_seams(flat, grid.centres, [], model) == {}


def ratios_of(laid: Laid) -> np.ndarray:
    """(n, 2) the likelihood ratio of every pair of squares, and 1.0 where it is one domino."""
    photo, grids = sample(laid.file)
    model = load_model("seams", threads=1)
    rows = []
    for grid in grids:
        pairs = laid.pairs_on(grid)
        said = read_seams(view_window(photo, grid).flat, grid.centres, list(pairs), model)
        rows += [(ratio, pairs[pair]) for pair, ratio in said.items()]
    return np.array(rows)


def test_ratios_hold_on_samples() -> None:
    """On artwork, tables and layouts that train nothing."""
    said = np.concatenate([ratios_of(laid) for laid in laid_in_samples()[:SAMPLES]])
    ratios, one = said[:, 0], said[:, 1] > 0
    assert one.sum() > 60 and (~one).sum() > 120
    # Saying nothing costs one bit per pair; being surer than right costs more.
    bits = [np.logaddexp(0, -ratios[one]).mean(), np.logaddexp(0, ratios[~one]).mean()]
    assert np.mean(bits) / np.log(2) < 0.75
    right = [(ratios[one] > 0).mean(), (ratios[~one] < 0).mean()]
    assert min(right) > 0.6 and np.mean(right) > 0.75
    # What is said to be sure is right.
    sure = np.abs(ratios) > 3
    assert ((ratios > 0) == one)[sure].mean() > 0.95
