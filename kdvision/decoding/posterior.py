"""From the posterior to the answer: its total and its probability, more totals, every cell.

A person who gives squares changes what is likely, and nothing that was looked at: `Posterior.given`
keeps the kingdoms that have these squares, and says how much was not looked at.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from kdvision.decoding.board import DECODING, Board, make_kingdom
from kdvision.reading import Alternative, Doubt, DoubtCode
from kdvision.rules.kingdom import Kingdom, Position
from kdvision.rules.terrain import LABELS


class Posterior(Struct, frozen=True):
    """The likely kingdoms of a reading with their posterior weights, before anything is decided.

    Attributes:
        weights: Those of kingdoms (labels row by row), the answer first: probabilities times a
            common factor, see `normaliser`.
        unexplored: The weight of kingdoms that were not searched, at most.
        unasked: The prior weight of hypotheses that were not searched at all, as those before them
            explain what was seen.
        outside: The weight of a wrong grid, which supports no kingdom.
        doubts: What is wrong with a kingdom; none where the deck has it.
        seen: The likeliest label of every place, row by row.
        probabilities: Those of the labels of every place, calibrated.
        board: The grid.
        total_of: Counts the total of a kingdom.
        fixed: The places that a person gave.
        factor: What the doubts about the whole photo leave of the trust in the total.
        hidden: The places, counted row by row, of which too little is seen.
        too_many: The squares that the box cannot hold where several kingdoms were decoded together,
            those of all of them: (number of the reading, position in its grid).
        whole: The weight of all that can lie on the places, kingdom or not.
    """

    weights: Mapping[bytes, float]
    unexplored: float
    unasked: float
    outside: float
    doubts: Mapping[bytes, Doubt]
    seen: bytes
    probabilities: Sequence[Sequence[float]]
    board: Board
    total_of: Callable[[bytes], int]
    fixed: tuple[Position, ...]
    factor: float
    hidden: tuple[int, ...] = ()
    too_many: tuple[tuple[int, Position], ...] = ()
    whole: float = 1.0

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
    def answer_total(self) -> int:
        """The total of the answer."""
        return self.total_of(self.answer)

    def weight_by_total(self) -> dict[int, float]:
        """Return the weight of each total of all kingdoms, the likeliest kingdom's first."""
        weights: dict[int, float] = {}
        for labels, weight in self.weights.items():
            total = self.total_of(labels)
            weights[total] = weights.get(total, 0.0) + weight
        return weights

    def find_likeliest(self, total: int) -> bytes:
        """Find the likeliest kingdom that has a total."""
        return next(labels for labels in self.weights if self.total_of(labels) == total)

    @property
    def unexplored_share(self) -> float:
        """The share of all that is possible (0 to 1) that was not searched."""
        return self.unexplored / self.normaliser if self.weights else 1.0

    def given(self, squares: Mapping[Position, str]) -> "Posterior":
        """Return the posterior of the kingdoms that have squares which a person gives.

        Nothing is searched: kingdoms that were not searched before count as `unexplored`, as many
        of them as can have these squares.

        Args:
            squares: What certainly lies on places of the grid, as in a kingdom line (`W1`, `-`).

        Returns:
            It has no kingdoms where none that was searched has these squares.
        """
        width = self.board.width
        # Weights are products over the places. The given ones had this probability in each product;
        # now they have 1, so every weight that is left grows by the same factor.
        chance = 1.0
        labels: dict[int, int] = {}
        seen = bytearray(self.seen)
        probabilities = list(self.probabilities)
        for (row, col), text in squares.items():
            at, label = row * width + col, LABELS.index(text)
            chance *= self.probabilities[at][label]
            labels[at] = seen[at] = label
            probabilities[at] = [float(other == label) for other in range(len(LABELS))]
        # The kingdoms that have these squares, and how much was not searched of such.
        kept: dict[bytes, float] = {}
        for kingdom, weight in self.weights.items():
            if all(kingdom[at] == label for at, label in labels.items()):
                kept[kingdom] = weight / chance
        most = max(self.whole - sum(kept.values()), 0.0)
        unexplored = min(self.unexplored / chance, most) if chance else 0.0
        hidden = tuple(at for at in self.hidden if at not in labels)
        # Where no kingdom of the deck is left that is as seen, the squares may be of another deck,
        # or the grid may be wrong.
        of_the_deck = kept.keys() - self.doubts.keys()
        unasked, outside = self.unasked, 0.0
        if not is_seen(of_the_deck, bytes(seen), hidden):
            unexplored, unasked = unexplored + self.unasked, 0.0
            outside = self.whole * math.exp(-DECODING.wrong_grid_penalty)
        return replace(
            self,
            weights=kept,
            unexplored=unexplored,
            unasked=unasked,
            outside=outside,
            seen=bytes(seen),
            probabilities=probabilities,
            fixed=(*self.fixed, *squares),
            hidden=hidden,
        )


def rank_totals(posterior: Posterior) -> Posterior:
    """Return the posterior with the likeliest kingdom of the likeliest total as its answer.

    Kingdoms that are each less likely than the answer can agree on a likelier total.
    """
    totals = posterior.weight_by_total()
    best = max(totals, key=totals.__getitem__)
    answer = posterior.find_likeliest(best)
    ranked = {answer: posterior.weights[answer]} | dict(posterior.weights)
    return replace(posterior, weights=ranked)


def is_seen(kingdoms: Iterable[bytes], seen: bytes, hidden: Sequence[int]) -> bool:
    """Return whether one of the kingdoms is as seen on every place but the hidden ones."""
    clear = [place for place in range(len(seen)) if place not in hidden]
    return any(_agree(labels, seen, clear) for labels in kingdoms)


def _agree(labels: bytes, seen: bytes, places: Iterable[int]) -> bool:
    """Return whether labels are as seen on some places."""
    return all(labels[at] == seen[at] for at in places)


# ---------------------------------------------------------------------- the answer


class Decoded(Struct, frozen=True):
    """The likeliest kingdom of the deck for a reading.

    Attributes:
        kingdom: What the box can hold, of the shape of the grid, untrimmed.
        seen: The likeliest label of every place by itself, or the one that a person gave.
        probability: That the total is right.
        certainty: `certainty[row][col]`, the probability of each place's cell.
        posterior: The likely kingdoms, given those beside it in the photo.
        alone: The same before the box was shared, which corrections ask.
        alternatives: Further totals.
        doubts: What is wrong with the kingdom.
    """

    kingdom: Kingdom
    seen: Kingdom
    probability: float
    certainty: tuple[tuple[float, ...], ...]
    posterior: Posterior
    alone: Posterior
    alternatives: tuple[Alternative, ...] = ()
    doubts: tuple[Doubt, ...] = ()

    @property
    def untried(self) -> float:
        """The share of the kingdoms that were not tried, where hidden places allow many."""
        return self.posterior.unexplored_share if self.posterior.hidden else 0.0


def find_answer(posterior: Posterior, alone: Posterior) -> Decoded:
    """Return the answer, with the probability of its total, further totals, and every cell's.

    Args:
        posterior: Of the kingdom, given those beside it in the photo.
        alone: Of the kingdom by itself.
    """
    answer, board = posterior.answer, posterior.board
    totals = posterior.weight_by_total()
    normaliser = posterior.normaliser
    scale = posterior.factor / normaliser
    # A hidden place was not seen: there `seen` has what the answer has.
    seen = bytearray(posterior.seen)
    for place in posterior.hidden:
        seen[place] = answer[place]
    doubts = [posterior.answer_doubt] if posterior.answer_doubt else []
    if posterior.unexplored > DECODING.unexplored_warning * normaliser:
        doubts.append(Doubt(DoubtCode.NOT_ALL_TRIED))
    return Decoded(
        kingdom=make_kingdom(answer, board),
        seen=make_kingdom(seen, board),
        probability=scale * totals[posterior.answer_total],
        certainty=_rate_cells(posterior),
        posterior=posterior,
        alone=alone,
        alternatives=_list_alternatives(totals, posterior, scale),
        doubts=tuple(doubts),
    )


def _list_alternatives(
    totals: Mapping[int, float], posterior: Posterior, scale: float
) -> tuple[Alternative, ...]:
    """List the totals beside the answer's, likeliest first, with what lies there instead.

    None is likelier than that of the answer. `scale` makes probabilities of weights.
    """
    total = posterior.answer_total
    most = DECODING.max_alternatives
    least = DECODING.min_alternative
    if posterior.hidden:
        most = DECODING.max_alternatives_hidden
        least = DECODING.min_alternative_hidden
    ranked = sorted(totals, key=totals.__getitem__, reverse=True)
    less_likely = [score for score in ranked if score != total and totals[score] <= totals[total]]
    alternatives = []
    for score in less_likely[:most]:
        probability = totals[score] * scale
        if probability >= least:
            squares = []
            for place, label in enumerate(posterior.find_likeliest(score)):
                if label != posterior.answer[place]:
                    squares.append((divmod(place, posterior.board.width), LABELS[label]))
            alternatives.append(Alternative(score, probability, tuple(squares)))
    return tuple(alternatives)


def _rate_cells(posterior: Posterior) -> tuple[tuple[float, ...], ...]:
    """Rate how sure every cell of the answer is: the share of the kingdoms that have it too.

    The weight of a wrong grid is left out: it is about no cell in particular. Kingdoms that were
    not tried count against every cell. Where places are hidden they are the most, and count as
    having on every place what was seen there.
    """
    board = posterior.board
    labels = np.array([list(kingdom) for kingdom in posterior.weights])
    weights = np.array(list(posterior.weights.values()))
    having = weights @ (labels == labels[0])
    if posterior.hidden:
        seen = np.array(posterior.probabilities)
        having += posterior.unexplored * seen[range(len(seen)), labels[0]]
    shares = having / (weights.sum() + posterior.unexplored)
    for row, col in posterior.fixed:
        shares[row * board.width + col] = 1.0
    return tuple(map(tuple, shares.reshape(board.height, board.width).tolist()))
