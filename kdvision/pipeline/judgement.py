"""The stage of judging: what is reported of a kingdom, and how far its total can be trusted."""

from collections.abc import Sequence

import numpy as np

from kdvision.decoding.cutting_posterior import UNSEEN, cutting_posterior, judge_dominoes
from kdvision.decoding.posterior import Decoded
from kdvision.pipeline.decoded import DecodedKingdom
from kdvision.pipeline.trust import Trust, deck_signs
from kdvision.reading import LEFT_OUT, Alternative, Doubt, DoubtCode, Seams
from kdvision.result import KingdomResult, ReadSquare, Status
from kdvision.rules.kingdom import Kingdom, cell_text
from kdvision.rules.legality import Names, problems
from kdvision.rules.rules import Rules
from kdvision.rules.scoring import score
from kdvision.vision.squares.castle import hidden_places

#: Number of other cells that are named of every place.
_OTHERS = 2

#: Notes on other things, and that there are more kingdoms than were tried.
_NAMES_NO_SQUARE = LEFT_OUT | {DoubtCode.NOT_ALL_TRIED}


def judge(
    kingdom: DecodedKingdom, rules: Rules, trust: Trust, seams: Seams = UNSEEN
) -> KingdomResult:
    """Judge a decoded kingdom; positions of the result are counted in its own box.

    Args:
        kingdom: The kingdom.
        rules: What the game is played by.
        trust: How far a total can be trusted.
        seams: What the photo shows between the places of the box that the deck leaves open; empty
            where it was not looked at.
    """
    # How far the total can be trusted, by what the photo and the deck show.
    reading, trimmed = kingdom.reading, kingdom.trimmed
    signs = (*reading.signs, *deck_signs(kingdom.decoded, hidden_places(reading)))
    doubts = [*trust.doubts(reading, signs)]
    decoded = trust.apply(kingdom.decoded, signs, _open_share(kingdom, doubts))
    sure = decoded.probability >= trust.sure_from
    # What the kingdom breaks, named by the places of the sheet.
    top, left, _, _ = kingdom.box
    origin = top - kingdom.corner[0], left - kingdom.corner[1]
    cuttings = kingdom.cuttings
    broken = problems(trimmed, rules.size, origin=origin, deck=kingdom.deck)
    if seams:
        cuttings = cutting_posterior(trimmed, seams, kingdom.deck)
        broken = judge_dominoes(trimmed, broken, cuttings, Names(origin))
    # A doubtful total says why.
    warnings = [*decoded.warnings, *doubts]
    if not sure and all(doubt.code in LEFT_OUT for doubt in warnings):
        warnings.insert(0, Doubt(DoubtCode.UNCERTAIN_SQUARES))
    return KingdomResult.of_sheet(
        score(trimmed, rules),
        broken,
        status=Status.SURE if sure else Status.DOUBTFUL,
        probability=decoded.probability,
        squares=_list_squares(kingdom),
        corners=_find_corners(kingdom),
        alternatives=tuple(_move_alternative(total, top, left) for total in decoded.alternatives),
        warnings=tuple(doubt.name_cells((top, left), origin) for doubt in warnings),
        seen=_seen_line(decoded),
        origin=origin,
        dominoes=cuttings.dominoes,
    )


def _open_share(kingdom: DecodedKingdom, doubts: Sequence[Doubt]) -> float:
    """The share of the doubt that no person has settled: all where it is about no square."""
    all_doubts = (*kingdom.decoded.warnings, *doubts)
    whole = any(not doubt.cells and doubt.code not in _NAMES_NO_SQUARE for doubt in all_doubts)
    return 1.0 if whole else kingdom.open_share


def _list_squares(kingdom: DecodedKingdom) -> tuple[ReadSquare, ...]:
    """The places of a kingdom's box, each with what it looked most like beside its cell."""
    top, left, bottom, right = kingdom.box
    certainty, places = kingdom.decoded.certainty, kingdom.reading.places
    return tuple(
        ReadSquare(
            (row - top, col - left),
            cell_text(cell),
            certainty[row][col],
            places[row][col].center,
            places[row][col].likeliest(_OTHERS, beside=cell_text(cell)),
        )
        for (row, col), cell in kingdom.decoded.kingdom.cells()
        if top <= row <= bottom and left <= col <= right
    )


def _find_corners(kingdom: DecodedKingdom) -> tuple[tuple[float, float], ...]:
    """The corners of a kingdom's box from the top left on, in pixels (x, y)."""
    top, left, bottom, right = kingdom.box
    box = [[left, top], [right + 1, top], [right + 1, bottom + 1], [left, bottom + 1]]
    outline = kingdom.read.to_photo(np.array(box, float))
    return tuple((float(x), float(y)) for x, y in outline)


def _seen_line(decoded: Decoded) -> str | None:
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


def _move_alternative(alternative: Alternative, top: int, left: int) -> Alternative:
    """An alternative with its positions counted in the kingdom's own box."""
    squares = tuple(((row - top, col - left), text) for (row, col), text in alternative.squares)
    return Alternative(alternative.score, alternative.probability, squares)
