"""Numbers that decide what a castle hides: a case on each side of each."""

import math

import pytest

from kdvision.vision.squares.castle import LineOfSight, behind
from tests.support.readings import at


@pytest.mark.parametrize(
    ("cosine", "hidden"),
    [
        (0.42, {"d3"}),
        (0.5, {"d3"}),
        (0.58, {"d3", "c2", "d2"}),
        (0.81, {"d3", "c2", "d2"}),
        (0.91, {"c2"}),
    ],
)
def test_which_places_are_behind_a_castle(cosine: float, hidden: set[str]) -> None:
    """Seen upwards to the right: by how much the place above and the one beside lie that way.

    Over a corner it hides the place there as well.
    """
    view = LineOfSight((-cosine, math.sqrt(1 - cosine**2)), 0.6)
    assert set(behind(at("c3"), view)) == {at(name) for name in hidden}


@pytest.mark.parametrize(("height", "hides"), [(0.86, True), (0.88, False)])
def test_castle_seen_from_above_hides_nothing(height: float, hides: bool) -> None:
    assert bool(set(behind(at("c3"), LineOfSight((-1.0, 0.0), height)))) is hides
