"""Where overlays are written: never over a photo, and over nothing but overlays."""

import errno
import os

import cv2
import numpy as np
import pytest
from PIL import Image

from kdvision.cli import main
from kdvision.cli.score import OVERLAY_SUFFIXES, overlay_paths
from kdvision.errors import UsageError
from tests.support.paths import SAMPLES

PHOTO = str(SAMPLES / "plus.jpg")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a photo, as the working directory."""
    monkeypatch.chdir(tmp_path)
    cv2.imwrite("mine.jpg", np.full((60, 80, 3), 90, np.uint8))
    return tmp_path


@pytest.mark.parametrize(
    ("given", "photos", "names"),
    [
        ("drawn", ["table 4.jpg"], ["table 4-overlay.jpg"]),
        ("a/b.c/", ["x.jpg", "-"], ["x-overlay.jpg", "standard-input-overlay.jpg"]),
    ],
)
def test_overlay_names_in_a_folder(folder, given, photos, names):
    paths = overlay_paths(given, photos)
    assert [path.name for path in paths] == names
    assert all(path.parent.is_dir() for path in paths)


@pytest.mark.parametrize("kind", OVERLAY_SUFFIXES)
def test_overlay_never_replaces_a_photo(folder, kind):
    drawn = f"drawn{kind}"
    for _ in range(2):
        assert main.run([PHOTO, "-q", "--overlay", drawn]) in (0, 6)
    with Image.open(drawn) as picture:
        picture.load()
    cv2.imwrite(drawn, np.full((60, 80, 3), 90, np.uint8))
    with pytest.raises(UsageError, match=r"over a file that is no overlay\. Give another name,"):
        overlay_paths(drawn, ["x.jpg"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_named_pipe_is_refused(folder):
    os.mkfifo("drawn.jpg")
    with pytest.raises(UsageError, match=r"over a file that is no overlay\. Give another name,"):
        overlay_paths("drawn.jpg", ["x.jpg"])


def test_full_disk_keeps_the_earlier_overlay(folder, monkeypatch):
    main.run([PHOTO, "-q", "--overlay", "drawn.jpg"])
    before = (folder / "drawn.jpg").read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("kdvision.files.os.fsync", full)
    assert main.run([PHOTO, "-q", "--overlay", "drawn.jpg"]) == 2
    assert (folder / "drawn.jpg").read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == ["drawn.jpg", "mine.jpg"]
