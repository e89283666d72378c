"""From the posterior to the answer: the likeliest total first, unless the table forbids it."""

import pytest

from kdvision.decoding.board import ScoreCache, board_of
from kdvision.decoding.posterior import KingdomWeights, ReadingPosterior, likeliest_total_first
from kdvision.options import GameOptions
from kdvision.reading import Doubt, DoubtCode
from kdvision.rules.terrain import LABELS

BOARD = board_of(1, 3)


def labels(line: str) -> bytes:
    return bytes(LABELS.index(cell) for cell in line.split())


def posterior(doubt: Doubt | None) -> ReadingPosterior:
    """One kingdom of 4 points that is the likeliest, and two of 2 points that are together more."""
    first = labels("C M2 M")
    weights = {first: 0.4, labels("C M1 M"): 0.35, labels("C G1 G"): 0.25}
    kingdoms = KingdomWeights(weights, 0.0, 0.0, {first: doubt} if doubt else {})
    table = [[1 / len(LABELS)] * len(LABELS)] * 3
    return ReadingPosterior(
        kingdoms, first, table, BOARD, ScoreCache(BOARD, GameOptions()), (), 1.0
    )


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        (None, "C M1 M"),
        (DoubtCode.OTHER_DECK, "C M1 M"),
        (DoubtCode.TOO_MANY_OF_KIND, "C M2 M"),
        (DoubtCode.TOO_MANY_DOMINOES, "C M2 M"),
    ],
)
def test_the_answer_has_the_likeliest_total_unless_the_box_cannot_hold_the_table(
    code: DoubtCode | None, answer: str
) -> None:
    """What stands as it was read because the table has too many of something stays as it is."""
    found = likeliest_total_first(posterior(Doubt(code) if code else None))
    assert found.kingdoms.answer == labels(answer)
