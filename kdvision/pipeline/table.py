"""The stage of decoding: the kingdoms of one table, with what a person says of their squares."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import FixPlace, fix_name, kingdom_name
from kdvision.decoding.cutting_posterior import CuttingPosterior, cutting_posterior
from kdvision.decoding.table import likeliest_kingdoms
from kdvision.options import GameOptions
from kdvision.pipeline.corrections import on_grids, rings_needed, with_rings, with_room
from kdvision.pipeline.reader import Seen
from kdvision.pipeline.settings import PIPELINE
from kdvision.reading import Decoded, Doubt, DoubtCode, Reading
from kdvision.rules.kingdom import Kingdom, Pair, Position, cell_text
from kdvision.rules.scoring import score
from kdvision.vision.doubt.plausibility import same_size
from kdvision.vision.doubt.selection import with_note
from kdvision.vision.grid.finder import Grid

#: What decoding says of a kingdom that the box cannot hold.
NOT_OF_THE_BOX = {
    DoubtCode.OTHER_DECK,
    DoubtCode.NO_BOX,
    DoubtCode.TOO_MANY_OF_KIND,
    DoubtCode.TOO_MANY_DOMINOES,
}


class TableKingdom(Struct, frozen=True, eq=False):
    """One kingdom of a table, read and decoded, not yet judged.

    Attributes:
        grid: Where it lies in the photo.
        reading: What was read on the places of the grid.
        decoded: The likeliest kingdom, untrimmed.
        corner: The place of the grid that is called a1.
        cuttings: Its dominoes as far as the deck tells, by places in its own box.
    """

    grid: Grid
    reading: Reading
    decoded: Decoded
    corner: Position
    cuttings: CuttingPosterior

    @property
    def trimmed(self) -> Kingdom:
        """The kingdom, cut to its box."""
        return self.decoded.kingdom.trimmed()

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The first row and column of the grid in which something lies, and the last ones."""
        return self.decoded.kingdom.box() or (0, 0, 0, 0)

    @property
    def open_pairs(self) -> list[Pair]:
        """Pairs of places in its box of which the deck does not tell whether they are a domino."""
        if not self.cuttings.listed:
            return []
        return [one.cells for one in self.cuttings.dominoes if one.probability < 1]


def decode_table(
    photo: str,
    seen: Sequence[Seen],
    options: GameOptions,
    fixes: Mapping[FixPlace, str] | None = None,
) -> tuple[TableKingdom, ...]:
    """Decode the kingdoms of one photo together.

    Args:
        photo: Its name.
        seen: The grids and what lies on them, in the order of the report.
        options: The rules.
        fixes: What a person says of places of the kingdoms as they are read without fixes, or of
            places beside them.

    Raises:
        UsageError: A fix names no place or no square, or any of several kingdoms.
    """
    seen, decoded = _without_prints(seen, options)
    corners = [_corner(one) for one in decoded]
    readings = [reading for _, reading in seen]
    if fixes:
        placed = on_grids(fixes, [one.kingdom for one in decoded], photo)
        if rings := rings_needed(placed):
            seen, decoded = _without_prints([with_rings(one, rings) for one in seen], options)
            corners = [_corner(one) for one in decoded]
            placed = on_grids(fixes, [one.kingdom for one in decoded], photo)
        readings = [
            with_room(reading, grid, known)
            for (grid, reading), known in zip(seen, placed, strict=True)
        ]
        decoded = _corrected(readings, decoded, placed, options, fixes)
    return tuple(
        TableKingdom(grid, reading, one, corner, cutting_posterior(one.kingdom.trimmed()))
        for (grid, _), reading, one, corner in zip(seen, readings, decoded, corners, strict=True)
    )


def _without_prints(
    seen: Sequence[Seen], options: GameOptions
) -> tuple[Sequence[Seen], tuple[Decoded, ...]]:
    """The kingdoms of a table and what they are decoded to, without what is no kingdom."""
    while True:
        decoded = _decode([reading for _, reading in seen], options)
        reported = _of_one_table(seen, decoded, options)
        if not reported or len(reported) == len(seen):
            return seen, decoded
        left_out = [one for index, one in enumerate(decoded) if index not in reported]
        seen = [seen[index] for index in reported]
        if any(one.kingdom.squares() for one in left_out):
            seen = [(grid, with_note(reading, DoubtCode.PRINT_LEFT_OUT)) for grid, reading in seen]


def _of_one_table(
    seen: Sequence[tuple[Grid, Reading]], decoded: Sequence[Decoded], options: GameOptions
) -> list[int]:
    """Which of them are kingdoms that lie side by side.

    A lone castle beside kingdoms is nobody's: a tile that was taken for one. And where a kingdom is
    clear, what is hardly one and has squares of another size is a print on the table.
    """
    reported = [index for index, one in enumerate(decoded) if one.kingdom.squares()]
    grids = [grid for grid, _ in seen]
    if all(same_size(grids[index], grids[reported[0]]) for index in reported[1:]):
        return reported
    alone = {index: _decode([seen[index][1]], options)[0].probability for index in reported}
    best = max(reported, key=alone.__getitem__)
    if alone[best] < PIPELINE.clear_kingdom:
        return reported
    return [
        index
        for index in reported
        if alone[index] >= PIPELINE.unclear_kingdom or same_size(grids[index], grids[best])
    ]


def _corner(decoded: Decoded) -> Position:
    """The first row and column of the grid in which something lies."""
    top, left, _, _ = decoded.kingdom.box() or (0, 0, 0, 0)
    return top, left


def _decode(
    readings: Sequence[Reading],
    options: GameOptions,
    fixes: Sequence[Mapping[Position, str]] | None = None,
    corners: Sequence[Position] | None = None,
) -> tuple[Decoded, ...]:
    """The likeliest kingdoms of one photo.

    Args:
        readings: Of each kingdom.
        options: The rules.
        fixes: By positions in the grid of each.
        corners: The places that messages call a1; None takes the corners of the answers.
    """
    return likeliest_kingdoms(
        readings,
        options,
        fixes=fixes,
        names=[kingdom_name(index) for index in range(len(readings))],
        corners=corners,
    )


def _corrected(
    readings: Sequence[Reading],
    before: Sequence[Decoded],
    placed: Sequence[Mapping[Position, str]],
    options: GameOptions,
    fixes: Mapping[FixPlace, str],
) -> tuple[Decoded, ...]:
    """The likeliest kingdoms with what a person says; places that were clear stay as they were.

    Args:
        readings: With room for the fixes.
        before: The kingdoms without the fixes.
        placed: The fixes by positions in the grid of each kingdom.
        options: The rules.
        fixes: The same as the person named them.
    """
    corners = [_corner(one) for one in before]
    free = _decode(readings, options, placed, corners)
    clear = [_clear_places(*one) for one in zip(before, placed, strict=True)]
    changed = any(
        cell_text(one.kingdom[at]) != cell
        for one, cells in zip(free, clear, strict=True)
        for at, cell in cells.items()
    )
    found = free
    if changed or not all(map(_is_of_the_box, free)):
        known = [{**cells, **given} for cells, given in zip(clear, placed, strict=True)]
        kept = _decode(readings, options, known, corners)
        found = tuple(_kept(*one) for one in zip(kept, free, before, clear, strict=True))
    return tuple(
        _with_reason(one, fixes) if given and not old.warnings else one
        for one, old, given in zip(found, before, placed, strict=True)
    )


def _clear_places(decoded: Decoded, fixed: Mapping[Position, str]) -> dict[Position, str]:
    """The cells of a kingdom of which there was no doubt, by position in its grid."""
    return {
        at: cell_text(cell)
        for at, cell in decoded.kingdom.cells()
        if at not in fixed and decoded.certainty[at[0]][at[1]] >= PIPELINE.clear_square
    }


def _kept(kept: Decoded, free: Decoded, before: Decoded, clear: Mapping[Position, str]) -> Decoded:
    """A kingdom whose clear places were kept, no more certain than it was without keeping them."""
    totals = {one.score: one.probability for one in free.alternatives}
    totals[score(free.kingdom).total] = free.probability
    certainty = tuple(
        tuple(
            before.certainty[row][col] if (row, col) in clear else value
            for col, value in enumerate(values)
        )
        for row, values in enumerate(kept.certainty)
    )
    likely = totals.get(score(kept.kingdom).total, 0.0)
    return replace(kept, probability=min(kept.probability, likely), certainty=certainty)


def _is_of_the_box(decoded: Decoded) -> bool:
    return not any(doubt.code in NOT_OF_THE_BOX for doubt in decoded.warnings)


def _with_reason(decoded: Decoded, fixes: Mapping[FixPlace, str]) -> Decoded:
    """A corrected kingdom, with the correction as the reason where the box cannot hold it."""
    if _is_of_the_box(decoded):
        return decoded
    said = ", ".join(f"{fix_name(place)}={cell}" for place, cell in fixes.items())
    rest = (doubt for doubt in decoded.warnings if doubt.code is not DoubtCode.NO_BOX)
    reason = Doubt(DoubtCode.IMPOSSIBLE_CORRECTION, fields={"fixes": said})
    return replace(decoded, warnings=(reason, *rest))
