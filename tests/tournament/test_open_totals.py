"""Totals that are not known, or that hang on rules and corrections: nothing counts that is not."""

from pathlib import Path

import pytest

from kdvision import score, score_photo
from kdvision.errors import UsageError
from kdvision.result import Status
from kdvision.tournament.player_results import counted
from kdvision.tournament.standings import read_standings
from kdvision.tournament.verify.run import write_annotated
from kdvision.tournament.verify.verdicts import Verdict
from tests.support.evening import checked, rows, scored
from tests.support.fakes import write_photo

DOUBT: tuple[object, ...] = (Status.DOUBTFUL, 0.8, ((6, 0.19),))


def open_lines(table: Path) -> list[tuple[str, int, str]]:
    """The players whose totals hang on something, as the table of the standings marks them."""
    ranked = [entry for game in read_standings(table).games for entry in game.ranked if entry.note]
    return [(entry.result.player, entry.result.total, entry.note) for entry in ranked]


def test_a_total_that_somebody_deleted_is_written_again(tmp_path: Path) -> None:
    for name, chance in (("a", 0.04), ("b", 0.06)):
        write_photo(tmp_path / "p" / f"{name}.jpg", "C W1 W W W1", Status.DOUBTFUL, chance)
    results = tmp_path / "r.csv"
    scored(results, tmp_path / "p")
    assert [row["score"] for row in rows(results)] == ["", "8"]
    results.write_text(results.read_text().replace(",doubtful,8,", ",doubtful,,"))
    assert scored(results, tmp_path / "p").skipped == 2
    assert [row["score"] for row in rows(results)] == ["", "8"]


def test_claims_of_one_total_count_for_both_its_kingdoms(tmp_path: Path) -> None:
    """Whose of the two kingdoms it is does not matter to the total, and no claim is doubtful."""
    write_photo(tmp_path / "two.jpg", "C W1 W W W1 | C F1 F F F F F F F")
    sheet, output = tmp_path / "s.csv", tmp_path / "checked.csv"
    sheet.write_text("photo,player,claimed\ntwo.jpg,Ann,8\ntwo.jpg,Bob,8\n")
    found = checked(sheet)
    assert [(line.verdict, line.total) for line in found.verdicts] == [(Verdict.AGREES, 8)] * 2
    assert found.notes[0].startswith("On 1 photo of several kingdoms the claims alone say")
    write_annotated(found, output)
    (game,) = (standings := read_standings(output)).games
    assert [one.result.total for one in game.ranked] == [8, 8]
    assert not [note for note in standings.notes if "claimed" in note]
    # Which of them has the larger territory is not known, so nobody has won yet.
    assert game.winners == ()


def test_a_table_whose_totals_were_all_accepted_is_a_game_of_its_own(tmp_path: Path) -> None:
    sheet, output = tmp_path / "s.csv", tmp_path / "checked.csv"
    lines = []
    for table in range(2):
        write_photo(tmp_path / f"{table}.jpg", "C W1 W | C F1 F F", *DOUBT, number=table)
        lines += [f"{table}.jpg,P{table}{n},7,1,{7 + table + n}" for n in range(2)]
    sheet.write_text("photo,player,claimed,round,accept\n" + "\n".join(lines))
    found = checked(sheet)
    assert found.count(Verdict.SETTLED) == 4
    write_annotated(found, output)
    assert [game.game for game in read_standings(output).games] == ["0.jpg", "1.jpg"]


def test_one_wrong_claim_leaves_the_owners_of_a_batch_open(tmp_path: Path) -> None:
    totals = (46, 54, 41, 40)
    kingdoms = " | ".join(" ".join(["C", "F1", *["F"] * (total - 1)]) for total in totals)
    write_photo(tmp_path / "four.jpg", kingdoms)
    sheet = tmp_path / "s.csv"
    for name, claims, open_lines in (
        ("right", (40, 41, 54, 46), 0),
        ("wrong", (54, 50, 41, 40), 4),
    ):
        results = tmp_path / f"{name}.csv"
        lines = [f"four.jpg,P{number},{claim}" for number, claim in enumerate(claims)]
        sheet.write_text("photo,player,claimed\n" + "\n".join(lines))
        summary = scored(results, sheet)
        assert summary.open_lines == open_lines
        said = [note for note in summary.notes if "the claims alone say" in note]
        assert len(said) == (0 if open_lines else 1)
        owners = [(row["player"], row["score"]) for row in rows(results) if row["score"]]
        right = [("P3", "46"), ("P2", "54"), ("P1", "41"), ("P0", "40")]
        assert owners == ([("", score) for _, score in right] if open_lines else right)


# ---------------------------------------------------------------------- the Middle Kingdom

#: The castle lies in the middle of a 5x5 frame, not of the kingdom's own box; 2 points without it.
OFF_CENTRE = "C W1 W"


def test_what_the_castle_must_be_the_centre_of_is_a_column(tmp_path: Path) -> None:
    sheet, results, output = (tmp_path / name for name in ("s.csv", "r.csv", "checked.csv"))
    lines = []
    for number, (centre, total) in enumerate((("box", 2), ("frame", 12), ("", 2))):
        write_photo(tmp_path / f"{number}.jpg", OFF_CENTRE, number=number)
        lines.append(f"{number}.jpg,P{number},{total},ja,{centre}")
    sheet.write_text("photo,player,claimed,Mittelreich,center\n" + "\n".join(lines))
    scored(results, sheet)
    found = [(row["score"], row["centre"]) for row in rows(results)]
    assert found == [("2", "box"), ("12", "frame"), ("2", "box")]
    verification = checked(sheet)
    assert verification.count(Verdict.AGREES) == 3
    write_annotated(verification, output)
    for path in (results, output):
        (game,) = read_standings(path).games
        assert {one.result.player: one.result.total for one in game.ranked} == {
            "P0": 2, "P1": 12, "P2": 2,
        }  # fmt: skip
    sheet.write_text("photo,player,claimed,centre\n0.jpg,P0,2,middle\n")
    (line,) = checked(sheet).verdicts
    assert (line.verdict, line.text()) == (
        Verdict.BAD_LINE, "centre is 'middle'. Write box or frame.",
    )  # fmt: skip


def test_the_library_takes_what_the_castle_must_be_the_centre_of() -> None:
    assert score(OFF_CENTRE, middle_kingdom=True).total == 2
    assert score(OFF_CENTRE, middle_kingdom=True, centre="frame").total == 12
    with pytest.raises(UsageError, match=r"centre is 'middle'. Write box or frame."):
        score_photo("no.jpg", centre="middle")


# ---------------------------------------------------------------------- corrections beside it

#: What was read: one lake of two squares. Corrections may add squares on all sides of it.
LAKE = {"player": "Ann", "score": "2", "status": "sure", "kingdom_line": "C W1 W", "origin": ""}


@pytest.mark.parametrize(
    ("origin", "fix", "total"),
    [
        ("", "c1=W1", 4),
        ("", "b1=W1", 2),
        # The same places, where a correction has added the column to the left of them.
        ("z1", "b1=W1", 4),
        ("z0", "b0=W1", 4),
        ("b1", "d1=W1", 4),
        # None is there, and none is to be.
        ("", "d1=-", 2),
    ],
)
def test_a_correction_in_a_table_of_results_finds_its_place(
    origin: str, fix: str, total: int
) -> None:
    line = counted({**LAKE, "origin": origin, "fix": fix})
    assert line.result is not None
    assert (line.result.total, line.doubtful) == (total, False)


@pytest.mark.parametrize("fix", ["d1=W", "z1=W1", "a0=W", "b2=W"])
def test_a_correction_beside_the_kingdom_is_open_until_the_photo_is_read_again(fix: str) -> None:
    line = counted({**LAKE, "fix": fix})
    assert line.doubtful
    assert line.note == f"2, without {fix}, which batch or verify has still to add"
    settled = counted({**LAKE, "fix": fix, "accept": "7"})
    assert settled.result is not None
    assert (settled.result.total, settled.doubtful) == (7, False)
    with pytest.raises(ValueError, match="origin is 'here'; write a place, such as a1"):
        counted({**LAKE, "fix": fix, "origin": "here"})
