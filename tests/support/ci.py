"""What may be missing on a developer's machine, but not where every test has to run."""

import os
from typing import NoReturn

import pytest


def nothing_is_skipped() -> bool:
    """Return whether every test has to run: `KDVISION_SKIP_NOTHING=1`, as `.ci/run` sets it."""
    return os.environ.get("KDVISION_SKIP_NOTHING") == "1"


def skip_or_fail(reason: str) -> NoReturn:
    """Skip a test for want of something; it fails where nothing may be skipped."""
    if nothing_is_skipped():
        pytest.fail(f"this test may not be skipped: {reason}")
    pytest.skip(reason)
