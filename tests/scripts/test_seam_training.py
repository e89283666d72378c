"""What the seam network learns from: which pairs, cut how, drawn how often."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")

from kdvision.rules.kingdom import Kingdom  # noqa: E402
from scripts.training.seams.data import known_pairs  # noqa: E402
from scripts.training.seams.stage import fitted  # noqa: E402
from scripts.training.seams.train import balanced  # noqa: E402

pytestmark = pytest.mark.slow

#: A row of squares along which only one cutting is left: W1 S, then M1 W.
ROW = Kingdom.parse("C W1 S M1 W")


def test_deck_tells_forced_and_excluded_pairs():
    assert known_pairs(ROW) == {
        ((0, 1), (0, 2)): True, ((0, 2), (0, 3)): False, ((0, 3), (0, 4)): True,
    }  # fmt: skip
    # Four squares of wheat can be cut in two ways: the deck tells nothing.
    assert known_pairs(Kingdom.parse("C W W/- W W")) == {}


def test_one_domino_and_two_are_drawn_alike():
    joined = np.array([True] + [False] * 9 + [True] * 6 + [False] * 2 + [False] * 5)
    terrains = np.array([1] * 10 + [2] * 8 + [3] * 5, np.int16)
    chances = balanced(joined, terrains, np.zeros(23, np.int8))
    for pair in (1, 2):
        mine = terrains == pair
        assert chances[mine & joined].sum() == pytest.approx(chances[mine & ~joined].sum())
    assert chances[terrains == 3].sum() == 0  # Terrains that come in one kind only.
    assert chances.sum() == pytest.approx(1)


@pytest.mark.parametrize(("shift", "temperature"), [(0.0, 1.0), (0.8, 2.0), (-0.6, 0.7)])
def test_shift_and_temperature_are_fitted(shift, temperature):
    rng = np.random.default_rng(5)
    honest = rng.normal(0, 2.5, 10_000)
    joined = rng.random(10_000) < 1 / (1 + np.exp(-honest))
    answers = honest * temperature - shift
    b, t = fitted(answers, joined, np.full(10_000, 1 / 10_000))
    assert b == pytest.approx(shift, abs=0.1)
    assert t == pytest.approx(temperature, rel=0.08)
