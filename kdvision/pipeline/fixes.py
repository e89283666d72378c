"""The stage of correcting: kingdoms that are decoded again with what a person says of squares."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from msgspec.structs import replace

from kdvision.corrections import FixPlace, kingdom_name, on_grids
from kdvision.decoding.kingdoms import likeliest_kingdoms
from kdvision.options import GameOptions
from kdvision.pipeline.kingdoms import NOT_OF_THE_BOX, DecodedKingdom, with_squares_named
from kdvision.pipeline.trust import PIPELINE
from kdvision.reading import Decoded, Doubt, DoubtCode, Place, Reading
from kdvision.rules.kingdom import Kingdom, Position, cell_text, shifted
from kdvision.rules.terrain import EMPTY_MARK, LABELS

#: Cell texts by places of a grid.
_Cells = Mapping[Position, str]
_NOTHING = Place(tuple(float(label == EMPTY_MARK) for label in LABELS))
_T = TypeVar("_T")


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
    wide, cells = [], []
    by_kingdom = on_grids(fixes, [kingdom.decoded.kingdom for kingdom in kingdoms], photo)
    for kingdom, placed in zip(kingdoms, by_kingdom, strict=True):
        room = _room(kingdom.reading, placed)
        given = {shifted(at, room[:2]): cell for at, cell in placed.items()}
        wide.append(_settled(widened(kingdom, *room), given))
        cells.append(given)
    corrected: list[DecodedKingdom] = []
    for kingdom, decoded in zip(wide, _decode_with(wide, cells, options), strict=True):
        names = ("", kingdom_name(len(corrected)))
        mine = [f"{at}={cell}" for at, cell in fixes.items() if at.kingdom in names]
        corrected.append(replace(kingdom, decoded=_with_reason(decoded, kingdom.decoded, mine)))
    return with_squares_named(corrected)


def _settled(kingdom: DecodedKingdom, given: _Cells) -> DecodedKingdom:
    """A kingdom without the doubts that concern no place but those that are given."""
    reading = kingdom.reading.told_at(lambda at: None if at in given else at)
    doubt = doubted_places(kingdom.decoded, kingdom.reading)
    left = sum(value for at, value in doubt.items() if at not in given)
    share = left / sum(doubt.values()) if any(doubt.values()) else 1.0
    return replace(kingdom, reading=reading, open_share=share)


# ---------------------------------------------------------------------- room beside a kingdom


def _room(reading: Reading, places: Iterable[Position]) -> tuple[int, int, int, int]:
    """How much wider a window must be for places: above, on the left, below, on the right."""
    rows, cols = zip((0, 0), *places, strict=True)
    below, right = max(rows) + 1 - reading.height, max(cols) + 1 - reading.width
    return -min(rows), -min(cols), max(0, below), max(0, right)


def widened(
    kingdom: DecodedKingdom, above: int, left: int, below: int, right: int
) -> DecodedKingdom:
    """A kingdom in a window that is wider by so many empty places on each side.

    Every place has its middle in the photo then.
    """

    def padded(rows: Sequence[Sequence[_T]], fill: _T) -> tuple[tuple[_T, ...], ...]:
        line = (fill,) * (left + kingdom.reading.width + right)
        middle = [(*line[:left], *row, *line[:right]) for row in rows]
        return (*[line] * above, *middle, *[line] * below)

    if not any((above, left, below, right)):
        return kingdom
    grid = kingdom.grid.widened(above, left, below, right)
    centers = grid.middles_of([*np.ndindex(grid.rows, grid.cols)]).reshape(grid.rows, grid.cols, 2)
    places = tuple(
        tuple(
            place if place.center else replace(place, center=tuple(center))
            for place, center in zip(row, line, strict=True)
        )
        for row, line in zip(
            padded(kingdom.reading.places, _NOTHING), centers.tolist(), strict=True
        )
    )
    moved = kingdom.reading.told_at(lambda at: shifted(at, (above, left)))
    decoded = kingdom.decoded
    return replace(
        kingdom,
        grid=grid,
        reading=replace(moved, places=places),
        decoded=replace(
            decoded,
            kingdom=Kingdom(padded(decoded.kingdom.rows, None)),
            certainty=padded(decoded.certainty, 1.0),
        ),
        corner=shifted(kingdom.corner, (above, left)),
    )


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
