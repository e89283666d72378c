"""The picture to share: the overlay, and below it the totals, the best first."""

import numpy as np
import numpy.typing as npt
import pytest
from msgspec.structs import replace

from kdvision.report.overlay.card import draw_card
from kdvision.report.overlay.draw import draw_overlay
from kdvision.result import KingdomResult, PhotoResult, Status
from tests.support.results import read_kingdom

PHOTO = np.full((400, 600, 3), 90, np.uint8)
#: 600 pixels wide: a line is 54 high.
LINE = 54
GOLD = (255, 212, 71)
#: 2 points, 6 points.
FEW, MANY = "C W1 W", "C W1 W W1/- - - W"


def card(*kingdoms: KingdomResult, **players: str) -> npt.NDArray[np.int16]:
    result = PhotoResult("table.jpg", Status.SURE, "", kingdoms, (600, 400))
    return np.asarray(draw_card(PHOTO, result, 1.0, players), np.int16)


def kingdom(line: str) -> KingdomResult:
    return read_kingdom(line, corners=((100, 100), (300, 100), (300, 200), (100, 200)))


def crowned(drawn: npt.NDArray[np.int16], lines: int) -> list[bool]:
    """Which lines below the picture have a crown."""
    below = drawn[400:, :LINE]
    gold = (np.abs(below - GOLD).max(axis=2) < 12).sum(axis=1)
    return [bool(gold[n * LINE : (n + 1) * LINE].sum() > 20) for n in range(lines)]


@pytest.mark.parametrize(
    ("kingdoms", "crowns"),
    [
        ([FEW], [False]),
        ([FEW, MANY], [True, False]),
        ([MANY, FEW, MANY], [True, True, False]),
    ],
)
def test_a_line_per_kingdom_with_crowns_for_the_best(kingdoms, crowns):
    drawn = card(*map(kingdom, kingdoms))
    assert drawn.shape == (400 + LINE * len(kingdoms) + LINE // 2, 600, 3)
    assert crowned(drawn, len(kingdoms)) == crowns


def test_nobody_leads_where_a_total_cannot_be_named():
    unknown = replace(kingdom(FEW), status=Status.DOUBTFUL, scored=False)
    assert crowned(card(kingdom(MANY), unknown), 2) == [False, False]


def test_the_picture_above_is_the_overlay():
    result = PhotoResult("table.jpg", Status.SURE, "", (kingdom(MANY),), (600, 400))
    assert np.array_equal(card(kingdom(MANY))[:400], draw_overlay(PHOTO, result, 1.0))


def test_names_are_drawn_and_long_ones_never_reach_the_total():
    bare, short, long = (
        card(kingdom(MANY), **names) for names in ({}, {"A": "Ada"}, {"A": "W" * 60})
    )
    assert np.abs(short - bare)[400:, :200].max() > 100
    assert np.array_equal(long[400:, 540:], bare[400:, 540:])
