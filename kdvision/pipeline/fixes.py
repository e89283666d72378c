"""The stage of correcting: what a person says of squares, and which squares settle a total.

What settles a total is found by trying what becomes of it with those squares.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from msgspec.structs import replace

from kdvision.corrections import FixPlace, kingdom_name, locate_fixes
from kdvision.decoding.decoder import explore, share_box
from kdvision.decoding.posterior import Decoded
from kdvision.errors import UsageError
from kdvision.options import GameOptions
from kdvision.pipeline.kingdoms import NOT_OF_THE_BOX, DecodedKingdom, name_squares
from kdvision.pipeline.trust import PIPELINE
from kdvision.reading import LEFT_OUT, Doubt, DoubtCode, Place, Reading
from kdvision.result import KingdomResult, Status
from kdvision.rules.dominoes import Deck
from kdvision.rules.kingdom import Kingdom, Position, box_side, cell_text, neighbours, shift
from kdvision.rules.scoring import MOST_SIDE
from kdvision.rules.terrain import EMPTY_MARK, LABELS

#: Cell texts by places of a grid.
_Cells = Mapping[Position, str]
_NOTHING = Place(tuple(float(label == EMPTY_MARK) for label in LABELS))
_T = TypeVar("_T")
_Rows = tuple[tuple[_T, ...], ...]
#: count. So many squares are tried: whether the last number settles a total at all, then from the
#: first on. A kingdom with more in doubt is better photographed again than compared square by
#: square.
_COUNTS = (1, 2, 3, 4, 6, 8, 12, 24)
#: count. So many other totals become sure as well where a person finds that they are right.
_LIKELY = 2

#: The result of a kingdom, by its index, with squares that a person gives.
Trial = Callable[[Mapping[FixPlace, str], int], KingdomResult]


def apply_fixes(
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
    by_kingdom = locate_fixes(fixes, [kingdom.decoded.kingdom for kingdom in kingdoms], photo)
    for kingdom, placed in zip(kingdoms, by_kingdom, strict=True):
        room = _measure_room(kingdom.reading, placed)
        wide.append(widen(_drop_settled(kingdom, placed), *room))
        cells.append({shift(at, room[:2]): cell for at, cell in placed.items()})
    corrected: list[DecodedKingdom] = []
    for kingdom, decoded in zip(wide, _decode_with(wide, cells, options), strict=True):
        names = ("", kingdom_name(len(corrected)))
        texts = [f"{at}={cell}" for at, cell in fixes.items() if at.kingdom in names]
        corrected.append(replace(kingdom, decoded=_add_reason(decoded, kingdom.decoded, texts)))
    return name_squares(corrected)


def _drop_settled(kingdom: DecodedKingdom, fixes: _Cells) -> DecodedKingdom:
    """A kingdom without the doubts that concern no place but those that are given."""
    reading = kingdom.reading.move_places(lambda at: None if at in fixes else at)
    doubt = doubted_places(kingdom.decoded, kingdom.reading)
    open_doubt = sum(value for at, value in doubt.items() if at not in fixes)
    share = open_doubt / sum(doubt.values()) if any(doubt.values()) else 1.0
    return replace(kingdom, reading=reading, open_share=share)


# ---------------------------------------------------------------------- room beside a kingdom


def _measure_room(reading: Reading, places: Iterable[Position]) -> tuple[int, int, int, int]:
    """How much wider a window must be for places: above, on the left, below, on the right."""
    rows, cols = zip((0, 0), *places, strict=True)
    below, right = max(rows) + 1 - reading.height, max(cols) + 1 - reading.width
    return -min(rows), -min(cols), max(0, below), max(0, right)


def widen(kingdom: DecodedKingdom, above: int, left: int, below: int, right: int) -> DecodedKingdom:
    """A kingdom in a window that is wider by so many empty places on each side.

    Every place has its middle in the photo then.
    """

    def pad(rows: Sequence[Sequence[_T]], fill: Sequence[Sequence[_T]]) -> _Rows[_T]:
        """The rows of the window as it was, laid into a wider one."""
        lines = [list(line) for line in fill]
        for line, row in zip(lines[above:], rows, strict=False):
            line[left : left + len(row)] = row
        return tuple(map(tuple, lines))

    # Places that were not looked at count as empty.
    grid, decoded = kingdom.grid.widened(above, left, below, right), kingdom.decoded
    middles = grid.middles_of([*np.ndindex(grid.rows, grid.cols)]).reshape(grid.rows, grid.cols, 2)
    bare = [[replace(_NOTHING, center=tuple(at)) for at in line] for line in middles.tolist()]
    empty = [[None] * grid.cols] * grid.rows
    certain = [[1.0] * grid.cols] * grid.rows
    # What was read moves down and to the right.
    moved = kingdom.reading.move_places(lambda at: shift(at, (above, left)))
    return replace(
        kingdom,
        grid=grid,
        reading=replace(moved, places=pad(moved.places, bare)),
        decoded=replace(
            decoded,
            kingdom=Kingdom(pad(decoded.kingdom.rows, empty)),
            certainty=pad(decoded.certainty, certain),
        ),
        corner=shift(kingdom.corner, (above, left)),
    )


# ---------------------------------------------------------------------- decoded again


def _decode_with(
    kingdoms: Sequence[DecodedKingdom], fixes: Sequence[_Cells], options: GameOptions
) -> list[Decoded]:
    """The likeliest kingdoms with fixes, in which the places stay that were clear without them."""
    readings, deck = [kingdom.reading for kingdom in kingdoms], kingdoms[0].deck
    free = _decode_anew(readings, fixes, options, deck)
    clear = [_clear_texts(*pair) for pair in zip(kingdoms, fixes, strict=True)]
    changed = any(
        cell_text(answer.kingdom[at]) != cell
        for answer, cells in zip(free, clear, strict=True)
        for at, cell in cells.items()
    )
    if not changed and all(map(_is_of_the_box, free)):
        return list(free)
    given = [{**cells, **fixed} for cells, fixed in zip(clear, fixes, strict=True)]
    kept = _decode_anew(readings, given, options, deck)
    return [_cap_chance(*pair) for pair in zip(kept, free, strict=True)]


def _decode_anew(
    readings: Sequence[Reading], fixes: Sequence[_Cells], options: GameOptions, deck: Deck | None
) -> tuple[Decoded, ...]:
    posteriors = [
        explore(reading, options, given=cells, deck=deck)
        for reading, cells in zip(readings, fixes, strict=True)
    ]
    return share_box(posteriors, options, deck=deck)


def _clear_texts(kingdom: DecodedKingdom, fixed: _Cells) -> dict[Position, str]:
    """The cells of a kingdom of which there was no doubt, by position in its grid."""
    decoded = kingdom.decoded
    return {
        at: cell_text(cell)
        for at, cell in decoded.kingdom.cells()
        if at not in fixed and decoded.certainty[at[0]][at[1]] >= PIPELINE.clear_square
    }


def _cap_chance(kept: Decoded, free: Decoded) -> Decoded:
    """A kingdom whose clear places were kept, as likely as the one without leaves it at most."""
    limit = free.probability if kept.kingdom == free.kingdom else 1 - free.probability
    return replace(kept, probability=min(kept.probability, limit))


def _is_of_the_box(decoded: Decoded) -> bool:
    return NOT_OF_THE_BOX.isdisjoint(doubt.code for doubt in decoded.warnings)


def _add_reason(decoded: Decoded, before: Decoded, fixes: Sequence[str]) -> Decoded:
    """A kingdom with its fixes as the reason where the box cannot hold it because of one."""
    if not fixes or before.warnings or _is_of_the_box(decoded):
        return decoded
    doubts = (doubt for doubt in decoded.warnings if doubt.code is not DoubtCode.NO_BOX)
    reason = Doubt(DoubtCode.IMPOSSIBLE_CORRECTION, fields={"fixes": ", ".join(fixes)})
    return replace(decoded, warnings=(reason, *doubts))


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


# ---------------------------------------------------------------------- what settles a total


def add_settling_fixes(
    kingdoms: Sequence[DecodedKingdom],
    results: Sequence[KingdomResult],
    fixes: Mapping[FixPlace, str],
    try_fixes: Trial,
) -> list[KingdomResult]:
    """The results of a photo, the doubtful ones with the squares that settle them."""
    settled = []
    for index, (kingdom, result) in enumerate(zip(kingdoms, results, strict=True)):
        if result.status is not Status.SURE:
            squares = find_settling_fixes(kingdom, result, index, fixes, try_fixes)
            result = replace(result, fixes=squares, warnings=_add_names(result, squares))
        settled.append(result)
    return settled


def _add_names(result: KingdomResult, squares: Sequence[tuple[Position, str]]) -> tuple[Doubt, ...]:
    """The doubts of a kingdom; the one about unclear squares names those that settle it."""
    unclear = Doubt(DoubtCode.UNCERTAIN_SQUARES, cells=tuple(at for at, _ in squares))
    named = unclear.name_cells((0, 0), result.origin)
    return tuple(named if doubt.code is unclear.code else doubt for doubt in result.warnings)


def find_settling_fixes(
    kingdom: DecodedKingdom,
    result: KingdomResult,
    index: int,
    fixes: Mapping[FixPlace, str],
    try_fixes: Trial,
) -> tuple[tuple[Position, str], ...]:
    """Find the squares that make a doubtful total sure, if they are what they look like.

    Args:
        kingdom: The kingdom as it was decoded.
        result: What was made of it.
        index: Its place among the kingdoms of the photo.
        fixes: What a person has said already.
        try_fixes: Decodes and judges the kingdom again.

    Returns:
        Places of the result, in the kingdom or beside it, and what most probably lies there: those
        that a person has given, as few of the most doubted ones as make the total sure, and the
        holes beside them. None where the largest number is not enough.
    """
    # What is given, what is doubted most, and what else may lie there.
    name = kingdom_name(index)
    given = {place.at: text for place, text in fixes.items() if place.kingdom in ("", name)}
    elsewhere = {place: text for place, text in fixes.items() if place.kingdom not in ("", name)}
    ranked = [at for at in _rank_places(kingdom, result) if at not in given]
    likely = [
        {shift(at, result.origin): text for at, text in alternative.squares}
        for alternative in sorted(result.alternatives, key=lambda total: -total.probability)
    ][:_LIKELY]

    def settles(chosen: Mapping[Position, str]) -> bool:
        """Whether they make the total sure, and other values of them other likely totals."""
        variants = [changes for changes in likely if changes.keys() <= chosen.keys()]
        for changes in ({}, *variants):
            squares = {FixPlace(name, at): text for at, text in {**chosen, **changes}.items()}
            try:
                trial = try_fixes({**elsewhere, **squares}, index)
            except UsageError:  # farther from the kingdom than a correction can lie
                return False
            if trial.status is not Status.SURE or not (changes or trial.score == result.score):
                return False
        return True

    def pick(count: int) -> dict[Position, str]:
        return given | {at: _text_at(kingdom, at) for at in ranked[:count]}

    # The fewest squares that settle it, with the holes beside them.
    if not settles(pick(_COUNTS[-1])):
        return ()
    chosen = next(filter(settles, map(pick, _COUNTS)))
    chosen |= dict.fromkeys(_find_holes(result, chosen), EMPTY_MARK)
    row, col = result.origin
    return tuple((shift(at, (-row, -col)), text) for at, text in sorted(chosen.items()))


def _rank_places(kingdom: DecodedKingdom, result: KingdomResult) -> list[Position]:
    """The places that a kingdom can have, as corrections name them, the most doubted first.

    First what other likely totals and the doubts name, then what was read least clearly.
    """
    named = [at for alternative in result.alternatives for at, _ in alternative.squares]
    for doubt in result.warnings:
        if doubt.code not in LEFT_OUT:
            named += doubt.cells
    top, left = kingdom.corner
    doubted = doubted_places(kingdom.decoded, kingdom.reading)
    by_doubt = sorted((at for at in doubted if doubted[at] > 0), key=lambda at: -doubted[at])
    ranked = [shift(at, result.origin) for at in named]
    ranked += [shift(at, (-top, -left)) for at in by_doubt]
    squares = [shift(at, result.origin) for at in result.kingdom.squares()]
    return [at for at in dict.fromkeys(ranked) if box_side([*squares, at]) <= MOST_SIDE]


def _find_holes(result: KingdomResult, chosen: Collection[Position]) -> list[Position]:
    """The empty places of the kingdom's box beside places: what hides one may hide the next."""
    origin = result.origin
    holes = {shift(at, origin) for at, cell in result.kingdom.cells() if cell is None}
    return [at for place in chosen for at in neighbours(place) if at in holes - {*chosen}]


def _text_at(kingdom: DecodedKingdom, at: Position) -> str:
    """What most probably lies on a place that is named as corrections name it."""
    place = shift(at, kingdom.corner)
    return cell_text(dict(kingdom.decoded.kingdom.cells()).get(place))
