"""Places beside a kingdom that are burnt out, or too dark for any crown to show."""

import numpy as np
import pytest

from kdvision.photo.photo import open_photo
from kdvision.reading import Doubt, DoubtCode
from kdvision.vision.doubts import look_for_doubts
from tests.support.grids import found_in, grid_of
from tests.support.readings import at, reading_of

#: A kingdom of three columns in a window of five; a kingdom could go on at every side of it.
LINE = "- - - - -/- C W W -/- F F L -/- L L - -/- - - - -"
SIDE = 60


def doubts_of(
    table: int,
    places: dict[str, int],
    share: float = 1.0,
    line: str = LINE,
    margin: int = 0,
) -> list[Doubt]:
    """The doubts of a kingdom on a plain table (0 to 255), with other values on some places.

    So many places at the margin of its window are not in the photo.
    """
    reading = reading_of(line)
    pixels = np.full((reading.height * SIDE, reading.width * SIDE, 3), table, np.uint8)
    for row, col in reading.taken:
        pixels[row * SIDE : (row + 1) * SIDE, col * SIDE : (col + 1) * SIDE] = (90, 140, 60)
    for name, value in places.items():
        row, col = at(name)
        width = round(SIDE * share)
        pixels[row * SIDE : (row + 1) * SIDE, col * SIDE : col * SIDE + width] = value
    out = margin * SIDE
    photo = open_photo(pixels[out : len(pixels) - out, out : pixels.shape[1] - out].copy())
    kingdom = found_in(photo, grid_of(reading, SIDE, (-out, -out)), reading)
    return [one for one in look_for_doubts(kingdom).reading.doubts if one.code is DoubtCode.NOT_LIT]


@pytest.mark.parametrize(
    ("value", "hides"), [(0, True), (12, True), (20, False), (240, False), (255, True)]
)
def test_glare_beside_a_kingdom_is_named(value: int, hides: bool) -> None:
    named = [doubt.places for doubt in doubts_of(110, {"e2": value, "e3": value})]
    assert named == [(at("e2"), at("e3"))] * hides


@pytest.mark.parametrize(("share", "hides"), [(0.75, True), (0.5, False)])
def test_mostly_visible_place_is_not_hidden(share: float, hides: bool) -> None:
    assert bool(doubts_of(110, {"e2": 255}, share)) is hides


@pytest.mark.parametrize("table", [0, 255])
def test_black_or_white_table_hides_nothing(table: int) -> None:
    assert not doubts_of(table, {})


@pytest.mark.parametrize(
    ("table", "place", "hides"),
    [
        (42, 12, True),
        (38, 12, False),  # a tile would show
        (38, 10, True),
        (234, 255, True),
        (236, 255, False),
    ],
)
def test_table_that_is_nearly_black_or_white_hides_nothing(
    table: int, place: int, hides: bool
) -> None:
    assert bool(doubts_of(table, {"e2": place})) is hides


@pytest.mark.parametrize(("count", "hides"), [(5, True), (6, False)])
def test_white_over_a_third_is_table(count: int, hides: bool) -> None:
    """Beside the kingdom 17 places are seen."""
    white = dict.fromkeys(("a1", "b1", "c1", "d1", "e1", "a5")[:count], 255)
    assert bool(doubts_of(110, white)) is hides


def test_full_kingdom_has_nothing_hidden() -> None:
    full = "/".join(
        ["- - - - - - -", *["- W W W W W -"] * 2, "- W W C W W -", *["- W W W W W -"] * 2]
    )
    assert not doubts_of(110, {"g2": 255}, line=full)


@pytest.mark.parametrize(("value", "hides"), [(0, True), (30, False), (255, True)])
def test_corner_of_a_kingdom_that_fills_the_photo_is_hidden(value: int, hides: bool) -> None:
    """No table is seen with which it could be compared."""
    named = [doubt.places for doubt in doubts_of(110, {"d4": value}, margin=1)]
    assert named == [(at("d4"),)] * hides


@pytest.mark.parametrize(("value", "hides"), [(0, False), (249, False), (250, True)])
def test_square_that_is_burnt_out_is_named(value: int, hides: bool) -> None:
    """One in the dark may be a forest."""
    named = [doubt.places for doubt in doubts_of(110, {"d2": value})]
    assert named == [(at("d2"),)] * hides
