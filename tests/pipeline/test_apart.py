"""A domino that touches a kingdom at corners only, or lies one row off, at every rotation."""

import pytest

from kdvision.pipeline.scorer import Scorer
from kdvision.reading import DoubtCode
from kdvision.report.wording import place_names
from kdvision.result import KingdomResult, Status
from tests.support.laid import Laid, lay, numbers

#: The castle is in row 5, column 5. Two wheat and a forest around it, one wheat with a crown.
CASTLE = (5, 5)
FIRST, SECOND, THIRD, LAST = numbers("W-W", "F-F", "F-W1", "L-W1")
KINGDOM: list[Laid] = [(FIRST, 5, 6, False), (SECOND, 6, 5, False), (THIRD, 4, 4, False)]


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer()


def scored(scorer: Scorer, last: tuple[float, float, bool] | None, turn: float) -> KingdomResult:
    more: list[Laid] = [(LAST, *last)] if last else []
    (kingdom,) = scorer.score(lay(KINGDOM + more, CASTLE, turn=turn), name="laid").kingdoms
    return kingdom


def codes(kingdom: KingdomResult) -> list[DoubtCode]:
    return [warning.code for warning in kingdom.warnings]


@pytest.mark.parametrize("turn", range(0, 360, 30))
@pytest.mark.parametrize(
    "last",
    [
        (7, 7, False),  # below and right of the last square of the second domino
        (2, 6, True),  # above and right of the third
        (8, 5, False),  # a row off
        (5, 9, True),  # a column off
    ],
)
def test_both_totals_are_named_at_every_rotation(
    scorer: Scorer, last: tuple[float, float, bool], turn: float
) -> None:
    kingdom = scored(scorer, last, turn)
    assert kingdom.status is Status.DOUBTFUL
    doubt = next(one for one in kingdom.warnings if one.code is DoubtCode.NOT_JOINED)
    assert doubt is kingdom.warnings[0]
    without, with_it = kingdom.sheet.total, kingdom.alternatives[0].score
    assert {without, with_it} == {1, 2}
    assert (doubt.fields["without"], doubt.fields["total_with"]) == (without, with_it)
    assert doubt.fields["squares"] == place_names(kingdom, doubt.cells)


@pytest.mark.parametrize("turn", [0, 20, 90, 200])
@pytest.mark.parametrize(
    "last",
    [
        None,
        (7, 5, False),  # joined by an edge
        (8, 7.5, False),  # on no lattice of the kingdom
        (9, 9, False),  # further off
    ],
)
def test_what_is_joined_or_out_of_line_is_no_such_domino(
    scorer: Scorer, last: tuple[float, float, bool] | None, turn: float
) -> None:
    assert DoubtCode.NOT_JOINED not in codes(scored(scorer, last, turn))
