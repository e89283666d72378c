"""The script that changes every number that decides: which it finds, and what it runs for them."""

from pathlib import Path

import pytest

from scripts.measuring import try_settings
from scripts.measuring.try_settings import Outcome, Trial, deciding, moved, run, targets
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
    assert {field.decides for field in found} == {"kingdom", "sure"}
    stages = {field.module for field in found}
    assert {"kdvision.vision.settings.grid", "kdvision.photo.settings"} <= stages
    assert all(moved(field.value, 2 / 3) < field.value for field in found)
    for stage in stages:
        assert targets(stage)
        assert all((ROOT / target).is_file() for target in targets(stage))


def test_a_change_that_a_test_sees_is_caught_and_another_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trials in processes of their own: nothing changes here."""
    test = tmp_path / "test_one.py"
    test.write_text(
        "from kdvision.vision.settings import GRID\ndef test_it(): assert GRID.least_votes > 0.2\n"
    )
    (field,) = (one for one in deciding() if str(one) == "GRID.least_votes")
    trials = [Trial((str(test),)), *(Trial((str(test),), field, value) for value in (0.17, 0.33))]
    monkeypatch.setattr(try_settings, "PACKAGE", tmp_path / "elsewhere")
    plain, lower, higher = run(trials, 1, verbose=False)
    assert (plain, higher) == (Outcome(True), Outcome(True))
    assert lower.ran
    assert lower.failed.endswith("test_it")
    assert field.value == 0.25
