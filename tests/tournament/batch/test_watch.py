"""A folder that is watched: photos are scored once they are whole, until it is stopped."""

import csv
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from kdvision.errors import UsageError
from kdvision.options import DEFAULT_OPTIONS
from kdvision.tournament.batch import run
from kdvision.tournament.batch.run import WHOLE_AFTER_S, Arrivals, Summary, watch
from kdvision.tournament.lines import collect_jobs
from tests.support.fakes import fake_means, fake_photo, own_package, write_photo
from tests.support.paths import TESTS
from tests.support.waiting import PATIENCE_S, wait_for

MEANS = fake_means(executor=ThreadPoolExecutor(1))


def test_a_photo_is_whole_when_it_has_not_changed_for_a_while(tmp_path: Path) -> None:
    now = 0.0
    arrivals = Arrivals([tmp_path], lambda: now)
    photo = tmp_path / "deep" / "a.jpg"
    photo.parent.mkdir()
    data = fake_photo()
    photo.write_bytes(data[:200])
    (tmp_path / "b.jpg.part").write_bytes(data)
    (tmp_path / "empty.jpg").touch()
    assert arrivals.whole() == []
    now = WHOLE_AFTER_S - 0.1
    assert arrivals.whole() == []
    # It grows: the time begins anew.
    photo.write_bytes(data)
    assert arrivals.whole() == []
    now += WHOLE_AFTER_S - 0.1
    assert arrivals.whole() == []
    now += 0.2
    assert arrivals.whole() == [photo]
    assert arrivals.whole() == []
    # It changes later: once more.
    photo.write_bytes(data + b"\0")
    assert arrivals.whole() == []
    now += WHOLE_AFTER_S
    assert arrivals.whole() == [photo]
    photo.unlink()
    assert arrivals.whole() == []


def test_what_comes_is_put_into_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "WHOLE_AFTER_S", 0.02)
    monkeypatch.setattr(run, "LOOK_EVERY_S", 0.03)
    folder, output = tmp_path / "p", tmp_path / "r.csv"
    write_photo(folder / "1.jpg", number=1)
    told: list[int] = []
    others: list[int] = []

    def tell(summary: Summary, photos: int) -> None:
        told.append(photos)
        others.append(summary.others)

    def stopped() -> bool:
        if len(told) == 1 and not (folder / "2.jpg").exists():
            write_photo(folder / "2.jpg", number=2)
        return len(told) == 2

    page = tmp_path / "r.html"
    watch(
        [folder], DEFAULT_OPTIONS, partial(run.batch, output=output, html=page), every=True,
        means=MEANS, stopped=stopped, report=tell,
    )  # fmt: skip
    assert told == [1, 2]
    assert others == [0, 0]
    with output.open() as file:
        assert [Path(row["photo"]).name for row in csv.DictReader(file)] == ["1.jpg", "2.jpg"]
    assert page.read_text().count("<article") == 2
    assert {path.name for path in tmp_path.iterdir()} == {
        "p",
        "r.csv",
        "r.csv.jsonl",
        "r.html",
        ".r.csv.lock",
    }


def test_only_folders_are_watched(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no folder"):
        watch(
            [write_photo(tmp_path / "a.jpg")], DEFAULT_OPTIONS,
            partial(run.batch, output=tmp_path / "r.csv"),
            means=MEANS, report=lambda summary, photos: None,
        )  # fmt: skip


def test_photos_of_this_session_are_of_no_earlier_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "WHOLE_AFTER_S", 0.02)
    monkeypatch.setattr(run, "LOOK_EVERY_S", 0.03)
    write_photo(tmp_path / "p" / "1.jpg", number=1)
    write_photo(tmp_path / "old" / "0.jpg", number=0)
    run.batch(collect_jobs([tmp_path / "old"])[0], tmp_path / "r.csv", means=MEANS)
    told: list[tuple[int, int]] = []

    def stopped() -> bool:
        if len(told) == 1 and not (tmp_path / "p" / "2.jpg").exists():
            write_photo(tmp_path / "p" / "2.jpg", number=2)
        return len(told) == 2

    watch(
        [tmp_path / "p"], DEFAULT_OPTIONS, partial(run.batch, output=tmp_path / "r.csv"),
        means=MEANS, stopped=stopped,
        report=lambda summary, photos: told.append((photos, summary.others)),
    )  # fmt: skip
    assert told == [(1, 1), (1, 1)]


def test_the_command_watches_until_it_is_stopped(tmp_path: Path) -> None:
    folder, output = tmp_path / "p", tmp_path / "r.csv"
    write_photo(folder / "1.jpg", number=1)
    words = [sys.executable, str(TESTS / "support" / "fake_kdscore.py")]
    program = subprocess.Popen(
        [*words, "batch", str(folder), "-o", str(output), "--watch"],
        env=own_package(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        wait_for(output.exists)
        write_photo(folder / "2.jpg", number=2)
        wait_for(lambda: output.read_bytes().count(b"\n") == 3)
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=PATIENCE_S)
    finally:
        program.kill()
    assert (program.returncode, out) == (0, "")
    assert "Watching" in err
    assert "Stopped" in err
