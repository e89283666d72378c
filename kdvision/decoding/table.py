"""From the probabilities of every place to the likeliest kingdoms of the box, and their posterior.

Physically true of the box are: sixteen kinds of square, dominoes of two squares, the deck's
counts, one castle, a 5x5 or 7x7. What is seen is the answer when it can be such a kingdom; only
otherwise is the likeliest other one taken. The rule of connection is no part of it: real players
break it, and then the kingdom must be read as it lies (RULES 6). The probability of a total is the
sum over all likely kingdoms that have it; what was not searched counts against it.

Kingdoms of one photo come from one box, so their posterior is a joint one. Each is decoded by
itself first. When the dominoes of all their answers can be in the box at once and every total is
clear, that is all. Otherwise the kingdoms are searched as one, exactly, as if they lay side by
side: every castle and every bounding box is its own, the deck is shared. Nothing is taken from one
kingdom before another, so their order does not matter. The box also shows what is certain: a mine
with three crowns lies once in it, so where one kingdom surely has it no other does. Hence the
probability of every total is summed over the tables that fit; a table is labels for all kingdoms
together.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from kdvision.decoding.best_first import Candidate, SearchResult, search
from kdvision.decoding.board import Board, FaceTable, ScoreCache, board_of, face_table
from kdvision.decoding.calibration import CALIBRATION, calibrated, overall_factor
from kdvision.decoding.constraints import Constraints, TableConstraints
from kdvision.decoding.posterior import (
    KingdomWeights,
    ReadingPosterior,
    decoded_from,
    likeliest_total_first,
    totals_of,
)
from kdvision.errors import UsageError
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.reading import Decoded, Doubt, DoubtCode, Reading
from kdvision.rules.dominoes import Deck
from kdvision.rules.errors import NotationError
from kdvision.rules.kingdom import Position, cell_text, parse_cell, position_name
from kdvision.rules.scoring import MOST_SIDE
from kdvision.rules.terrain import EMPTY_LABEL, KINDS, LABELS

_EMPTY = tuple(float(label == EMPTY_LABEL) for label in range(len(LABELS)))


class TableSettings(Struct, frozen=True):
    """Penalties of hypotheses, and how many kingdoms are tried.

    Penalties are natural logarithms of a likelihood ratio: a hypothesis with a penalty of 6 is
    believed where it explains the reading e^6 = 400 times better.

    Attributes:
        other_deck_penalty: log-likelihood that may be lost for a kingdom of the deck before the
            squares are believed to be of another deck (RULES 1.4). Set by hand, as are all
            penalties: odds of what is seldom met, held by examples in the tests.
        other_deck_penalty_per_square: log-likelihood per square, on top: the more squares there are
            the less would random ones happen to fit the deck.
        no_kingdom_penalty: log-likelihood that may be lost before not even one castle and whole
            dominoes in a box are believed in.
        wrong_grid_penalty: log-likelihood of a grid that is wrong or a kingdom that the photo cuts
            off. It supports no total, and competes with every kingdom that differs from what was
            seen.
        second_box_penalty: log-likelihood that may be lost for kingdoms of one box before dominoes
            of a second box are believed to lie on the table.
        clear_probability: probability. Totals as likely as this need no joint search where one box
            can hold the kingdoms.
        tolerance: share of the probability that may stay unexplored. It counts against the total,
            and is half of what a sure total may lack.
        max_readings: count. So many readings are checked at most; what is left counts against the
            total. Set by hand, for the time it takes.
        other_readings_share: ratio. The hypotheses of another deck and of no kingdom get this share
            of `max_readings`: they only have to be weighed against the first.
    """

    other_deck_penalty: Annotated[float, "kingdom"] = 6.0
    other_deck_penalty_per_square: Annotated[float, "kingdom"] = 0.1
    no_kingdom_penalty: Annotated[float, "kingdom"] = 16.0
    wrong_grid_penalty: Annotated[float, "sure"] = 7.0
    second_box_penalty: Annotated[float, "sure"] = 8.0
    clear_probability: Annotated[float, "sure"] = 0.99
    tolerance: Annotated[float, "sure"] = 5e-3
    max_readings: Annotated[int, "sure"] = 200
    other_readings_share: Annotated[float, "sure"] = 0.25


TABLE = TableSettings()


def likeliest_kingdoms(
    readings: Sequence[Reading],
    options: GameOptions = DEFAULT_OPTIONS,
    *,
    fixes: Sequence[Mapping[Position, str]] | None = None,
    deck: Deck | None = None,
) -> tuple[Decoded, ...]:
    """Find the likeliest kingdoms that one box can hold together.

    Args:
        readings: What the classifier saw of every kingdom, on every place of its grid. A grid may
            be larger than the kingdom. Doubts without places scale `probability`; those with places
            make these places less certain, which only matters when the total depends on them.
        options: The rules.
        fixes: What certainly lies on some places, for every reading, as in a kingdom line (`W1`,
            `C`, `-`). They need not be places where something was seen.
        deck: The dominoes of one box; None for the 48.

    Returns:
        For every reading the kingdom, with the probability of its total and the other totals. Where
        the box cannot hold the kingdoms, nor any nearly as likely ones, each stands as it was
        decoded by itself, with a warning.

    Raises:
        UsageError: A fix outside a grid, or no square of the deck; a deck with a square of none of
            the sixteen kinds.
        ValueError: Probabilities that are none.
    """
    faces = face_table(deck)
    posteriors = [
        _posterior_of(reading, options, fixes[index] if fixes else {}, faces)
        for index, reading in enumerate(readings)
    ]
    # Kingdoms of another deck use none of this one.
    ours = [index for index, one in enumerate(posteriors) if not one.kingdoms.answer_doubt]
    table: _Table | None = None
    if len(ours) > 1:
        boards = [posteriors[index].board for index in ours]
        table = _Table(
            tuple(posteriors[index] for index in ours),
            tuple(ours),
            TableConstraints(boards, options.size or MOST_SIDE, faces),
        )
        for index, one in zip(ours, table.joint_posteriors(), strict=True):
            posteriors[index] = one
    by_total = [likeliest_total_first(one) for one in posteriors]
    if table is None or table.holds([by_total[index] for index in ours]):
        posteriors = by_total
    return tuple(decoded_from(one) for one in posteriors)


# ---------------------------------------------------------------------- one kingdom


def _posterior_of(
    reading: Reading, options: GameOptions, fixes: Mapping[Position, str], faces: FaceTable
) -> ReadingPosterior:
    """The likely kingdoms of a reading by probability."""
    fixed = _labels_of(fixes, reading)
    probabilities, labels = calibrated(reading, fixed)
    board = board_of(reading.height, reading.width)
    hidden = _hidden_places(reading, fixed)
    found = _kingdoms(probabilities, labels, hidden, board, options.size or MOST_SIDE, faces)
    return ReadingPosterior(
        found,
        labels,
        probabilities,
        board,
        ScoreCache(board, options),
        tuple(fixed),
        overall_factor(reading.doubts),
        hidden,
    )


def _labels_of(fixes: Mapping[Position, str], reading: Reading) -> dict[Position, int]:
    """The fixes as labels."""
    labels = {}
    for at, text in fixes.items():
        row, col = at
        if not (0 <= row < reading.height and 0 <= col < reading.width):
            raise UsageError(
                f"The square to fix in row {row + 1}, column {col + 1} lies outside the "
                f"{reading.height}x{reading.width} grid."
            )
        try:
            labels[at] = LABELS.index(cell_text(parse_cell(text)))
        except ValueError as error:
            reason = str(error) if isinstance(error, NotationError) else "No domino has it."
            raise UsageError(f"{position_name(at)}={text} cannot be. {reason}") from None
    return labels


def _hidden_places(reading: Reading, fixed: Mapping[Position, int]) -> tuple[int, ...]:
    """The places, counted row by row, that are rather hidden than seen."""
    return tuple(
        row * reading.width + col
        for row, places in enumerate(reading.places)
        for col, place in enumerate(places)
        if place.hidden >= CALIBRATION.hidden and (row, col) not in fixed
    )


def _kingdoms(
    probabilities: Sequence[Sequence[float]],
    seen: bytes,
    hidden: Sequence[int],
    board: Board,
    side: int,
    faces: FaceTable,
) -> KingdomWeights:
    """The kingdoms of the deck; when what was seen is none, also those of other hypotheses.

    What is `hidden` (places, counted row by row) cannot disagree with a kingdom.
    """
    found: dict[bytes, float] = {}
    doubts: dict[bytes, Doubt] = {}
    unexplored = 0.0
    others = int(TABLE.max_readings * TABLE.other_readings_share) + 1
    for hypothesis in _hypotheses(seen, board, side, faces):
        if hypothesis.prior <= TABLE.tolerance * sum(found.values()):
            unexplored += hypothesis.prior
            break
        result = search(
            probabilities,
            hypothesis.constraints,
            tolerance=TABLE.tolerance,
            min_found=math.exp(-TABLE.no_kingdom_penalty) / hypothesis.prior,
            limit=TABLE.max_readings if hypothesis.prior == 1 else others,
        )
        unexplored += hypothesis.prior * result.unexplored
        for one in result.candidates:
            if hypothesis.doubt and one.labels not in found:
                doubts[one.labels] = hypothesis.doubt
            found[one.labels] = found.get(one.labels, 0.0) + hypothesis.prior * one.probability
        as_seen = _likeliest_as_seen(found, seen, hidden)
        if as_seen is not None:
            break
    known = as_seen is not None and as_seen not in doubts
    outside = 0.0 if known else math.exp(-TABLE.wrong_grid_penalty)
    weights = dict(sorted(found.items(), key=lambda one: -one[1]))
    return KingdomWeights(weights, unexplored, outside, doubts)


def _likeliest_as_seen(
    kingdoms: Mapping[bytes, float], seen: bytes, hidden: Sequence[int]
) -> bytes | None:
    """The likeliest kingdom that is as seen on every place but the hidden ones."""
    if not hidden:
        return seen if seen in kingdoms else None
    clear = [place for place in range(len(seen)) if place not in hidden]
    alike = (one for one in kingdoms if all(one[place] == seen[place] for place in clear))
    return max(alike, key=kingdoms.__getitem__, default=None)


class _Hypothesis(Struct, frozen=True):
    """What the squares may be from: its prior, its constraints, and the doubt that it brings."""

    prior: float
    constraints: Constraints | None
    doubt: Doubt | None = None


def _hypotheses(seen: bytes, board: Board, side: int, faces: FaceTable) -> Iterator[_Hypothesis]:
    """Kingdoms of this deck; of another deck; anything, as it was seen."""
    squares = sum(label < KINDS for label in seen)
    per_square = TABLE.other_deck_penalty_per_square
    other_deck = math.exp(-TABLE.other_deck_penalty - per_square * squares)
    yield _Hypothesis(1.0, Constraints(board, side, faces))
    yield _Hypothesis(other_deck, Constraints(board, side, None), Doubt(DoubtCode.OTHER_DECK))
    no_box = Doubt(DoubtCode.NO_BOX, fields={"side": side})
    yield _Hypothesis(math.exp(-TABLE.no_kingdom_penalty), None, no_box)


# ---------------------------------------------------------------------- several kingdoms


class _Answer(Struct, frozen=True):
    """Labels for all kingdoms, and whether one box holds them.

    `apart` is whether they are what every kingdom alone is, although no box holds them together;
    `places` are those that the box cannot hold, `kind` the kind of square that is too many.
    """

    labels: bytes
    apart: bool
    places: Sequence[int]
    kind: int | None


class _Table(Struct, frozen=True):
    """Kingdoms that share one box, each with the posterior that it has by itself.

    `numbers` are their numbers among all readings.
    """

    posteriors: tuple[ReadingPosterior, ...]
    numbers: tuple[int, ...]
    constraints: TableConstraints

    def holds(self, posteriors: Sequence[ReadingPosterior]) -> bool:
        """Whether the box holds the answers of these posteriors together."""
        places, _ = self.constraints.clash(b"".join(one.kingdoms.answer for one in posteriors))
        return not places

    def joint_posteriors(self) -> tuple[ReadingPosterior, ...]:
        """The posteriors of the kingdoms given each other."""
        alone = b"".join(one.kingdoms.answer for one in self.posteriors)
        places, kind = self.constraints.clash(alone)
        if not places and all(_is_clear(one) for one in self.posteriors):
            return self.posteriors
        normaliser = math.prod(one.kingdoms.normaliser for one in self.posteriors)
        if not normaliser:
            return self.posteriors  # probabilities so small that their product is 0
        second_box = math.exp(-TABLE.second_box_penalty)
        found = self._search(normaliser)
        answer = _Answer(alone, bool(places), places, kind)
        if places and found.candidates:
            weight = math.prod(one.kingdoms.weights[one.kingdoms.answer] for one in self.posteriors)
            best = found.candidates[0]
            if best.probability >= second_box * weight:
                answer = replace(answer, labels=best.labels, apart=False)
        return tuple(
            self._given_the_others(index, answer, found, normaliser)
            for index in range(len(self.posteriors))
        )

    def _search(self, normaliser: float) -> SearchResult:
        """The likeliest tables of the box.

        Places that are empty in every likely kingdom stay empty. That something lies there after
        all is no likelier than it was for the kingdoms alone, as it asks for more of the box.
        """
        values: list[Sequence[float]] = []
        kept, left_out = 1.0, 0.0
        for one in self.posteriors:
            left_out += one.kingdoms.unexplored / one.kingdoms.normaliser
            columns = zip(*one.kingdoms.weights, strict=True)
            for chances, labels in zip(one.probabilities, columns, strict=True):
                if labels.count(EMPTY_LABEL) == len(labels):
                    values.append(_EMPTY)
                    kept *= chances[EMPTY_LABEL]
                else:
                    values.append(chances)
        found = search(
            values,
            self.constraints,
            tolerance=TABLE.tolerance,
            min_found=math.exp(-TABLE.second_box_penalty) * normaliser,
            limit=TABLE.max_readings,
        )
        tables = tuple(Candidate(one.labels, kept * one.probability) for one in found.candidates)
        left_out = min(left_out, 1 - kept) * sum(one.probability for one in tables)
        return SearchResult(tables, kept * found.unexplored + left_out, found.complete)

    def _given_the_others(
        self, index: int, answer: _Answer, found: SearchResult, normaliser: float
    ) -> ReadingPosterior:
        """One kingdom's posterior over all tables.

        The sum of three hypotheses: the tables of one box; every kingdom by itself, with the
        penalty of a second box; and what uses none of the box, being of another deck or no
        kingdom at all.
        """
        one, (part, _) = self.posteriors[index], self.constraints.parts[index]
        own, scores = one.kingdoms, one.scores
        others = normaliser / own.normaliser
        second_box = math.exp(-TABLE.second_box_penalty)
        labels = answer.labels[part]
        total = scores.total(labels)
        weights = {labels: 0.0}
        for table in found.candidates:
            theirs = table.labels[part]
            weights[theirs] = weights.get(theirs, 0.0) + table.probability
        against = sum(weight for theirs, weight in weights.items() if scores.total(theirs) != total)
        most_against = own.unexplored * others
        for theirs, weight in own.weights.items():
            prior = second_box
            if own.doubts.get(theirs):
                prior = 1.0
            elif scores.total(theirs) != total:
                most_against += weight * others
            weights[theirs] = weights.get(theirs, 0.0) + prior * weight * others
        unexplored = min(found.unexplored, max(0.0, most_against - against))
        unexplored += second_box * own.unexplored * others
        outside = own.outside * others
        concerned = answer.apart and any(part.start <= place < part.stop for place in answer.places)
        if concerned or labels != own.answer:
            outside += math.exp(-TABLE.wrong_grid_penalty) * normaliser
        doubts, too_many = dict(own.doubts), one.too_many
        if concerned:
            doubts[labels], too_many = self._too_many(answer)
        ranked = dict(sorted(weights.items(), key=lambda one: (one[0] != labels, -one[1])))
        kingdoms = KingdomWeights(ranked, unexplored, outside, doubts)
        return replace(one, kingdoms=kingdoms, too_many=too_many)

    def _too_many(self, answer: _Answer) -> tuple[Doubt, tuple[tuple[int, Position], ...]]:
        """What the box does not hold as often as it lies there, and its squares."""
        fields: dict[str, str | int] = {}
        code = DoubtCode.TOO_MANY_DOMINOES
        if answer.kind is not None:
            code = DoubtCode.TOO_MANY_OF_KIND
            most = self.constraints.faces.squares[answer.kind]
            fields = {"kind": LABELS[answer.kind], "most": most}
        places = tuple(
            (number, divmod(place - part.start, constraints.board.width))
            for number, (part, constraints) in zip(
                self.numbers, self.constraints.parts, strict=True
            )
            for place in answer.places
            if part.start <= place < part.stop
        )
        return Doubt(code, fields=fields), places


def _is_clear(posterior: ReadingPosterior) -> bool:
    """Whether nearly all likely kingdoms have one total."""
    kingdoms, scores = posterior.kingdoms, posterior.scores
    own = totals_of(kingdoms, scores)[scores.total(kingdoms.answer)]
    return own.weight >= TABLE.clear_probability * kingdoms.normaliser
