"""What a standing castle hides, in views from all sides."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.photo.photo import open_photo
from kdvision.pipeline.scorer import Scorer
from kdvision.reading import DoubtCode, Reading
from kdvision.rules.terrain import LABELS
from kdvision.vision.geometry import project
from kdvision.vision.models import Model
from kdvision.vision.squares.castle import look_over_castle, open_hidden_places
from kdvision.vision.squares.groups import kingdoms_on
from kdvision.vision.squares.window import BORDER_PX, PATCH_PX, PX_PER_SQUARE, view_window
from tests.support.grids import grid_of
from tests.support.paths import SAMPLES
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
    for shown, share in (({"-": 0.6, "W": 0.39}, 0.6), ({"S": 0.6, "W": 0.39}, 0.0)):
        reading = reading_of(FULL, {"c2": shown})
        grid = grid_of(reading, homography=seen_from(0, down))
        opened = open_hidden_places(reading, grid)
        assert opened.hidden_places == ({at("c2")} if hidden else set())
        assert opened[at("c2")].hidden == pytest.approx(share if hidden else 0, abs=0.01)
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


def test_terrain_over_the_walls_is_read() -> None:
    """Of the half of a wheat some shows, beside walls that look more like a castle."""
    line = "W F -/W W -/C L L"
    seen = reading_of(line, {"a2": {"C": 0.8, "W": 0.199}})
    (kingdom,) = kingdoms_on(seen, grid_of(seen, homography=seen_from(0, 40)))
    assert kingdom[at("a2")].hidden == 0
    assert kingdom.hidden_places == {at("a2")}
    assert likeliest_kingdom(kingdom).probability > 0.95


@pytest.mark.parametrize(
    ("down", "beside", "hidden"), [(40, "c2", 0.0), (75, "c2", 0.8), (40, "b3", 0.8)]
)
def test_what_looks_like_walls_is_read_behind_the_castle_alone(
    down: float, beside: str, hidden: float
) -> None:
    """Beside it, and seen from above, something else lies there that looks like one."""
    reading = reading_of(FULL, {beside: {"C": 0.8, "S": 0.199}})
    opened = open_hidden_places(reading, grid_of(reading, homography=seen_from(0, down)))
    assert opened[at(beside)].hidden == pytest.approx(hidden, abs=0.01)


class Colours:
    """A session that keeps the middle of each patch, and sees plain lake there."""

    def __init__(self) -> None:
        self.middles: list[tuple[float, float]] = []
        self.logits = np.full(len(LABELS), -12.0, np.float32)
        self.logits[LABELS.index("L")] = 0

    def run(self, _: None, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        for patch in given["rgb"]:
            row, col, _ = patch[PATCH_PX // 2, PATCH_PX // 2]
            self.middles.append((float(row), float(col)))
        return [np.repeat(self.logits[None], len(given["rgb"]), axis=0)]


@pytest.mark.parametrize(
    ("turn", "behind", "row", "col"),
    [(0, "c2", 1.25, 2.5), (90, "b3", 2.5, 1.25), (180, "c4", 3.75, 2.5), (270, "d3", 2.5, 3.75)],
)
def test_second_look_lies_further_from_the_camera(
    turn: float, behind: str, row: float, col: float
) -> None:
    """The colours of the window from above say where it was looked at."""
    reading = reading_of(FULL, {behind: {"C": 0.98, "S": 0.019}})
    grid = grid_of(reading, homography=seen_from(turn, 40))
    (kingdom,) = kingdoms_on(reading, grid)
    view = view_window(open_photo(np.zeros((900, 1200, 3), np.uint8)), grid)
    rows, cols = np.indices(view.flat.shape[:2]) // 2
    view = replace(view, flat=np.dstack([rows, cols, rows]).astype(np.uint8))
    session = Colours()
    again = look_over_castle(kingdom, grid, view, Model(session))
    middle = np.array(session.middles[0]) * 2 - BORDER_PX
    assert middle / PX_PER_SQUARE == pytest.approx((row, col), abs=0.05)
    # The first look saw walls, the second counts for far more.
    assert again[at(behind)].label == "L"
    assert again[at(behind)].hidden == pytest.approx(0.49, abs=0.01)
    others = [place for where, place in kingdom.items() if where != at(behind)]
    assert [place for where, place in again.items() if where != at(behind)] == others


def test_no_second_look_where_nothing_is_hidden() -> None:
    reading = reading_of(FULL)
    grid = grid_of(reading, homography=seen_from(0, 40))
    view = view_window(open_photo(np.zeros((900, 1200, 3), np.uint8)), grid)
    session = Colours()
    assert look_over_castle(reading, grid, view, Model(session)) is reading
    assert not session.middles


def test_strip_over_the_walls_is_read(scorer: Scorer) -> None:
    """In a photo of ours the start tile is copied over the near part of the wheat behind it."""
    photo = open_photo(SAMPLES / "low_angle_5x5.jpg")
    pixels = photo.pixels(max(photo.width, photo.height))[0].copy()
    (found,) = scorer.vision.read(photo).kingdoms
    castle = found.reading.castle
    assert castle is not None
    back = castle[0] - 1, castle[1]
    assert found.reading[back].label == "W"
    tile = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    walls = tile * [1, 0.6] + [0, 0.4]
    matrix = found.grid.homography
    start = project(matrix, tile + np.array(castle[::-1])).astype(np.float32)
    copied = project(matrix, walls + np.array(back[::-1])).astype(np.float32)
    moving = cv2.getPerspectiveTransform(start, copied)
    moved = cv2.warpPerspective(pixels, moving, pixels.shape[1::-1])
    mask = np.zeros(pixels.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, copied.astype(np.int32), 255)
    pixels[mask > 0] = moved[mask > 0]
    (found,) = scorer.vision.read(open_photo(pixels)).kingdoms
    assert found.reading.hidden_places == {back}
    assert found.reading.castle == castle
    assert found.reading[back].label == "W"
