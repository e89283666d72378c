"""Photos over HTTP: the same results as from the command line, corrected, shown, forgotten."""

import json

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from kdvision.errors import KdvisionError
from kdvision.options import GameOptions
from kdvision.pipeline.scorer import Scorer
from kdvision.report.serialize import to_object
from tests.support.paths import SAMPLES
from tests.support.serving import sample, send

OURS = ("id", "fixes", "kept", "options")
NAMES = sorted(path.name for path in SAMPLES.glob("*.jpg"))


def plain(answer: dict) -> dict:
    """The answer without what the server adds to kdscore/1."""
    kingdoms = [{k: v for k, v in one.items() if k != "offset"} for one in answer["kingdoms"]]
    return {k: v for k, v in answer.items() if k not in OURS} | {"kingdoms": kingdoms}


def as_command(scorer: Scorer, name: str, fixes: dict[str, str], **options: object) -> dict:
    """What `kdscore --json` prints for a sample."""
    result = scorer.score(sample(name), GameOptions(**options), name=name, fixes=fixes)
    return json.loads(json.dumps(to_object(result)))


@pytest.mark.parametrize("name", NAMES)
def test_every_sample_scores_as_on_the_command_line(
    client: TestClient, scorer: Scorer, name: str
) -> None:
    answer = client.post("/api/photos", files={"photo": (name, sample(name))})
    try:
        expected = as_command(scorer, name, {})
    except KdvisionError as error:
        assert answer.status_code == 422
        assert answer.json()["error"] == answer.json()["message"] == error.unnamed
        return
    assert answer.status_code == 201
    assert plain(answer.json()) == expected
    assert client.get(answer.headers["location"]).json() == answer.json()


@pytest.mark.parametrize(
    ("name", "fixes", "fields"),
    [
        ("plus.jpg", {"A.c1": "G1"}, {}),
        ("plus.jpg", {"c1": "G1", "a3": "W1"}, {"harmony": "true"}),
        ("corner.jpg", {"A.a1": "-"}, {"size": "7", "middle_kingdom": "1"}),
        ("two_kingdoms.jpg", {"B.b1": "W"}, {"boxes": "2"}),
        ("first_domino.jpg", {"A.d1": "F", "A.d2": "F1"}, {}),
    ],
)
def test_fixes_score_as_on_the_command_line(
    client: TestClient, scorer: Scorer, name: str, fixes: dict[str, str], fields: dict[str, str]
) -> None:
    photo = send(client, name, **fields)
    answer = client.post(f"/api/photos/{photo['id']}/fixes", json=fixes)
    assert answer.status_code == 200, answer.text
    assert plain(answer.json()) == as_command(scorer, name, fixes, **photo["options"])
    assert answer.json()["fixes"] == fixes


def test_fixes_add_up_and_are_taken_back(client: TestClient) -> None:
    photo = send(client, "plus.jpg")
    place = f"/api/photos/{photo['id']}/fixes"
    one = client.post(place, json={"A.c1": "G1"}).json()
    two = client.post(place, json={"A.a3": "W1"}).json()
    assert two["fixes"] == {"A.c1": "G1", "A.a3": "W1"}
    assert client.post(place, json={"A.a3": None}).json() == one
    assert client.post(place, json={"A.c1": None}).json() == photo


@pytest.mark.parametrize(
    "fixes", [{"c1": "X"}, {"z9": "W"}, {"B.c1": "W"}, {"A.c1": 3}, {"": "W"}, {"A.c1": "W3"}]
)
def test_a_fix_that_is_none_changes_nothing(client: TestClient, fixes: dict) -> None:
    photo = send(client, "plus.jpg")
    answer = client.post(f"/api/photos/{photo['id']}/fixes", json=fixes)
    assert answer.status_code == 422
    assert len(answer.json()["error"]) > 20
    assert client.get(f"/api/photos/{photo['id']}").json() == photo


def test_the_offset_says_how_far_the_box_has_moved(client: TestClient) -> None:
    photo = send(client, "plus.jpg")
    assert photo["kingdoms"][0]["offset"] == [0, 0]
    gone = client.post(f"/api/photos/{photo['id']}/fixes", json={"A.a3": "-", "A.c1": "-"}).json()
    before, after = photo["kingdoms"][0], gone["kingdoms"][0]
    rows, cols = after["offset"]
    assert (rows, cols) == (1, 1)
    old = {(s["row"], s["col"]): s["center"] for s in before["squares"]}
    for square in after["squares"]:
        assert square["center"] == old[square["row"] + rows, square["col"] + cols]


def test_the_pictures_of_a_photo(client: TestClient) -> None:
    photo = send(client, "plus.jpg")
    pictures = [client.get(f"/api/photos/{photo['id']}/{n}") for n in ("picture", "overlay")]
    assert [one.headers["content-type"] for one in pictures] == ["image/jpeg"] * 2
    bare, drawn = (cv2.imdecode(np.frombuffer(one.content, np.uint8), 1) for one in pictures)
    assert bare.shape == drawn.shape
    assert np.abs(bare.astype(int) - drawn).mean() > 5


def test_a_photo_that_is_forgotten_is_gone(client: TestClient) -> None:
    photo = send(client, "plus.jpg")
    assert client.delete(f"/api/photos/{photo['id']}").status_code == 204
    for path in ("", "/overlay", "/picture"):
        assert client.get(f"/api/photos/{photo['id']}{path}").status_code == 404
    assert client.delete(f"/api/photos/{photo['id']}").status_code == 404


def test_an_upload_that_is_sent_twice_is_kept_once(client: TestClient) -> None:
    one = send(client, "plus.jpg", key="phone-1")
    again = client.post(
        "/api/photos", files={"photo": ("x.jpg", sample("plus.jpg"))}, data={"key": "phone-1"}
    )
    assert (again.status_code, again.json()) == (200, one)
    assert send(client, "plus.jpg", key="phone-2")["id"] != one["id"]


def test_ids_cannot_be_counted(client: TestClient) -> None:
    ids = {send(client, "first_domino.jpg")["id"] for _ in range(3)}
    assert len(ids) == 3 and all(len(one) == 22 for one in ids)
    for guess in ("1", "0" * 22, "../plus", "%2e%2e", "a" * 5000):
        assert client.get(f"/api/photos/{guess}").status_code == 404
