"""The stage of correcting: kingdoms that are decoded again with what a person says of squares."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from kdvision.corrections import FixPlace, kingdom_name, on_grids
from kdvision.decoding.kingdoms import likeliest_kingdoms
from kdvision.options import GameOptions
from kdvision.pipeline.kingdoms import NOT_OF_THE_BOX, DecodedKingdom, with_squares_named
from kdvision.pipeline.reader import Seen
from kdvision.pipeline.trust import PIPELINE
from kdvision.reading import Decoded, Doubt, DoubtCode, Place, Reading
from kdvision.rules.kingdom import Position, cell_text, shifted
from kdvision.rules.terrain import EMPTY_MARK, LABELS

#: Cell texts by places of a grid.
_Cells = Mapping[Position, str]


def with_fixes(
    kingdoms: Sequence[DecodedKingdom],
    fixes: Mapping[FixPlace, str],
    options: GameOptions,
    photo: str,
) -> Sequence[DecodedKingdom]:
    """Correct the kingdoms of one photo; places that were clear stay as they were.

    Args:
        kingdoms: As they are decoded without fixes.
        fixes: What a person says of their places, or of places beside them.
        options: The rules.
        photo: The name of the photo, for messages.

    Raises:
        UsageError: A fix names no place, or could be in any of several kingdoms.
    """
    if not fixes:
        return kingdoms
    placed = on_grids(fixes, [kingdom.decoded.kingdom for kingdom in kingdoms], photo)
    kingdoms, cells = _with_room(kingdoms, placed, options)
    # Nothing that was doubted concerns a place that is given.
    told = []
    for kingdom, given in zip(kingdoms, cells, strict=True):
        reading = kingdom.reading.told_at(_dropping(given))
        doubt = doubted_places(kingdom.decoded, kingdom.reading)
        left = sum(value for at, value in doubt.items() if at not in given)
        share = left / sum(doubt.values()) if any(doubt.values()) else 1.0
        told.append(replace(kingdom, reading=reading, open_share=share))
    corrected = []
    for index, (kingdom, decoded) in enumerate(
        zip(told, _decode_with(told, cells, options), strict=True)
    ):
        name = kingdom_name(index)
        mine = [f"{at}={cell}" for at, cell in fixes.items() if at.kingdom in ("", name)]
        corrected.append(replace(kingdom, decoded=_with_reason(decoded, kingdom.decoded, mine)))
    return with_squares_named(corrected)


def _dropping(fixes: _Cells) -> Callable[[Position], Position | None]:
    return lambda at: None if at in fixes else at


# ---------------------------------------------------------------------- room beside a kingdom


def _with_room(
    kingdoms: Sequence[DecodedKingdom], fixes: Sequence[_Cells], options: GameOptions
) -> tuple[Sequence[DecodedKingdom], Sequence[_Cells]]:
    """Kingdoms whose windows are wide enough for fixes, and these by places of the windows."""
    rooms = [_room(kingdom.reading, given) for kingdom, given in zip(kingdoms, fixes, strict=True)]
    if not any(map(any, rooms)):
        return kingdoms, fixes
    seen = [
        widened((kingdom.grid, kingdom.reading), *room)
        for kingdom, room in zip(kingdoms, rooms, strict=True)
    ]
    readings = [reading for _, reading in seen]
    answers = likeliest_kingdoms(readings, options, deck=kingdoms[0].deck)
    wider = [
        replace(
            kingdom,
            grid=grid,
            reading=reading,
            decoded=answer,
            corner=shifted(kingdom.corner, room[:2]),
        )
        for kingdom, (grid, reading), answer, room in zip(
            kingdoms, seen, answers, rooms, strict=True
        )
    ]
    moved = [
        {shifted(at, room[:2]): cell for at, cell in given.items()}
        for given, room in zip(fixes, rooms, strict=True)
    ]
    return wider, moved


def _room(reading: Reading, places: Iterable[Position]) -> tuple[int, int, int, int]:
    """How much wider a window must be for places: above, on the left, below, on the right."""
    rows, cols = zip((0, 0), *places, strict=True)
    below, right = max(rows) + 1 - reading.height, max(cols) + 1 - reading.width
    return -min(rows), -min(cols), max(0, below), max(0, right)


def widened(seen: Seen, above: int, left: int, below: int, right: int) -> Seen:
    """A grid and its reading, wider by so many empty places on each side.

    Every place has its middle in the photo then.
    """
    grid, reading = seen[0].widened(above, left, below, right), seen[1]
    middles = grid.middles_of([*np.ndindex(grid.rows, grid.cols)]).reshape(grid.rows, grid.cols, 2)
    nothing = Place(tuple(float(label == EMPTY_MARK) for label in LABELS))

    def place(row: int, col: int) -> Place:
        x, y = middles[row, col].tolist()
        row, col = row - above, col - left
        inside = 0 <= row < reading.height and 0 <= col < reading.width
        old = reading.places[row][col] if inside else nothing
        return old if old.center else replace(old, center=(x, y))

    moved = reading.told_at(lambda at: shifted(at, (above, left)))
    places = tuple(tuple(place(row, col) for col in range(grid.cols)) for row in range(grid.rows))
    return grid, replace(moved, places=places)


# ---------------------------------------------------------------------- decoded again


def _decode_with(
    kingdoms: Sequence[DecodedKingdom], fixes: Sequence[_Cells], options: GameOptions
) -> Sequence[Decoded]:
    """The likeliest kingdoms with fixes, in which the places stay that were clear without them."""
    readings, deck = [kingdom.reading for kingdom in kingdoms], kingdoms[0].deck
    free = likeliest_kingdoms(readings, options, fixes=fixes, deck=deck)
    clear = [_clear_cells(*pair) for pair in zip(kingdoms, fixes, strict=True)]
    changed = any(
        cell_text(answer.kingdom[at]) != cell
        for answer, cells in zip(free, clear, strict=True)
        for at, cell in cells.items()
    )
    if not changed and all(map(_is_of_the_box, free)):
        return free
    given = [{**cells, **fixed} for cells, fixed in zip(clear, fixes, strict=True)]
    kept = likeliest_kingdoms(readings, options, fixes=given, deck=deck)
    return [_no_surer(*parts, options) for parts in zip(kept, free, kingdoms, clear, strict=True)]


def _clear_cells(kingdom: DecodedKingdom, fixed: _Cells) -> dict[Position, str]:
    """The cells of a kingdom of which there was no doubt, by position in its grid."""
    decoded = kingdom.decoded
    return {
        at: cell_text(cell)
        for at, cell in decoded.kingdom.cells()
        if at not in fixed and decoded.certainty[at[0]][at[1]] >= PIPELINE.clear_square
    }


def _no_surer(
    kept: Decoded, free: Decoded, kingdom: DecodedKingdom, clear: _Cells, options: GameOptions
) -> Decoded:
    """A kingdom whose clear places were kept, no more certain than it was without keeping them."""
    totals = {total.score: total.probability for total in free.alternatives}
    totals[options.score(free.kingdom).total] = free.probability
    before = kingdom.decoded.certainty
    certainty = tuple(
        tuple(
            before[row][col] if (row, col) in clear else value for col, value in enumerate(values)
        )
        for row, values in enumerate(kept.certainty)
    )
    likely = totals.get(options.score(kept.kingdom).total, 0.0)
    return replace(kept, probability=min(kept.probability, likely), certainty=certainty)


def _is_of_the_box(decoded: Decoded) -> bool:
    return NOT_OF_THE_BOX.isdisjoint(doubt.code for doubt in decoded.warnings)


def _with_reason(decoded: Decoded, before: Decoded, fixes: Sequence[str]) -> Decoded:
    """A kingdom with its fixes as the reason where the box cannot hold it because of one."""
    if not fixes or before.warnings or _is_of_the_box(decoded):
        return decoded
    rest = (doubt for doubt in decoded.warnings if doubt.code is not DoubtCode.NO_BOX)
    reason = Doubt(DoubtCode.IMPOSSIBLE_CORRECTION, fields={"fixes": ", ".join(fixes)})
    return replace(decoded, warnings=(reason, *rest))


# ---------------------------------------------------------------------- doubt about places


def doubted_places(decoded: Decoded, reading: Reading) -> dict[Position, float]:
    """How far each place of the grid is doubted that no person gave, by its look and by the deck.

    What was not tried counts against all places alike, and is no doubt about any of them.
    """
    uncertain = [value for row in decoded.certainty for value in row if value < 1]
    most = max(uncertain, default=1.0)
    doubt = {}
    for (row, col), cell in decoded.kingdom.cells():
        certainty = decoded.certainty[row][col]
        unlike = 1 - reading.places[row][col].probabilities[LABELS.index(cell_text(cell))]
        doubt[row, col] = most - certainty + unlike if certainty < 1 else 0.0
    return doubt
