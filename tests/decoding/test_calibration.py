"""How far the reader is trusted."""

import math
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from kdvision.decoding.calibration import (
    CALIBRATION,
    KEPT_ON_PLACE,
    calibrate,
    overall_factor,
    usual_prior,
)
from kdvision.reading import Doubt, DoubtCode, Place, Reading
from kdvision.rules.terrain import LABELS
from tests.support.readings import at, reading_of
from tests.support.settings import changed


@pytest.fixture
def exact() -> Iterator[None]:
    """The reading is taken at its word."""
    with changed(CALIBRATION, floor=0.0):
        yield


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("code", sorted(KEPT_ON_PLACE))
def test_place_doubt_lowers_only_its_certainty(code: DoubtCode) -> None:
    doubt = Doubt(code, 1.0, (at("b1"), at("z1"), at("b0"), at("d2")))
    reading = reading_of("C M3/W F", doubts=(doubt,))
    values, seen = calibrate(reading, {})
    certain, _ = calibrate(reading_of("C M3/W F"), {})
    mine = LABELS.index("M3")
    assert values[1][mine] < certain[1][mine]
    assert values[1][mine] == max(values[1])
    assert seen[1] == mine
    assert values[0] == certain[0]
    assert values[2:] == certain[2:]
    assert overall_factor(reading.doubts) == 1


def test_fixed_place_has_one_label() -> None:
    doubt = Doubt(DoubtCode.CUT_OFF, 1.0, (at("b1"),))
    reading = reading_of("C W/- F", doubts=(doubt,))
    values, seen = calibrate(reading, {at("b1"): LABELS.index("L1")})
    assert values[1] == [float(label == "L1") for label in LABELS]
    assert LABELS[seen[1]] == "L1"


def hidden_middle(line: str) -> dict[str, float]:
    """What the middle of three rows of three is taken for where it is hidden."""
    places = [list(row) for row in reading_of(line).places]
    places[1][1] = replace(places[1][1], hidden=1.0)
    values, _ = calibrate(Reading(tuple(map(tuple, places))), {})
    return dict(zip(LABELS, values[4], strict=True))


def test_hidden_place_leans_to_its_neighbours() -> None:
    """`alike`: 3.5 for each neighbour; kinds of one terrain stay as likely to each other."""
    usual = dict(zip(LABELS, usual_prior(), strict=True))
    single, double = hidden_middle("L S C/S F C/L G L"), hidden_middle("L G C/S F C/L G L")
    for read, factor in ((single, 3.5), (double, 3.5**2)):
        assert read["G"] / read["F"] == pytest.approx(factor * usual["G"] / usual["F"], rel=0.01)
        assert read["G2"] / read["G"] == pytest.approx(usual["G2"] / usual["G"], rel=0.01)
    assert single["C"] / single["F"] == pytest.approx(usual["C"] / usual["F"], rel=0.01)


@pytest.mark.parametrize("bad", [math.nan, -0.1, math.inf])
def test_bad_probabilities_are_refused(bad: float) -> None:
    values = (bad, *(0.1,) * 17)
    with pytest.raises(ValueError, match="must be numbers"):
        calibrate(Reading(((Place(values),),)), {})
    with pytest.raises(ValueError, match="not all 0"):
        calibrate(Reading(((Place((0.0,) * 18),),)), {})
