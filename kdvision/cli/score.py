"""The command `score`, whose word may be left out: photos in, score sheets out."""

import contextlib
import os
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kdvision.cli.console import report_error, say_unless_quiet, show_result
from kdvision.cli.parameters import (
    Csv,
    Harmony,
    Json,
    MiddleKingdom,
    Quiet,
    Size,
    Verbose,
    form_name,
    game_options,
)
from kdvision.concurrency import Background
from kdvision.corrections import parse_fixes
from kdvision.errors import (
    ExitCode,
    ModelError,
    NoKingdomError,
    UnreadablePhotoError,
    UsageError,
    worst,
)
from kdvision.files import DRAWN, is_drawn, is_no_file, shown, unwritable, whole_file
from kdvision.logs import debug
from kdvision.result import PhotoResult

if TYPE_CHECKING:
    from kdvision.photo.photo import Photo
    from kdvision.pipeline.scorer import Scorer

_STDIN = "-"

SCORE_FOOT = """\
\b
Examples:
  kdscore table.jpg --overlay marked.jpg --harmony
  kdscore table.jpg --fix b3=W1 --fix c4=-
  kdscore photos/ --csv > totals.csv

Places are named by column letter and row number as on the sheet: b3 is the second column, third
row; z3 lies left of a3, c0 above c1. Of several kingdoms B.b3 is in the second.

With several photos the run goes on after a bad one, and exits with the most serious code."""


def score(
    photos: Annotated[
        list[str],
        typer.Argument(metavar="PHOTO", help="Photos, or folders of them; - is standard input."),
    ],
    overlay: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|DIR",
            help="Draw what was read over the photo, into this file (.jpg, .png, .webp); of "
            "several photos into this folder.",
        ),
    ] = None,
    fix: Annotated[
        list[str] | None,
        typer.Option(
            metavar="b3=W1",
            help="Correct a square and score again; B.b3=W1 in the second of several kingdoms.",
        ),
    ] = None,
    recursive: Annotated[
        bool, typer.Option("--recursive", "-r", help="Folders with the folders in them.")
    ] = False,
    size: Size = "auto",
    harmony: Harmony = False,
    middle_kingdom: MiddleKingdom = False,
    as_json: Json = False,
    as_csv: Csv = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> ExitCode:
    """Score the kingdoms in photos. The word score may be left out."""
    # What is typed is checked before the first photo is opened.
    form = form_name(as_json, as_csv)
    options = game_options(size, harmony, middle_kingdom)
    fixes = parse_fixes(fix or ()) or None
    names = tuple(_photos_in(photos, recursive=recursive))
    if fixes and len(names) > 1:
        raise UsageError(
            "--fix corrects one photo, and there are several.", "Give that photo alone."
        )
    overlays = None if overlay is None else Overlays(overlay, names)
    scorer: Scorer | None = None
    codes = []
    for name in names:
        try:
            with _timed(f"{name}: opened"):
                photo = _open(name)
            if scorer is None:
                with _timed("models opened, first photo decoded"):
                    scorer = _scorer(photo)
            with _timed(f"{name}: {photo.width} x {photo.height} pixels, found, read and scored"):
                result = scorer.score(photo, options, fixes=fixes)
            show_result(result, form)
            if overlays is not None and result.kingdoms:
                overlays.write(photo, result)
            codes.append(result.status.exit_code)
        except (BrokenPipeError, UsageError, ModelError):
            raise  # it would be the same with every photo
        except Exception as error:
            codes.append(_report_photo(name, error, form))
    return worst(codes)


def _open(name: str) -> "Photo":
    """Open a photo, or that on standard input."""
    from kdvision.photo.photo import open_photo

    if name == _STDIN:
        return open_photo(sys.stdin.buffer, name="standard input")
    return open_photo(name, name=name)


def _photos_in(names: Sequence[str], *, recursive: bool) -> Iterator[str]:
    """Yield the names of the photos; a folder stands for those in it.

    One without photos beside other names, as in `kdscore *`, is refused when its turn comes.

    Raises:
        UsageError: A name is empty, or the only one is a folder without photos.
    """
    for name in names:
        if not name:
            raise UsageError("The name of a photo is empty.", "Give the name of a file.")
        if name == _STDIN or not _is_folder(name):
            yield name
            continue
        from kdvision.tournament.photos import photos_in

        found = [str(path) for path in photos_in(Path(name), recursive=recursive)]
        if not found and len(names) == 1:
            raise UsageError(
                f"There are no photos in {name}.",
                "Give another folder." if recursive else "Add -r for the folders in it.",
            )
        yield from found or [name]


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):
        return False


def _scorer(first: "Photo") -> "Scorer":
    """A scorer. The first photo is decoded while its models are opened."""
    from kdvision.photo.settings import PHOTO

    decoding = Background(lambda: first.pixels(PHOTO.working_side_px), threads=2)
    try:
        from kdvision.pipeline.scorer import Scorer

        return Scorer()
    finally:
        decoding.wait()


# ---------------------------------------------------------------------- what is said


@contextlib.contextmanager
def _timed(what: str) -> Iterator[None]:
    """Say with -v how long something took."""
    started = time.perf_counter()
    yield
    debug(__name__, "%s in %.0f ms.", what, 1000 * (time.perf_counter() - started))


def _report_photo(name: str, error: Exception, form: str) -> ExitCode:
    """Say why a photo has no result; for programs also as its object or line."""
    code = report_error(error)
    if form != "text" and isinstance(error, NoKingdomError | UnreadablePhotoError):
        show_result(PhotoResult.of_error(name, error), form)
    return code


# ---------------------------------------------------------------------- overlays

#: The kinds of pictures that are written.
OVERLAY_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")


def _may_be_replaced(path: Path) -> bool:
    """Whether a file is an overlay of an earlier run, or none is there."""
    try:
        if is_no_file(path):
            return False
        return not path.exists() or is_drawn(path)
    except OSError as error:
        raise unwritable(path, error) from None


def _absolute(path: str | Path) -> Path:
    try:
        return Path(path).resolve()
    except (OSError, RuntimeError, ValueError):
        return Path(path).absolute()


class Overlays:
    """Takes the overlays of a run, and says where each is.

    A folder takes `NAME-overlay.jpg` for each photo, with a number where that name is taken. Only
    overlays of an earlier run are written over, and none that is scored itself.

    Args:
        given: What was typed: a file for one photo, or a folder. A name with an ending is a file,
            unless a folder of that name is there.
        photos: The names of all photos that are scored.

    Raises:
        UsageError: It is a file and there are several photos, or it is one of the photos, or of
            another kind, or something else than an overlay; or a folder that cannot be made.
    """

    def __init__(self, given: str, photos: Sequence[str]) -> None:
        self._path = path = Path(given)
        is_folder_name = given.endswith(("/", os.sep)) or not path.suffix
        self._is_folder = is_folder_name or path.is_dir()
        self._taken = {_absolute(photo) for photo in photos}
        if self._is_folder:
            try:
                path.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise unwritable(path, error) from None
            return
        if path.suffix.lower() not in OVERLAY_SUFFIXES:
            raise UsageError(
                f"--overlay {shown(path)} is of a kind that is not written.",
                f"End its name in one of {', '.join(OVERLAY_SUFFIXES)}.",
            )
        if len(photos) > 1:
            raise UsageError(
                f"--overlay {shown(path)} names one file, and there are {len(photos)} photos.",
                "Give a folder, such as --overlay marked/.",
            )
        if _absolute(path) in self._taken:
            raise UsageError(
                f"--overlay {shown(path)} would write over the photo.", "Give another name."
            )
        if not _may_be_replaced(path):
            raise UsageError(
                f"--overlay {shown(path)} would write over a file that is no overlay.",
                "Give another name, or remove that file if nobody needs it.",
            )

    def _free_path(self, photo: str) -> Path:
        """The file for a photo in the folder."""
        stem = Path(photo).stem.replace(" ", "-") if photo == "standard input" else Path(photo).stem
        for number in count(1):
            path = self._path / f"{stem}-overlay{'' if number == 1 else f'-{number}'}.jpg"
            if _absolute(path) not in self._taken and _may_be_replaced(path):
                break
        self._taken.add(_absolute(path))
        return path

    def write(self, photo: "Photo", result: PhotoResult) -> None:
        """Draw the overlay of a photo.

        Raises:
            UsageError: It cannot be written.
        """
        from kdvision.report.overlay import overlay_bytes

        path = self._free_path(photo.name) if self._is_folder else self._path
        data = overlay_bytes(photo, result, path.suffix.lower())
        with whole_file(path) as file:
            file.write(data + DRAWN)
        say_unless_quiet(f"The overlay of {shown(photo.name)} is {shown(path)}.")
