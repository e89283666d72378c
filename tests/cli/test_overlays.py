"""Where overlays are written."""

import errno
import os

import cv2
import numpy as np
import pytest
from PIL import Image

from kdvision.cli.score import OVERLAY_SUFFIXES, Overlays
from kdvision.errors import UsageError
from kdvision.photo.photo import open_photo
from kdvision.tournament.photos import photos_in
from tests.support.results import PHOTO


def photo_named(name) -> object:
    return open_photo(np.full((600, 800, 3), 90, np.uint8), name=str(name))


def test_overlays_go_into_a_new_folder_under_a_clear_name(tmp_path):
    folder = tmp_path / "new" / "drawn"
    Overlays(str(folder), ["table 4.jpg"]).write(photo_named("table 4.jpg"), PHOTO)
    assert cv2.imread(str(folder / "table 4-overlay.jpg")).shape[1] == 800


def test_photos_of_one_name_do_not_share_an_overlay(tmp_path):
    overlays = Overlays(str(tmp_path), ["a/x.jpg", "b/x.png", "-"])
    for name in ("a/x.jpg", "b/x.png", "standard input"):
        overlays.write(photo_named(name), PHOTO)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "standard-input-overlay.jpg",
        "x-overlay-2.jpg",
        "x-overlay.jpg",
    ]


def test_a_photo_is_never_written_over(tmp_path):
    photo = tmp_path / "x-overlay.jpg"
    photo.write_bytes(b"a photo of mine")
    overlays = Overlays(str(tmp_path), [str(tmp_path / "x.jpg"), str(photo)])
    overlays.write(photo_named(tmp_path / "x.jpg"), PHOTO)
    assert (tmp_path / "x-overlay-2.jpg").is_file()
    assert photo.read_bytes() == b"a photo of mine"


@pytest.mark.parametrize("kind", OVERLAY_SUFFIXES)
def test_a_file_that_is_named_is_replaced_where_it_is_an_overlay(tmp_path, kind):
    drawn = tmp_path / f"drawn{kind}"
    Overlays(str(drawn), ["x.jpg"]).write(photo_named("x.jpg"), PHOTO)
    with Image.open(drawn) as picture:
        picture.load()
    Overlays(str(drawn), ["y.jpg"]).write(photo_named("y.jpg"), PHOTO)

    cv2.imwrite(str(drawn), np.full((60, 80, 3), 90, np.uint8))
    photo = drawn.read_bytes()
    with pytest.raises(UsageError, match="would write over a file that is no overlay") as caught:
        Overlays(str(drawn), ["x.jpg"])
    assert "another name" in caught.value.advice
    assert drawn.read_bytes() == photo


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot be written") as caught:
        Overlays(str(tmp_path / "file"), [])
    assert "folder" in caught.value.advice


def test_a_full_disk_leaves_the_overlay_of_an_earlier_run(tmp_path, monkeypatch):
    drawn = tmp_path / "drawn.jpg"
    Overlays(str(drawn), ["x.jpg"]).write(photo_named("x.jpg"), PHOTO)
    before = drawn.read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("kdvision.files.os.fsync", full)
    with pytest.raises(UsageError, match="no space left on device"):
        Overlays(str(drawn), ["x.jpg"]).write(photo_named("x.jpg"), PHOTO)
    assert drawn.read_bytes() == before
    assert list(tmp_path.iterdir()) == [drawn]


def test_in_a_folder_too_only_overlays_are_written_over(tmp_path):
    mine = tmp_path / "x-overlay.jpg"
    mine.write_bytes(b"a picture of mine")
    for _ in range(2):
        Overlays(str(tmp_path), ["x.jpg"]).write(photo_named("x.jpg"), PHOTO)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "x-overlay-2.jpg",
        "x-overlay.jpg",
    ]
    assert mine.read_bytes() == b"a picture of mine"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_named_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "drawn.jpg")
    with pytest.raises(UsageError, match="would write over a file that is no overlay"):
        Overlays(str(tmp_path / "drawn.jpg"), ["x.jpg"])


def test_an_overlay_among_the_photos_of_a_folder_is_no_photo(tmp_path):
    photo = tmp_path / "x.jpg"
    cv2.imwrite(str(photo), np.full((60, 80, 3), 90, np.uint8))
    for name in ("", "marked.png"):
        Overlays(str(tmp_path / name), [str(photo)]).write(photo_named(photo), PHOTO)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "marked.png",
        "x-overlay.jpg",
        "x.jpg",
    ]
    assert list(photos_in(tmp_path)) == [photo]
