"""The posterior of kingdoms by trying everything: what decoding must say of small cases.

Of `kdvision.decoding` only the calibrated probabilities are used: kingdoms are listed one by one,
cut without any cleverness, and weighed by the penalties as they are documented.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from kdvision.decoding.calibration import calibrate
from kdvision.reading import KEPT_OF_TOTAL, Reading
from kdvision.rules.dominoes import Deck
from kdvision.rules.kingdom import Kingdom, Position, cell_text, parse_cell
from kdvision.rules.rules import Rules
from kdvision.rules.scoring import score
from kdvision.rules.terrain import LABELS
from tests.support.boards import can_be_cut, can_be_paired

#: Penalties as ratios.
WRONG_GRID = math.exp(-7)
SECOND_BOX = math.exp(-8)
NO_KINGDOM = math.exp(-16)


class Answer(NamedTuple):
    """What must be reported of one kingdom; alternatives are probabilities by total."""

    line: str
    seen: str
    probability: float
    alternatives: dict[int, float]
    certainty: dict[Position, float]
    code: str | None
    weights: dict[Kingdom, float]


class Weighed(NamedTuple):
    """All kingdoms of a reading with their weights, and what is wrong with some of them."""

    weights: dict[Kingdom, float]
    codes: dict[Kingdom, str]
    outside: float
    answer: Kingdom
    of_deck: dict[Kingdom, float]

    @property
    def whole(self) -> float:
        return sum(self.weights.values()) + self.outside

    def totals(self, rules: Rules) -> dict[int, float]:
        totals: dict[int, float] = {}
        for kingdom, weight in self.weights.items():
            total = total_of(kingdom, rules)
            totals[total] = totals.get(total, 0.0) + weight
        return totals


@cache
def total_of(kingdom: Kingdom, rules: Rules) -> int:
    return score(kingdom, rules).total


def expected(readings: Sequence[Reading], rules: Rules, deck: Deck) -> list[Answer]:
    """What must be reported of the kingdoms of one photo."""
    posteriors = [weighed(reading, rules, deck) for reading in readings]
    sharing = [at for at, alone in enumerate(posteriors) if alone.answer not in alone.codes]
    if len(sharing) > 1:
        joint = given_each_other([posteriors[at] for at in sharing], rules, deck)
        for at, posterior in zip(sharing, joint, strict=True):
            posteriors[at] = posterior
    by_total = [by_likeliest_total(posterior, rules) for posterior in posteriors]
    if len(sharing) < 2 or clash([by_total[at].answer for at in sharing], deck) is None:
        posteriors = by_total
    pairs = zip(posteriors, readings, strict=True)
    return [answer_of(posterior, reading, rules) for posterior, reading in pairs]


# ---------------------------------------------------------------------- one kingdom


def weighed(reading: Reading, rules: Rules, deck: Deck) -> Weighed:
    """Kingdoms of the deck; where what is seen is none, of any dominoes, and anything as well."""
    # Every choice of a label for each place, with its probability.
    values, labels = calibrate(reading, {})
    width = reading.width
    seen = kingdom_of([LABELS[label] for label in labels], width)
    choices = []
    for place in values:
        choices.append([(LABELS[label], value) for label, value in enumerate(place) if value])
    chances = {}
    for picked in product(*choices):
        texts, probabilities = zip(*picked, strict=True)
        chances[kingdom_of(texts, width)] = math.prod(probabilities)
    # Three kinds of kingdom, each less likely before anything was seen than the one above.
    boxed = [kingdom for kingdom in chances if fits_box(kingdom, rules.size or 7)]
    of_deck = [kingdom for kingdom in boxed if can_be_cut(kingdom, deck.face_counts)]
    hypotheses = (
        (1.0, "", of_deck),
        (
            math.exp(-6 - 0.1 * len(seen.squares())),
            "other-deck",
            list(filter(can_be_paired, boxed)),
        ),
        (NO_KINGDOM, "no-box", list(chances)),
    )
    visible = {
        (row, col)
        for row, places in enumerate(reading.places)
        for col, place in enumerate(places)
        if place.hidden < 0.5
    }
    # Kinds are added until one agrees with all places that are mostly visible.
    weights: dict[Kingdom, float] = {}
    codes: dict[Kingdom, str] = {}
    for prior, code, kingdoms in hypotheses:
        for kingdom in kingdoms:
            if code and kingdom not in weights:
                codes[kingdom] = code
            weights[kingdom] = weights.get(kingdom, 0.0) + prior * chances[kingdom]
        alike = [kingdom for kingdom in weights if agree(kingdom, seen, visible)]
        if alike:
            break
    is_clean = bool(alike) and max(alike, key=weights.__getitem__) not in codes
    likeliest = max(weights, key=weights.__getitem__)
    outside = 0.0 if is_clean else WRONG_GRID
    chances_of_deck = {kingdom: chances[kingdom] for kingdom in of_deck}
    return Weighed(weights, codes, outside, likeliest, chances_of_deck)


def agree(one: Kingdom, other: Kingdom, places: Iterable[Position]) -> bool:
    return all(one[at] == other[at] for at in places)


def kingdom_of(texts: Sequence[str], width: int) -> Kingdom:
    cells = [parse_cell(text) for text in texts]
    return Kingdom(tuple(tuple(cells[at : at + width]) for at in range(0, len(cells), width)))


def fits_box(kingdom: Kingdom, side: int) -> bool:
    box = kingdom.box()
    if box is None or len(kingdom.castles()) != 1:
        return False
    return max(box[2] - box[0], box[3] - box[1]) < side


# ---------------------------------------------------------------------- kingdoms of one box


def given_each_other(alone: Sequence[Weighed], rules: Rules, deck: Deck) -> list[Weighed]:
    """The posteriors over what one box holds, a second box, and what uses no box."""
    answers = [posterior.answer for posterior in alone]
    # Kingdoms that are clear, and fit the box together, tell nothing of each other.
    clashes = clash(answers, deck)
    if clashes is None and all(is_clear(posterior, rules) for posterior in alone):
        return list(alone)
    # All ways to lay the kingdoms from one box.
    assemblies = {}
    for pairs in product(*(each.of_deck.items() for each in alone)):
        kingdoms = tuple(kingdom for kingdom, _ in pairs)
        if clash(kingdoms, deck) is None:
            assemblies[kingdoms] = math.prod(chance for _, chance in pairs)
    # Where the answers clash, the best of these replaces them unless a second box is likelier.
    if clashes is not None and assemblies:
        best = max(assemblies, key=assemblies.__getitem__)
        apart = math.prod(each.weights[each.answer] for each in alone)
        if assemblies[best] >= SECOND_BOX * apart:
            answers, clashes = list(best), None
    # What each kingdom weighs with the others: of another box, and of the shared one.
    whole = math.prod(each.whole for each in alone)
    joint = []
    for index, (each, answer) in enumerate(zip(alone, answers, strict=True)):
        rest = whole / each.whole
        weights = {
            kingdom: weight * rest * (1.0 if kingdom in each.codes else SECOND_BOX)
            for kingdom, weight in each.weights.items()
        }
        for kingdoms, weight in assemblies.items():
            weights[kingdoms[index]] += weight
        outside, codes = each.outside * rest, dict(each.codes)
        if clashes is not None and index in clashes:
            codes[answer] = "too-many"
        if answer != each.answer or answer in codes:
            outside += WRONG_GRID * whole
        joint.append(Weighed(weights, codes, outside, answer, each.of_deck))
    return joint


def clash(kingdoms: Sequence[Kingdom], deck: Deck) -> set[int] | None:
    """The kingdoms that have what the deck cannot hold of all; None where it can."""
    width = max(kingdom.width for kingdom in kingdoms)
    rows: list[tuple[object, ...]] = []
    for kingdom in kingdoms:
        rows += [(*row, *[None] * (width - kingdom.width)) for row in kingdom.rows]
        rows.append((None,) * width)
    if can_be_cut(Kingdom(tuple(rows)), deck.face_counts):  # type: ignore[arg-type]
        return None
    for kind, most in deck.square_counts.items():
        having = [[*kingdom.squares().values()].count(kind) for kingdom in kingdoms]
        if sum(having) > most:
            return {index for index, count in enumerate(having) if count}
    return set(range(len(kingdoms)))


def is_clear(posterior: Weighed, rules: Rules) -> bool:
    total = total_of(posterior.answer, rules)
    return posterior.totals(rules)[total] >= 0.99 * posterior.whole


# ---------------------------------------------------------------------- the answer


def by_likeliest_total(posterior: Weighed, rules: Rules) -> Weighed:
    """The likeliest kingdom of the likeliest total, unless the box could not hold the answer."""
    if posterior.codes.get(posterior.answer) == "too-many":
        return posterior
    totals = posterior.totals(rules)
    best = max(totals, key=totals.__getitem__)
    if totals[best] <= totals[total_of(posterior.answer, rules)]:
        return posterior
    return posterior._replace(answer=likeliest_of(posterior.weights, best, rules))


def likeliest_of(weights: Mapping[Kingdom, float], total: int, rules: Rules) -> Kingdom:
    having = [kingdom for kingdom in weights if total_of(kingdom, rules) == total]
    return max(having, key=weights.__getitem__)


def answer_of(posterior: Weighed, reading: Reading, rules: Rules) -> Answer:
    """What is reported: of totals less likely than the answer's the four likeliest."""
    answer, weights, whole = posterior.answer, posterior.weights, posterior.whole
    # Doubts about the photo lower every probability.
    factor = math.prod(KEPT_OF_TOTAL.get(doubt.code, 1.0) for doubt in reading.doubts)
    totals = posterior.totals(rules)
    total = total_of(answer, rules)
    hidden = [place.hidden >= 0.5 for places in reading.places for place in places]
    most, least = (30, 1e-4) if any(hidden) else (4, 0.002)
    ranked = sorted(totals, key=totals.__getitem__, reverse=True)
    less = [rest for rest in ranked if rest != total and totals[rest] <= totals[total]][:most]
    chances = {rest: factor * totals[rest] / whole for rest in less}
    # Of every place, how likely what was answered lies there.
    certainty = {}
    for at, cell in answer.cells():
        agreeing = sum(weight for kingdom, weight in weights.items() if kingdom[at] == cell)
        certainty[at] = agreeing / sum(weights.values())
    # What the photo shows: the likeliest label, and behind things what was answered.
    labels = calibrate(reading, {})[1]
    looks = zip(labels, hidden, answer.cells(), strict=True)
    texts = [
        cell_text(cell) if is_hidden else LABELS[label] for label, is_hidden, (_, cell) in looks
    ]
    return Answer(
        str(answer),
        str(kingdom_of(texts, reading.width)),
        factor * totals[total] / whole,
        {rest: chance for rest, chance in chances.items() if chance >= least},
        certainty,
        posterior.codes.get(answer),
        weights,
    )
