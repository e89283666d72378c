"""Limits: of photos, of what is under way at once, and of what is remembered."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from kdvision.errors import UsageError
from kdvision.serve.app import create_app
from kdvision.serve.scoring import BusyError, Room
from kdvision.serve.settings import DEFAULT_SETTINGS
from kdvision.serve.store import EveningEntry, SqliteStore, StoredPhoto, new_id
from tests.support.serving import sample, send

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
        one.add(600)
        other.add(400)
        with pytest.raises(BusyError):
            other.add(1)
        assert room.held == 1000
    assert room.held == 0


def test_a_photo_beyond_is_refused_with_a_time_to_come_again(scorer, tmp_path: Path) -> None:
    settings = replace(DEFAULT_SETTINGS, max_bytes_held=10_000)
    app = create_app(scorer, SqliteStore(tmp_path / "e.sqlite"), settings)
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
    app = create_app(scorer, SqliteStore(tmp_path / "e.sqlite"), settings)
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
    app = create_app(scorer, SqliteStore(tmp_path / "e.sqlite"), settings)
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
    killed = TestClient(create_app(scorer, SqliteStore(path)))
    photo = send(killed, "plus.jpg")
    killed.post(f"/api/photos/{photo['id']}/fixes", json={"A.c1": "G1"})
    fixed = killed.get(f"/api/photos/{photo['id']}").json()
    killed.post("/api/games", json={"photo": photo["id"], "players": {"A": "Ada"}})
    with TestClient(create_app(scorer, SqliteStore(path))) as client:
        assert client.get(f"/api/photos/{photo['id']}").json() == fixed
        assert len(client.get("/api/games").json()["games"]) == 1


def test_pictures_are_kept_for_a_while_and_results_for_good(scorer, tmp_path: Path) -> None:
    path = tmp_path / "e.sqlite"
    with TestClient(create_app(scorer, SqliteStore(path))) as client:
        photo = send(client, "plus.jpg")
    settings = replace(DEFAULT_SETTINGS, keep_photos_s=0)
    with TestClient(create_app(scorer, SqliteStore(path), settings)) as client:
        place = f"/api/photos/{photo['id']}"
        assert client.get(place).json() == photo | {"kept": False}
        assert client.get(f"{place}/overlay").status_code == 410
        assert client.post(f"{place}/fixes", json={"A.c1": "G1"}).status_code == 410
    assert sample("plus.jpg")[1000:3000] not in path.read_bytes()


def test_a_store_keeps_games_whole_or_not_at_all(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "e.sqlite")
    entry = EveningEntry("1", "Ada", "C W1 W", 2, "sure", 5, False, True, "x")
    assert store.add_game([entry]) == "1"
    with pytest.raises(sqlite3.IntegrityError):
        store.add_game([replace(entry, score=9), replace(entry, score=8)])
    assert store.entries() == [entry]
    assert [store.add_game([replace(entry, game=game)]) for game in ("", "final", "")] == [
        "2", "final", "3",
    ]  # fmt: skip
    store.close()


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my notes, which are no database at all")
    with pytest.raises(UsageError, match="cannot be used"):
        SqliteStore(path)
    assert path.read_text() == "my notes, which are no database at all"


def test_two_phones_with_one_key_keep_one_photo(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "e.sqlite")
    assert store.add_photo(stored("a" * 22), "key") == "a" * 22
    assert store.add_photo(stored("b" * 22), "key") == "a" * 22
    assert store.id_of("key") == "a" * 22
    assert store.photo("b" * 22) is None
    store.close()
