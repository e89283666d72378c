"""What people write into a table of results stays, whatever happens to photos, files and runs."""

import csv
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from kdvision.columns import plain
from kdvision.errors import UsageError
from kdvision.result import PhotoResult
from kdvision.tournament.batch.journal import locked
from kdvision.tournament.batch.results import ResultsTable
from kdvision.tournament.batch.run import Summary, batch
from kdvision.tournament.lines import collect_jobs
from tests.support.evening import rows
from tests.support.fakes import fake_means, write_photo

MEANS = fake_means(executor=ThreadPoolExecutor(2), workers=2)
WORDS = {
    "player": "Zoë O’Hara", "game": "Tisch 3", "round": "2", "claimed": "1", "accept": "claim",
    "note": "counted again, Kim", "My remark": "has paid",
}  # fmt: skip


def run(folder: Path, output: Path, **options: object) -> Summary:
    jobs, problems = collect_jobs([folder])
    return batch(jobs, output, problems=problems, means=MEANS, **options)  # type: ignore[arg-type]


def edit(path: Path, photo: str, words: dict[str, str] | None = None, letter: str = "") -> None:
    """Write words into the line of a photo, as a spreadsheet would."""
    with path.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    words = WORDS if words is None else words
    columns = [*table[0], *(name for name in words if name not in table[0])]
    for row in table:
        if Path(row["photo"]).name == photo and row["kingdom"] == letter:
            row.update(words)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(table)


def words_of(path: Path) -> dict[str, dict[str, str]]:
    """What people wrote, by the name of the photo and the letter."""
    with path.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    return {
        Path(row["photo"]).name + row["kingdom"]: {
            name: row[name] for name in WORDS if row.get(name)
        }
        for row in table
    }


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    for number in range(3):
        write_photo(tmp_path / "p" / f"{number}.jpg", number=number)
    return tmp_path / "p"


def test_a_renamed_photo_keeps_what_people_wrote(tmp_path: Path, evening: Path) -> None:
    output = tmp_path / "r.csv"
    run(evening, output)
    edit(output, "1.jpg", {**WORDS, "fix": "b1=W1"})
    (evening / "1.jpg").rename(evening / "table 3.jpg")
    summary = run(evening, output)
    assert words_of(output)["table 3.jpg"] == WORDS
    assert "1.jpg" not in words_of(output)
    assert [row["fix"] for row in rows(output) if "table" in row["photo"]] == ["b1=W1"]
    assert len([note for note in summary.notes if "renamed" in note]) == 1


@pytest.mark.parametrize("name", ["Zoe\u0308 O\u2019Hara", "zoë o'hara"])
def test_a_name_that_a_sheet_writes_otherwise_is_no_second_line(
    tmp_path: Path, evening: Path, name: str
) -> None:
    output, sheet = tmp_path / "r.csv", tmp_path / "sheet.csv"
    words = {"player": WORDS["player"], "note": "counted again"}
    for player in (WORDS["player"], name):
        sheet.write_text(f"photo,player\np/0.jpg,{player}\n", encoding="utf-8")
        jobs, _ = collect_jobs([sheet])
        batch(jobs, output, means=MEANS)
        edit(output, "0.jpg", {"note": "counted again"})
    assert words_of(output) == {"0.jpg": {**words, "player": name}}


def test_the_copy_of_a_photo_that_was_deleted_has_its_words(tmp_path: Path, evening: Path) -> None:
    """A person's rows must not vanish because a copy of the photo is there."""
    output = tmp_path / "r.csv"
    shutil.copy(evening / "1.jpg", evening / "copy.jpg")
    run(evening, output)
    edit(output, "1.jpg")
    (evening / "1.jpg").unlink()
    run(evening, output)
    assert words_of(output)["copy.jpg"] == WORDS
    # Where somebody wrote into the line of the copy as well, both lines stay.
    write_photo(evening / "1.jpg", number=1)
    run(evening, output)
    edit(output, "1.jpg", {"player": "Bob"})
    (evening / "1.jpg").unlink()
    run(evening, output)
    assert words_of(output)["copy.jpg"] == WORDS
    assert words_of(output)["1.jpg"] == {"player": "Bob"}


def test_photos_that_exchange_their_names_keep_their_words(tmp_path: Path, evening: Path) -> None:
    output = tmp_path / "r.csv"
    run(evening, output)
    edit(output, "0.jpg")
    edit(output, "1.jpg", {"player": "Bob"})
    for old, new in (("0.jpg", "x.jpg"), ("1.jpg", "0.jpg"), ("x.jpg", "1.jpg")):
        (evening / old).rename(evening / new)
    summary = run(evening, output)
    assert words_of(output) == {"0.jpg": {"player": "Bob"}, "1.jpg": WORDS, "2.jpg": {}}
    assert len([note for note in summary.notes if "renamed" in note]) == 2
    assert run(evening, output).notes == ()
    # 2 is taken again, and the old photo put aside: what was written stays with the picture.
    edit(output, "2.jpg", {"player": "Cle"})
    (evening / "2.jpg").rename(evening / "2 old.jpg")
    write_photo(evening / "2.jpg", number=7)
    run(evening, output)
    assert words_of(output)["2 old.jpg"] == {"player": "Cle"}
    assert words_of(output)["2.jpg"] == {}


def test_a_photo_taken_again_under_its_name_keeps_its_words(tmp_path: Path, evening: Path) -> None:
    """Also where the old picture is there as a copy, which has a line of its own."""
    output = tmp_path / "r.csv"
    shutil.copy(evening / "1.jpg", evening / "copy.jpg")
    run(evening, output)
    edit(output, "0.jpg")
    edit(output, "1.jpg", {"player": "Bob"})
    for name in ("0.jpg", "1.jpg"):
        write_photo(evening / name, number=30 + int(name[0]))
    run(evening, output)
    assert words_of(output) == {
        "0.jpg": WORDS, "1.jpg": {"player": "Bob"}, "2.jpg": {}, "copy.jpg": {},
    }  # fmt: skip


def test_a_photo_scored_by_other_options_keeps_the_words_of_its_old_name(
    tmp_path: Path, evening: Path
) -> None:
    output = tmp_path / "r.csv"
    run(evening, output)
    edit(output, "1.jpg")
    (evening / "1.jpg").rename(evening / "9.jpg")
    means = replace(MEANS, version="newer")
    jobs, _ = collect_jobs([evening])
    batch(jobs, output, means=means)
    assert words_of(output)["9.jpg"] == WORDS


def test_edits_while_a_run_goes_on_stand_and_are_said(tmp_path: Path, evening: Path) -> None:
    output = tmp_path / "r.csv"
    run(evening, output)
    write_photo(evening / "new.jpg", number=20)
    edited = threading.Event()

    def progress(_: PhotoResult | None) -> None:
        if not edited.is_set():
            edited.set()
            edit(output, "0.jpg")
            edit(output, "2.jpg", {"player": "Bob"})

    summary = run(evening, output, progress=progress)
    assert words_of(output)["0.jpg"] == WORDS
    assert words_of(output)["2.jpg"] == {"player": "Bob"}
    assert "new.jpg" in words_of(output)
    assert [note for note in summary.notes if note.startswith("2 lines were edited")]


def test_a_line_that_cannot_be_used_keeps_all_its_words(tmp_path: Path, evening: Path) -> None:
    output = tmp_path / "r.csv"
    run(evening, output)
    edit(output, "1.jpg", {**WORDS, "accept": "perhaps"})
    for _ in range(3):
        summary = run(evening, output)
        assert len(summary.problems) == 1
    kept = [row for row in rows(output) if row["status"] == "bad-line"]
    assert [(row["player"], row["accept"], row["my_remark"]) for row in kept] == [
        (WORDS["player"], "perhaps", "has paid")
    ]
    edit(output, "1.jpg", {"accept": "claim"})
    assert run(evening, output).problems == ()
    (kept,) = [row for row in rows(output) if row["my_remark"]]
    assert {name: kept[plain(name)] for name in WORDS} == WORDS
    assert kept["status"] == "sure"


def test_words_below_an_empty_heading_stay(tmp_path: Path, evening: Path) -> None:
    output = tmp_path / "r.csv"
    run(evening, output)
    head, *lines = output.read_text().splitlines()
    output.write_text("\n".join([f"{head},,Paid?", *(f"{line},see me,yes" for line in lines)]))
    run(evening, output)
    with output.open(newline="") as file:
        head_row, *table = csv.reader(file)
    assert "Paid?" in head_row and "" in head_row
    for row in table:
        assert (row[head_row.index("")], row[head_row.index("Paid?")]) == ("see me", "yes")


def test_a_second_run_into_one_table_is_refused(tmp_path: Path, evening: Path) -> None:
    output = tmp_path / "r.csv"
    with locked(output), pytest.raises(UsageError, match=r"r\.csv") as raised:
        run(evening, output)
    assert raised.value.advice
    assert run(evening, output).statuses == {"sure": 3}


def test_a_table_that_was_deleted_during_the_run_is_written_anew(
    tmp_path: Path, evening: Path
) -> None:
    output = tmp_path / "r.csv"
    run(evening, output)
    run(evening, output, progress=lambda _: output.unlink(missing_ok=True))
    assert len(rows(output)) == 3


def test_a_file_that_took_the_place_of_the_table_is_left_alone(
    tmp_path: Path, evening: Path
) -> None:
    output = tmp_path / "r.csv"
    run(evening, output)
    write_photo(evening / "new.jpg", number=20)
    with pytest.raises(UsageError, match="is there already"):
        run(evening, output, progress=lambda _: output.write_text("mine\n1\n"))
    assert output.read_text() == "mine\n1\n"
    output.unlink()
    # What was scored is in the journal.
    assert run(evening, output).skipped >= 1


def test_a_write_is_tried_again_where_somebody_saves_in_between(
    tmp_path: Path, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between reading and writing, a person saves."""
    output = tmp_path / "r.csv"
    run(evening, output)
    put, saved = ResultsTable.put, []

    def put_and_save(self: ResultsTable, named: object) -> None:
        put(self, named)  # type: ignore[arg-type]
        if not saved:
            saved.append(True)
            edit(output, "1.jpg")

    monkeypatch.setattr(ResultsTable, "put", put_and_save)
    run(evening, output)
    assert words_of(output)["1.jpg"] == WORDS


def test_where_words_would_vanish_the_old_table_is_kept(tmp_path: Path, evening: Path) -> None:
    output = tmp_path / "r.csv"
    run(evening, output)
    edit(output, "1.jpg")
    before = output.read_bytes()
    table = ResultsTable(output)
    table.rows = {name: found for name, found in table.rows.items() if "1.jpg" not in name}
    backup = table.write()
    assert backup is not None and backup.read_bytes() == before
