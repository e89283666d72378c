"""A server in the test's own process, and the page of a running one in a real browser."""

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn
from starlette.testclient import TestClient

from kdvision.serve.app import create_app
from kdvision.serve.store import Store
from tests.support.chromium import open_page
from tests.support.fakes import FakeScorer
from tests.support.night import Night
from tests.support.serving import Phone

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(autouse=True)
def _stores_are_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Closes the stores that a test opened, as the end of a server does."""
    opened: list[Store] = []
    begin = Store.__init__

    def begin_and_note(store: Store, path: Path) -> None:
        begin(store, path)
        opened.append(store)

    monkeypatch.setattr(Store, "__init__", begin_and_note)
    yield
    for store in opened:
        store.close()


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


@pytest.fixture
def open_night(chromium: "Browser", tmp_path: Path) -> Iterator[Callable[..., Night]]:
    """Opens the page of a server in a profile of its own; takes the words of `open_page` too."""
    pages: list[Page] = []

    def new(address: str, *, is_open: bool = True, **words: Any) -> Night:
        pages.append(open_page(chromium, **words))
        night = Night(pages[-1], address, tmp_path / f"photos {len(pages)}")
        if is_open:
            night.load()
        return night

    yield new
    for page in pages:
        page.context.close()
