"""Dominoes as they lie in the photo: seams are looked at where the deck leaves a choice."""

from collections.abc import Sequence

import pytest

from kdvision.pipeline.laid import dominoes_as_laid, kept_as_laid
from kdvision.reading import Seams
from kdvision.rules.cuttings.pairs import Pair
from kdvision.rules.kingdom import Kingdom, position_names
from kdvision.rules.legality import problems
from kdvision.rules.problem import Code, verdict

#: Two cuttings of the left part: upright, which is legal, and across, where a1, b1 fits nothing.
EITHER = Kingdom.parse("M1 W G/W F1 F1/C F F")
ACROSS = [((0, 0), (0, 1)), ((1, 0), (1, 1))]
UPRIGHT = [((0, 0), (1, 0)), ((0, 1), (1, 1))]


def seams(across: float) -> Seams:
    return dict.fromkeys(ACROSS, across) | dict.fromkeys(UPRIGHT, -across)


def judged(kingdom: Kingdom, shown: Seams | None) -> tuple[list[Pair], list[Code], bool | None]:
    """The pairs that were looked at, the codes of the problems, and whether it is legal."""
    asked: list[Pair] = []

    def read(pairs: Sequence[Pair]) -> Seams:
        asked.extend(pairs)
        return shown or {}

    found = problems(kingdom, 5)
    _, after = dominoes_as_laid(kingdom, found, (0, 0), None if shown is None else read)
    return asked, [Code(one.code) for one in after], verdict(after)


@pytest.mark.parametrize(
    ("across", "codes", "legal"),
    [
        (-2.0, [], True),
        (0.0, [], True),
        # Four seams of 1.9 against a break, which is one in a hundred: 20 to 1 that it is broken.
        (1.0, [Code.ORDER_OPEN], None),
        (1.8, [Code.ORDER_OPEN], None),
        (1.95, [Code.BROKEN_DOMINO], False),
        (5.0, [Code.BROKEN_DOMINO], False),
    ],
)
def test_legality_is_judged_by_the_dominoes_as_they_lie(
    across: float, codes: list[Code], legal: bool | None
) -> None:
    asked, found, verdict_ = judged(EITHER, seams(across))
    assert (found, verdict_) == (codes, legal)
    assert set(asked) == {*ACROSS, *UPRIGHT}


def test_the_domino_that_lies_wrong_is_named() -> None:
    found, broken = dominoes_as_laid(EITHER, (), (1, 1), lambda pairs: seams(5.0))
    assert [one.message for one in broken] == [
        "The domino at b2, c2 (mine, wheat) touches nothing that fits."
    ]
    assert broken[0].cells == ((0, 0), (0, 1))
    by_cells = {position_names(one.cells): one for one in found}
    assert by_cells["a1, b1"].broken > 0.99
    assert by_cells["a1, a2"].probability < 0.01


def test_what_cannot_be_decided_names_the_squares() -> None:
    _, found = dominoes_as_laid(EITHER, (), (0, 0), lambda pairs: seams(1.2))
    assert [one.message for one in found] == [
        "Whether every domino fits where it lies cannot be told: it depends on which of "
        "a1, b1, a2, b2 are one domino."
    ]


def test_without_seams_the_deck_alone_judges() -> None:
    assert judged(EITHER, None) == ([], [], True)
    assert judged(EITHER, {})[1:] == ([], True)


def test_where_the_deck_leaves_one_cutting_the_photo_is_not_looked_at() -> None:
    assert judged(Kingdom.parse("C W F W1 L"), seams(5.0)) == ([], [Code.NO_ORDER], False)


def test_seams_tell_which_domino_breaks_the_rule_where_all_cuttings_do() -> None:
    kingdom = Kingdom.parse("C W F - -/- F1 L W1 F")
    shown = {((0, 1), (0, 2)): 4.0, ((1, 1), (1, 2)): 4.0}
    _, found = dominoes_as_laid(kingdom, problems(kingdom, 5), (0, 0), lambda pairs: shown)
    assert [one.code for one in found] == [Code.NO_ORDER]
    assert found[0].cells == ((1, 1), (1, 2), (1, 3), (1, 4))


def test_what_the_photo_said_is_kept_when_it_is_scored_again() -> None:
    _, before = dominoes_as_laid(EITHER, (), (0, 0), lambda pairs: seams(5.0))
    wide = problems(Kingdom.parse("C W W L L F F"), 5)
    assert kept_as_laid(wide, before) == (
        *(one for one in wide if one.code is not Code.NO_ORDER),
        *before,
    )
    assert kept_as_laid(problems(Kingdom.parse("C W F W1 L"), 5), ()) == ()
