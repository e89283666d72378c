"""Dominoes in line with a kingdom that are not joined to it by an edge."""

import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.reading import Place
from kdvision.rules.kingdom import Position
from kdvision.vision.doubt.disconnected import with_disconnected_dominoes
from kdvision.vision.geometry import project
from kdvision.vision.grid.finder import Grid
from tests.support.readings import padded, reading_of
from tests.support.tables import window

#: A kingdom of five squares in the middle of its window, and one of eleven.
SMALL = "- - - - - -/- C W W - -/- F F - - -/- - - - - -/- - - - - -"
LARGE = "- - - - - - -/- C W W G G -/- F F L L S -/- - - - S - -/- - - - - - -/- - - - - - -"


def apart(
    line: str,
    detected: list[tuple[float, float]],
    unsure: dict[str, dict[str, float]] | None = None,
    tile: dict[Position, float] | None = None,
) -> set[Position]:
    """The places that are named, where squares were detected at (row, col) of the lattice."""
    whole = reading_of(line, unsure)
    kingdom = reading_of(line)
    grid = window(whole.height, whole.width)
    tiles = grid.tile.copy()
    for at, share in (tile or {}).items():
        tiles[at] = share
    grid = replace(grid, tile=tiles)
    points = np.array(detected or np.empty((0, 2)), float)
    pixels = project(grid.homography, points[:, ::-1] + 0.5) if len(points) else np.empty((0, 2))

    def read(wider: Grid, places: np.ndarray) -> list[Place]:
        more = (wider.rows - whole.height) // 2, (wider.cols - whole.width) // 2
        room = padded(whole, *more)
        return [room.places[row][col] for row, col in np.argwhere(places)]

    ((_, found),) = with_disconnected_dominoes([(grid, kingdom)], pixels, [(grid, whole)], read)
    return {at for at, _ in found.apart}


@pytest.mark.parametrize("line", [SMALL, LARGE])
def test_without_anything_beside_nothing_is_named(line: str) -> None:
    assert apart(line, []) == set()


CORNER = [(3.0, 3.0), (3.0, 4.0)]


@pytest.mark.parametrize(("off", "named"), [(0.0, True), (0.28, True), (0.4, True), (0.44, False)])
def test_over_a_corner_of_a_small_kingdom(off: float, named: bool) -> None:
    """Which shows so little of the perspective that a domino may lie further off its lattice."""
    places = apart(SMALL, [(row + off, col - off) for row, col in CORNER])
    assert places == ({(3, 3), (3, 4)} if named else set())


@pytest.mark.parametrize(("off", "named"), [(0.28, True), (0.32, False)])
def test_over_a_corner_of_a_larger_kingdom(off: float, named: bool) -> None:
    places = apart(LARGE, [(4 + off, 5 - off), (4 + off, 6 - off)])
    assert places == ({(4, 5), (4, 6)} if named else set())


@pytest.mark.parametrize(("off", "named"), [(0.18, True), (0.22, False)])
def test_of_a_domino_one_square_in_line_is_enough(off: float, named: bool) -> None:
    assert apart(LARGE, [(4 + off, 5)]) == ({(4, 5)} if named else set())


def test_the_half_that_only_the_classifier_sees_joins_the_one_that_was_found() -> None:
    """From low down the far half of a domino is not found."""
    unsure = {"f5": {"M": 0.9}, "g5": {"M": 0.9}}
    assert apart(LARGE, [(4, 6)], unsure) == {(4, 5), (4, 6)}
    assert apart(LARGE, [], unsure) == set()
    assert apart(LARGE, [], unsure, {(4, 5): 0.9, (4, 6): 0.9}) == {(4, 5), (4, 6)}


def test_what_is_found_counts_although_its_terrain_cannot_be_made_out() -> None:
    unsure = {"f5": {"-": 0.9, "M": 0.05}}
    assert apart(LARGE, [(4, 5), (4, 6)], unsure) == {(4, 5), (4, 6)}


@pytest.mark.parametrize("row", [5.0, 4.5])
def test_what_lies_further_away_or_between_the_lines_is_no_domino_of_it(row: float) -> None:
    assert apart(LARGE, [(row, 5.0), (row, 6.0)]) == set()


@pytest.mark.parametrize(("missing", "named"), [("W", set()), ("-", {(6, 6), (6, 7)})])
def test_to_a_full_box_nothing_can_be_joined(missing: str, named: set[Position]) -> None:
    rows = ["- - - - - - -", f"- {missing} W W F F -", "- W W W F F -", "- G G C F F -"]
    rows += ["- G G L L S -", "- G G L L S -", "- - - - - - -"]
    assert apart("/".join(rows), [(6, 6), (6, 7)]) == named


def test_a_domino_may_end_two_places_beyond_the_window() -> None:
    assert apart("- - - -/- C W -/- F W -/- - - -", [(1, 4), (1, 5)]) == {(1, 4), (1, 5)}


@pytest.mark.parametrize(("cols", "named"), [(2, 4), (3, 0)])
def test_two_dominoes_may_lie_together_and_more_are_something_else(cols: int, named: int) -> None:
    block = [(3.0 + row, 3.0 + col) for row in range(2) for col in range(cols)]
    assert len(apart(SMALL, block)) == named
