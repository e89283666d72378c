"""Which single mistake explains a hand count: facts that a player can check on the board."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import ScoreSheet, score
from kdvision.tournament.verify.explain import NONE, explain, explanation_text
from kdvision.tournament.verify.mistakes import Explanation, Mistake, mistakes
from tests.support.claims import wrong_claims
from tests.support.results import EXAMPLE, FULL


def sheet(line: str, **bonuses: bool) -> ScoreSheet:
    return score(Kingdom.parse(line), **bonuses)


def kinds(explanations: tuple[Explanation, ...]) -> list[Mistake]:
    return [one.mistake for one in explanations]


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
    # One lone territory: 4 wheat with 2 crowns in a row, 8.
    ("C W1 W W W1", {}, 8, []),
    ("C W1 W W W1", {}, 4, [Mistake.CROWN_LESS, Mistake.SPLIT]),
    ("C W1 W W W1", {}, 6, [Mistake.SQUARE_LESS]),
    ("C W1 W W W1", {}, 10, [Mistake.SQUARE_MORE]),
    ("C W1 W W W1", {}, 12, [Mistake.CROWN_MORE]),
    ("C W1 W W W1", {}, 18, [Mistake.SUM]),
    ("C W1 W W W1", {}, 0, [Mistake.LEFT_OUT]),
    # Wheat on both sides of the castle (RULES 2.3), and across a corner (RULES 2.1).
    ("W1 W C W W1", {}, 8, [Mistake.JOINED]),
    ("W1 W W1 -/- - C W", {}, 8, [Mistake.SQUARE_MORE, Mistake.JOINED]),
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
    # Hardly anybody adds a bonus that nobody plays for and that is not earned, but what else?
    ("C F1 F -", {}, 7, [Mistake.BONUS_ADDED]),
    # Territories far apart are hardly joined, but what else?
    ("W W1 F F C F F F W W1", {}, 8, [Mistake.JOINED]),
]


@pytest.mark.parametrize(("line", "bonuses", "claimed", "expected"), FACTS)
def test_what_explains_a_claim(
    line: str, bonuses: dict[str, bool], claimed: int, expected: list[Mistake]
) -> None:
    assert kinds(explain(sheet(line, **bonuses), claimed)) == expected


@pytest.mark.parametrize(
    ("line", "bonuses", "claimed", "text"),
    [
        (EXAMPLE, {}, 28, "the lake at b3 (5 squares, 2 crowns) was counted with 3 crowns"),
        (EXAMPLE, {}, 15, "the grassland at c1 (4 squares, 2 crowns) was left out"),
        (EXAMPLE, {}, 33, "the sum came out 10 too high"),
        (EXAMPLE, {}, 99, NONE),
        (EXAMPLE, {}, 23, NONE),
        ("C W1 W W W1", {}, 6, "the wheat at b1 (4 squares, 2 crowns) was counted with 3 squares"),
        (
            "W1 W C W W1",
            {},
            8,
            "the wheat at a1 (2 squares, 1 crown) and the wheat at d1 (2 squares, 1 crown) "
            "were counted as one territory",
        ),
        (
            "C W1 W W W1",
            {},
            4,
            "ambiguous, the likeliest first: the wheat at b1 (4 squares, 2 crowns) was counted "
            "with 1 crown; or the wheat at b1 (4 squares, 2 crowns) was counted as two, "
            "2 x 1 and 2 x 1",
        ),
        (
            "C W1 W/- - F1/- - F",
            {},
            3,
            "ambiguous, the likeliest first: the wheat at b1 (2 squares, 1 crown) or the forest at "
            "c2 (2 squares, 1 crown) was counted with a square too few",
        ),
        (
            "F C F1",
            {"middle_kingdom": True},
            1,
            "ambiguous, the likeliest first: the bonus Middle Kingdom (+10) was forgotten; or "
            "the sum came out 10 too low",
        ),
        (
            "F C F1",
            {},
            11,
            "ambiguous, the likeliest first: the bonus Middle Kingdom (+10) was added, but it is "
            "not in play; or the sum came out 10 too high",
        ),
        (
            "C F1 F -",
            {"harmony": True},
            7,
            "the bonus Harmony (+5) was added, but 3 of 25 places of the 5x5 are filled",
        ),
    ],
)
def test_explanations_read_well(
    line: str, bonuses: dict[str, bool], claimed: int, text: str
) -> None:
    found = explanation_text(explain(sheet(line, **bonuses), claimed))
    assert found == text


def test_every_mistake_leads_back_to_itself() -> None:
    full = sheet(FULL, harmony=True, middle_kingdom=True)
    for mistake in mistakes(full):
        found = explain(full, full.total + mistake.difference)
        assert mistake in found or not mistake.weight


def test_a_split_names_the_parts_that_make_the_loss() -> None:
    ring = sheet("W1 W W W/C - - W/- - - W1")
    for mistake in mistakes(ring):
        if mistake.mistake is Mistake.SPLIT:
            parts = mistake.text.removeprefix("was counted as two, ").split(" and ")
            points = [int(size) * int(crowns) for size, crowns in (p.split(" x ") for p in parts)]
            assert ring.total + mistake.difference == sum(points)


def test_a_large_kingdom_is_explained_quickly() -> None:
    row = " ".join("W1" if col % 3 == 0 else "W" for col in range(7))
    rows = [row] * 7
    rows[3] = rows[3].replace("W1 W W W1", "W1 W W C", 1)
    full = sheet("/".join(rows))
    assert explain(full, full.total - 1) == ()


# ---------------------------------------------------------------------- real kingdoms


def test_twenty_wrong_claims_about_real_kingdoms(data_folder: Path) -> None:
    with (data_folder / "boards.csv").open(encoding="utf-8") as file:
        lines = {row["group"]: row["kingdom"] for row in csv.DictReader(file)}
    sheets = [sheet(line, harmony=True, middle_kingdom=True) for line in lines.values()]
    claims = wrong_claims(sheets)
    found = [
        (made, explain(sheets[number], sheets[number].total + made.difference))
        for number, made in claims
    ]
    assert Counter(made.mistake for made, _ in found) == dict.fromkeys(Mistake, 2)
    assert all(made in explanations for made, explanations in found)
    assert sum(explanations[0].mistake is made.mistake for made, explanations in found) >= 18
    assert sum(explanations == (made,) for made, explanations in found) >= 14
    for _, explanations in found:
        said = explanation_text(explanations)
        assert said.startswith("ambiguous") == (len(explanations) > 1)
