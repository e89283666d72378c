"""What tests share: the folder of real pictures, where there is one."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real pictures; the test is skipped without it."""
    default = Path(__file__).parent.parent.parent / "shared" / "data"
    folder = Path(os.environ.get("KDVISION_DATA", default))
    if not folder.is_dir():
        pytest.skip(f"there are no real pictures at {folder} (set KDVISION_DATA)")
    return folder
