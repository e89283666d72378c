"""What may be missing on a developer's machine, but not in CI, which installs all of it."""

import os
from typing import NoReturn

import pytest


def in_ci() -> bool:
    """Whether CI runs the tests."""
    return os.environ.get("CI") == "true"


def skip_unless_ci(reason: str) -> NoReturn:
    """Skip a test for want of something that CI installs; there it fails."""
    if in_ci():
        pytest.fail(f"under CI=true this test may not be skipped: {reason}")
    pytest.skip(reason)
