"""The stage of suggesting: the squares that settle a doubtful total.

They are found by trying what becomes of the total with those squares.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec.structs import replace

from kdvision.corrections import FixPlace, kingdom_name
from kdvision.errors import UsageError
from kdvision.pipeline.decoded import DecodedKingdom
from kdvision.pipeline.fixes import doubted_places
from kdvision.reading import LEFT_OUT, Doubt, DoubtCode
from kdvision.result import KingdomResult, Status
from kdvision.rules.kingdom import Position, box_side, cell_text, neighbours, shift
from kdvision.rules.rules import MOST_SIDE
from kdvision.rules.terrain import EMPTY_MARK

#: count. So many squares are tried: whether the last number settles a total at all, then from the
#: first on. A kingdom with more in doubt is better photographed again than compared square by
#: square.
_COUNTS = (1, 2, 3, 4, 6, 8, 12, 24)
#: count. So many other totals become sure as well where a person finds that they are right.
_LIKELY = 2
#: The result of a kingdom, by its index, with squares that a person gives.
Trial = Callable[[Mapping[FixPlace, str], int], KingdomResult]


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
