"""`kdscore kingdom` and `kdscore duel`: what is typed, scored without a photo."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from kdvision.cli.config import game_options
from kdvision.cli.console import guarded, show, show_dominoes, show_result, show_text
from kdvision.cli.declared import GameWords, form_of
from kdvision.cli.help import DUEL, KINGDOM
from kdvision.cli.parameters import (
    HELP,
    NO_WORDS,
    AsCsv,
    AsJson,
    Command,
    Dominoes,
    with_declared,
)
from kdvision.cli.rescore import read_kingdoms, read_text
from kdvision.errors import ExitCode, UsageError, worst

#: For maps and kingdoms, which may begin with an empty place: `- L1/C W` is no option.
_DASHES: dict[str, Any] = {**HELP, "ignore_unknown_options": True}


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    for command, foot in ((with_declared(kingdom), KINGDOM), (duel, DUEL)):
        app.command(cls=Command, epilog=foot, context_settings=_DASHES)(command)


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
) -> None:
    """Score a kingdom that is typed: no photo, no model."""

    def work() -> ExitCode:
        form = form_of(as_json=as_json, as_csv=as_csv)
        return score_typed(line, game, form, best=best, dominoes=dominoes)

    raise typer.Exit(guarded(work))


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
) -> None:
    """Score a map of Kingdomino Duel from text; of two maps, say who wins."""

    def work() -> ExitCode:
        form = form_of(as_json=as_json, as_csv=as_csv)
        return score_duel(duel_map, wizard, form)

    raise typer.Exit(guarded(work))


def score_typed(
    words: Sequence[str],
    game: GameWords,
    form: str,
    *,
    best: bool = False,
    dominoes: bool = False,
) -> ExitCode:
    """Score kingdoms that were typed, or printed by `--json` before.

    With `dominoes` the sheets are followed by which squares are one domino (JSON has it always),
    with `best` by the most that the kingdoms could still reach.

    Raises:
        UsageError: It is no kingdom, or nothing can be said of what it could reach.
    """
    if best and form == "csv":
        raise UsageError("--best and --csv exclude each other.", "Give --json instead of --csv.")
    results = read_kingdoms(words, game_options(game))
    for result in results:
        show_result(result, form)
        if dominoes and form == "text":
            show_dominoes(result)
        for kingdom in result.kingdoms if best else ():
            from kdvision.report.text.sheet import best_report

            as_json = form == "json"
            (show if as_json else show_text)(best_report(kingdom.sheet, as_json=as_json))
    return worst([result.status.exit_code for result in results])


def score_duel(words: Sequence[str], wizard: str | None, form: str) -> ExitCode:
    """Score a Duel map, or compare two; `form` is `text`, `json` or `csv`.

    Raises:
        UsageError: It is no map.
    """
    from kdvision.report.duel import duel_report, map_texts

    maps = (read_text(text) for text in map_texts(words))
    report = duel_report(*maps, wizard_coat=wizard, as_json=form == "json", as_csv=form == "csv")
    (show_text if form == "text" else show)(report)
    return ExitCode.SURE
