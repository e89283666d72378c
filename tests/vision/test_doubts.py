"""Reasons in the photo not to trust a reading, each on a picture painted here."""

from functools import cache

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from kdvision.photo.photo import open_photo
from kdvision.pipeline.trust import load_trust
from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.rules.kingdom import Position
from kdvision.vision.doubts import look_for_doubts
from kdvision.vision.geometry import shift_origin
from kdvision.vision.grid.grid import Grid
from kdvision.vision.obstructions import OBSTRUCTED_FROM, Obstructed
from tests.support.grids import found_in
from tests.support.readings import likeliest_kingdom, place_of, reading_of
from tests.support.tables import CARD, SIDE, paint, table, window

GREEN = (60, 150, 70)
#: A castle and two dominoes in a window of 5 rows and 5 columns.
SEEN = ("- - - - -", "- C W W -", "- F F - -", "- - - - -", "- - - - -")
#: The same and two dominoes more.
WHOLE = ("- - - - -", "- W1 W W -", "- G C W -", "- G F F -", "- - - - -")
#: A box without a gap.
FULL = ("W W W W W", "W F F F W", "W F C F W", "W F F F W", "W W W W W")


def speckled(picture: NDArray[np.uint8], row: int, col: int) -> None:
    """A square with fine detail, as tiles have."""
    top, left = (row + 3) * SIDE, (col + 3) * SIDE
    rng = np.random.default_rng([row, col])
    spots = rng.normal(0, 30, (SIDE // 3, SIDE // 3)).repeat(3, 0).repeat(3, 1)[..., None]
    square = np.clip(np.array(GREEN) + spots, 0, 249)
    picture[top : top + SIDE, left : left + SIDE] = square.astype(np.uint8)


def doubts_in(
    picture: NDArray[np.uint8], grid: Grid, reading: Reading, seen: Obstructed | None = None
) -> tuple[Doubt, ...]:
    """What is doubted of a reading in a picture."""
    return look_for_doubts(found_in(open_photo(picture), grid, reading), seen).reading.doubts


def scene(rows: tuple[str, ...] = SEEN) -> tuple[NDArray[np.uint8], Grid, Reading]:
    """A table with squares where they are read, and a detector that agrees."""
    reading, picture = reading_of("/".join(rows)), table(5, 5)
    tile = (np.array([row.split() for row in rows]) != "-").astype(float)
    for row, col in np.argwhere(tile > 0):
        speckled(picture, row, col)
    return picture, replace(window(5, 5), found=tile > 0, tile=tile), reading


def values(picture: NDArray[np.uint8], grid: Grid, reading: Reading) -> dict[DoubtCode, float]:
    """The weight of every doubt about a reading."""
    doubts = doubts_in(picture, grid, reading)
    assert len({doubt.code for doubt in doubts}) == len(doubts)
    return {doubt.code: doubt.weight for doubt in doubts}


@cache
def usual() -> dict[DoubtCode, float]:
    """The weights of doubts where nothing is wrong."""
    return values(*scene())


def raised(picture: NDArray[np.uint8], grid: Grid, reading: Reading) -> set[str]:
    """The doubts that weigh clearly more than where nothing is wrong."""
    seen = values(picture, grid, reading)
    return {code.value for code, value in seen.items() if value > usual().get(code, 0) + 0.1}


def test_bare_table_gives_no_doubt() -> None:
    small = {DoubtCode.LOOSE_LATTICE, DoubtCode.SMALL_SQUARES, DoubtCode.OBSTRUCTED}
    assert usual().keys() <= {*small, DoubtCode.BLURRED, DoubtCode.UNCLEAR_CASTLE}
    assert max(usual()[code] for code in small & usual().keys()) < 0.8


@pytest.mark.parametrize(
    ("hidden", "card", "chance"),
    [
        (0.1, True, 0.8),  # unlike the table, and the classifier does not clearly see nothing
        (0.1, False, 0.0),  # it looks like the table around
        (0.0, True, 1.0),  # it is far from all ground, whatever the classifier sees
    ],
)
def test_card_on_a_free_place(hidden: float, card: bool, chance: float) -> None:
    picture, grid, reading = scene()
    if card:
        paint(picture, 3, 1, CARD)
    reading = reading.with_place((3, 1), replace(reading[3, 1], hidden=hidden))
    assert values(picture, grid, reading).get(DoubtCode.OBSTRUCTED, 0) == pytest.approx(
        chance, abs=0.2
    )


def hidden_doubt(
    picture: NDArray[np.uint8], grid: Grid, reading: Reading, log_odds: float, at: Position = (3, 1)
) -> Doubt:
    """The doubt where the network says that so much of a tile on one place is hidden."""
    hidden = np.full((5, 5), -9.0)
    hidden[at] = log_odds
    obstructed = Obstructed(hidden=hidden, touched=np.full((5, 5), -9.0))
    doubts = doubts_in(picture, grid, reading, obstructed)
    (seen,) = (doubt for doubt in doubts if doubt.code is DoubtCode.OBSTRUCTED)
    return seen


@pytest.mark.parametrize(("log_odds", "named"), [(0.32, ()), (0.61, ((3, 1),))])
def test_costly_obstruction_names_its_place(log_odds: float, named: tuple) -> None:
    """It looks like the ground: the probabilities that something lies on it are 0.28 and 0.32."""
    assert hidden_doubt(*scene(), log_odds).places == named
    assert load_trust().cost(Doubt(DoubtCode.OBSTRUCTED, OBSTRUCTED_FROM)) == 0


@pytest.mark.parametrize(
    ("share", "log_odds", "chance"),
    [(1.0, 9.0, 0.5), (1.0, 0.0, 0.149), (0.6, 9.0, 0.823), (0.6, 0.0, 0.449)],
)
def test_obstruction_counts_as_unclear_as_its_square(
    share: float, log_odds: float, chance: float
) -> None:
    picture, grid, reading = scene()
    reading = reading.with_place((1, 2), place_of({"W": share}))
    seen = hidden_doubt(picture, grid, reading, log_odds, (1, 2))
    assert seen.weight == pytest.approx(chance, abs=0.002)
    assert seen.places == (((1, 2),) if chance > OBSTRUCTED_FROM else ())


@pytest.mark.parametrize(
    ("log_odds", "chance"),
    [
        (9.0, 0.97),  # it sees as well that a tile is hidden
        (0.0, 0.761),  # it cannot tell
        (-3.0, 0.302),  # it rather sees that no tile is below the card
        (-9.0, 0.239),  # it clearly does
    ],
)
def test_network_counts_twice_the_ground(log_odds: float, chance: float) -> None:
    picture, grid, reading = scene()
    paint(picture, 3, 1, CARD)  # unlike all ground
    seen = hidden_doubt(picture, grid, reading, log_odds)
    assert seen.weight == pytest.approx(chance, abs=0.002)
    assert ((3, 1) in seen.places) is (chance > OBSTRUCTED_FROM)


@pytest.mark.parametrize(
    ("log_odds", "chance", "named"), [(-6.0, 0.27, ()), (-5.7, 0.33, ((2, 3),))]
)
def test_network_is_alone_where_no_ground_is_seen(
    log_odds: float, chance: float, named: tuple
) -> None:
    """The photo ends where the kingdom does: one place without a tile is in it."""
    picture, grid, reading = scene()
    shown = replace(grid, homography=shift_origin(grid.homography, -4, -4))
    kingdom = picture[4 * SIDE : 6 * SIDE, 4 * SIDE : 7 * SIDE]
    seen = hidden_doubt(kingdom, shown, reading, log_odds, (2, 3))
    assert seen.weight == pytest.approx(chance, abs=0.005)
    assert seen.places == named


def on_tile(log_odds: float, at: Position) -> list[tuple[Position, ...]]:
    """The places that are named where the network says that something lies on one."""
    touched = np.full((5, 5), -9.0)
    touched[at] = log_odds
    seen = Obstructed(hidden=np.full((5, 5), -9.0), touched=touched)
    doubts = doubts_in(*scene(), seen)
    return [doubt.places for doubt in doubts if doubt.code is DoubtCode.ON_TILE]


@pytest.mark.parametrize(("log_odds", "named"), [(7.9, []), (8.1, [((1, 2),)])])
def test_obstructed_clear_square_may_hide_crowns(log_odds: float, named: list) -> None:
    assert on_tile(log_odds, (1, 2)) == named


def test_castle_is_no_obstruction() -> None:
    assert on_tile(9.0, (1, 1)) == []


@pytest.mark.parametrize(
    ("at", "paper", "named"),
    [((1, 2), False, ()), ((1, 2), True, ((1, 2),)), ((1, 1), True, ())],
    ids=["tile", "paper", "castle"],
)
def test_paper_may_hide_crowns(at: Position, paper: bool, named: tuple) -> None:
    picture, grid, reading = scene()
    reading = reading.with_place(at, replace(reading[at], paper=paper))
    doubts = doubts_in(picture, grid, reading)
    places = [doubt.places for doubt in doubts if doubt.code is DoubtCode.ON_TILE]
    assert places == ([named] if named else [])


@pytest.mark.parametrize(
    ("colour", "paper", "named"),
    [
        ((188, 166, 146), True, ((3, 1),)),  # its oddness is 3.09
        ((184, 160, 138), True, ()),  # and 2.79: a table like paper
        ((188, 166, 146), False, ()),
    ],
)
def test_odd_paper_beside_the_kingdom_lies_on_a_tile(
    colour: tuple[int, int, int], paper: bool, named: tuple
) -> None:
    """Whatever the network says."""
    picture, grid, reading = scene()
    paint(picture, 3, 1, colour)
    reading = reading.with_place((3, 1), replace(reading[3, 1], paper=paper))
    assert hidden_doubt(picture, grid, reading, -9.0).places == named


@pytest.mark.parametrize(("cards", "chance"), [(3, 0.239), (4, 1.0)])
def test_picture_broken_everywhere_skips_the_network(cards: int, chance: float) -> None:
    picture, grid, reading = scene()
    for row, col in [(3, 1), (0, 1), (1, 0), (2, 0)][:cards]:
        paint(picture, row, col, CARD)
    assert hidden_doubt(picture, grid, reading, -9.0).weight == pytest.approx(chance, abs=0.002)


def test_card_beside_a_complete_kingdom() -> None:
    picture, grid, reading = scene(FULL)
    paint(picture, 5, 2, CARD)
    assert raised(picture, grid, reading) == set()


def test_photo_border_beside_the_kingdom() -> None:
    picture, grid, reading = scene()
    cut = picture[:, : 6 * SIDE + 20]
    assert raised(cut, grid, reading) == {"beyond-border", "at-border", "cut-off"}
    doubts = doubts_in(cut, grid, reading)
    assert [doubt.places for doubt in doubts if doubt.code == "cut-off"] == [((1, 3),)]
    assert raised(picture[:, : 7 * SIDE + 3], grid, reading) == {"at-border"}


def test_full_box_may_end_at_the_border() -> None:
    picture, grid, reading = scene(FULL)
    assert DoubtCode.AT_BORDER not in values(picture[:, : 8 * SIDE], grid, reading)


def test_kingdom_without_bare_places_may_go_on() -> None:
    picture, grid, reading = scene()
    seen = values(picture[:, : round(7.2 * SIDE)], replace(grid, tile=grid.tile * 0 + 1), reading)
    assert seen[DoubtCode.AT_BORDER] == 1


@pytest.mark.parametrize(("side", "value"), [(64, 0.0), (32, 1.0), (16, 2.0)])
def test_small_squares_in_steps(side: float, value: float) -> None:
    picture, grid, reading = scene()
    seen = values(picture, replace(grid, square_px=side), reading)
    assert seen.get(DoubtCode.SMALL_SQUARES, 0) == pytest.approx(value)


def test_loose_lattice() -> None:
    picture, grid, reading = scene()
    loose = replace(grid, residual=0.2)
    assert raised(picture, loose, reading) == {"loose-lattice"}
    assert values(picture, loose, reading)[DoubtCode.LOOSE_LATTICE] == 0.2


def test_two_castles() -> None:
    two = scene((*SEEN[:1], "- C W C -", *SEEN[2:]))
    assert values(*two)[DoubtCode.SEVERAL_CASTLES] == 2
    assert raised(*two) == {"castles"}


@pytest.mark.parametrize(("share", "rows", "at"), [(0.9999, SEEN, (1, 1)), (0.9, WHOLE, (2, 2))])
def test_unclear_start_tile(share: float, rows: tuple[str, ...], at: Position) -> None:
    picture, grid, reading = scene(rows)
    seen = values(picture, grid, reading.with_place(at, place_of({"C": share})))
    assert seen[DoubtCode.UNCLEAR_CASTLE] == pytest.approx(1 - share)


def test_unclear_castle_of_a_large_kingdom() -> None:
    large = scene((*WHOLE[:3], "- G F F S", "- - - - S"))
    reading = large[2].with_place((2, 2), place_of({"C": 0.9}))
    assert DoubtCode.UNCLEAR_CASTLE not in values(*large[:2], reading)


@pytest.mark.parametrize(("level", "burnt"), [(255, True), (252, True), (246, False)])
def test_glare_on_a_square(level: int, burnt: bool) -> None:
    """A white that a lens left something of shows what lies there."""
    picture, grid, reading = scene()
    cv2.circle(picture, (round(4.5 * SIDE), round(4.5 * SIDE)), SIDE // 3, (level,) * 3, -1)
    assert raised(picture, grid, reading) == ({"glare"} if burnt else set())


@pytest.mark.parametrize(
    ("cause", "code", "least", "most"),
    [
        ("border", DoubtCode.CUT_OFF, 0.4, 0.5),  # rather wrong than right
        ("detector", DoubtCode.NOT_FOUND, 0.91, 0.96),  # never sure, and hardly doubted
    ],
)
def test_trust_in_a_lone_square(cause: str, code: DoubtCode, least: float, most: float) -> None:
    picture, grid, reading = scene(WHOLE)
    if cause == "border":
        edge = 4 * SIDE + SIDE * 2 // 5  # leaves three fifths of the first row
        picture = picture[edge:]
        matrix = np.array([[1, 0, 0], [0, 1, -edge], [0, 0, 1.0]])
        grid = replace(grid, homography=matrix @ grid.homography)
    else:
        grid.found[1, 2] = False
    doubts = doubts_in(picture, grid, reading)
    (doubt,) = [one for one in doubts if one.code is code]
    doubt = replace(doubt, places=((1, 2),))
    trusted = likeliest_kingdom(replace(reading, doubts=(doubt,))).probability
    assert least < trusted < most < likeliest_kingdom(reading).probability


def test_damaged_file_is_a_fact() -> None:
    picture, grid, reading = scene()
    picture[: picture.shape[0] // 5] = 128
    damaged = look_for_doubts(found_in(open_photo(picture), grid, reading)).reading
    assert "damaged-file" in {doubt.code for doubt in damaged.doubts}
    assert likeliest_kingdom(damaged).probability == 0


@pytest.mark.parametrize(("colour", "like_table"), [(None, True), (CARD, False)])
def test_tile_of_the_detector_alone(colour: tuple[int, ...] | None, like_table: bool) -> None:
    """Where it looks like the table it is likely none; else it may be one of another game."""
    picture, grid, reading = scene()
    if colour:
        paint(picture, 3, 1, colour)
    found, tile = grid.found.copy(), grid.tile.copy()
    for beside in ((3, 1), (3, 2)):
        found[beside], tile[beside] = True, 0.9
    seen = values(picture, replace(grid, found=found, tile=tile), reading)
    assert (seen[DoubtCode.NOT_READ] < 1.5) is like_table
    assert (seen[DoubtCode.NOT_READ] > 2) is not like_table
