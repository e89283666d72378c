"""Quick totals are the totals of the rules."""

from random import Random

import pytest

from kdvision.decoding.board import board_of
from kdvision.decoding.score_cache import ScoreCache, kingdom_of
from kdvision.options import GameOptions
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import score
from kdvision.rules.terrain import LABELS
from tests.support.boards import labels_of
from tests.support.readings import random_kingdom


@pytest.mark.parametrize("side", [3, 5, 7])
@pytest.mark.parametrize(("harmony", "middle"), [(False, False), (True, False), (True, True)])
def test_totals_are_those_of_the_score_sheet(side: int, harmony: bool, middle: bool) -> None:
    rng = Random(side)
    scores = ScoreCache(board_of(side, side), GameOptions(harmony=harmony, middle_kingdom=middle))
    for _ in range(40):
        labels = bytearray(labels_of(random_kingdom(rng, side, gaps=rng.randrange(2))))
        if rng.random() < 0.5:
            labels[rng.randrange(len(labels))] = rng.randrange(len(LABELS))
        kingdom = kingdom_of(labels, board_of(side, side))
        expected = score(kingdom, harmony=harmony, middle_kingdom=middle).total
        assert scores.total(bytes(labels)) == expected


def test_labels_become_the_kingdom_again() -> None:
    kingdom = Kingdom.parse("C W1 G G G/W W G2 - -/S L1 L F -/S L L L1 -/M2 - - - -")
    assert kingdom_of(labels_of(kingdom), board_of(5, 5)) == kingdom
    assert kingdom_of(b"", board_of(0, 0)) == Kingdom(())


def test_the_size_decides_about_harmony() -> None:
    full = Kingdom.parse("W W W/W C W/W W W")
    five = random_kingdom(Random(1), 5)
    for size, pays in ((5, 5), (7, 0), (None, 5)):
        plain = score(five, size).total
        scores = ScoreCache(board_of(5, 5), GameOptions(size, harmony=True))
        assert scores.total(labels_of(five)) == plain + pays
    both = ScoreCache(board_of(3, 3), GameOptions(5, harmony=True, middle_kingdom=True))
    assert both.total(labels_of(full)) == 10
