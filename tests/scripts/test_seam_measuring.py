"""How many dominoes come out right, by seams, by the deck, and by both."""

import pytest

pytest.importorskip("scipy", reason="the extra `train` is not installed")

from kdvision.rules.kingdom import Kingdom
from scripts.measuring.seams.cases import Case
from scripts.measuring.seams.measure import (
    alone_table,
    band,
    by_seams_alone,
    dominoes_table,
    likeliest,
    marginals,
    pairs_table,
    reliability_table,
)

#: Four squares of wheat, which two dominoes cover lying or standing.
FOUR = Kingdom.parse("C W W/- W W")
ABOVE, BELOW = ((0, 1), (0, 2)), ((1, 1), (1, 2))
LEFT, RIGHT = ((0, 1), (1, 1)), ((0, 2), (1, 2))
STANDING = {ABOVE: -2.0, BELOW: -2.0, LEFT: 2.0, RIGHT: 1.5}


def test_the_deck_alone_leaves_two_ways_open() -> None:
    assert marginals(FOUR, {}) == pytest.approx(dict.fromkeys((ABOVE, BELOW, LEFT, RIGHT), 0.5))


def test_seams_choose_between_them() -> None:
    said = marginals(FOUR, STANDING)
    assert said[LEFT] == said[RIGHT] == pytest.approx(1 / (1 + 2.718281828**-7.5))
    assert likeliest(said).keys() == {LEFT, RIGHT}


def test_of_two_pairs_with_a_square_in_common_the_likelier_counts() -> None:
    said = {ABOVE: 0.6, LEFT: 0.4, BELOW: 0.6, RIGHT: 0.4}
    assert likeliest(said) == {ABOVE: 0.6, BELOW: 0.6}


def test_seams_alone_pair_every_square() -> None:
    assert by_seams_alone(FOUR, STANDING) == {LEFT, RIGHT}
    assert by_seams_alone(FOUR, {pair: -ratio for pair, ratio in STANDING.items()}) == {
        ABOVE, BELOW,
    }  # fmt: skip
    # One pair that looks like a domino gives way where the others would be left over.
    assert by_seams_alone(FOUR, STANDING | {ABOVE: 3.0}) == {LEFT, RIGHT}


def case(ratios: dict[object, float] | None, px: float = 50.0) -> Case:
    known = {LEFT: True, RIGHT: True, ABOVE: False, BELOW: False}
    return Case("a photo", "a look", FOUR, known, ratios, px)  # type: ignore[arg-type]


def test_tables_count_what_was_said() -> None:
    cases = [case(dict(STANDING)), case({pair: -r for pair, r in STANDING.items()}), case(None)]
    pairs = pairs_table(cases, "pairs", band)
    assert [next(iter(column.cells)) for column in pairs.columns][:6] == [
        "40 to 56 px", "2 of 3", "4", "2 (50.0%)", "4", "2 (50.0%)",
    ]  # fmt: skip
    dominoes = dominoes_table(cases, "dominoes", band)
    cells = [next(iter(column.cells)) for column in dominoes.columns]
    assert cells[1:4] == ["2", "4", "2 (50.0%)"]
    assert cells[5] == "2 (50.0%)"
    alone = alone_table(cases, "alone", band)
    assert [next(iter(column.cells)) for column in alone.columns][1:] == ["2", "4", "2 (50.0%)"]


def test_what_is_said_is_held_against_what_is_true() -> None:
    """LEFT and RIGHT are dominoes and said to be; ABOVE and BELOW are none and said to be none."""
    table = reliability_table([case(dict(STANDING))], "said and true")
    rows = list(zip(*(column.cells for column in table.columns), strict=True))
    assert [row[:2] for row in rows] == [("-2.5 to -1.0", "2"), ("1.0 to 2.5", "2")]
    assert [row[3] for row in rows] == ["0.000", "1.000"]
    assert [float(row[2]) for row in rows] == pytest.approx([0.119, 0.849], abs=0.002)


@pytest.mark.parametrize(
    ("px", "name"), [(23.9, "0 to 24 px"), (39.9, "32 to 40 px"), (40, "40 to 56 px"),
                     (300, "from 80 px")]
)  # fmt: skip
def test_bands(px: float, name: str) -> None:
    assert band(case(None, px)) == name
