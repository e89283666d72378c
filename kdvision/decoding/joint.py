"""Kingdoms of one photo come from one box, so they are decoded together.

Each is decoded alone first. When the dominoes of all their answers can be in the box at once and
every total is clear, that is all. Otherwise the kingdoms are searched as one, exactly, as if they
lay side by side: every castle and every bounding box is its own, the deck is shared. Nothing is
taken from one kingdom before another, so their order does not matter.

The box also tells what is certain: a mine with three crowns lies once in it, so where one kingdom
surely has it no other does. Hence the probability of every total is summed anew over the tables
that fit.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kdvision.corrections import kingdom_name
from kdvision.decoding.best_first import Candidate, Outcome, search
from kdvision.decoding.board_graph import face_table
from kdvision.decoding.calibration import Calibration
from kdvision.decoding.decode import Effort, on_table, weigh
from kdvision.decoding.posterior import Kingdoms, Weighed, settled
from kdvision.decoding.settings import DECODING
from kdvision.decoding.shared_deck import TableJudge
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.reading import Decoded, Doubt, DoubtCode, Reading
from kdvision.rules.dominoes import Face
from kdvision.rules.kingdom import Position, position_names
from kdvision.rules.terrain import EMPTY_LABEL, LABELS

_EMPTY = tuple(float(label == EMPTY_LABEL) for label in range(len(LABELS)))


def decode_together(
    readings: Sequence[Reading],
    options: GameOptions = DEFAULT_OPTIONS,
    *,
    fixes: Sequence[Mapping[Position, str]] | None = None,
    deck: Mapping[Face, int] | None = None,
    calibration: Calibration | None = None,
    effort: Effort | None = None,
    names: Sequence[str] | None = None,
) -> tuple[Decoded, ...]:
    """Find the likeliest kingdoms that the boxes of a table can hold together.

    Args:
        readings: What was seen of every kingdom.
        options: The rules, and how many boxes the dominoes on the table come from.
        fixes: What certainly lies on some places, for every reading.
        deck: As in `decode`, as are `calibration` and `effort` (for every kingdom alone).
        calibration: See there.
        effort: See there.
        names: What warnings call the kingdoms; None is A, B, C and so on.

    Returns:
        As from `decode`, for every reading. Where the box cannot hold the kingdoms, nor any
        nearly as likely ones, each stands as it was decoded alone, with a warning.

    Raises:
        UsageError: A fix outside a grid, or no square of the deck.
        ValueError: Probabilities that are none.
    """
    weighed = [
        weigh(
            reading,
            options,
            fixes=fixes[index] if fixes else None,
            deck=deck,
            calibration=calibration,
            effort=effort,
        )
        for index, reading in enumerate(readings)
    ]
    # Kingdoms of another deck say nothing of this one.
    ours = [index for index, one in enumerate(weighed) if not one.kingdoms.complaint]
    if len(ours) > 1:
        given = names or [kingdom_name(index) for index in range(len(readings))]
        dominoes = face_table(on_table(deck, options.boxes))
        table = _Table(
            tuple(weighed[index] for index in ours),
            tuple(given[index] for index in ours),
            TableJudge([weighed[index].places for index in ours], options.size or 7, dominoes),
            options.boxes,
        )
        for index, one in zip(ours, table.weighed_together(), strict=True):
            weighed[index] = one
    return tuple(settled(one) for one in weighed)


# ---------------------------------------------------------------------- the table


@dataclass(frozen=True, slots=True)
class _Answer:
    """Labels for all kingdoms, and what is to be said of them.

    `apart` is whether they are what every kingdom alone is, although no box holds them together;
    `places` are those that the box cannot hold, `kind` the kind of square that is too many.
    """

    labels: bytes
    apart: bool
    places: Sequence[int]
    kind: int | None


@dataclass(frozen=True, slots=True)
class _Table:
    """Kingdoms that share `boxes` boxes, each weighed alone."""

    kingdoms: tuple[Weighed, ...]
    names: tuple[str, ...]
    judge: TableJudge
    boxes: int

    def weighed_together(self) -> tuple[Weighed, ...]:
        """The kingdoms with the weights that they have together."""
        alone = b"".join(one.kingdoms.answer for one in self.kingdoms)
        places, kind = self.judge.clash(alone)
        if not places and all(_is_clear(one) for one in self.kingdoms):
            return self.kingdoms
        everything = math.prod(one.kingdoms.everything for one in self.kingdoms)
        if not everything:
            return self.kingdoms  # a reader that knows next to nothing
        second_box = math.exp(-DECODING.second_box_penalty)
        outcome = self._search(everything)
        answer = _Answer(alone, bool(places), places, kind)
        if places and outcome.candidates:
            weight = math.prod(one.kingdoms.weights[one.kingdoms.answer] for one in self.kingdoms)
            best = outcome.candidates[0]
            if best.probability >= second_box * weight:
                answer = replace(answer, labels=best.labels, apart=False)
        return tuple(
            replace(one, kingdoms=self._kingdoms(index, answer, outcome, everything))
            for index, one in enumerate(self.kingdoms)
        )

    def _search(self, everything: float) -> Outcome:
        """The likeliest tables of the boxes.

        Places that are empty in every likely kingdom stay empty. That something lies there after
        all is no likelier than it was for the kingdoms alone, as it asks for more of the box.
        """
        values: list[Sequence[float]] = []
        kept, left_out = 1.0, 0.0
        for one in self.kingdoms:
            left_out += one.kingdoms.unexplored / one.kingdoms.everything
            columns = zip(*one.kingdoms.weights, strict=True)
            for chances, labels in zip(one.probabilities, columns, strict=True):
                if labels.count(EMPTY_LABEL) == len(labels):
                    values.append(_EMPTY)
                    kept *= chances[EMPTY_LABEL]
                else:
                    values.append(chances)
        found = search(
            values,
            self.judge,
            tolerance=DECODING.tolerance,
            least=math.exp(-DECODING.second_box_penalty) * everything,
            limit=DECODING.max_readings,
        )
        tables = tuple(Candidate(one.labels, kept * one.probability) for one in found.candidates)
        left_out = min(left_out, 1 - kept) * sum(one.probability for one in tables)
        return Outcome(tables, kept * found.rest + left_out, found.complete)

    def _kingdoms(
        self, index: int, answer: _Answer, outcome: Outcome, everything: float
    ) -> Kingdoms:
        """One kingdom's weights over all tables.

        They are those of the tables of one box; those of the kingdoms alone, at the price of a
        second box; and those that ask nothing of the box, as they are of another deck or no
        kingdom at all.
        """
        one, (part, _) = self.kingdoms[index], self.judge.parts[index]
        own, tally = one.kingdoms, one.tally
        others = everything / own.everything
        second_box = math.exp(-DECODING.second_box_penalty)
        labels = answer.labels[part]
        total = tally.total(labels)
        weights = {labels: 0.0}
        for table in outcome.candidates:
            theirs = table.labels[part]
            weights[theirs] = weights.get(theirs, 0.0) + table.probability
        against = sum(weight for theirs, weight in weights.items() if tally.total(theirs) != total)
        most_against = own.unexplored * others
        for theirs, weight in own.weights.items():
            price = second_box
            if own.complaints.get(theirs):
                price = 1.0
            elif tally.total(theirs) != total:
                most_against += weight * others
            weights[theirs] = weights.get(theirs, 0.0) + price * weight * others
        unexplored = min(outcome.rest, max(0.0, most_against - against))
        doubt = own.doubt * others
        concerned = answer.apart and any(part.start <= place < part.stop for place in answer.places)
        if concerned or labels != own.answer:
            doubt += math.exp(-DECODING.wrong_grid_penalty) * everything
        complaints = dict(own.complaints)
        if concerned:
            complaints[labels] = self._complaint(answer)
        ranked = sorted(weights.items(), key=lambda weighed: (weighed[0] != labels, -weighed[1]))
        return Kingdoms(
            dict(ranked), unexplored + second_box * own.unexplored * others, doubt, complaints
        )

    # ------------------------------------------------------------------ what is said

    def _complaint(self, answer: _Answer) -> Doubt:
        """Which squares are too many for the box."""
        fields: dict[str, str | int] = {
            "squares": self._named(answer),
            "box": "one box" if self.boxes == 1 else f"{self.boxes} boxes",
            "more": self.boxes + 1,
        }
        if answer.kind is None:
            return Doubt(DoubtCode.TOO_MANY_DOMINOES, fields=fields)
        fields |= {
            "kind": LABELS[answer.kind],
            "holds": "holds" if self.boxes == 1 else "hold",
            "most": self.judge.faces.squares[answer.kind],
        }
        return Doubt(DoubtCode.TOO_MANY_OF_KIND, fields=fields)

    def _named(self, answer: _Answer) -> str:
        """The squares of an answer that clash, kingdom by kingdom: `A c4, d4 and B a1`."""
        named = []
        many = len(answer.places) > DECODING.max_named_squares
        for (part, judge), name in zip(self.judge.parts, self.names, strict=True):
            width = judge.places.width
            own = [place - part.start for place in answer.places if part.start <= place < part.stop]
            top, left = _corner(answer.labels[part], width)
            at = [(place // width - top, place % width - left) for place in own]
            if at:
                named.append(name if many else f"{name} {position_names(at)}")
        return " and ".join(filter(None, (", ".join(named[:-1]), named[-1])))


def _is_clear(weighed: Weighed) -> bool:
    """Whether nearly all likely kingdoms have one total."""
    kingdoms, total = weighed.kingdoms, weighed.tally.total
    same = total(kingdoms.answer)
    agreed = sum(weight for labels, weight in kingdoms.weights.items() if total(labels) == same)
    return agreed >= DECODING.clear_probability * kingdoms.everything


def _corner(labels: bytes, width: int) -> Position:
    """The first row and column in which something lies."""
    taken = [divmod(place, width) for place, label in enumerate(labels) if label != EMPTY_LABEL]
    return min(row for row, _ in taken), min(col for _, col in taken)
