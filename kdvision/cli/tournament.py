"""The commands for many photos: `batch`, `verify`, `standings`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kdvision.cli.console import guarded, progress_bar, say, say_unless_quiet, show
from kdvision.cli.game import DEFAULT_WORDS, GameWords
from kdvision.cli.help import BATCH, STANDINGS, VERIFY
from kdvision.cli.parameters import HELP, AsJson, Command, Dask, Html, Jsonl, Workers, with_game
from kdvision.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from kdvision.tournament.batch.run import Summary
    from kdvision.tournament.batch.scoring import Means
    from kdvision.tournament.sheets.columns import ColumnNames

Column = Annotated[
    list[str] | None,
    typer.Option(
        "--column", metavar="claimed=Punkte", help="What a column of the table is called."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    for command, foot in (
        (with_game(batch), BATCH),
        (with_game(verify), VERIFY),
        (standings, STANDINGS),
    ):
        app.command(cls=Command, epilog=foot, context_settings=HELP)(command)


def batch(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR|PHOTO|SHEET.CSV",
            help="Folders, photos, or tables with a column photo (and player, game, round, "
            "kingdom, claimed, fix, accept, note, harmony, middle_kingdom, size).",
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
    column: Column = None,
    game: GameWords = DEFAULT_WORDS,
    workers: Workers = None,
    dask: Dask = None,
) -> None:
    """Score many photos on all cores; the same command goes on where it was stopped."""
    outputs = _Outputs(output, jsonl, html)
    how = _How(tuple(column or ()), fresh)
    _run(lambda: _batch(photos, outputs, how, game, _Where(workers, dask)))


def verify(
    sheet: Annotated[
        Path,
        typer.Argument(
            metavar="SHEET.CSV",
            help="A table (CSV or .xlsx) with the columns photo and claimed (and kingdom, player, "
            "game, round, fix, accept, note, harmony, middle_kingdom, size).",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the sheet back with what was found."
        ),
    ] = None,
    as_json: AsJson = False,
    jsonl: Jsonl = None,
    html: Html = None,
    column: Column = None,
    game: GameWords = DEFAULT_WORDS,
    workers: Workers = None,
    dask: Dask = None,
) -> None:
    """Check hand-counted totals against photos, and name the mistake that explains a difference."""
    outputs = _Outputs(output, jsonl, html)
    _run(
        lambda: _verify(
            sheet, outputs, as_json, _How(tuple(column or ())), game, _Where(workers, dask)
        )
    )


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
            "--by", metavar="sum|wins|places", help="What decides over several games and rounds."
        ),
    ] = "sum",
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print one CSV.")] = False,
    column: Column = None,
) -> None:
    """Rank the players of each game, and total them over all games and rounds."""

    def rank() -> ExitCode:
        from kdvision.tournament.sheets.columns import given_columns
        from kdvision.tournament.standings import standings_report

        report = standings_report(
            results,
            players=players,
            tie_rule=ties,
            by=by,
            as_json=as_json,
            as_csv=as_csv,
            columns=given_columns(column or ()),
        )
        show(report.rstrip("\n"))
        return ExitCode.SURE

    _run(rank)


# ---------------------------------------------------------------------- what they do


@dataclass(frozen=True, slots=True)
class _Where:
    """Where photos are scored."""

    workers: int | None
    dask: str | None

    @contextmanager
    def means(self) -> Iterator["Means"]:
        from kdvision.tournament.batch.scoring import Means

        if self.workers is not None and not 1 <= self.workers <= 1000:
            raise UsageError(f"--workers is {self.workers}.", "Write a number from 1 to 1000.")
        if self.dask is None:
            yield Means(workers=self.workers)
            return
        from kdvision.tournament.batch.dask import dask_means

        with dask_means(self.dask) as means:
            yield means


@dataclass(frozen=True, slots=True)
class _How:
    """How tables are read and written."""

    columns: tuple[str, ...] = ()
    fresh: bool = False

    def names(self) -> "ColumnNames":
        from kdvision.tournament.sheets.columns import ColumnNames, given_columns

        return ColumnNames(given=given_columns(self.columns))


@dataclass(frozen=True, slots=True)
class _Outputs:
    """The files that are written; no two may be one."""

    output: Path | None
    jsonl: Path | None
    html: Path | None

    def check(self) -> None:
        paths = [path.absolute() for path in (self.output, self.jsonl, self.html) if path]
        if len(set(paths)) < len(paths):
            raise UsageError("Two outputs have one name.", "Give each a name of its own.")


def _run(work: Callable[[], ExitCode]) -> None:
    raise typer.Exit(guarded(work))


def _batch(
    photos: list[Path],
    outputs: _Outputs,
    how: _How,
    game: GameWords,
    where: _Where,
) -> ExitCode:
    from kdvision.tournament.batch.jobs import collect_jobs
    from kdvision.tournament.batch.run import batch

    outputs.check()
    assert outputs.output
    jobs, problems = collect_jobs(photos, game.read(), how.names(), say)
    for problem in problems:
        say(str(problem))
    with where.means() as means, progress_bar(len(jobs)) as progress:
        summary = batch(
            jobs,
            outputs.output,
            problems=problems,
            jsonl=outputs.jsonl,
            html=outputs.html,
            fresh=how.fresh,
            means=means,
            progress=progress,
        )
    _tell(summary, len(jobs), outputs.output)
    return summary.exit_code


def _tell(summary: "Summary", photos: int, output: Path) -> None:
    """Say what a batch came to."""
    for note in summary.notes:
        say(note)
    if summary.interrupted:
        say(
            f"Interrupted: {photos - summary.missing} of {photos} photos are in {output}. "
            "The same command goes on from there."
        )
        return
    counts = [f"{count} {status.value}" for status, count in summary.statuses.items() if count]
    counts += [f"{summary.settled} settled by hand"] if summary.settled else []
    done = f"; {summary.skipped} were done before" if summary.skipped else ""
    say_unless_quiet(f"{photos} photo{'' if photos == 1 else 's'}: {', '.join(counts)}{done}.")
    if summary.open_lines:
        lines = "1 line is" if summary.open_lines == 1 else f"{summary.open_lines} lines are"
        say(f"{lines} open: write the letter of the kingdom in the column kingdom of {output}.")
    if summary.others:
        more = "1 photo" if summary.others == 1 else f"{summary.others} photos"
        say(f"{output} holds {more} of earlier runs as well; --fresh starts anew.")


def _verify(
    sheet: Path, outputs: _Outputs, as_json: bool, how: _How, game: GameWords, where: _Where
) -> ExitCode:
    from kdvision.tournament.sheets.sheet import read_sheet
    from kdvision.tournament.sheets.table import WORKBOOK
    from kdvision.tournament.verify.annotated import write_annotated
    from kdvision.tournament.verify.run import verify
    from kdvision.tournament.verify.text import (
        counts_text,
        verification_json,
        verification_text,
    )

    outputs.check()
    table = read_sheet(sheet, how.names())
    for note in table.notes:
        say(f"{sheet}: {note}")
    book = outputs.output and outputs.output.suffix.lower() == WORKBOOK
    with where.means() as means, progress_bar(len(table.rows)) as progress:
        found = verify(
            table,
            options=game.read(),
            jsonl=outputs.jsonl,
            html=outputs.html,
            pictures_for=outputs.output if book else None,
            means=means,
            progress=progress,
        )
    for note in found.notes:
        say(note)
    if as_json:
        for line in verification_json(found):
            show(line)
    else:
        show(verification_text(found))
    if outputs.output:
        write_annotated(found, outputs.output)
    if found.interrupted:
        say(f"Interrupted. {counts_text(found)}")
    return found.exit_code
