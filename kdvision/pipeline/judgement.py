"""The stage of judging: what is reported of a kingdom, and whether its total is sure.

What is doubted was decided by the photo. A doubt about places ends when a person has given every
one of them, and not before; after that the total is sure, whatever the box says.
"""

from collections.abc import Iterable, Mapping, Sequence, Set

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import FixPlace, kingdom_name, locate_fixes
from kdvision.decoding.cutting_posterior import cutting_posterior, judge_dominoes
from kdvision.decoding.posterior import Decoded
from kdvision.pipeline.corrections import correct, is_of_the_box
from kdvision.pipeline.decoded import DecodedKingdom
from kdvision.pipeline.suggestions import find_unclear, measure_open_share
from kdvision.pipeline.trust import PIPELINE, Trust, deck_doubts
from kdvision.reading import NOT_OF_THE_BOX, Alternative, Doubt, DoubtCode
from kdvision.result import KingdomResult, ReadSquare, Status
from kdvision.rules.kingdom import Kingdom, Position, cell_text, neighbours, shift
from kdvision.rules.legality import Names, problems
from kdvision.rules.rules import Rules
from kdvision.rules.scoring import score
from kdvision.rules.terrain import EMPTY_MARK

#: Number of other cells that are named of every place.
_OTHERS = 2


class Assessment(Struct, frozen=True):
    """How far the total of a kingdom can be trusted.

    Attributes:
        decoded: The kingdom, with the probability that its total is right.
        sure: Whether the total is sure.
        doubts: Why it is not, or what is said beside it, by places of the grid.
        asked: Places that a person has to give for a sure total; none where it is sure, and where
            only another photo helps.
    """

    decoded: Decoded
    sure: bool
    doubts: tuple[Doubt, ...] = ()
    asked: tuple[Position, ...] = ()

    @property
    def doubted(self) -> frozenset[Position]:
        """The places that doubts are about."""
        return _places_of(self.doubts)


def assess(kingdom: DecodedKingdom, rules: Rules, trust: Trust) -> Assessment:
    """Assess a kingdom as the photo shows it, before a person has said anything.

    Args:
        kingdom: The kingdom.
        rules: What the game is played by.
        trust: How far a total can be trusted.
    """
    doubts = list_doubts(kingdom)
    decoded = trust.apply(kingdom.decoded, doubts)
    named = trust.name(doubts, doubtful=False)
    if decoded.probability >= trust.sure_from and not _places_of(named):
        return Assessment(decoded, True, tuple(named))
    return _ask(kingdom, decoded, rules, trust)


def list_doubts(kingdom: DecodedKingdom) -> tuple[Doubt, ...]:
    """What the photo and the deck show that totals are wrong with more often."""
    hidden = kingdom.reading.hidden_places
    return (*kingdom.reading.doubts, *deck_doubts(kingdom.decoded, hidden))


def _ask(kingdom: DecodedKingdom, decoded: Decoded, rules: Rules, trust: Trust) -> Assessment:
    """Assess a doubtful kingdom: with the places that settle it, where there are such."""
    doubts = list_doubts(kingdom)
    named = trust.name(doubts, doubtful=True)
    unclear = None
    if not any(map(_is_about_the_photo, named)):
        known = _places_of(named)
        unclear = find_unclear(kingdom, doubts, known, trust, rules)
    if unclear is None:
        named = named or [Doubt(DoubtCode.UNCERTAIN_SQUARES)]
        return Assessment(decoded, False, tuple(named))
    # Which kingdoms were not tried is no matter once these places are given.
    named = [doubt for doubt in named if doubt.code is not DoubtCode.NOT_ALL_TRIED]
    if unclear:
        named.append(Doubt(DoubtCode.UNCERTAIN_SQUARES, float(len(unclear)), unclear))
    return Assessment(decoded, False, tuple(named), tuple(sorted(_places_of(named))))


def _is_about_the_photo(doubt: Doubt) -> bool:
    """Whether a doubt is about no place, so that only another photo settles it."""
    return not doubt.places and doubt.code is not DoubtCode.NOT_ALL_TRIED


def _places_of(doubts: Iterable[Doubt]) -> frozenset[Position]:
    """The places that doubts are about."""
    return frozenset(at for doubt in doubts for at in doubt.places)


# ---------------------------------------------------------------------- what a person gave


def reassess(
    plain: DecodedKingdom,
    before: Assessment,
    kingdom: DecodedKingdom,
    rules: Rules,
    trust: Trust,
    name: str = "",
) -> Assessment:
    """Assess a kingdom of which a person has given squares.

    Args:
        plain: The kingdom as the photo shows it.
        before: How it was assessed.
        kingdom: The kingdom with the squares that are given, here or in a kingdom beside it.
        rules: What the game is played by.
        trust: How far a total can be trusted.
        name: What the kingdom is called, where the photo shows several.
    """
    by = shift(kingdom.moved, (-plain.moved[0], -plain.moved[1]))
    doubts = list_doubts(kingdom)
    decoded = trust.apply(kingdom.decoded, doubts, _find_open_share(plain, doubts, kingdom, trust))
    doubted = {shift(at, by) for at in before.doubted}
    strange = _find_contradiction(plain, doubted, kingdom, name)
    if before.sure:
        if decoded.probability >= trust.sure_from and strange is None:
            return Assessment(decoded, True, before.doubts)
        if strange is None:
            return _ask(kingdom, decoded, rules, trust)
        unchecked = strange.without(kingdom.given)
        if unchecked is None:
            return _settled(decoded, before.doubts, trust)
        return Assessment(decoded, False, (unchecked,), _line_of([unchecked]))
    left = []
    for doubt in before.doubts:
        moved = replace(doubt, places=tuple(shift(at, by) for at in doubt.places))
        left.append(moved.without(kingdom.given))
    if strange is not None:
        left.insert(0, strange.without(kingdom.given))
    still_open = [doubt for doubt in left if doubt is not None]
    # That squares are unclear, and not which, is no doubt about a place.
    named = [doubt for doubt in still_open if doubt.places or not _is_vague(doubt)]
    if not named and (before.asked or decoded.probability >= trust.sure_from):
        return _settled(decoded, (), trust)
    can_be_asked = bool(before.asked) and all(doubt.places for doubt in named)
    asked = _line_of(named) if can_be_asked else ()
    return Assessment(decoded, False, tuple(still_open), asked)


def _is_vague(doubt: Doubt) -> bool:
    """Whether a doubt says no more than that the probability is low."""
    return doubt.code in (DoubtCode.UNCERTAIN_SQUARES, DoubtCode.NOT_ALL_TRIED)


def _line_of(doubts: Sequence[Doubt]) -> tuple[Position, ...]:
    """The places of doubts, if they are so few that a person compares them one by one."""
    places = _places_of(doubts)
    return tuple(sorted(places)) if len(places) <= PIPELINE.most_asked else ()


def _settled(decoded: Decoded, doubts: Sequence[Doubt], trust: Trust) -> Assessment:
    """Assess a kingdom that a person has gone through: it is sure, whatever the box says."""
    probability = max(decoded.probability, trust.sure_from)
    return Assessment(replace(decoded, probability=probability), True, tuple(doubts))


def _find_open_share(
    plain: DecodedKingdom, doubts: Sequence[Doubt], kingdom: DecodedKingdom, trust: Trust
) -> float:
    """The share of the doubt about single squares that no person has settled.

    It is all of it where there is a doubt about the whole photo.
    """
    if any(map(_is_about_the_photo, trust.name(doubts, doubtful=True))):
        return 1.0
    by = shift(plain.moved, (-kingdom.moved[0], -kingdom.moved[1]))
    return measure_open_share(plain, {shift(at, by) for at in kingdom.given})


def _find_contradiction(
    plain: DecodedKingdom, doubted: Set[Position], kingdom: DecodedKingdom, name: str
) -> Doubt | None:
    """The doubt that comes of squares which a person gave, where the box cannot hold them.

    It is about the squares that were changed although nothing doubted them, and those around. Where
    there are none, it is about half a domino that is left, or about what the box has too often with
    the squares of a kingdom beside this one.
    """
    if is_of_the_box(kingdom.decoded) or not is_of_the_box(plain.decoded):
        return None
    by = shift(kingdom.moved, (-plain.moved[0], -plain.moved[1]))
    read = {shift(at, by): cell_text(cell) for at, cell in plain.decoded.kingdom.cells()}
    changed = {
        at: text
        for at, text in kingdom.given.items()
        if at not in doubted and text != read.get(at, EMPTY_MARK)
    }
    if changed:
        top, left, bottom, right = kingdom.box
        around = {at for place in changed for at in neighbours(place)}
        inside = {at for at in around if top <= at[0] <= bottom and left <= at[1] <= right}
        places = tuple(sorted(inside | changed.keys()))
        texts = []
        for at in sorted(changed):
            place = FixPlace(name, shift(at, (-kingdom.corner[0], -kingdom.corner[1])))
            texts.append(f"{place}={changed[at]}")
        fields: dict[str, str | int] = {"fixes": ", ".join(texts)}
        return Doubt(DoubtCode.IMPOSSIBLE_CORRECTION, float(len(places)), places, fields)
    told = next(doubt for doubt in kingdom.decoded.doubts if doubt.code in NOT_OF_THE_BOX)
    # Squares that were asked may be of another edition; half a domino is of none.
    if kingdom.given and told.code is not DoubtCode.NO_BOX:
        return None
    return told


# ---------------------------------------------------------------------- the results


def judge_kingdoms(
    kingdoms: Sequence[DecodedKingdom],
    fixes: Mapping[FixPlace, str],
    rules: Rules,
    trust: Trust,
    photo: str,
) -> list[tuple[DecodedKingdom, Assessment]]:
    """Correct and assess the kingdoms of one photo.

    Args:
        kingdoms: As they are decoded.
        fixes: What a person says of their places, or of places beside them.
        rules: What the game is played by.
        trust: How far a total can be trusted.
        photo: The name of the photo, for messages.

    Raises:
        UsageError: A fix names no place, or could be in any of several kingdoms.
    """
    plain = [assess(kingdom, rules, trust) for kingdom in kingdoms]
    if not fixes:
        return list(zip(kingdoms, plain, strict=True))
    given = locate_fixes(fixes, [kingdom.decoded.kingdom for kingdom in kingdoms], photo)
    judged = []
    for index, corrected in enumerate(correct(kingdoms, given, rules)):
        name = kingdom_name(index) if len(kingdoms) > 1 else ""
        assessed = reassess(kingdoms[index], plain[index], corrected, rules, trust, name)
        judged.append((corrected, assessed))
    return judged


def make_result(kingdom: DecodedKingdom, assessed: Assessment, rules: Rules) -> KingdomResult:
    """Make the result of a kingdom; its positions are counted in its own box.

    Args:
        kingdom: The kingdom.
        assessed: How far its total can be trusted.
        rules: What the game is played by.
    """
    trimmed, decoded = kingdom.trimmed, assessed.decoded
    top, left, _, _ = kingdom.box
    origin = top - kingdom.corner[0], left - kingdom.corner[1]
    # What the kingdom breaks, named by the places of the sheet.
    cuttings = kingdom.cuttings
    broken = problems(trimmed, rules.size, origin=origin, deck=kingdom.deck)
    if seams := kingdom.seams:
        cuttings = cutting_posterior(trimmed, seams, kingdom.deck)
        broken = judge_dominoes(trimmed, broken, cuttings, Names(origin))
    return KingdomResult.of_sheet(
        score(trimmed, rules),
        broken,
        status=Status.SURE if assessed.sure else Status.DOUBTFUL,
        probability=decoded.probability,
        squares=_list_squares(kingdom),
        corners=_find_corners(kingdom),
        alternatives=tuple(_move_alternative(total, top, left) for total in decoded.alternatives),
        doubts=tuple(doubt.name_places((top, left), origin) for doubt in assessed.doubts),
        fixes=_list_fixes(kingdom, assessed),
        seen=_seen_line(decoded),
        origin=origin,
        dominoes=cuttings.dominoes,
    )


def _list_fixes(kingdom: DecodedKingdom, assessed: Assessment) -> tuple[tuple[Position, str], ...]:
    """The places that settle a total with what probably lies there, and those that are given."""
    if not assessed.asked:
        return ()
    top, left, _, _ = kingdom.box
    cells = kingdom.decoded.kingdom
    texts = dict(kingdom.given)
    for at in assessed.asked:
        texts[at] = cell_text(cells[at]) if at in cells else EMPTY_MARK
    return tuple((shift(at, (-top, -left)), text) for at, text in sorted(texts.items()))


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
