"""A whole tournament: five rounds of four tables, wrong claims of every kind, and the ranking."""

from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct

from kdvision.report.standings import RankingRules
from kdvision.rules.rules import Rules
from kdvision.rules.scoring import ScoreSheet, score
from kdvision.tournament.judging import Word
from kdvision.tournament.mistakes import Explanation, Mistake, find_slip
from kdvision.tournament.report import Outcome
from kdvision.tournament.request import Request
from kdvision.tournament.run import run
from kdvision.tournament.standings import read_standings
from scripts.synthesis.players import Greedy, play_game
from tests.support.claims import WRITING, wrong_claims
from tests.support.fakes import fake_workers, write_photo

pytestmark = pytest.mark.slow

ROUNDS = 5
TABLES = 4
SEATS = 4
WORKERS = fake_workers(executor=ThreadPoolExecutor(2), count=2)
COLOURS = ("pink", "yellow", "green", "blue")


class Seat(Struct):
    """One line: who sits where, what the kingdom scores, and what was claimed."""

    round: int
    table: int
    seat: int
    sheet: ScoreSheet
    claimed: int
    mistake: str = ""

    @property
    def player(self) -> str:
        """Everybody meets others in every round."""
        return f"Player {SEATS * ((self.table + self.seat * self.round) % TABLES) + self.seat}"

    @property
    def photo(self) -> str:
        return f"r{self.round}t{self.table}.jpg"


@cache
def sheets() -> tuple[ScoreSheet, ...]:
    """The score sheets of all kingdoms, those of a table one after the other."""
    return tuple(
        score(player.kingdom.trimmed(), Rules(harmony=True, middle_kingdom=True))
        for game in range(ROUNDS * TABLES)
        for player in play_game([Greedy()] * SEATS, game).kingdoms
    )


def seats_with_mistakes() -> list[Seat]:
    """All lines; two of each kind of counting mistake, and claims that neighbours exchanged."""
    seats = [
        Seat(n // 16 + 1, n // 4 % 4 + 1, n % 4, sheet, sheet.total)
        for n, sheet in enumerate(sheets())
    ]
    wrong = dict(wrong_claims(list(sheets())))
    for n, explanation in wrong.items():
        seats[n].claimed += explanation.difference
        seats[n].mistake = explanation.mistake
    for kind in WRITING:
        seat = next(seat for seat in seats if not seat.mistake and written(seat, kind))
        seat.claimed, seat.mistake = written(seat, kind) or 0, kind
    right = []
    for number in range(0, len(seats), SEATS):
        table = seats[number : number + SEATS]
        if not any(seat.mistake for seat in table):
            right.append(table)
    for first, second, *_ in right[:2]:
        first.claimed, second.claimed = second.claimed, first.claimed
        first.mistake = second.mistake = "exchanged" * (first.claimed != second.claimed)
    right[-1][0].claimed = right[-1][1].sheet.total
    right[-1][0].mistake = "neighbour" * (right[-1][0].claimed != right[-1][0].sheet.total)
    return seats


def written(seat: Seat, kind: Mistake) -> int | None:
    """A total that is written down wrongly, in one way."""
    for claimed in range(1000):
        slip = find_slip(seat.sheet.total, claimed)
        if slip and slip.mistake is kind:
            return claimed
    return None


def play(folder: Path, seats: list[Seat], *, named: str) -> Outcome:
    """Verify the sheet of a tournament; `named` is the column that says whose kingdom it is."""
    lines = ["photo;round;table;player;harmony;middle_kingdom;claimed;colour;kingdom"]
    shown: defaultdict[str, list[str]] = defaultdict(list)
    for seat in seats:
        shown[seat.photo].append(str(seat.sheet.kingdom))
        colour = COLOURS[seat.seat] if named == "colour" else ""
        letter = "ABCD"[seat.seat] if named == "kingdom" else ""
        lines.append(
            f"{seat.photo};{seat.round};{seat.table};{seat.player};ja;ja;{seat.claimed};"
            f"{colour};{letter}"
        )
    for name, kingdoms in shown.items():
        write_photo(folder / name, " | ".join(kingdoms), colours=COLOURS)
    (folder / "sheet.csv").write_text("\n".join(lines) + "\n")
    request = Request(
        inputs=(folder / "sheet.csv",), output=folder / "checked.csv", needs_claims=True
    )
    return run(request, WORKERS)


@pytest.mark.parametrize("named", ["colour", "kingdom", ""])
def test_only_right_claims_agree(tmp_path: Path, named: str) -> None:
    """Sixteen kinds of wrong claims; without colours and letters neighbours' totals stay hidden."""
    seats = seats_with_mistakes()
    kinds = {seat.mistake for seat in seats} - {""}
    assert kinds == {*Mistake, "exchanged", "neighbour"}
    outcome = play(tmp_path, seats, named=named)
    for verdict, seat in zip(outcome.verdicts, seats, strict=True):
        is_hidden = not named and seat.mistake in ("exchanged", "neighbour")
        if seat.mistake and not is_hidden:
            assert verdict.word is not Word.AGREES, (seat.mistake, verdict.text())
        elif named:
            assert verdict.word is Word.AGREES, verdict.text()
        if named and seat.mistake in {*Mistake} - WRITING:
            fields = [field for reason in verdict.reasons for field in reason.fields.values()]
            keys = [field.key for field in fields if isinstance(field, Explanation)]
            assert verdict.counts == seat.sheet.total
            assert seat.mistake in [key.split(".")[1] for key in keys]


def test_ranking_equals_an_independent_computation(tmp_path: Path) -> None:
    seats = seats_with_mistakes()
    play(tmp_path, seats, named="colour")
    totals: defaultdict[str, int] = defaultdict(int)
    for seat in seats:
        totals[seat.player] += seat.sheet.total
    expected = sorted(totals.values(), reverse=True)
    standings = read_standings([tmp_path / "checked.csv"], RankingRules())
    assert [entry.total for entry in standings.sums] == expected
    assert {entry.player: entry.total for entry in standings.sums} == totals
    assert len(standings.games) == ROUNDS * TABLES
    for game in standings.games:
        # While a decision is pending the claim may win as well.
        first = [entry for entry in game.ranked if entry.rank == 1]
        best = max(entry.result.total or 0 for entry in game.ranked)
        assert {entry.result.total for entry in first if not entry.is_open} <= {best}
        assert best in {entry.result.total for entry in first}
