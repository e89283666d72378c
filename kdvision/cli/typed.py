"""`kdscore kingdom` and `kdscore duel`: what is typed, scored without a photo or a model."""

import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from typing import Annotated

import typer

from kdvision.cli.console import show_result, show_text
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
from kdvision.errors import ExitCode, UsageError, worst
from kdvision.files import PathKind, check_size, find_kind, read_file, shown
from kdvision.report.json import from_json, typed_kingdom
from kdvision.result import PhotoResult
from kdvision.rules.kingdom import Kingdom, split_kingdoms
from kdvision.rules.rules import DEFAULT_RULES, Rules
from kdvision.rules.scoring import score

#: A kingdom, or the results of a thousand photos; not more.
_MAX_BYTES = 20_000_000


def kingdom(
    line: Annotated[
        list[str],
        typer.Argument(
            metavar="LINE|FILE|-",
            help="A kingdom line such as 'C W1 G/W W -', a file with one, or what --json printed.",
        ),
    ],
    size: Size = "auto",
    harmony: Harmony = False,
    middle_kingdom: MiddleKingdom = False,
    as_json: Json = False,
    as_csv: Csv = False,
    language: Language = "en",
) -> ExitCode:
    """Score a kingdom that is typed.

    \b
    Examples:
      kdscore kingdom 'C W1 G G G/W W G2 - -/S L1 L F -/S L L L1 -/M2 - - - -'
      kdscore photo.jpg --json > read.json; kdscore kingdom read.json --harmony

    Write the rows from the top, with / between rows and blanks between places: W wheat, F forest,
    L lake, G grassland, S swamp, M mine, each with its crowns (G2); C the castle, - an empty place.
    """
    form = choose_form(as_json, as_csv)
    results = read_kingdoms(line, game_rules(size, harmony, middle_kingdom))
    for result in results:
        show_result(result, form, language)
    return worst([result.status.exit_code for result in results])


def duel(
    duel_map: Annotated[
        list[str], typer.Argument(metavar="MAP|FILE|-", help="A map of Kingdomino Duel as text.")
    ],
    wizard_coat: Annotated[
        str | None, typer.Option(metavar="COAT", help="The coat of the fifth power, such as dot.")
    ] = None,
    language: Language = "en",
    as_json: Json = False,
) -> ExitCode:
    """Score a map of Kingdomino Duel.

    \b
    Examples:
      kdscore duel map.txt --wizard-coat dot
      kdscore duel map.txt --json

    \b
    A whole map, five rows of seven spaces, the castle C in the middle:
      - -  D1 D - - -
      - -  -  D E - -
      - Q2 Q  C T - -
      - -  -  K T1 - -
      - -  -  K - - -

    D dot, E two dots, S stripe, T two stripes, Q quarters, K black, each with its number of
    crosses; - for an empty space. A row on each line, or all on one line with / between rows.
    """
    from kdvision.report.duel import duel_json, duel_report, read_duel

    result = read_duel(read_text(duel_map), wizard_coat=wizard_coat)
    show_text(duel_json(result) if as_json else duel_report(result, language))
    return result.status.exit_code


def read_kingdoms(words: Sequence[str], rules: Rules = DEFAULT_RULES) -> list[PhotoResult]:
    """Score what was typed.

    Args:
        words: A kingdom line, in one word or several; the name of a file that holds one or more,
            or the lines that `--json` printed; or `-` for standard input.
        rules: What the game is played by. The size of JSON stands where none is given, and a bonus
            is in play where either says so.

    Raises:
        UsageError: It is no kingdom.
    """
    text = read_text(words)
    if text.lstrip().startswith("{"):
        return from_json(text, rules)
    return [_score_line(line, rules) for line in split_kingdoms(text)]


def _score_line(line: str, rules: Rules) -> PhotoResult:
    """Score one kingdom line."""
    kingdom = Kingdom.parse(line).trimmed()
    if not kingdom.rows:
        raise UsageError("The kingdom has no squares.", "Write them: C W1 G/W W -")
    return PhotoResult.of_kingdoms("", [typed_kingdom(score(kingdom, rules), rules)])


def read_text(words: Sequence[str]) -> str:
    """Return what was given, or what the file of that name holds, or standard input for `-`.

    A kingdom line has no dot, so a word with one names a file, there or not.

    Raises:
        UnreadablePhotoError: There is no such file.
        UsageError: It holds no text, or a word is an option that the command does not have.
    """
    for word in words:
        if word.startswith("--"):
            raise UsageError(f"There is no option {shown(word)}.", "For the options: --help")
    given = " ".join(words)
    if given == "-":
        data = sys.stdin.buffer.read(_MAX_BYTES + 1)
        if data:
            check_size(len(data), _MAX_BYTES, "Standard input")
        return _decode(data, "Standard input")
    is_file = find_kind(given) is PathKind.FILE
    if is_file or ("." in given and len(given.split()) == 1):
        return _decode(read_file(given, _MAX_BYTES, may_be_empty=True), shown(given))
    return given


def _decode(data: bytes, name: str) -> str:
    """Return the text of a file, which may be of PowerShell."""
    # PowerShell writes what a program prints as UTF-16.
    is_utf_16 = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if is_utf_16 else "utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(
            f"{name} holds no text.", "To score a photo, give kdscore its name alone."
        ) from None
