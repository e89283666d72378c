"""A server in the test's own process, and the page of a running one in a real browser."""

import itertools
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import uvicorn
from starlette.testclient import TestClient

from kdvision.serve.app import create_app
from kdvision.serve.store import Store
from tests.support.browser import Browser
from tests.support.fakes import FakeScorer
from tests.support.night import Night
from tests.support.serving import Phone

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
    """The address of a server in a thread of the test's process that reads fake photos."""
    app = create_app(FakeScorer(), Store(tmp_path / "evening.sqlite"))  # type: ignore[arg-type]
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def browsers(driver_port: int) -> Iterator[dict[str, list[Browser]]]:
    """Browsers that wait for the next test, by the name of their size."""
    waiting: dict[str, list[Browser]] = {size: [] for size in SIZES}
    yield waiting
    for browser in itertools.chain(*waiting.values()):
        browser.close()


@pytest.fixture
def open_night(
    driver_port: int, browsers: dict[str, list[Browser]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Night]]:
    """Opens the page of a server in a browser that no other test uses, of a size by name."""
    with ExitStack() as stack:

        def leave(browser: Browser, size: str) -> None:
            if browser.is_set:
                browser.close()
            else:
                browser.clear()
                browsers[size].append(browser)

        def new(address: str, size: str = "phone", *, is_open: bool = True) -> Night:
            if browsers[size]:
                browser = browsers[size].pop()
            else:
                width, height, is_phone = SIZES[size]
                profile = tmp_path_factory.mktemp("profile")
                browser = Browser(driver_port, profile, width, height, phone=is_phone)
            stack.callback(leave, browser, size)
            night = Night(browser, address)
            if is_open:
                night.load()
            return night

        yield new
