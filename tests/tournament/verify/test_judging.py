"""The claims of one photo: every kingdom has one owner, and what stays open never agrees."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from random import Random

import pytest
from msgspec.structs import replace

from kdvision.columns import Acceptance, Accepted
from kdvision.reading import Alternative
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.sentences import Sentence, joined
from kdvision.tournament.batch.journal import Scored
from kdvision.tournament.lines import SheetLine
from kdvision.tournament.verify.judging import judge, judge_photo, notes_of
from kdvision.tournament.verify.verdicts import LineVerdict, Verdict
from tests.support.results import plain, read_kingdom

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
    return PhotoResult("table.jpg", status, plain(message), tuple(kingdoms))


Claim = int | tuple[str, int]


def lines(*claims: Claim, photo: str = "table.jpg", **about: str) -> list[SheetLine]:
    pairs = [claim if isinstance(claim, tuple) else ("", claim) for claim in claims]
    return [
        SheetLine(number=number, letter=letter, claimed=claimed, photo=photo, **about)  # type: ignore[arg-type]
        for number, (letter, claimed) in enumerate(pairs, 2)
    ]


def judged_photo(photo: PhotoResult, *claims: Claim) -> list[LineVerdict]:
    return judge_photo(lines(*claims), [photo] * len(claims))


def verdicts(photo: PhotoResult, *claims: Claim) -> list[Verdict]:
    return [one.verdict for one in judged_photo(photo, *claims)]


FOUR = table(46, 54, 41, 40)
EQUAL = table(46, 54, 54, 40)


@pytest.mark.parametrize(
    ("photo", "claims", "expected"),
    [
        # All four players claim the best kingdom of the table.
        (FOUR, (54, 54, 54, 54), [OPEN] * 4),
        (FOUR, (46, 54, 41, 40), [AGREES] * 4),
        (FOUR, (40, 41, 54, 46), [AGREES] * 4),
        # One claims what no kingdom has: as far as the claims tell, the others are right.
        (FOUR, (46, 54, 41, 39), [AGREES, AGREES, AGREES, DIFFERS]),
        (FOUR, (54, 50, 41, 40), [AGREES, DIFFERS, AGREES, AGREES]),
        # Two do: whose the two kingdoms are that are left, nobody knows.
        (FOUR, (46, 54, 43, 39), [OPEN, OPEN, DIFFERS, DIFFERS]),
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
        (FOUR, (("B", 46), 54, 41, 40), [DIFFERS, DIFFERS, AGREES, AGREES]),
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


def codes(verdict: LineVerdict) -> list[str]:
    return [reason.key.removeprefix("verdict.") for reason in verdict.reasons]


def test_what_is_said() -> None:
    rivals, *_ = judged_photo(FOUR, 54, 54, 41, 40)
    assert codes(rivals) == ["claimed-twice", "remedy-letter"]
    assert "line 3" in rivals.text() and "Zeile 3" in rivals.text("de")
    *_, alone = judged_photo(FOUR, ("A", 46), ("B", 54), ("C", 41), 50)
    assert codes(alone) == ["only-left", "mistake"]
    assert (alone.letter, alone.difference, alone.total) == ("D", 10, 40)
    (unscored,) = judged_photo(table(54, unscored={0}), 54)
    assert (codes(unscored), unscored.kingdom) == (["not-scored"], None)
    (single,) = judged_photo(FOUR, 54)
    assert codes(single) == ["total-of", "numbers", "remedy-letter"]
    assert [one.letter for one in judged_photo(table(3, 1), 1, 3)] == ["B", "A"]
    wrong = judged_photo(table(3, 1), 1, 9)[1]
    assert (wrong.verdict, wrong.letter, wrong.total) == (DIFFERS, "", None)


def test_the_doubt_of_a_photo_is_said_in_the_language_of_the_verdict() -> None:
    """A German desk read the reason of a doubtful or unreadable photo in English."""
    reasons = (Sentence("unreadable.crashed"), Sentence("correction.none-made"))
    (nothing,) = judged_photo(PhotoResult("table.jpg", Status.UNREADABLE, reasons), 54)
    doubtful = table(54, doubtful={0: [(44, 0.2)]})
    (alone,) = judged_photo(replace(doubtful, reasons=reasons), 54)
    (beside, _) = judged_photo(table(54, 3, doubtful={0: [(44, 0.2)]}), ("A", 54), ("B", 3))
    own = beside.kingdom.doubt if beside.kingdom else None
    for language in ("en", "de"):
        assert nothing.text(language) == joined(reasons, language)
        assert alone.text(language).endswith(joined(reasons, language))
        assert own and beside.text(language).endswith(own.text(language))


# ---------------------------------------------------------------------- several lines and photos


def test_one_miscount_without_letters_leaves_one_kingdom() -> None:
    """Three claims match three kingdoms; the fourth is held against the one that is left."""
    *three, wrong = judged_photo(FOUR, 46, 54, 41, 50)
    assert [one.verdict for one in three] == [AGREES] * 3
    assert [one.by_claims for one in three] == [True] * 3
    assert (wrong.verdict, wrong.letter, wrong.difference) == (DIFFERS, "D", 10)
    assert [one.mistake.value for one in wrong.explanations] == ["sum-wrong-by-ten"]


def test_one_wrong_claim_is_likelier_than_two_of_different_kinds() -> None:
    """38 may be the 41 of kingdom C, and 41 the 40 of D, each with a mistake of its own."""
    *three, wrong = judged_photo(FOUR, 46, 54, 41, 38)
    assert [(one.verdict, one.by_claims) for one in three] == [(AGREES, True)] * 3
    assert (wrong.verdict, wrong.letter, wrong.difference) == (DIFFERS, "D", -2)


def test_two_readings_that_both_fit_stay_open() -> None:
    """56 and 46 claimed as 66 and 56: ten too much twice, or 46 counted as 66."""
    photo = table(30, 56, 46, 40)
    found = judged_photo(photo, 30, 66, 56, 40)
    assert [one.verdict for one in found] == [OPEN, DIFFERS, OPEN, OPEN]
    assert found[1].total is None


def test_one_letter_for_two_players_counts_for_neither() -> None:
    first, second, *_ = judged_photo(FOUR, ("A", 46), ("A", 54), ("C", 41), ("D", 40))
    assert [first.total, second.total] == [None, None]
    assert [first.verdict, second.verdict] == [OPEN, OPEN]
    assert codes(first) == ["letter-twice"]
    assert codes(second) == ["letter-twice", "claim-is-kingdom"]
    assert second.reasons[1].fields["letter"] == "B"


def settled(
    line: SheetLine, what: Accepted = Accepted.NUMBER, total: int | None = None
) -> SheetLine:
    return replace(line, accepted=Acceptance(what, total, "Kim"))


def test_a_settled_line_takes_its_kingdom_and_frees_the_others() -> None:
    """Two lines claim one total; once one of them is settled, the other has what is left."""
    every = lines(46, 46, 41, 40)
    photo = table(46, 54, 41, 40)
    open_lines = judge_photo(every, [photo] * 4)
    assert [one.verdict for one in open_lines] == [OPEN] * 4
    every[1] = settled(every[1], total=54)
    found = judge_photo(every, [photo] * 4)
    assert [one.verdict for one in found] == [AGREES, Verdict.SETTLED, AGREES, AGREES]
    assert [one.total for one in found] == [46, 54, 41, 40]


@pytest.mark.parametrize(
    ("line", "total"),
    [
        (settled(SheetLine(number=2, problem="claimed is 'ca. 26'."), total=26), 26),
        (settled(SheetLine(number=2, problem="claimed is 'ca. 26'."), Accepted.PHOTO), 8),
        (settled(SheetLine(number=2), Accepted.PHOTO), 8),
        (settled(SheetLine(number=2, letter="Q", claimed=9), Accepted.CLAIM), 9),
        (settled(SheetLine(number=2), Accepted.CLAIM), None),
    ],
)
def test_accept_rescues_any_line(line: SheetLine, total: int | None) -> None:
    (found,) = judge([line], [Scored(table(8))])
    assert found.verdict is (Verdict.SETTLED if total is not None else BAD)
    assert found.total == total


@pytest.mark.parametrize("reading", [None, Scored(table(8))])
def test_a_line_without_claim_is_a_bad_line(reading: Scored | None) -> None:
    (found,) = judge([SheetLine(number=2, photo="a.jpg")], [reading])
    assert (found.verdict, found.total) == (BAD, None)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (SheetLine(number=2), "Es wurde noch nichts gezählt."),
        (settled(SheetLine(number=2), Accepted.CLAIM), "Das Gezählte soll gelten, aber "),
        (settled(SheetLine(number=2), Accepted.PHOTO), "Das Foto soll gelten, hat aber "),
    ],
)
def test_a_bad_line_says_why_in_the_language_of_a_board(line: SheetLine, said: str) -> None:
    (found,) = judge([line], [None])
    assert found.verdict is BAD
    assert found.text("de").startswith(said), found.text("de")


def test_many_lines_of_one_photo_are_named_by_the_first() -> None:
    """A photo that was pasted into every line of a sheet."""
    found = judged_photo(table(8), *[8] * 40)
    assert found[0].text().count("line ") == 5
    assert "line 7, 34 more" in found[0].text()
    assert all("more" not in one.text() for one in judged_photo(table(8), *[8] * 6))


def test_a_broken_rule_is_noted_in_the_language_of_a_board() -> None:
    photo = PhotoResult("a.jpg", Status.SURE, (), (read_kingdom("C W F W1 F"),))
    (note,) = notes_of(judge([SheetLine(number=2, claimed=1)], [Scored(photo)]))
    assert note.text().endswith(" This breaks the joining rule; the score stands.")
    assert note.text("de").endswith(" Das verletzt die Anlegeregel; die Summe gilt.")


def read(photo: PhotoResult, number: int, picture: str = "") -> Scored:
    return Scored(photo, f"digest {number}", picture)


def test_the_same_picture_saved_again_is_open_for_both_players() -> None:
    picture = "0" * 64
    players = [
        *lines(23, photo="a.jpg", player="Ann", round="1", game="1"),
        *lines(33, photo="b.jpg", player="Bob", round="1", game="2"),
    ]
    found = judge(players, [read(table(23), 1, picture), read(table(23), 2, picture)])
    assert [one.verdict for one in found] == [OPEN, OPEN]
    assert [one.total for one in found] == [None, None]
    assert [codes(one) for one in found] == [["same-photo"], ["same-photo"]]
    assert "Bob" in found[0].text() and "Ann" in found[1].text()


def test_lines_that_exchanged_letters_are_explained_by_that_alone() -> None:
    found = judged_with_letters(("A", 54), ("B", 46), ("C", 41), ("D", 40))
    assert [one.verdict for one in found] == [DIFFERS, DIFFERS, AGREES, AGREES]
    assert [codes(one) for one in found[:2]] == [["letters-exchanged"]] * 2
    assert [one.explanations for one in found[:2]] == [(), ()]
    assert [one.total for one in found[:2]] == [None, None]


def judged_with_letters(*claims: Claim) -> list[LineVerdict]:
    reading = read(FOUR, 1)
    return judge(lines(*claims, round="1", game="1"), [reading] * len(claims))


def test_lines_of_neighbouring_tables_that_exchanged_photos() -> None:
    players = [
        *lines(31, photo="a.jpg", player="Ann", round="1", game="1"),
        *lines(47, photo="b.jpg", player="Bob", round="1", game="2"),
        *lines(52, photo="c.jpg", player="Cle", round="2", game="2"),
    ]
    found = judge(players, [read(table(total), total) for total in (47, 31, 52)])
    assert [one.verdict for one in found] == [DIFFERS, DIFFERS, AGREES]
    assert [codes(one) for one in found[:2]] == [["lines-exchanged"]] * 2


@pytest.mark.parametrize("others", [(), (30, 31)])
def test_lines_without_letters_are_judged_by_their_own_rules(others: tuple[int, ...]) -> None:
    """Bob counts a bonus that Ann's line does not have in play: B is 54 for her and 59 for him."""
    photos = [table(46, 54, *others), *[table(46, 59, *others)] * (1 + len(others))]
    for claimed, verdict in ((59, AGREES), (54, DIFFERS)):
        found = judge_photo(lines(46, claimed, *others), photos)
        assert found[1].verdict is verdict
        assert found[1].total in (59, None)


@pytest.mark.parametrize(("game", "round_"), [("tisch 1", "R1"), ("Tisch\xa01", "r1")])
def test_lines_of_one_table_however_it_is_written(game: str, round_: str) -> None:
    """A photo of a table that two spellings name is of one table."""
    claims = [
        *lines(31, photo="a.jpg", player="Ann", round="R1", game="Tisch 1"),
        *lines(47, photo="a.jpg", player="Bob", round=round_, game=game),
    ]
    photo = Scored(table(31, 47), "d")
    assert {one.verdict for one in judge(claims, [photo] * 2)} == {AGREES}


def test_tables_that_exchanged_photos() -> None:
    others = table(30, 36, 39, 59)
    players = [
        *lines(46, 54, 41, 40, photo="a.jpg", round="1", game="1"),
        *lines(30, 36, 39, 59, photo="b.jpg", round="1", game="2"),
    ]
    found = judge(players, [read(others, 2)] * 4 + [read(FOUR, 1)] * 4)
    assert {one.verdict for one in found} == {DIFFERS}
    assert {tuple(codes(one)) for one in found} == {("tables-exchanged",)}
    assert {one.total for one in found} == {None}


@pytest.mark.parametrize("letters", ["ABCD", ""])
def test_an_old_photo_is_that_of_its_round_and_table(letters: str) -> None:
    def claims(*totals: int) -> list[Claim]:
        return list(zip(letters, totals, strict=True)) if letters else list(totals)

    players = [
        *lines(*claims(46, 54, 41, 40), photo="a.jpg", round="1", game="3"),
        *lines(*claims(30, 36, 39, 59), photo="b.jpg", round="4", game="2"),
    ]
    found = judge(players, [read(FOUR, 1)] * 8)
    assert [one.verdict for one in found] == [AGREES] * 4 + [OPEN] * 4
    assert {tuple(codes(one)) for one in found[4:]} == {("photo-of-table",)}
    assert {one.text() for one in found[4:]} == {
        "this is the photo of round 1, table 3; that of this table is missing"
    }
    assert [one.total for one in found[4:]] == [None] * 4


def test_two_tables_that_share_a_photo_say_one_thing() -> None:
    players = [
        *lines(46, 54, 40, 33, photo="a.jpg", round="1", game="3"),
        *lines(30, 36, 39, 59, photo="a.jpg", round="1", game="2"),
    ]
    found = judge(players, [read(FOUR, 1)] * 8)
    assert {one.verdict for one in found} == {OPEN}
    assert len({one.text() for one in found}) == 2
    assert {tuple(codes(one)) for one in found} == {("photo-shared",)}


# ---------------------------------------------------------------------- random sheets

Judge = Callable[[list[SheetLine], list[PhotoResult]], list[LineVerdict]]


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
        claims = lines(*sheet.claims)
        found = judged(claims, [sheet.photo] * len(claims))
        # What is said to hold as far as the claims tell, of a table with one miscount.
        beside_a_difference = any(one.verdict is DIFFERS for one in found)
        for one, (letter, total), truth in zip(found, sheet.claims, sheet.truths, strict=True):
            if one.verdict is not AGREES or (one.by_claims and beside_a_difference):
                continue
            agreed += 1
            false += total != truth and bool(letter or not sheet.can_all_be_right())
    return false, agreed


def test_no_false_agreement_in_a_thousand_random_sheets() -> None:
    false, agreed = false_agreements(judge_photo)
    assert false == 0
    assert agreed > 1_000


def judged_by_any_kingdom(claims: list[SheetLine], photos: list[PhotoResult]) -> list[LineVerdict]:
    """A claim agrees with whatever kingdom has it."""
    totals = {kingdom.score for kingdom in photos[0].kingdoms}
    return [
        LineVerdict(line=line, verdict=AGREES if line.claimed in totals else OPEN)
        for line in claims
    ]


def judged_by_number(claims: list[SheetLine], photos: list[PhotoResult]) -> list[LineVerdict]:
    """A claim agrees where no more lines make it than kingdoms have it."""
    totals = Counter(one.score for one in photos[0].kingdoms)
    made = Counter(line.claimed for line in claims)
    return [
        LineVerdict(
            line=line,
            verdict=AGREES if line.claimed and made[line.claimed] <= totals[line.claimed] else OPEN,
        )
        for line in claims
    ]


@pytest.mark.parametrize("judged", [judged_by_any_kingdom, judged_by_number])
def test_the_random_sheets_catch_a_judge_that_is_too_kind(judged: Judge) -> None:
    assert false_agreements(judged)[0] > 50
