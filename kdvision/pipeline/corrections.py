"""What a person says of squares, put onto the grids of a photo."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from kdvision.corrections import FixPlace, fix_name, fix_text, kingdom_name, named_place
from kdvision.errors import PHOTO_FIELD, UsageError
from kdvision.reading import Place, Reading
from kdvision.rules.kingdom import Kingdom, Position, position_name
from kdvision.rules.terrain import EMPTY_MARK, LABELS
from kdvision.vision.geometry import project
from kdvision.vision.grid.grid import Grid

#: Squares can be added to a kingdom until it is as large as that of a Mighty Duel.
MOST_SIDE = 7


def on_grids(
    fixes: Mapping[FixPlace, str], kingdoms: Sequence[Kingdom], photo: str
) -> list[dict[Position, str]]:
    """The fixes of every kingdom, by positions in its grid.

    Args:
        fixes: By places of the kingdoms as reported: in their own boxes, right of or below them.
        kingdoms: As decoded, untrimmed.
        photo: The name of the photo, for messages.

    Raises:
        UsageError: A fix names no place or no square, or any of several kingdoms.
    """
    placed: list[dict[Position, str]] = [{} for _ in kingdoms]
    for place, text in fixes.items():
        index = _kingdom_meant(place, len(kingdoms), photo)
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


def _kingdom_meant(place: FixPlace, count: int, photo: str) -> int:
    """The index of the kingdom that a fix names."""
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
    """The position that a fix names in the box of its kingdom, right of it or below it."""
    _, (row, col) = named_place(place)
    top, left, bottom, right = box
    last = bottom - top, right - left
    most = max(last[0], MOST_SIDE - 1), max(last[1], MOST_SIDE - 1)
    if 0 <= row <= most[0] and 0 <= col <= most[1]:
        return row, col
    name = fix_name(place) if min(row, col) >= 0 else f"Row {row}, column {col}"
    raise UsageError(
        f"{name} is no place of the kingdom, which is printed from a1 to {position_name(last)}.",
        f"Places right of it and below it can be named, up to {position_name(most)}; to add "
        "squares left of it or above it, correct the printed kingdom line and score it with "
        "kdscore kingdom.",
    )


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
        ((x, y),) = project(grid.homography, np.array([[col + 0.5, row + 0.5]]))
        return Place(nothing, (float(x), float(y)))

    places = tuple(tuple(place(row, col) for col in range(width)) for row in range(height))
    doubts = tuple(
        doubt for doubt in reading.doubts if not doubt.cells or not fixes.keys() >= {*doubt.cells}
    )
    signs = tuple(
        sign for sign in reading.signs if not sign.cells or not fixes.keys() >= {*sign.cells}
    )
    apart = tuple((at, text) for at, text in reading.apart if at not in fixes)
    return replace(reading, places=places, doubts=doubts, apart=apart, signs=signs)
