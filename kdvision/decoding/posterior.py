"""From the posterior to the answer: its total and its probability, other totals, every cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from kdvision.decoding.board import Board, ScoreCache, kingdom_of
from kdvision.reading import Alternative, Decoded, Doubt, DoubtCode
from kdvision.rules.kingdom import Position
from kdvision.rules.terrain import LABELS


class AnswerSettings(Struct, frozen=True):
    """What is said of an answer beside its total.

    Attributes:
        unexplored_warning: share of the probability. From so much on a warning says that not
            every possible kingdom was tried.
        max_alternatives: count of other totals that are handed on.
        max_alternatives_hidden: count of those of a reading with hidden places.
        min_alternative: probability below which another total is not handed on.
        min_alternative_hidden: probability of those of a reading with hidden places.
    """

    unexplored_warning: float = 0.05
    max_alternatives: int = 4
    max_alternatives_hidden: int = 30
    min_alternative: float = 0.002
    min_alternative_hidden: float = 1e-4


ANSWER = AnswerSettings()


class KingdomWeights(Struct, frozen=True):
    """Kingdoms by labels with their posterior weights, the answer first.

    Weights are probabilities times a common factor: see `normaliser`. `unexplored` is that of
    kingdoms that were not searched, `outside` that of a wrong grid, which supports no kingdom.
    `doubts` name what is wrong with a kingdom; none where the deck has it.
    """

    weights: Mapping[bytes, float]
    unexplored: float
    outside: float
    doubts: Mapping[bytes, Doubt]

    @property
    def answer(self) -> bytes:
        """The likeliest kingdom."""
        return next(iter(self.weights))

    @property
    def answer_doubt(self) -> Doubt | None:
        """What is wrong with the answer."""
        return self.doubts.get(self.answer)

    @property
    def normaliser(self) -> float:
        """The weight of all that is possible, by which probabilities are normalised."""
        return sum(self.weights.values()) + self.unexplored + self.outside

    @property
    def warnings(self) -> tuple[Doubt, ...]:
        """What the user should know about the answer."""
        much = self.unexplored > ANSWER.unexplored_warning * self.normaliser
        given_up = Doubt(DoubtCode.NOT_ALL_TRIED) if much else None
        return tuple(filter(None, (self.answer_doubt, given_up)))


class ReadingPosterior(Struct, frozen=True):
    """The likely kingdoms of a reading by their probability, before anything is decided.

    Attributes:
        kingdoms: The kingdoms with their weights.
        seen: The likeliest label of every place, row by row.
        probabilities: Those of the labels of every place, calibrated.
        board: The grid.
        scores: Gives totals.
        fixed: The places that the user fixed.
        factor: What the doubts about the whole photo leave of the trust in the total.
        hidden: The places, counted row by row, of which too little is seen: what stands for them
            was not seen, and more totals are possible.
        too_many: See `Decoded`.
    """

    kingdoms: KingdomWeights
    seen: bytes
    probabilities: Sequence[Sequence[float]]
    board: Board
    scores: ScoreCache
    fixed: tuple[Position, ...]
    factor: float
    hidden: tuple[int, ...] = ()
    too_many: tuple[tuple[int, Position], ...] = ()


def likeliest_total_first(posterior: ReadingPosterior) -> ReadingPosterior:
    """The posterior with the likeliest kingdom of the likeliest total as its answer.

    Kingdoms that are each less likely than the answer can agree on another total. An answer that
    stands as it was read because the box cannot hold all kingdoms of the table stays.
    """
    kingdoms, total = posterior.kingdoms, posterior.scores.total
    weights, doubt = kingdoms.weights, kingdoms.answer_doubt
    if doubt and doubt.code in (DoubtCode.TOO_MANY_OF_KIND, DoubtCode.TOO_MANY_DOMINOES):
        return posterior
    totals = totals_of(kingdoms, posterior.scores)
    best = max(totals.values(), key=lambda one: one.weight)
    if best.weight <= totals[total(kingdoms.answer)].weight:
        return posterior
    ranked = {best.kingdom: weights[best.kingdom]} | dict(weights)
    return replace(posterior, kingdoms=replace(kingdoms, weights=ranked))


def decoded_from(posterior: ReadingPosterior) -> Decoded:
    """The answer, with the probability of its total, the other totals, and every cell's."""
    kingdoms, board = posterior.kingdoms, posterior.board
    totals = totals_of(kingdoms, posterior.scores)
    scale = posterior.factor / kingdoms.normaliser
    own = totals[posterior.scores.total(kingdoms.answer)]
    return Decoded(
        kingdom=kingdom_of(kingdoms.answer, board),
        seen=kingdom_of(_seen_labels(posterior), board),
        probability=scale * own.weight,
        certainty=_certainty(posterior),
        alternatives=_alternatives(totals, own, posterior, scale),
        warnings=kingdoms.warnings,
        too_many=posterior.too_many,
        untried=kingdoms.unexplored / kingdoms.normaliser if posterior.hidden else 0.0,
    )


def _seen_labels(posterior: ReadingPosterior) -> bytes:
    """The likeliest label of every place; that of the answer where nothing is seen."""
    labels = bytearray(posterior.seen)
    for place in posterior.hidden:
        labels[place] = posterior.kingdoms.answer[place]
    return bytes(labels)


@dataclass(slots=True)
class _Total:
    """One total: its weight, and the likeliest kingdom that has it."""

    kingdom: bytes
    weight: float = 0.0


def totals_of(kingdoms: KingdomWeights, scores: ScoreCache) -> dict[int, _Total]:
    """The totals of all kingdoms."""
    totals: dict[int, _Total] = {}
    for labels, weight in kingdoms.weights.items():
        totals.setdefault(scores.total(labels), _Total(labels)).weight += weight
    return totals


def _alternatives(
    totals: Mapping[int, _Total], own: _Total, posterior: ReadingPosterior, scale: float
) -> tuple[Alternative, ...]:
    """The other totals, likeliest first, with the squares of their likeliest kingdom.

    None is likelier than `own`, that of the answer. `scale` makes probabilities of weights.
    """
    others = [
        (total, one) for total, one in totals.items() if one is not own and one.weight <= own.weight
    ]
    others.sort(key=lambda other: -other[1].weight)
    answer, board = posterior.kingdoms.answer, posterior.board
    most, least = ANSWER.max_alternatives, ANSWER.min_alternative
    if posterior.hidden:
        most, least = ANSWER.max_alternatives_hidden, ANSWER.min_alternative_hidden
    return tuple(
        Alternative(total, one.weight * scale, _differences(one.kingdom, answer, board))
        for total, one in others[:most]
        if one.weight * scale >= least
    )


def _differences(labels: bytes, answer: bytes, board: Board) -> tuple[tuple[Position, str], ...]:
    return tuple(
        (divmod(place, board.width), LABELS[label])
        for place, label in enumerate(labels)
        if label != answer[place]
    )


def _certainty(posterior: ReadingPosterior) -> tuple[tuple[float, ...], ...]:
    """How sure every cell of the answer is: the share of the kingdoms that have it too.

    A wrong grid has no cells: it lowers the probability of the total, and of no cell in particular.
    Of kingdoms that were not tried none counts, but where places are hidden: then they are most,
    and have on every place what was seen there.
    """
    kingdoms, board = posterior.kingdoms, posterior.board
    labels = np.array([list(one) for one in kingdoms.weights])
    weights = np.array(list(kingdoms.weights.values()))
    having = weights @ (labels == labels[0])
    if posterior.hidden:
        seen = np.array(posterior.probabilities)
        having += kingdoms.unexplored * seen[range(len(seen)), labels[0]]
    shares = having / (weights.sum() + kingdoms.unexplored)
    for row, col in posterior.fixed:
        shares[row * board.width + col] = 1.0
    return tuple(map(tuple, shares.reshape(board.height, board.width).tolist()))
