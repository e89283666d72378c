"""`kdscore kingdom` and `kdscore duel`: what is typed, scored without a photo or a model."""

import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from kdvision.cli.console import show, show_dominoes, show_result, show_text
from kdvision.cli.declared import Declared, Form
from kdvision.errors import ExitCode, UnreadablePhotoError, UsageError, worst
from kdvision.files import read_file, shown
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.report.json import from_json, typed_kingdom
from kdvision.result import PhotoResult
from kdvision.rules.kingdom import (
    Kingdom,
    NotationError,
    split_kingdoms,
)

#: A kingdom, or the results of a thousand photos; not more.
_MOST_BYTES = 20_000_000
#: probability. That the total of a typed kingdom which no box holds is right: nobody knows.
_UNKNOWN = 0.5

HELP = {
    "kingdom": (
        "Examples:\n"
        "  kdscore kingdom 'C W1 G G G/W W G2 - -/S L1 L F -/S L L L1 -/M2 - - - -'\n"
        "  kdscore photo.jpg --json > read.json; kdscore kingdom read.json --harmony",
        "A kingdom line writes the rows from the top, joined by /, the places of a row\n"
        "separated by blanks: W wheat, F forest, L lake, G grassland, S swamp, M mine, each\n"
        "with its number of crowns (G2); C is the castle, - an empty place.",
    ),
    "duel": (
        "Examples:\n  kdscore duel map.txt --wizard-coat dot\n  kdscore duel ann.txt bob.txt",
        "A whole map, five rows of seven spaces, the castle C in the middle:",
        "- -  D1 D - - -\n- -  -  D E - -\n- Q2 Q  C T - -\n- -  -  K T1 - -\n- -  -  K - - -",
        "D dot, E two dots, S stripe, T two stripes, Q quarters, K black, each with its number of\n"
        "crosses; - for an empty space. Rows on lines of their own, or parted by / on one line.",
    ),
}


def kingdom(
    line: Annotated[
        list[str],
        Declared(
            "LINE|FILE|-",
            "A kingdom line such as 'C W1 G/W W -', a file with one, or what --json printed.",
        ),
    ],
    *,
    best: Annotated[
        bool, Declared("--best", "Say also what it could still reach with the dominoes left.")
    ] = False,
    dominoes: Annotated[
        bool, Declared("--dominoes", "Say also which squares are one domino.")
    ] = False,
    form: Form,
    game: GameOptions,
) -> ExitCode:
    """Score a kingdom that is typed: no photo, no model."""
    if best and form.name == "csv":
        raise UsageError("--best and --csv exclude each other.", "Give --json instead of --csv.")
    results = read_kingdoms(line, game)
    for result in results:
        show_result(result, form.name)
        if dominoes and form.name == "text":
            show_dominoes(result)
        for kingdom in result.kingdoms if best else ():
            from kdvision.report.text import best_report

            show_as = show if form.as_json else show_text
            show_as(best_report(kingdom.sheet, as_json=form.as_json))
    return worst([result.status.exit_code for result in results])


def duel(
    duel_map: Annotated[
        list[str], Declared("MAP|FILE|-", "A map of Kingdomino Duel as text, or two.")
    ],
    *,
    wizard: Annotated[
        str | None,
        Declared(
            "--wizard-coat COAT",
            "The coat that the fifth power pays for; of two maps A=COAT or B=COAT.",
        ),
    ] = None,
    form: Form,
) -> ExitCode:
    """Score a map of Kingdomino Duel from text; of two maps, say who wins."""
    form_name = form.name
    from kdvision.report.duel import duel_report, map_texts

    maps = (read_text(text) for text in map_texts(duel_map))
    report = duel_report(
        *maps, wizard_coat=wizard, as_json=form_name == "json", as_csv=form_name == "csv"
    )
    (show_text if form_name == "text" else show)(report)
    return ExitCode.SURE


def read_kingdoms(
    words: Sequence[str], options: GameOptions = DEFAULT_OPTIONS
) -> list[PhotoResult]:
    """Score what was typed.

    Args:
        words: A kingdom line, in one word or several; the name of a file that holds one or more,
            or the lines that `--json` printed; or `-` for standard input.
        options: The rules. The size of JSON stands where none is given, and a bonus is in play
            where either says so.

    Raises:
        UsageError: It is no kingdom.
    """
    text = read_text(" ".join(words))
    if text.lstrip().startswith("{"):
        return from_json(text, options)
    return [_scored(line, options) for line in split_kingdoms(text)]


def _scored(line: str, options: GameOptions) -> PhotoResult:
    """Score one kingdom line."""
    try:
        kingdom = Kingdom.parse(line, one_castle=True).trimmed()
    except NotationError as error:
        raise UsageError(str(error)) from None
    if not kingdom.rows:
        raise UsageError("The kingdom line has only empty places.", "Write its squares.")
    return PhotoResult.of_kingdoms("", [typed_kingdom(options.score(kingdom), options)])


def read_text(given: str) -> str:
    """What was given, or what the file of that name holds, or standard input for `-`.

    Raises:
        UsageError: There is no such file, or it holds no text.
    """
    if given == "-":
        return _decoded(sys.stdin.buffer.read(_MOST_BYTES), "Standard input")
    if not _is_path(given):
        return given
    try:
        return _decoded(read_file(given, _MOST_BYTES), shown(given))
    except UnreadablePhotoError as error:
        raise UsageError(
            error.message, "Give the name of a text file, or the text itself."
        ) from None


def _is_path(given: str) -> bool:
    """Whether a word names a file, there or not: a kingdom line has no dot, `table.txt` has."""
    try:
        return Path(given).is_file() or ("." in given and len(given.split()) == 1)
    except (OSError, ValueError):
        return False


def _decoded(data: bytes, name: str) -> str:
    # PowerShell writes what a program prints as UTF-16.
    is_utf_16 = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if is_utf_16 else "utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(
            f"{name} holds no text.", "To score a photo, give kdscore its name alone."
        ) from None
