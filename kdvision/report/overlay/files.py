"""Where the pictures drawn over photos are written to."""

from collections.abc import Iterable
from pathlib import Path

import cv2

from kdvision.errors import UsageError
from kdvision.files import shown
from kdvision.photo.photo import Photo
from kdvision.report.overlay.draw import draw_overlay
from kdvision.result import PhotoResult

#: The longer side of an overlay has at least this many pixels, if the photo has them.
_SIDE = 1600
_QUALITY = 92
_QUALITIES = {".webp": cv2.IMWRITE_WEBP_QUALITY}


class OverlayFolder:
    """A folder that takes `NAME-overlay.jpg` for each photo.

    Two photos of one name get a number. A photo that is scored is never written over; overlays of
    an earlier run are.

    Args:
        folder: Is made when it is not there.
        photos: The names of all photos that are scored.
        dominoes: Whether every domino gets an outline.

    Raises:
        UsageError: It is no folder and cannot be made one.
    """

    def __init__(
        self, folder: str | Path, photos: Iterable[str], *, dominoes: bool = False
    ) -> None:
        self.folder = Path(folder)
        self._dominoes = dominoes
        self._taken = {_absolute(Path(photo)) for photo in photos}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _not_written(self.folder, error) from None

    def write(self, photo: Photo, result: PhotoResult) -> Path:
        """Draw the overlay of a photo and return its path.

        Raises:
            UsageError: It cannot be written.
        """
        return write_overlay(self._path(photo.name), photo, result, dominoes=self._dominoes)

    def _path(self, name: str) -> Path:
        stem = Path(name).stem.replace(" ", "-") if name == "standard input" else Path(name).stem
        number = 1
        while True:
            path = self.folder / f"{stem}-overlay{'' if number == 1 else f'-{number}'}.jpg"
            if _absolute(path) not in self._taken:
                self._taken.add(_absolute(path))
                return path
            number += 1


def write_overlay(path: Path, photo: Photo, result: PhotoResult, *, dominoes: bool = False) -> Path:
    """Draw the overlay of a photo into a file, whose kind its name says; returns its path.

    Raises:
        UsageError: It cannot be written.
    """
    data = overlay_bytes(photo, result, path.suffix.lower(), dominoes=dominoes)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise _not_written(path, error) from None
    return path


def _absolute(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return path.absolute()


def _not_written(path: Path, error: OSError) -> UsageError:
    reason = (error.strerror or "it cannot be written").lower()
    return UsageError(
        f"{shown(path)} cannot be written: {reason}.", "Choose another place with --overlay."
    )


def overlay_bytes(photo: Photo, result: PhotoResult, kind: str, *, dominoes: bool = False) -> bytes:
    """Draw the overlay of a photo as a picture file of a kind, such as `.jpg`."""
    rgb, scale = photo.pixels(_SIDE)
    drawn = draw_overlay(rgb, result, scale, dominoes=dominoes)
    picture = cv2.cvtColor(drawn, cv2.COLOR_RGB2BGR)
    quality = [] if kind == ".png" else [_QUALITIES.get(kind, cv2.IMWRITE_JPEG_QUALITY), _QUALITY]
    _, data = cv2.imencode(kind, picture, quality)
    return bytes(data)
