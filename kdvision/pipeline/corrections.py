"""What a person says of squares, put onto the grids of a photo."""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from kdvision.corrections import (
    MOST_SIDE,
    FixPlace,
    fix_name,
    fix_text,
    kingdom_name,
    named_place,
)
from kdvision.errors import PHOTO_FIELD, UsageError
from kdvision.reading import Place, Reading
from kdvision.rules.kingdom import Kingdom, Position, position_name
from kdvision.rules.terrain import EMPTY_MARK, LABELS
from kdvision.vision.geometry import project
from kdvision.vision.grid.finder import Grid


def on_grids(
    fixes: Mapping[FixPlace, str], kingdoms: Sequence[Kingdom], photo: str
) -> list[dict[Position, str]]:
    """The fixes of every kingdom, by positions in its grid.

    Args:
        fixes: By places of the kingdoms as read without them: in their own boxes or beside them.
        kingdoms: As decoded without fixes, untrimmed.
        photo: The name of the photo, for messages.

    Returns:
        Positions are negative above a grid and left of it.

    Raises:
        UsageError: A fix names no place or no square, or any of several kingdoms.
    """
    placed: list[dict[Position, str]] = [{} for _ in kingdoms]
    for place, text in fixes.items():
        index = kingdom_meant(place, len(kingdoms), photo)
        box = kingdoms[index].box() or (0, 0, 0, 0)
        row, col = _checked(place, box)
        at = row + box[0], col + box[1]
        cell = fix_text(place, text)
        if placed[index].get(at, cell) != cell:
            raise UsageError(
                f"{fix_name(place)} is corrected twice, to {placed[index][at]} and to {cell}.",
                "Give each place once.",
            )
        placed[index][at] = cell
    return placed


def kingdom_meant(place: FixPlace, count: int, photo: str) -> int:
    """The index of the kingdom that a fix names.

    Args:
        place: What the fix names.
        count: How many kingdoms the photo shows.
        photo: The name of the photo, for messages.

    Raises:
        UsageError: It names none of them, or could be in any.
    """
    name, at = named_place(place)
    if not name and count == 1:
        return 0
    names = [kingdom_name(index) for index in range(count)]
    if name in names:
        return names.index(name)
    shown = "one kingdom, A" if count == 1 else f"{count} kingdoms, A to {names[-1]}"
    if name:
        raise UsageError(
            f"There is no kingdom {name} to correct: {PHOTO_FIELD} shows {shown}.",
            "Write the letter under which the kingdom is reported.",
            photo=photo,
        )
    raise UsageError(
        f"{PHOTO_FIELD} shows {shown}, and {position_name(at)} could be in any of them.",
        f"Write the letter of the kingdom before the place, such as B.{position_name(at)}.",
        photo=photo,
    )


def _checked(place: FixPlace, box: tuple[int, int, int, int]) -> Position:
    """The position that a fix names, from the top left of the box of its kingdom.

    A kingdom can grow on every side until it is `MOST_SIDE` long.
    """
    _, (row, col) = named_place(place)
    top, left, bottom, right = box
    last = bottom - top, right - left
    most = max(last[0], MOST_SIDE - 1), max(last[1], MOST_SIDE - 1)
    least = min(0, last[0] - MOST_SIDE + 1), min(0, last[1] - MOST_SIDE + 1)
    if least[0] <= row <= most[0] and least[1] <= col <= most[1]:
        return row, col
    raise UsageError(
        f"{fix_name(place)} is no place of the kingdom, which is read from a1 to "
        f"{position_name(last)}.",
        f"Places beside it can be named from {position_name(least)} to {position_name(most)}: the "
        "column left of a is z, the row above 1 is 0.",
    )


def rings_needed(placed: Sequence[Mapping[Position, str]]) -> int:
    """How many places above or left of their grids the outermost fixes lie; 0 for none."""
    return max([0, *(-value for fixes in placed for at in fixes for value in at)])


def with_rings(seen: tuple[Grid, Reading], count: int) -> tuple[Grid, Reading]:
    """A grid and its reading, wider by so many empty places on every side."""
    grid, reading = seen
    for _ in range(count):
        grid = grid.with_ring()
    wider = reading.padded(count, count)
    places = tuple(
        tuple(
            replace(place, center=_center(grid, (row, col))) if place.center is None else place
            for col, place in enumerate(line)
        )
        for row, line in enumerate(wider.places)
    )
    return grid, replace(wider, places=places)


def _center(grid: Grid, at: Position) -> tuple[float, float]:
    """The middle of a place of the window, in pixels (x, y) of the upright photo."""
    ((x, y),) = project(grid.homography, np.array([[at[1] + 0.5, at[0] + 0.5]]))
    return float(x), float(y)


def with_room(reading: Reading, grid: Grid, fixes: Mapping[Position, str]) -> Reading:
    """The reading with rows below and columns on the right for the fixes beyond its window.

    Doubts and signs that concern fixed places only are dropped, as these are certain now.
    """
    height = max([reading.height, *(row + 1 for row, _ in fixes)])
    width = max([reading.width, *(col + 1 for _, col in fixes)])
    nothing = tuple(float(label == EMPTY_MARK) for label in LABELS)

    def place(row: int, col: int) -> Place:
        if row < reading.height and col < reading.width:
            return reading.places[row][col]
        return Place(nothing, _center(grid, (row, col)))

    places = tuple(tuple(place(row, col) for col in range(width)) for row in range(height))
    doubts = tuple(
        doubt for doubt in reading.doubts if not doubt.cells or not fixes.keys() >= {*doubt.cells}
    )
    signs = tuple(
        sign for sign in reading.signs if not sign.cells or not fixes.keys() >= {*sign.cells}
    )
    apart = tuple((at, text) for at, text in reading.apart if at not in fixes)
    return replace(reading, places=places, doubts=doubts, apart=apart, signs=signs)
