"""Folders that may not be entered, names that no file can have: a sentence, and work goes on."""

import csv
import shutil

import pytest

from tests.support.paths import SAMPLES
from tests.support.programs import kdscore, obeys_modes

pytestmark = pytest.mark.skipif(
    not obeys_modes(), reason="nobody here may be forbidden to open a folder"
)

LONG = "x" * 5000
SHEET = f"photo,claimed\nclosed/far.jpg,9\n{LONG}.jpg,9\nplus.jpg,9\n"


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A folder with a photo, a sheet, and a closed folder with both of them."""
    closed = tmp_path / "closed"
    closed.mkdir()
    for folder in (tmp_path, closed):
        shutil.copy(SAMPLES / "plus.jpg", folder)
        (folder / "sheet.csv").write_text(SHEET)
    closed.chmod(0)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    closed.chmod(0o700)


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        ("closed/plus.jpg", 3, "closed/plus.jpg cannot be read: permission denied. Check the name"),
        ("closed", 3, "closed cannot be read: permission denied"),
        (f"{LONG}.jpg", 3, "cannot be read: file name too long"),
        ("plus.jpg --overlay closed/plus.png", 2, "closed/plus.png cannot be written: permission"),
        (f"plus.jpg --overlay {LONG}.png", 2, "cannot be written: file name too long"),
        ("batch closed/sheet.csv -o results.csv", 2, "closed/sheet.csv cannot be read"),
        ("batch plus.jpg -o closed/results.csv", 2, "closed/results.csv cannot be written"),
        (f"batch plus.jpg -o {LONG}.csv", 2, "cannot be written"),
        ("verify closed/sheet.csv", 2, "closed/sheet.csv cannot be read: permission denied"),
        (f"verify {LONG}.csv", 2, "cannot be read: file name too long"),
        ("standings closed/sheet.csv", 2, "closed/sheet.csv cannot be read: permission denied"),
        (f"standings {LONG}.csv", 2, "cannot be read: file name too long"),
        ("kingdom closed/kingdom.txt", 3, "closed/kingdom.txt cannot be read"),
        ("duel closed/map.txt", 3, "closed/map.txt cannot be read"),
    ],
)
def test_unreadable_path_has_a_remedy(table, words, code, sentence):
    done = kdscore(*words.split(), obeying_modes=True)
    assert sentence in done.stderr
    assert done.returncode == code


def read_rows(path):
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def test_batch_skips_an_unreadable_photo(table):
    photos = ("closed/plus.jpg", f"{LONG}.jpg", "plus.jpg")
    done = kdscore("batch", *photos, "-o", "results.csv", obeying_modes=True)
    assert done.returncode == 3, done.stderr
    states = [row["status"] for row in read_rows(table / "results.csv")]
    assert sorted(states) == ["sure", "unreadable", "unreadable"]


def test_unreadable_photo_leaves_its_claim_open(table):
    done = kdscore("verify", "sheet.csv", "-o", "results.csv", obeying_modes=True)
    assert done.returncode == 3, done.stderr
    closed, long, plain = read_rows(table / "results.csv")
    assert "permission denied" in closed["explanation"]
    assert "file name too long" in long["explanation"]
    assert plain["verdict"] == "agrees"
