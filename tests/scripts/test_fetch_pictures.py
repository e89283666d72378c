"""Public pictures are fetched, checked by their digest, and those that are gone are left out."""

import hashlib
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from msgspec.structs import replace

from kdvision.rules.kingdom import Kingdom
from scripts.data_split import boards
from scripts.measuring.fetch_pictures import Picture, fetch_all, read_list
from tests.support.paths import SAMPLES

LINE = "C W1 W/G G2 -"


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that says nothing."""

    def log_message(self, format: str, *words: object) -> None:
        pass


@pytest.fixture
def public(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder that a server shows to anyone, and its address."""
    folder = tmp_path / "server"
    folder.mkdir()
    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def picture(file: str, sample: str) -> Picture:
    """A row of the list for a sample, as if somebody had put it there."""
    digest = hashlib.sha256((SAMPLES / sample).read_bytes()).hexdigest()
    return Picture(file, LINE, "1", "somebody/games", "abc", f"my files/{sample}", digest)


def put(folder: Path, row: Picture, data: bytes) -> None:
    """Put bytes where a row says that its picture lies."""
    path = folder / row.repository / row.commit / row.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def test_missing_pictures_are_named(
    tmp_path: Path, public: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    served, address = public
    there = picture("boards/1.jpg", "plus.jpg")
    changed = picture("boards/2.jpg", "corner.jpg")
    gone = replace(changed, file="boards/3.jpg", path="my files/gone.jpg")
    put(served, there, (SAMPLES / "plus.jpg").read_bytes())
    put(served, changed, b"another picture")
    folder = tmp_path / "pictures"
    assert fetch_all(folder, [there, changed, gone], address) == [there]
    assert (folder / "boards/1.jpg").read_bytes() == (SAMPLES / "plus.jpg").read_bytes()
    assert sorted(path.name for path in (folder / "boards").iterdir()) == ["1.jpg"]
    said = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in said] == ["boards/2.jpg", "boards/3.jpg"]
    assert "another picture" in said[0] and "404" in said[1]
    (board,) = [*boards(folder, measuring=True), *boards(folder, measuring=False)]
    assert board.line == LINE


def test_fetched_pictures_are_kept(tmp_path: Path, public: tuple[Path, str]) -> None:
    served, address = public
    row = picture("photos/a.jpg", "plus.jpg")
    put(served, row, (SAMPLES / "plus.jpg").read_bytes())
    assert fetch_all(tmp_path / "pictures", [row], address) == [row]
    put(served, row, b"another picture")
    assert fetch_all(tmp_path / "pictures", [row], address) == [row]
    (tmp_path / "pictures" / row.file).write_bytes(b"damaged")
    assert fetch_all(tmp_path / "pictures", [row], address) == []
    assert not (tmp_path / "pictures" / row.file).exists()


def test_missing_server_leaves_an_empty_folder(tmp_path: Path) -> None:
    row = picture("photos/a.jpg", "plus.jpg")
    assert fetch_all(tmp_path / "pictures", [row], "http://127.0.0.1:9") == []


def test_list_names_each_picture_once() -> None:
    rows = read_list()
    assert len({row.file for row in rows}) == len(rows) > 70
    for row in rows:
        assert len(row.sha256) == 64 and len(row.commit) == 40, row.file
        if not row.file.startswith("not_kingdoms/"):
            assert len(Kingdom.parse(row.kingdom).castles()) == 1, row.file
