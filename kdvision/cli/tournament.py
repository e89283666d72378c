"""The commands for many photos: `batch`, `verify`, `standings`."""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kdvision.cli.console import (
    progress_bar,
    say,
    say_unless_quiet,
    show,
    show_text,
    show_view,
)
from kdvision.cli.parameters import (
    Csv,
    Harmony,
    Json,
    MiddleKingdom,
    Quiet,
    Size,
    Verbose,
    form_name,
    game_options,
)
from kdvision.errors import ExitCode, UsageError
from kdvision.files import is_no_file, missing, shown, unwritable
from kdvision.rules.standings import By

if TYPE_CHECKING:
    from kdvision.tournament.batch.run import Summary
    from kdvision.tournament.batch.scoring import Means

_SHEET = """\
Columns of a sheet: photo; claimed (the total that was counted by hand); player, game, round;
kingdom (A, B, ... as on the overlay); fix (b3=W1 c4=G); accept (photo, claim or a number); size (5,
7); harmony, middle_kingdom (yes, no). Common synonyms are understood. CSV as Excel writes it, or
.xlsx."""
BATCH_FOOT = f"""\
\b
Examples:
  kdscore batch photos/ -o results.csv --html report.html
  kdscore batch evening.csv -o results.csv --harmony

{_SHEET}

Stopped by Ctrl-C, or by anything, the same command goes on where it was."""
VERIFY_FOOT = f"""\
\b
Examples:
  kdscore verify sheet.csv -o checked.csv
  kdscore verify sheet.xlsx --html report.html --harmony

{_SHEET}

Ends with 7 when a claim differs, else with 6, 4 or 3 when one cannot be told, else 0."""
STANDINGS_FOOT = """\
\b
Examples:
  kdscore standings results.csv
  kdscore standings results.csv --by wins --csv

Takes what batch and verify write, or a table with player and score (and game, round, largest,
crowns)."""

Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report to look at.")]
Worksheet = Annotated[
    str | None, typer.Option(metavar="NAME", help="Which worksheet of a workbook is read.")
]
PhotoFolder = Annotated[
    Path | None,
    typer.Option(
        "--photos", metavar="DIR", help="A folder in which photos of the table are looked for."
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1, max=1000, metavar="N", help="Score N photos at a time; all cores if left out."
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Score on the workers of a Dask scheduler."),
]


@contextmanager
def scoring_means(workers: int | None, dask: str | None) -> Iterator["Means"]:
    """How to score, open as long as it is needed."""
    from kdvision.tournament.batch.scoring import Means

    if dask is None:
        yield Means(workers=workers)
        return
    from kdvision.tournament.batch.dask import dask_means

    with dask_means(dask, say) as means:
        yield means


#: Endings of files that are no tables; anything else is written as CSV.
_NO_TABLES = (".html", ".htm", ".pdf", ".json", ".jsonl", ".md", ".doc", ".docx")


def _check_outputs(inputs: Sequence[Path], output: Path | None, html: Path | None) -> None:
    """Refuse one name for two outputs, and what would write over something else.

    Args:
        inputs: What was named to be read. Results and sheets may be written back where they were
            read, and only these.
        output: Where results or a sheet go.
        html: Where the report goes.

    Raises:
        UsageError: An output may not be written so.
    """
    from kdvision.tournament.lines import PHOTO_SUFFIXES
    from kdvision.tournament.sheets import UNWRITTEN

    named = {"--output": output, "--html": html}
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
        typer.Argument(
            metavar="DIR|PHOTO|SHEET",
            help="Folders, photos, or tables with a column photo (and others, see below).",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="RESULTS.CSV", help="Where the results go, CSV or .xlsx."
        ),
    ],
    html: Html = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start anew; the old results are kept as a backup.")
    ] = False,
    folder: PhotoFolder = None,
    worksheet: Worksheet = None,
    size: Size = "auto",
    harmony: Harmony = False,
    middle_kingdom: MiddleKingdom = False,
    workers: Workers = None,
    dask: Dask = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> ExitCode:
    """Score many photos on all cores."""
    from kdvision.tournament.batch import run
    from kdvision.tournament.lines import collect_jobs

    _check_outputs(photos, output, html)
    for path in photos:
        if not path.exists():
            say(str(missing(path)))
    options = game_options(size, harmony, middle_kingdom)
    jobs, problems = collect_jobs(photos, options, say=say, photos=folder, worksheet=worksheet)
    for problem in problems:
        say(problem.complaint)
    with scoring_means(workers, dask) as means, progress_bar(len(jobs)) as progress:
        summary = run.batch(
            jobs,
            output,
            problems=problems,
            html=html,
            fresh=fresh,
            means=means,
            progress=progress,
        )
    _tell(summary, len(jobs), output, html)
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
        typer.Argument(
            metavar="SHEET",
            help="A table (CSV or .xlsx) with the columns photo and claimed (and others, see "
            "below).",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the sheet back with what was found."
        ),
    ] = None,
    html: Html = None,
    folder: PhotoFolder = None,
    worksheet: Worksheet = None,
    size: Size = "auto",
    harmony: Harmony = False,
    middle_kingdom: MiddleKingdom = False,
    workers: Workers = None,
    dask: Dask = None,
    as_json: Json = False,
    as_csv: Csv = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> ExitCode:
    """Check hand counts against photos, and name mistakes."""
    from kdvision.tournament.sheets import WORKBOOK, read_sheet
    from kdvision.tournament.verify import run
    from kdvision.tournament.verify.report import (
        counts_text,
        verification_json,
        verification_text,
        verification_view,
    )

    # Read the sheet.
    form = form_name(as_json, as_csv)
    if sheet.is_dir():
        raise UsageError(
            f"{shown(sheet)} is a folder, and verify needs a sheet with the columns photo and "
            "claimed.",
            f"To score its photos: kdscore batch {shown(sheet)} -o results.csv",
        )
    _check_outputs([sheet], output, html)
    lines = read_sheet(sheet, worksheet=worksheet)
    for note in lines.notes:
        say(f"{sheet}: {note}")

    # Compare its claims with the photos.
    is_book = output is not None and output.suffix.lower() == WORKBOOK
    with scoring_means(workers, dask) as means, progress_bar(len(lines.rows)) as progress:
        verification = run.verify(
            lines,
            options=game_options(size, harmony, middle_kingdom),
            html=html,
            pictures_for=output if is_book else None,
            photos=folder,
            means=means,
            progress=progress,
        )

    # Say what they came to.
    for note in verification.notes:
        say(note)
    if form == "json":
        for line in verification_json(verification):
            show(line)
    elif form == "csv":
        show(run.annotated_table(verification).decode().rstrip("\n"))
    else:
        show_view(lambda: verification_view(verification), lambda: verification_text(verification))
    if output:
        for note in run.write_annotated(verification, output):
            say(note)
    if verification.interrupted:
        say(f"Interrupted. {counts_text(verification)}")
    return verification.exit_code


# ---------------------------------------------------------------------- standings


def standings(
    results: Annotated[
        Path,
        typer.Argument(metavar="RESULTS.CSV", help="What batch wrote, or a table of scores."),
    ],
    ties: Annotated[
        str,
        typer.Option(
            metavar="LIST",
            help="What breaks a tie in a game after the territory: crowns or territory; over "
            "several games, in the order given: wins,largest,crowns.",
        ),
    ] = "crowns",
    by: Annotated[By, typer.Option(help="What decides over several games and rounds.")] = By.SUM,
    final: Annotated[
        bool, typer.Option("--final", help="Refuse while a total hangs on a decision.")
    ] = False,
    html: Html = None,
    worksheet: Worksheet = None,
    as_json: Json = False,
    as_csv: Csv = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> ExitCode:
    """Rank the players of each game. Several games and rounds are summed up."""
    from kdvision.tournament.standings import read_standings, write_standings_page

    form = form_name(as_json, as_csv)
    _check_outputs([results], None, html)
    tables = read_standings(
        results, tie_rule=ties, by=by, worksheet=worksheet, final=final, say=say
    )
    if html:
        write_standings_page(html, f"Standings of {results.name}", tables)
    (show_text if form == "text" else show)(tables.report(form).rstrip("\n"))
    return ExitCode.SURE
