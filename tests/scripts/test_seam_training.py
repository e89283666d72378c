"""What the seam network learns from: which pairs, cut how, drawn how often."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")

from kdvision.rules.kingdom import Kingdom  # noqa: E402
from scripts.training.schedule import Budget, Settings  # noqa: E402
from scripts.training.seams.data import known_pairs  # noqa: E402
from scripts.training.seams.export import export, fitted  # noqa: E402
from scripts.training.seams.train import balanced, train  # noqa: E402

#: A row of squares along which only one cutting is left: W1 S, then M1 W.
ROW = Kingdom.parse("C W1 S M1 W")


def test_the_deck_tells_what_it_forces_and_what_it_excludes():
    assert known_pairs(ROW) == {
        ((0, 1), (0, 2)): True, ((0, 2), (0, 3)): False, ((0, 3), (0, 4)): True,
    }  # fmt: skip
    # Four squares of wheat can be cut in two ways: the deck tells nothing.
    assert known_pairs(Kingdom.parse("C W W/- W W")) == {}


def test_within_terrains_one_domino_and_two_are_drawn_alike():
    joined = np.array([True] + [False] * 9 + [True] * 6 + [False] * 2 + [False] * 5)
    terrains = np.array([1] * 10 + [2] * 8 + [3] * 5, np.int16)
    chances = balanced(joined, terrains, np.zeros(23, np.int8))
    for pair in (1, 2):
        mine = terrains == pair
        assert chances[mine & joined].sum() == pytest.approx(chances[mine & ~joined].sum())
    assert chances[terrains == 3].sum() == 0  # Terrains that come in one kind only.
    assert chances.sum() == pytest.approx(1)


def drawn(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Patches with a dark line where two dominoes meet, and without one."""
    rng = np.random.default_rng(3)
    patches = rng.integers(100, 160, (count, 64, 48, 3)).astype(np.uint8)
    joined = np.arange(count) % 2 == 0
    patches[~joined, :, 23:25] = 20
    return patches, joined


def test_a_few_steps_learn_a_dark_line_and_make_a_file(tmp_path):
    patches, joined = drawn(200)
    file = tmp_path / "pairs.npz"
    nothing = np.zeros(200, np.int8)
    np.savez(file, patches=patches, labels=np.c_[joined, nothing], source=nothing)
    network = train(file, file, Settings(Budget(0, 40), 5e-3, 32, 4, 1, 2))
    export(network, tmp_path / "models", file)
    import onnxruntime

    path = tmp_path / "models" / "seams.onnx"
    session = onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    answers = session.run(None, {"rgb": patches})[0][:, 0]
    assert ((answers > 0) == joined).mean() > 0.95
    (turned,) = session.run(None, {"rgb": np.ascontiguousarray(patches[:, ::-1, ::-1])})
    assert turned[:, 0] == pytest.approx(answers, abs=1e-3)  # either way round gives the same


@pytest.mark.parametrize(("shift", "temperature"), [(0.0, 1.0), (0.8, 2.0), (-0.6, 0.7)])
def test_answers_that_are_off_are_brought_back(shift, temperature):
    rng = np.random.default_rng(5)
    honest = rng.normal(0, 2.5, 40_000)
    joined = rng.random(40_000) < 1 / (1 + np.exp(-honest))
    answers = honest * temperature - shift
    b, t = fitted(answers, joined, np.full(40_000, 1 / 40_000))
    assert b == pytest.approx(shift, abs=0.1)
    assert t == pytest.approx(temperature, rel=0.08)
