"""Which single mistake explains a hand count: facts that a player can check on the board."""

import pytest

from kdvision.rules.rules import Rules
from kdvision.rules.scoring import ScoreSheet, score
from kdvision.tournament.mistakes import (
    MOST_EXPLANATIONS,
    Explanation,
    Mistake,
    explain,
    find_slip,
    list_mistakes,
)
from tests.support.results import EXAMPLE, FULL


def sheet(line: str, *, harmony: bool = False, middle_kingdom: bool = False) -> ScoreSheet:
    return score(line, Rules(harmony=harmony, middle_kingdom=middle_kingdom))


def kinds(explanations: tuple[Explanation, ...]) -> list[Mistake]:
    return [explanation.mistake for explanation in explanations]


#: A kingdom, the bonuses in play, a claim, and all that explains it.
FACTS = [
    # The publisher's example: lake 5 x 2, grassland 4 x 2, wheat 3 x 1, mine 1 x 2: 23.
    (EXAMPLE, {}, 23, []),
    (EXAMPLE, {}, 13, [Mistake.SUM, Mistake.LEFT_OUT]),
    (EXAMPLE, {}, 15, [Mistake.LEFT_OUT]),
    (EXAMPLE, {}, 28, [Mistake.CROWN_MORE]),
    (EXAMPLE, {}, 19, [Mistake.SPLIT, Mistake.CROWN_LESS]),
    (EXAMPLE, {}, 20, [Mistake.LEFT_OUT]),
    (EXAMPLE, {}, 18, [Mistake.SPLIT, Mistake.CROWN_LESS]),
    (EXAMPLE, {}, 33, [Mistake.SUM]),
    (EXAMPLE, {}, 100, []),
    # A slip of writing is named where no counting mistake explains more.
    (EXAMPLE, {}, 32, [Mistake.DIGITS_EXCHANGED]),
    (EXAMPLE, {}, 2, [Mistake.DIGIT_MISSING]),
    # One lone territory: 4 wheat with 2 crowns in a row, 8.
    ("C W1 W W W1", {}, 8, []),
    ("C W1 W W W1", {}, 4, [Mistake.CROWN_LESS, Mistake.SPLIT]),
    ("W1 W C/- W W1", {}, 4, [Mistake.CROWN_LESS, Mistake.SPLIT]),
    ("C W1 W W W1", {}, 6, [Mistake.SQUARE_LESS]),
    ("C W1 W W W1", {}, 10, [Mistake.SQUARE_MORE]),
    ("C W1 W W W1", {}, 12, [Mistake.CROWN_MORE]),
    ("C W1 W W W1", {}, 18, [Mistake.SUM]),
    ("C W1 W W W1", {}, 0, [Mistake.LEFT_OUT]),
    ("C W1 W W W W1", {}, 0, [Mistake.LEFT_OUT, Mistake.SUM]),
    # One point is no sum that came out ten too low.
    ("F F F F F/F F F F F/C W1 - - -", {}, 11, [Mistake.SUM, Mistake.CROWN_MORE]),
    # No square has more than three crowns.
    ("C M2", {}, 3, [Mistake.CROWN_MORE]),
    ("C M2", {}, 0, [Mistake.LEFT_OUT]),
    ("C M3", {}, 4, []),
    # Wheat on both sides of the castle (RULES 2.3), and across a corner (RULES 2.1).
    ("F F F F F/W1 W C W W1", {}, 8, [Mistake.JOINED]),
    ("W1 W W1 -/- - C W", {}, 8, [Mistake.SQUARE_MORE, Mistake.JOINED]),
    # Nobody takes what hangs together at three edges for two territories.
    ("W1 W W/W W W/W W W1/C - -", {}, 9, [Mistake.CROWN_LESS]),
    # Bonuses (RULES 3).
    (FULL, {"harmony": True}, 123, [Mistake.BONUS_FORGOTTEN, Mistake.SQUARE_LESS]),
    (
        FULL,
        {"middle_kingdom": True},
        123,
        [Mistake.BONUS_FORGOTTEN, Mistake.SUM, Mistake.SQUARE_LESS],
    ),
    (FULL, {}, 128, [Mistake.BONUS_ADDED, Mistake.SQUARE_MORE]),
    ("C F1 F -", {"harmony": True}, 7, [Mistake.BONUS_ADDED]),
    # Hardly anybody adds a bonus that nobody plays for and that is not earned: 2 was read as 7.
    ("C F1 F -", {}, 7, [Mistake.DIGIT_MISREAD]),
    # Nobody counts territories that lie far apart as one.
    ("W W1 F F W W1 C", {}, 8, []),
]


@pytest.mark.parametrize(("line", "bonuses", "claimed", "expected"), FACTS)
def test_explanations_of_a_claim(
    line: str, bonuses: dict[str, bool], claimed: int, expected: list[Mistake]
) -> None:
    assert kinds(explain(sheet(line, **bonuses), claimed)) == expected[:2]


@pytest.mark.parametrize(
    ("total", "claimed", "mistake"),
    [
        (17, 71, Mistake.DIGITS_EXCHANGED),
        (38, 83, Mistake.DIGITS_EXCHANGED),
        (40, 4, Mistake.DIGIT_MISSING),
        (112, 12, Mistake.DIGIT_MISSING),
        (44, 444, Mistake.DIGIT_ADDED),
        (31, 37, Mistake.DIGIT_MISREAD),
        (38, 33, Mistake.DIGIT_MISREAD),
        (31, 35, None),
        (31, 52, None),
        (105, 5, None),
        (40, 41, None),
    ],
)
def test_slips_of_writing(total: int, claimed: int, mistake: Mistake | None) -> None:
    explained = find_slip(total, claimed)
    assert (explained and explained.mistake) == mistake
    assert explained is None or explained.difference == claimed - total


def test_explanations_name_the_territory() -> None:
    (explained,) = explain(sheet(EXAMPLE), 28)
    assert explained.fields == {
        "terrain": "terrain.lake", "place": "b3", "squares": 5, "crowns": 2, "counted": 3,
    }  # fmt: skip
    assert "lake" in explained.text() and "See" in explained.text("de")
    (moved,) = explain(sheet(EXAMPLE), 28, (1, 1))
    assert moved.fields["place"] == "c4"


@pytest.mark.parametrize(
    ("claimed", "counted", "field"),
    [(4, 1, "crowns"), (12, 3, "crowns"), (6, 3, "squares"), (10, 5, "squares")],
)
def test_miscount_names_what_was_counted(claimed: int, counted: int, field: str) -> None:
    """Of four wheat with two crowns: a crown or a square too few, or too many."""
    explanation = explain(sheet("C W1 W W W1"), claimed)[0]
    assert explanation.fields["counted"] == counted
    assert abs(explanation.fields[field] - counted) == 1


def test_every_mistake_leads_back_to_itself() -> None:
    full = sheet(FULL, harmony=True, middle_kingdom=True)
    for mistake in list_mistakes(full):
        explained = explain(full, full.total + mistake.difference)
        assert len(explained) <= MOST_EXPLANATIONS
        differences = {explanation.difference for explanation in explained}
        assert differences == ({mistake.difference} if mistake.difference else set())


def test_split_names_its_parts() -> None:
    ring = sheet("W1 W W W/C - - W/- - - W1")
    for mistake in list_mistakes(ring):
        if mistake.mistake is Mistake.SPLIT:
            told = mistake.fields
            points = told["first_squares"] * told["first_crowns"]
            points += told["second_squares"] * told["second_crowns"]
            assert ring.total + mistake.difference == points
