"""A server on a disk that is full, or nearly so, and one that is killed again and again."""

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from random import Random

import pytest
from starlette.testclient import TestClient

from kdvision.serve.app import create_app
from kdvision.serve.store import Store
from tests.support.ci import skip_or_fail
from tests.support.fakes import FakeScorer, fake_photo
from tests.support.serving import Phone, ask, draw_kingdom, form, running_server, upload

pytestmark = pytest.mark.slow

MB = 10**6
#: What a phone is told whose server dies; None where the answer ends too early.
CUT_OFF = (errno.ECONNREFUSED, errno.ECONNRESET, errno.EPIPE, None)
#: Bytes of a photo of a phone.
PHOTO_BYTES = 900_000


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of memory with 11 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={11 * MB}", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(words, capture_output=True, check=False).returncode:
        skip_or_fail("a file system of memory cannot be mounted")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def photo_of(random: Random) -> bytes:
    """The bytes of a fake photo as large as a phone's."""
    data = fake_photo(draw_kingdom(random), colours=("blue",))
    return data + bytes(PHOTO_BYTES - len(data))


def test_evening_is_deleted_with_5_mb_left(small_disk: Path) -> None:
    """And what is deleted is free again for the next one; nothing else is lost."""
    store, random = Store(small_disk / "e.sqlite"), Random(1)
    with TestClient(create_app(FakeScorer(), store)) as client:  # type: ignore[arg-type]
        phone = Phone(client)
        files = {"photo": ("a.jpg", photo_of(random))}
        kept = client.post("/api/photos", files=files).json()
        old = client.post("/api/evenings").json()["id"]
        while shutil.disk_usage(small_disk).free > 5 * MB + PHOTO_BYTES:
            files = {"photo": ("a.jpg", photo_of(random))}
            assert client.post("/api/photos", files=files).status_code == 201
        free = shutil.disk_usage(small_disk).free
        assert free < 6.5 * MB
        assert client.delete(f"/api/evenings/{old}").status_code == 204
        given_back = shutil.disk_usage(small_disk).free - free
        assert given_back > 2 * MB, given_back
        assert client.get(f"/api/photos/{kept['id']}/picture").status_code == 200
        assert phone.game(kept["game"])["photos"] == 1


def test_full_disk_loses_no_answered_change(small_disk: Path) -> None:
    """The photo for which there is no room is refused with the reason."""
    store, random = Store(small_disk / "e.sqlite"), Random(2)
    app = create_app(FakeScorer(), store)  # type: ignore[arg-type]
    with TestClient(app, raise_server_exceptions=False) as client:
        answered = []
        for _ in range(20):
            answer = client.post("/api/photos", files={"photo": ("a.jpg", photo_of(random))})
            if answer.status_code != 201:
                break
            answered.append(answer.json()["id"])
        assert answer.status_code == 507 and "Free some space" in answer.json()["error"]
        assert len(answered) > 3
        for photo in answered:
            assert client.get(f"/api/photos/{photo}").status_code == 200
            assert client.get(f"/api/photos/{photo}/picture").status_code == 200


def test_kills_lose_no_answered_change(tmp_path: Path) -> None:
    """Each server is killed at some moment; the next one has all that was answered."""
    data, random, answered = tmp_path / "e.sqlite", Random(3), dict[str, bool]()
    for number in range(40):
        with running_server(data, fake=True) as server:
            for photo in answered:
                assert ask(server, "GET", f"/api/photos/{photo}")[0] == 200
            line = draw_kingdom(random)
            _, sent = upload(server, form(fake_photo(line, colours=("blue",)), key=f"{number}"))
            answered[sent["id"]] = True
            path = f"/api/games/{sent['game']}/seats/blue"
            words = f'{{"player": "P{number}"}}'.encode()
            try:
                # The next photo is on its way when the server dies.
                half = form(fake_photo(draw_kingdom(random)), key=f"half {number}")
                assert ask(server, "PUT", path, words, **{"Content-Type": "application/json"})
                server.process.kill()
                upload(server, half)
            except (OSError, HTTPException) as error:
                assert getattr(error, "errno", None) in CUT_OFF
            server.process.wait()
    with running_server(data, fake=True) as server:
        games = ask(server, "GET", "/api/games")[1]
        names = {seat["player"] for game in games for seat in game["seats"]}
    assert names >= {f"P{number}" for number in range(40)}
