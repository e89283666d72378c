"""The stage of correcting: the kingdoms of a photo with what a person says of their squares.

What was enumerated is filtered. Only where too much was not looked at, or where squares would
change that were clear, the kingdoms are decoded once more.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from kdvision.corrections import SheetPlace
from kdvision.decoding.board import DECODING
from kdvision.decoding.calibration import overall_factor
from kdvision.decoding.decoder import explore, share_box
from kdvision.decoding.posterior import Decoded, Posterior
from kdvision.pipeline.decoded import DecodedKingdom, name_squares
from kdvision.pipeline.frame import Frame
from kdvision.pipeline.read_photo import ReadKingdom
from kdvision.pipeline.trust import PIPELINE
from kdvision.reading import NOT_OF_THE_BOX, Reading
from kdvision.rules.kingdom import cell_text
from kdvision.rules.rules import Rules
from kdvision.rules.terrain import EMPTY_MARK

#: What a person says of the places of a kingdom, or of places beside it.
Given = Mapping[SheetPlace, str]


def correct(
    kingdoms: Sequence[DecodedKingdom], given: Sequence[Given], rules: Rules
) -> list[DecodedKingdom]:
    """Correct the kingdoms of one photo; places that were clear stay as they were.

    Args:
        kingdoms: As they are decoded without corrections.
        given: What a person says of each.
        rules: What the game is played by.

    Returns:
        The kingdoms; the grid of one may be wider than it was.
    """
    if not any(given):
        return list(kingdoms)
    filtered = list(map(_filter, kingdoms, given))
    free: Sequence[Decoded] = ()
    if all(left.weights for left in filtered):
        free = share_box(filtered, rules, deck=kingdoms[0].deck)
    is_enough = bool(free) and all(map(_is_enough, filtered))
    if is_enough and all(map(_keeps_what_was_clear, kingdoms, given, free)):
        corrected = list(map(_take, kingdoms, given, free))
    else:
        corrected = _decode_again(kingdoms, given, rules, free)
    return name_squares(corrected)


def _decode_again(
    kingdoms: Sequence[DecodedKingdom],
    given: Sequence[Given],
    rules: Rules,
    free: Sequence[Decoded],
) -> list[DecodedKingdom]:
    """Decode kingdoms once more, with all that was clear.

    Args:
        kingdoms: As they are decoded without corrections.
        given: What a person says of each.
        rules: What the game is played by.
        free: What is likeliest without what was clear; nothing where that was not looked at.
    """
    deck = kingdoms[0].deck
    wide, posteriors = [], []
    for kingdom, cells in zip(kingdoms, given, strict=True):
        read, frame = _make_room(kingdom, cells)
        known = frame.cells_on_grid(_clear_texts(kingdom) | dict(cells))
        posteriors.append(explore(read.reading, rules, given=known, deck=deck))
        wide.append(replace(kingdom, read=read, frame=frame))
    corrected = []
    for index, kept in enumerate(share_box(posteriors, rules, deck=deck)):
        if free:
            kept = _cap_chance(kept, free[index])
        elif not given[index]:
            kept = _cap_chance(kept, kingdoms[index].decoded)
        corrected.append(_take(wide[index], given[index], kept))
    return corrected


def _is_enough(left: Posterior) -> bool:
    """Return whether so little was not looked at that nothing need be searched."""
    return left.unexplored_share <= DECODING.unexplored_warning


def _filter(kingdom: DecodedKingdom, cells: Given) -> Posterior:
    """Return what is left of a kingdom by itself.

    Nothing is where a person says that something lies where nobody looked.
    """
    left = kingdom.decoded.alone
    inside = {}
    for at, text in cells.items():
        if at in kingdom.cells:
            inside[at] = text
        elif text != EMPTY_MARK:
            return replace(left, weights={})
    factor = overall_factor(_dismiss(kingdom, cells).doubts)
    return replace(left.given(kingdom.frame.cells_on_grid(inside)), factor=factor)


def _dismiss(kingdom: DecodedKingdom, cells: Given) -> Reading:
    """Return what was read of a kingdom, without the doubts about places that a person gave."""
    return kingdom.reading.without_doubts(kingdom.frame.cells_on_grid(cells))


def _take(kingdom: DecodedKingdom, cells: Given, decoded: Decoded) -> DecodedKingdom:
    """Return a kingdom with what a person gave, decoded so."""
    read = replace(kingdom.read, reading=_dismiss(kingdom, cells))
    return replace(kingdom, read=read, decoded=decoded, given=dict(cells))


def _keeps_what_was_clear(kingdom: DecodedKingdom, cells: Given, answer: Decoded) -> bool:
    """Return whether an answer is of the box, and has all that was clear and is not corrected."""
    if not is_of_the_box(answer):
        return False
    for at, text in _clear_texts(kingdom).items():
        now = cell_text(answer.kingdom[kingdom.frame.to_grid(at)])
        if now != text and at not in cells:
            return False
    return True


def _clear_texts(kingdom: DecodedKingdom) -> dict[SheetPlace, str]:
    """Return the cells of a kingdom of which there was no doubt."""
    certainty = kingdom.decoded.certainty
    clear = {}
    for at, cell in kingdom.cells.items():
        row, col = kingdom.frame.to_grid(at)
        if certainty[row][col] >= PIPELINE.clear_square:
            clear[at] = cell_text(cell)
    return clear


def _cap_chance(kept: Decoded, free: Decoded) -> Decoded:
    """Return a kingdom whose clear places were kept.

    It is as likely at most as the one without leaves it.
    """
    limit = free.probability if kept.kingdom == free.kingdom else 1 - free.probability
    return replace(kept, probability=min(kept.probability, limit))


def is_of_the_box(decoded: Decoded) -> bool:
    """Return whether one box can hold a kingdom, with those beside it."""
    return NOT_OF_THE_BOX.isdisjoint(doubt.code for doubt in decoded.doubts)


def _make_room(kingdom: DecodedKingdom, cells: Given) -> tuple[ReadKingdom, Frame]:
    """Return a kingdom in a window in which all given places lie, and its frame there."""
    reading = kingdom.reading
    rows, cols = zip((0, 0), *kingdom.frame.cells_on_grid(cells), strict=True)
    above, left = -min(rows), -min(cols)
    below = max(0, max(rows) + 1 - reading.height)
    right = max(0, max(cols) + 1 - reading.width)
    read = kingdom.read.widened(above, left, below, right)
    return read, kingdom.frame.widened(above, left)
