"""Where the photos are that sheets and folders name."""

import os
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath, PureWindowsPath

from kdvision.errors import UsageError
from kdvision.files import is_drawn, natural_key, shown

#: Files of a folder that are taken for photos. What is named by itself is always tried.
PHOTO_SUFFIXES = (
    *(".jpg", ".jpeg", ".jfif", ".png", ".webp", ".heic", ".heif", ".avif"),
    *(".tif", ".tiff", ".bmp", ".gif"),
)


class PhotoFinder:
    """Finds the photos that the lines of a sheet name.

    Args:
        folders: Those of the sheets, and others from which names may count.
        photos: A folder in which they are looked for as well, with the folders in it.
    """

    def __init__(self, folders: Sequence[Path], photos: Path | None = None) -> None:
        self._folders = list(dict.fromkeys(folders))
        self._by_name: dict[str, list[Path]] = {}
        if photos is not None:
            if not photos.is_dir():
                raise UsageError(f"{shown(photos)} is no folder.", "--photos takes a folder.")
            for path in photos_in(photos):
                self._by_name.setdefault(as_one(path.name).casefold(), []).append(path)

    def find(self, name: str) -> Path | None:
        """Return where a photo is; None where it is not found.

        A path as Windows writes it is understood everywhere. A photo that is not there is looked
        for under its name beside the sheet, then in the folder of photos, where its name is the
        only one of its kind.
        """
        if not name:
            return None
        windows = PureWindowsPath(name)
        for folder in self._folders:
            for path in (name, PurePosixPath(name.replace("\\", "/")), windows.name):
                if _is_file(folder / path):
                    return folder / path
        named = self._by_name.get(as_one(windows.name).casefold(), [])
        ends = PurePosixPath(as_one(name).replace("\\", "/")).parts
        exact = [path for path in named if Path(as_one(str(path))).parts[-len(ends) :] == ends]
        for paths in (exact, named):
            if len(paths) == 1:
                return paths[0]
        return None


def as_one(name: str) -> str:
    """A name whose letters with marks are written as one, as macOS does not in names of files."""
    return unicodedata.normalize("NFC", name)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def photos_in(folder: Path, *, recursive: bool = True) -> Iterator[Path]:
    """Yield the photos of a folder as people sort them, with those of the folders in it or without.

    None is hidden, and none is an overlay that we have drawn of another.
    """
    for where, folders, files in os.walk(folder):
        folders[:] = sorted((name for name in folders if not name.startswith(".")), key=natural_key)
        for name in sorted(files, key=natural_key):
            path = Path(where) / name
            if path.suffix.lower() not in PHOTO_SUFFIXES or name.startswith("."):
                continue
            with suppress(OSError):  # who scores it says why
                if is_drawn(path):
                    continue
            yield path
        if not recursive:
            return
