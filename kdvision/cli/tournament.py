"""The commands for many photos: `batch`, `verify`, `standings`."""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from kdvision.cli.console import (
    progress_bar,
    say,
    say_unless_quiet,
    show,
    show_text,
    show_view,
)
from kdvision.cli.declared import Declared, Form
from kdvision.errors import ExitCode, UsageError
from kdvision.files import is_no_file, missing, shown, unwritable
from kdvision.options import GameOptions
from kdvision.rules.scoring import BONUS_CODES
from kdvision.rules.standings import By

if TYPE_CHECKING:
    from kdvision.columns import ColumnNames
    from kdvision.tournament.batch.run import Summary
    from kdvision.tournament.batch.scoring import Means

_COLUMNS = f"player, game, round, fix, accept, note, {', '.join(BONUS_CODES)}, centre, size"
_SHEET = f"""\
Columns of a sheet: photo; claimed (the total that was counted by hand); player, game,
round; kingdom (A, B, ... as on the overlay); fix (b3=W1 c4=G); accept (photo, claim or
a number); size (5, 7); {", ".join(BONUS_CODES)} (yes, no).
Common synonyms are understood; --column claimed=Points names others. CSV as Excel
writes it, or .xlsx."""
HELP = {
    "batch": (
        "Examples:\n"
        "  kdscore batch photos/ -o results.csv --html report.html\n"
        "  kdscore batch evening.csv -o results.csv --harmony",
        _SHEET,
        "Stopped by Ctrl-C, or by anything, the same command goes on where it was.",
    ),
    "verify": (
        "Examples:\n"
        "  kdscore verify sheet.csv -o checked.csv\n"
        "  kdscore verify sheet.xlsx --html report.html --harmony",
        _SHEET,
        "Ends with 7 when a claim differs, else with 6, 4 or 3 when one cannot be told, else 0.",
    ),
    "standings": (
        "Examples:\n"
        "  kdscore standings results.csv\n"
        "  kdscore standings results.csv --players sheet.csv --by wins --csv\n"
        "  kdscore standings results.csv --ties wins,largest,crowns",
        "Takes what batch and verify write, or a table with player and score (and game, round,\n"
        "largest, crowns).",
    ),
}


# ---------------------------------------------------------------------- options of several commands


class Where(Struct, frozen=True):
    """Where photos are scored."""

    workers: Annotated[
        int | None,
        Declared(
            "--workers N",
            "Score N photos at a time; all cores if left out.",
            between=(1, 1000),
            is_advanced=True,
        ),
    ] = None
    dask: Annotated[
        str | None,
        Declared("--dask ADDRESS", "Score on the workers of a Dask scheduler.", is_advanced=True),
    ] = None

    @contextmanager
    def means(self) -> Iterator["Means"]:
        """How to score, open as long as it is needed."""
        from kdvision.tournament.batch.scoring import Means

        if self.dask is None:
            yield Means(workers=self.workers)
            return
        from kdvision.tournament.batch.dask import dask_means

        with dask_means(self.dask, say) as means:
            yield means


class TableReading(Struct, frozen=True):
    """How a table is read."""

    worksheet: Annotated[
        str | None, Declared("--worksheet NAME", "Which worksheet of a workbook is read.")
    ] = None
    column: Annotated[
        tuple[str, ...],
        Declared(
            "--column claimed=Punkte", "What a column of the table is called.", is_advanced=True
        ),
    ] = ()

    @property
    def names(self) -> "ColumnNames":
        """How the columns of the table may be called."""
        from kdvision.columns import ColumnNames, given_columns

        return ColumnNames(given=given_columns(self.column))


class PhotoTableReading(TableReading, frozen=True):
    """How a table is read that names photos."""

    folder: Annotated[
        Path | None,
        Declared("--photos DIR", "A folder in which photos of the table are looked for."),
    ] = None


class Report(Struct, frozen=True):
    """A report beside the results."""

    html: Annotated[Path | None, Declared("--html FILE", "Write a report to look at.")] = None


class Outputs(Report, frozen=True):
    """What is written beside the results."""

    jsonl: Annotated[
        Path | None, Declared("--jsonl FILE", "Keep the full results, a JSON object a line.")
    ] = None


#: Endings of files that are no tables; anything else is written as CSV.
_NO_TABLES = (".html", ".htm", ".pdf", ".json", ".jsonl", ".md", ".doc", ".docx")


def _check_outputs(inputs: Sequence[Path], output: Path | None, beside: Report) -> None:
    """Refuse one name for two outputs, and what would write over something else.

    Args:
        inputs: What was named to be read. Results and sheets may be written back where they were
            read, and only these.
        output: Where results or a sheet go.
        beside: What else is written.

    Raises:
        UsageError: An output may not be written so.
    """
    from kdvision.tournament.lines import PHOTO_SUFFIXES
    from kdvision.tournament.sheets import UNWRITTEN

    named = {"--output": output, "--html": beside.html}
    if isinstance(beside, Outputs):
        named["--jsonl"] = beside.jsonl
    paths = [path.absolute() for path in named.values() if path]
    if len(set(paths)) < len(paths):
        raise UsageError("Two outputs have one name.", "Give each a name of its own.")
    read = {path.absolute() for path in inputs}
    for option, path in named.items():
        if path is None:
            continue
        if is_no_file(path):
            raise UsageError(f"{option} {shown(path)} is no file.", "Give another name.")
        over = option != "--output" and path.absolute() in read
        if over or path.suffix.lower() in PHOTO_SUFFIXES:
            what = "what is read" if over else "a photo"
            raise UsageError(f"{option} {shown(path)} is {what}.", "Give another name.")
        if path.suffix.lower() in UNWRITTEN:
            text = f"{option} {shown(path)} is a workbook of a kind that is not written."
            raise UsageError(text, "Give a name that ends in .xlsx or .csv.")
        if option == "--output" and path.suffix.lower() in _NO_TABLES:
            text = f"{option} {shown(path)} is named like no table."
            raise UsageError(text, "Give a name that ends in .xlsx or .csv.")
        folder = path.absolute().parent
        if not os.access(folder, os.W_OK):  # said before hundreds of photos are scored
            reason = errno.EACCES if folder.is_dir() else errno.ENOENT
            raise unwritable(path, OSError(reason, os.strerror(reason)))
        if option == "--html" and not is_report(path):
            raise UsageError(
                f"{option} {shown(path)} is there, and holds something else.",
                "Give another name, or move the file away.",
            )


def is_report(path: Path) -> bool:
    """Whether a page may be written there: nothing is there, or an HTML file."""
    try:
        if is_no_file(path):
            return False
        with path.open("rb") as file:
            return file.read(64).lstrip()[:1] in (b"", b"<")
    except OSError:  # nothing is there, or what cannot be written is said later
        return True


# ---------------------------------------------------------------------- batch


def batch(
    photos: Annotated[
        list[Path],
        Declared(
            "DIR|PHOTO|SHEET.CSV",
            "Folders, photos, or tables with a column photo (and kingdom, claimed, "
            + _COLUMNS
            + ").",
        ),
    ],
    output: Annotated[
        Path, Declared("--output -o RESULTS.CSV", "Where the results go, CSV or .xlsx.")
    ],
    *,
    fresh: Annotated[
        bool, Declared("--fresh", "Start the results anew; the old ones are kept as a backup.")
    ] = False,
    beside: Outputs,
    table: PhotoTableReading,
    game: GameOptions,
    where: Where,
) -> ExitCode:
    """Score many photos on all cores; the same command goes on where it was stopped."""
    from kdvision.tournament.batch import run
    from kdvision.tournament.lines import collect_jobs

    _check_outputs(photos, output, beside)
    score = partial(run.batch, output=output, jsonl=beside.jsonl, html=beside.html)
    for path in photos:
        if not path.exists():
            say(str(missing(path)))
    jobs, problems = collect_jobs(photos, game, table.names, say, table.folder, table.worksheet)
    for problem in problems:
        say(problem.complaint)
    with where.means() as means, progress_bar(len(jobs)) as progress:
        summary = score(jobs, problems=problems, fresh=fresh, means=means, progress=progress)
    _tell(summary, len(jobs), output, beside.html)
    return summary.exit_code


def _tell(summary: "Summary", photos: int, output: Path, html: Path | None = None) -> None:
    """Say what a batch came to."""
    from kdvision.tournament.batch.run import first_of

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
    bad = len(summary.problems)
    counts += [f"{bad} bad line{'' if bad == 1 else 's'}"] if bad else []
    done = f"; {summary.skipped} were done before" if summary.skipped else ""
    say_unless_quiet(f"{photos} photo{'' if photos == 1 else 's'}: {', '.join(counts)}{done}.")
    if summary.doubtful:
        say_unless_quiet(f"Look at {first_of(summary.doubtful)}.")
    report = f"; the report is {html}" if html else ""
    say_unless_quiet(f"The results are in {output}{report}.")
    if summary.open_lines:
        lines = "1 line is" if summary.open_lines == 1 else f"{summary.open_lines} lines are"
        say(f"{lines} open: the column message of {output} says what to do.")
    if summary.others:
        more = "1 photo" if summary.others == 1 else f"{summary.others} photos"
        say(f"{output} holds {more} of earlier runs as well; --fresh starts anew.")


# ---------------------------------------------------------------------- verify


def verify(
    sheet: Annotated[
        Path,
        Declared(
            "SHEET.CSV",
            "A table (CSV or .xlsx) with the columns photo and "
            "claimed (and kingdom, " + _COLUMNS + ").",
        ),
    ],
    *,
    output: Annotated[
        Path | None, Declared("--output -o FILE", "Write the sheet back with what was found.")
    ] = None,
    form: Form,
    beside: Outputs,
    table: PhotoTableReading,
    game: GameOptions,
    where: Where,
) -> ExitCode:
    """Check hand-counted totals against photos, and name the mistake that explains a difference."""
    form_name = form.name
    from kdvision.tournament.sheets import WORKBOOK, read_sheet
    from kdvision.tournament.verify import run
    from kdvision.tournament.verify.report import (
        counts_text,
        verification_json,
        verification_text,
        verification_view,
    )

    _check_outputs([sheet], output, beside)
    book = output and output.suffix.lower() == WORKBOOK
    with ExitStack() as stack:
        means = stack.enter_context(where.means())
        jsonl = beside.jsonl
        lines = read_sheet(sheet, table.names, table.worksheet)
        for note in lines.notes:
            say(f"{sheet}: {note}")
        progress = stack.enter_context(progress_bar(len(lines.rows)))
        found = run.verify(
            lines,
            options=game,
            jsonl=jsonl,
            html=beside.html,
            pictures_for=output if book else None,
            photos=table.folder,
            means=means,
            progress=progress,
        )
    for note in found.notes:
        say(note)
    if form_name == "json":
        for line in verification_json(found):
            show(line)
    elif form_name == "csv":
        show(run.annotated_table(found).decode().rstrip("\n"))
    else:
        show_view(lambda: verification_view(found), lambda: verification_text(found))
    if output:
        for note in run.write_annotated(found, output):
            say(note)
    if found.interrupted:
        say(f"Interrupted. {counts_text(found)}")
    return found.exit_code


# ---------------------------------------------------------------------- standings


def standings(
    results: Annotated[str, Declared("RESULTS.CSV", "What batch wrote, or a table of scores.")],
    *,
    players: Annotated[
        str | None,
        Declared(
            "--players SHEET.CSV",
            "Whose photos they are: a table with photo, player, game, round.",
        ),
    ] = None,
    ties: Annotated[
        str,
        Declared(
            "--ties LIST",
            "What breaks a tie in a game after the territory: crowns or territory; over several "
            "games, in the order given: wins,largest,crowns.",
        ),
    ] = "crowns",
    by: Annotated[
        str,
        Declared("--by", "What decides over several games and rounds.", tuple(By)),
    ] = "sum",
    final: Annotated[
        bool, Declared("--final", "Refuse while a total hangs on a decision.")
    ] = False,
    form: Form,
    report: Report,
    table: TableReading,
) -> ExitCode:
    """Rank the players of each game, and total them over all games and rounds."""
    form_name = form.name
    from kdvision.columns import given_columns
    from kdvision.tournament.standings import read_standings, write_standings_page

    _check_outputs([Path(results)], None, report)
    found = read_standings(
        results,
        players=players,
        tie_rule=ties,
        by=by,
        worksheet=table.worksheet,
        final=final,
        columns=given_columns(table.column),
        say=say,
    )
    if report.html:
        write_standings_page(report.html, f"Standings of {Path(results).name}", found)
    (show_text if form_name == "text" else show)(found.report(form_name).rstrip("\n"))
    return ExitCode.SURE
