"""The counting of the evaluation, on results made by hand."""

import pytest

from kdvision.rules.kingdom import Kingdom
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
def test_silent_errors_are_sure_and_wrong(verdict, silent):
    assert verdict.silent is silent


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
def test_sure_photo_leaves_no_kingdom_out(status, verdicts, left_out):
    assert Scored("photo", {}, status, "", verdicts).left_out is left_out
