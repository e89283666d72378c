"""A run that is killed while it writes, and one on a full disk: no word of a person is lost."""

import csv
import errno
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kdvision.errors import UsageError
from kdvision.tournament.batch.run import batch
from kdvision.tournament.lines import collect_jobs
from tests.support.fakes import fake_means, write_photo

MEANS = fake_means(executor=ThreadPoolExecutor(2), workers=2)


class KilledError(BaseException):
    """Stands for the end of the process: nothing of ours may catch it."""


def run(folder: Path) -> None:
    jobs, problems = collect_jobs([folder / "photos"])
    batch(jobs, folder / "results.csv", problems=problems, means=MEANS)


@pytest.mark.parametrize("fault", ["killed", "full disk"])
def test_a_note_survives(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "results.csv"
    (tmp_path / "photos").mkdir()
    write_photo(tmp_path / "photos" / "a.jpg", number=1)
    run(tmp_path)
    head, line = table.read_text().splitlines()
    table.write_text(f"{head},Paid?\n{line},yes\n")
    write_photo(tmp_path / "photos" / "b.jpg", number=2)
    replace = Path.replace

    def fail(path: Path, target: Path) -> Path:
        if Path(target) != table:
            return replace(path, target)
        if fault == "killed":
            raise KilledError
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises((KilledError, UsageError)):
        patch.setattr(Path, "replace", fail)
        run(tmp_path)
    assert table.read_text() == f"{head},Paid?\n{line},yes\n"
    run(tmp_path)
    with table.open(newline="", encoding="utf-8") as file:
        assert [row["Paid?"] for row in csv.DictReader(file)] == ["yes", ""]
