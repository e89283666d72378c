"""Decoding held against an oracle that tries everything: the whole posterior of small cases."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from kdvision.decoding.board import DECODING
from kdvision.decoding.calibration import CALIBRATION
from kdvision.decoding.decoder import decode
from kdvision.decoding.posterior import Decoded
from kdvision.reading import Doubt, DoubtCode, Place, Reading
from kdvision.rules.dominoes import Deck, standard_deck
from kdvision.rules.kingdom import parse_cell
from kdvision.rules.rules import Rules
from kdvision.rules.scoring import score
from kdvision.rules.terrain import LABELS
from tests.decoding.oracle import Answer, expected, likeliest_of
from tests.support.played import change_cell
from tests.support.settings import changed

#: Every pair of wheat, forest and lake once, four dominoes with a crown, and a mine.
DECK = Deck(
    tuple(
        domino
        for domino in standard_deck().dominoes
        if domino.number in (1, 3, 7, 13, 14, 17, 19, 20, 24, 28, 48)
    )
)
KINDS = ("W", "F", "L", "W1", "F1", "M3")


@pytest.fixture(autouse=True)
def _exact() -> Iterator[None]:
    """The reading is taken at its word, and every kingdom is tried."""
    with changed(CALIBRATION, floor=0.0), changed(DECODING, tolerance=0.0, max_labellings=10**6):
        yield


def random_place(rng: Random) -> Place:
    """A place that shows one of up to three things, one of them clearly or hardly more likely."""
    texts = rng.sample([*KINDS, "-"], rng.choice((1, 2, 2, 3)))
    if rng.random() < 0.05:
        texts[0] = "C"
    weights = [rng.choice((3000.0, 30.0, 1.0, 1.0)) * rng.uniform(0.05, 1) for _ in texts]
    shares = dict(zip(texts, weights, strict=True))
    return Place(tuple(shares.get(label, 0.0) / sum(weights) for label in LABELS))


def random_reading(rng: Random, height: int, width: int) -> Reading:
    """A castle and few more places, of which one may be hidden, with doubts about the photo."""
    places = [random_place(rng) for _ in range(height * width)]
    castle, hidden = rng.sample(range(height * width), 2)
    places[castle] = Place(tuple(float(label == "C") for label in LABELS))
    if rng.random() < 0.2:
        places[hidden] = replace(places[hidden], hidden=rng.choice((0.3, 0.7)))
    rows = tuple(tuple(places[at : at + width]) for at in range(0, len(places), width))
    doubts = (Doubt(DoubtCode.NOT_JOINED), Doubt(DoubtCode.DARK, 0.8))[: rng.randrange(3)]
    return Reading(rows, doubts)


def check(decoded: Decoded, answer: Answer, rules: Rules) -> None:
    """Hold what was decoded against what must be reported."""
    assert str(decoded.kingdom) == answer.line
    assert str(decoded.seen) == answer.seen
    assert decoded.probability == pytest.approx(answer.probability)
    chances = {total.score: total.probability for total in decoded.alternatives}
    assert chances == pytest.approx(answer.alternatives)
    # The squares of a further total are those of its likeliest kingdom.
    for alternative in decoded.alternatives:
        kingdom = decoded.kingdom
        for at, text in alternative.squares:
            kingdom = change_cell(kingdom, at, parse_cell(text))
        likeliest = likeliest_of(answer.weights, alternative.score, rules)
        assert score(kingdom, rules).total == alternative.score
        assert answer.weights[kingdom] == pytest.approx(answer.weights[likeliest])
    values = enumerate(decoded.certainty)
    certainty = {(row, col): value for row, line in values for col, value in enumerate(line)}
    assert certainty == pytest.approx(answer.certainty)
    codes = [doubt.code.value for doubt in decoded.doubts]
    # The oracle has one code, "too-many", for too many squares and for too many dominoes.
    assert [code[:8] for code in codes] == ([answer.code[:8]] if answer.code else [])
    assert bool(decoded.posterior.too_many) == (answer.code == "too-many")


@pytest.mark.parametrize("part", range(3))
def test_one_kingdom(part: int) -> None:
    rng = Random(part)
    for _ in range(30):
        reading = random_reading(rng, *rng.choice(((1, 4), (2, 2), (1, 5), (1, 6))))
        rules = Rules(rng.choice((None, 5, 7)), middle_kingdom=rng.random() < 0.3)
        (answer,) = expected([reading], rules, DECK)
        (decoded,) = decode([reading], rules, deck=DECK)
        check(decoded, answer, rules)


@pytest.mark.parametrize("part", range(4))
def test_kingdoms_of_one_box(part: int) -> None:
    rng, rules = Random(part), Rules()
    for _ in range(40):
        readings = [random_reading(rng, 1, rng.choice((3, 3, 5))) for _ in range(2)]
        if rng.random() < 0.2:
            readings.append(random_reading(rng, 1, 3))
        answers = expected(readings, rules, DECK)
        decoded = decode(readings, rules, deck=DECK)
        for pair in zip(decoded, answers, strict=True):
            check(*pair, rules)


@pytest.mark.parametrize("limit", [1, 2, 4, 8])
def test_unsearched_share_counts_against_totals(limit: int) -> None:
    rng, rules = Random(limit), Rules()
    for _ in range(60):
        readings = [random_reading(rng, 1, 4) for _ in range(rng.choice((1, 2, 2)))]
        answers = expected(readings, rules, DECK)
        with changed(DECODING, max_labellings=limit):
            decoded = decode(readings, rules, deck=DECK)
        for kingdom, answer in zip(decoded, answers, strict=True):
            if str(kingdom.kingdom) == answer.line:
                assert kingdom.probability <= answer.probability + 1e-9
