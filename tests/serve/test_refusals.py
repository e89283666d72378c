"""What the page's server refuses: a status, a code that a program knows, a sentence for people."""

import pytest
from starlette.testclient import TestClient

from tests.support.fakes import fake_photo
from tests.support.serving import BLUE, BOUNDARY, Phone, form

JSON = "application/json"
FORM = f"multipart/form-data; boundary={BOUNDARY}"
PHOTO = form(fake_photo(BLUE))


@pytest.mark.parametrize(
    ("method", "path", "kind", "body", "status", "code"),
    [
        ("PUT", "/api/evenings/1", "text/plain", b"{}", 415, "no-json"),
        ("PUT", "/api/evenings/1", JSON, b"\xff\xfe", 400, "no-json"),
        ("PUT", "/api/evenings/1", JSON, b"[]", 422, "no-value"),
        ("PUT", "/api/evenings/1", JSON, b'{"name": "Finals"}', 404, "no-evening"),
        ("POST", "/api/photos", JSON, b"{}", 415, "no-form"),
        ("POST", "/api/photos", FORM, PHOTO.replace(b'"photo"', b'"other"'), 422, "no-form"),
        ("POST", "/api/photos", FORM, PHOTO.replace(b": ", b" "), 400, "broken-off"),
        ("GET", "/api/photos/1", JSON, b"", 404, "no-photo"),
        ("GET", "/api/games/1", JSON, b"", 404, "no-game"),
        ("PATCH", "/api/games", JSON, b"{}", 405, "no-method"),
        ("GET", "/api/nothing", JSON, b"", 404, "no-address"),
    ],
)
def test_refusal_has_a_code(
    client: TestClient, method: str, path: str, kind: str, body: bytes, status: int, code: str
) -> None:
    answer = client.request(method, path, content=body, headers={"content-type": kind})
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text


@pytest.mark.parametrize(
    ("colour", "name", "status", "told"),
    [
        ("purple", "Bo", 404, "There is no such seat. Give pink, yellow, green or blue."),
        ("pink", " ada ", 409, "Two players of this game have the same name. Change one of them."),
        ("pink", "B" * 61, 422, "This name has 61 letters. Write at most 60."),
        ("pink", "B\u202eo", 422, "This name has invisible characters. Type it again."),
    ],
)
def test_refused_name_is_said_to_who_wrote_it(
    phone: Phone, colour: str, name: str, status: int, told: str
) -> None:
    game = phone.photo(BLUE)["game"]
    phone.seat(game, "blue", player="Ada")
    assert phone.seat(game, colour, status, player=name)["error"] == told
    assert phone.seats(game, "player") == {"blue": "Ada"}


def test_no_such_kingdom(phone: Phone) -> None:
    photo = phone.photo(BLUE)["id"]
    assert phone.put(f"/api/photos/{photo}/kingdoms/Z", 404, seat="pink")["code"] == "no-kingdom"
