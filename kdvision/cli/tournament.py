"""The commands for many photos: `batch`, `verify`, `standings`."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from kdvision.cli.console import guarded, show, show_text
from kdvision.cli.declared import GameWords, form_of
from kdvision.cli.help import BATCH, STANDINGS, VERIFY
from kdvision.cli.many_photos import (
    Outputs,
    TableReading,
    Where,
    score_batch,
    verify_sheet,
    watch_folders,
)
from kdvision.cli.parameters import (
    HELP,
    NO_WORDS,
    AsJson,
    Column,
    Command,
    Dask,
    Html,
    Jsonl,
    Workers,
    with_declared,
)
from kdvision.errors import ExitCode

Photos = Annotated[
    Path | None,
    typer.Option(
        "--photos", metavar="DIR", help="A folder in which photos of the table are looked for."
    ),
]
Worksheet = Annotated[
    str | None,
    typer.Option("--worksheet", metavar="NAME", help="Which worksheet of a workbook is read."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    for command, foot in (
        (with_declared(batch), BATCH),
        (with_declared(verify), VERIFY),
        (standings, STANDINGS),
    ):
        app.command(cls=Command, epilog=foot, context_settings=HELP)(command)


def batch(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR|PHOTO|SHEET.CSV",
            help="Folders, photos, or tables with a column photo (and player, game, round, "
            "kingdom, claimed, fix, accept, note, harmony, middle_kingdom, centre, size).",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="RESULTS.CSV", help="Where the results go, CSV or .xlsx."
        ),
    ],
    jsonl: Jsonl = None,
    html: Html = None,
    fresh: Annotated[
        bool,
        typer.Option("--fresh", help="Start the results anew; the old ones are kept as a backup."),
    ] = False,
    watch: Annotated[
        bool,
        typer.Option("--watch", help="Go on with what comes into the folders, until Ctrl-C."),
    ] = False,
    column: Column = None,
    photo_folder: Photos = None,
    worksheet: Worksheet = None,
    game: GameWords = NO_WORDS,
    workers: Workers = None,
    dask: Dask = None,
) -> None:
    """Score many photos on all cores; the same command goes on where it was stopped."""
    outputs = Outputs(output, jsonl, html)
    how = TableReading(tuple(column or ()), fresh, photo_folder, worksheet)
    if watch:
        _run(lambda: watch_folders(photos, outputs, how, game, Where(workers, dask)))
    _run(lambda: score_batch(photos, outputs, how, game, Where(workers, dask)))


def verify(
    sheet: Annotated[
        Path,
        typer.Argument(
            metavar="SHEET.CSV|PHOTOS",
            help="A folder of photos with slips, or a table (CSV or .xlsx) with the columns photo "
            "and claimed (and kingdom, player, "
            "game, round, fix, accept, note, harmony, middle_kingdom, centre, size).",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the sheet back with what was found."
        ),
    ] = None,
    as_json: AsJson = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print the sheet with what was found, as CSV.")
    ] = False,
    jsonl: Jsonl = None,
    html: Html = None,
    column: Column = None,
    photo_folder: Photos = None,
    worksheet: Worksheet = None,
    game: GameWords = NO_WORDS,
    workers: Workers = None,
    dask: Dask = None,
    event: Annotated[
        Path | None,
        typer.Option(
            "--event", metavar="FILE", help="Names of slips, where not beside the photos."
        ),
    ] = None,
) -> None:
    """Check hand-counted totals against photos, and name the mistake that explains a difference."""
    outputs = Outputs(output, jsonl, html)
    how = TableReading(tuple(column or ()), False, photo_folder, worksheet)

    def work() -> ExitCode:
        form = form_of(as_json=as_json, as_csv=as_csv)
        return verify_sheet(sheet, outputs, form, how, game, Where(workers, dask), event)

    _run(work)


def standings(
    results: Annotated[
        str, typer.Argument(metavar="RESULTS.CSV", help="What batch wrote, or a table of scores.")
    ],
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            metavar="SHEET.CSV",
            help="Whose photos they are: a table with photo, player, game, round.",
        ),
    ] = None,
    ties: Annotated[
        str,
        typer.Option(
            "--ties", metavar="crowns|territory", help="What breaks a tie after the territory."
        ),
    ] = "crowns",
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="sum|wins|places|best",
            help="What decides over several games and rounds.",
        ),
    ] = "sum",
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print one CSV.")] = False,
    column: Column = None,
    worksheet: Worksheet = None,
    final: Annotated[
        bool, typer.Option("--final", help="Refuse while a total hangs on a decision.")
    ] = False,
) -> None:
    """Rank the players of each game, and total them over all games and rounds."""

    def rank() -> ExitCode:
        from kdvision.columns import given_columns
        from kdvision.tournament.standings import standings_report

        report = standings_report(
            results,
            players=players,
            tie_rule=ties,
            by=by,
            as_json=as_json,
            as_csv=as_csv,
            worksheet=worksheet,
            final=final,
            columns=given_columns(column or ()),
        )
        (show if as_json or as_csv else show_text)(report.rstrip("\n"))
        return ExitCode.SURE

    _run(rank)


def _run(work: Callable[[], ExitCode]) -> None:
    raise typer.Exit(guarded(work))
