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
from kdvision.reading import BOX_DOUBTS, Reading
from kdvision.rules.kingdom import cell_text
from kdvision.rules.rules import Rules
from kdvision.rules.terrain import EMPTY_MARK

#: Squares that a person gives, by places of a kingdom or beside it.
Correction = Mapping[SheetPlace, str]


def correct(
    kingdoms: Sequence[DecodedKingdom], corrections: Sequence[Correction], rules: Rules
) -> list[DecodedKingdom]:
    """Correct the kingdoms of one photo; places that were clear stay as they were.

    Args:
        kingdoms: As they are decoded without corrections.
        corrections: What a person says of each.
        rules: What the game is played by.

    Returns:
        The kingdoms; the grid of one may be wider than it was.
    """
    # What was enumerated, as far as it has these squares; `free` of what was clear before.
    filtered = list(map(_filter, kingdoms, corrections))
    free: Sequence[Decoded] = ()
    if all(left.weights for left in filtered):
        free = share_box(filtered, rules, deck=kingdoms[0].deck)
    # That is the answer where enough was looked at and what was clear stays so.
    unexplored = max(left.unexplored_share for left in filtered)
    is_enough = bool(free) and unexplored <= DECODING.unexplored_warning
    if is_enough and all(map(_keeps_what_was_clear, kingdoms, corrections, free)):
        corrected = list(map(_take, kingdoms, corrections, free))
    else:
        corrected = _decode_again(kingdoms, corrections, rules, free)
    return name_squares(corrected)


def _decode_again(
    kingdoms: Sequence[DecodedKingdom],
    corrections: Sequence[Correction],
    rules: Rules,
    free: Sequence[Decoded],
) -> list[DecodedKingdom]:
    """Decode kingdoms once more, with all that was clear.

    Args:
        kingdoms: As they are decoded without corrections.
        corrections: What a person says of each.
        rules: What the game is played by.
        free: What is likeliest where what was clear may change; nothing where none that was
            enumerated has these squares.
    """
    deck = kingdoms[0].deck
    wide, posteriors = [], []
    for kingdom, correction in zip(kingdoms, corrections, strict=True):
        read, frame = _make_room(kingdom, correction)
        known = frame.cells_on_grid(_clear_texts(kingdom) | dict(correction))
        posteriors.append(explore(read.reading, rules, given=known, deck=deck))
        wide.append(replace(kingdom, read=read, frame=frame))
    corrected = []
    for index, kept in enumerate(share_box(posteriors, rules, deck=deck)):
        if free:
            kept = _cap_chance(kept, free[index])
        elif not corrections[index]:
            kept = _cap_chance(kept, kingdoms[index].decoded)
        corrected.append(_take(wide[index], corrections[index], kept))
    return corrected


def _filter(kingdom: DecodedKingdom, correction: Correction) -> Posterior:
    """Return the posterior of a kingdom by itself, given a correction.

    It has no kingdoms where a person says that something lies where nobody looked.
    """
    left = kingdom.decoded.alone
    inside = {}
    for at, text in correction.items():
        if at in kingdom.cells:
            inside[at] = text
        elif text != EMPTY_MARK:
            return replace(left, weights={})
    factor = overall_factor(_dismiss(kingdom, correction).doubts)
    return replace(left.given(kingdom.frame.cells_on_grid(inside)), factor=factor)


def _dismiss(kingdom: DecodedKingdom, correction: Correction) -> Reading:
    """Return what was read of a kingdom, without the doubts about places that a person gave."""
    return kingdom.reading.without_doubts(kingdom.frame.cells_on_grid(correction))


def _take(kingdom: DecodedKingdom, correction: Correction, decoded: Decoded) -> DecodedKingdom:
    """Return a kingdom with a correction, and as it was decoded with it."""
    read = replace(kingdom.read, reading=_dismiss(kingdom, correction))
    return replace(kingdom, read=read, decoded=decoded, correction=dict(correction))


def _keeps_what_was_clear(kingdom: DecodedKingdom, correction: Correction, answer: Decoded) -> bool:
    """Return whether an answer is of the box, and has all that was clear and is not corrected."""
    if not is_of_the_box(answer):
        return False
    for at, text in _clear_texts(kingdom).items():
        now = cell_text(answer.kingdom[kingdom.frame.to_grid(at)])
        if now != text and at not in correction:
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
    """Return a kingdom whose clear places were kept, no likelier than `free` allows.

    Where both agree, that is the probability of `free`; else what `free` leaves for all others.
    """
    limit = free.probability if kept.kingdom == free.kingdom else 1 - free.probability
    return replace(kept, probability=min(kept.probability, limit))


def is_of_the_box(decoded: Decoded) -> bool:
    """Return whether one box can hold a kingdom, with those beside it."""
    return BOX_DOUBTS.isdisjoint(doubt.code for doubt in decoded.doubts)


def _make_room(kingdom: DecodedKingdom, correction: Correction) -> tuple[ReadKingdom, Frame]:
    """Return a kingdom in a window in which all given places lie, and its frame there."""
    reading = kingdom.reading
    rows, cols = zip((0, 0), *kingdom.frame.cells_on_grid(correction), strict=True)
    above, left = -min(rows), -min(cols)
    below = max(0, max(rows) + 1 - reading.height)
    right = max(0, max(cols) + 1 - reading.width)
    read = kingdom.read.widened(above, left, below, right)
    return read, kingdom.frame.widened(above, left)
