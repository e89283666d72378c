"""What is said of the dominoes of a kingdom, and how they are drawn."""

import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.decoding.cutting_posterior import cutting_posterior
from kdvision.reading import ReadDomino
from kdvision.report.overlay import draw_overlay
from kdvision.report.palette import BROKEN_COLOUR, rgb
from kdvision.report.text import domino_report
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.legality import BREAKS
from tests.support.results import read_kingdom

SQUARE = 60


def with_dominoes(line: str) -> KingdomResult:
    return replace(read_kingdom(line), dominoes=cutting_posterior(Kingdom.parse(line)).dominoes)


def report(*lines: str) -> str:
    return domino_report(PhotoResult("", Status.SURE, (), tuple(map(with_dominoes, lines))))


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (
            ["C W F"],
            "Dominoes: 1 of 1 is certain\n  b1, c1   W F    no. 13",
        ),
        (
            ["C W F W1 L"],
            "Dominoes: 2 of 2 are certain\n"
            "  b1, c1   W F    no. 13\n"
            "  d1, e1   W1 L   no. 20               touched nothing that fitted when laid",
        ),
        (
            ["C L L/- L L"],
            "Dominoes: 0 of 2 are certain\n"
            "  b1, c1   L L    no. 7, 8 or 9        50 %\n"
            "  b1, b2   L L    no. 7, 8 or 9        50 %\n"
            "  c1, c2   L L    no. 7, 8 or 9        50 %\n"
            "  b2, c2   L L    no. 7, 8 or 9        50 %",
        ),
        (["C F G2"], "Dominoes: 1 of 1 is certain\n  b1, c1   F G2   not in the deck"),
        (["C W"], "Dominoes: nothing can be said of them"),
        (
            ["C W M3", "C F G"],
            "Dominoes of kingdom A: 1 of 1 is certain\n  b1, c1   W M3   no. 48\n\n"
            "Dominoes of kingdom B: 1 of 1 is certain\n  b1, c1   F G    no. 18",
        ),
    ],
)
def test_what_is_said(lines: list[str], text: str) -> None:
    assert report(*lines) == text


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (BREAKS.named_from - 0.01, ""),
        (BREAKS.named_from, "perhaps touched"),
        (BREAKS.known_from, "touched nothing"),
    ],
)
def test_what_breaks_the_rule_is_said_where_it_is_likely(broken: float, said: str) -> None:
    domino = ReadDomino(((0, 1), (0, 2)), (13,), 1.0, broken)
    kingdom = replace(read_kingdom("C W F"), dominoes=(domino,))
    line = domino_report(PhotoResult("", Status.SURE, (), (kingdom,))).splitlines()[1]
    assert line.removeprefix("  b1, c1   W F    no. 13").strip()[: len(said) or None] == said


def frames(broken: float, probability: float, *, dominoes: bool) -> tuple[bool, bool]:
    """Whether a domino at b1, c1 has a mark on its seam, and whether any frame around it."""
    left, top, right, bottom = (float(side * SQUARE) for side in (1, 1, 4, 2))
    corners = (left, top), (right, top), (right, bottom), (left, bottom)
    bare = replace(read_kingdom("C W F", corners=corners), dominoes=())
    domino = ReadDomino(((0, 1), (0, 2)), (13,), probability, broken)
    before, after = (
        draw_overlay(
            np.full((3 * SQUARE, 5 * SQUARE, 3), 150, np.uint8),
            PhotoResult("", Status.SURE, (), (kingdom,)),
            1.0,
            dominoes=dominoes,
        )
        for kingdom in (bare, replace(bare, dominoes=(domino,)))
    )
    changed = np.abs(after.astype(int) - before).max(axis=2) > 12
    row, col = 3 * SQUARE // 2, 3 * SQUARE  # where both squares meet
    seam = np.s_[row - SQUARE // 8 : row + SQUARE // 8, col - SQUARE // 8 : col + SQUARE // 8]
    red = np.abs(after[seam].astype(int) - rgb(BROKEN_COLOUR)).max(axis=2).min() < 40
    changed[seam] = False
    return bool(red), bool(changed.any())


@pytest.mark.parametrize(
    ("broken", "probability", "dominoes", "expected"),
    [
        (0.0, 1.0, False, (False, False)),
        (BREAKS.named_from - 0.01, 1.0, False, (False, False)),
        (BREAKS.named_from, 1.0, False, (True, False)),
        (1.0, 1.0, False, (True, False)),
        (1.0, 1.0, True, (True, True)),
        (0.0, 1.0, True, (False, True)),
        (0.0, BREAKS.named_from, True, (False, True)),
        (0.0, BREAKS.named_from - 0.01, True, (False, False)),
    ],
)
def test_broken_dominoes_have_a_quiet_mark_and_frames_are_asked_for(
    broken: float, probability: float, dominoes: bool, expected: tuple[bool, bool]
) -> None:
    assert frames(broken, probability, dominoes=dominoes) == expected
