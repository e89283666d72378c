"""Files: read once into memory, and written in one step, all of it or nothing.

Reading refuses what is no ordinary file, and can neither block nor fill the memory: a named pipe
is never waited for, a device never read, and a file over the limit is refused by its size.
"""

import errno
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum, auto
from pathlib import Path
from typing import BinaryIO

from kdvision.errors import UnreadablePhotoError, UsageError
from kdvision.sentences import Sentence

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_NUMBERS = re.compile(r"(\d+)")
_MEGABYTE = 2**20
#: Follows the picture in a file that we have drawn; readers of JPEG, PNG and WebP pass over it.
DRAWN = b"\nkdscore --overlay\n"
#: Folders in which file servers and programs keep small copies of photos, and what was deleted.
_COPIES = {"@eadir", "@__thumb", "@recycle", "#recycle", "thumbnails", "__macosx"}
#: Files of a folder that are taken for photos. What is named by itself is always tried.
PHOTO_SUFFIXES = (
    ".jpg", ".jpeg", ".jfif", ".png", ".webp", ".heic", ".heif", ".avif",
    ".tif", ".tiff", ".bmp", ".gif",
)  # fmt: skip


class PathKind(Enum):
    """What lies at a path.

    Attributes:
        FILE: An ordinary file.
        FOLDER: A folder.
        DEVICE: A device, a pipe or a socket.
        MISSING: Nothing.
        DEAD_LINK: A link to something that is not there.
        UNKNOWN: This user may not look, or it is no path at all.
    """

    FILE = auto()
    FOLDER = auto()
    DEVICE = auto()
    MISSING = auto()
    DEAD_LINK = auto()
    UNKNOWN = auto()


def find_kind(path: str | os.PathLike[str]) -> PathKind:
    """Tell what lies at a path, links followed; never raises.

    `Path.exists` and `Path.is_dir` raise where a folder may not be entered or a name is too long.
    """
    try:
        mode = Path(path).stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return PathKind.DEAD_LINK if Path(path).is_symlink() else PathKind.MISSING
    except (OSError, ValueError):
        return PathKind.UNKNOWN
    if stat.S_ISREG(mode):
        return PathKind.FILE
    return PathKind.FOLDER if stat.S_ISDIR(mode) else PathKind.DEVICE


def read_file(path: str | os.PathLike[str], max_bytes: int, *, may_be_empty: bool = False) -> bytes:
    """Return the bytes of an ordinary file.

    Raises:
        UnreadablePhotoError: It is missing, a URL, a folder, a device or a pipe, over `max_bytes`,
            empty where it may not be, or may not be read.
    """
    name = shown(path)
    if _URL.match(os.fspath(path)):
        raise UnreadablePhotoError(Sentence("unreadable.address"), photo=name)
    try:
        about = Path(path).stat()
        if stat.S_ISDIR(about.st_mode):
            os.scandir(Path(path)).close()  # raises where it may not be opened
            raise UnreadablePhotoError(Sentence("unreadable.folder"), photo=name)
        if not stat.S_ISREG(about.st_mode):  # a pipe would keep us waiting
            raise UnreadablePhotoError(Sentence("unreadable.device"), photo=name)
        if about.st_size or not may_be_empty:
            check_size(about.st_size, max_bytes, name)
        with Path(path).open("rb") as file:
            return file.read(about.st_size)
    except (FileNotFoundError, NotADirectoryError):
        raise missing_file(path) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        why = f"{reason[:1].lower()}{reason[1:]}"
        raise UnreadablePhotoError(
            Sentence("unreadable.denied", {"why": why}), photo=name
        ) from None


def is_drawn(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is a photo over which we have drawn what was read in it.

    Raises:
        OSError: It cannot be read.
    """
    if find_kind(path) is not PathKind.FILE:  # a pipe would keep us waiting
        return False
    with Path(path).open("rb") as file:
        file.seek(max(os.fstat(file.fileno()).st_size - len(DRAWN), 0))
        return file.read() == DRAWN


def find_photos(folder: Path, *, recursive: bool = True) -> Iterator[Path]:
    """Yield the photos of a folder as people sort them, with those of the folders in it or without.

    None is hidden, a thumbnail of a file server, or an overlay that we have drawn of another. A
    folder that may not be opened is yielded itself, after the photos: who reads it says why.
    """
    closed: list[Path] = []

    def keep_closed(error: OSError) -> None:
        closed.append(Path(error.filename))

    for where, folders, files in os.walk(folder, onerror=keep_closed):
        own = [name for name in folders if not name.startswith(".") and name.lower() not in _COPIES]
        folders[:] = sorted(own, key=natural_key)
        for name in sorted(files, key=natural_key):
            path = Path(where) / name
            if path.suffix.lower() not in PHOTO_SUFFIXES or name.startswith("."):
                continue
            with suppress(OSError):  # who scores it says why
                if is_drawn(path):
                    continue
            yield path
        if not recursive:
            break
    yield from closed


def check_size(size: int, max_bytes: int, name: str) -> None:
    """Refuse an empty file and one over the limit.

    Raises:
        UnreadablePhotoError: `size` is 0 or more than `max_bytes`.
    """
    if size == 0:
        raise UnreadablePhotoError(Sentence("unreadable.empty"), photo=name)
    if size > max_bytes:
        fields = {"size": _format_size(size), "most": _format_size(max_bytes)}
        raise UnreadablePhotoError(Sentence("unreadable.too-large", fields), photo=name)


def shown(path: str | os.PathLike[str]) -> str:
    """Return a file name that is safe to print: no control characters, a long one cut short."""
    text = os.fspath(path) or "(no name)"
    safe = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )
    return safe if len(safe) <= 200 else f"{safe[:100]}...{safe[-90:]}"


def natural_key(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    """Return a key that sorts the numbers in names by value, and before letters."""
    key: list[tuple[bool, int, str]] = []
    for part in filter(None, _NUMBERS.split(name.casefold())):
        if part.isdecimal():
            key.append((False, int(part), ""))
        else:
            key.append((True, 0, part))
    return key, name


def missing_file(path: str | os.PathLike[str]) -> UnreadablePhotoError:
    """Return the error for a file that is not there, with the name that it may have meant."""
    if find_kind(path) is PathKind.DEAD_LINK:
        target = {"target": shown(os.path.realpath(path))}
        return UnreadablePhotoError(Sentence("unreadable.dead-link", target), photo=shown(path))
    folder, advice = Path(path).parent, None
    if close := find_similar(Path(path).name, folder):
        advice = Sentence("unreadable.did-you-mean", {"name": shown(folder / close)})
    return UnreadablePhotoError(Sentence("unreadable.missing"), advice or "", photo=shown(path))


def find_similar(wanted: str, folder: Path) -> str:
    """Return the name in a folder that is most like one that is not there; empty without any."""
    import difflib  # only here: most runs have no use for it

    names = {}
    with suppress(OSError):
        names = {path.name.casefold(): path.name for path in folder.iterdir()}
    close = difflib.get_close_matches(wanted.casefold(), names, n=1, cutoff=0.7)
    if not close:
        return ""
    return names[close[0]]


def _format_size(size: int) -> str:
    """Return a number of bytes in megabytes."""
    return f"{size / _MEGABYTE:,.0f}" if size >= 10 * _MEGABYTE else f"{size / _MEGABYTE:,.2g}"


def is_special(path: Path) -> bool:
    """Return whether a folder, a pipe or a device is there, which is never written or replaced."""
    return find_kind(path) in (PathKind.FOLDER, PathKind.DEVICE)


@contextmanager
def replace_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file beside `path` to write to, which takes its place at the end.

    A link stays one, and who may read and write the file stays as it was.

    Raises:
        UsageError: It cannot be written; then what was there before stands.
    """
    if is_special(path):
        raise write_error(path, OSError(errno.EINVAL, "it is no file"))
    try:
        target = Path(os.path.realpath(path))
    except ValueError as error:  # no path can have such a name
        raise write_error(path, OSError(str(error))) from None
    new = target.with_name(f".{secrets.token_hex(8)}.new")
    try:
        with new.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            shutil.copymode(target, new)
        new.replace(target)
    except OSError as error:
        raise write_error(path, error) from None
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


def write_error(path: Path, error: OSError) -> UsageError:
    """Return the error for a file that cannot be written."""
    reason = (error.strerror or str(error)).lower()
    return UsageError(
        f"{shown(path)} cannot be written: {reason}.", "Check the folder and the room on the disk."
    )
