"""A server and its worst guests: only refusals, within limits, and no answer is lost."""

import http.client
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from kdvision.serve.settings import DEFAULT_SETTINGS
from scripts.fuzzing.mutate import apply, draw
from tests.support.serving import Running, ask, form, running_server, sample, upload

PHOTO = "plus.jpg"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running_server(tmp_path_factory.mktemp("serve") / "evening.sqlite") as running:
        yield running
        assert running.process.poll() is None


def test_a_client_that_never_ends_its_request_is_dropped(server: Running) -> None:
    """Twenty of them: the server answers others meanwhile, and hangs up on all."""
    began = time.monotonic()
    sockets = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
    try:
        for number, one in enumerate(sockets):
            one.sendall(b"POST /api/photos HTTP/1.1\r\nHost: x\r\nX-A: "[: 5 + number * 2])
        assert server.is_well()
        for one in sockets:
            one.settimeout(60)
            assert one.recv(1000) in (b"",), "the server answers half a request"
        assert time.monotonic() - began < 3 * DEFAULT_SETTINGS.header_s + 10
    finally:
        for one in sockets:
            one.close()


@pytest.mark.parametrize(
    "name",
    ["../../etc/passwd", "..\\..\\a.jpg", "/etc/passwd", "a\x00b.jpg", "<script>alert(1)</script>",
     "x" * 5000, "%2e%2e%2f", ""],
)  # fmt: skip
def test_names_of_photos_are_only_names(server: Running, name: str) -> None:
    status, found = upload(server, form(sample(PHOTO), name))
    if status == 201:
        assert "/" not in found["photo"].replace("</", "<") and "\\" not in found["photo"]
        assert len(found["photo"]) <= 80 and found["photo"].isprintable()
    else:
        assert 400 <= status < 500
    assert not list(Path.cwd().glob("passwd*"))


def test_a_body_that_says_a_wrong_length(server: Running) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as one:
        head = "POST /api/photos HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n"
        one.sendall(f"{head}Content-Type: multipart/form-data; boundary=x\r\n\r\n".encode())
        assert one.recv(1000).startswith(b"HTTP/1.1 413")
    assert server.is_well()


def test_mutated_photos_get_a_result_or_a_sentence(server: Running) -> None:
    whole = (sample(PHOTO), sample("corner.jpg"))
    for number in range(60):
        data = apply(whole[0], draw(Random(number)), whole)
        status, found = upload(server, form(data))
        assert status in (201, 422), (number, status)
        assert status == 201 or found["error"].endswith((".", "?"))
    assert server.is_well()


def test_mutated_forms_are_refused(server: Running) -> None:
    body = form(sample("first_domino.jpg")[:2000], harmony="true")
    for number in range(120):
        random = Random(number)
        wrong = bytearray(body)
        for _ in range(random.randrange(1, 12)):
            wrong[random.randrange(min(400, len(wrong)))] = random.randrange(256)
        status, _ = upload(server, bytes(wrong[: random.randrange(20, len(wrong))]))
        assert 400 <= status < 500, number
    assert server.is_well()


def test_many_phones_at_once_lose_nothing(server: Running) -> None:
    """Turned away for a moment, a phone comes again; every answer is right and kept."""

    def phone(number: int) -> tuple[str, int]:
        body = form(sample("first_domino.jpg"), key=f"phone-{number}")
        while True:
            status, found = upload(server, body)
            if status != 503:
                assert status == 201
                return found["id"], found["kingdoms"][0]["score"]
            time.sleep(0.2)

    with ThreadPoolExecutor(12) as phones:
        answers = list(phones.map(phone, range(24)))
    assert len({id_ for id_, _ in answers}) == 24
    assert len({score for _, score in answers}) == 1
    for id_, _ in answers:
        assert ask(server, "GET", f"/api/photos/{id_}")[0] == 200


def test_killed_in_the_middle_all_that_was_answered_is_there(tmp_path: Path) -> None:
    data = tmp_path / "evening.sqlite"
    answered: list[dict] = []
    with running_server(data) as running, ThreadPoolExecutor(3) as phones:

        def phone(number: int) -> None:
            try:
                status, found = upload(running, form(sample("first_domino.jpg")))
            except (OSError, http.client.HTTPException):
                return
            if status == 201:
                answered.append(found)
            if len(answered) == 4:
                running.process.kill()

        list(phones.map(phone, range(12)))
        running.process.wait(10)
    assert 4 <= len(answered) < 12
    with running_server(data) as again:
        for found in answered:
            assert ask(again, "GET", f"/api/photos/{found['id']}") == (200, found)
