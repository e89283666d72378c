"""What passes from the eye to the judge."""

from kdvision.reading import Doubt
from kdvision.rules.terrain import LABELS
from tests.support.readings import at, reading_of


def test_a_reading_has_the_shape_of_its_grid() -> None:
    reading = reading_of("C W1 -/F L M3")
    assert (reading.height, reading.width) == (2, 3)
    assert [[place.label for place in row] for row in reading.places] == [
        ["C", "W1", "-"],
        ["F", "L", "M3"],
    ]


def test_padding_adds_background_on_all_sides() -> None:
    reading = reading_of("C W", doubts=(Doubt("glare", "", 0.5, (at("b1"),)),))
    padded = reading.padded(1, 2)
    assert [[place.label for place in row] for row in padded.places] == [
        ["-"] * 6,
        ["-", "-", "C", "W", "-", "-"],
        ["-"] * 6,
    ]
    assert padded.doubts[0].cells == (at("d2"),)
    assert all(len(place.probabilities) == len(LABELS) for row in padded.places for place in row)
