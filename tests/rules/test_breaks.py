"""Which dominoes break the joining rule (RULES 5.1), as the cuttings of a kingdom tell."""

from random import Random

import pytest

from kdvision.rules.cover import cut_squares, cuttings, listed_cuttings
from kdvision.rules.kingdom import Kingdom, Pair, position_names
from kdvision.rules.legality import (
    BREAKS,
    Breaks,
    Code,
    breaks_of,
    order_problem,
)
from kdvision.sentences import languages, text_of
from tests.support.cuttings import lays
from tests.support.played import packed


def judged(kingdom: Kingdom) -> Breaks:
    """By the deck alone."""
    squares, _ = cut_squares(kingdom)
    listed = listed_cuttings(squares) or ()
    return breaks_of(squares, ((pairs, squares.ways(pairs)) for pairs in listed))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("C W F", {}),
        # Wheat beside forest fits nothing; forest does.
        ("C W F W1 L", {"d1, e1": 1}),
        ("C W F F1 W", {}),
        # The forest below was laid by the rules once the wheat lay: only that broke one.
        ("C W F W1 L/- - - - L/- - - - F", {"d1, e1": 1}),
        ("- - W F/L C - -/W1 - - -", {"c1, d1": 1}),
        # Two cuttings of b1 to c2, one of them four times as likely by the deck; both break it.
        ("C W F - -/- F1 L W1 F", {"d2, e2": 1, "c1, c2": 0.8, "b2, c2": 0.2}),
    ],
)
def test_rule_5_1_the_domino_that_touches_nothing_that_fits(
    line: str, expected: dict[str, float]
) -> None:
    found = judged(Kingdom.parse(line))
    assert {position_names(pair): round(chance, 3) for pair, chance in found.dominoes} == expected
    assert found.probability == (1 if expected else 0)


@pytest.mark.parametrize("seed", range(60))
def test_rule_6_dominoes_apart_are_those_that_cannot_be_laid(seed: int) -> None:
    rng = Random(seed)
    kingdom = packed(5, rng.choice([(2, 2), (0, 0), (1, 1), (0, 2)]), rng)
    squares, _ = cut_squares(kingdom)
    for cutting in cuttings(squares):
        dominoes = tuple(map(squares.halves, cutting))
        laid = lays(dominoes, kingdom)
        apart = {pair for group in squares.apart(cutting) for pair in group}
        assert apart == {pair for pair in dominoes if pair[0] not in laid}


def test_a_break_is_as_unlikely_as_players_are_to_make_one() -> None:
    """Two forests and two wheats in the corner: two doubles, or two dominoes of both terrains."""
    squares, _ = cut_squares(Kingdom.parse("M1 W G/W F1 F1/C F F"))
    pairs = listed_cuttings(squares) or ()
    assert sorted(len(squares.apart(one)) for one in pairs) == [0, 1]
    even = breaks_of(squares, [(one, 1.0) for one in pairs])
    assert even.probability == pytest.approx(1 / 101)
    told = breaks_of(squares, [(one, 1e4 if squares.apart(one) else 1.0) for one in pairs])
    assert told.probability == pytest.approx(100 / 101)


PAIR, OTHER = ((0, 1), (0, 2)), ((0, 3), (0, 4))
LINE = Kingdom.parse("C W F W1 L")


@pytest.mark.parametrize(
    ("chances", "reason", "dominoes", "perhaps"),
    [
        ({OTHER: 1.0}, "dominoes", "d1-e1 (W1 L)", None),
        ({OTHER: 0.96}, "dominoes", "d1-e1 (W1 L)", None),
        ({OTHER: 0.94}, "perhaps", None, "d1-e1 (W1 L, 94 %)"),
        ({OTHER: 1.0, PAIR: 0.97}, "dominoes", "d1-e1 (W1 L), b1-c1 (W F)", None),
        ({OTHER: 0.6, PAIR: 0.4}, "perhaps", None, "d1-e1 (W1 L, 60 %), b1-c1 (W F, 40 %)"),
        (
            {OTHER: 1.0, PAIR: BREAKS.named_from},
            "both",
            "d1-e1 (W1 L)",
            "b1-c1 (W F, 10 %)",
        ),
        ({OTHER: 1.0, PAIR: BREAKS.named_from - 0.001}, "dominoes", "d1-e1 (W1 L)", None),
    ],
)
def test_which_dominoes_are_named(
    chances: dict[Pair, float], reason: str, dominoes: str | None, perhaps: str | None
) -> None:
    for code in (Code.NO_ORDER, Code.NO_ORDER_IN_DECK, Code.BROKEN_DOMINO):
        found = order_problem(LINE, Breaks(1.0, tuple(chances.items())), code=code)
        assert found is not None
        assert (found.code, found.fields["reason"]) == (code, f"laying.{reason}")
        told = found.fields.get("dominoes"), found.fields.get("perhaps")
        assert told == (dominoes, perhaps)
        assert all(text_of(found, language) for language in languages())
        named = {at for pair, one in chances.items() if one >= BREAKS.named_from for at in pair}
        assert found.cells == tuple(sorted(named))


def test_where_no_domino_is_likely_none_is_named() -> None:
    assert order_problem(LINE, Breaks(1.0, ((PAIR, 0.09), (OTHER, 0.09)))) is None
