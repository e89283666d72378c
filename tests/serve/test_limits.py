"""Limits: of photos, of what is under way at once, and of what is remembered."""

import asyncio
import errno
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace
from starlette import formparsers
from starlette.testclient import TestClient

from kdvision.errors import UsageError
from kdvision.serve import app
from kdvision.serve.answers import BusyError
from kdvision.serve.app import create_app
from kdvision.serve.limits import DEFAULT_SETTINGS, Room
from kdvision.serve.store import Store, StoredPhoto, new_id
from tests.support.serving import photos_kept, sample, send
from tests.support.waiting import PATIENCE_S

SMALL = replace(DEFAULT_SETTINGS, threads=1, max_waiting=1, max_bytes_held=1000)


def stored(id_: str = "", picture: bytes | None = b"picture") -> StoredPhoto:
    return StoredPhoto(id_ or new_id(), "a.jpg", "{}", "{}", "{}", picture)


def test_so_many_photos_are_under_way_and_no_more() -> None:
    room = Room(SMALL)
    with room.photo(), room.photo(), pytest.raises(BusyError), room.photo():
        pass
    assert (room.photos, room.held) == (0, 0)


def test_so_many_bytes_are_held_and_no_more() -> None:
    room = Room(SMALL)
    with room.photo() as one, room.photo() as other:
        one(600)
        other(400)
        with pytest.raises(BusyError):
            other(1)
        assert room.held == 1000
    assert room.held == 0


def test_a_photo_beyond_is_refused_with_a_time_to_come_again(scorer, tmp_path: Path) -> None:
    settings = replace(DEFAULT_SETTINGS, max_bytes_held=10_000)
    app = create_app(scorer, Store(tmp_path / "e.sqlite"), settings)
    with TestClient(app) as client:
        answer = client.post("/api/photos", files={"photo": ("a.jpg", sample("plus.jpg"))})
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "2"
        assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize("chunked", [False, True])
def test_a_photo_that_is_too_large_is_refused_while_it_arrives(
    scorer, tmp_path: Path, chunked: bool
) -> None:
    settings = replace(DEFAULT_SETTINGS, max_photo_bytes=50_000)
    app = create_app(scorer, Store(tmp_path / "e.sqlite"), settings)
    head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    sent = []

    def body():
        yield head
        for _ in range(100):
            sent.append(1)
            yield b"\xff" * 10_000

    with TestClient(app) as client:
        answer = client.post(
            "/api/photos",
            content=body() if chunked else head + b"\xff" * 100_000,
            headers={"content-type": "multipart/form-data; boundary=x"},
        )
    assert answer.status_code == 413, answer.text


def test_a_photo_that_comes_too_slowly_is_refused(scorer, tmp_path: Path) -> None:
    settings = replace(DEFAULT_SETTINGS, upload_s=0.05)
    app = create_app(scorer, Store(tmp_path / "e.sqlite"), settings)
    messages: list[dict] = []

    async def receive() -> dict:
        await asyncio.sleep(0.5)
        return {"type": "http.request", "body": b"", "more_body": True}

    async def send_(message: dict) -> None:
        messages.append(message)

    scope = {
        "type": "http", "method": "POST", "path": "/api/photos", "query_string": b"",
        "headers": [(b"content-type", b"multipart/form-data; boundary=x")], "http_version": "1.1",
    }  # fmt: skip
    asyncio.run(app(scope, receive, send_))
    assert messages[0]["status"] == 408


def test_what_was_answered_is_there_after_a_kill(scorer, tmp_path: Path) -> None:
    """The file is opened a second time while the first server has never closed it."""
    path = tmp_path / "e.sqlite"
    killed = TestClient(create_app(scorer, Store(path)))
    photo = send(killed, "plus.jpg")
    killed.post(f"/api/photos/{photo['id']}/fixes", json={"A.c1": "G1"})
    fixed = killed.get(f"/api/photos/{photo['id']}").json()
    killed.post("/api/games", json={"photo": photo["id"], "players": {"A": "Ada"}})
    with TestClient(create_app(scorer, Store(path))) as client:
        assert client.get(f"/api/photos/{photo['id']}").json() == fixed
        assert len(client.get("/api/games").json()["games"]) == 1


def test_pictures_are_kept_for_a_while_and_results_for_good(scorer, tmp_path: Path) -> None:
    path = tmp_path / "e.sqlite"
    with TestClient(create_app(scorer, Store(path))) as client:
        photo = send(client, "plus.jpg")
    settings = replace(DEFAULT_SETTINGS, keep_photos_s=0)
    with TestClient(create_app(scorer, Store(path), settings)) as client:
        place = f"/api/photos/{photo['id']}"
        assert client.get(place).json() == photo | {"kept": False}
        assert client.get(f"{place}/overlay").status_code == 410
        assert client.post(f"{place}/fixes", json={"A.c1": "G1"}).status_code == 410
    assert sample("plus.jpg")[1000:3000] not in path.read_bytes()


def test_fields_of_a_game_merge_and_are_taken_back(tmp_path: Path) -> None:
    """Two processes on one file: each writes its field, and sees that of the other."""
    first, second = Store(tmp_path / "e.sqlite"), Store(tmp_path / "e.sqlite")
    before, tag = second.version(), second.tag()
    assert first.set_fields("1", {"name.1": "Ada"}) == {"name.1": None}
    assert second.version() > before and second.tag() != tag
    assert second.set_fields("1", {"name.2": "Ben"}) == {"name.2": None}
    undo = second.set_fields("1", {"name.1": "Cleo"})
    assert undo == {"name.1": "Ada"}
    assert first.games() == {"1": {"name.1": "Cleo", "name.2": "Ben"}}
    first.set_fields("1", undo)
    first.set_fields("1", {"name.2": None})
    assert second.games() == {"1": {"name.1": "Ada"}}
    assert second.next_game() == "2"
    first.close(), second.close()


def test_a_transaction_is_made_whole_or_not_at_all(tmp_path: Path) -> None:
    store = Store(tmp_path / "e.sqlite")
    version = store.version()
    with pytest.raises(ZeroDivisionError), store.transaction():
        store.set_fields("1", {"name.1": "Ada"})
        store.keep_word("password", "secret")
        raise ZeroDivisionError
    assert (store.games(), store.word("password"), store.version()) == ({}, None, version)
    with store.transaction():
        store.set_fields("1", {"name.1": "Ada"})
        store.keep_word("password", "secret")
    assert store.version() == version + 1
    store.close()


def test_a_full_disk_is_named_and_what_comes_after_is_kept(tmp_path: Path) -> None:
    store = Store(tmp_path / "e.sqlite")
    store._db.execute("PRAGMA max_page_count = 40")
    with pytest.raises(sqlite3.OperationalError, match="full"):
        store.add_photo(stored(picture=bytes(900_000)), "")
    store.keep_word("name", "value")
    assert store.word("name") == "value"
    store.close()


def test_transactions_of_several_threads_follow_one_another(tmp_path: Path) -> None:
    store = Store(tmp_path / "e.sqlite")

    def count(_: int) -> None:
        with store.transaction():
            store.keep_word("n", str(int(store.word("n") or 0) + 1))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(count, range(80)))
    assert store.word("n") == "80"
    store.close()


def test_pictures_have_a_quota_and_those_in_need_stay(tmp_path: Path) -> None:
    store = Store(tmp_path / "e.sqlite")
    ids = [store.add_photo(stored(picture=bytes(100)), "") for _ in range(3)]
    store.set_fields("1", {f"kingdom.{ids[0]}.A": "1"})
    assert store.make_room(100, 400)
    assert store.make_room(100, 300)
    kept = [store.photo(id_).picture is not None for id_ in ids]  # type: ignore[union-attr]
    assert kept == [True, False, True]
    assert not store.make_room(300, 300)
    assert store.photo(ids[0]).picture is not None  # type: ignore[union-attr]
    store.close()


def test_pictures_are_forgotten_later_where_the_disk_was_full_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, again = Store(tmp_path / "e.sqlite"), threading.Event()
    calls = iter((lambda: 1 / 0, lambda: 1 / 0, again.set))

    def drop_pictures(older_than_s: float) -> None:
        try:
            next(calls, again.set)()
        except ZeroDivisionError:
            raise sqlite3.OperationalError("database or disk is full") from None

    monkeypatch.setattr(app, "_CLEANING_S", 0.01)
    monkeypatch.setattr(store, "drop_pictures", drop_pictures)
    with TestClient(create_app(None, store)):  # type: ignore[arg-type]
        assert again.wait(PATIENCE_S)


def test_a_disk_that_is_full_while_a_photo_arrives_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(formparsers, "SpooledTemporaryFile", full)
    app = create_app(None, Store(tmp_path / "e.sqlite"))  # type: ignore[arg-type]
    with TestClient(app, raise_server_exceptions=False) as client:
        answer = client.post("/api/photos", files={"photo": ("a.jpg", b"photo")})
    assert answer.status_code == 507
    assert answer.json()["error"] == "The server cannot keep it: No space left on device."


def test_no_room_for_pictures_is_said_and_nothing_is_kept(scorer, tmp_path: Path) -> None:
    settings = replace(DEFAULT_SETTINGS, most_picture_bytes=1000)
    with TestClient(create_app(scorer, Store(tmp_path / "e.sqlite"), settings)) as client:
        answer = client.post("/api/photos", files={"photo": ("a.jpg", sample("plus.jpg"))})
        assert answer.status_code == 507
        assert photos_kept(tmp_path / "e.sqlite") == 0


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my notes, which are no database at all")
    with pytest.raises(UsageError, match="cannot be used"):
        Store(path)
    assert path.read_text() == "my notes, which are no database at all"


def test_two_phones_with_one_key_keep_one_photo(tmp_path: Path) -> None:
    store = Store(tmp_path / "e.sqlite")
    assert store.add_photo(stored("a" * 22), "key") == "a" * 22
    assert store.add_photo(stored("b" * 22), "key") == "a" * 22
    assert store.id_of("key") == "a" * 22
    assert store.photo("b" * 22) is None
    store.close()
