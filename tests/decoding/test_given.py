"""Squares that a person gives: what was enumerated is filtered, and seldom searched anew."""

from random import Random

import pytest

from kdvision.decoding.board import DECODING
from kdvision.decoding.decoder import decode, explore, share_box
from kdvision.decoding.posterior import Decoded, Posterior
from kdvision.reading import Reading
from kdvision.rules.kingdom import Kingdom, Position, cell_text
from tests.support.readings import at, noisy_reading, place_of, random_kingdom, reading_of

UNSURE = {"L1": 0.9, "L": 0.0999}


def answer(posterior: Posterior) -> Decoded:
    (decoded,) = share_box([posterior])
    return decoded


def doubted(seed: int, blurred: float = 0.2) -> tuple[Reading, Kingdom, Position]:
    """A noisy reading, what lies there in truth, and the place that decoding is least sure of."""
    rng = Random(seed)
    truth = random_kingdom(rng, 5, 2)
    reading = noisy_reading(rng, truth, blurred)
    (decoded,) = decode([reading])
    places = [place for place, _ in truth.cells()]
    return reading, truth, min(places, key=lambda place: decoded.certainty[place[0]][place[1]])


def test_given_square_filters_the_kingdoms() -> None:
    posterior = explore(reading_of("C W F L1 W", {"d1": UNSURE}))
    assert answer(posterior).probability == pytest.approx(0.9, abs=0.01)
    for text, total in ("L1", 1), ("L", 0):
        found = answer(posterior.given({at("d1"): text}))
        assert (found.posterior.answer_total, found.probability > 0.99) == (total, True)
        assert (found.certainty[0][3], found.alternatives) == (1.0, ())


def test_unsearched_share_is_reported() -> None:
    """A mine is nothing that was looked at on d1: no kingdom that was searched has it."""
    posterior = explore(reading_of("C W F L1 W", {"d1": UNSURE}))
    assert posterior.unexplored_share < 0.01
    missing = posterior.given({at("d1"): "M3"})
    assert (missing.weights, missing.unexplored_share) == ({}, 1.0)


def test_given_one_by_one_or_together() -> None:
    reading = reading_of("C W F L1 W/L1 F F F -", {"d1": UNSURE, "a2": UNSURE})
    squares = {at("d1"): "L1", at("a2"): "L"}
    posterior = explore(reading)
    step_by_step = posterior
    for place, text in squares.items():
        step_by_step = step_by_step.given({place: text})
    assert step_by_step.weights == pytest.approx(posterior.given(squares).weights)


def test_filtering_agrees_with_searching_anew() -> None:
    """The same kingdom, and as sure but for what was not looked at; few are searched anew."""
    filtered_ones = 0
    for seed in range(40):
        reading, truth, place = doubted(seed)
        given = {place: cell_text(truth[place])}
        filtered = explore(reading).given(given)
        left = filtered.unexplored_share
        if left > DECODING.unexplored_warning:
            continue
        filtered_ones += 1
        kept, anew = answer(filtered), answer(explore(reading, given=given))
        assert kept.kingdom == anew.kingdom, seed
        assert kept.probability == pytest.approx(anew.probability, abs=0.01 + left), seed
    assert filtered_ones >= 30


def test_given_square_changes_another_kingdom() -> None:
    """The one mine with three crowns lies in the first: the second has none."""
    either = {"c1": {"M3": 0.5, "M2": 0.49}}
    first = explore(reading_of("C W M2 F F", either))
    second = explore(reading_of("C W M2 L L", either))
    _, told = share_box([first.given({at("c1"): "M3"}), second])
    assert str(told.kingdom) == "C W M2 L L"
    assert told.probability > 0.98


def test_contradicting_square_leaves_much_unsearched() -> None:
    """No kingdom of the box has a single wheat beside a full row: other decks were not asked."""
    reading = Reading((tuple(place_of({text: 0.9999}) for text in ("C", "W", "F", "L1", "W")),))
    assert explore(reading).given({at("b1"): "M3"}).unexplored_share > 0.05
