"""Why a photo has no kingdom: what is in it instead, and what may be wrong with it."""

import pytest

from kdvision.photo.photo import Photo, open_photo
from kdvision.reading import Doubt, DoubtCode
from kdvision.vision.vision import explain_none
from tests.support.grids import seen_at
from tests.support.paths import SAMPLES

PLUS = SAMPLES / "plus.jpg"
PIXELS = open_photo(PLUS).pixels(400)[0]


def note(code: DoubtCode) -> Doubt:
    """A note on four tiles in the middle of the photo."""
    return Doubt(code, fields={"number": 4, "where": "where.middle"})


@pytest.mark.parametrize(
    ("code", "tiles", "shown"),
    [
        (DoubtCode.TILES_LEFT_OUT, "", "no tiles of Kingdomino"),
        (DoubtCode.TILES_LEFT_OUT, "W W/F F", "tiles, but no kingdom with a castle"),
        (DoubtCode.TILES_LEFT_OUT, "C - - -/- - W W/- - F F", "a castle, but no two dominoes"),
        (DoubtCode.TILES_NOT_READ, "C W W", "tiles, but no kingdom clearly enough"),
    ],
)
def test_photo_without_a_kingdom(code: DoubtCode, tiles: str, shown: str) -> None:
    found = [seen_at(100, 100, tiles)] if tiles else []
    notes = [note(code), note(DoubtCode.TILES_LEFT_OUT)]
    assert f"it shows {shown}" in str(explain_none(open_photo(PLUS), found, notes))


def test_notes_are_said_once() -> None:
    twice = [note(DoubtCode.TILES_LEFT_OUT)] * 2
    error = explain_none(open_photo(PLUS, name="a.jpg"), [], twice)
    assert error.photo == "a.jpg"
    assert str(error).count(twice[0].message) == 1


def torn() -> Photo:
    """A photo of which a stretch was overwritten."""
    data = PLUS.read_bytes()
    middle = len(data) // 2
    return open_photo(data[:middle] + bytes(2000) + data[middle + 2000 :])


@pytest.mark.parametrize(
    ("photo", "is_damaged", "is_array"),
    [
        (open_photo(PLUS), False, False),
        (torn(), True, False),
        (open_photo(open_photo(PLUS).pixels(400)[0]), False, True),
    ],
    ids=["whole file", "torn file", "pixels"],
)
def test_damage_and_channels_may_be_why(photo: Photo, is_damaged: bool, is_array: bool) -> None:
    text = str(explain_none(photo, [], []))
    assert bool(photo.damage) is is_damaged
    assert ("is damaged" in text or "is missing" in text) is is_damaged
    assert ("channels are in the order BGR" in text) is is_array
