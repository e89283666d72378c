"""Claims held against kingdoms: who has which one, what agrees, and what people decided."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations
from random import Random

import pytest
from kdvision.tournament.owners import Clue, Owner, assign, place_fixes
from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import FixPlace
from kdvision.result import PhotoResult, Status
from kdvision.rules.kingdom import Kingdom
from kdvision.tournament.columns import Decision, Line
from kdvision.tournament.judging import Verdict, Word, count_once, judge_claim, judge_lines
from tests.support.results import DOUBTFUL, DOUBTFUL_PHOTO, FULL, FULL_TOTAL, PHOTO, read_kingdom
from tests.support.totals import table

AGREES, DIFFERS, OPEN, BAD = Word.AGREES, Word.DIFFERS, Word.CANNOT_TELL, Word.BAD_LINE
SETTLED = Word.SETTLED
FOUR = table(46, 54, 41, 40)
COLOURED = table(46, 54, 41, 40, colours="pink yellow green blue")


def lines(*claims: str, **about: str) -> list[Line]:
    """Lines of one photo: a claim, with the letter or the colour of the kingdom before it."""
    made = []
    for number, claim in enumerate(claims, 2):
        *named, claimed = claim.split(" ") if claim else [""]
        cells = {"photo": "table.jpg", "player": f"P{number}", "claimed": claimed, **about}
        for word in named:
            cells["kingdom" if len(word) == 1 else "colour"] = word
        made.append(Line.of({name: text for name, text in cells.items() if text}, number))
    return made


def judged(photo: PhotoResult, *claims: str) -> list[Verdict]:
    return judge_photo(lines(*claims), photo)


def judge_photo(lines: Sequence[Line], photo: PhotoResult) -> list[Verdict]:
    """Judge the lines of one photo."""
    photos = [photo] * len(lines)
    return judge_lines(lines, photos, assign(lines, photos))


@pytest.mark.parametrize(
    ("photo", "claims", "expected"),
    [
        (FOUR, "46,54,41,40", [AGREES] * 4),
        (FOUR, "40,41,54,46", [AGREES] * 4),
        # Whatever one line says, it opens no other; where one kingdom is left, that is its own.
        (FOUR, "46,54,41,50", [AGREES, AGREES, AGREES, DIFFERS]),
        (FOUR, "46,54,41,04", [AGREES, AGREES, AGREES, DIFFERS]),
        (FOUR, "46,54,41,n/a", [AGREES, AGREES, AGREES, BAD]),
        (FOUR, "46,54,41,", [AGREES, AGREES, AGREES, OPEN]),
        (FOUR, "46,54,41", [AGREES] * 3),
        (FOUR, "46,54,43,39", [AGREES, AGREES, DIFFERS, DIFFERS]),
        (FOUR, "46,54,,", [AGREES, AGREES, OPEN, OPEN]),
        # Two claim one total: which of them is right is open.
        (FOUR, "54,54,41,40", [OPEN, OPEN, AGREES, AGREES]),
        (FOUR, "54,54,54,54", [OPEN] * 4),
        (table(46, 54, 54, 40), "54,46,54,40", [OPEN, AGREES, OPEN, AGREES]),
        (table(46, 54, 54, 40), "54,54,54,40", [OPEN, OPEN, OPEN, AGREES]),
        # One claim of four may as well be the mistake of another player.
        (FOUR, "54", [OPEN]),
        (FOUR, "33", [DIFFERS]),
        # More lines than kingdoms: one photo is not theirs.
        (FOUR, "46,54,41,40,33", [AGREES] * 4 + [OPEN]),
        (table(8), "8,8", [OPEN, OPEN]),
        (table(8), "8,18", [AGREES, OPEN]),
        # Letters.
        (FOUR, "A 46,B 54,C 41,D 40", [AGREES] * 4),
        (FOUR, "A 54,B 54,C 54,D 54", [DIFFERS, AGREES, DIFFERS, DIFFERS]),
        (FOUR, "B 54", [AGREES]),
        (FOUR, "A 46,A 54,C 41,D 40", [AGREES, AGREES, AGREES, AGREES]),
        (FOUR, "B 54,B 54,B 33", [OPEN, OPEN, OPEN]),
        (FOUR, "E 54,A 46,C 41,D 40", [AGREES, AGREES, AGREES, AGREES]),
        (FOUR, "B 46,54,41,40", [DIFFERS, DIFFERS, AGREES, AGREES]),
        (FOUR, "B 54,A 46,C 41,30", [AGREES, AGREES, AGREES, DIFFERS]),
        (table(8), "A 8", [AGREES]),
        # The colour of the castle goes before the letter.
        (COLOURED, "pink 46,gelb 54,vert 41,blue 40", [AGREES] * 4),
        (COLOURED, "pink B 46,yellow A 54", [AGREES, AGREES]),
        (COLOURED, "blue 46", [DIFFERS]),
        (COLOURED, "yellow 54,B 46", [AGREES, OPEN]),
        (FOUR, "pink 46,54,41,40", [AGREES] * 4),
        # A doubtful kingdom that may have a claimed total keeps it open.
        (table(46, 54, doubtful={1: [(46, 0.2)]}), "46,54", [OPEN, OPEN]),
        (table(46, 54, doubtful={1: [(44, 0.2)]}), "46,54", [AGREES, OPEN]),
        (table(46, 54, doubtful={1: [(44, 0.2)]}), "46,53", [AGREES, DIFFERS]),
        (table(46, 54, doubtful={1: [(46, 0.009)]}), "46,54", [AGREES, OPEN]),
        (table(46, 54, doubtful={1: [(46, 0.011)]}), "46,54", [OPEN, OPEN]),
        (table(46, 54, unscored={1}), "A 46,B 54", [AGREES, OPEN]),
        (table(54, unscored={0}), "54", [OPEN]),
    ],
)
def test_verdicts(photo: PhotoResult, claims: str, expected: list[Word]) -> None:
    assert [verdict.word for verdict in judged(photo, *claims.split(","))] == expected


@pytest.mark.parametrize(
    ("claims", "at", "counts", "sentence"),
    [
        ("46,54,41,40", 0, 46, "Kingdom A, as far as the claims tell."),
        ("A 46,B 54,C 41,50", 3, 40, "Only kingdom D is left. Claimed 50, read 40: "),
        ("A 46,B 54,C 41,D 46", 3, 40, "46 is the total of kingdom A of this photo. Claimed 46, "),
        ("46,54,41,", 3, 40, "Nothing is claimed. Only kingdom D is left."),
        ("46,54,41,n/a", 3, 40, "Only kingdom D is left. Claimed is 'n/a'; write a number"),
        ("B 54,B 54", 0, None, "Line 3 (P3) names kingdom B (54) as well, and it has only one "),
        ("B 54," * 7 + "B 54", 0, None, "Line 3 (P3), 4 (P4), 5 (P5), 6 (P6), 7 (P7) names king"),
        ("54", 0, None, "It may be one of these kingdoms: B (54). Write its letter in the"),
        ("33", 0, None, "None of the kingdoms that are left has 33: A (46), B (54), C (41)"),
        ("46,54,41,40,33", 4, None, "Every kingdom of the photo belongs to another line: is it"),
        ("E 54,A 46,C 41,D 40", 0, 54, "There is no kingdom E: the photo shows 4 kingdoms."),
    ],
)
def test_what_is_said(claims: str, at: int, counts: int | None, sentence: str) -> None:
    verdict = judged(FOUR, *claims.split(","))[at]
    assert verdict.counts == counts
    assert verdict.text().startswith(sentence), verdict.text()
    assert verdict.text("de") != verdict.text()


def test_a_claim_that_a_doubtful_kingdom_cannot_have_differs_and_both_are_said() -> None:
    _, verdict = judged(table(46, 54, doubtful={1: [(44, 0.2)]}), "46", "53")
    assert verdict.text().startswith("Only kingdom B is left.")
    assert "The total is doubtful, but 53 is none of the possible ones." in verdict.text()


def test_a_line_without_a_player_is_called_by_its_number() -> None:
    named, nameless = lines("B 54", "B 54")
    verdict, _ = judge_photo([named, replace(nameless, player="")], FOUR)
    assert verdict.text().startswith("Line 3 names kingdom B (54) as well")


def test_a_kingdom_that_cannot_be_scored_says_nothing_of_its_claim() -> None:
    (verdict,) = judged(table(54, unscored={0}), "54")
    assert (verdict.word, verdict.score, verdict.counts) == (OPEN, None, None)
    assert verdict.text() == "The kingdom cannot be scored. Dark."


def test_a_line_whose_rules_cannot_be_read_counts_nothing() -> None:
    cells = {"photo": "table.jpg", "claimed": "8", "size": "6"}
    (verdict,) = judge_photo([Line.of(cells, 2)], table(8))
    assert (verdict.word, verdict.score, verdict.counts) == (BAD, 8, None)


def test_a_wrong_photo_opens_no_line_of_the_table_whose_photo_it_is() -> None:
    mine = lines("46", "54", "41", "40", round="1", game="1")
    stray = lines("46", round="1", game="2")
    verdicts = judge_photo([*mine, *stray], FOUR)
    assert [verdict.word for verdict in verdicts] == [AGREES] * 4 + [OPEN]
    # What nobody at the table claims is another table's as well as any.
    stray = lines("40", round="1", game="2")
    verdicts = judge_photo([*mine[:3], *stray], FOUR)
    assert [verdict.word for verdict in verdicts] == [AGREES] * 4


def test_a_line_without_photo_says_so() -> None:
    line, lost = lines("46", "54")
    line = Line.of({"player": "Ann", "claimed": "46"}, 2)
    verdicts = judge_lines([line, lost], [None, None], [Owner(Clue.OPEN)] * 2)
    assert [verdict.text() for verdict in verdicts] == [
        "There is no photo yet.",
        "Photo not found: table.jpg.",
    ]
    assert [verdict.word for verdict in verdicts] == [OPEN, OPEN]


def test_the_doubt_of_a_kingdom_is_said_in_both_languages() -> None:
    (verdict,) = judge_photo(lines("23"), DOUBTFUL_PHOTO)
    assert verdict.word is OPEN and verdict.counts is None
    assert verdict.text().startswith("The likeliest total is 23 (81 %), but others are possible.")
    assert verdict.text("de").startswith("Die wahrscheinlichste Summe ist 23")


# ---------------------------------------------------------------------- whose it is


@pytest.mark.parametrize("quarters", range(4))
def test_a_line_keeps_its_kingdom_when_the_photo_is_turned(quarters: int) -> None:
    """Other letters, other claims, a square misread: what was read before decides."""
    before = [read_kingdom(FULL), read_kingdom(DOUBTFUL.line)]
    names = [str(kingdom.kingdom) for kingdom in before]
    turned = [read_kingdom(str(verdict.kingdom.turned(quarters))) for verdict in reversed(before)]
    photo = PhotoResult("t.jpg", Status.SURE, (), tuple(turned))
    players = [
        Line.of({"photo": "t.jpg", "reading": names[0], "kingdom": "A", "claimed": "23"}, 2),
        Line.of({"photo": "t.jpg", "reading": names[1], "kingdom": "B", "claimed": "123"}, 3),
    ]
    verdicts = judge_photo(players, photo)
    assert [verdict.score for verdict in verdicts] == [FULL_TOTAL, 23]
    assert [verdict.index for verdict in verdicts] == [1, 0]


def test_a_correction_moves_with_the_names_of_its_kingdom() -> None:
    before, now = "C W1 W/G G2 G/F F1 L", "S - - -/- C W1 W/- G G2 G/- F F1 L"
    moved = PhotoResult("t.jpg", Status.SURE, (), (read_kingdom(now, origin=(1, 2)),))
    made = {"fix": Decision("d5=L1", before, (2, 1))}
    line = replace(Line.of({"photo": "t.jpg", "fix": "d5=L1"}, 2), decisions=made)
    fixes, _ = place_fixes([line], [Owner(Clue.REST, 0)], moved)
    assert fixes == {FixPlace("", (4, 5)): "L1"}


# ---------------------------------------------------------------------- decisions


def decided(line: dict[str, str], made: Mapping[str, Decision] = {}, text: str = FULL) -> Verdict:
    kingdom = read_kingdom(text)
    claim = replace(Line.of({"claimed": "99", **line}), decisions=made)
    return judge_claim(claim, kingdom)


TURNED = str(Kingdom.parse(FULL).turned(1))
OTHER = str(DOUBTFUL.kingdom)
FOUR_FIFTHS = FULL.replace("W W W W1 L", "F F F F F")


@pytest.mark.parametrize(
    ("line", "made", "word", "counts"),
    [
        ({"accept": "photo"}, None, SETTLED, 123),
        ({"accept": "claim"}, None, SETTLED, 99),
        ({"accept": "110"}, None, SETTLED, 110),
        ({"accept": "110", "claimed": ""}, None, SETTLED, 110),
        ({"accept": "claim", "claimed": ""}, None, BAD, 123),
        # A decision stands for the kingdom that it was made for, however it lies.
        ({"accept": "110"}, Decision("110", TURNED, (0, 0), 123), SETTLED, 110),
        ({"accept": "photo"}, Decision("photo", TURNED, (0, 0), 123), SETTLED, 123),
        ({"accept": "110"}, Decision("110", OTHER, (0, 0), 23), DIFFERS, 123),
        ({"accept": "claim"}, Decision("claim", OTHER, (0, 0), 23), DIFFERS, 123),
        # Of which four squares of five are equal is another one.
        ({"accept": "110"}, Decision("110", FOUR_FIFTHS), DIFFERS, 123),
        # What the photo showed was accepted, and it shows something else now.
        ({"accept": "photo"}, Decision("photo", FULL, (0, 0), 118), DIFFERS, 123),
        # A number stands whatever the photo showed.
        ({"accept": "110"}, Decision("110", FULL, (0, 0), 118), SETTLED, 110),
        # It was made while nobody knew the kingdom.
        ({"accept": "110"}, Decision("110"), SETTLED, 110),
    ],
)
def test_a_decision_stands_for_what_it_was_made_for(
    line: dict[str, str], made: Decision | None, word: Word, counts: int
) -> None:
    verdict = decided(line, {"accept": made} if made else {})
    assert (verdict.word, verdict.counts) == (word, counts)


def test_a_decision_for_a_kingdom_whose_total_nobody_knew_says_so() -> None:
    verdict = decided({"accept": "110"}, {"accept": Decision("110", OTHER)})
    assert "when the photo showed ?; now it shows 123" in verdict.text()


def test_who_decided_stands_in_the_note() -> None:
    verdict = decided({"accept": "photo", "note": "Kim"})
    assert verdict.text() == "123, as read, was accepted (Kim)."


# ---------------------------------------------------------------------- two photos


def of_two_photos(
    first: Line, second: Line, scores: Sequence[PhotoResult] = (PHOTO, PHOTO)
) -> list[Verdict]:
    pairs = zip((first, second), scores, strict=True)
    return count_once([verdict for line, photo in pairs for verdict in judge_photo([line], photo)])


def ann(photo: str, claimed: str = "23", **more: str) -> Line:
    cells = {"photo": photo, "player": "Ann", "claimed": claimed, **more}
    return Line.of(cells, 2 if photo == "a.jpg" else 3)


def test_of_two_photos_of_one_kingdom_the_surer_counts() -> None:
    doubtful = PhotoResult("b.jpg", Status.DOUBTFUL, (), (DOUBTFUL,))
    verdicts = of_two_photos(ann("a.jpg"), ann("b.jpg"), (doubtful, PHOTO))
    assert [verdict.counts for verdict in verdicts] == [None, 23]
    assert verdicts[0].text().startswith("The kingdom counts in line 3 (Ann) (b.jpg).")
    assert not verdicts[1].is_open


def test_two_sure_photos_that_differ_are_said() -> None:
    more = DOUBTFUL.line.replace("L1", "L2", 1)
    rival = PhotoResult("b.jpg", Status.SURE, (), (read_kingdom(more),))
    verdicts = of_two_photos(ann("a.jpg"), ann("b.jpg"), (PHOTO, rival))
    assert sorted(verdict.counts or 0 for verdict in verdicts)[0] == 0
    said = "(a.jpg) shows 23 for the same", "(b.jpg) shows 28 for the same"
    assert said[1] in verdicts[0].text() and said[0] in verdicts[1].text()
    assert "for the same" not in of_two_photos(ann("a.jpg"), ann("b.jpg"))[1].text()


@pytest.mark.parametrize("rival", [{"player": "Ben"}, {"round": "2"}])
def test_a_kingdom_of_two_players_counts_for_neither(rival: dict[str, str]) -> None:
    turned = PhotoResult("b.jpg", Status.SURE, (), (read_kingdom(OTHER_TURNED),))
    verdicts = of_two_photos(ann("a.jpg"), ann("b.jpg", **rival), (PHOTO, turned))
    assert [(verdict.word, verdict.counts) for verdict in verdicts] == [(OPEN, None)] * 2
    assert "b.jpg" in verdicts[0].text() and "a.jpg" in verdicts[1].text()


OTHER_TURNED = str(Kingdom.parse(str(PHOTO.kingdoms[0].kingdom)).turned(2))


@pytest.mark.parametrize(("ninth", "counts"), [("-", 8), ("F", None)])
def test_small_kingdoms_may_be_alike(ninth: str, counts: int | None) -> None:
    kingdom = read_kingdom(f"C W1 W W W/W W W W {ninth}")
    photo = PhotoResult("a.jpg", Status.SURE, (), (kingdom,))
    verdicts = of_two_photos(ann("a.jpg", "8"), ann("b.jpg", "8", player="Ben"), (photo, photo))
    assert [verdict.counts for verdict in verdicts] == [counts, counts]


# ---------------------------------------------------------------------- random sheets


class RandomSheet(Struct, frozen=True):
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
        )


@cache
def random_sheets(count: int) -> tuple[RandomSheet, ...]:
    """Sheets with lines missing and wrong, with letters and without.

    One kingdom in ten is doubtful, and has its other total three times of ten. Totals are small,
    so that many wrong claims are the total of somebody else.
    """
    rng = Random(16)
    sheets = []
    for _ in range(count):
        totals = [rng.randint(1, 12) for _ in range(rng.randint(1, 5))]
        second_totals = {n: rng.randint(13, 20) for n in range(len(totals)) if rng.random() < 0.1}
        photo = table(*totals, doubtful={n: [(rival, 0.3)] for n, rival in second_totals.items()})
        right = {n: rival for n, rival in second_totals.items() if rng.random() < 0.3}
        truth = [right.get(n, total) for n, total in enumerate(totals)]
        owners = rng.sample(range(len(totals)), len(totals))
        most_wrong, with_letters = rng.choice([0, 0.2, 0.5]), rng.choice([0, 0.3, 1])
        claims = [
            (
                chr(ord("A") + owner) if rng.random() < with_letters else "",
                rng.choice([*totals, 6]) if rng.random() < most_wrong else truth[owner],
            )
            for owner in owners
        ]
        possible = [{total, second_totals.get(n, total)} for n, total in enumerate(totals)]
        sheets.append(RandomSheet(photo, claims, [truth[owner] for owner in owners], possible))
    return tuple(sheets)


def test_no_false_agreement_in_a_thousand_random_sheets() -> None:
    """Where the kingdom is named, or where all claims cannot be right together.

    Players who claim each other's totals cannot be told from players who do not; it is said that
    only the claims tell, and beside a claim that differs nobody is sure to be right.
    """
    false = agreed = 0
    for sheet in random_sheets(1_000):
        claims = [f"{letter} {total}".strip() for letter, total in sheet.claims]
        verdicts = judged(sheet.photo, *claims)
        is_beside_a_difference = any(verdict.word in (DIFFERS, OPEN) for verdict in verdicts)
        for verdict, (letter, total), truth in zip(
            verdicts, sheet.claims, sheet.truths, strict=True
        ):
            if verdict.word is not AGREES:
                continue
            by_claims = not letter and "as far as the claims tell" in verdict.text()
            if by_claims and is_beside_a_difference:
                continue
            agreed += 1
            false += total != truth and bool(letter or not sheet.can_all_be_right())
    assert false == 0
    assert agreed > 1_000
