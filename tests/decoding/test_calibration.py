"""How far the reader is trusted."""

import math
from collections.abc import Iterator

import pytest

from kdvision.decoding.calibration import calibrated, overall_factor, usual_prior
from kdvision.decoding.settings import DECODING
from kdvision.reading import Doubt, DoubtCode, Place, Reading
from kdvision.rules.terrain import LABELS
from tests.support.readings import at, reading_of
from tests.support.settings import changed


@pytest.fixture
def exact() -> Iterator[None]:
    """The reading is taken at its word."""
    with changed(DECODING, floor=0.0):
        yield


def test_the_prior_is_one_of_all_labels() -> None:
    prior = usual_prior()
    assert sum(prior) == pytest.approx(1)
    assert len(prior) == len(LABELS)
    assert min(prior) > 0
    assert prior[LABELS.index("W")] > prior[LABELS.index("M3")]


@pytest.mark.usefixtures("exact")
def test_without_a_floor_probabilities_stay() -> None:
    reading = reading_of("C W/- F", {"b1": {"W": 0.7, "L": 0.2}})
    values, seen = calibrated(reading, {})
    assert values[1] == pytest.approx(reading.places[0][1].probabilities)
    assert [LABELS[label] for label in seen] == ["C", "W", "-", "F"]


def test_the_floor_leaves_nothing_impossible() -> None:
    values = tuple(float(label == "W") for label in LABELS)
    reading = Reading(((Place(values),),))
    with changed(DECODING, floor=0.01):
        floored, _ = calibrated(reading, {})
    assert min(floored[0]) > 0
    assert sum(floored[0]) == pytest.approx(1)
    assert 1 - floored[0][LABELS.index("W")] == pytest.approx(0.01, rel=0.25)


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("factor", [0.0, 0.3, 0.99])
def test_a_doubt_about_a_place_makes_it_less_certain_but_no_other(factor: float) -> None:
    doubt = Doubt(DoubtCode.GLARE, factor, (at("b1"), at("z9")))
    reading = reading_of("C M3/W F", doubts=(doubt,))
    values, seen = calibrated(reading, {})
    certain, _ = calibrated(reading_of("C M3/W F"), {})
    mine = LABELS.index("M3")
    assert values[1][mine] < certain[1][mine]
    assert values[1][mine] == max(values[1])
    assert seen[1] == mine
    assert values[0] == certain[0]
    assert values[2:] == certain[2:]
    assert overall_factor(reading.doubts) == 1


def test_a_doubt_about_the_photo_is_a_factor() -> None:
    doubts = (
        Doubt(DoubtCode.BLURRED, 0.5),
        Doubt(DoubtCode.DARK, 0.4),
        Doubt(DoubtCode.GLARE, 0, ((0, 0),)),
    )
    assert overall_factor(doubts) == pytest.approx(0.2)


def test_a_fixed_place_has_one_label_and_no_doubt() -> None:
    doubt = Doubt(DoubtCode.GLARE, 0.1, (at("b1"),))
    reading = reading_of("C W/- F", doubts=(doubt,))
    values, seen = calibrated(reading, {at("b1"): LABELS.index("L1")})
    assert values[1] == [float(label == "L1") for label in LABELS]
    assert LABELS[seen[1]] == "L1"


@pytest.mark.parametrize("bad", [math.nan, -0.1, math.inf])
def test_what_is_no_probability_is_refused(bad: float) -> None:
    values = (bad, *(0.1,) * 17)
    with pytest.raises(ValueError, match="must be numbers"):
        calibrated(Reading(((Place(values),),)), {})
    with pytest.raises(ValueError, match="not all 0"):
        calibrated(Reading(((Place((0.0,) * 18),),)), {})
