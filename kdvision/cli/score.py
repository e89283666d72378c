"""The command `score`, whose word may be left out: photos in, score sheets out."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kdvision.cli.console import report_error, say_unless_quiet, show_result
from kdvision.cli.parameters import (
    Csv,
    Harmony,
    Json,
    Language,
    MiddleKingdom,
    Size,
    choose_form,
    game_rules,
)
from kdvision.corrections import parse_fixes
from kdvision.errors import (
    ExitCode,
    ModelError,
    NoKingdomError,
    UnreadablePhotoError,
    UsageError,
    worst,
)
from kdvision.files import (
    DRAWN,
    PathKind,
    find_kind,
    find_photos,
    is_drawn,
    is_special,
    replace_file,
    shown,
    write_error,
)
from kdvision.logs import log_debug
from kdvision.result import PhotoResult
from kdvision.sentences import listed

if TYPE_CHECKING:
    from kdvision.photo.photo import Photo

_STDIN = "-"


def score(
    photos: Annotated[
        list[str],
        typer.Argument(
            metavar="PHOTO", help="Photos or folders; - reads a photo from standard input."
        ),
    ],
    overlay: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|DIR",
            help="Draw what was read over the photo, into this file (.jpg, .png, .webp); of "
            "several photos, into this folder.",
        ),
    ] = None,
    fix: Annotated[
        list[str] | None,
        typer.Option(
            metavar="b3=W1",
            help="Correct a square (also b3=wheat), and score again; B.b3=W1 in the second of "
            "several kingdoms.",
        ),
    ] = None,
    kingdoms: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="How many kingdoms a photo shows; nothing else in it is one."
        ),
    ] = None,
    recursive: Annotated[
        bool, typer.Option("--recursive", "-r", help="Look into the folders of a folder, too.")
    ] = False,
    size: Size = "auto",
    harmony: Harmony = False,
    middle_kingdom: MiddleKingdom = False,
    as_json: Json = False,
    as_csv: Csv = False,
    language: Language = "en",
) -> ExitCode:
    """Score the kingdoms in photos. The word score may be left out.

    \b
    Examples:
      kdscore table.jpg --overlay marked.jpg --harmony
      kdscore table.jpg --fix b3=W1 --fix c4=-
      kdscore photos/ --csv > totals.csv

    Places are named by column letter and row number as on the sheet: b3 is the second column, third
    row; z3 lies left of a3, c0 above c1. B.b3 is b3 of the second kingdom of a photo.

    A photo that cannot be scored does not stop the others; the most serious exit code counts.
    """
    # What is typed is checked before the first photo is opened.
    form = choose_form(as_json, as_csv)
    rules = game_rules(size, harmony, middle_kingdom)
    fixes = parse_fixes(fix or ()) or None
    names = tuple(_expand_folders(photos, recursive=recursive))
    if fixes and len(names) > 1:
        raise UsageError(
            "--fix corrects one photo, and there are several.", "Give that photo alone."
        )
    overlays = [None] * len(names) if overlay is None else overlay_paths(overlay, names)
    # Each photo is scored, shown and drawn before the next one is opened.
    scorer = None
    codes = []
    for name, overlay_path in zip(names, overlays, strict=True):
        try:
            photo = _open(name)
            log_debug(__name__, "%s: %d x %d pixels.", name, photo.width, photo.height)
            if scorer is None:  # models are only opened for what can be a photo
                from kdvision.pipeline.scorer import Scorer

                scorer = Scorer()
            result = scorer.score(photo, rules, fixes=fixes, kingdoms=kingdoms)
            show_result(result, form, language)
            if overlay_path is not None and result.kingdoms:
                _write_overlay(overlay_path, photo, result, language)
            codes.append(result.status.exit_code)
        except (BrokenPipeError, UsageError, ModelError):
            raise  # it would be the same with every photo
        except Exception as error:
            codes.append(_report_photo(name, error, form, language))
    return worst(codes)


def _open(name: str) -> "Photo":
    """Open a photo, or that on standard input."""
    from kdvision.photo.photo import open_photo

    if name == _STDIN:
        return open_photo(sys.stdin.buffer, name="standard input")
    return open_photo(name, name=name)


def _expand_folders(names: Sequence[str], *, recursive: bool) -> Iterator[str]:
    """Yield the names of the photos; a folder stands for those in it.

    Raises:
        UsageError: A folder has no photos.
    """
    for name in names:
        if name == _STDIN or find_kind(name) is not PathKind.FOLDER:
            yield name
            continue
        paths = [str(path) for path in find_photos(Path(name), recursive=recursive)]
        if not paths:
            raise UsageError(
                f"There are no photos in {name}.", "Add -r to look into the folders in it, too."
            )
        yield from paths


def _report_photo(name: str, error: Exception, form: str, language: str) -> ExitCode:
    """Say why a photo has no result; for programs also as its object or line."""
    code = report_error(error)
    if form != "text" and isinstance(error, NoKingdomError | UnreadablePhotoError):
        show_result(PhotoResult.of_error(name, error), form, language)
    return code


# ---------------------------------------------------------------------- overlays

#: The kinds of pictures that are written.
OVERLAY_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")


def overlay_paths(given: str, photos: Sequence[str]) -> list[Path]:
    """Find a file for the overlay of each photo.

    A name with an ending is a file, unless a folder of that name is there. A folder takes
    `NAME-overlay.jpg` for each photo. Only overlays of an earlier run are written over.

    Raises:
        UsageError: A file is named for several photos, or is of another kind; a picture would be
            written over, or written twice; or the folder cannot be made.
    """
    path = Path(given)
    if find_kind(path) is PathKind.FOLDER or not path.suffix or given.endswith(("/", os.sep)):
        stems = ["standard-input" if photo == _STDIN else Path(photo).stem for photo in photos]
        paths = [path / f"{stem}-overlay.jpg" for stem in stems]
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise write_error(path, error) from None
    elif len(photos) > 1:
        raise UsageError(
            f"--overlay {shown(path)} names one file, and there are {len(photos)} photos.",
            "Give a folder, such as --overlay marked/.",
        )
    else:
        paths = [path]
    for number, name in enumerate(paths):
        if name in paths[:number]:
            raise UsageError(
                f"Two photos would have the overlay {shown(name)}.", "Score one folder at a time."
            )
        _check_overlay(name, photos)
    return paths


def _check_overlay(path: Path, photos: Sequence[str]) -> None:
    """Refuse a file that an overlay cannot be written to.

    Raises:
        UsageError: Its name has another ending, or it is a photo or any picture but an overlay.
    """
    name = f"--overlay {shown(path)}"
    if path.suffix.lower() not in OVERLAY_SUFFIXES:
        kinds = listed(OVERLAY_SUFFIXES, "or")
        raise UsageError(f"{name} is no picture.", f"End its name with {kinds}.")
    if os.path.realpath(path) in map(os.path.realpath, photos):
        raise UsageError(f"{name} would write over a photo.", "Give another name.")
    try:
        is_of_somebody = find_kind(path) is PathKind.FILE and not is_drawn(path)
    except OSError as error:
        raise write_error(path, error) from None
    if is_of_somebody or is_special(path):
        raise UsageError(
            f"{name} would write over a file that is no overlay.",
            "Give another name, or remove that file if nobody needs it.",
        )


def _write_overlay(path: Path, photo: "Photo", result: PhotoResult, language: str) -> None:
    """Draw the overlay of a photo and write it."""
    from kdvision.report.overlay import encode_overlay

    data = encode_overlay(photo, result, path.suffix.lower(), language)
    with replace_file(path) as file:
        file.write(data + DRAWN)
    say_unless_quiet(f"The overlay of {shown(photo.name)} is {shown(path)}.")
