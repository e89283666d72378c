"""`kdscore PHOTO...`: photos in, sheets out. Errors are printed by `console`."""

import contextlib
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from kdvision.cli.config import game_options, limit
from kdvision.cli.console import detail, report_error, show_dominoes, show_result
from kdvision.corrections import FixPlace, parse_fixes
from kdvision.errors import (
    ExitCode,
    KdvisionError,
    ModelError,
    NoKingdomError,
    UsageError,
    worst,
)
from kdvision.options import GameOptions
from kdvision.result import PhotoResult, Status

if TYPE_CHECKING:
    from kdvision.cli.scoring.overlays import Overlays
    from kdvision.photo.photo import Photo
    from kdvision.pipeline.scorer import Scorer

#: All commands; `score` needs no word.
COMMANDS = (
    "score",
    "kingdom",
    "duel",
    "batch",
    "verify",
    "standings",
    "series",
    "serve",
    "play",
    "config",
    "doctor",
)

_STDIN = "-"


class ScoreRequest(Struct, frozen=True):
    """What `kdscore PHOTO...` was asked, as typed; `_read` makes sense of it."""

    photos: tuple[str, ...]
    as_json: bool = False
    as_csv: bool = False
    overlay: str | None = None
    recursive: bool = False
    game: Mapping[str, str] = {}
    fix: tuple[str, ...] = ()
    max_megapixels: str | None = None
    max_megabytes: str | None = None
    dominoes: bool = False
    together: bool = False


class _Job(Struct, frozen=True):
    """A request with its options read, and its folders opened."""

    photos: tuple[str, ...]
    form: str
    game: GameOptions
    fixes: dict[FixPlace, str] | None
    max_pixels: int
    max_bytes: int


def score_photos(request: ScoreRequest) -> ExitCode:
    """Score photos and print each result at once; goes on after a photo that cannot be scored.

    Raises:
        UsageError: An option makes no sense. Nothing was printed.
        ModelError: The models cannot be used.
    """
    job = _read(request)
    overlays = _overlays(request, job.photos[:1] if request.together else job.photos)
    if request.together:
        return _score_together(request, job, overlays)
    scorer: Scorer | None = None
    codes = []
    for name in job.photos:
        try:
            with _timed(f"{name}: opened"):
                photo = _open(name, job)
            if scorer is None:
                with _timed("models opened, first photo decoded"):
                    scorer = _scorer(photo)
                _tell_models(scorer)
            with _timed(f"{name}: {photo.width} x {photo.height} pixels, found, read and scored"):
                result = scorer.score(photo, job.game, fixes=job.fixes)
            _show(request, job, overlays, photo, result)
            codes.append(result.status.exit_code)
        except (BrokenPipeError, UsageError, ModelError):
            raise
        except Exception as error:
            codes.append(_tell_of(name, error, job.form))
    return worst(codes)


def _score_together(request: ScoreRequest, job: _Job, overlays: "Overlays | None") -> ExitCode:
    """Score photos as views of the same kingdoms; one that cannot be opened is left out."""
    photos, codes = [], []
    for name in job.photos:
        try:
            photos.append(_open(name, job))
        except KdvisionError as error:
            codes.append(_tell_of(name, error, job.form))
    if photos:
        scorer = _scorer(photos[0])
        try:
            with _timed(f"{len(photos)} photos scored together"):
                result = scorer.score_together(photos, job.game, fixes=job.fixes)
        except NoKingdomError as error:
            return worst([*codes, *(_tell_of(photo.name, error, job.form) for photo in photos[:1])])
        _show(request, job, overlays, result.source, result)
        codes.append(result.status.exit_code)
    return worst(codes)


def _show(
    request: ScoreRequest,
    job: _Job,
    overlays: "Overlays | None",
    photo: "Photo",
    result: PhotoResult,
) -> None:
    """Print a result and write its overlay."""
    show_result(result, job.form)
    if request.dominoes and job.form == "text":
        show_dominoes(result)
    if overlays is not None and result.kingdoms:
        overlays.write(photo, result)


def form_of(*, as_json: bool, as_csv: bool) -> str:
    """The form of the results: `text`, `json` or `csv`.

    Raises:
        UsageError: Two forms are asked for.
    """
    if as_json and as_csv:
        raise UsageError("--json and --csv exclude each other.", "Give one of them.")
    return "json" if as_json else "csv" if as_csv else "text"


# ---------------------------------------------------------------------- photos


def _read(request: ScoreRequest) -> _Job:
    form = form_of(as_json=request.as_json, as_csv=request.as_csv)
    fixes = parse_fixes(request.fix)
    game = game_options(request.game)
    pixels = limit("max_megapixels", request.max_megapixels)
    size = limit("max_megabytes", request.max_megabytes)
    photos = tuple(_photos_of(request))
    if fixes and len(photos) > 1 and not request.together:
        raise UsageError(
            "--fix corrects one photo, and there are several.", "Give that photo alone."
        )
    return _Job(photos, form, game, fixes or None, round(pixels * 1_000_000), round(size * 2**20))


def _photos_of(request: ScoreRequest) -> Iterator[str]:
    """The names of the photos; a folder stands for those in it.

    Raises:
        UsageError: A name is empty, or a folder has no photos.
    """
    for name in request.photos:
        if not name:
            raise UsageError("The name of a photo is empty.", "Give the name of a file.")
        if name == _STDIN or not _is_folder(name):
            yield name
            continue
        from kdvision.tournament.lines import photos_in

        found = [str(path) for path in photos_in(Path(name), recursive=request.recursive)]
        if not found:
            raise UsageError(
                f"There are no photos in {name}.",
                "Give another folder." if request.recursive else "Add -r for the folders in it.",
            )
        yield from found


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):
        return False


def _overlays(request: ScoreRequest, photos: tuple[str, ...]) -> "Overlays | None":
    if request.overlay is None:
        return None
    from kdvision.cli.scoring.overlays import Overlays

    return Overlays(request.overlay, photos, dominoes=request.dominoes)


def _open(name: str, job: _Job) -> "Photo":
    from kdvision.photo.photo import open_photo

    if name == _STDIN:
        data = sys.stdin.buffer.read(job.max_bytes + 1)
        return open_photo(
            data, name="standard input", max_pixels=job.max_pixels, max_bytes=job.max_bytes
        )
    return open_photo(name, max_pixels=job.max_pixels, max_bytes=job.max_bytes)


def _scorer(first: "Photo") -> "Scorer":
    """A scorer. The first photo is decoded while its models are opened."""
    from threading import Thread

    decoding = Thread(target=_decode, args=(first,))
    decoding.start()
    try:
        from kdvision.pipeline.scorer import Scorer

        return Scorer()
    finally:
        decoding.join()


def _decode(photo: "Photo") -> None:
    """Decode a photo at the size that it is looked at; it keeps its pixels."""
    from kdvision.photo.settings import PHOTO

    with contextlib.suppress(Exception):  # what cannot be decoded is said when it is scored
        photo.pixels(PHOTO.working_side_px)


# ---------------------------------------------------------------------- what is said


@contextlib.contextmanager
def _timed(what: str) -> Iterator[None]:
    """Say with -v how long something took."""
    started = time.perf_counter()
    yield
    detail(lambda: f"{what} in {1000 * (time.perf_counter() - started):.0f} ms.")


def _tell_models(scorer: "Scorer") -> None:
    def models() -> str:
        from kdvision.vision.models import model_folder, read_manifest

        folder = model_folder()
        names = (f"{one.file} ({one.sha256[:12]})" for one in read_manifest(folder).values())
        return f"models of {folder}: {', '.join(names)}."

    detail(models)


def _tell_of(name: str, error: Exception, form: str) -> ExitCode:
    """Say why a photo has no result; for programs also as its object or line."""
    if isinstance(error, KdvisionError):
        error = _with_command_meant(name, error)
    code = report_error(error)
    status = {
        ExitCode.UNREADABLE: Status.UNREADABLE,
        ExitCode.NO_KINGDOM: Status.NO_KINGDOM,
    }.get(code)
    if form != "text" and status is not None:
        show_result(PhotoResult(name, status, _message(error)), form)
    return code


def _message(error: Exception) -> str:
    """What is wrong with a photo whose name stands beside it."""
    return error.unnamed if isinstance(error, KdvisionError) else str(error)


def _with_command_meant(name: str, error: KdvisionError) -> KdvisionError:
    """The error with another advice where the name of a missing photo looks like a command."""
    import difflib  # only here: most runs have no use for it

    if name == "help" and not Path(name).exists():
        return type(error)(error.template, "For help: kdscore --help", photo=error.photo)
    close = difflib.get_close_matches(name, COMMANDS, n=1, cutoff=0.75)
    if not close or Path(name).exists():
        return error
    advice = f"To use the command {close[0]}, write it first."
    return type(error)(error.template, advice, photo=error.photo)
