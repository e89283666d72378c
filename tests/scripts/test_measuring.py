"""The counting of the evaluation, on results made by hand; damage grows with its strength."""

import numpy as np
import pytest

from kdvision.rules.kingdom import Kingdom
from scripts.measuring import calibrate
from scripts.measuring.evaluation.cases import TrueKingdom
from scripts.measuring.evaluation.mistakes import compare
from scripts.measuring.evaluation.scoring import Scored, Verdict

KINGDOM = TrueKingdom("C W W")
CUT = TrueKingdom("C W W", cut=True)


@pytest.mark.parametrize(
    ("verdict", "silent"),
    [
        (Verdict(KINGDOM, right=True, sure=True), False),
        (Verdict(KINGDOM, right=False, sure=True), True),
        (Verdict(KINGDOM, right=False, sure=False), False),
        (Verdict(CUT, right=True, sure=True), True),
        (Verdict(CUT, right=True, sure=False), False),
        (Verdict(None, "C F F", sure=True), True),
        (Verdict(None, "C F F", sure=False), False),
    ],
)
def test_silent_is_what_was_sure_and_should_not_have_been(verdict, silent):
    assert verdict.silent is silent


@pytest.mark.parametrize("trust", [0.5, 2.0])
def test_the_temperature_that_was_put_in_is_found_again(trust):
    """Labels drawn from the very probabilities of the logits; then the logits are scaled."""
    rng = np.random.default_rng(3)
    logits = rng.normal(0, 2, (4000, 18))
    powers = np.exp(logits)
    shares = powers / powers.sum(axis=1, keepdims=True)
    labels = np.array([rng.choice(18, p=share) for share in shares])
    turns = np.stack([logits * trust] * 4)
    temperature = calibrate.fit_temperature(
        lambda value: calibrate.negative_log_likelihood(turns, labels, value)
    )
    assert temperature == pytest.approx(trust, rel=0.1)


@pytest.mark.parametrize(
    ("line", "hidden", "mistakes"),
    [
        ("C W W1", frozenset(), 0),
        ("C W W", frozenset(), 1),
        ("C W W", frozenset({(0, 2)}), 0),
        ("C W", frozenset({(0, 2)}), 0),
        ("C W W1/- - F", frozenset({(1, 2)}), 0),
        ("C F W", frozenset({(0, 2)}), 1),
    ],
)
def test_hidden_places_do_not_count(line, hidden, mistakes):
    assert compare(Kingdom.parse(line), Kingdom.parse("C W W1"), hidden).total() == mistakes


MISSED = Verdict(KINGDOM)
TOLD = Verdict(KINGDOM, "C W W", right=True, sure=True)
MISSED_AT_THE_BORDER = Verdict(CUT)


@pytest.mark.parametrize(
    ("status", "verdicts", "left_out"),
    [
        ("sure", (TOLD, MISSED), True),
        ("doubtful", (TOLD, MISSED), False),
        ("sure", (TOLD, TOLD), False),
        ("sure", (TOLD, MISSED_AT_THE_BORDER), False),
    ],
)
def test_a_sure_photo_leaves_no_kingdom_out(status, verdicts, left_out):
    assert Scored("photo", {}, status, "", verdicts).left_out is left_out
