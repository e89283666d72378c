"""A server in the test's own process, and the page of a running one in a real browser."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import mkdtemp

import pytest
from starlette.testclient import TestClient

from kdvision.serve.app import create_app
from kdvision.serve.store import Store
from tests.support.browser import Browser
from tests.support.fakes import FakeScorer
from tests.support.night import Night
from tests.support.serving import Phone, running_server

#: A phone and a screen: width and height in pixels, and whether it is touched.
SIZES = {"phone": (360, 740, True), "screen": (1280, 800, False)}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """A client of a fresh server that reads fake photos."""
    app = create_app(FakeScorer(), Store(tmp_path / "evening.sqlite"))  # type: ignore[arg-type]
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def phone(client: TestClient) -> Phone:
    """A phone of the family."""
    return Phone(client)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a server of its own process that reads fake photos."""
    with running_server(tmp_path / "evening.sqlite", fake=True) as running:
        yield running.address


@pytest.fixture
def open_night(driver_port: int, tmp_path: Path) -> Iterator[Callable[..., Night]]:
    """Opens the page of a server in a browser of its own, of a size by name."""
    with ExitStack() as stack:

        def new(address: str, size: str = "phone", *, is_open: bool = True) -> Night:
            width, height, is_phone = SIZES[size]
            profile = Path(mkdtemp(dir=tmp_path))
            browser = Browser(driver_port, profile, width, height, phone=is_phone)
            stack.callback(browser.close)
            night = Night(browser, address)
            if is_open:
                night.load()
            return night

        yield new
