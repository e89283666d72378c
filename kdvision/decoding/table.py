"""Kingdoms of one photo come from one box, so their posterior is a joint one.

Each is decoded by itself first. When the dominoes of all their answers can be in the box at once
and every total is clear, that is all. Otherwise the kingdoms are searched as one, exactly, as if
they lay side by side: every castle and every bounding box is its own, the deck is shared. Nothing
is taken from one kingdom before another, so their order does not matter.

The box also shows what is certain: a mine with three crowns lies once in it, so where one kingdom
surely has it no other does. Hence the probability of every total is summed over the tables that
fit; a table is labels for all kingdoms together.
"""

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import kingdom_name
from kdvision.decoding.best_first import Candidate, SearchResult, search
from kdvision.decoding.board import face_table
from kdvision.decoding.calibration import Calibration
from kdvision.decoding.constraints import TableConstraints
from kdvision.decoding.kingdom import SearchLimits, on_table, posterior_of
from kdvision.decoding.posterior import (
    KingdomWeights,
    ReadingPosterior,
    decoded_from,
    likeliest_total_first,
)
from kdvision.decoding.score_cache import kingdom_of
from kdvision.decoding.settings import DECODING
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.reading import Decoded, Doubt, DoubtCode, Reading
from kdvision.rules.cover import shared_dominoes
from kdvision.rules.dominoes import Face
from kdvision.rules.kingdom import Position, position_names
from kdvision.rules.terrain import EMPTY_LABEL, LABELS

_EMPTY = tuple(float(label == EMPTY_LABEL) for label in range(len(LABELS)))


def likeliest_kingdoms(
    readings: Sequence[Reading],
    options: GameOptions = DEFAULT_OPTIONS,
    *,
    fixes: Sequence[Mapping[Position, str]] | None = None,
    deck: Mapping[Face, int] | None = None,
    calibration: Calibration | None = None,
    limits: SearchLimits | None = None,
    names: Sequence[str] | None = None,
    corners: Sequence[Position] | None = None,
) -> tuple[Decoded, ...]:
    """Find the likeliest kingdoms that the boxes of a table can hold together.

    Args:
        readings: What was seen of every kingdom.
        options: The rules, and how many boxes the dominoes on the table come from.
        fixes: What certainly lies on some places, for every reading.
        deck: As in `likeliest_kingdom`.
        calibration: Likewise.
        limits: Likewise, for every kingdom by itself.
        names: What warnings call the kingdoms; None is A, B, C and so on.
        corners: The place of each grid that warnings call a1; None takes the first row and column
            of each answer.

    Returns:
        As from `likeliest_kingdom`, for every reading. Where the box cannot hold the kingdoms, nor
        any nearly as likely ones, each stands as it was decoded by itself, with a warning.

    Raises:
        UsageError: A fix outside a grid, or no square of the deck.
        ValueError: Probabilities that are none.
    """
    posteriors = [
        posterior_of(
            reading,
            options,
            fixes=fixes[index] if fixes else None,
            deck=deck,
            calibration=calibration,
            limits=limits,
        )
        for index, reading in enumerate(readings)
    ]
    # Kingdoms of another deck use none of this one.
    ours = [index for index, one in enumerate(posteriors) if not one.kingdoms.answer_doubt]
    table: _Table | None = None
    if len(ours) > 1:
        given = names or [kingdom_name(index) for index in range(len(readings))]
        dominoes = face_table(on_table(deck, options.boxes))
        table = _Table(
            tuple(posteriors[index] for index in ours),
            tuple(given[index] for index in ours),
            TableConstraints(
                [posteriors[index].board for index in ours], options.size or 7, dominoes
            ),
            options.boxes,
            tuple(corners[index] for index in ours) if corners else None,
        )
        for index, one in zip(ours, table.joint_posteriors(), strict=True):
            posteriors[index] = one
    by_total = [likeliest_total_first(one) for one in posteriors]
    if table is None or table.holds([by_total[index] for index in ours]):
        posteriors = by_total
    return tuple(decoded_from(one) for one in posteriors)


# ---------------------------------------------------------------------- the table


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
    """Kingdoms that share `boxes` boxes, each with the posterior that it has by itself.

    `corners` are the places that warnings call a1, None for those of the answers.
    """

    posteriors: tuple[ReadingPosterior, ...]
    names: tuple[str, ...]
    constraints: TableConstraints
    boxes: int
    corners: tuple[Position, ...] | None = None

    def holds(self, posteriors: Sequence[ReadingPosterior]) -> bool:
        """Whether the boxes hold the answers of these posteriors together."""
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
        second_box = math.exp(-DECODING.second_box_penalty)
        found = self._search(normaliser)
        answer = _Answer(alone, bool(places), places, kind)
        if places and found.candidates:
            weight = math.prod(one.kingdoms.weights[one.kingdoms.answer] for one in self.posteriors)
            best = found.candidates[0]
            if best.probability >= second_box * weight:
                answer = replace(answer, labels=best.labels, apart=False)
        return tuple(
            replace(one, kingdoms=self._kingdoms(index, answer, found, normaliser))
            for index, one in enumerate(self.posteriors)
        )

    def _search(self, normaliser: float) -> SearchResult:
        """The likeliest tables of the boxes.

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
            tolerance=DECODING.tolerance,
            min_found=math.exp(-DECODING.second_box_penalty) * normaliser,
            limit=DECODING.max_readings,
        )
        tables = tuple(Candidate(one.labels, kept * one.probability) for one in found.candidates)
        left_out = min(left_out, 1 - kept) * sum(one.probability for one in tables)
        return SearchResult(tables, kept * found.unexplored + left_out, found.complete)

    def _kingdoms(
        self, index: int, answer: _Answer, found: SearchResult, normaliser: float
    ) -> KingdomWeights:
        """One kingdom's weights over all tables.

        The sum of three hypotheses: the tables of one box; every kingdom by itself, with the
        penalty of a second box; and what uses none of the box, being of another deck or no
        kingdom at all.
        """
        one, (part, _) = self.posteriors[index], self.constraints.parts[index]
        own, scores = one.kingdoms, one.scores
        others = normaliser / own.normaliser
        second_box = math.exp(-DECODING.second_box_penalty)
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
        outside = own.outside * others
        concerned = answer.apart and any(part.start <= place < part.stop for place in answer.places)
        if concerned or labels != own.answer:
            outside += math.exp(-DECODING.wrong_grid_penalty) * normaliser
        doubts = dict(own.doubts)
        if concerned:
            doubts[labels] = self._too_many(answer)
        ranked = sorted(weights.items(), key=lambda one: (one[0] != labels, -one[1]))
        return KingdomWeights(
            dict(ranked), unexplored + second_box * own.unexplored * others, outside, doubts
        )

    # ------------------------------------------------------------------ doubts

    def _too_many(self, answer: _Answer) -> Doubt:
        """Which squares are too many for the box."""
        fields: dict[str, str | int] = {
            "squares": self._named(answer),
            "boxes": self.boxes,
            "more": self.boxes + 1,
        }
        if answer.kind is None:
            if which := self._lying_twice(answer):
                fields["which"] = which
            return Doubt(DoubtCode.TOO_MANY_DOMINOES, fields=fields)
        fields |= {
            "kind": LABELS[answer.kind],
            "most": self.constraints.faces.squares[answer.kind],
        }
        return Doubt(DoubtCode.TOO_MANY_OF_KIND, fields=fields)

    def _lying_twice(self, answer: _Answer) -> str:
        """The dominoes that surely lie in several kingdoms: `24 (A c4, d4; B a1, a2)`."""
        parts = self.constraints.parts
        kingdoms = [
            kingdom_of(answer.labels[part], constraints.board).trimmed()
            for part, constraints in parts
        ]
        said = []
        for one in shared_dominoes(kingdoms, self.boxes):
            places = [
                f"{self.names[index]} {position_names(pair or ())}".rstrip()
                for index, pair in one.places
            ]
            said.append(f"{'/'.join(map(str, one.numbers))} ({'; '.join(places)})")
        return ", ".join(said)

    def _named(self, answer: _Answer) -> str:
        """The squares of an answer that clash, kingdom by kingdom: `A c4, d4; B a1`."""
        named = []
        many = len(answer.places) > DECODING.max_named_squares
        for index, (part, constraints) in enumerate(self.constraints.parts):
            name, width = self.names[index], constraints.board.width
            own = [place - part.start for place in answer.places if part.start <= place < part.stop]
            given = self.corners[index] if self.corners else None
            top, left = given or _corner(answer.labels[part], width)
            at = [(place // width - top, place % width - left) for place in own]
            if at:
                named.append(name if many else f"{name} {position_names(at)}")
        return "; ".join(named)


def _is_clear(posterior: ReadingPosterior) -> bool:
    """Whether nearly all likely kingdoms have one total."""
    kingdoms, total = posterior.kingdoms, posterior.scores.total
    same = total(kingdoms.answer)
    agreed = sum(weight for labels, weight in kingdoms.weights.items() if total(labels) == same)
    return agreed >= DECODING.clear_probability * kingdoms.normaliser


def _corner(labels: bytes, width: int) -> Position:
    """The first row and column in which something lies."""
    taken = [divmod(place, width) for place, label in enumerate(labels) if label != EMPTY_LABEL]
    return min(row for row, _ in taken), min(col for _, col in taken)
