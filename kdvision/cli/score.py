"""`kdscore PHOTO...`: photos in, sheets out; `console` prints errors."""

import contextlib
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from kdvision.cli import console
from kdvision.cli.config import limit
from kdvision.cli.console import (
    report_error,
    say_unless_quiet,
    show_dominoes,
    show_result,
)
from kdvision.cli.declared import Asked, Declared
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
from kdvision.options import GameOptions
from kdvision.result import PhotoResult

if TYPE_CHECKING:
    from kdvision.photo.photo import Photo
    from kdvision.pipeline.scorer import Scorer

_STDIN = "-"

HELP = {
    "score": (
        "Examples:\n"
        "  kdscore table.jpg --overlay marked.jpg --harmony\n"
        "  kdscore table.jpg --fix b3=W1 --fix c4=-\n"
        "  kdscore photos/ --csv > totals.csv",
        "Places are named by column letter and row number as on the sheet: b3 is the second\n"
        "column, third row; z3 lies left of a3, c0 above c1. Of several kingdoms B.b3 is in the\n"
        "second.",
        "With several photos the run goes on after a bad one, and ends with the code that asks\n"
        "most for a person. 0 sure, 3 unreadable, 4 no kingdom, 6 doubtful; kdscore --help has\n"
        "all.",
    ),
}


def score(
    photos: Annotated[
        list[str], Declared("PHOTO", "Photos, or folders of them; - is standard input.")
    ],
    asked: Asked,
    game: GameOptions,
) -> ExitCode:
    """Score the kingdoms in photos. The word score may be left out."""
    run = _Run(photos, asked, game)
    scorer: Scorer | None = None
    codes = []
    for name in run.photos:
        try:
            with _timed(f"{name}: opened"):
                photo = run.open(name)
            if scorer is None:
                with _timed("models opened, first photo decoded"):
                    scorer = _scorer(photo)
            with _timed(f"{name}: {photo.width} x {photo.height} pixels, found, read and scored"):
                result = scorer.score(photo, game, fixes=run.fixes)
            run.show(photo, result)
            codes.append(result.status.exit_code)
        except (BrokenPipeError, UsageError, ModelError):
            raise
        except Exception as error:
            codes.append(_tell_of(name, error, run.form))
    return worst(codes)


# ---------------------------------------------------------------------- a run


class _Run:
    """Photos, and what is asked of them, read and checked.

    Raises:
        UsageError: An option makes no sense.
    """

    def __init__(self, names: Sequence[str], asked: Asked, game: GameOptions) -> None:
        self.form, self.game = asked.name, game
        self.fixes = parse_fixes(asked.fix) or None
        self._max_pixels, self._max_bytes = _limits(asked.max_megapixels, asked.max_megabytes)
        self.photos = tuple(_photos_in(names, recursive=asked.recursive))
        if self.fixes and len(self.photos) > 1:
            raise UsageError(
                "--fix corrects one photo, and there are several.", "Give that photo alone."
            )
        self._dominoes = asked.dominoes
        self._overlays: Overlays | None = None
        if asked.overlay is not None:
            self._overlays = Overlays(asked.overlay, self.photos, dominoes=asked.dominoes)

    def open(self, name: str) -> "Photo":
        """Open a photo, or that on standard input."""
        from kdvision.photo.photo import open_photo

        source: str | bytes = name
        if name == _STDIN:
            source, name = sys.stdin.buffer.read(self._max_bytes + 1), "standard input"
        return open_photo(source, name=name, max_pixels=self._max_pixels, max_bytes=self._max_bytes)

    def show(self, photo: "Photo", result: PhotoResult) -> None:
        """Print a result and write its overlay."""
        show_result(result, self.form)
        if self._dominoes and self.form == "text":
            show_dominoes(result)
        if self._overlays is not None and result.kingdoms:
            self._overlays.write(photo, result)


def _limits(megapixels: str | None = None, megabytes: str | None = None) -> tuple[int, int]:
    """The most pixels and bytes that a photo may have: as typed, or configured."""
    pixels, size = limit("max_megapixels", megapixels), limit("max_megabytes", megabytes)
    return round(pixels * 1_000_000), round(size * 2**20)


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
        from kdvision.tournament.lines import photos_in

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


def _tell_of(name: str, error: Exception, form: str) -> ExitCode:
    """Say why a photo has no result; for programs also as its object or line."""
    code = report_error(error)
    if form != "text" and isinstance(error, NoKingdomError | UnreadablePhotoError):
        show_result(PhotoResult.of_error(name, error), form)
    return code


# ---------------------------------------------------------------------- overlays

#: Names that end so are files, and those of files of other kinds, which are no names of folders.
OVERLAY_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
_OTHERS = (".gif", ".bmp", ".tif", ".tiff", ".heic", ".avif", ".pdf", ".svg")


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
        given: What was typed: a file for one photo, a folder, or - for standard output.
        photos: The names of all photos that are scored.
        dominoes: Whether every domino gets an outline.

    Raises:
        UsageError: It is a file and there are several photos, or it is one of the photos, or of
            another kind, or something else than an overlay; or a folder that cannot be made.
    """

    def __init__(self, given: str, photos: Sequence[str], *, dominoes: bool = False) -> None:
        self._path = path = Path(given)
        self._dominoes = dominoes
        self._to_output = given == _STDIN
        self._is_folder = path.suffix.lower() not in OVERLAY_SUFFIXES or path.is_dir()
        self._taken = {_absolute(photo) for photo in photos}
        if self._to_output:
            if len(photos) > 1:
                raise UsageError(
                    f"--overlay - is one picture, and there are {len(photos)} photos.",
                    "Give a folder, such as --overlay marked/.",
                )
            console.results_to_standard_error()
            return
        if path.suffix.lower() in _OTHERS and not path.is_dir():
            raise UsageError(
                f"--overlay {shown(path)} is of a kind that is not written.",
                f"End its name in one of {', '.join(OVERLAY_SUFFIXES)}.",
            )
        if self._is_folder:
            try:
                path.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise unwritable(path, error) from None
            return
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

        if self._to_output:
            sys.stdout.buffer.write(overlay_bytes(photo, result, ".jpg", dominoes=self._dominoes))
            sys.stdout.buffer.flush()
            return
        path = self._free_path(photo.name) if self._is_folder else self._path
        data = overlay_bytes(photo, result, path.suffix.lower(), dominoes=self._dominoes)
        with whole_file(path) as file:
            file.write(data + DRAWN)
        say_unless_quiet(f"The overlay of {shown(photo.name)} is {shown(path)}.")
