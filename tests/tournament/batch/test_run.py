"""Many photos into one CSV: every photo has its line, and nothing stops the others."""

import csv
import json
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kdvision.columns import RESULT_COLUMNS as COLUMNS
from kdvision.errors import ExitCode, ModelError, NoKingdomError, UsageError
from kdvision.options import GameOptions
from kdvision.report.json import from_json
from kdvision.result import PhotoResult, Status
from kdvision.sentences import Sentence, joined
from kdvision.tournament.batch.identity import key_of
from kdvision.tournament.batch.journal import Journal
from kdvision.tournament.batch.run import Summary, batch
from kdvision.tournament.batch.scoring import Means
from kdvision.tournament.lines import collect_jobs
from tests.support.fakes import SLOW_S, fake_means, fake_photo, own_package, write_photo
from tests.support.paths import TESTS
from tests.support.waiting import PATIENCE_S, wait_for

THREADS = ThreadPoolExecutor(2)
#: Threads here: quicker than processes, which other tests start.
MEANS = fake_means(executor=THREADS, workers=2)


def run(folder: Path, output: Path, means: Means = MEANS, **options: object) -> Summary:
    jobs, _ = collect_jobs([folder])
    return batch(jobs, output, means=means, **options)  # type: ignore[arg-type]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """A folder with everything that an evening brings."""
    folder = tmp_path / "evening"
    for number in range(1, 6):
        write_photo(folder / f"{number}.jpg", number=number)
    write_photo(folder / "doubt.jpg", "C F1 F", Status.DOUBTFUL, 0.6, ((3, 0.2), (5, 0.1)))
    write_photo(folder / "fails.jpg", act="fail")
    write_photo(folder / "nothing.jpg", "")
    write_photo(folder / "two.jpg", "C W1 G G | C F1 F F")
    (folder / "text.jpg").write_text("hello")
    (folder / "gone.jpg").symlink_to("nowhere.jpg")
    return folder


def test_the_pictures_beside_a_workbook_among_the_photos_are_no_photos(tmp_path: Path) -> None:
    write_photo(tmp_path / "1.jpg", number=1)
    for done_before in (0, 1):
        summary = run(tmp_path, tmp_path / "results.xlsx")
        assert [*(tmp_path / "results-pictures").iterdir()]
        assert (sum(summary.statuses.values()), summary.skipped) == (1, done_before)


def test_every_photo_has_its_line_in_order(tmp_path: Path, evening: Path) -> None:
    output = tmp_path / "results.csv"
    summary = run(evening, output)
    found = rows(output)
    assert tuple(found[0]) == COLUMNS
    assert [
        (Path(row["photo"]).stem, row["status"], row["kingdom"], row["score"]) for row in found
    ] == [
        *((str(number), "sure", "", "1") for number in range(1, 6)),
        ("doubt", "doubtful", "", "2"),
        ("fails", "unreadable", "", ""),
        ("gone", "unreadable", "", ""),
        ("nothing", "no-kingdom", "", ""),
        ("text", "unreadable", "", ""),
        ("two", "sure", "A", "1"),
        ("two", "sure", "B", "3"),
    ]
    assert found[5]["alternatives"] == "3 (20 %); 5 (10 %)"
    assert found[5]["message"] == "It is dark."
    assert found[6]["message"].endswith(
        "The photo made the program fail: ZeroDivisionError: division by zero"
    )
    assert "does not exist" in found[7]["message"]
    columns = ("kingdom_line", "size", "largest", "crowns")
    assert [found[0][name] for name in columns] == ["C W1 G G", "5", "2", "1"]
    assert summary.statuses == {"sure": 6, "doubtful": 1, "unreadable": 3, "no-kingdom": 1}
    assert summary.exit_code is ExitCode.UNREADABLE
    assert (summary.skipped, summary.missing, summary.others) == (0, 0, 0)


def test_processes_write_the_same_and_survive_a_photo_that_kills(
    tmp_path: Path, evening: Path
) -> None:
    run(evening, tmp_path / "threads.csv")
    write_photo(evening / "kills.jpg", act="die")
    run(evening, tmp_path / "processes.csv", fake_means())
    lines = (tmp_path / "processes.csv").read_text().splitlines()
    killed = [line for line in lines if "kills.jpg" in line]
    assert len(killed) == 1
    assert "The photo made the process that scored it die" in killed[0]
    lines.remove(killed[0])
    assert lines == (tmp_path / "threads.csv").read_text().splitlines()


def test_the_same_again_skips_what_is_done_by_content(tmp_path: Path, evening: Path) -> None:
    output = tmp_path / "results.csv"
    run(evening, output)
    first = output.read_bytes()
    told: list[PhotoResult | None] = []
    again = run(evening, output, progress=told.append)
    # What may end differently is tried again: a program that failed, a file that was not there.
    assert again.skipped == 9
    assert sorted(Path(one.photo).stem for one in told if one) == ["fails", "gone"]
    assert output.read_bytes() == first
    # Names do not matter, bytes do.
    (evening / "3.jpg").rename(evening / "33.jpg")
    write_photo(evening / "4.jpg", "C F1 F F")
    third = run(evening, output)
    assert third.skipped == 8
    assert [row["photo"] for row in rows(output) if row["photo"].endswith("33.jpg")] == [
        str(evening / "33.jpg")
    ]
    assert [row["score"] for row in rows(output)][2:5] == ["1", "3", "1"]
    assert third.others == 0
    assert not [row for row in rows(output) if row["photo"].endswith("/3.jpg")]
    assert any("was renamed to" in note for note in third.notes)


def test_a_report_afterwards_scores_nothing_again(tmp_path: Path, evening: Path) -> None:
    output, page = tmp_path / "results.csv", tmp_path / "report.html"
    run(evening, output)
    first = output.read_bytes()
    # What a spreadsheet spoiled or left out is written again as it was scored.
    output.write_text(first.decode().replace("sure", "s?").replace("C W1 G G", "#NAME?"))
    assert run(evening, output, html=page).skipped == 9
    assert output.read_bytes() == first
    assert page.read_text().count("<article") == 11
    assert run(evening, output, fresh=True).skipped == 9


@pytest.mark.parametrize("name", ["empty.jpg", "photo", "the", "{photo}"])
def test_no_name_of_a_photo_spoils_its_message(tmp_path: Path, name: str) -> None:
    write_photo(tmp_path / name, "")
    what = Sentence("no-kingdom.found", {"shown": "no-kingdom.no-tiles"})
    message = joined(NoKingdomError(what).reasons)
    run(tmp_path / name, tmp_path / "r.csv")
    assert [row["message"] for row in rows(tmp_path / "r.csv")] == [message]
    (tmp_path / name).rename(tmp_path / "renamed.jpg")
    assert run(tmp_path / "renamed.jpg", tmp_path / "r.csv").skipped == 1
    (row,) = rows(tmp_path / "r.csv")
    assert (Path(row["photo"]).name, row["message"]) == ("renamed.jpg", message)


@pytest.mark.parametrize("other", ["options", "version"])
def test_other_rules_or_another_version_score_again(tmp_path: Path, other: str) -> None:
    write_photo(tmp_path / "p" / "a.jpg")
    run(tmp_path / "p", tmp_path / "r.csv")
    options = GameOptions(7) if other == "options" else GameOptions()
    jobs, _ = collect_jobs([tmp_path / "p"], options)
    version = "newer" if other == "version" else "fake"
    means = Means(THREADS, 2, MEANS.scorer, version)
    assert batch(jobs, tmp_path / "r.csv", means=means).skipped == 0


def test_one_photo_twice_has_two_lines(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_photo(tmp_path / "p" / f"{name}.jpg", "C W1 G G | C F1 F F")
    run(tmp_path / "p", tmp_path / "r.csv", jsonl=tmp_path / "r.jsonl")
    first = (tmp_path / "r.csv").read_bytes()
    assert [Path(row["photo"]).stem for row in rows(tmp_path / "r.csv")] == ["a", "a", "b", "b"]
    again = run(tmp_path / "p", tmp_path / "r.csv", jsonl=tmp_path / "r.jsonl")
    assert again.skipped == 2
    assert (tmp_path / "r.csv").read_bytes() == first


def test_jsonl_keeps_the_full_results(tmp_path: Path, evening: Path) -> None:
    full = tmp_path / "r.jsonl"
    run(evening, tmp_path / "r.csv", jsonl=full)
    found = from_json(full.read_text())
    assert [Path(one.photo).stem for one in found][:7] == [
        "1",
        "2",
        "3",
        "4",
        "5",
        "doubt",
        "fails",
    ]
    assert found[5].kingdoms[0].alternatives[0].score == 3
    first = full.read_bytes()
    # What is missing in it is scored again.
    full.write_bytes(b"".join(first.splitlines(keepends=True)[2:]))
    assert run(evening, tmp_path / "r.csv", jsonl=full).skipped == 7
    assert full.read_bytes() == first


def test_players_of_a_table_and_those_written_in_by_hand(tmp_path: Path) -> None:
    write_photo(tmp_path / "a.jpg", number=1)
    write_photo(tmp_path / "b.jpg", number=2)
    table = tmp_path / "evening.csv"
    table.write_text("photo,player,round\na.jpg,Ann,1\nb.jpg,,1\n")
    jobs, _ = collect_jobs([table])
    full = tmp_path / "r.jsonl"
    batch(jobs, tmp_path / "r.csv", jsonl=full, means=MEANS)
    assert [(row["player"], row["round"]) for row in rows(tmp_path / "r.csv")] == [
        ("Ann", "1"), ("", "1"),
    ]  # fmt: skip
    assert json.loads(full.read_text().splitlines()[0])["player"] == "Ann"
    text = (tmp_path / "r.csv").read_text().replace("b.jpg,,1", "b.jpg,Bob,1")
    (tmp_path / "r.csv").write_text(text)
    assert batch(jobs, tmp_path / "r.csv", jsonl=full, means=MEANS).skipped == 2
    assert (tmp_path / "r.csv").read_text() == text


def test_missing_models_stop_everything(tmp_path: Path) -> None:
    write_photo(tmp_path / "p" / "a.jpg", act="models")
    with pytest.raises(ModelError):
        run(tmp_path / "p", tmp_path / "r.csv")


def test_a_file_that_is_no_result_is_not_written_over(tmp_path: Path, evening: Path) -> None:
    (tmp_path / "mine.csv").write_text("player,score\nAnn,4\n")
    with pytest.raises(UsageError, match="is there already"):
        run(evening, tmp_path / "mine.csv")
    assert (tmp_path / "mine.csv").read_text() == "player,score\nAnn,4\n"


@pytest.mark.parametrize("content", ['{"mine": 1}', "my notes", "my notes\n", "{}\n{"])
def test_a_file_that_is_no_journal_is_left_as_it_is(tmp_path: Path, content: str) -> None:
    (tmp_path / "notes.json").write_text(content)
    with pytest.raises(UsageError, match="is there already"):
        Journal(tmp_path / "notes.json")
    assert (tmp_path / "notes.json").read_text() == content


def test_a_line_that_was_not_written_to_its_end_is_cut_off(tmp_path: Path) -> None:
    photo = write_photo(tmp_path / "p" / "a.jpg")
    run(photo.parent, tmp_path / "r.csv")
    journal = tmp_path / "r.csv.jsonl"
    whole = journal.read_bytes()
    for cut in (1, 5, len(whole) // 2, len(whole) - 1):
        journal.write_bytes(whole + whole[:cut])
        Journal(journal).close()
        assert journal.read_bytes() == whole


def test_photos_can_be_sent_to_workers_that_see_no_files(tmp_path: Path, evening: Path) -> None:
    run(evening, tmp_path / "paths.csv")
    sent = fake_means(executor=THREADS, workers=2, send_photos=True)
    run(evening, tmp_path / "bytes.csv", sent)
    assert (tmp_path / "bytes.csv").read_bytes() == (tmp_path / "paths.csv").read_bytes()


def test_the_key_depends_on_all_that_decides_the_result() -> None:
    keys = {
        key_of(digest, options, version)
        for digest in ("aa", "bb")
        for options in (
            GameOptions(), GameOptions(5), GameOptions(harmony=True),
            GameOptions(middle_kingdom=True), GameOptions(centre="frame"),
        )
        for version in ("1", "2")
    }  # fmt: skip
    assert len(keys) == 20
    assert key_of("", GameOptions(), "1") == ""


# ---------------------------------------------------------------------- stopped


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """Photos that take a moment each, one of them with two kingdoms."""
    for number in range(10):
        line = "C W1 G G | C F1 F F" if number == 2 else "C W1 G G"
        write_photo(tmp_path / "slow" / f"{number}.jpg", line, number=number, act="slow")
    return tmp_path / "slow"


def start(*words: object, slow_s: float = 0.3) -> subprocess.Popen[str]:
    """The program, of which each slow photo takes so many seconds."""
    program = TESTS / "support" / "fake_kdscore.py"
    return subprocess.Popen(
        [sys.executable, str(program), *map(str, words)],
        env={**own_package(), SLOW_S: str(slow_s)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_killed_half_way_and_resumed_it_ends_as_if_nothing_had_been(
    tmp_path: Path, slow: Path
) -> None:
    output, full = tmp_path / "r.csv", tmp_path / "r.csv.jsonl"
    # Half of the photos take seconds: a test that is held up still stops it in the middle.
    program = start("batch", slow, "-o", output, "--workers", 2, slow_s=1)
    wait_for(lambda: lines(full) > 4)
    program.send_signal(signal.SIGKILL)
    program.communicate(timeout=PATIENCE_S)
    done = lines(full)
    assert 4 <= done < 10
    # As if it had been killed in the middle of a line.
    with full.open("ab") as file:
        file.write(b'{"schema": "kdsc')
    summary = run(slow, output, jsonl=full)
    assert 4 <= summary.skipped <= done
    run(slow, tmp_path / "whole.csv", jsonl=tmp_path / "whole.jsonl")
    assert output.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert full.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_ctrl_c_leaves_a_usable_file_and_the_same_command_goes_on(
    tmp_path: Path, slow: Path
) -> None:
    output = tmp_path / "r.csv"
    program = start("batch", slow, "-o", output, "--workers", 2, slow_s=1)
    wait_for(lambda: lines(output.with_name("r.csv.jsonl")) > 3)
    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=PATIENCE_S)
    assert program.returncode == ExitCode.INTERRUPTED
    assert out == ""
    done = len({row["photo"] for row in rows(output)})
    assert 3 <= done < 10
    assert err == (
        f"kdscore: Interrupted: {done} of 10 photos are in {output}. "
        "The same command goes on from there.\n"
    )
    photos = [row["photo"] for row in rows(output)]
    assert photos == sorted(photos)
    again = start("batch", slow, "-o", output)
    out, err = again.communicate(timeout=PATIENCE_S)
    assert (again.returncode, out) == (0, "")
    assert err.startswith(f"kdscore: 10 photos: 10 sure; {done} were done before.\n")
    assert len(rows(output)) == 11


def test_lines_of_a_resumed_run_that_is_stopped_early_are_kept(tmp_path: Path, slow: Path) -> None:
    output = tmp_path / "r.csv"
    run(slow, output)
    jobs, _ = collect_jobs([slow])
    # A new photo comes first; the run is stopped before it looks at the others.
    new = write_photo(tmp_path / "first.jpg", number=20)
    more, _ = collect_jobs([new])

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    summary = batch([*more, *jobs], output, means=MEANS, progress=stop)
    assert summary.interrupted
    assert {str(job.path) for job in jobs} <= {row["photo"] for row in rows(output)}


def test_fake_photos_are_photos() -> None:
    from kdvision.photo.photo import open_photo

    photo = open_photo(fake_photo(), name="fake")
    assert (photo.width, photo.height, photo.damage) == (120, 90, None)
