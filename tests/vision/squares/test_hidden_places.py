"""What a standing castle hides, in views from all sides."""

import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.reading import DoubtCode, Reading
from kdvision.vision.squares.castle import open_hidden_places
from kdvision.vision.squares.groups import kingdoms_on
from tests.support.grids import grid_of
from tests.support.readings import at, likeliest_kingdom, place_of, reading_of

#: A full 5x5 with the castle in the middle; b3 and d3, c2 and c4 are around it.
FULL = "M2 M2 S S2 S/W M2 S W W1/W1 M C W1 G/W M3 M1 W1 F/W W W W1 L"


def seen_from(turn: float, down: float) -> np.ndarray:
    """The homography of a camera that looks `down` degrees at a 5x5, from `turn` degrees: from 0 it
    stands beyond the last row, from 90 beyond the last column."""
    angle, tilt = np.radians(turn), np.radians(90 - down)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    shift = -spin @ [2.5, 2.5]
    table = np.array([[*spin[0], shift[0]], [*spin[1], shift[1]], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, -np.sin(tilt), 12]])
    return np.array([[900, 0, 600], [0, 900, 450], [0, 0, 1.0]]) @ lean @ table


@pytest.mark.parametrize(("turn", "behind"), [(0, "c2"), (90, "b3"), (180, "c4"), (270, "d3")])
def test_nearer_castle_hides_the_other(turn: float, behind: str) -> None:
    """The walls show more of a castle behind the start tile than on it."""
    unsure = {"c3": {"C": 0.6, "W": 0.39}, behind: {"C": 0.98, "S": 0.019}}
    reading = reading_of(FULL, unsure)
    (kingdom,) = kingdoms_on(reading, grid_of(reading, homography=seen_from(turn, 40)))
    assert kingdom[at("c3")].label == "C"
    assert kingdom[at(behind)].hidden == pytest.approx(0.98, abs=0.01)
    assert [(one.code, one.places) for one in kingdom.doubts] == [(DoubtCode.HIDDEN, (at(behind),))]


@pytest.mark.parametrize(("down", "castle"), [(40, "c3"), (55, "c3"), (70, "c2"), (90, "c2")])
def test_from_above_the_likeliest_castle_stands(down: float, castle: str) -> None:
    """Walls hide nothing there: what looks more like a castle is it, near or far."""
    reading = reading_of(FULL, {"c3": {"C": 0.6, "W": 0.39}, "c2": {"C": 0.98, "S": 0.019}})
    (kingdom,) = kingdoms_on(reading, grid_of(reading, homography=seen_from(0, down)))
    assert kingdom.castle == at(castle)


@pytest.mark.parametrize(("down", "hidden"), [(40, True), (75, False)])
def test_unclear_place_behind_castle_is_open(down: float, hidden: bool) -> None:
    reading = reading_of(FULL, {"c2": {"S": 0.6, "W": 0.39}})
    grid = grid_of(reading, homography=seen_from(0, down))
    assert bool(open_hidden_places(reading, grid)[at("c2")].hidden) is hidden
    # One that is clearly seen is not open, and none before the castle or beside it is.
    for clear in (reading_of(FULL), reading_of(FULL, {"c4": {"S": 0.6, "W": 0.39}})):
        assert open_hidden_places(clear, grid) is clear


def test_hidden_place_makes_its_total_doubtful() -> None:
    """Behind the castle lies the other half of a wheat, of which many dominoes are left."""
    line = "W F -/W W -/C L L"
    seen = reading_of(line, {"a2": {"C": 0.98, "W": 0.01}})
    (kingdom,) = kingdoms_on(seen, grid_of(seen, homography=seen_from(0, 40)))
    decoded = likeliest_kingdom(kingdom)
    assert decoded.probability < 0.9
    assert decoded.alternatives
    fixed = likeliest_kingdom(kingdom, fixes={at("a2"): "W"})
    assert (str(fixed.kingdom), fixed.probability > 0.99) == (line, True)


def test_hidden_place_is_harmless_with_one_total() -> None:
    seen = reading_of(FULL, {"c2": {"C": 0.98, "W": 0.01}})
    (kingdom,) = kingdoms_on(seen, grid_of(seen, homography=seen_from(0, 40)))
    decoded = likeliest_kingdom(kingdom)
    assert str(decoded.kingdom) == FULL
    assert decoded.probability > 0.95
    # What stood for the place is no reading that the deck corrected.
    assert decoded.seen == decoded.kingdom


def test_last_domino_of_the_deck_is_hidden() -> None:
    """Next to a three-crown mine, whose only domino has wheat on its other half."""
    line = "C - -/W M3 -/F F -"
    reading = reading_of(line, {"a2": {"C": 0.9, "F": 0.09}})
    flipped = grid_of(reading, homography=seen_from(180, 40))
    (kingdom,) = kingdoms_on(reading, flipped)
    assert kingdom[at("a2")].hidden > 0.85
    decoded = likeliest_kingdom(kingdom)
    assert str(decoded.kingdom.trimmed()) == "C -/W M3/F F"
    assert decoded.probability > 0.99


def test_many_castles_are_a_pattern() -> None:
    reading: Reading = reading_of("C C C C/W W F F")
    assert open_hidden_places(reading, grid_of(reading, homography=seen_from(0, 40))) is reading


def test_hidden_place_keeps_its_evidence() -> None:
    place = replace(place_of({"C": 0.9, "W1": 0.09}), center=(3.0, 4.0))
    reading = reading_of(FULL).with_place(at("c2"), place)
    (kingdom,) = kingdoms_on(reading, grid_of(reading, homography=seen_from(0, 40)))
    assert kingdom[at("c2")].label == "W1"
    assert kingdom[at("c2")].center == (3.0, 4.0)
