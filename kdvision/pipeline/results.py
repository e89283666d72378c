"""A decoded kingdom becomes a result: cut to its box, scored, judged, with its doubts in words."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from msgspec.structs import replace

from kdvision.corrections import FixPlace, fix_name, kingdom_name
from kdvision.decoding.joint import likeliest_kingdoms
from kdvision.options import GameOptions
from kdvision.pipeline.corrections import on_grids, rings_needed, with_rings, with_room
from kdvision.pipeline.judging import deck_signs, named, trusted, with_apart
from kdvision.pipeline.laid import dominoes_as_laid
from kdvision.pipeline.settings import PIPELINE
from kdvision.pipeline.trust import POSTERIOR_ALONE, Trust
from kdvision.reading import Alternative, Decoded, Doubt, DoubtCode, Reading, Seams
from kdvision.result import KingdomResult, ReadSquare, Status
from kdvision.rules.cuttings.pairs import Pair
from kdvision.rules.kingdom import Kingdom, Position, cell_text
from kdvision.rules.legality import problems
from kdvision.rules.scoring import score
from kdvision.vision.doubt.plausibility import same_size
from kdvision.vision.doubt.selection import with_note
from kdvision.vision.geometry import project
from kdvision.vision.grid.grid import Grid

#: So many other cells are named of every place.
_OTHERS = 2

#: Reads the seams of pairs of places of a grid.
GridSeams = Callable[[Grid, Sequence[Pair]], Seams]

#: What decoding says of a kingdom that the box cannot hold.
NOT_OF_THE_BOX = {
    DoubtCode.OTHER_DECK,
    DoubtCode.NO_BOX,
    DoubtCode.TOO_MANY_OF_KIND,
    DoubtCode.TOO_MANY_DOMINOES,
}


def kingdom_results(
    photo: str,
    seen: Sequence[tuple[Grid, Reading]],
    options: GameOptions,
    fixes: Mapping[FixPlace, str] | None = None,
    trust: Trust = POSTERIOR_ALONE,
    seams: GridSeams | None = None,
) -> tuple[KingdomResult, ...]:
    """Everything that is reported of the kingdoms of one photo.

    Args:
        photo: Its name.
        seen: The grids and what lies on them, in the order of the report.
        options: The rules.
        fixes: What a person says of places of the kingdoms as they are read without fixes, or of
            places beside them.
        trust: How far a total can be trusted.
        seams: Reads seams of the photo; None reads none.

    Raises:
        UsageError: A fix names no place or no square, or any of several kingdoms.
    """
    readings = [reading for _, reading in seen]
    decoded = _decode(readings, options)
    reported = _of_one_table(seen, decoded, options)
    if 0 < len(reported) < len(seen):
        kept = [seen[index] for index in reported]
        if any(
            decoded[index].kingdom.squares() for index in range(len(seen)) if index not in reported
        ):
            kept = [(grid, with_note(reading, DoubtCode.PRINT_LEFT_OUT)) for grid, reading in kept]
        return kingdom_results(photo, kept, options, fixes, trust, seams)
    corners = [_corner(one) for one in decoded]
    if fixes:
        placed = on_grids(fixes, [one.kingdom for one in decoded], photo)
        if rings := rings_needed(placed):
            wider = [with_rings(one, rings) for one in seen]
            return kingdom_results(photo, wider, options, fixes, trust, seams)
        readings = [
            with_room(reading, grid, known)
            for (grid, reading), known in zip(seen, placed, strict=True)
        ]
        decoded = _corrected(readings, decoded, placed, options, fixes)
    return tuple(
        kingdom_result(grid, reading, one, options, trust, corner, seams)
        for (grid, _), reading, one, corner in zip(seen, readings, decoded, corners, strict=True)
    )


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


def kingdom_result(
    grid: Grid,
    reading: Reading,
    decoded: Decoded,
    options: GameOptions,
    trust: Trust = POSTERIOR_ALONE,
    corner: Position | None = None,
    seams: GridSeams | None = None,
) -> KingdomResult:
    """Everything that is reported of one kingdom; positions are counted in its own box.

    `corner` is the place of the grid that is called a1; None takes the first of the box. `seams`
    reads seams of the photo; None reads none.
    """
    trimmed = decoded.kingdom.trimmed()
    top, left, bottom, right = decoded.kingdom.box() or (0, 0, 0, 0)
    named_from = corner or (top, left)
    origin = top - named_from[0], left - named_from[1]
    sheet = options.score(trimmed)
    squares = tuple(
        ReadSquare(
            (row - top, col - left),
            cell_text(cell),
            decoded.certainty[row][col],
            reading.places[row][col].center,
            reading.places[row][col].likeliest(_OTHERS, beside=cell_text(cell)),
        )
        for (row, col), cell in decoded.kingdom.cells()
        if top <= row <= bottom and left <= col <= right
    )
    box = np.array([[left, top], [right + 1, top], [right + 1, bottom + 1], [left, bottom + 1]])
    signs = (*reading.signs, *deck_signs(decoded))
    decoded = with_apart(reading, trusted(decoded, signs, trust), options)
    sure = decoded.probability >= trust.sure_from
    read = partial(_seams_in_box, seams, grid, (top, left)) if seams else None
    broken = problems(trimmed, options.size, origin=origin)
    dominoes, broken = dominoes_as_laid(trimmed, broken, origin, read)
    return KingdomResult(
        sheet,
        Status.SURE if sure else Status.DOUBTFUL,
        decoded.probability,
        squares,
        tuple((float(x), float(y)) for x, y in project(grid.homography, box.astype(float))),
        tuple(_shifted(alternative, top, left) for alternative in decoded.alternatives),
        (*decoded.warnings, *named(reading, signs, trust)),
        _seen(decoded),
        broken,
        sure or decoded.probability >= PIPELINE.scored_from,
        origin,
        dominoes,
    )


def _seams_in_box(
    seams: GridSeams, grid: Grid, corner: Position, pairs: Sequence[Pair]
) -> dict[Pair, float]:
    """The seams of pairs of a kingdom whose box begins at a place of the grid."""
    top, left = corner
    found = seams(grid, [((a + top, b + left), (c + top, d + left)) for (a, b), (c, d) in pairs])
    return {
        ((a - top, b - left), (c - top, d - left)): seen for ((a, b), (c, d)), seen in found.items()
    }


def _seen(decoded: Decoded) -> str | None:
    """The kingdom as it was seen, where that is not the answer.

    Of the size of the kingdom when only places in its box differ; larger when there are others.
    """
    if decoded.seen == decoded.kingdom:
        return None
    boxes = [box for box in (decoded.seen.box(), decoded.kingdom.box()) if box]
    top, left = (min(box[side] for box in boxes) for side in (0, 1))
    bottom, right = (max(box[side] for box in boxes) for side in (2, 3))
    rows = decoded.seen.rows[top : bottom + 1]
    return str(Kingdom(tuple(row[left : right + 1] for row in rows)))


def _shifted(alternative: Alternative, top: int, left: int) -> Alternative:
    """An alternative with its positions counted in the kingdom's own box."""
    squares = tuple(((row - top, col - left), text) for (row, col), text in alternative.squares)
    return Alternative(alternative.score, alternative.probability, squares)
