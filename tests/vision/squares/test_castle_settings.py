"""Numbers that decide where a castle is and what it hides: a case on each side of each."""

import math

import pytest

from kdvision.vision.squares.castle import LineOfSight, behind
from tests.support.readings import at, reading_of

FULL = "M2 M2 S S2 S/W M2 S W W1/W1 M C W1 G/W M3 M1 W1 F/W W W W1 L"


@pytest.mark.parametrize(
    ("share", "other", "castle"),
    [(0.24, 0.06, True), (0.24, 0.07, False), (0.002, 0.0, True), (0.001, 0.0, False)],
)
def test_contrast_of_a_faint_castle(share: float, other: float, castle: bool) -> None:
    shares = {"c3": share, "a1": other}
    line = FULL.replace("C", "W")
    read = reading_of(line, {name: {"W": 0.7, "C": share} for name, share in shares.items()})
    assert read.castle == (at("c3") if castle else None)


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
