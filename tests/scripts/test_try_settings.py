"""The script that changes every number that decides: which it finds, and what it runs for them."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.measuring.try_settings import deciding, moved, targets
from tests.support.paths import ROOT


@pytest.mark.parametrize(
    ("value", "factor", "changed"),
    [(0.9, 2 / 3, 0.6), (0.9, 4 / 3, 1.2), (12, 2 / 3, 8), (12, 4 / 3, 16), (1, 2 / 3, 0),
     (1, 4 / 3, 2), (2, 4 / 3, 3)],
)  # fmt: skip
def test_a_third_up_and_down_and_whole_numbers_stay_whole(
    value: float, factor: float, changed: float
) -> None:
    assert moved(value, factor) == pytest.approx(changed)
    assert isinstance(moved(value, factor), type(value))


def test_numbers_of_every_stage_are_found_and_have_tests() -> None:
    found = list(deciding())
    assert {field.decides for field in found} == {"kingdom", "sure", "legal"}
    assert len(set(map(str, found))) == len(found)
    stages = {field.module for field in found}
    assert {"kdvision.vision.settings", "kdvision.photo.settings"} <= stages
    assert all(moved(field.value, 2 / 3) < field.value for field in found)
    held_by = {field.instance: targets(field) for field in found}
    assert all(held_by.values())
    assert all((ROOT / target).is_file() for tests in held_by.values() for target in tests)
    assert all("/vision/grid/" in target for target in held_by["GRID"])
    assert "tests/vision/test_seams.py" in held_by["SEAMS"]


@pytest.fixture
def test_file(tmp_path: Path) -> str:
    path = tmp_path / "test_one.py"
    path.write_text(
        "from kdvision.vision.settings import GRID\ndef test_it(): assert GRID.least_votes > 0.2\n"
    )
    return str(path)


CODE = """
import sys
from scripts.measuring.try_settings import Trial, deciding, run
(field,) = (one for one in deciding() if str(one) == "GRID.least_votes")
{early}
path = (sys.argv[1],)
for outcome in run([Trial(path), Trial(path, field, 0.17), Trial(path, field, 0.33)], 1, False):
    print(outcome.ran, outcome.failed.rpartition("::")[2])
"""


def tried(test_file: str, early: str = "") -> "subprocess.CompletedProcess[str]":
    """What comes of three trials in a program of its own."""
    code = CODE.format(early=early)
    return subprocess.run(
        [sys.executable, "-c", code, test_file], cwd=ROOT, capture_output=True, text=True
    )


def test_a_change_that_a_test_sees_is_caught_and_another_is_not(test_file: str) -> None:
    assert tried(test_file).stdout.splitlines() == ["True ", "True test_it", "True "]


def test_a_change_that_comes_too_late_is_refused(test_file: str) -> None:
    done = tried(test_file, "import kdvision.vision.grid.voting")
    assert done.returncode
    assert "was imported before its settings were changed" in done.stderr
