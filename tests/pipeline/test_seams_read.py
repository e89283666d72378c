"""When the scorer looks at seams, and what it does without the model."""

import json
import shutil
from pathlib import Path

import pytest

from kdvision.pipeline import reader as module
from kdvision.pipeline.scorer import Scorer
from kdvision.vision.models import model_folder
from tests.support.paths import SAMPLES


@pytest.fixture
def without_seams(tmp_path: Path) -> Scorer:
    folder = tmp_path / "models"
    shutil.copytree(model_folder(), folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["models"] = [one for one in manifest["models"] if one["name"] != "seams"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "seams.onnx").unlink(missing_ok=True)
    return Scorer(folder, threads=1)


@pytest.mark.parametrize("name", ["meadow_5x5.jpg", "broken_rule_5x5.jpg", "gaps_7x7.jpg"])
def test_seams_tell_what_the_deck_leaves_open_and_change_no_total(
    scorer: Scorer, without_seams: Scorer, name: str
) -> None:
    (told,), (by_deck,) = (one.score(SAMPLES / name).kingdoms for one in (scorer, without_seams))
    assert told.kingdom == by_deck.kingdom
    assert (told.score, told.status, told.probability) == (
        by_deck.score,
        by_deck.status,
        by_deck.probability,
    )
    forced = {one.cells for one in by_deck.dominoes if one.probability == 1}
    assert forced == {one.cells for one in told.dominoes if one.probability == 1}
    assert {one.cells for one in told.dominoes} == {one.cells for one in by_deck.dominoes}


def test_a_kingdom_that_the_deck_cuts_in_one_way_is_not_looked_at_again(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*given: object) -> None:
        raise AssertionError("the seams were read")

    monkeypatch.setattr(module, "read_seams", never)
    (kingdom,) = scorer.score(SAMPLES / "broken_rule_5x5.jpg").kingdoms
    assert all(one.probability == 1 for one in kingdom.dominoes)
