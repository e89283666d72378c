"""The claims of one photo: every kingdom has one owner, and what stays open never agrees."""

from collections import Counter
from random import Random

import pytest

from kdvision.reading import Alternative
from kdvision.result import PhotoResult, Status
from kdvision.tournament.verify.ownership import ClaimLine, judge, judge_photo
from kdvision.tournament.verify.verdict import Verdict
from tests.support.results import read_kingdom

AGREES, DIFFERS = Verdict.AGREES, Verdict.DIFFERS
OPEN, BAD = Verdict.CANNOT_TELL, Verdict.BAD_LINE


def total_of(total: int) -> str:
    """A kingdom line with a total: that many forest squares with a crown each, in a row."""
    return " ".join(["C", *["F1"], *["F"] * (total - 1)]) if total else "C F"


def table(*totals: int, doubtful: dict[int, list[tuple[int, float]]] | None = None) -> PhotoResult:
    """A photo of kingdoms with these totals; `doubtful` gives other totals with their chances."""
    kingdoms = []
    for index, total in enumerate(totals):
        others = (doubtful or {}).get(index)
        alternatives = tuple(Alternative(score, chance, ()) for score, chance in others or ())
        chance = 1 - sum(one.probability for one in alternatives)
        status = Status.DOUBTFUL if others else Status.SURE
        kingdoms.append(read_kingdom(total_of(total), status, chance, alternatives=alternatives))
    status = Status.DOUBTFUL if doubtful else Status.SURE
    return PhotoResult("table.jpg", status, "Dark." if doubtful else "", tuple(kingdoms))


def lines(photo: PhotoResult, *claims: int | tuple[str, int]) -> list[ClaimLine]:
    pairs = [claim if isinstance(claim, tuple) else ("", claim) for claim in claims]
    return [
        ClaimLine(claimed, photo, letter, f"line {number}")
        for number, (letter, claimed) in enumerate(pairs, 2)
    ]


def verdicts(photo: PhotoResult, *claims: int | tuple[str, int]) -> list[Verdict]:
    return [one.verdict for one in judge_photo(lines(photo, *claims))]


FOUR = table(46, 54, 41, 40)
EQUAL = table(46, 54, 54, 40)


@pytest.mark.parametrize(
    ("photo", "claims", "expected"),
    [
        # All four players claim the best kingdom of the table.
        (FOUR, (54, 54, 54, 54), [OPEN] * 4),
        (FOUR, (46, 54, 41, 40), [AGREES] * 4),
        (FOUR, (40, 41, 54, 46), [AGREES] * 4),
        # One is wrong, and the kingdom that is left is not his claim.
        (FOUR, (46, 54, 41, 39), [AGREES, AGREES, AGREES, DIFFERS]),
        # Two claim one total: whose it is, is open; the others are not in question.
        (FOUR, (54, 54, 41, 40), [OPEN, OPEN, AGREES, AGREES]),
        (EQUAL, (54, 46, 54, 40), [AGREES] * 4),
        (EQUAL, (54, 54, 54, 40), [OPEN, OPEN, OPEN, AGREES]),
        # Fewer lines than kingdoms, and more.
        (FOUR, (54,), [OPEN]),
        (FOUR, (33,), [DIFFERS]),
        (FOUR, (46, 54, 41), [OPEN] * 3),
        (FOUR, (46, 54, 41, 40, 33), [OPEN] * 4 + [DIFFERS]),
        (table(8), (8, 8), [OPEN, OPEN]),
        (table(8), (8, 18), [OPEN, DIFFERS]),
        # Letters.
        (FOUR, (("A", 46), ("B", 54), ("C", 41), ("D", 40)), [AGREES] * 4),
        (FOUR, (("A", 54), ("B", 54), ("C", 54), ("D", 54)), [DIFFERS, AGREES, DIFFERS, DIFFERS]),
        (FOUR, (("B", 54),), [AGREES]),
        (FOUR, (("B", 54), ("B", 54), ("B", 33)), [OPEN, OPEN, DIFFERS]),
        (FOUR, (("E", 54), ("A", 46)), [BAD, AGREES]),
        # Letters on some lines: the others share what is left.
        (FOUR, (("B", 54), 46, 41, 40), [AGREES] * 4),
        (FOUR, (("B", 46), 54, 41, 40), [DIFFERS, DIFFERS, AGREES, AGREES]),
        (table(8), (("A", 8), 8), [AGREES, OPEN]),
        (table(8), (("A", 8),), [AGREES]),
        (table(8), (("B", 8),), [BAD]),
        # A doubtful kingdom that may have a claimed total keeps it open.
        (table(46, 54, doubtful={1: [(46, 0.2)]}), (46, 54), [OPEN, OPEN]),
        (table(46, 54, doubtful={1: [(44, 0.2)]}), (46, 54), [AGREES, OPEN]),
        (table(46, 54, doubtful={1: [(44, 0.2)]}), (46, 53), [AGREES, DIFFERS]),
        (table(46, 54, doubtful={1: [(46, 0.009)]}), (46, 50), [AGREES, DIFFERS]),
        (table(46, 54, doubtful={1: [(46, 0.011)]}), (46, 50), [OPEN, DIFFERS]),
    ],
)  # fmt: skip
def test_verdicts(
    photo: PhotoResult, claims: tuple[int | tuple[str, int], ...], expected: list[Verdict]
) -> None:
    assert verdicts(photo, *claims) == expected


def test_what_is_said() -> None:
    one, *_ = judge_photo(lines(FOUR, 54, 54, 41, 40))
    assert one.message == (
        "54 is the total of kingdom B only, and line 3 claims it, too; "
        "write the letter of each line's kingdom in the column kingdom"
    )
    *_, last = judge_photo(lines(FOUR, 46, 54, 41, 50))
    assert last.message == (
        "4 lines name this photo, which shows 4 kingdoms; only kingdom D is left: "
        "the sum came out 10 too high"
    )
    assert (last.letter, last.difference) == ("D", 10)
    single = judge(54, FOUR)
    assert single.message.startswith(
        "54 is the total of kingdom B, but 1 line names this photo, which shows 4 kingdoms; write"
    )
    agrees = judge_photo(lines(table(3, 1), 1, 3))
    assert [one.letter for one in agrees] == ["B", "A"]
    assert agrees[0].message.endswith("this is kingdom B")
    many = judge_photo(lines(table(3, 1), 1, 9))[1]
    assert many.letter == "A"
    none = judge(77, table(3, 1))
    assert "kingdom A has 3: no single mistake" in none.message
    assert "kingdom B has 1: no single mistake" in none.message


def test_no_false_agreement_in_a_thousand_random_sheets() -> None:
    """However lines are mixed up, no more of them agree than there are kingdoms of that total.

    With letters none agrees with another total than that of its kingdom. Without, none agrees
    whose claim could be explained only by taking another line's kingdom; and where one player of
    a photo is wrong, he never agrees.
    """
    rng = Random(16)
    agreed = differed = 0
    for _ in range(1_000):
        totals = [rng.randint(1, 12) for _ in range(rng.randint(1, 5))]
        doubtful = {
            index: [(rng.randint(1, 12), 0.3)] for index in range(len(totals)) if rng.random() < 0.1
        }
        photo = table(*totals, doubtful=doubtful)
        owners = rng.sample(range(len(totals)), rng.randint(1, len(totals)))
        if rng.random() < 0.2:
            owners += rng.choices(range(len(totals)), k=rng.randint(1, 2))
        wrong = {number for number in range(len(owners)) if rng.random() < 0.2}
        claims: list[tuple[str, int]] = []
        for number, owner in enumerate(owners):
            letter = chr(ord("A") + owner) if rng.random() < 0.3 else ""
            total = rng.randint(1, 12) if number in wrong else totals[owner]
            claims.append((letter, total))
        wrong = {n for n in wrong if claims[n][1] != totals[owners[n]]}
        found = judge_photo(lines(photo, *claims))
        agreeing = [n for n, one in enumerate(found) if one.verdict is AGREES]
        sure = Counter(t for index, t in enumerate(totals) if index not in doubtful)
        taken = Counter(claims[n][1] for n in agreeing)
        assert all(taken[total] <= sure[total] for total in taken), (totals, claims)
        for number in agreeing:
            letter, total = claims[number]
            if letter:
                assert total == totals[owners[number]] and owners[number] not in doubtful
            if len(wrong) <= 1:
                assert number not in wrong, (totals, owners, claims)
        agreed += len(agreeing)
        differed += sum(one.verdict is DIFFERS for one in found)
    assert agreed > 800
    assert differed > 200
