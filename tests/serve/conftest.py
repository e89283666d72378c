"""A server in the test's own process, and the page of a running one in a real browser."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from kdvision.pipeline.scorer import Scorer
from kdvision.serve.app import create_app
from kdvision.serve.store import Store
from tests.support.browser import Browser, driver
from tests.support.night import Night
from tests.support.serving import running_server

#: A phone and a desk: width and height in pixels, and whether it is touched.
SIZES = {"phone": (360, 740, True), "desk": (1280, 800, False)}


@pytest.fixture
def client(scorer: Scorer, tmp_path: Path) -> Iterator[TestClient]:
    """A client of a fresh server."""
    app = create_app(scorer, Store(tmp_path / "evening.sqlite"))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="session")
def driver_port() -> Iterator[int]:
    """The port of the browser's driver."""
    with driver() as port:
        yield port


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a server that runs as its command starts it."""
    with running_server(tmp_path / "evening.sqlite") as running:
        yield running.address


@pytest.fixture
def open_night(
    request: pytest.FixtureRequest, driver_port: int, server: str, tmp_path: Path
) -> Iterator[Callable[[str], Night]]:
    """Opens the page in a browser of its own, of a size by name."""
    with ExitStack() as stack:
        opened: list[Browser] = []

        def new(size: str) -> Night:
            width, height, phone = SIZES[size]
            profile = tmp_path / f"profile{len(opened)}"
            browser = Browser(driver_port, profile, width, height, phone=phone)
            stack.callback(browser.close)
            opened.append(browser)
            night = Night(browser, server)
            night.load()
            return night

        yield new
        if shown := os.environ.get("KDVISION_SCREENSHOTS"):
            for number, browser in enumerate(opened):
                browser.picture(Path(shown) / f"{request.node.name}-{number}.png")


@pytest.fixture(params=SIZES)
def night(request: pytest.FixtureRequest, open_night: Callable[[str], Night]) -> Iterator[Night]:
    """The page at the size of a phone and of a desk; it writes nothing to the console."""
    night = open_night(request.param)
    yield night
    assert night.browser.console() == []
