"""A thousand broken photos, odd JSON, HTML in every field, pages of elsewhere: only refusals."""

import json
import resource
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from kdvision.pipeline.scorer import Scorer
from kdvision.serve.app import create_app
from kdvision.serve.store import Store
from scripts.fuzzing.mutate import apply, draw, recipe
from tests.support.fakes import FakeReader, fake_photo
from tests.support.serving import sample, send

UPLOADS = 1_000
#: Bytes by which the process may grow over all of them, as Linux counts the most it ever had.
MOST_GROWTH = 400 * 2**20
#: Seconds for one of them on a machine that is busy with other work.
SLOWEST_S = 20
HTML = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
CHANGING = [
    ("POST", "/api/photos"), ("DELETE", "/api/photos/{id}"), ("POST", "/api/photos/{id}/fixes"),
    ("POST", "/api/photos/{id}/options"), ("POST", "/api/games"), ("PATCH", "/api/games/{game}"),
    ("DELETE", "/api/games/{game}"),
]  # fmt: skip
#: What a field of a JSON body may be that should be a name, a number or an object.
ODD = (
    None, True, 0, -1, 2**70, 1.5, "", " ", "x" * 1000, "\x00", "\ud83d", HTML, "=1+1",
    "../../etc/passwd", [], [[]], {}, {"a": {}}, {"": ""}, {"A": None}, {HTML: HTML}, {"Ada": 3},
)  # fmt: skip


def small_photos() -> list[bytes]:
    """A kingdom of one domino as JPEG, PNG and WebP of 480 x 360 pixels."""
    rgb = cv2.imdecode(np.frombuffer(sample("first_domino.jpg"), np.uint8), cv2.IMREAD_COLOR)
    small = cv2.resize(rgb, (480, 360), interpolation=cv2.INTER_AREA)
    return [cv2.imencode(kind, small)[1].tobytes() for kind in (".jpg", ".png", ".webp")]


def test_a_thousand_mutated_uploads(scorer: Scorer, tmp_path: Path) -> None:
    """Each gets a result or a sentence, none takes long, and memory stays where it was."""
    whole = small_photos()
    app = create_app(scorer, Store(tmp_path / "e.sqlite"))
    statuses: dict[int, int] = {}
    with TestClient(app, raise_server_exceptions=False) as client:
        for photo in whole:
            client.post("/api/photos", files={"photo": ("a", photo)})
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for number in range(UPLOADS):
            steps = draw(Random(number))
            # JPEG is what phones send; it takes six of ten.
            data = apply(whole[max(0, number % 10 - 5) % 3], steps, whole)
            start = time.monotonic()
            answer = client.post("/api/photos", files={"photo": ("a.jpg", data)})
            assert time.monotonic() - start < SLOWEST_S, recipe(steps)
            statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
            found = answer.json()
            assert answer.status_code in (201, 422), (recipe(steps), found)
            assert answer.status_code == 201 or found["error"].endswith((".", "?")), recipe(steps)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert grown * (1 if sys.platform == "darwin" else 1024) < MOST_GROWTH
        assert client.get("/healthz").status_code == 200
        assert send(client, "first_domino.jpg")["kingdoms"][0]["score"] == 1
    assert min(statuses[201], statuses[422]) > UPLOADS / 20, "the mutations test nothing"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/games", {"photo": "", "players": {"A": "Ada"}, "game": "1"}),
        ("/api/photos/ID/fixes", {"A.b1": "F1"}),
        ("/api/photos/ID/options", {"harmony": True, "size": 5}),
    ],
)
def test_odd_values_in_every_field(tmp_path: Path, path: str, body: dict[str, Any]) -> None:
    app = create_app(FakeReader(), Store(tmp_path / "e.sqlite"))  # type: ignore[arg-type]
    with TestClient(app, raise_server_exceptions=False) as client:
        files = {"photo": ("image.jpg", fake_photo("C F1 F F F"))}
        photo = client.post("/api/photos", files=files).json()["id"]
        path = path.replace("ID", photo)
        body = {key: photo if key == "photo" else value for key, value in body.items()}
        kind = {"content-type": "application/json"}
        for field in body:
            for odd in ODD:
                # By hand: a client of good manners refuses half a character.
                data = json.dumps({**body, field: odd}).encode()
                answer = client.post(path, content=data, headers=kind)
                status = answer.status_code
                assert status in (200, 201) or 400 <= status < 500, (field, odd, answer.text)
                assert answer.headers["content-type"] == "application/json"
                if status >= 400:
                    assert answer.json()["error"].endswith((".", "?")), (field, odd)
        assert client.get("/api/games").status_code == 200


@pytest.mark.parametrize(("method", "path"), CHANGING)
def test_pages_of_elsewhere_change_nothing(client: TestClient, method: str, path: str) -> None:
    place = path.replace("{id}", "a" * 22).replace("{game}", "1")
    for headers in (
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"origin": "http://testserver.evil.example", "sec-fetch-site": "same-site"},
    ):
        answer = client.request(method, place, headers=headers)
        assert answer.status_code == 403, (headers, answer.text)
    # The same from our own page is refused for what it says, not for where it comes from.
    own = {"origin": "http://testserver", "sec-fetch-site": "same-origin"}
    assert client.request(method, place, headers=own).status_code in (400, 404, 415, 422)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../store.py", "/static/%2e%2e/store.py", "/static/..%2fstore.py",
        "/static/night/../../store.py", "/static/%2fetc/passwd", "/static/%00", "/static/night",
        "/api/photos/..%2f..%2fetc%2fpasswd", "/api/photos/%00", "/api/games/..%2f..",
        "//etc/passwd",
    ],
)  # fmt: skip
def test_no_path_leads_to_the_disk(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (404, 405), path
    assert "root:" not in answer.text and "import " not in answer.text
