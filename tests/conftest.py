"""What tests share: the folder of real pictures, where there is one, and what CI may not skip."""

import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.support.browser import driver
from tests.support.ci import in_ci
from tests.support.paths import DATA, TESTS

if TYPE_CHECKING:
    from kdvision.pipeline.scorer import Scorer

#: What takes long: faults in photos and servers, whole nights and tournaments, training, a wheel.
SLOW = (
    "photo/test_damaged_photos.py",
    "scripts/test_fuzz.py",
    "scripts/test_seam_training.py",
    "scripts/test_training.py",
    "scripts/test_trust_fit.py",
    "serve/test_night",
    "test_wheel.py",
    "tournament/test_dask.py",
    "tournament/test_edits.py",
    "tournament/test_tournament.py",
)
#: So does what a browser shows, and what is read in real photos.
SLOW_FIXTURES = {"data_folder", "driver_port"}

# A machine that does other work as well is no reason for a test to fail.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would every program
# that they start: those that are interrupted in a test would go on.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """In CI a module that is skipped as a whole, for want of a library, has failed."""
    report = yield
    if in_ci() and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped under CI=true: {report.longrepr}"
    return report


def _is_whole(config: pytest.Config) -> bool:
    """Whether all tests are run, and not those of files or folders that are named."""
    return config.args_source is not pytest.Config.ArgsSource.ARGS


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """All tests run on all cores; a few that are named need no other processes."""
    if _is_whole(config):
        return None
    config.option.dist = "no"
    return 0


def _is_quick(config: pytest.Config) -> bool:
    """Whether what takes long is left out: where nothing is named, and no `-m` asks for it."""
    marked = any(word.startswith("-m") for word in config.invocation_params.args)
    return _is_whole(config) and not marked


def _is_slow_file(path: Path) -> bool:
    return path.relative_to(TESTS).as_posix().startswith(SLOW)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files that are left out need not be opened, nor the libraries that they need."""
    return True if _is_quick(config) and _is_slow_file(collection_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Function]) -> None:
    """Mark what takes long, let it begin first, and leave it out of a quick run."""
    for item in items:
        if _is_slow_file(item.path) or SLOW_FIXTURES & {*item.fixturenames}:
            item.add_marker("slow")
    slow = [item for item in items if item.get_closest_marker("slow")]
    quick = [item for item in items if not item.get_closest_marker("slow")]
    if _is_quick(config):
        config.hook.pytest_deselected(items=slow)
        items[:] = quick
    elif _is_whole(config):
        # What takes longest begins first, so that all cores have work to the end.
        items[:] = [*slow, *quick]


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real pictures; the test is skipped without it."""
    if not DATA.is_dir():
        pytest.skip(f"there are no real pictures at {DATA} (set KDVISION_DATA)")
    return DATA


@pytest.fixture(scope="session")
def driver_port() -> Iterator[int]:
    """The port of the browser's driver; the test is skipped where there is no browser."""
    with driver() as port:
        yield port


@pytest.fixture(scope="session")
def scorer() -> "Scorer":
    """A Scorer with the real models; the test is skipped while there are none."""
    from kdvision.pipeline.scorer import Scorer
    from kdvision.vision.models import model_folder

    if not (model_folder() / "manifest.json").is_file():
        pytest.skip(f"there are no models in {model_folder()}")
    return Scorer(threads=1)
