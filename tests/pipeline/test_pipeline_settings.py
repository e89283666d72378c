"""Numbers that decide which kingdoms are reported and scored: a case on each side of each."""

import pytest

from kdvision.options import GameOptions
from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.result import Status
from tests.support.grids import grid_of, kingdom_results
from tests.support.readings import reading_of

LINE = "C W1 G/- W L"


def with_trust(share: float) -> Reading:
    """A reading that is clear, of which so much trust is left."""
    return reading_of(LINE, doubts=(Doubt(DoubtCode.BLURRED, share),))


def reported(first: float, second: float) -> int:
    """How many of two kingdoms are reported; the second has far smaller squares."""
    large, small = with_trust(first), with_trust(second)
    seen = [(grid_of(large), large), (grid_of(small, 30, (900, 50)), small)]
    return len(kingdom_results("table.jpg", seen, GameOptions()))


@pytest.mark.parametrize(("clear", "count"), [(0.72, 2), (0.88, 1)])
def test_how_clear_a_kingdom_must_be_to_show_the_size_of_squares(clear: float, count: int) -> None:
    assert reported(clear, 0.1) == count


@pytest.mark.parametrize(("unclear", "count"), [(0.17, 1), (0.23, 2)])
def test_how_unclear_something_is_that_is_a_print(unclear: float, count: int) -> None:
    assert reported(1.0, unclear) == count


@pytest.mark.parametrize(("probability", "sure"), [(0.985, False), (0.9999, True)])
def test_where_sure_begins_without_a_fitted_trust(probability: float, sure: bool) -> None:
    reading = with_trust(probability)
    (result,) = kingdom_results("a.jpg", [(grid_of(reading), reading)], GameOptions())
    assert (result.status is Status.SURE) is sure


@pytest.mark.parametrize(("probability", "scored"), [(0.04, False), (0.06, True)])
def test_how_likely_a_total_must_be_to_be_scored(probability: float, scored: bool) -> None:
    reading = with_trust(probability)
    (result,) = kingdom_results("a.jpg", [(grid_of(reading), reading)], GameOptions())
    assert result.scored is scored
