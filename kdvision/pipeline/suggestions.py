"""The stage of suggesting: the squares that settle a doubtful total, once a person has given them.

Nothing is decoded for it: the kingdoms that were enumerated tell what is left of the doubt.
"""

from collections.abc import Iterable, Sequence, Set

from kdvision.corrections import SheetPlace
from kdvision.decoding.board import DECODING
from kdvision.decoding.decoder import explore
from kdvision.decoding.posterior import Posterior
from kdvision.pipeline.decoded import DecodedKingdom
from kdvision.pipeline.frame import GridPlace
from kdvision.pipeline.trust import PIPELINE, Trust
from kdvision.reading import Doubt, open_doubts
from kdvision.rules.kingdom import Position, box_side, neighbours
from kdvision.rules.rules import MAX_SIZE, Rules


def find_unclear(
    kingdom: DecodedKingdom,
    doubts: Sequence[Doubt],
    known: Set[SheetPlace],
    trust: Trust,
    rules: Rules,
) -> tuple[SheetPlace, ...] | None:
    """Find the places that settle a doubtful total beside those that doubts name.

    Args:
        kingdom: The kingdom as it was decoded.
        doubts: What the photo and the deck show.
        known: The places that doubts name, or that a person has given.
        trust: How far a total can be trusted.
        rules: What the game is played by.

    Returns:
        As few of the most doubted places as settle the total, with the holes beside them. None
        where that takes more than a person compares one by one.
    """
    # The places that may be suggested beside those that are known.
    room = PIPELINE.max_suggested - len(known)
    if room < 0:
        return None
    ranked = [at for at in _rank_places(kingdom) if at not in known][:room]
    # Where too much was not looked at, the kingdoms that have these squares are searched once.
    posterior, least = kingdom.decoded.posterior, 0
    certain = _likeliest_cells(kingdom, known or ranked)
    if posterior.given(certain).unexplored_share > DECODING.unexplored_warning:
        posterior = explore(kingdom.reading, rules, given=certain, deck=kingdom.deck)
        least = 0 if known else len(ranked)
    # As few of the ranked places as settle the total.
    for count in range(least, len(ranked) + 1):
        chosen = known | set(ranked[:count])
        cells = _likeliest_cells(kingdom, chosen)
        if not _settles(kingdom, posterior.given(cells), doubts, chosen, trust):
            continue
        if _share_settled(posterior, cells) >= trust.sure_from:
            return _with_holes(kingdom, ranked[:count], known)
    return None


def _likeliest_cells(kingdom: DecodedKingdom, places: Iterable[SheetPlace]) -> dict[Position, str]:
    """Return what most probably lies on those of the places that the grid has."""
    inside = {at: kingdom.text(at) for at in places if at in kingdom.cells}
    return kingdom.frame.cells_on_grid(inside)


def _settles(
    kingdom: DecodedKingdom,
    left: Posterior,
    doubts: Sequence[Doubt],
    places: Set[SheetPlace],
    trust: Trust,
) -> bool:
    """Return whether a total is sure once a person gives places as they most probably are.

    Args:
        kingdom: The kingdom as it was decoded.
        left: Its posterior given these places.
        doubts: What the photo and the deck show.
        places: The places.
        trust: How far a total can be trusted.
    """
    total = kingdom.decoded.posterior.answer_total
    weight = left.weight_by_total().get(total, 0.0)
    if not weight:
        return False
    still_open = open_doubts(doubts, places)
    open_share = kingdom.measure_open_share(places)
    chance = weight / left.normaliser
    return trust.settled_probability(chance, still_open, open_share) >= trust.sure_from


def _share_settled(posterior: Posterior, places: Iterable[Position]) -> float:
    """Return the share of the likely kingdoms whose total places settle, whatever lies there.

    Of the kingdoms with the same squares on these places, that is those with the likeliest total.
    """
    flat = [row * posterior.board.width + col for row, col in places]
    by_labels: dict[tuple[int, ...], dict[int, float]] = {}
    for labels, weight in posterior.weights.items():
        totals = by_labels.setdefault(tuple(labels[at] for at in flat), {})
        total = posterior.total_of(labels)
        totals[total] = totals.get(total, 0.0) + weight
    settled = 0.0
    for totals in by_labels.values():
        settled += max(totals.values())
    return settled / sum(posterior.weights.values())


def _rank_places(kingdom: DecodedKingdom) -> list[SheetPlace]:
    """Return the places that a kingdom can have, the most doubted first.

    First those on which other likely totals have something else, then what was read least clearly.
    """
    ranked = []
    for total in sorted(kingdom.decoded.alternatives, key=lambda total: -total.probability):
        ranked += [kingdom.frame.to_sheet(GridPlace(at)) for at, _ in total.squares]
    by_doubt = sorted(kingdom.doubted, key=lambda at: -kingdom.doubted[at])
    ranked += [at for at in by_doubt if kingdom.doubted[at] > 0]
    squares = kingdom.squares
    return [at for at in dict.fromkeys(ranked) if box_side([*squares, at]) <= MAX_SIZE]


def _with_holes(
    kingdom: DecodedKingdom, chosen: Sequence[SheetPlace], known: Set[SheetPlace]
) -> tuple[SheetPlace, ...] | None:
    """Return places with the empty ones beside them: what hides one may hide the next.

    They lie in the kingdom's box, or beside a place beyond it that a doubt names. None where they
    are too many with those that are known.
    """
    squares = kingdom.squares
    widest = MAX_SIZE if max(kingdom.trimmed.height, kingdom.trimmed.width) > 5 else 5
    places = known | set(chosen)
    holes = set()
    for at in places:
        for beside in map(SheetPlace, neighbours(at)):
            if kingdom.cells.get(beside) is not None:
                continue
            fits = box_side([*squares, beside]) <= widest
            is_beyond = at in known and not kingdom.is_in_box(at)
            if kingdom.is_in_box(beside) or (fits and is_beyond):
                holes.add(beside)
    if len(places | holes) > PIPELINE.max_suggested:
        return None
    return tuple(sorted((places | holes) - known))
