"""The photos of a run: those of folders, and those that rows name."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePosixPath

from kdvision.files import PHOTO_SUFFIXES, PathKind, find_kind, find_similar


class PhotoFinder:
    """Finds the photos that rows name.

    Args:
        folders: Where they may lie.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folders = tuple(dict.fromkeys(folders))
        self._listed: dict[Path, list[Path]] = {}

    def find(self, name: str) -> Path | None:
        """Return where a photo is; None where it is not found.

        - In each folder the path counts, then the name alone. A path may be written as on Windows.
        - Where no file is called so, it is the photo whose name differs in case or ending, if there
          is only one.
        - Else it is a file of that name that cannot be opened: who reads it says why.
        """
        path = PurePosixPath(name.replace("\\", "/"))
        if not path.name:
            return None
        stems = path.stem.casefold(), path.name.casefold()
        closed = None
        for folder in self._folders:
            for file in (folder / path, folder / path.name):
                kind = find_kind(file)
                if kind is PathKind.FILE:
                    return file
                if kind in (PathKind.UNKNOWN, PathKind.DEAD_LINK):
                    closed = closed or file
        for folder in self._folders:
            for place in (folder / path.parent, folder):
                photos = self._list_photos(place)
                fitting = [photo for photo in photos if photo.stem.casefold() in stems]
                if len(fitting) == 1:
                    return fitting[0]
        return closed

    def suggest(self, name: str) -> str:
        """Return the name of the photo that is most like one that is not found; may be empty."""
        path = PurePosixPath(name.replace("\\", "/"))
        for folder in self._folders:
            if close := find_similar(path.name, folder):
                return close
        return ""

    def _list_photos(self, folder: Path) -> list[Path]:
        """Return the photos that lie in a folder, which is looked at once."""
        if folder not in self._listed:
            paths: list[Path] = []
            with suppress(OSError):  # there is no such folder
                paths = sorted(folder.iterdir())
            photos = [path for path in paths if path.suffix.lower() in PHOTO_SUFFIXES]
            self._listed[folder] = photos
        return self._listed[folder]
