"""The last stage: what was read and judged of a kingdom becomes its result.

The places of a result are counted in the bounding box of its kingdom.
"""

import numpy as np

from kdvision.corrections import SheetPlace
from kdvision.decoding.cutting_posterior import cutting_posterior, judge_dominoes
from kdvision.decoding.posterior import Decoded
from kdvision.pipeline.decoded import DecodedKingdom
from kdvision.pipeline.frame import GridPlace
from kdvision.pipeline.judgement import Assessment
from kdvision.reading import Alternative
from kdvision.result import KingdomResult, ReadSquare, Status
from kdvision.rules.kingdom import Kingdom, Position, cell_text
from kdvision.rules.legality import Names, problems
from kdvision.rules.rules import Rules
from kdvision.rules.scoring import score

#: Number of other cells that are named of every place.
_OTHERS = 2


def make_result(kingdom: DecodedKingdom, assessed: Assessment, rules: Rules) -> KingdomResult:
    """Make the result of a kingdom.

    Args:
        kingdom: The kingdom.
        assessed: How far its total can be trusted.
        rules: What the game is played by.
    """
    trimmed, origin, seams = kingdom.trimmed, kingdom.origin, kingdom.seams
    # What the kingdom breaks, named by the places of the sheet.
    cuttings = cutting_posterior(trimmed, seams, kingdom.deck)
    broken = problems(trimmed, rules.size, origin=origin, deck=kingdom.deck)
    if any(domino.cells in seams for domino in cuttings.dominoes if domino.probability < 1):
        broken = judge_dominoes(trimmed, broken, cuttings, Names(origin))
    return KingdomResult.of_sheet(
        score(trimmed, rules),
        broken,
        status=Status.SURE if assessed.sure else Status.DOUBTFUL,
        probability=assessed.decoded.probability,
        squares=_list_squares(kingdom),
        corners=_find_corners(kingdom),
        alternatives=_list_alternatives(kingdom, assessed.decoded),
        doubts=tuple(doubt.name_places(origin) for doubt in assessed.doubts),
        fixes=_list_fixes(kingdom, assessed),
        seen=_seen_line(kingdom.decoded),
        origin=origin,
        dominoes=cuttings.dominoes,
    )


def _place_in_box(kingdom: DecodedKingdom, at: SheetPlace) -> Position:
    """Return a place of the sheet, counted in the kingdom's box."""
    top, left = kingdom.origin
    return at[0] - top, at[1] - left


def _list_fixes(kingdom: DecodedKingdom, assessed: Assessment) -> tuple[tuple[Position, str], ...]:
    """Return the places that settle a total, and those of the correction, each with its cell."""
    if not assessed.suggested:
        return ()
    texts = dict(kingdom.correction)
    for at in assessed.suggested:
        texts[at] = kingdom.text(at)
    return tuple((_place_in_box(kingdom, at), text) for at, text in sorted(texts.items()))


def _list_alternatives(kingdom: DecodedKingdom, decoded: Decoded) -> tuple[Alternative, ...]:
    """Return the further totals."""
    alternatives = []
    for total in decoded.alternatives:
        squares = []
        for at, text in total.squares:
            place = kingdom.frame.to_sheet(GridPlace(at))
            squares.append((_place_in_box(kingdom, place), text))
        alternatives.append(Alternative(total.score, total.probability, tuple(squares)))
    return tuple(alternatives)


def _list_squares(kingdom: DecodedKingdom) -> tuple[ReadSquare, ...]:
    """Return the places of a kingdom's box, each with what it looked most like beside its cell."""
    certainty, places = kingdom.decoded.certainty, kingdom.reading.places
    squares = []
    for at, cell in kingdom.cells.items():
        if kingdom.is_in_box(at):
            text = cell_text(cell)
            row, col = kingdom.frame.to_grid(at)
            place = places[row][col]
            squares.append(
                ReadSquare(
                    at=_place_in_box(kingdom, at),
                    text=text,
                    probability=certainty[row][col],
                    center=place.center,
                    candidates=place.likeliest(_OTHERS, beside=text),
                )
            )
    return tuple(squares)


def _find_corners(kingdom: DecodedKingdom) -> tuple[tuple[float, float], ...]:
    """Return the corners of a kingdom's box from the top left on, in pixels (x, y)."""
    (top, left), (bottom, right) = kingdom.box
    box = [[left, top], [right + 1, top], [right + 1, bottom + 1], [left, bottom + 1]]
    outline = kingdom.read.to_photo(np.array(box, float))
    return tuple((float(x), float(y)) for x, y in outline)


def _seen_line(decoded: Decoded) -> str | None:
    """Return the kingdom as it was seen, where that is not the answer.

    Of the size of the kingdom when only places in its box differ; larger when there are others.
    """
    if decoded.seen == decoded.kingdom:
        return None
    boxes = filter(None, (decoded.seen.box(), decoded.kingdom.box()))
    tops, lefts, bottoms, rights = zip(*boxes, strict=True)
    rows = []
    for row in decoded.seen.rows[min(tops) : max(bottoms) + 1]:
        rows.append(row[min(lefts) : max(rights) + 1])
    return str(Kingdom(tuple(rows)))
