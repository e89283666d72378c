"""Tiles that are in no kingdom are not left out without a word."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.reading import UNREPORTED, Doubt, DoubtCode
from kdvision.vision.found import FoundKingdom
from kdvision.vision.left_out import (
    doubt_beside,
    find_left_out,
    find_unclear,
    note_left_out,
    note_unclear,
)
from kdvision.vision.selection import (
    is_print,
    mark_loose_dominoes,
    name_region,
    same_size,
    select_kingdoms,
)
from kdvision.vision.squares.groups import kingdoms_on
from tests.support.grids import found_of, seen_at

TILES = "W W F/F L L/- G G"
KINGDOM = seen_at(800, 600, "C W W/F F -")


def list_notes(read: Sequence[FoundKingdom], kingdoms: Sequence[FoundKingdom]) -> list[Doubt]:
    """What is noted of tiles."""
    return [note_left_out(group, kingdoms) for group in find_left_out(read, kingdoms)]


def list_unclear(unclear: Sequence[FoundKingdom], kingdoms: Sequence[FoundKingdom]) -> list[Doubt]:
    """What is noted of kingdoms that are not made out."""
    return [note_unclear(kingdom) for kingdom in find_unclear(unclear, kingdoms)]


@pytest.mark.parametrize(
    ("tiles", "count"),
    [
        (seen_at(100, 100, TILES), 1),
        (seen_at(100, 100, "W W F/F L -"), 1),
        (seen_at(100, 100, "W W F/F - -"), 1),  # two dominoes, not as in a draft row
        (seen_at(100, 100, "W W F/F - -", unsure={"a1": {"W": 0.7}}), 1),
        (seen_at(100, 100, "W W F/F - -", unsure={"a1": {"W": 0.7}, "b1": {"W": 0.7}}), 0),
        (seen_at(100, 100, "W W/F F"), 0),  # two dominoes of a draft row
        (seen_at(100, 100, "W W F F"), 0),
        (seen_at(100, 100, "W F"), 0),  # a domino
        (seen_at(100, 100, "W F -", unsure={"c1": {"C": 0.008, "-": 0.99}}), 0),
        # It may be its castle.
        (seen_at(100, 100, "W F -", unsure={"c1": {"C": 0.01, "-": 0.98}}), 1),
        (seen_at(100, 100, "W F -", unsure={"c1": {"C": 0.1, "-": 0.89}, "a1": {"W": 0.7}}), 0),
        (seen_at(100, 100, "W W/F F/- -", unsure={"a3": {"C": 0.1, "-": 0.89}}), 1),
        # A draft row.
        (seen_at(100, 100, "W W/F F/L L/- -", unsure={"a4": {"C": 0.1, "-": 0.89}}), 0),
        # What may be a castle beside another square is none of the domino's.
        (seen_at(100, 100, "W F - - L -", unsure={"f1": {"C": 0.1, "-": 0.89}}), 0),
        (seen_at(100, 100, "W F F"), 1),  # a domino, and what may be its castle
        (seen_at(100, 100, "W F F", unsure={"a1": {"W": 0.7}}), 1),
        (seen_at(100, 100, "W F F", unsure={"a1": {"W": 0.7}, "b1": {"F": 0.7}}), 0),
        (seen_at(100, 100, "C F"), 1),  # part of a kingdom, or a start tile with half a domino
        (seen_at(100, 100, "C F/F F"), 1),
        (seen_at(100, 100, "C -"), 0),  # a spare start tile
        (seen_at(100, 100, "C F", unsure={"a1": {"C": 0.7, "W": 0.2}}), 0),
        (seen_at(100, 100, "W - F"), 0),  # single squares
        (seen_at(100, 100, "W W F F/L L G G"), 0),  # a draft row
        (seen_at(100, 100, "W W F F/L L G -/G - - -"), 1),
        (seen_at(100, 100, "W W F F L L G G F"), 0),  # longer than any kingdom
        (seen_at(100, 100, TILES, sure=0.8), 0),  # nothing that is clearly a square
        *((seen_at(100, 100, TILES, side=side), 1) for side in (38, 95)),
        # Prints, with squares of another size.
        *((seen_at(100, 100, TILES, side=side), 0) for side in (30, 37, 96)),
        (seen_at(805, 595, "C W W/F F -"), 0),  # the kingdom, on another grid
    ],
)
def test_groups_that_may_be_a_kingdom(tiles: FoundKingdom, count: int) -> None:
    notes = list_notes([KINGDOM, tiles], [KINGDOM])
    assert len(notes) == count
    for note in notes:
        assert note.fields == {"where": "where.top-left"}


def test_tiles_of_kingdom_size_may_be_one() -> None:
    kingdoms = [KINGDOM, seen_at(800, 100, "C W W/F F -", side=30)]
    assert len(list_notes([*kingdoms, seen_at(100, 100, TILES)], kingdoms)) == 1


@pytest.mark.parametrize(
    ("x", "y", "where"),
    [
        (299, 199, "top-left"),
        (301, 199, "top"),
        (599, 201, "middle"),
        (601, 399, "right"),
        (299, 401, "bottom-left"),
        (-400, 300, "left"),
        (1300, 800, "bottom-right"),
    ],
)
def test_regions_of_a_photo(x: float, y: float, where: str) -> None:
    """In thirds, also where its middle lies beyond the border."""
    assert name_region(np.array([x, y]), (900, 600)) == f"where.{where}"


@pytest.mark.parametrize(
    ("line", "unclear", "doubted"),
    [
        ("C W W -/- - - F/- - - F", {}, True),  # a domino over a corner
        ("C W W/- - -/F F -", {}, True),  # and over a gap
        ("C W W/- - -/F F -/L L -", {}, True),  # two of them
        ("C W W/- - -/F - -", {}, True),  # half of one: what covers the rest?
        ("C W W/- - -/F F -/L L G", {}, False),  # of five squares, tiles of its own
        ("C W W/- - -/- - -/F F -", {}, False),  # too far away to be the kingdom's
        ("C W W/- - -/F F -", {"a3": {"F": 0.88}}, True),
        # What is not clear is no square.
        ("C W W/- - -/F F -", {"a3": {"F": 0.88}, "b3": {"F": 0.88}}, False),
    ],
)
def test_domino_beside_may_belong(
    line: str, unclear: Mapping[str, Mapping[str, float]], doubted: bool
) -> None:
    everything = seen_at(100, 100, line, unsure=unclear)
    (kingdom,) = [group for group in everything.groups() if group.reading.castle]
    found = mark_loose_dominoes(kingdom, everything.reading, [kingdom]).reading
    assert [doubt.code for doubt in found.doubts] == [DoubtCode.NOT_JOINED] * doubted
    # The doubt is about its squares, and about the places between.
    for doubt in found.doubts:
        squares = {*everything.reading.taken} - {*kingdom.reading.taken}
        assert squares < {*doubt.places}


@pytest.mark.parametrize(("like_tile", "doubted"), [(0.51, True), (0.5, False)])
def test_detector_bridges_a_gap(like_tile: float, doubted: bool) -> None:
    """Where it saw nothing, it says 0.5."""
    everything = seen_at(100, 100, "C W W - F")
    (reading,) = kingdoms_on(everything.reading, everything.grid)
    grid = replace(everything.grid, tile=np.full((1, 5), like_tile))
    kingdom = found_of(grid, reading)
    found = mark_loose_dominoes(kingdom, everything.reading, [kingdom])
    assert bool(found.reading.doubts) is doubted


@pytest.mark.parametrize(
    ("other", "doubted"),
    [
        (seen_at(105, 225, "F F - - C"), False),  # of another kingdom
        (seen_at(105, 265, "F F - - C"), True),  # which lies elsewhere
        (seen_at(100, 100, "C W W/- - -/F F -"), True),  # the same, read once more
    ],
)
def test_part_of_another_kingdom_is_not_loose(other: FoundKingdom, doubted: bool) -> None:
    everything = seen_at(100, 100, "C W W/- - -/F F -")
    (kingdom,) = [group for group in everything.groups() if group.reading.castle]
    found = mark_loose_dominoes(kingdom, everything.reading, [kingdom, other])
    assert bool(found.reading.doubts) is doubted


@pytest.mark.parametrize(
    ("unclear", "named"),
    [
        (seen_at(100, 100, "C W W"), True),
        (seen_at(100, 100, "C W W", side=30), False),  # a print, with squares of another size
        (seen_at(805, 595, "C W W/F F -"), False),  # the kingdom, on another grid
    ],
)
def test_unclear_tiles_are_named(unclear: FoundKingdom, named: bool) -> None:
    notes = list_unclear([unclear], [KINGDOM])
    assert [note.code for note in notes] == [DoubtCode.TILES_NOT_READ] * named
    assert all(note.fields == {"where": "where.top-left"} for note in notes)
    alone = list_unclear([unclear], [])
    assert len(alone) == 1


@pytest.mark.parametrize(("side", "named"), [(45, True), (37.5, False)])
def test_small_kingdom_tells_little_of_far_sizes(side: float, named: bool) -> None:
    """By its perspective squares so far to the left would be twice as large."""
    kingdom = seen_at(800, 600, "C W W", slope=0.05)
    tiles = seen_at(100, 100, TILES, side=side)
    assert not same_size(tiles.grid, kingdom.grid)
    assert bool(list_notes([kingdom, tiles], [kingdom])) is named


LARGE = seen_at(800, 300, "C W W F F/F F - - -/F F F F F")


@pytest.mark.parametrize(
    ("x", "code"),
    [
        (-14, DoubtCode.TILES_LEFT_OUT),  # not quite a quarter of a square is cut off
        (-18, DoubtCode.CUT_OFF_LEFT_OUT),
        (-50, DoubtCode.CUT_OFF_LEFT_OUT),
    ],
)
def test_kingdom_at_the_border_is_not_whole(x: float, code: DoubtCode) -> None:
    tiles = seen_at(x, 500, TILES)
    notes = list_notes([LARGE, tiles], [LARGE])
    assert [note.code for note in notes] == [code]
    assert (code in UNREPORTED) is (code is DoubtCode.TILES_LEFT_OUT)


@pytest.mark.parametrize(
    ("x", "like_tile", "cut"),
    [
        (43, 0.7, True),  # the place beside them reaches out by 0.27 of a square and more
        (44, 0.8, False),
        (43, 0.6, False),  # and shows the table
        (15, 0.8, True),
        (14, 0.8, False),  # too little of it is seen
    ],
)
def test_squares_beside_cut_ones_go_on(x: float, like_tile: float, cut: bool) -> None:
    tiles = seen_at(x - 60, 500, "- W W F/- F L L/- - G G")
    tile_seen = np.zeros((3, 4))
    tile_seen[:2, 0] = like_tile
    seen = replace(tiles, grid=replace(tiles.grid, tile_seen=tile_seen))
    (note,) = list_notes([LARGE, seen], [LARGE])
    assert (note.code is DoubtCode.CUT_OFF_LEFT_OUT) is cut


def test_group_at_the_border_is_named_by_region() -> None:
    tiles = [seen_at(-20, 100, TILES), seen_at(-20, 900, TILES), seen_at(300, 800, TILES)]
    notes = list_notes([LARGE, *tiles], [LARGE])
    assert [(note.code, note.fields["where"]) for note in notes] == [
        (DoubtCode.CUT_OFF_LEFT_OUT, "where.top-left"),
        (DoubtCode.CUT_OFF_LEFT_OUT, "where.bottom-left"),
        (DoubtCode.TILES_LEFT_OUT, "where.bottom-left"),
    ]


def test_border_castle_and_lone_tiles_are_named() -> None:
    castle = seen_at(-20, 500, "C F/F F")
    codes = [note.code for note in list_notes([LARGE, castle], [LARGE])]
    assert codes == [DoubtCode.TILES_LEFT_OUT]
    alone = [note.code for note in list_notes([seen_at(-20, 500, TILES)], [])]
    assert alone == [DoubtCode.TILES_LEFT_OUT]


@pytest.mark.parametrize(
    ("side", "kingdom", "named"),
    [
        (43, LARGE, True),
        (41, LARGE, False),  # print: below 0.71 of the side of the tiles
        (41, KINGDOM, True),  # a kingdom of five squares does not tell
        (41, seen_at(800, 300, "C W W F F/F F F F -", unsure={"a1": {"C": 0.8}}), True),
        (41, seen_at(800, 300, "C W W F F/F F F F -", unsure={"a1": {"C": 0.9}}), False),
    ],
)
def test_smaller_squares_are_print(side: float, kingdom: FoundKingdom, named: bool) -> None:
    tiles = seen_at(100, 100, TILES, side=side)
    assert bool(list_notes([kingdom, tiles], [kingdom])) is named
    assert bool(list_unclear([tiles], [kingdom])) is named


def test_small_squares_without_perspective_are_named() -> None:
    """A lattice that fits badly says that tiles further off are smaller than they are."""
    bent = seen_at(200, 600, "C W W F F/F F - - -/F F F F F", 100, slope=-2e-4)
    tiles = seen_at(1200, 600, TILES, side=71)
    assert not is_print(tiles, [bent])


@pytest.mark.parametrize(("side", "is_smaller"), [(47.5, True), (48, False)])
def test_perspective_is_measured_at_tile_middles(side: float, is_smaller: bool) -> None:
    kingdom = seen_at(200, 600, "C W W F F/F F - - -/F F F F F", 100, slope=0.02)
    assert is_print(seen_at(1200, 600, TILES, side=side), [kingdom]) is is_smaller


@pytest.mark.parametrize(
    ("row", "unsure", "named"),
    [
        ("W W F F L/L G G S S", {}, False),  # five dominoes in a row
        ("W W F F L L/L G G S S W", {}, False),
        ("W W F F L/L G G S -", {}, True),
        ("W W F F L -/L G G S S -", {"f1": {"C": 0.1, "-": 0.89}}, True),  # a castle may stand
    ],
)
def test_discarded_dominoes_are_no_kingdom(
    row: str, unsure: dict[str, dict[str, float]], named: bool
) -> None:
    tiles = seen_at(100, 100, row, unsure=unsure)
    assert bool(list_notes([LARGE, tiles], [LARGE])) is named


@pytest.mark.parametrize(("off", "named"), [(0.34, False), (0.37, True)])
def test_overlapping_squares_belong_to_the_kingdom(off: float, named: bool) -> None:
    """Read once more on another grid; further off they are others."""
    again = seen_at(800 + off * 60, 300 + off * 60, "W W W F F/F F - - -/F F F F F")
    assert bool(list_notes([LARGE, again], [LARGE])) is named


@pytest.mark.parametrize(("shift", "named"), [(1, False), (3, True)])
def test_groups_must_lie_mostly_beside(shift: int, named: bool) -> None:
    """Of eleven squares eight, then four, are those of the kingdom, on another grid."""
    kingdom = seen_at(800, 300, "C W W F F/F F F F F")
    again = seen_at(800 + shift * 60, 300, "W W F F G/F F F F G/- - - - L")
    assert bool(list_notes([kingdom, again], [kingdom])) is named


@pytest.mark.parametrize(("side", "count"), [(44, 2), (40, 1)])
def test_printed_kingdom_is_none(side: float, count: int) -> None:
    tile = seen_at(800, 300, "C W W F F/F F - - -/F F F F F")
    page = seen_at(100, 300, "C W W/F F -", side=side)
    found, notes = select_kingdoms([tile, page])
    assert len(found) == count
    codes = {note.code for note in notes}
    assert codes == (set() if count == 2 else {DoubtCode.PRINT_LEFT_OUT})


@pytest.mark.parametrize(
    ("last", "code"),
    [("F", DoubtCode.SMALLER_LEFT_OUT), ("-", DoubtCode.PRINT_LEFT_OUT)],
)
def test_smaller_kingdom_of_twenty_one_squares_may_be_whole(last: str, code: DoubtCode) -> None:
    """It may be a whole kingdom that lies far away; one of twenty squares is print."""
    row = "W W F F L"
    kingdom = seen_at(800, 300, f"C W F F L/{row}/{row}/{row}/{row}")
    page = seen_at(100, 300, f"C W F F L/{row}/{row}/{row}/{last} - - - -", side=40)
    found, notes = select_kingdoms([kingdom, page])
    assert len(found) == 1
    assert [note.code for note in notes] == [code]


@pytest.mark.parametrize(("x", "codes"), [(155, ["not-joined"]), (145, [])])
def test_tiles_left_out_close_by_make_it_doubtful(x: int, codes: list[str]) -> None:
    """A square may be hidden between."""
    kingdom = seen_at(300, 100, "C W W/F F -")
    beside = seen_at(x, 100, "G/G/L")
    doubted = doubt_beside(kingdom, [beside])
    assert [doubt.code.value for doubt in doubted.reading.doubts] == codes


@pytest.mark.parametrize(
    ("turn", "slope", "doubted"),
    [(9, 0, True), (11, 0, False), (-11, 0, False), (78, 0, False), (89, 0, True), (9, 1e-4, True)],
)
def test_turned_tiles_are_none_of_the_kingdom(turn: float, slope: float, doubted: bool) -> None:
    """Dominoes of a draft row, which lie anyhow; a quarter turn is none."""
    kingdom = seen_at(400, 300, "C W W/F F -", slope=slope)
    beside = seen_at(340, 290, "G/G/L", turn=turn, slope=slope)
    assert bool(doubt_beside(kingdom, [beside]).reading.doubts) is doubted


def test_loose_dominoes_are_doubted_once() -> None:
    """Somebody who gives their places has settled them."""
    everything = seen_at(100, 100, "C W W/- - -/F F L/L - -")
    kingdom = mark_loose_dominoes(everything.groups()[1], everything.reading, [])
    left_out = find_left_out([everything], [kingdom])
    assert len(left_out) == 1
    assert doubt_beside(kingdom, left_out) is kingdom
