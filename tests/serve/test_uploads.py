"""What arrives: too much, too slowly, broken, hostile; and what is kept of it."""

import asyncio
import errno
import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from starlette import formparsers
from starlette.testclient import TestClient

from kdvision.errors import UsageError
from kdvision.serve import bodies
from kdvision.serve.app import create_app
from kdvision.serve.log import EveningBegun, GameBegun, PhotoTaken
from kdvision.serve.store import MissingError, Store, new_code, new_id
from tests.support.fakes import FakeScorer, fake_photo
from tests.support.fuzzing.mutate import apply, draw
from tests.support.serving import BLUE, BOUNDARY, Phone, form, sample
from tests.support.waiting import PATIENCE_S

HTML = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
#: What a field of a JSON body may be that should be a name, a number or an object.
ODD: tuple[Any, ...] = (
    None, True, -1, 2**70, 1.5, "", " ", "x" * 1000, "\x00", "\ud83d", HTML, "=1+1",
    "../../etc/passwd", [], {}, {"a": {}}, {HTML: HTML},
)  # fmt: skip


#: A request that sends a photo, as the server is given it.
SCOPE = {
    "type": "http", "method": "POST", "path": "/api/photos", "query_string": b"",
    "headers": [(b"content-type", f"multipart/form-data; boundary={BOUNDARY}".encode())],
    "http_version": "1.1",
}  # fmt: skip


def served(tmp_path: Path) -> TestClient:
    app = create_app(FakeScorer(), Store(tmp_path / "e.sqlite"))  # type: ignore[arg-type]
    return TestClient(app, raise_server_exceptions=False)


@pytest.mark.parametrize("chunked", [False, True])
def test_too_large_photo_is_refused_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunked: bool
) -> None:
    monkeypatch.setattr(bodies, "LIMITS", SimpleNamespace(max_bytes=50_000))
    head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    body = [head, *[b"\xff" * 10_000] * 100]
    with served(tmp_path) as client:
        answer = client.post(
            "/api/photos",
            content=iter(body) if chunked else b"".join(body),
            headers={"content-type": "multipart/form-data; boundary=x"},
        )
    assert answer.status_code == 413, answer.text


@pytest.mark.parametrize(("more", "status"), [(0, 201), (1, 413)])
def test_form_has_sixteen_kilobytes_besides_the_photo(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, more: int, status: int
) -> None:
    """As much as its fields and their names can take; the photo itself may be as large as any."""
    monkeypatch.setattr(bodies, "LIMITS", SimpleNamespace(max_bytes=50_000))
    photo = fake_photo(BLUE)
    missing = 50_000 + 16 * 1024 - len(form(photo)) + more
    answer = client.post(
        "/api/photos",
        content=form(photo + bytes(missing)),
        headers={"content-type": f"multipart/form-data; boundary={BOUNDARY}"},
    )
    assert answer.status_code == status, answer.text


@pytest.mark.parametrize(("size", "status"), [(2**20, 404), (2**20 + 1, 413)])
def test_other_bodies_have_a_megabyte(client: TestClient, size: int, status: int) -> None:
    body = b'{"name": ""}'.ljust(size)
    headers = {"content-type": "application/json"}
    answer = client.put("/api/evenings/1", content=body, headers=headers)
    assert answer.status_code == status, answer.text
    # What is still on its way is not read.
    assert (answer.headers.get("connection") == "close") is (status == 413)


@pytest.mark.parametrize(("path", "most"), [("/api/photos", 64), ("/api/photos/1/fixes", 1)])
def test_too_large_body_is_told_what_may_be_sent(client: TestClient, path: str, most: int) -> None:
    parts = [bytes(2**20)] * 65
    headers = {"content-type": f"multipart/form-data; boundary={BOUNDARY}"}
    if most == 1:
        headers["content-type"] = "application/json"
    answer = client.post(path, content=iter(parts), headers=headers)
    told = f"At most {most} MB can be sent at once. Send a smaller file."
    assert (answer.status_code, answer.json()) == (413, {"error": told, "code": "too-large"})


def test_half_sent_photos_hold_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred of one address, whose next photo is taken; a silent one is given up."""
    app, whole = served(tmp_path).app, form(fake_photo(BLUE))

    # A phone that sends a body, or begins one and goes silent; returns the status of the answer.
    async def send(body: bytes) -> int:
        messages = []

        async def receive() -> dict[str, Any]:
            if not body:
                await asyncio.sleep(600)
            return {"type": "http.request", "body": body, "more_body": False}

        async def answer(message: Any) -> None:
            messages.append(message)

        await app({**SCOPE, "client": ("192.0.2.1", 1)}, receive, answer)
        return int(messages[0]["status"])

    # Which of two hundred silent ones ended, and the answers to a whole one and to one more.
    async def all_together() -> tuple[list[bool], int, int]:
        half_sent = [asyncio.create_task(send(b"")) for _ in range(200)]
        await asyncio.sleep(0)
        taken = await send(whole)
        ended = [task.done() for task in half_sent]
        for task in half_sent:
            task.cancel()
        monkeypatch.setattr(bodies, "SILENT_S", 0.05)
        return ended, taken, await send(b"")

    assert asyncio.run(all_together()) == ([False] * 200, 201, 408)


def test_upload_has_a_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "UPLOAD_S", 0.05)
    app, messages = served(tmp_path).app, []

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(3600)
        return {"type": "http.request", "body": b"", "more_body": True}

    async def send(message: Any) -> None:
        messages.append(message)

    asyncio.run(app(dict(SCOPE), receive, send))  # type: ignore[arg-type]
    assert messages[0]["status"] == 408


TEXT = b'--x\r\nContent-Disposition: form-data; name="photo"\r\n\r\nt\r\n--x--'
FORM = "multipart/form-data; boundary=x"


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"", "image/jpeg", 415),
        (b"", "multipart/form-data", 400),
        (b"nothing", FORM, 400),
        (TEXT, FORM, 422),
        # So many letters, and so many fields, a form may have.
        (TEXT.replace(b"\nt\r", b"\n%s\r" % (b"t" * 1000)), FORM, 422),
        (TEXT.replace(b"\nt\r", b"\n%s\r" % (b"t" * 1100)), FORM, 400),
        (TEXT[:-5] * 4 + b"--x--", FORM, 422),
        (TEXT[:-5] * 5 + b"--x--", FORM, 400),
        (b"{}", "text/plain", 415),
        (b"{", "application/json", 400),
        (b"[" * 60_000, "application/json", 422),
        (b"[]", "application/json", 422),
        (b"\xff\xfe", "application/json", 400),
        (b'{"a": "' + b"x" * 2**20 + b'"}', "application/json", 413),
    ],
)
def test_bad_bodies_are_refused(client: TestClient, body: bytes, kind: str, status: int) -> None:
    is_json = kind in ("text/plain", "application/json")
    method, path = ("PUT", "/api/evenings/1") if is_json else ("POST", "/api/photos")
    answer = client.request(method, path, content=body, headers={"content-type": kind})
    assert answer.status_code == status, answer.text
    assert answer.json()["error"].endswith(".")


@pytest.mark.parametrize(
    ("method", "path", "field"),
    [
        ("PUT", "/api/evenings/1", "name"),
        ("PUT", "/api/games/GAME", "size"),
        ("PUT", "/api/games/GAME", "harmony"),
        ("PUT", "/api/games/GAME/seats/blue", "player"),
        ("PUT", "/api/games/GAME/seats/blue", "claimed"),
        ("PUT", "/api/games/GAME/seats/blue", "accept"),
        ("PUT", "/api/photos/PHOTO/kingdoms/A", "seat"),
        ("POST", "/api/photos/PHOTO/fixes", "A.b1"),
    ],
)
def test_odd_values_get_a_sentence(phone: Phone, method: str, path: str, field: str) -> None:
    photo = phone.photo(BLUE, colours=("blue",))
    path = path.replace("GAME", photo["game"]).replace("PHOTO", photo["id"])
    for odd in ODD:
        # By hand: a client of good manners refuses half a character.
        data = json.dumps({field: odd}).encode()
        answer = phone.client.request(
            method, path, content=data, headers={"content-type": "application/json"}
        )
        assert answer.status_code < 500, (odd, answer.text)
        if answer.status_code >= 400:
            assert answer.json()["error"].endswith((".", "?")), odd
    assert phone.client.get("/api/evening").status_code == 200


def test_mistake_of_the_program_gets_a_sentence(phone: Phone) -> None:
    answer = phone.send(BLUE, act="fail")
    assert (answer.status_code, answer.json()["code"]) == (500, "unexpected")
    assert answer.json()["error"].endswith(".")
    assert phone.send(BLUE).status_code == 201


def test_html_stays_text_wherever_it_goes(phone: Phone) -> None:
    game = phone.photo(BLUE, colours=("blue",))["game"]
    phone.seat(game, "blue", player=HTML)
    assert phone.seats(field="player") == {"blue": HTML}
    for path in ("/", "/codes"):
        answer = phone.client.get(path, params={"x": HTML})
        assert "<script>a" not in answer.text and "<img src=x" not in answer.text
        assert "script-src 'self';" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("seed", range(4))
def test_mutated_photos_get_an_answer(phone: Phone, seed: int) -> None:
    random, data = Random(seed), sample("plus.jpg")
    for number in range(12):
        broken = apply(data, draw(random)) if number else data[: random.randrange(9000)]
        files = {"photo": (f"{number}.jpg", broken)}
        answer = phone.client.post("/api/photos", files=files)
        assert answer.status_code in (201, 413, 422), answer.text
        assert answer.json().get("kingdoms") or answer.json()["error"]


# ---------------------------------------------------------------- what is kept


def stored(store: Store, picture: bytes = b"picture") -> tuple[str, str]:
    """A photo of a game of an evening of its own: the ids of evening and photo."""
    evening, game, photo = new_id(), new_code(), new_id()
    store.append(evening, "", EveningBegun("2026-01-31"))
    store.append(evening, game, GameBegun("1"))
    store.keep_picture(photo, picture, b"")
    store.append(evening, game, PhotoTaken(photo, "a.jpg"))
    return evening, photo


def test_transaction_is_whole_or_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "e.sqlite")
    version = store.version()
    with pytest.raises(ZeroDivisionError), store.transaction():
        stored(store)
        raise ZeroDivisionError
    assert (store.evenings(), store.version()) == ([], version)
    store.close()


def test_threads_wait_for_a_change(tmp_path: Path) -> None:
    store = Store(tmp_path / "e.sqlite")
    for act in (store.evenings, partial(store.keep_setting, "n", "1"), store.close):
        with ThreadPoolExecutor(1) as threads:
            with store.transaction():
                waiting = threads.submit(act)
                with pytest.raises(TimeoutError):
                    waiting.result(0.1)
            waiting.result()


def test_two_processes_share_one_file(tmp_path: Path) -> None:
    """What is read in a transaction holds until it ends; then the other one reads what it wrote."""
    # What one process writes the other reads.
    path = tmp_path / "e.sqlite"
    first, second = Store(path), Store(path)
    version = second.version()
    first.keep_setting("n", "1")
    evening, _ = stored(first)
    assert second.setting("n") == "1" and second.version() != version
    assert second.entries(evening) == first.entries(evening)

    # Both count up at once: the second one waits for the first.
    is_inside, other_begins = Event(), Event()

    def add_slowly() -> None:
        with first.transaction():
            number = int(first.setting("n"))
            is_inside.set()
            assert other_begins.wait(PATIENCE_S)
            first.keep_setting("n", str(number + 1))

    def add_one() -> None:
        other_begins.set()
        with second.transaction():
            second.keep_setting("n", str(int(second.setting("n")) + 1))

    with ThreadPoolExecutor(1) as threads:
        slow = threads.submit(add_slowly)
        assert is_inside.wait(PATIENCE_S)
        add_one()
        slow.result()
    assert first.setting("n") == "3"
    first.close()
    second.close()
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "No space left on device"),
        (sqlite3.OperationalError("database or disk is full"), "database or disk is full"),
    ],
)
def test_full_disk_is_named(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, error: Exception, why: str
) -> None:
    def full(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(formparsers, "SpooledTemporaryFile", full)
    answer = client.post("/api/photos", files={"photo": ("a.jpg", b"photo")})
    assert answer.status_code == 507
    assert answer.json()["error"].startswith(f"The server cannot save this: {why}. Free some space")


def test_deleted_evening_frees_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "e.sqlite"
    store = Store(path)
    (gone, photo), (kept, other) = stored(store, bytes(3_000_000)), stored(store)
    assert store.picture_bytes()[gone] == 3_000_000
    version = store.version()
    store.delete_evening(gone)
    assert store.version() != version, "pages are shown that it is gone"
    assert path.stat().st_size < 200_000 and store.evenings() == [kept]
    with pytest.raises(MissingError):
        store.picture(photo)
    assert store.picture(other) == b"picture" and len(store.entries(kept)) == 3
    store.close()


def test_foreign_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(UsageError, match="written by another program or version"):
        Store(path)
    with closing(sqlite3.connect(path)) as database:
        tables = database.execute("SELECT name FROM sqlite_schema").fetchall()
    assert tables == [("recipes",)]


def test_other_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my notes, which are no database at all")
    with pytest.raises(UsageError, match="cannot be used"):
        Store(path)
    assert path.read_text() == "my notes, which are no database at all"
