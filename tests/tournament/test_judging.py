"""Claims held against kingdoms: who has which one, what agrees, and what people decided."""

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace

from kdvision.errors import ExitCode
from kdvision.reading import Colour, Doubt, DoubtCode
from kdvision.result import PhotoResult, Status
from kdvision.rules.kingdom import CASTLE, Kingdom, parse_cell
from kdvision.sentences import Sentence
from kdvision.tournament.counting import count_once
from kdvision.tournament.fixes import CLEAR_SQUARE, place_fixes
from kdvision.tournament.judging import Verdict, Word, judge_claim, judge_rows
from kdvision.tournament.matching import Clue, Match, match_rows
from kdvision.tournament.rows import Row
from tests.support.results import DOUBTFUL, DOUBTFUL_PHOTO, FULL, FULL_TOTAL, PHOTO, read_kingdom
from tests.support.totals import table

LEFT = "Only kingdom D is left for this row; add a colour to be certain."
AGREES = Word.AGREES
DIFFERS = Word.DIFFERS
OPEN = Word.CANNOT_TELL
BAD = Word.BAD_ROW
SETTLED = Word.SETTLED
FOUR = table(46, 54, 41, 40)
COLOURED = table(46, 54, 41, 40, colours="pink yellow green blue")


def make_rows(*claims: str, **about: str) -> list[Row]:
    """Rows of one photo: a claim, with the letter or the colour of the kingdom before it."""
    made = []
    for number, claim in enumerate(claims, 2):
        *named, claimed = claim.split(" ") if claim else [""]
        cells = {"photo": "table.jpg", "player": f"P{number}", "claimed": claimed, **about}
        for word in named:
            cells["kingdom" if len(word) == 1 else "colour"] = word
        made.append(Row.of(cells, position=number))
    return made


def judged(photo: PhotoResult, *claims: str) -> list[Verdict]:
    return judge_photo(make_rows(*claims), photo)


def judge_photo(rows: Sequence[Row], photo: PhotoResult) -> list[Verdict]:
    """Judge the rows of one photo."""
    photos = [photo] * len(rows)
    return judge_rows(rows, photos, match_rows(rows, photos))


@pytest.mark.parametrize(
    ("photo", "claims", "expected"),
    [
        (FOUR, "46,54,41,40", [AGREES] * 4),
        (FOUR, "40,41,54,46", [AGREES] * 4),
        # Whatever one row says, it opens no other; where one kingdom is left, that is its own.
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
        (table(8), "9,18", [OPEN, OPEN]),
        (FOUR, "A 46,B 54,C 41,33,34", [AGREES] * 3 + [OPEN] * 2),
        # Letters.
        (FOUR, "A 46,B 54,C 41,D 40", [AGREES] * 4),
        (FOUR, "A 54,B 54,C 54,D 54", [DIFFERS, AGREES, DIFFERS, DIFFERS]),
        (FOUR, "B 54", [AGREES]),
        (FOUR, "A 46,A 54,C 41,D 40", [AGREES, AGREES, AGREES, AGREES]),
        (FOUR, "B 54,B 54,B 33", [OPEN, OPEN, OPEN]),
        (FOUR, "E 54,A 46,C 41,D 40", [AGREES, AGREES, AGREES, AGREES]),
        (FOUR, "B 46,54,41,40", [DIFFERS, OPEN, AGREES, AGREES]),
        (FOUR, "B 54,A 46,C 41,30", [AGREES, AGREES, AGREES, DIFFERS]),
        (table(8), "A 8", [AGREES]),
        # The colour of the castle; a letter that contradicts it leaves the row open.
        (COLOURED, "pink 46,gelb 54,vert 41,blue 40", [AGREES] * 4),
        (COLOURED, "pink B 46,yellow B 54", [OPEN, AGREES]),
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
        (
            "46,54,41,40",
            0,
            46,
            "Matched to kingdom A by its claimed total; add a",
        ),
        (
            "A 46,B 54,C 41,50",
            3,
            40,
            f"{LEFT} Claimed 50, read 40: ",
        ),
        ("A 46,B 54,C 41,D 46", 3, 40, "46 is the total of kingdom A of this photo. Claimed 46, "),
        ("46,54,41,", 3, 40, "Nothing is claimed. Only kingdom D is left for this row; add"),
        (
            "46,54,41,n/a",
            3,
            40,
            f"{LEFT} Claimed is 'n/a'; write a number",
        ),
        ("B 54,B 54", 0, None, "Row 3 (P3) names kingdom B (54) as well, and a kingdom has "),
        ("B 54," * 7 + "B 54", 0, None, "Rows 3 (P3), 4 (P4), 5 (P5), 6 (P6), 7 (P7) name king"),
        ("54", 0, None, "The kingdom of this row is open; it may be B (54). Write its "),
        (
            "A 46,B 54,C 41,33,34",
            3,
            None,
            "No remaining kingdom has 33 points: D (40). There are more rows than kingdoms left",
        ),
        ("33", 0, None, "No remaining kingdom has 33 points: A (46), B (54), C (41)"),
        ("46,54,41,40,33", 4, None, "Every kingdom of the photo belongs to another row: is it"),
        ("E 54,A 46,C 41,D 40", 0, 54, "There is no kingdom E: the photo shows 4 kingdoms."),
    ],
)
def test_sentences_of_claims(claims: str, at: int, counts: int | None, sentence: str) -> None:
    verdict = judged(FOUR, *claims.split(","))[at]
    assert verdict.counts == counts
    assert verdict.text().startswith(sentence), verdict.text()
    assert verdict.text("de") != verdict.text()


def test_impossible_claim_of_a_doubtful_kingdom_differs() -> None:
    _, verdict = judged(table(46, 54, doubtful={1: [(44, 0.2)]}), "46", "53")
    assert verdict.text().startswith("Only kingdom B is left for this row;")
    assert "The total is doubtful, but 53 is not among the likely ones." in verdict.text()


def test_row_without_player_has_its_number() -> None:
    named, nameless = make_rows("B 54", "B 54")
    verdict, _ = judge_photo([named, replace(nameless, player="")], FOUR)
    assert verdict.text().startswith("Row 3 names kingdom B (54) as well")


def test_unscored_kingdom_leaves_its_claim_open() -> None:
    (verdict,) = judged(table(54, unscored={0}), "54")
    assert (verdict.word, verdict.score, verdict.counts) == (OPEN, None, None)
    assert verdict.text() == f"The kingdom cannot be scored. {Doubt(DoubtCode.DARK).message}"


def test_left_out_kingdom_may_fit_a_claim() -> None:
    left_out = Doubt(DoubtCode.SMALLER_LEFT_OUT, fields={"number": 9, "where": "where.top-left"})
    photo = replace(table(8, 23), left_out=(left_out,))
    (verdict,) = judged(photo, "50")
    assert (verdict.word, verdict.counts) == (OPEN, None)
    assert verdict.text().startswith("No remaining kingdom has 50 points: A (8), B (23). ")
    assert left_out.sentence.text() in verdict.text()
    # A row that names its kingdom can be told, and not one that has the only one.
    assert judged(photo, "A 50")[0].word is DIFFERS
    (alone,) = judged(replace(photo, kingdoms=photo.kingdoms[:1]), "50")
    assert alone.word is OPEN and alone.text().startswith("Claimed 50, read 8: ")


def test_accepted_total_settles_what_was_left_out() -> None:
    left_out = Doubt(DoubtCode.SMALLER_LEFT_OUT, fields={"number": 9, "where": "where.top-left"})
    photo = replace(table(8), left_out=(left_out,))
    agreed, accepted = judge_photo([Row.of({"claimed": "8"}), Row.of({"accept": "30"})], photo)
    assert (agreed.word, agreed.exit_code) == (AGREES, ExitCode.DOUBTFUL)
    assert (accepted.word, accepted.exit_code) == (SETTLED, ExitCode.SURE)


def test_wrong_photo_opens_no_other_table() -> None:
    mine = make_rows("46", "54", "41", "40", round="1", game="1")
    stray = make_rows("46", round="1", game="2")
    verdicts = judge_photo([*mine, *stray], FOUR)
    assert [verdict.word for verdict in verdicts] == [AGREES] * 4 + [OPEN]
    # What nobody at the table claims is another table's as well as any.
    stray = make_rows("40", round="1", game="2")
    verdicts = judge_photo([*mine[:3], *stray], FOUR)
    assert [verdict.word for verdict in verdicts] == [AGREES] * 4


def test_row_without_photo_says_so() -> None:
    row, lost = make_rows("46", "54")
    row = Row.of({"player": "Ann", "claimed": "46"})
    verdicts = judge_rows([row, lost], [None, None], [Match(Clue.OPEN)] * 2)
    assert [verdict.text() for verdict in verdicts] == [
        "There is no photo yet.",
        "Photo not found: table.jpg.",
    ]
    assert [verdict.word for verdict in verdicts] == [OPEN, OPEN]


def test_doubts_are_said_in_both_languages() -> None:
    (verdict,) = judge_photo(make_rows("23"), DOUBTFUL_PHOTO)
    assert verdict.word is OPEN and verdict.counts is None
    assert verdict.text().startswith("The likeliest total is 23 (81 %), but others are possible.")
    assert verdict.text("de").startswith("Die wahrscheinlichste Summe ist 23")


# ---------------------------------------------------------------------- whose it is


ALIKE = "C W1 W W/G G2 G -/F F F1 -"


@pytest.mark.parametrize(
    ("lines", "before", "letter", "index", "clue"),
    [
        # What was read before names the kingdom; of two that are alike another clue does.
        ((ALIKE, "C F1 F"), "C F1 F", "", 1, Clue.READING),
        ((ALIKE, ALIKE), ALIKE, "", None, Clue.OPEN),
        ((ALIKE, ALIKE), ALIKE, "B", 1, Clue.READING),
        ((ALIKE, ALIKE, "C F1 F"), ALIKE, "C", 2, Clue.LETTER),
        ((ALIKE, "C F1 F"), "C L1 L", "B", 1, Clue.LETTER),
    ],
)
def test_reading_names_its_kingdom(
    lines: Sequence[str], before: str, letter: str, index: int | None, clue: Clue
) -> None:
    photo = PhotoResult("table.jpg", Status.SURE, (), tuple(map(read_kingdom, lines)))
    cells = {"photo": "table.jpg", "claimed": "99", "kingdom": letter}
    row = Row.of(cells, reading=Kingdom.parse(before))
    (match,) = match_rows([row], [photo])
    assert (match.index, match.clue) == (index, clue)
    (verdict,) = judge_photo([row], photo)
    is_another = clue is Clue.LETTER
    assert ("another kingdom than before" in verdict.text()) is is_another


@pytest.mark.parametrize("quarters", range(4))
def test_turned_photo_keeps_its_rows(quarters: int) -> None:
    """Other letters, other claims, a square misread: what was read before decides."""
    before = [read_kingdom(FULL), read_kingdom(DOUBTFUL.line)]
    turned = [read_kingdom(str(result.kingdom.turned(quarters))) for result in reversed(before)]
    photo = PhotoResult("t.jpg", Status.SURE, (), tuple(turned))
    players = [
        Row.of({"photo": "t.jpg", "claimed": claim}, reading=result.kingdom)
        for claim, result in zip(("23", "123"), before, strict=True)
    ]
    verdicts = judge_photo(players, photo)
    assert [verdict.score for verdict in verdicts] == [FULL_TOTAL, 23]
    assert [verdict.index for verdict in verdicts] == [1, 0]
    assert "by what was read earlier; add a colour to be certain" in verdicts[0].text()


@pytest.mark.parametrize(("misread", "is_known"), [(4, True), (5, False)])
def test_reading_names_a_kingdom_from_four_fifths(misread: int, is_known: bool) -> None:
    """Of 25 squares; the claim is that of the other kingdom."""
    cells = dict(Kingdom.parse(FULL).cells())
    for at in [at for at, cell in cells.items() if cell is not CASTLE][:misread]:
        cells[at] = parse_cell("S3")
    before = Kingdom.of_cells(cells)
    photo = PhotoResult("t.jpg", Status.SURE, (), (read_kingdom(FULL), FOUR.kingdoms[1]))
    row = Row.of({"photo": "t.jpg", "claimed": "54"}, reading=before)
    (match,) = match_rows([row], [photo])
    assert match == (Match(Clue.READING, 0) if is_known else Match(Clue.CLAIMS, 1))


@pytest.mark.parametrize(
    ("cells", "contradicting"),
    [
        ({"colour": "yellow"}, "colour"),
        ({"colour": "blue"}, "colour"),
        ({"kingdom": "B"}, "kingdom"),
        ({"colour": "pink", "kingdom": "A"}, ""),
        ({"kingdom": "E"}, ""),
    ],
)
def test_contradicting_clues_leave_the_row_open(cells: dict[str, str], contradicting: str) -> None:
    """The reading lies in the pink kingdom A; the rows beside it stay as they are."""
    rival = replace(read_kingdom(DOUBTFUL.line), colour=Colour.YELLOW)
    pink = replace(read_kingdom(FULL), colour=Colour.PINK)
    photo = PhotoResult("t.jpg", Status.SURE, (), (pink, rival))
    row = Row.of({"photo": "t.jpg", **cells, "claimed": "123"}, reading=pink.kingdom)
    neighbour = Row.of({"photo": "t.jpg", "claimed": "23"}, reading=rival.kingdom)
    verdict, beside = judge_photo([row, neighbour], photo)
    assert beside.word is AGREES
    if contradicting:
        assert (verdict.word, verdict.counts, verdict.index) == (OPEN, None, None)
        assert f"reading names kingdom A, but the column {contradicting} contr" in verdict.text()
    else:
        assert (verdict.word, verdict.counts) == (AGREES, 123)


def test_claim_takes_no_other_colour() -> None:
    photo = table(46, 54, 41, colours="pink yellow green")
    verdicts = judged(photo, "blue 46", "54", "41")
    assert [verdict.word for verdict in verdicts] == [OPEN, AGREES, AGREES]


def test_exchanged_claims_settle_nothing() -> None:
    """Was the claim exchanged, or the kingdom? Ann has the pink castle, Ben what is left."""
    ann, ben = judged(table(46, 54, colours="pink yellow"), "pink 54", "46")
    assert (ann.word, ann.counts) == (DIFFERS, 46)
    assert (ben.word, ben.counts) == (OPEN, None)
    assert "were the claims exchanged, or the kingdoms?" in ben.text()
    _, named = judged(table(46, 54, colours="pink yellow"), "pink 54", "yellow 46")
    assert (named.word, named.counts) == (DIFFERS, 54)


# ---------------------------------------------------------------------- what people decided


@pytest.mark.parametrize(
    ("cells", "word", "counts", "said"),
    [
        ({"accept": "110"}, SETTLED, 110, "110 was accepted. The photo shows 123."),
        ({"accept": "110", "claimed": ""}, SETTLED, 110, "110 was accepted. The photo shows 123."),
        ({"accept": "110", "note": "Kim"}, SETTLED, 110, "110 was accepted (Kim). The photo"),
        ({"accept": "110", "fix": "a1=F"}, SETTLED, 110, "110 was accepted. The photo shows 123."),
        ({"accept": "claim"}, BAD, None, "Accept is 'claim'; write a number from 0 to 999."),
    ],
)
def test_accepted_total_always_counts(
    cells: dict[str, str], word: Word, counts: int | None, said: str
) -> None:
    verdict = judge_claim(Row.of({"claimed": "99", **cells}), read_kingdom(FULL))
    assert (verdict.word, verdict.counts) == (word, counts)
    assert verdict.text().startswith(said)


@pytest.mark.parametrize(
    ("fix", "text"),
    [
        # b1 is a mine with two crowns, and reads clearly.
        (
            "b1=W",
            "B1 is clearly M2 (mine): is this the correction of another photo? If it is right, "
            "accept 123.",
        ),
        ("c3=W", "C3 is clearly C (castle): is this"),
        ("b1=M2", ""),
        # c1 does not read clearly, and beside the kingdom there may be anything.
        ("c1=W", ""),
        ("c0=W", ""),
    ],
)
def test_correction_of_a_clear_square_asks(fix: str, text: str) -> None:
    kingdom = read_kingdom(FULL, unsure={(0, 2): 0.98})
    photo = PhotoResult("t.jpg", Status.SURE, (), (kingdom,))
    row = Row.of({"photo": "t.jpg", "claimed": "123", "fix": fix})
    fixes, rows, matches = place_fixes([row], match_rows([row], [photo]), photo)
    (verdict,) = judge_rows(rows, [photo], matches)
    assert verdict.text().startswith(text) and len(fixes) == 1
    assert (verdict.word, verdict.counts) == ((OPEN, None) if text else (AGREES, 123))


@pytest.mark.parametrize("photo", [DOUBTFUL_PHOTO, table(54, unscored={0})])
def test_doubtful_total_is_not_offered(photo: PhotoResult) -> None:
    """Beside a correction that contradicts the photo the squares to check are still named."""
    doubt = Sentence(CLEAR_SQUARE, {"place": "b1", "square": "W", "terrain": "terrain.wheat"})
    match = Match(Clue.REST, 0, doubt=doubt)
    (verdict,) = judge_rows(make_rows("9"), [photo], [match])
    left = photo.kingdoms[0].doubt
    assert verdict.word is OPEN and left
    assert verdict.reasons == (doubt, left.sentence)


def test_settling_square_is_never_clear() -> None:
    kingdom = replace(read_kingdom(FULL), fixes=(((0, 1), "M2"),))
    photo = PhotoResult("t.jpg", Status.SURE, (), (kingdom,))
    row = Row.of({"photo": "t.jpg", "fix": "b1=W"})
    fixes, _, _ = place_fixes([row], match_rows([row], [photo]), photo)
    assert [*fixes.values()] == ["W"]


@pytest.mark.parametrize(
    ("cells", "word", "counts"),
    [
        ({"claimed": "8"}, AGREES, 8),
        # Only the cell is open: the total is what it is.
        ({"claimed": "8?"}, BAD, 8),
        ({"claimed": "8", "colour": "violet"}, BAD, 8),
        ({"claimed": "8", "size": "6"}, BAD, 8),
        # No bonus is earned, so it does not matter whether one is in play.
        ({"claimed": "8", "harmony": "perhaps"}, BAD, 8),
        ({"claimed": "8", "fix": "a1"}, BAD, None),
        ({"claimed": "8", "accept": "photo"}, BAD, None),
    ],
)
def test_bad_cell_opens_only_its_total(
    cells: dict[str, str], word: Word, counts: int | None
) -> None:
    (verdict,) = judge_photo([Row.of({"photo": "table.jpg", **cells})], table(8))
    assert (verdict.word, verdict.counts) == (word, counts)


def test_unknown_bonus_opens_the_total() -> None:
    photo = PhotoResult("t.jpg", Status.SURE, (), (read_kingdom(FULL),))
    (verdict,) = judge_photo([Row.of({"photo": "t.jpg", "harmony": "perhaps"})], photo)
    assert (verdict.word, verdict.counts) == (BAD, None)


# ---------------------------------------------------------------------- two photos


def of_two_photos(
    first: Row, second: Row, scores: Sequence[PhotoResult] = (PHOTO, PHOTO)
) -> list[Verdict]:
    pairs = zip((first, second), scores, strict=True)
    return count_once([verdict for row, photo in pairs for verdict in judge_photo([row], photo)])


def ann(photo: str, claimed: str = "23", **more: str) -> Row:
    cells = {"photo": photo, "player": "Ann", "claimed": claimed, **more}
    return Row.of(cells, position=2 if photo == "a.jpg" else 3)


def test_surer_photo_counts() -> None:
    doubtful = PhotoResult("b.jpg", Status.DOUBTFUL, (), (DOUBTFUL,))
    verdicts = of_two_photos(ann("a.jpg"), ann("b.jpg"), (doubtful, PHOTO))
    assert [verdict.counts for verdict in verdicts] == [None, 23]
    assert verdicts[0].text().startswith("The kingdom counts in row 3 (Ann) (b.jpg).")
    assert not verdicts[1].is_open


def test_two_sure_photos_may_differ() -> None:
    more = DOUBTFUL.line.replace("L1", "L2", 1)
    rival = PhotoResult("b.jpg", Status.SURE, (), (read_kingdom(more),))
    verdicts = of_two_photos(ann("a.jpg"), ann("b.jpg"), (PHOTO, rival))
    assert sorted(verdict.counts or 0 for verdict in verdicts)[0] == 0
    said = "(a.jpg) shows 23 for the same", "(b.jpg) shows 28 for the same"
    assert said[1] in verdicts[0].text() and said[0] in verdicts[1].text()
    assert "for the same" not in of_two_photos(ann("a.jpg"), ann("b.jpg"))[1].text()


OTHER_TURNED = str(Kingdom.parse(str(PHOTO.kingdoms[0].kingdom)).turned(2))


@pytest.mark.parametrize("rival", [{"player": "Ben"}, {"round": "2"}])
def test_kingdom_of_two_players_counts_for_neither(rival: dict[str, str]) -> None:
    turned = PhotoResult("b.jpg", Status.SURE, (), (read_kingdom(OTHER_TURNED),))
    verdicts = of_two_photos(ann("a.jpg"), ann("b.jpg", **rival), (PHOTO, turned))
    assert [(verdict.word, verdict.counts) for verdict in verdicts] == [(OPEN, None)] * 2
    assert "b.jpg" in verdicts[0].text() and "a.jpg" in verdicts[1].text()


def test_settled_kingdom_of_two_players_counts() -> None:
    """What a person accepted stands, and names the other player."""
    turned = PhotoResult("b.jpg", Status.SURE, (), (read_kingdom(OTHER_TURNED),))
    settled = ann("a.jpg", accept="23")
    first, second = of_two_photos(settled, ann("b.jpg", player="Ben"), (PHOTO, turned))
    assert (first.word, first.counts) == (SETTLED, 23)
    assert (second.word, second.counts) == (OPEN, None)
    assert "Row 3 (Ben), b.jpg has the same kingdom" in first.text()


@pytest.mark.parametrize(("ninth", "counts"), [("-", 8), ("F", None)])
def test_small_kingdoms_may_be_alike(ninth: str, counts: int | None) -> None:
    kingdom = read_kingdom(f"C W1 W W W/W W W W {ninth}")
    photo = PhotoResult("a.jpg", Status.SURE, (), (kingdom,))
    verdicts = of_two_photos(ann("a.jpg", "8"), ann("b.jpg", "8", player="Ben"), (photo, photo))
    assert [verdict.counts for verdict in verdicts] == [counts, counts]


# ---------------------------------------------------------------------- random sheets


class RandomSheet(Struct, frozen=True):
    """The rows of one photo: what is read, what is claimed, and the truth of every row."""

    photo: PhotoResult
    claims: list[tuple[str, int]]
    truths: list[int]
    possible: list[set[int]]

    def can_all_be_right(self) -> bool:
        """Whether the kingdoms can be given to the rows so that every claim may be right."""
        letters = [letter for letter, _ in self.claims]
        free = [n for n in range(len(self.possible)) if chr(ord("A") + n) not in letters]
        without = [total for letter, total in self.claims if not letter]
        for order in permutations(free, len(without)):
            pairs = zip(without, order, strict=True)
            if all(total in self.possible[n] for total, n in pairs):
                return True
        return False


@cache
def random_sheets(count: int) -> tuple[RandomSheet, ...]:
    """Sheets with rows missing and wrong, with letters and without.

    One kingdom in ten is doubtful, and has its other total three times of ten. Totals are small,
    so that many wrong claims are the total of somebody else.
    """
    rng = Random(16)
    sheets = []
    for _ in range(count):
        # What is read of the kingdoms, and what they truly have.
        totals = [rng.randint(1, 12) for _ in range(rng.randint(1, 5))]
        second_totals = {n: rng.randint(13, 20) for n in range(len(totals)) if rng.random() < 0.1}
        photo = table(*totals, doubtful={n: [(rival, 0.3)] for n, rival in second_totals.items()})
        right = {n: rival for n, rival in second_totals.items() if rng.random() < 0.3}
        truth = [right.get(n, total) for n, total in enumerate(totals)]
        # The rows, in any order: some with a letter, some with a wrong claim.
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


def test_random_sheets_never_agree_falsely() -> None:
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
            by_claims = not letter and "by its claimed total" in verdict.text()
            if by_claims and is_beside_a_difference:
                continue
            agreed += 1
            false += total != truth and bool(letter or not sheet.can_all_be_right())
    assert false == 0
    assert agreed > 1_000
