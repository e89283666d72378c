"""A server in the test's own process, with the real scorer."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from kdvision.pipeline.scorer import Scorer
from kdvision.serve.app import create_app
from kdvision.serve.store import SqliteStore


@pytest.fixture
def client(scorer: Scorer, tmp_path: Path) -> Iterator[TestClient]:
    """A client of a fresh server."""
    app = create_app(scorer, SqliteStore(tmp_path / "evening.sqlite"))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client
