"""Which dominoes break the joining rule (RULES 5.1), as the cuttings of a kingdom tell."""

import pytest

from kdvision.rules.breaks import BREAKS, Breaks, find_breaks
from kdvision.rules.cutting import cut_squares, list_cuttings
from kdvision.rules.kingdom import Kingdom, position_names
from kdvision.rules.legality import Code, Names, order_problem
from kdvision.sentences import languages, text_of


def judged(kingdom: Kingdom) -> Breaks:
    """By the deck alone."""
    squares, _ = cut_squares(kingdom)
    listed = list_cuttings(squares) or ()
    return find_breaks(squares, ((pairs, squares.count_ways(pairs)) for pairs in listed))


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
def test_rule_5_1_unmatched_domino_is_named(line, expected):
    breaks = judged(Kingdom.parse(line))
    named = [(position_names(pair), round(chance, 3)) for pair, chance in breaks.dominoes]
    # The likeliest first.
    assert named == list(expected.items())
    assert breaks.probability == (1 if expected else 0)


def test_breaks_are_as_rare_as_players_make_them():
    """Two forests and two wheats in the corner: two doubles, or two dominoes of both terrains."""
    squares, _ = cut_squares(Kingdom.parse("M1 W G/W F1 F1/C F F"))
    pairs = list_cuttings(squares) or ()
    assert sorted(len(squares.find_apart(cutting)) for cutting in pairs) == [0, 1]
    even = find_breaks(squares, [(cutting, 1.0) for cutting in pairs])
    assert even.probability == pytest.approx(1 / 101)
    weighed = [(cutting, 1e4 if squares.find_apart(cutting) else 1.0) for cutting in pairs]
    assert find_breaks(squares, weighed).probability == pytest.approx(100 / 101)


FIRST = ((0, 1), (0, 2))
SECOND = ((0, 3), (0, 4))
LINE = Kingdom.parse("C W F W1 L")


@pytest.mark.parametrize(
    ("chances", "reason", "dominoes", "perhaps"),
    [
        ({SECOND: 1.0}, "dominoes", "d1-e1 (W1 L)", None),
        ({SECOND: 0.95}, "dominoes", "d1-e1 (W1 L)", None),
        ({SECOND: 0.94}, "perhaps", None, "d1-e1 (W1 L, 94 %)"),
        ({SECOND: 1.0, FIRST: 0.97}, "dominoes", "d1-e1 (W1 L), b1-c1 (W F)", None),
        ({SECOND: 0.6, FIRST: 0.4}, "perhaps", None, "d1-e1 (W1 L, 60 %), b1-c1 (W F, 40 %)"),
        ({SECOND: 1.0, FIRST: BREAKS.named_from}, "both", "d1-e1 (W1 L)", "b1-c1 (W F, 10 %)"),
        ({SECOND: 1.0, FIRST: BREAKS.named_from - 0.001}, "dominoes", "d1-e1 (W1 L)", None),
    ],
)
def test_which_dominoes_are_named(chances, reason, dominoes, perhaps):
    for code in (Code.NO_ORDER, Code.NO_ORDER_IN_DECK, Code.BROKEN_DOMINO):
        problem = order_problem(LINE, Breaks(1.0, tuple(chances.items())), Names(), code)
        assert problem is not None
        assert (problem.code, problem.fields["reason"]) == (code, f"laying.{reason}")
        assert problem.fields.get("dominoes") == dominoes
        assert problem.fields.get("perhaps") == perhaps
        assert all(text_of(problem, language) for language in languages())
        likely = [pair for pair, chance in chances.items() if chance >= BREAKS.named_from]
        assert problem.cells == tuple(sorted(at for pair in likely for at in pair))


def test_sentence_names_three_dominoes_at_most():
    kingdom = Kingdom.parse("C W F L S G M W F")
    pairs = [((0, col), (0, col + 1)) for col in (1, 3, 5, 7)]
    for count, more in ((3, ""), (4, ", \u2026 (+1)")):
        names = Names().dominoes(kingdom, dict.fromkeys(pairs[:count], 1.0))
        assert names == "b1-c1 (W F), d1-e1 (L S), f1-g1 (G M)" + more


def test_unlikely_dominoes_are_not_named():
    assert order_problem(LINE, Breaks(1.0, ((FIRST, 0.09), (SECOND, 0.09))), Names()) is None
