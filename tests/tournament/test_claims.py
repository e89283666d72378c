"""Six hundred hand counts with typical mistakes, held against photos of four kingdoms each."""

from collections import Counter
from functools import cache
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace

from kdvision.reading import Colour
from kdvision.result import PhotoResult, Status
from kdvision.rules.rules import Rules
from kdvision.rules.scoring import ScoreSheet, score
from kdvision.tournament.counting import count_once
from kdvision.tournament.judging import Verdict, Word, judge_rows
from kdvision.tournament.matching import Clue, Match, match_rows
from kdvision.tournament.mistakes import find_slip, list_mistakes
from kdvision.tournament.rows import Row
from scripts.synthesis.players import Greedy, play_game
from tests.support.results import read_kingdom

TABLES = 150
SEATS = 4
RULES = Rules(harmony=True, middle_kingdom=True)
JUNK = ("n/a", "?", "46?", "54 (58)", "-", "viele", "9999")


class Claim(Struct):
    """One row: where it was played, its kingdom, and what was written down for it."""

    table: int
    colour: Colour
    sheet: ScoreSheet
    text: str

    @property
    def is_right(self) -> bool:
        return self.text == str(self.sheet.total)


@cache
def claims() -> tuple[Claim, ...]:
    """Half of the rows are right, the others wrong in one of six ways."""
    rng = Random(20)
    made = []
    for table in range(TABLES):
        sheets = [
            score(player.kingdom.trimmed(), RULES)
            for player in play_game([Greedy()] * SEATS, table).kingdoms
        ]
        texts = [write_claim(sheet, rng) for sheet in sheets]
        # Two players who stand in each other's row.
        if table % 5 == 0:
            first, second = rng.sample(range(SEATS), 2)
            texts[first], texts[second] = str(sheets[second].total), str(sheets[first].total)
        for colour, sheet, text in zip(Colour, sheets, texts, strict=True):
            made.append(Claim(table, colour, sheet, text))
    return tuple(made)


def write_claim(sheet: ScoreSheet, rng: Random) -> str:
    """Return what is written down: right, miscounted, with a slip of the pen, blank, or junk."""
    kind = rng.random()
    if kind < 0.5:
        return str(sheet.total)
    if kind < 0.8:
        return str(sheet.total + rng.choice(list(list_mistakes(sheet))).difference)
    if kind < 0.92:
        return str(rng.choice([n for n in range(400) if find_slip(sheet.total, n)]))
    return rng.choice(JUNK) if kind < 0.96 else ""


class Judged(Struct):
    """A row with its kingdom and its verdict."""

    claim: Claim
    match: Match
    verdict: Verdict


@cache
def judge(*, with_colours: bool) -> list[Judged]:
    """Judge all rows; each table is a photo, on which the kingdoms lie in any order."""
    rng = Random(3)
    rows: list[Row] = []
    photos, matches = [], []
    for table in range(TABLES):
        # The photo of the table.
        seats = claims()[SEATS * table : SEATS * (table + 1)]
        shown = [
            replace(
                read_kingdom(str(seat.sheet.kingdom), harmony=True, middle_kingdom=True),
                colour=seat.colour if with_colours else None,
            )
            for seat in rng.sample(seats, SEATS)
        ]
        photo = PhotoResult(f"{table}.jpg", Status.SURE, (), tuple(shown))
        # The rows of its players.
        own: list[Row] = []
        for seat in seats:
            colour = seat.colour if with_colours else ""
            cells = {"photo": photo.photo, "colour": colour, "claimed": seat.text}
            player = {"player": f"P{len(rows) + len(own)}", "game": str(table)}
            own.append(Row.of({**cells, **player}, RULES))
        rows += own
        photos += [photo] * SEATS
        matches += match_rows(own, [photo] * SEATS)
    verdicts = count_once(judge_rows(rows, photos, matches))
    return list(map(Judged, claims(), matches, verdicts))


def test_colours_give_no_false_agreement() -> None:
    """No wrong claim agrees, no total that counts is wrong, and all right claims agree."""
    judged = judge(with_colours=True)
    assert len(judged) == 600
    for row in judged:
        claim, verdict = row.claim, row.verdict
        assert (verdict.word is Word.AGREES) == claim.is_right, (claim.text, verdict.text())
        assert verdict.counts in (claim.sheet.total, None), verdict.text()
    words = Counter(row.verdict.word for row in judged)
    assert {*words} == {Word.AGREES, Word.DIFFERS, Word.CANNOT_TELL, Word.BAD_ROW}


def test_matched_claims_say_so() -> None:
    """Without colours players who exchanged their claims cannot be told from those who did not.

    A row that was matched by its claim says so, and no other one agrees wrongly.
    """
    judged = judge(with_colours=False)
    assert len(judged) == 600
    wrong = 0
    for row in judged:
        is_by_claim = row.match.clue is Clue.CLAIMS
        said = "by its claimed total; add a colour to be certain" in row.verdict.text()
        assert said == is_by_claim, row.verdict.text()
        if row.verdict.word is Word.AGREES and not row.claim.is_right:
            assert is_by_claim, (row.claim.text, row.verdict.text())
            wrong += 1
        # What the claims assign may be another player's, and the last kingdom with it.
        if row.verdict.counts not in (row.claim.sheet.total, None):
            assert "add a colour to be certain" in row.verdict.text()
    assert wrong, "no claim is the total of another player"


@pytest.mark.parametrize("with_colours", [True, False])
def test_one_miscount_is_explained(with_colours: bool) -> None:
    explained = [
        row
        for row in judge(with_colours=with_colours)
        if row.verdict.word is Word.DIFFERS and "no single mistake" not in row.verdict.text()
    ]
    assert len(explained) > (150 if with_colours else 20)
