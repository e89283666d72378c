"""Which kingdoms of a photo are reported."""

import pytest
from msgspec.structs import replace

from kdvision.reading import Doubt, DoubtCode
from kdvision.vision.found import FoundKingdom
from kdvision.vision.selection import select_kingdoms
from tests.support.grids import seen_at
from tests.support.readings import reading_of

CUT = Doubt(DoubtCode.CUT_OFF), Doubt(DoubtCode.NOT_FOUND)
SIZE = (1200, 900)


def where(seen: list[FoundKingdom]) -> list[tuple[float, float]]:
    return [(one.grid.homography[0, 2], one.grid.homography[1, 2]) for one in seen]


def test_kingdoms_come_in_reading_order() -> None:
    every = [seen_at(900, 700), seen_at(900, 120), seen_at(100, 100), seen_at(100, 730)]
    found, _ = select_kingdoms(every)
    assert where(found) == [(100, 100), (900, 120), (100, 730), (900, 700)]


def test_one_castle_is_one_kingdom() -> None:
    every = [seen_at(100, 100), seen_at(110, 95), seen_at(160, 100)]
    assert where(select_kingdoms(every)[0]) == [(100, 100), (160, 100)]


@pytest.mark.parametrize(("castle", "count"), [(0.99, 2), (0.9, 2), (0.7, 1)])
def test_kingdom_at_the_border_is_left_out(castle: float, count: int) -> None:
    unclear = {"a1": {"C": castle, "W": 0.001}}
    whole, cut = seen_at(100, 100), seen_at(900, 100, unsure=unclear, doubts=CUT)
    found, notes = select_kingdoms([whole, cut])
    assert len(found) == count
    # What is left out is named by where it lies.
    named = [(note.code, note.fields["where"]) for note in notes]
    assert named == [(DoubtCode.CUT_OFF_LEFT_OUT, "where.top")] * (2 - count)


def test_group_is_read_apart() -> None:
    reading = reading_of("C W - - -/- - - F F")
    (first, *row), below = reading.places[0], reading.places[1]
    covered = replace(row[1], hidden=0.4)
    reading = replace(reading, places=((first, row[0], covered, *row[2:]), below))
    castle, forest = reading.groups()
    assert castle.places[0][2].hidden == forest.places[0][2].hidden == 0.4
    assert [place.label for place in castle.places[1]] == ["-"] * 5
    assert [place.label for place in forest.places[0]] == ["-"] * 5
