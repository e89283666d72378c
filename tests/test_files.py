"""Files: what is written where."""

import os
from pathlib import Path
from typing import Any

import pytest

from kdvision.errors import UnreadablePhotoError, UsageError
from kdvision.files import (
    DRAWN,
    PathKind,
    check_size,
    find_kind,
    find_photos,
    is_drawn,
    read_file,
    replace_file,
)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("name", [".", "..", "folder", "", "pipe"])
def test_folders_and_pipes_are_refused(tmp_path, monkeypatch, name):
    """A pipe is not waited for."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="be written: it is no file"), replace_file(Path(name)):
        pass
    with pytest.raises(UnreadablePhotoError, match=r"is a (folder|device or a pipe)"):
        read_file(name, 100)
    assert {path.name for path in tmp_path.iterdir()} == {"folder", "pipe"}


def test_missing_folder_is_refused(tmp_path):
    path = tmp_path / "away" / "results.csv"
    with pytest.raises(UsageError, match=r"results\.csv cannot be written: no such file"):  # noqa: SIM117
        with replace_file(path) as file:
            file.write(b"text")
    assert not list(tmp_path.iterdir())


def test_writing_follows_a_link(tmp_path):
    """As where the table of a tournament lies in a folder that is shared."""
    shared, link = tmp_path / "shared", tmp_path / "results.csv"
    shared.mkdir()
    try:
        link.symlink_to(shared / "results.csv")
    except OSError:
        pytest.skip("links cannot be made here")
    for text in (b"first", b"second"):
        with replace_file(link) as file:
            file.write(text)
        assert link.is_symlink()
        assert (shared / "results.csv").read_bytes() == text
    assert sorted(path.name for path in tmp_path.rglob("*.csv*")) == ["results.csv"] * 2


def test_writing_keeps_neighbouring_files(tmp_path):
    (tmp_path / "results.csv.new").write_text("mine")
    with replace_file(tmp_path / "results.csv") as file:
        file.write(b"text")
    assert (tmp_path / "results.csv.new").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.skipif(os.name != "posix", reason="files have no such modes")
@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_rewriting_keeps_permissions(tmp_path, mode):
    path = tmp_path / "results.csv"
    path.touch()
    path.chmod(mode)
    with replace_file(path) as file:
        file.write(b"text")
    assert path.stat().st_mode & 0o777 == mode


@pytest.mark.skipif(os.name != "posix", reason="files have no such modes")
def test_new_files_follow_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        with replace_file(tmp_path / "results.csv") as file:
            file.write(b"text")
    finally:
        os.umask(before)
    assert (tmp_path / "results.csv").stat().st_mode & 0o777 == 0o640


def test_dangling_link_names_its_target(tmp_path):
    link = tmp_path / "photo.jpg"
    try:
        link.symlink_to(tmp_path / "stick" / "photo.jpg")
    except OSError:
        pytest.skip("links cannot be made here")
    assert find_kind(link) is PathKind.DEAD_LINK
    with pytest.raises(
        UnreadablePhotoError, match=r"is a link to .*stick.photo\.jpg, which is not"
    ):
        read_file(link, 100)


@pytest.mark.parametrize("name", ["x" * 5000, "x" * 5000 + "/a.jpg", "a\0b.jpg"])
def test_impossible_file_name_is_refused(name):
    assert find_kind(name) is PathKind.UNKNOWN
    with pytest.raises(UnreadablePhotoError, match="cannot be read"):
        read_file(name, 100)
    with pytest.raises(UsageError, match="cannot be written"), replace_file(Path(name)):
        pass


def test_file_is_synced_before_it_is_moved(tmp_path, monkeypatch):
    """A power cut leaves what was there before, or what is new, and never half of it."""
    steps: list[Any] = []
    take_place = Path.replace
    monkeypatch.setattr(os, "fsync", lambda number: steps.append(os.fstat(number).st_size))

    def replace(*to: Any) -> None:
        steps.append("named")
        take_place(*to)

    monkeypatch.setattr(Path, "replace", replace)
    with replace_file(tmp_path / "results.csv") as file:
        file.write(b"text")
    assert steps == [4, "named"]


@pytest.mark.parametrize("address", ["https://example.org/x.jpg", "File:///home/ann/x.jpg"])
def test_address_is_no_path(address):
    with pytest.raises(UnreadablePhotoError, match=r"is an address, .* without file://"):
        read_file(address, 100)


@pytest.mark.parametrize(
    ("size", "sentence"),
    [(0, "x.jpg is empty."), (1, ""), (3_000_000, ""), (3_000_001, "is too large: ")],
)
def test_empty_and_huge_files_are_refused(size, sentence):
    try:
        check_size(size, 3_000_000, "x.jpg")
        message = ""
    except UnreadablePhotoError as error:
        message = str(error)
    assert sentence in message
    assert bool(message) is bool(sentence)


def test_find_photos_sorts_and_skips(
    tmp_path,
):
    copies = ("@eaDir/1.jpg", "#recycle/2.jpg", "Thumbnails/3.jpg")
    for name in ("b10.jpg", "B2.JPEG", "a/1.png", ".c/1.jpg", ".x.jpg", "notes.txt", *copies):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"photo")
    (tmp_path / "drawn.jpg").write_bytes(b"photo" + DRAWN)
    for recursive, names in (
        (False, ["B2.JPEG", "b10.jpg"]),
        (True, ["B2.JPEG", "b10.jpg", "1.png"]),
    ):
        assert [path.name for path in find_photos(tmp_path, recursive=recursive)] == names


def test_folder_that_cannot_be_opened_is_named(tmp_path):
    """Who reads it says why."""
    assert list(find_photos(tmp_path / "away")) == [tmp_path / "away"]


def test_kinds_of_paths(tmp_path):
    (tmp_path / "file").touch()
    kinds = {tmp_path: PathKind.FOLDER, tmp_path / "file": PathKind.FILE}
    kinds |= {tmp_path / "none": PathKind.MISSING, tmp_path / "file" / "x": PathKind.MISSING}
    assert {path: find_kind(path) for path in kinds} == kinds
    assert not is_drawn(tmp_path) and not is_drawn(tmp_path / "none")
    assert not is_drawn(tmp_path / "file")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("tabel.jpg", "Did you mean .*table.jpg"),
        ("Table.JPG", "Did you mean .*table.jpg"),
        ("away/x.jpg", "away"),
        ("fable.gif", "does not exist. Check the name"),
        ("x" * 200, f"^{'x' * 200} does not exist"),
        ("x" * 201, rf"^{'x' * 100}\.\.\.{'x' * 90} does not exist"),
    ],
)
def test_missing_file_suggests_names(tmp_path, monkeypatch, name, sentence):
    monkeypatch.chdir(tmp_path)
    Path("table.jpg").write_bytes(b"photo")
    with pytest.raises(UnreadablePhotoError, match=sentence):
        read_file(name, 100)
