"""Dominoes as they lie in the photo: seams are looked at where the deck leaves a choice."""

import pytest

from kdvision.decoding.cutting_posterior import (
    cutting_posterior,
    judge_dominoes,
    keep_domino_problems,
)
from kdvision.reading import ReadDomino, Seams
from kdvision.rules.kingdom import Kingdom, Position, position_names
from kdvision.rules.legality import Code, Names, Problem, keeps_rules, problems

#: Two cuttings of the left part: upright, which is legal, and across, where a1, b1 fits nothing.
EITHER = Kingdom.parse("M1 W G/W F1 F1/C F F")
ACROSS = [((0, 0), (0, 1)), ((1, 0), (1, 1))]
UPRIGHT = [((0, 0), (1, 0)), ((0, 1), (1, 1))]


def seams(across: float) -> Seams:
    return dict.fromkeys(ACROSS, across) | dict.fromkeys(UPRIGHT, -across)


def judged(
    kingdom: Kingdom, shown: Seams, origin: Position = (0, 0)
) -> tuple[tuple[ReadDomino, ...], tuple[Problem, ...]]:
    """The dominoes of a kingdom and what it breaks, with what a photo shows of its seams."""
    dominoes = cutting_posterior(kingdom, shown)
    broken = problems(kingdom, 5, origin=origin)
    return dominoes.dominoes, judge_dominoes(kingdom, broken, dominoes, Names(origin))


@pytest.mark.parametrize(
    ("across", "codes", "legal"),
    [
        (-2.0, [], True),
        (0.0, [], True),
        # From 1 to 20 on it may be.
        (0.35, [], True),
        (0.5, [Code.ORDER_OPEN], None),
        # Four seams of 1.9 against a break, which is one in a hundred: 20 to 1 that it is broken.
        (1.0, [Code.ORDER_OPEN], None),
        (1.8, [Code.ORDER_OPEN], None),
        (1.95, [Code.BROKEN_DOMINO], False),
        (5.0, [Code.BROKEN_DOMINO], False),
    ],
)
def test_seams_decide_legality(across: float, codes: list[Code], legal: bool | None) -> None:
    _, broken = judged(EITHER, seams(across))
    assert ([one.code for one in broken], keeps_rules(broken)) == (codes, legal)


def test_misplaced_domino_is_named() -> None:
    dominoes, broken = judged(EITHER, seams(5.0), (1, 1))
    assert [(one.code, one.fields["dominoes"]) for one in broken] == [
        (Code.BROKEN_DOMINO, "b2-c2 (M1 W)")
    ]
    assert broken[0].cells == ((0, 0), (0, 1))
    by_cells = {position_names(domino.cells): domino for domino in dominoes}
    assert by_cells["a1, b1"].broken > 0.99
    assert by_cells["a1, a2"].probability < 0.01


def test_undecided_squares_are_named() -> None:
    _, broken = judged(EITHER, seams(1.2))
    assert [one.fields for one in broken] == [{"squares": "a1, b1, a2, b2"}]


def test_seams_name_the_domino_that_breaks() -> None:
    kingdom = Kingdom.parse("C W F - -/- F1 L W1 F")
    shown = {((0, 1), (0, 2)): 4.0, ((1, 1), (1, 2)): 4.0}
    _, broken = judged(kingdom, shown)
    assert [one.code for one in broken] == [Code.NO_ORDER]
    assert broken[0].cells == ((1, 1), (1, 2), (1, 3), (1, 4))


def test_other_problems_stay() -> None:
    _, broken = judged(Kingdom.parse("C W F W1 F F F/L L - - - - -"), {})
    assert [one.code for one in broken] == [Code.TOO_WIDE, Code.NO_ORDER]


def test_rescoring_keeps_the_seams() -> None:
    _, before = judged(EITHER, seams(5.0))
    wide = problems(Kingdom.parse("C W W L L F F"), 5)
    assert keep_domino_problems(wide, before) == (
        *(one for one in wide if one.code is not Code.NO_ORDER),
        *before,
    )
    assert keep_domino_problems(problems(Kingdom.parse("C W F W1 L"), 5), ()) == ()
