"""How far the reader is trusted."""

import math
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from kdvision.decoding.calibration import CALIBRATION, calibrated, overall_factor, usual_prior
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
def test_without_a_floor_probabilities_stay() -> None:
    reading = reading_of("C W/- F", {"b1": {"W": 0.7, "L": 0.2}})
    values, seen = calibrated(reading, {})
    assert values[1] == pytest.approx(reading.places[0][1].probabilities)
    assert [LABELS[label] for label in seen] == ["C", "W", "-", "F"]


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("factor", [0.0, 0.3, 0.99])
def test_a_doubt_about_a_place_makes_it_less_certain_but_no_other(factor: float) -> None:
    doubt = Doubt(DoubtCode.GLARE, factor, (at("b1"), at("z1"), at("b0"), at("d2")))
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


def test_every_doubt_about_a_place_counts() -> None:
    halves = tuple(Doubt(code, 0.5, ((0, 1),)) for code in (DoubtCode.GLARE, DoubtCode.COVERED))
    quarter = (Doubt(DoubtCode.GLARE, 0.25, ((0, 1),)),)
    both, once = (reading_of("C M3/W F", doubts=doubts) for doubts in (halves, quarter))
    assert calibrated(both, {}) == calibrated(once, {})


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


def hidden_middle(line: str) -> dict[str, float]:
    """What the middle of three rows of three is taken for where it is hidden."""
    places = [list(row) for row in reading_of(line).places]
    places[1][1] = replace(places[1][1], hidden=1.0)
    values, _ = calibrated(Reading(tuple(map(tuple, places))), {})
    return dict(zip(LABELS, values[4], strict=True))


def test_a_hidden_place_has_rather_the_terrain_of_its_neighbours() -> None:
    """`alike`: 3.5 for each neighbour; kinds of one terrain stay as likely to each other."""
    usual = dict(zip(LABELS, usual_prior(), strict=True))
    single, double = hidden_middle("L S C/S F C/L G L"), hidden_middle("L G C/S F C/L G L")
    for read, factor in ((single, 3.5), (double, 3.5**2)):
        assert read["G"] / read["F"] == pytest.approx(factor * usual["G"] / usual["F"], rel=0.01)
        assert read["G2"] / read["G"] == pytest.approx(usual["G2"] / usual["G"], rel=0.01)
    assert single["C"] / single["F"] == pytest.approx(usual["C"] / usual["F"], rel=0.01)


def test_a_hidden_place_among_empty_ones_is_rather_empty_and_among_squares_is_not() -> None:
    assert hidden_middle("- - -/- F -/- C -")["-"] > 0.8
    assert hidden_middle("- L C/W F S/- G L")["-"] < usual_prior()[-1]


def test_what_is_seen_is_not_taken_for_what_lies_beside_it() -> None:
    """Nor does a place count as a neighbour that is hidden itself."""
    places = [list(row) for row in reading_of("L G C/S F G/L G L").places]
    before, _ = calibrated(Reading(tuple(map(tuple, places))), {})
    places[1][1] = replace(places[1][1], hidden=1.0)
    places[0][1] = replace(places[0][1], hidden=1.0)
    values, _ = calibrated(Reading(tuple(map(tuple, places))), {})
    assert [values[at] for at in (0, 2, 3, 5, 6, 7, 8)] == [
        before[at] for at in (0, 2, 3, 5, 6, 7, 8)
    ]
    read, usual = (dict(zip(LABELS, column, strict=True)) for column in (values[4], usual_prior()))
    # Two of the three neighbours that are grassland are seen.
    assert read["G"] / read["F"] == pytest.approx(3.5**2 * usual["G"] / usual["F"], rel=0.01)


@pytest.mark.parametrize("bad", [math.nan, -0.1, math.inf])
def test_what_is_no_probability_is_refused(bad: float) -> None:
    values = (bad, *(0.1,) * 17)
    with pytest.raises(ValueError, match="must be numbers"):
        calibrated(Reading(((Place(values),),)), {})
    with pytest.raises(ValueError, match="not all 0"):
        calibrated(Reading(((Place((0.0,) * 18),),)), {})
