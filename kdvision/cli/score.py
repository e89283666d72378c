"""What the commands do. Each returns the exit code; errors are told by `console`."""

import contextlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kdvision.cli.console import show, show_sheets, tell
from kdvision.cli.game import DEFAULT_WORDS, GameWords
from kdvision.corrections import FixPlace, parse_fixes
from kdvision.errors import ExitCode, KdvisionError, ModelError, UsageError, worst
from kdvision.options import GameOptions
from kdvision.result import PhotoResult, Status

if TYPE_CHECKING:
    from kdvision.photo.photo import Photo
    from kdvision.pipeline.scorer import Scorer
    from kdvision.report.overlay.files import OverlayFolder

#: The commands besides `score`, which needs no word.
COMMANDS = ("score", "kingdom", "duel", "batch", "verify", "standings", "serve", "play")

_STDIN = "-"


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """What `kdscore PHOTO...` was asked, as typed; `checked` reads it."""

    photos: tuple[str, ...]
    as_json: bool = False
    overlay: str | None = None
    game: GameWords = DEFAULT_WORDS
    fix: tuple[str, ...] = ()
    max_megapixels: str = "100"
    max_megabytes: str = "64"


@dataclass(frozen=True, slots=True)
class _Rules:
    """A request with its options read."""

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
    rules = _read(request)
    overlays = _overlay_folder(request)
    scorer: Scorer | None = None
    codes = []
    for name in request.photos:
        try:
            photo = _open(name, rules)
            scorer = scorer or _scorer(photo)
            result = _score(scorer, photo, rules)
            _print(result, request.as_json)
            if overlays is not None and result.kingdoms:
                overlays.write(photo, result)
            codes.append(result.status.exit_code)
        except (BrokenPipeError, UsageError, ModelError):
            raise
        except Exception as error:
            codes.append(_tell_of(name, error, request.as_json))
    return worst(codes)


def score_typed(words: Sequence[str], game: GameWords, *, as_json: bool) -> ExitCode:
    """Score kingdoms that were typed, or printed by `--json` before.

    Raises:
        UsageError: It is no kingdom.
    """
    from kdvision.cli.rescore import read_kingdoms

    results = read_kingdoms(words, game.read())
    for result in results:
        _print(result, as_json)
    return worst([result.status.exit_code for result in results])


def score_duel(words: Sequence[str], *, wizard: str | None, as_json: bool) -> ExitCode:
    """Score a Duel map.

    Raises:
        UsageError: It is no map.
    """
    from kdvision.cli.rescore import read_text
    from kdvision.report.duel import duel_report, map_texts

    maps = (read_text(text) for text in map_texts(words))
    show(duel_report(*maps, wizard_coat=wizard, as_json=as_json))
    return ExitCode.SURE


# ---------------------------------------------------------------------- photos


def _read(request: ScoreRequest) -> _Rules:
    fixes = parse_fixes(request.fix)
    if fixes and len(request.photos) > 1:
        raise UsageError(
            "--fix corrects one photo, and there are several.", "Give that photo alone."
        )
    return _Rules(
        request.game.read(),
        fixes or None,
        round(_number("--max-megapixels", request.max_megapixels) * 1_000_000),
        round(_number("--max-megabytes", request.max_megabytes) * 2**20),
    )


def _number(option: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 100_000:
        raise UsageError(f"{option} is {text[:20]!r}.", "Write a number above 0.")
    return value


def _overlay_folder(request: ScoreRequest) -> "OverlayFolder | None":
    if request.overlay is None:
        return None
    from kdvision.report.overlay.files import OverlayFolder

    return OverlayFolder(request.overlay, request.photos)


def _open(name: str, rules: _Rules) -> "Photo":
    from kdvision.photo.photo import open_photo

    if name == _STDIN:
        data = sys.stdin.buffer.read(rules.max_bytes + 1)
        return open_photo(
            data, name="standard input", max_pixels=rules.max_pixels, max_bytes=rules.max_bytes
        )
    return open_photo(name, max_pixels=rules.max_pixels, max_bytes=rules.max_bytes)


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

    with contextlib.suppress(Exception):  # what cannot be decoded is told when it is scored
        photo.pixels(PHOTO.working_side_px)


def _score(scorer: "Scorer", photo: "Photo", rules: _Rules) -> PhotoResult:
    return scorer.score(photo, rules.game, fixes=rules.fixes)


def _print(result: PhotoResult, as_json: bool) -> None:
    if as_json:
        _show_json(result)
    elif result.kingdoms:
        show_sheets(result)
    else:
        show(f"{result.photo}: {result.message}".strip(": "))


def _show_json(result: PhotoResult) -> None:
    from kdvision.report.serialize import to_json

    show(to_json(result))


def _tell_of(name: str, error: Exception, as_json: bool) -> ExitCode:
    """Say why a photo has no result; with `--json` also as its object."""
    if isinstance(error, KdvisionError):
        error = _with_command_meant(name, error)
    code = tell(error)
    status = {
        ExitCode.UNREADABLE: Status.UNREADABLE,
        ExitCode.NO_KINGDOM: Status.NO_KINGDOM,
    }.get(code)
    if as_json and status is not None:
        _show_json(PhotoResult(name, status, _message(error)))
    return code


def _message(error: Exception) -> str:
    """What is wrong with a photo whose name stands beside it."""
    return error.unnamed if isinstance(error, KdvisionError) else str(error)


def _with_command_meant(name: str, error: KdvisionError) -> KdvisionError:
    """The error with another advice where the name of a missing photo looks like a command."""
    import difflib  # only here: most runs have no use for it

    close = difflib.get_close_matches(name, COMMANDS, n=1, cutoff=0.75)
    if not close or Path(name).exists():
        return error
    advice = f"To use the command {close[0]}, write it first."
    return type(error)(error.template, advice, photo=error.photo)
