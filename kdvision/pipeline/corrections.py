"""The stage of correcting: the kingdoms of a photo with what a person says of their squares.

What was enumerated is filtered. Only where too much was not looked at, or where squares would
change that were clear, the kingdoms are decoded once more.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from kdvision.decoding.board import DECODING
from kdvision.decoding.calibration import overall_factor
from kdvision.decoding.decoder import explore, share_box
from kdvision.decoding.posterior import Decoded, Posterior
from kdvision.pipeline.decoded import DecodedKingdom, name_squares
from kdvision.pipeline.trust import PIPELINE
from kdvision.reading import NOT_OF_THE_BOX
from kdvision.rules.kingdom import Position, cell_text, shift
from kdvision.rules.rules import Rules
from kdvision.rules.terrain import EMPTY_MARK

#: Cell texts by places of a grid.
_Cells = Mapping[Position, str]


def correct(
    kingdoms: Sequence[DecodedKingdom], given: Sequence[_Cells], rules: Rules
) -> list[DecodedKingdom]:
    """Correct the kingdoms of one photo; places that were clear stay as they were.

    Args:
        kingdoms: As they are decoded without corrections.
        given: What a person says of the places of each, or of places beside its grid.
        rules: What the game is played by.

    Returns:
        The kingdoms; the grid of one may be wider than it was, see `DecodedKingdom.moved`.
    """
    if not any(given):
        return list(kingdoms)
    deck = kingdoms[0].deck
    filtered = [_filter(*pair) for pair in zip(kingdoms, given, strict=True)]
    free: Sequence[Decoded] = ()
    if all(left.weights for left in filtered):
        free = share_box(filtered, rules, deck=deck)
    if free and _is_enough(filtered):
        answers = list(zip(kingdoms, given, free, strict=True))
        if all(_keeps_what_was_clear(*answer) for answer in answers):
            return name_squares([_take(*answer) for answer in answers])
    # Decoded once more, with all that was clear.
    wide, posteriors = [], []
    for kingdom, cells in zip(kingdoms, given, strict=True):
        room = _measure_room(kingdom, cells)
        wider = _widen(kingdom, *room)
        known = _move(_clear_texts(kingdom), room[:2]) | _move(cells, room[:2])
        wide.append((wider, _move(cells, room[:2])))
        posteriors.append(explore(wider.reading, rules, given=known, deck=deck))
    corrected = []
    for index, kept in enumerate(share_box(posteriors, rules, deck=deck)):
        if free:
            kept = _cap_chance(kept, free[index])
        elif not given[index]:
            kept = _cap_chance(kept, kingdoms[index].decoded)
        kingdom, cells = wide[index]
        corrected.append(_take(kingdom, cells, kept))
    return name_squares(corrected)


def _is_enough(filtered: Sequence[Posterior]) -> bool:
    """Whether so little was not looked at that nothing need be searched."""
    return all(left.unexplored_share <= DECODING.unexplored_warning for left in filtered)


def _move(cells: _Cells, by: Position) -> dict[Position, str]:
    """Cell texts by places that are moved by so many (rows, columns)."""
    return {shift(at, by): text for at, text in cells.items()}


def _filter(kingdom: DecodedKingdom, cells: _Cells) -> Posterior:
    """What is left of a kingdom by itself; nothing where a person says what was never looked at."""
    inside = {at: text for at, text in cells.items() if kingdom.is_inside(at)}
    beyond = [text for at, text in cells.items() if at not in inside and text != EMPTY_MARK]
    left = kingdom.decoded.alone
    if beyond:
        return replace(left, weights={})
    factor = overall_factor(kingdom.reading.without_doubts(cells).doubts)
    return replace(left.given(inside), factor=factor)


def _take(kingdom: DecodedKingdom, cells: _Cells, decoded: Decoded) -> DecodedKingdom:
    """A kingdom with what a person gave, without the doubts about these places."""
    read = replace(kingdom.read, reading=kingdom.reading.without_doubts(cells))
    return replace(kingdom, read=read, decoded=decoded, given=dict(cells))


def _keeps_what_was_clear(kingdom: DecodedKingdom, cells: _Cells, answer: Decoded) -> bool:
    """Whether an answer is of the box, and has all that was clear and is not corrected."""
    if not is_of_the_box(answer):
        return False
    clear = _clear_texts(kingdom).items()
    return all(cell_text(answer.kingdom[at]) == text for at, text in clear if at not in cells)


def _clear_texts(kingdom: DecodedKingdom) -> dict[Position, str]:
    """The cells of a kingdom of which there was no doubt, by places of its grid."""
    decoded = kingdom.decoded
    return {
        at: cell_text(cell)
        for at, cell in decoded.kingdom.cells()
        if decoded.certainty[at[0]][at[1]] >= PIPELINE.clear_square
    }


def _cap_chance(kept: Decoded, free: Decoded) -> Decoded:
    """A kingdom whose clear places were kept, as likely as the one without leaves it at most."""
    limit = free.probability if kept.kingdom == free.kingdom else 1 - free.probability
    return replace(kept, probability=min(kept.probability, limit))


def is_of_the_box(decoded: Decoded) -> bool:
    """Whether one box can hold a kingdom, with those beside it."""
    return NOT_OF_THE_BOX.isdisjoint(doubt.code for doubt in decoded.doubts)


# ---------------------------------------------------------------------- room beside a kingdom


def _measure_room(kingdom: DecodedKingdom, cells: _Cells) -> tuple[int, int, int, int]:
    """How much wider a window must be for places: above, on the left, below, on the right."""
    reading = kingdom.reading
    rows, cols = zip((0, 0), *cells, strict=True)
    below, right = max(rows) + 1 - reading.height, max(cols) + 1 - reading.width
    return -min(rows), -min(cols), max(0, below), max(0, right)


def _widen(
    kingdom: DecodedKingdom, above: int, left: int, below: int, right: int
) -> DecodedKingdom:
    """A kingdom in a window that is wider by so many empty places on each side."""
    return replace(
        kingdom,
        read=kingdom.read.widened(above, left, below, right),
        corner=shift(kingdom.corner, (above, left)),
        moved=shift(kingdom.moved, (above, left)),
    )
