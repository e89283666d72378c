"""Which file a row means by the name of its photo."""

from pathlib import Path

import pytest

from kdvision.tournament.photos import PhotoFinder

FILES = ("corner.jpg", "p/plus.jpg", "p/Gaps.JPEG", "p/two.jpg", "p/two.png", "p/notes.txt")


@pytest.fixture
def finder(tmp_path: Path) -> PhotoFinder:
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    return PhotoFinder([tmp_path, tmp_path / "p"])


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("corner.jpg", "corner.jpg"),
        ("p/plus.jpg", "p/plus.jpg"),
        ("plus.jpg", "p/plus.jpg"),
        ("p\\plus.jpg", "p/plus.jpg"),
        ("C:\\photos\\plus.jpg", "p/plus.jpg"),
        ("/elsewhere/plus.jpg", "p/plus.jpg"),
        # Another case or ending, where one file fits.
        ("PLUS.JPG", "p/plus.jpg"),
        ("corner", "corner.jpg"),
        ("gaps.heic", "p/Gaps.JPEG"),
        ("p/gaps", "p/Gaps.JPEG"),
        ("two", ""),
        ("two.png", "p/two.png"),
        # No photo, or none that is there.
        ("notes", ""),
        ("", ""),
        (".", ""),
    ],
)
def test_photo_names_are_matched(finder: PhotoFinder, tmp_path: Path, name: str, file: str) -> None:
    assert finder.find(name) == (tmp_path / file if file else None)


def test_name_of_a_dead_link_is_that_file(finder: PhotoFinder, tmp_path: Path) -> None:
    """Who reads it says where the link leads; a photo that can be read is taken before it."""
    try:
        (tmp_path / "stick.jpg").symlink_to(tmp_path / "away" / "stick.jpg")
        (tmp_path / "plus.jpg").symlink_to(tmp_path / "away" / "plus.jpg")
    except OSError:
        pytest.skip("links cannot be made here")
    assert finder.find("stick.jpg") == tmp_path / "stick.jpg"
    assert finder.find("plus.jpg") == tmp_path / "p" / "plus.jpg"


def test_missing_photo_gets_a_hint(finder: PhotoFinder) -> None:
    assert finder.suggest("cornr.jpg") == "corner.jpg"
    assert finder.suggest("holiday.jpg") == ""
