"""The stage of suggesting: the squares that settle a doubtful total, once a person has given them.

Nothing is decoded for it: the kingdoms that were enumerated tell what is left of the doubt.
"""

from collections.abc import Iterable, Sequence, Set

from kdvision.decoding.board import DECODING
from kdvision.decoding.decoder import explore
from kdvision.decoding.posterior import Posterior
from kdvision.pipeline.decoded import DecodedKingdom
from kdvision.pipeline.trust import PIPELINE, Trust
from kdvision.reading import Doubt
from kdvision.rules.kingdom import Position, box_side, cell_text, neighbours
from kdvision.rules.rules import MOST_SIDE, Rules
from kdvision.rules.terrain import EMPTY_MARK, LABELS


def find_unclear(
    kingdom: DecodedKingdom,
    doubts: Sequence[Doubt],
    known: Set[Position],
    trust: Trust,
    rules: Rules,
) -> tuple[Position, ...] | None:
    """Find the places that settle a doubtful total beside those that doubts name.

    Args:
        kingdom: The kingdom as it was decoded.
        doubts: What the photo and the deck show.
        known: The places that doubts name, or that a person has given.
        trust: How far a total can be trusted.
        rules: What the game is played by.

    Returns:
        As few of the most doubted places of the grid as settle the total, with the holes beside
        them. None where that takes more than a person compares one by one.
    """
    room = PIPELINE.most_asked - len(known)
    if room < 0:
        return None
    ranked = [at for at in _rank_places(kingdom) if at not in known][:room]
    posterior, least = kingdom.decoded.posterior, 0
    first = known or ranked
    if _given(kingdom, posterior, first).unexplored_share > DECODING.unexplored_warning:
        # Too much was not looked at: that is done once, with the first of these squares given.
        texts = {at: _text_at(kingdom, at) for at in first if kingdom.is_inside(at)}
        posterior = explore(kingdom.reading, rules, given=texts, deck=kingdom.deck)
        least = 0 if known else len(ranked)
    for count in range(least, len(ranked) + 1):
        chosen = {*known, *ranked[:count]}
        left = _given(kingdom, posterior, chosen)
        if not _settles(kingdom, left, doubts, chosen, trust):
            continue
        if _share_told(posterior, chosen) >= trust.sure_from:
            return _with_holes(kingdom, ranked[:count], known)
    return None


def _given(kingdom: DecodedKingdom, posterior: Posterior, places: Iterable[Position]) -> Posterior:
    """What is left where a person finds on places what they most probably are."""
    return posterior.given({at: _text_at(kingdom, at) for at in places if kingdom.is_inside(at)})


def _settles(
    kingdom: DecodedKingdom,
    left: Posterior,
    doubts: Sequence[Doubt],
    places: Set[Position],
    trust: Trust,
) -> bool:
    """Whether a total is sure when a person has given places, and this posterior is left."""
    total = kingdom.decoded.posterior.answer_total
    weight = left.weight_by_total().get(total, 0.0)
    if not weight:
        return False
    still = [doubt.without(places) for doubt in doubts]
    probability = trust.settled_probability(
        weight / left.normaliser,
        [doubt for doubt in still if doubt],
        measure_open_share(kingdom, places),
    )
    return probability >= trust.sure_from


def _share_told(posterior: Posterior, places: Set[Position]) -> float:
    """The share of the likely kingdoms of which places tell the total, whatever lies there."""
    width = posterior.board.width
    flat = [row * width + col for row, col in places if 0 <= row < posterior.board.height]
    by_labels: dict[tuple[int, ...], dict[int, float]] = {}
    for labels, weight in posterior.weights.items():
        totals = by_labels.setdefault(tuple(labels[at] for at in flat), {})
        total = posterior.scores.total(labels)
        totals[total] = totals.get(total, 0.0) + weight
    told = sum(max(totals.values()) for totals in by_labels.values())
    return told / sum(posterior.weights.values())


# ---------------------------------------------------------------------- the most doubted places


def doubted_places(kingdom: DecodedKingdom) -> dict[Position, float]:
    """How far each place of the grid is doubted that no person gave, by its look and by the deck.

    What was not tried counts against all places alike, and is no doubt about any of them.
    """
    decoded, reading = kingdom.decoded, kingdom.reading
    uncertain = [value for row in decoded.certainty for value in row if value < 1]
    most = max(uncertain, default=1.0)
    doubt = {}
    for (row, col), cell in decoded.kingdom.cells():
        certainty = decoded.certainty[row][col]
        unlike = 1 - reading.places[row][col].probabilities[LABELS.index(cell_text(cell))]
        doubt[row, col] = most - certainty + unlike if certainty < 1 else 0.0
    return doubt


def measure_open_share(kingdom: DecodedKingdom, given: Set[Position]) -> float:
    """The share of the doubt about single squares that is not about those that are given."""
    doubt = doubted_places(kingdom)
    everything = sum(doubt.values())
    if not everything:
        return 1.0
    return sum(value for at, value in doubt.items() if at not in given) / everything


def _rank_places(kingdom: DecodedKingdom) -> list[Position]:
    """The places of the grid that a kingdom can have, the most doubted first.

    First those on which other likely totals have something else, then what was read least clearly.
    """
    alternatives = sorted(kingdom.decoded.alternatives, key=lambda total: -total.probability)
    ranked = [at for alternative in alternatives for at, _ in alternative.squares]
    doubted = doubted_places(kingdom)
    ranked += sorted((at for at in doubted if doubted[at] > 0), key=lambda at: -doubted[at])
    squares = list(kingdom.decoded.kingdom.squares())
    return [at for at in dict.fromkeys(ranked) if box_side([*squares, at]) <= MOST_SIDE]


def _with_holes(
    kingdom: DecodedKingdom, chosen: Sequence[Position], known: Set[Position]
) -> tuple[Position, ...] | None:
    """Places with the empty ones beside them: what hides one may hide the next.

    They lie in the kingdom's box, or beside a place beyond it that a doubt names. None where they
    are too many with those that are known.
    """
    cells = kingdom.decoded.kingdom
    squares = list(cells.squares())
    side = kingdom.trimmed.height, kingdom.trimmed.width
    widest = MOST_SIDE if max(side) > 5 else 5
    asked = {*chosen, *known}
    holes = set()
    for at in asked:
        for beside in neighbours(at):
            is_hole = beside not in cells or cells[beside] is None
            is_beyond = at in known and not _is_in_box(kingdom, at)
            goes_on = is_beyond and box_side([*squares, beside]) <= widest
            if is_hole and (goes_on or _is_in_box(kingdom, beside)):
                holes.add(beside)
    places = asked | holes
    if len(places) > PIPELINE.most_asked:
        return None
    return tuple(sorted(places - known))


def _is_in_box(kingdom: DecodedKingdom, at: Position) -> bool:
    """Whether a place lies in the box around a kingdom."""
    top, left, bottom, right = kingdom.box
    return top <= at[0] <= bottom and left <= at[1] <= right


def _text_at(kingdom: DecodedKingdom, at: Position) -> str:
    """What most probably lies on a place of the grid, or beyond it."""
    cells = kingdom.decoded.kingdom
    return cell_text(cells[at]) if at in cells else EMPTY_MARK
