"""The stage of correcting: what a person says of squares."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from kdvision.corrections import FixPlace, kingdom_name, locate_fixes
from kdvision.decoding.decoder import explore, share_box
from kdvision.decoding.posterior import Decoded
from kdvision.pipeline.decoded import NOT_OF_THE_BOX, DecodedKingdom, name_squares
from kdvision.pipeline.trust import PIPELINE
from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.rules.dominoes import Deck
from kdvision.rules.kingdom import Kingdom, Position, cell_text, shift
from kdvision.rules.rules import Rules
from kdvision.rules.terrain import LABELS

#: Cell texts by places of a grid.
_Cells = Mapping[Position, str]
_T = TypeVar("_T")
_Rows = tuple[tuple[_T, ...], ...]


def apply_fixes(
    kingdoms: Sequence[DecodedKingdom],
    fixes: Mapping[FixPlace, str],
    rules: Rules,
    photo: str,
) -> Sequence[DecodedKingdom]:
    """Correct the kingdoms of one photo; places that were clear stay as they were.

    Args:
        kingdoms: As they are decoded without fixes.
        fixes: What a person says of their places, or of places beside them.
        rules: What the game is played by.
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
    for kingdom, decoded in zip(wide, _decode_with(wide, cells, rules), strict=True):
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
    read = replace(kingdom.read, reading=reading)
    return replace(kingdom, read=read, open_share=share)


# ---------------------------------------------------------------------- room beside a kingdom


def _measure_room(reading: Reading, places: Iterable[Position]) -> tuple[int, int, int, int]:
    """How much wider a window must be for places: above, on the left, below, on the right."""
    rows, cols = zip((0, 0), *places, strict=True)
    below, right = max(rows) + 1 - reading.height, max(cols) + 1 - reading.width
    return -min(rows), -min(cols), max(0, below), max(0, right)


def widen(kingdom: DecodedKingdom, above: int, left: int, below: int, right: int) -> DecodedKingdom:
    """A kingdom in a window that is wider by so many empty places on each side."""

    def pad(rows: Sequence[Sequence[_T]], fill: Sequence[Sequence[_T]]) -> _Rows[_T]:
        """The rows of the window as it was, laid into a wider one."""
        lines = [list(line) for line in fill]
        for line, row in zip(lines[above:], rows, strict=False):
            line[left : left + len(row)] = row
        return tuple(map(tuple, lines))

    decoded = kingdom.decoded
    read = kingdom.read.widened(above, left, below, right)
    rows, cols = read.reading.height, read.reading.width
    empty = [[None] * cols] * rows
    certain = [[1.0] * cols] * rows
    return replace(
        kingdom,
        read=read,
        decoded=replace(
            decoded,
            kingdom=Kingdom(pad(decoded.kingdom.rows, empty)),
            certainty=pad(decoded.certainty, certain),
        ),
        corner=shift(kingdom.corner, (above, left)),
        moved=shift(kingdom.moved, (above, left)),
    )


# ---------------------------------------------------------------------- decoded again


def _decode_with(
    kingdoms: Sequence[DecodedKingdom], fixes: Sequence[_Cells], rules: Rules
) -> list[Decoded]:
    """The likeliest kingdoms with fixes, in which the places stay that were clear without them."""
    readings, deck = [kingdom.reading for kingdom in kingdoms], kingdoms[0].deck
    free = _decode_anew(readings, fixes, rules, deck)
    clear = [_clear_texts(*pair) for pair in zip(kingdoms, fixes, strict=True)]
    changed = any(
        cell_text(answer.kingdom[at]) != cell
        for answer, cells in zip(free, clear, strict=True)
        for at, cell in cells.items()
    )
    if not changed and all(map(_is_of_the_box, free)):
        return list(free)
    given = [{**cells, **fixed} for cells, fixed in zip(clear, fixes, strict=True)]
    kept = _decode_anew(readings, given, rules, deck)
    return [_cap_chance(*pair) for pair in zip(kept, free, strict=True)]


def _decode_anew(
    readings: Sequence[Reading], fixes: Sequence[_Cells], rules: Rules, deck: Deck | None
) -> tuple[Decoded, ...]:
    posteriors = [
        explore(reading, rules, given=cells, deck=deck)
        for reading, cells in zip(readings, fixes, strict=True)
    ]
    return share_box(posteriors, rules, deck=deck)


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
