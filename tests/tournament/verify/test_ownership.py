"""The claims of one photo: every kingdom has one owner, and what stays open never agrees."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from random import Random

import pytest
from msgspec.structs import replace

from kdvision.reading import Alternative
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.tournament.verify.ownership import ClaimLine, judge, judge_photo
from kdvision.tournament.verify.verdict import Judgement, Verdict
from tests.support.results import read_kingdom

AGREES, DIFFERS = Verdict.AGREES, Verdict.DIFFERS
OPEN, BAD = Verdict.CANNOT_TELL, Verdict.BAD_LINE


def total_of(total: int) -> str:
    """A kingdom line with a total: that many forest squares with a crown each, in a row."""
    return " ".join(["C", *["F1"], *["F"] * (total - 1)]) if total else "C F"


@cache
def kingdom_of(
    total: int, status: Status, chance: float, alternatives: tuple[Alternative, ...]
) -> KingdomResult:
    return read_kingdom(total_of(total), status, chance, alternatives=alternatives)


def table(
    *totals: int,
    doubtful: dict[int, list[tuple[int, float]]] | None = None,
    unscored: Collection[int] = (),
) -> PhotoResult:
    """A photo of kingdoms with these totals.

    `doubtful` gives other totals with their chances, `unscored` are those that cannot be scored.
    """
    kingdoms = []
    for index, total in enumerate(totals):
        others = (doubtful or {}).get(index)
        alternatives = tuple(Alternative(score, chance, ()) for score, chance in others or ())
        chance = 1 - sum(one.probability for one in alternatives)
        status = Status.DOUBTFUL if others else Status.SURE
        one = kingdom_of(total, status, chance, alternatives)
        if index in unscored:
            one = replace(one, status=Status.DOUBTFUL, probability=0.03, scored=False)
        kingdoms.append(one)
    status = Status.DOUBTFUL if doubtful or unscored else Status.SURE
    message = "" if status is Status.SURE else "Dark."
    return PhotoResult("table.jpg", status, message, tuple(kingdoms))


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
        # One claims what no kingdom has: it differs, and nothing says whose the others are.
        (FOUR, (46, 54, 41, 39), [OPEN, OPEN, OPEN, DIFFERS]),
        # Two errors that coincide: the first has 46 and claims 54, the second has 54.
        (FOUR, (54, 50, 41, 40), [OPEN, DIFFERS, OPEN, OPEN]),
        # Two claim one total: whose it is, is open, and so are the others.
        (FOUR, (54, 54, 41, 40), [OPEN] * 4),
        (EQUAL, (54, 46, 54, 40), [AGREES] * 4),
        (EQUAL, (54, 54, 54, 40), [OPEN] * 4),
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
        (FOUR, (("B", 46), 54, 41, 40), [DIFFERS, DIFFERS, OPEN, OPEN]),
        # Letters leave one kingdom to one line: that is its own.
        (FOUR, (("B", 54), ("A", 46), ("C", 41), 30), [AGREES, AGREES, AGREES, DIFFERS]),
        (table(8), (("A", 8), 8), [AGREES, OPEN]),
        (table(8), (("A", 8),), [AGREES]),
        (table(8), (("B", 8),), [BAD]),
        # A doubtful kingdom that may have a claimed total keeps it open.
        (table(46, 54, doubtful={1: [(46, 0.2)]}), (46, 54), [OPEN, OPEN]),
        (table(46, 54, doubtful={1: [(44, 0.2)]}), (46, 54), [AGREES, OPEN]),
        (table(46, 54, doubtful={1: [(44, 0.2)]}), (46, 53), [OPEN, DIFFERS]),
        (table(46, 54, doubtful={1: [(46, 0.009)]}), (46, 54), [AGREES, OPEN]),
        (table(46, 54, doubtful={1: [(46, 0.011)]}), (46, 54), [OPEN, OPEN]),
        # One that cannot be scored may have any total, and explains every claim.
        (table(46, 54, unscored={1}), (46, 54), [OPEN, OPEN]),
        (table(46, 54, unscored={1}), (("A", 46), ("B", 54)), [AGREES, OPEN]),
        (table(54, unscored={0}), (54,), [OPEN]),
        (table(54, unscored={0}), (53,), [OPEN]),
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
    *others, last = judge_photo(lines(FOUR, 46, 54, 41, 50))
    assert last.message == (
        "4 lines name this photo, which shows 4 kingdoms; no kingdom has 50; "
        "kingdom D has 40: the sum came out 10 too high"
    )
    # Whose kingdom is whose is not known, so no total counts.
    assert [one.kingdom for one in (*others, last)] == [None] * 4
    assert others[0].message == (
        "46 is the total of kingdom A, but no kingdom is left that explains what line 5 claims, "
        "so that claims do not say whose kingdom is whose; "
        "write the letter of each line's kingdom in the column kingdom"
    )
    *_, alone = judge_photo(lines(FOUR, ("A", 46), ("B", 54), ("C", 41), 50))
    assert alone.message.endswith("only kingdom D is left: the sum came out 10 too high")
    assert (alone.letter, alone.difference) == ("D", 10)
    unscored = judge(54, table(54, unscored={0}))
    assert (unscored.message, unscored.kingdom) == ("the kingdom cannot be scored. Dark.", None)
    single = judge(54, FOUR)
    assert single.message.startswith(
        "54 is the total of kingdom B, but 1 line names this photo, which shows 4 kingdoms; write"
    )
    agrees = judge_photo(lines(table(3, 1), 1, 3))
    assert [one.letter for one in agrees] == ["B", "A"]
    assert agrees[0].message.endswith("this is kingdom B")
    many = judge_photo(lines(table(3, 1), 1, 9))[1]
    assert (many.verdict, many.letter) == (DIFFERS, "")
    none = judge(77, table(3, 1))
    assert "kingdom A has 3: no single mistake" in none.message
    assert "kingdom B has 1: no single mistake" in none.message


# ---------------------------------------------------------------------- random sheets

Judge = Callable[[list[ClaimLine]], list[Judgement]]


@dataclass(frozen=True)
class RandomSheet:
    """The lines of one photo: what is read, what is claimed, and the truth of every line."""

    photo: PhotoResult
    claims: list[tuple[str, int]]
    truths: list[int]
    possible: list[set[int]]

    def can_all_be_right(self) -> bool:
        """Whether the kingdoms can be given to the lines so that every claim may be right."""
        letters = [letter for letter, _ in self.claims]
        free = [n for n in range(len(self.possible)) if chr(ord("A") + n) not in letters]
        without = [total for letter, total in self.claims if not letter]
        return any(
            all(total in self.possible[n] for total, n in zip(without, order, strict=True))
            for order in permutations(free, len(without))
            if len(without) == len(free)
        )


@cache
def random_sheets(count: int) -> tuple[RandomSheet, ...]:
    """Sheets with lines missing, doubled and wrong, with letters and without.

    One kingdom in ten is doubtful, and has its other total three times of ten. Totals are small,
    so that many wrong claims are the total of somebody else.
    """
    rng = Random(16)
    sheets = []
    for _ in range(count):
        totals = [rng.randint(1, 12) for _ in range(rng.randint(1, 5))]
        others = {n: rng.randint(13, 20) for n in range(len(totals)) if rng.random() < 0.1}
        photo = table(*totals, doubtful={n: [(other, 0.3)] for n, other in others.items()})
        right = {n: other for n, other in others.items() if rng.random() < 0.3}
        truth = [right.get(n, total) for n, total in enumerate(totals)]
        owners = rng.sample(range(len(totals)), len(totals))
        if rng.random() < 0.3:
            owners = owners[: rng.randint(1, len(owners))]
        if rng.random() < 0.2:
            owners += rng.choices(range(len(totals)), k=rng.randint(1, 2))
        most_wrong = rng.choice([0, 0.2, 0.5])
        with_letters = rng.choice([0, 0.3, 1])
        claims = [
            (
                chr(ord("A") + owner) if rng.random() < with_letters else "",
                rng.choice([*totals, 6]) if rng.random() < most_wrong else truth[owner],
            )
            for owner in owners
        ]
        possible = [{total, others.get(n, total)} for n, total in enumerate(totals)]
        sheets.append(RandomSheet(photo, claims, [truth[owner] for owner in owners], possible))
    return tuple(sheets)


def false_agreements(judged: Judge, count: int = 1_000) -> tuple[int, int]:
    """How many lines agree with a claim that is wrong, and how many agree.

    Where all claims of a photo can be right together they are taken to be: two
    players who claim each other's total cannot be told from two who do not.
    """
    false = agreed = 0
    for sheet in random_sheets(count):
        found = judged(lines(sheet.photo, *sheet.claims))
        for one, (letter, total), truth in zip(found, sheet.claims, sheet.truths, strict=True):
            if one.verdict is not AGREES:
                continue
            agreed += 1
            false += total != truth and bool(letter or not sheet.can_all_be_right())
    return false, agreed


def test_no_false_agreement_in_a_thousand_random_sheets() -> None:
    false, agreed = false_agreements(judge_photo)
    assert false == 0
    assert agreed > 1_000


def judged_by_any_kingdom(claims: list[ClaimLine]) -> list[Judgement]:
    """A claim agrees with whatever kingdom has it."""
    return [
        Judgement(AGREES if any(one.score == line.claimed for one in line.photo.kingdoms) else OPEN)
        for line in claims
    ]


def judged_by_number(claims: list[ClaimLine]) -> list[Judgement]:
    """A claim agrees where no more lines make it than kingdoms have it."""
    totals = Counter(one.score for one in claims[0].photo.kingdoms)
    made = Counter(line.claimed for line in claims)
    return [
        Judgement(AGREES if made[line.claimed] <= totals[line.claimed] else OPEN) for line in claims
    ]


@pytest.mark.parametrize("judged", [judged_by_any_kingdom, judged_by_number])
def test_the_random_sheets_catch_a_judge_that_is_too_kind(judged: Judge) -> None:
    assert false_agreements(judged)[0] > 50
