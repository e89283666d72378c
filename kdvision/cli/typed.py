"""`kdscore kingdom` and `kdscore duel`: what is typed, scored without a photo or a model."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from kdvision.cli.config import game_options
from kdvision.cli.console import show, show_dominoes, show_result, show_text
from kdvision.cli.declared import GameWords, form_of
from kdvision.cli.parameters import NO_WORDS, AsCsv, AsJson, Dominoes, add_command
from kdvision.decoding.cutting_posterior import cutting_posterior, with_domino_problems
from kdvision.errors import ExitCode, UnreadablePhotoError, UsageError, worst
from kdvision.files import read_file, shown
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.reading import Alternative, Doubt, DoubtCode
from kdvision.report.json import from_json
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.kingdom import (
    Kingdom,
    NotationError,
    cell_text,
    parse_cell,
    split_kingdoms,
)
from kdvision.rules.legality import Code, Problem, Severity, problems
from kdvision.rules.scoring import Centre, ScoreSheet
from kdvision.sentences import Sentence

#: A kingdom, or the results of a thousand photos; not more.
_MOST_BYTES = 20_000_000
#: probability. That the total of a typed kingdom which no box holds is right: nobody knows.
_UNKNOWN = 0.5

_LINE = """\
A kingdom line writes the rows from the top, joined by /, the places of a row
separated by blanks: W wheat, F forest, L lake, G grassland, S swamp, M mine, each
with its number of crowns (G2); C is the castle, - an empty place."""
_KINGDOM = (
    "Examples:\n"
    "  kdscore kingdom 'C W1 G G G/W W G2 - -/S L1 L F -/S L L L1 -/M2 - - - -'\n"
    "  kdscore photo.jpg --json > read.json; kdscore kingdom read.json --harmony",
    _LINE,
)
_DUEL = (
    "Examples:\n  kdscore duel map.txt --wizard-coat dot\n  kdscore duel ann.txt bob.txt",
    "A whole map, five rows of seven spaces, the castle C in the middle:",
    "- -  D1 D - - -\n- -  -  D E - -\n- Q2 Q  C T - -\n- -  -  K T1 - -\n- -  -  K - - -",
    "D dot, E two dots, S stripe, T two stripes, Q quarters, K black, each with its number of\n"
    "crosses; - for an empty space. Rows on lines of their own, or parted by / on one line.",
)


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    # Maps and kingdoms may begin with an empty place: `- L1/C W` is no option.
    add_command(app, kingdom, *_KINGDOM, ignore_unknown_options=True)
    add_command(app, duel, *_DUEL, ignore_unknown_options=True)


def kingdom(
    line: Annotated[
        list[str],
        typer.Argument(
            metavar="LINE|FILE|-",
            help="A kingdom line such as 'C W1 G/W W -', a file with one, or what --json printed.",
        ),
    ],
    best: Annotated[
        bool,
        typer.Option("--best", help="Say also what it could still reach with the dominoes left."),
    ] = False,
    dominoes: Dominoes = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    game: GameWords = NO_WORDS,
) -> ExitCode:
    """Score a kingdom that is typed: no photo, no model."""
    form = form_of(as_json=as_json, as_csv=as_csv)
    if best and form == "csv":
        raise UsageError("--best and --csv exclude each other.", "Give --json instead of --csv.")
    results = read_kingdoms(line, game_options(game))
    for result in results:
        show_result(result, form)
        if dominoes and form == "text":
            show_dominoes(result)
        for kingdom in result.kingdoms if best else ():
            from kdvision.report.text import best_report

            as_json = form == "json"
            (show if as_json else show_text)(best_report(kingdom.sheet, as_json=as_json))
    return worst([result.status.exit_code for result in results])


def duel(
    duel_map: Annotated[
        list[str],
        typer.Argument(metavar="MAP|FILE|-", help="A map of Kingdomino Duel as text, or two."),
    ],
    wizard: Annotated[
        str | None,
        typer.Option(
            "--wizard-coat",
            metavar="COAT",
            help="The coat that the fifth power pays for; of two maps A=COAT or B=COAT.",
        ),
    ] = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, a line per map.")] = False,
) -> ExitCode:
    """Score a map of Kingdomino Duel from text; of two maps, say who wins."""
    form = form_of(as_json=as_json, as_csv=as_csv)
    from kdvision.report.duel import duel_report, map_texts

    maps = (read_text(text) for text in map_texts(duel_map))
    report = duel_report(*maps, wizard_coat=wizard, as_json=form == "json", as_csv=form == "csv")
    (show_text if form == "text" else show)(report)
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
        return [_scored_again(result, options) for result in from_json(text)]
    return [_scored(line, options) for line in split_kingdoms(text)]


def _scored(line: str, options: GameOptions) -> PhotoResult:
    """Score one kingdom line."""
    try:
        kingdom = Kingdom.parse(line, one_castle=True).trimmed()
    except NotationError as error:
        raise UsageError(str(error)) from None
    if not kingdom.rows:
        raise UsageError("The kingdom line has only empty places.", "Write its squares.")
    typed = _typed(options.score(kingdom), options)
    doubt = (typed.doubt.sentence,) if typed.doubt else ()
    return PhotoResult("", typed.status, doubt, (typed,))


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
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(
            f"{name} holds no text.", "To score a photo, give kdscore its name alone."
        ) from None


def _typed(sheet: ScoreSheet, options: GameOptions) -> KingdomResult:
    """The result of a typed kingdom, which is doubtful where no box can hold it."""
    kingdom = sheet.kingdom
    dominoes = cutting_posterior(kingdom).dominoes
    found = problems(kingdom, options.size)
    held = not any(_is_of_no_box(one, options) for one in found)
    return KingdomResult(
        sheet=sheet,
        status=Status.SURE if held else Status.DOUBTFUL,
        probability=1.0 if held else _UNKNOWN,
        squares=(),
        warnings=() if held else (Doubt(DoubtCode.NOT_OF_THE_BOX),),
        problems=found,
        dominoes=dominoes,
    )


def _is_of_no_box(problem: Problem, options: GameOptions) -> bool:
    """Whether a problem says that the boxes of a game cannot hold the kingdom."""
    too_many = options.boxes == 1 and problem.code is Code.TOO_MANY_OF_A_KIND
    return too_many or problem.severity is Severity.MISREAD


def _scored_again(result: PhotoResult, options: GameOptions) -> PhotoResult:
    """A result with its kingdoms scored again, each as sure as it was.

    A kingdom whose line was edited counts as typed. A size that was guessed is guessed again.
    """
    kingdoms = []
    for old in result.kingdoms:
        guessed = any(problem.code is Code.MIGHTY_DUEL_GUESSED for problem in old.problems)
        rules = GameOptions(
            options.size or (None if guessed else old.sheet.size),
            **{one.code: getattr(options, one.code) or one.counted for one in old.sheet.bonuses},
            centre=Centre.FRAME
            if Centre.FRAME in (options.centre, old.sheet.centre)
            else Centre.BOX,
        )
        kingdom = old.sheet.kingdom
        sheet = rules.score(kingdom)
        if not _is_as_read(old):
            kingdoms.append(_typed(sheet, rules))
            continue
        alternatives = tuple(
            Alternative(rules.score(_with(kingdom, one)).total, one.probability, one.squares)
            for one in old.alternatives
        )
        found = with_domino_problems(problems(kingdom, rules.size), old.problems)
        kingdoms.append(replace(old, sheet=sheet, alternatives=alternatives, problems=found))
    doubtful = any(kingdom.status is not Status.SURE for kingdom in kingdoms)
    status = result.status
    if kingdoms:
        status = Status.DOUBTFUL if doubtful else Status.SURE
    return replace(
        result,
        status=status,
        reasons=_reasons(result, kingdoms) if status is not Status.SURE else (),
        kingdoms=tuple(kingdoms),
    )


def _reasons(before: PhotoResult, kingdoms: Sequence[KingdomResult]) -> tuple[Sentence, ...]:
    """Why kingdoms that were scored again are doubtful."""
    return before.reasons or tuple(one.doubt.sentence for one in kingdoms if one.doubt)[:1]


def _is_as_read(result: KingdomResult) -> bool:
    """Whether the kingdom line still says what the squares say."""
    cells = {at: cell_text(cell) for at, cell in result.sheet.kingdom.cells()}
    return all(cells.get(square.at) == square.text for square in result.squares)


def _with(kingdom: Kingdom, alternative: Alternative) -> Kingdom:
    """The kingdom of an alternative, which may have squares beside the grid."""
    cells = dict(kingdom.cells()) | {at: parse_cell(text) for at, text in alternative.squares}
    rows, cols = zip(*cells, strict=True)
    return Kingdom(
        tuple(
            tuple(cells.get((row, col)) for col in range(min(cols), max(cols) + 1))
            for row in range(min(rows), max(rows) + 1)
        )
    )
