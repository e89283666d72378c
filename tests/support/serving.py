"""Requests that the tests of the server make."""

from typing import Any

from starlette.testclient import TestClient

from tests.support.paths import SAMPLES


def sample(name: str) -> bytes:
    """The bytes of a sample photo."""
    return (SAMPLES / name).read_bytes()


def send(client: TestClient, name: str = "plus.jpg", **fields: str) -> dict[str, Any]:
    """Upload a sample; the answer's JSON."""
    answer = client.post("/api/photos", files={"photo": (name, sample(name))}, data=fields)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())
