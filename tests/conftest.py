"""What tests share: the folder of real pictures, where there is one, and what is slow."""

import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.support.chromium import launch_chromium
from tests.support.ci import nothing_is_skipped
from tests.support.paths import DATA

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from kdvision.pipeline.scorer import Scorer

#: Tests that use one of these take long: what a browser shows, and what is read in real photos.
SLOW_FIXTURES = {"data_folder", "chromium"}

# A machine that does other work as well is no reason for a test to fail.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would every program
# that they start: those that are interrupted in a test would go on.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Where nothing may be skipped, a module that wants a library has failed."""
    report = yield
    if nothing_is_skipped() and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may be: {report.longrepr}"
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a browser or real photos as slow."""
    for item in items:
        if SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("slow")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real pictures; the test is skipped without it."""
    if not DATA.is_dir():
        pytest.skip(f"there are no real pictures at {DATA} (set KDVISION_DATA)")
    return DATA


# Of a module and not of all: while Playwright runs, no other event loop can in its thread.
@pytest.fixture(scope="module")
def chromium() -> "Iterator[Browser]":
    """A browser; the test is skipped where there is none."""
    with launch_chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def scorer() -> "Scorer":
    """A Scorer with the real models; the test is skipped while there are none."""
    from kdvision.pipeline.scorer import Scorer
    from kdvision.vision.models import model_folder

    if not (model_folder() / "manifest.json").is_file():
        pytest.skip(f"there are no models in {model_folder()}")
    return Scorer(threads=1)
