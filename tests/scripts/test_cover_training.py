"""What the network of covers learns of a place: whether a tile lies there that is not seen."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")

from scripts.training.covers import labels_of

NONE = float("nan")


@pytest.mark.parametrize(
    ("visible", "label"),
    [
        (0.0, 1),  # nothing of the tile is seen
        (0.45, 1),
        (0.55, -1),  # half of it is: nothing is learnt
        (0.9, 0),
    ],
)
def test_a_tile_is_covered_where_most_of_it_is(visible: float, label: int) -> None:
    seen = np.full((3, 3), NONE)
    seen[1, 1] = visible
    labels = labels_of(seen)
    assert labels[1, 1] == label
    # Beside it no tile lies, whatever covers the table there; over corners nothing is asked.
    assert [labels[0, 1], labels[1, 0], labels[1, 2], labels[2, 1]] == [0] * 4
    assert [labels[0, 0], labels[0, 2], labels[2, 0], labels[2, 2]] == [-1] * 4
