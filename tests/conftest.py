"""What tests share: the folder of real pictures, where there is one."""

import os
from pathlib import Path

import pytest

from tests.support.paths import ROOT


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real pictures; the test is skipped without it."""
    default = ROOT.parent / "shared" / "data"
    folder = Path(os.environ.get("KDVISION_DATA", default))
    if not folder.is_dir():
        pytest.skip(f"there are no real pictures at {folder} (set KDVISION_DATA)")
    return folder


@pytest.fixture(scope="session")
def scorer():
    """A Scorer with the real models; the test is skipped while there are none."""
    from kdvision.pipeline.scorer import Scorer
    from kdvision.vision.models import model_folder

    if not (model_folder() / "manifest.json").is_file():
        pytest.skip(f"there are no models in {model_folder()}")
    return Scorer(threads=1)
