"""`--overlay`: one file for one photo, or a folder for several."""

from collections.abc import Sequence
from pathlib import Path

from kdvision.cli.console import say_unless_quiet
from kdvision.errors import UsageError
from kdvision.files import shown
from kdvision.photo.photo import Photo
from kdvision.report.overlay.files import OverlayFolder, write_overlay
from kdvision.result import PhotoResult

#: Names that end so are files, and those of files of other kinds, which are no names of folders.
OVERLAY_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
_OTHERS = (".gif", ".bmp", ".tif", ".tiff", ".heic", ".avif", ".pdf", ".svg")


class Overlays:
    """Takes the overlays of a run, and says where each is.

    Args:
        given: What was typed: a file for one photo, or a folder.
        photos: The names of all photos that are scored.
        dominoes: Whether every domino gets an outline.

    Raises:
        UsageError: It is a file and there are several photos, or it is one of the photos, or of
            another kind; or a folder that cannot be made.
    """

    def __init__(self, given: str, photos: Sequence[str], *, dominoes: bool = False) -> None:
        path = Path(given)
        self._dominoes = dominoes
        self._file: Path | None = None
        self._folder: OverlayFolder | None = None
        if path.suffix.lower() in _OTHERS and not path.is_dir():
            raise UsageError(
                f"--overlay {shown(path)} is of a kind that is not written.",
                f"End its name in one of {', '.join(OVERLAY_SUFFIXES)}.",
            )
        if path.suffix.lower() not in OVERLAY_SUFFIXES or path.is_dir():
            self._folder = OverlayFolder(path, photos, dominoes=dominoes)
            return
        if len(photos) > 1:
            raise UsageError(
                f"--overlay {shown(path)} names one file, and there are {len(photos)} photos.",
                "Give a folder, such as --overlay marked/.",
            )
        if any(Path(photo).absolute() == path.absolute() for photo in photos):
            raise UsageError(
                f"--overlay {shown(path)} would write over the photo.", "Give another name."
            )
        self._file = path

    def write(self, photo: Photo, result: PhotoResult) -> None:
        """Draw the overlay of a photo.

        Raises:
            UsageError: It cannot be written.
        """
        if self._file is not None:
            path = write_overlay(self._file, photo, result, dominoes=self._dominoes)
        else:
            assert self._folder is not None
            path = self._folder.write(photo, result)
        say_unless_quiet(f"The overlay of {shown(photo.name)} is {shown(path)}.")
