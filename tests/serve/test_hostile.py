"""A server and its worst guests: only refusals, within limits, and no answer is lost."""

import http.client
import select
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from scripts.fuzzing.mutate import apply, draw
from tests.support.serving import Running, ask, form, running_server, sample, upload
from tests.support.waiting import PATIENCE_S

PHOTO = "plus.jpg"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running_server(tmp_path_factory.mktemp("serve") / "evening.sqlite") as running:
        yield running
        assert running.process.poll() is None


@pytest.mark.parametrize(
    ("chunks", "status"),
    [
        ((b"zz", b"x"), 400),
        ((b"-5", b"x"), 400),
        ((b"f" * 5000, b"x"), 400),
        ((b"5;" + b"x" * 100_000, b"xxxxx"), 400),
    ],
    ids=["no number", "negative", "huge", "long extension"],
)
def test_chunked_bodies(server: Running, chunks: tuple[bytes, bytes], status: int) -> None:
    """One that never ends is refused at the limit and cut off soon after; others at once."""
    size, data = chunks
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S) as one:
        one.sendall(
            b"POST /api/photos HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n"
            b"Content-Type: multipart/form-data; boundary=x7\r\n\r\n"
        )
        start = form(b"")[:-8]
        one.sendall(f"{len(start):x}\r\n".encode() + start + b"\r\n")
        began, answer = time.monotonic(), b""
        try:
            while time.monotonic() - began < PATIENCE_S:
                one.sendall(size + b"\r\n" + data + b"\r\n")
                if not answer and select.select([one], [], [], 0)[0]:
                    answer = one.recv(10_000)
                    began = time.monotonic()
        except OSError:
            pass  # the server has hung up
        else:
            pytest.fail("the server takes whatever comes")
        assert answer == b"" or answer.startswith(f"HTTP/1.1 {status}".encode()), answer
        assert answer or size != b"10000"
    assert server.is_well()


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
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S) as one:
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
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            status, found = upload(server, body)
            if status != 503:
                assert status == 201
                return found["id"], found["kingdoms"][0]["score"]
            time.sleep(0.2)
        raise AssertionError(f"phone {number} is turned away for ever")

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
            if len(answered) >= 4:
                running.process.kill()

        list(phones.map(phone, range(12)))
        running.process.wait(PATIENCE_S)
    assert 4 <= len(answered) < 12
    with running_server(data) as again:
        for found in answered:
            assert ask(again, "GET", f"/api/photos/{found['id']}") == (200, found)
