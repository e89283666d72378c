"""From the probabilities of every place to the likeliest kingdoms of the box, and their posterior.

Physically true of the box are: sixteen kinds of square, dominoes of two squares, the deck's
counts, one castle, a 5x5 or 7x7. What is seen is the answer when it can be such a kingdom; only
otherwise is the likeliest kingdom taken that can. The rule of connection is no part of it: real
players break it, and then the kingdom must be read as it lies (RULES 6). The probability of a total
is the sum over all likely kingdoms that have it; what was not searched counts against it.

Kingdoms of one photo come from one box: each is decoded by itself first, then given each other.
When the dominoes of all their answers can be in the box at once and every total is clear, each
stands as it was decoded by itself. Otherwise the kingdoms are searched as one, exactly, as if they
lay side by side: castles and bounding boxes are apart, the deck is shared. Nothing is taken from
one kingdom before the next, so their order does not matter. The box also shows what is certain: a
mine with three crowns lies once in it, so where one kingdom surely has it no second one does. Hence
the probability of every total is summed over the *assemblies* that fit: labels for all kingdoms
together.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from kdvision.decoding.best_first import LabelCosts, SearchResult, search
from kdvision.decoding.board import DECODING, Board, DeckFaces, deck_faces, make_board, make_totals
from kdvision.decoding.calibration import calibrate, overall_factor
from kdvision.decoding.constraints import Constraints
from kdvision.decoding.exact_cover import UndecidedError, cut, step_budget
from kdvision.decoding.posterior import Decoded, Posterior, find_answer, is_seen, rank_totals
from kdvision.reading import BOX_DOUBTS, NOTHING, TOO_MANY_DOUBTS, Doubt, DoubtCode, Reading
from kdvision.rules.dominoes import Deck
from kdvision.rules.kingdom import Position
from kdvision.rules.rules import DEFAULT_RULES, MAX_SIZE, Rules
from kdvision.rules.terrain import CASTLE_LABEL, EMPTY_LABEL, LABELS

#: What a person gives who says nothing.
NOTHING_GIVEN: Mapping[Position, str] = MappingProxyType({})


def decode(
    readings: Sequence[Reading], rules: Rules = DEFAULT_RULES, *, deck: Deck | None = None
) -> tuple[Decoded, ...]:
    """Find the likeliest kingdoms that one box can hold together.

    Args:
        readings: What the classifier saw of every kingdom, on every place of its grid. A grid may
            be larger than the kingdom. Doubts without places scale `probability`; those with places
            make these places less certain, which only matters when the total depends on them.
        rules: What the game is played by.
        deck: The dominoes of one box; None for the 48.

    Returns:
        For every reading the kingdom, with the probability of its total and the further totals.
        Where the box cannot hold the kingdoms, nor any nearly as likely ones, each stands as it was
        decoded by itself, with a warning.

    Raises:
        UsageError: The deck has a square of none of the sixteen kinds.
        ValueError: The probabilities of a place are negative, no numbers, or all 0.
    """
    posteriors = [explore(reading, rules, deck=deck) for reading in readings]
    return share_box(posteriors, rules, deck=deck)


def explore(
    reading: Reading,
    rules: Rules = DEFAULT_RULES,
    *,
    given: Mapping[Position, str] = NOTHING_GIVEN,
    deck: Deck | None = None,
) -> Posterior:
    """Search the kingdoms of one reading by itself.

    First those of the deck; where what was seen is none of them, also those of other hypotheses.

    Args:
        reading: What the classifier saw.
        rules: What the game is played by.
        given: What certainly lies on places of the grid, as in a kingdom line (`W1`, `C`, `-`).
            They need not be places where something was seen.
        deck: The dominoes of one box; None for the 48.

    Raises:
        UsageError, ValueError: As `decode`.
    """
    faces = deck_faces(deck)
    fixed = {at: LABELS.index(text) for at, text in given.items()}
    probabilities, seen = calibrate(reading, fixed)
    board = make_board(reading.height, reading.width)
    # Places that are hidden, unless a person gave them: there every kingdom is as seen.
    hidden = []
    for at, place in enumerate(chain.from_iterable(reading.places)):
        if place.is_hidden and divmod(at, reading.width) not in fixed:
            hidden.append(at)
    weights: dict[bytes, float] = {}
    doubts: dict[bytes, Doubt] = {}
    unexplored = 0.0
    is_of_the_deck = False
    # The hypotheses in turn, until one explains what was seen or the rest cannot matter.
    hypotheses = _hypotheses(seen, board, rules.size or MAX_SIZE, faces)
    for prior, constraints, doubt in hypotheses:
        if prior <= DECODING.tolerance * sum(weights.values()):
            unexplored += prior
            break
        share = DECODING.other_labellings_share
        result = search(
            probabilities,
            constraints,
            tolerance=DECODING.tolerance,
            min_mass=math.exp(-DECODING.no_kingdom_penalty) / prior,
            limit=int(DECODING.max_labellings * share) + 1 if doubt else DECODING.max_labellings,
        )
        unexplored += prior * result.unexplored
        # A kingdom that several hypotheses allow has the doubt of the first of them.
        for labels, probability in result.kingdoms.items():
            if doubt and labels not in weights:
                doubts[labels] = doubt
            weights[labels] = weights.get(labels, 0.0) + prior * probability
        if is_seen(weights, seen, hidden):
            is_of_the_deck = doubt is None
            break
    # The generator still has the hypotheses that were not searched.
    unasked = sum(prior for prior, _, _ in hypotheses)
    # Where no kingdom of the deck is as seen, the grid may be wrong.
    return Posterior(
        weights=dict(sorted(weights.items(), key=lambda pair: -pair[1])),
        unexplored=unexplored,
        unasked=unasked,
        outside=0.0 if is_of_the_deck else math.exp(-DECODING.wrong_grid_penalty),
        doubts=doubts,
        seen=seen,
        probabilities=probabilities,
        board=board,
        total_of=make_totals(board, rules),
        fixed=tuple(given),
        factor=overall_factor(reading.doubts),
        hidden=tuple(hidden),
    )


def _hypotheses(
    seen: bytes, board: Board, side: int, faces: DeckFaces
) -> Iterator[tuple[float, Constraints | None, Doubt | None]]:
    """Yield the hypotheses: what each weighs, its constraints, and the doubt that it brings.

    They are a kingdom of this deck, one of another deck, and squares that are no kingdom of any.
    """
    squares = len(seen) - seen.count(CASTLE_LABEL) - seen.count(EMPTY_LABEL)
    penalty = DECODING.other_deck_penalty + DECODING.other_deck_penalty_per_square * squares
    yield 1.0, Constraints([board], side, faces), None
    yield math.exp(-penalty), Constraints([board], side, None), Doubt(DoubtCode.OTHER_DECK)
    no_box = Doubt(DoubtCode.NO_BOX, fields={"side": side})
    yield math.exp(-DECODING.no_kingdom_penalty), None, no_box


# ---------------------------------------------------------------------- one box for all


def share_box(
    posteriors: Sequence[Posterior], rules: Rules = DEFAULT_RULES, *, deck: Deck | None = None
) -> tuple[Decoded, ...]:
    """Find the kingdoms of one photo that one box can hold.

    Args:
        posteriors: Of every kingdom by itself.
        rules: What the game is played by.
        deck: The dominoes of all of them; None for the 48.

    Returns:
        Their answers: where one box holds these, the likeliest kingdom of the likeliest total.
    """
    faces, side = deck_faces(deck), rules.size or MAX_SIZE
    decoded = []
    together = _weigh_jointly(posteriors, side, faces)
    for index, (posterior, alone) in enumerate(zip(together, posteriors, strict=True)):
        answer = find_answer(posterior, alone)
        doubts = []
        for doubt in answer.doubts:
            if doubt.code in TOO_MANY_DOUBTS:
                own = [at for number, at in posterior.too_many if number == index]
                doubt = replace(doubt, places=tuple(own))
            elif doubt.code in BOX_DOUBTS:
                doubt = replace(doubt, places=_find_strange(posterior, side, faces))
            doubts.append(doubt)
        decoded.append(replace(answer, doubts=tuple(doubts)))
    return tuple(decoded)


def _find_strange(posterior: Posterior, side: int, faces: DeckFaces) -> tuple[Position, ...]:
    """Find the places that keep an answer from being a kingdom of the deck.

    They are those on which the likeliest kingdom of the deck, if any was found, has something else,
    and those that prove that the answer is none.
    """
    answer, board = posterior.answer, posterior.board
    likeliest = answer
    for labels in posterior.weights:
        if labels not in posterior.doubts:
            likeliest = labels
            break
    strange = set()
    for at, label in enumerate(answer):
        if label != likeliest[at]:
            strange.add(at)
    costs = LabelCosts(posterior.probabilities)
    constraints = Constraints([board], side, faces)
    with suppress(UndecidedError):
        proof = constraints.find_conflict(
            answer, range(len(answer)), partial(costs.leaving_cost, costs.domains)
        )
        # That there is no castle says nothing of single places.
        if proof and CASTLE_LABEL in answer:
            strange.update(dict(proof))
    return tuple(divmod(at, board.width) for at in sorted(strange))


def _weigh_jointly(posteriors: Sequence[Posterior], side: int, faces: DeckFaces) -> list[Posterior]:
    """Return the posteriors of kingdoms given what one box can hold, their answers first."""
    # Kingdoms of another deck use none of this one.
    numbers: list[int] = []
    alone: list[Posterior] = []
    for number, posterior in enumerate(posteriors):
        if not posterior.answer_doubt:
            numbers.append(number)
            alone.append(posterior)
    if len(numbers) < 2:
        return list(map(rank_totals, posteriors))
    constraints = Constraints([posterior.board for posterior in alone], side, faces)
    box = _SharedBox(alone, numbers, constraints, faces)
    joint = list(posteriors)
    for number, posterior in zip(numbers, box.weigh(), strict=True):
        joint[number] = posterior
    by_total = list(map(rank_totals, joint))
    clash = box.find_clash(by_total[number] for number in numbers)
    return joint if clash.places else by_total


class _Clash(Struct, frozen=True):
    """Squares that the box cannot hold; none where it can.

    Attributes:
        places: Their places.
        kind: The kind of which there are too many; None where it is dominoes.
    """

    places: Sequence[int] = ()
    kind: int | None = None


class _SharedBox(Struct, frozen=True):
    """Kingdoms that share one box.

    Attributes:
        alone: The posterior that each has by itself.
        numbers: Their numbers among all kingdoms of the photo.
        constraints: What the box can hold.
        faces: The deck.
    """

    alone: Sequence[Posterior]
    numbers: Sequence[int]
    constraints: Constraints
    faces: DeckFaces

    def find_clash(self, posteriors: Iterable[Posterior]) -> _Clash:
        """Find what the box cannot hold of the answers of these posteriors together."""
        labels = b"".join(posterior.answer for posterior in posteriors)
        for kind, most in enumerate(self.faces.squares):
            if labels.count(kind) > most:
                return _Clash([at for at, label in enumerate(labels) if label == kind], kind)
        try:
            proof = cut(labels, self.constraints.neighbours, self.faces, step_budget())
        except UndecidedError:
            return _Clash()
        if not isinstance(proof, int):
            return _Clash()
        return _Clash([place for place in range(len(labels)) if proof >> place & 1])

    def weigh(self) -> Sequence[Posterior]:
        """Return the posteriors of the kingdoms given each other."""
        clash = self.find_clash(self.alone)
        if not clash.places and all(map(_is_clear, self.alone)):
            return self.alone
        normaliser = math.prod(posterior.normaliser for posterior in self.alone)
        if not normaliser:
            return self.alone  # probabilities so small that their product is 0
        result = self._search(normaliser)
        answers = [posterior.answer for posterior in self.alone]
        # Of kingdoms that clash the likeliest ones of one box are believed before a second box.
        if clash.places and result.kingdoms:
            weight = math.prod(posterior.weights[posterior.answer] for posterior in self.alone)
            best = max(result.kingdoms, key=result.kingdoms.__getitem__)
            if result.kingdoms[best] >= math.exp(-DECODING.second_box_penalty) * weight:
                answers = [best[part] for part in self.constraints.parts]
                clash = _Clash()
        weighed = []
        for index, answer in enumerate(answers):
            weighed.append(self._weigh_together(index, answer, clash, result, normaliser))
        return weighed

    def _search(self, normaliser: float) -> SearchResult:
        """Search the likeliest assemblies of the box.

        Places that are empty in every likely kingdom stay empty. That something lies there after
        all is no likelier than it was for the kingdoms alone, as it asks for more of the box.
        """
        values: list[Sequence[float]] = []
        kept, left_out = 1.0, 0.0
        for posterior in self.alone:
            left_out += posterior.unexplored / posterior.normaliser
            columns = zip(*posterior.weights, strict=True)
            for chances, labels in zip(posterior.probabilities, columns, strict=True):
                if labels.count(EMPTY_LABEL) == len(labels):
                    kept *= chances[EMPTY_LABEL]
                    values.append(NOTHING)
                else:
                    values.append(chances)
        result = search(
            values,
            self.constraints,
            tolerance=DECODING.tolerance,
            min_mass=math.exp(-DECODING.second_box_penalty) * normaliser,
            limit=DECODING.max_labellings,
        )
        assemblies = {labels: kept * weight for labels, weight in result.kingdoms.items()}
        left_out = min(left_out, 1 - kept) * sum(assemblies.values())
        return SearchResult(assemblies, kept * result.unexplored + left_out)

    def _weigh_together(
        self, index: int, answer: bytes, clash: _Clash, result: SearchResult, normaliser: float
    ) -> Posterior:
        """Weigh one kingdom over all assemblies.

        The sum of three hypotheses: the assemblies of one box; every kingdom by itself, with the
        penalty of a second box; and what uses none of the box, being of another deck or no
        kingdom at all.
        """
        alone = self.alone[index]
        part = self.constraints.parts[index]
        total = alone.total_of
        rest = normaliser / alone.normaliser
        second_box = math.exp(-DECODING.second_box_penalty)
        # The first hypothesis: the assemblies of one box. `against` has another total.
        weights = {answer: 0.0}
        for assembly, weight in result.kingdoms.items():
            weights[assembly[part]] = weights.get(assembly[part], 0.0) + weight
        answer_total = total(answer)
        against = 0.0
        for labels, weight in weights.items():
            if total(labels) != answer_total:
                against += weight
        # The other two, from what was found of the kingdom by itself. `most_against` is what speaks
        # against the total there: the rest of the photo can lower it, and cannot raise it.
        most_against = alone.unexplored * rest
        for labels, weight in alone.weights.items():
            prior = 1.0 if labels in alone.doubts else second_box
            if labels not in alone.doubts and total(labels) != answer_total:
                most_against += weight * rest
            weights[labels] = weights.get(labels, 0.0) + prior * weight * rest
        unexplored = min(result.unexplored, max(0.0, most_against - against))
        unexplored += second_box * alone.unexplored * rest
        # An answer that the box changed or cannot hold may be that of a wrong grid.
        clashes = any(part.start <= place < part.stop for place in clash.places)
        outside = alone.outside * rest
        if clashes or answer != alone.answer:
            outside += math.exp(-DECODING.wrong_grid_penalty) * normaliser
        doubts, too_many = dict(alone.doubts), alone.too_many
        if clashes:
            doubts[answer], too_many = self._explain_clash(clash)
        ranked = dict(sorted(weights.items(), key=lambda pair: (pair[0] != answer, -pair[1])))
        return replace(
            alone,
            weights=ranked,
            unexplored=unexplored,
            unasked=alone.unasked * rest,
            outside=outside,
            doubts=doubts,
            too_many=too_many,
            whole=alone.whole * rest,
        )

    def _explain_clash(self, clash: _Clash) -> tuple[Doubt, tuple[tuple[int, Position], ...]]:
        """Return what the box does not hold as often as it lies there, and its squares."""
        doubt = Doubt(DoubtCode.TOO_MANY_DOMINOES)
        if clash.kind is not None:
            most = self.faces.squares[clash.kind]
            fields: dict[str, str | int] = {"kind": LABELS[clash.kind], "most": most}
            doubt = Doubt(DoubtCode.TOO_MANY_OF_KIND, fields=fields)
        places = []
        boxes = zip(self.numbers, self.constraints.parts, self.constraints.boards, strict=True)
        for number, part, board in boxes:
            for place in clash.places:
                if part.start <= place < part.stop:
                    places.append((number, divmod(place - part.start, board.width)))
        return doubt, tuple(places)


def _is_clear(posterior: Posterior) -> bool:
    """Return whether nearly all likely kingdoms have one total."""
    weight = posterior.weight_by_total()[posterior.answer_total]
    return weight >= DECODING.clear_probability * posterior.normaliser
