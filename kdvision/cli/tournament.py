"""The commands for many photos: `batch` with `--watch`, `verify`, `standings`."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from kdvision.cli.config import game_options
from kdvision.cli.console import (
    progress_bar,
    say,
    say_unless_quiet,
    show,
    show_text,
    show_view,
)
from kdvision.cli.declared import GameWords, form_of
from kdvision.cli.parameters import (
    NO_WORDS,
    AsJson,
    Column,
    Dask,
    Html,
    Jsonl,
    Workers,
    add_command,
)
from kdvision.errors import ExitCode, UsageError
from kdvision.files import missing, shown
from kdvision.rules.scoring import BONUS_CODES

if TYPE_CHECKING:
    from rich.console import Group

    from kdvision.columns import ColumnNames
    from kdvision.slips.event import SlipEvent
    from kdvision.tournament.batch.run import Summary
    from kdvision.tournament.batch.scoring import Means
    from kdvision.tournament.sheets import Sheet
    from kdvision.tournament.verify.verdicts import Verification

#: No more photos that ask for a look are named.
MOST_NAMED = 5

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

_SHEET = f"""\
Columns of a sheet: photo; claimed (the total that was counted by hand); player, game,
round; kingdom (A, B, ... as on the overlay); fix (b3=W1 c4=G); accept (photo, claim or
a number); size (5, 7); {", ".join(BONUS_CODES)} (yes, no).
Common synonyms are understood; --column claimed=Points names others. CSV as Excel
writes it, or .xlsx."""
_BATCH = (
    "Examples:\n"
    "  kdscore batch photos/ -o results.csv --html report.html\n"
    "  kdscore batch evening.csv -o results.csv --harmony",
    _SHEET,
    "Stopped by Ctrl-C, or by anything, the same command goes on where it was.",
)
_VERIFY = (
    "Examples:\n"
    "  kdscore verify sheet.csv -o checked.csv\n"
    "  kdscore verify sheet.xlsx --html report.html --harmony",
    _SHEET,
    "Ends with 7 when a claim differs, else with 6, 4 or 3 when one cannot be told, else 0.",
)
_STANDINGS = (
    "Examples:\n"
    "  kdscore standings results.csv\n"
    "  kdscore standings results.csv --players sheet.csv --by wins --csv\n"
    "  kdscore standings results.csv --ties wins,head-to-head,largest,crowns",
    "Takes what batch and verify write, or a table with player and score (and game, round,\n"
    "largest, crowns).",
)


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    add_command(app, batch, *_BATCH)
    add_command(app, verify, *_VERIFY)
    add_command(app, standings, *_STANDINGS)


def batch(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR|PHOTO|SHEET.CSV",
            help="Folders, photos, or tables with a column photo (and player, game, round, "
            f"kingdom, claimed, fix, accept, note, {', '.join(BONUS_CODES)}, centre, size).",
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
) -> ExitCode:
    """Score many photos on all cores; the same command goes on where it was stopped."""
    outputs = Outputs(output, jsonl, html)
    how = TableReading(tuple(column or ()), fresh, photo_folder, worksheet)
    if watch:
        return watch_folders(photos, outputs, how, game, Where(workers, dask))
    return score_batch(photos, outputs, how, game, Where(workers, dask))


def verify(
    sheet: Annotated[
        Path,
        typer.Argument(
            metavar="SHEET.CSV|PHOTOS",
            help="A folder of photos with slips, or a table (CSV or .xlsx) with the columns photo "
            "and claimed (and kingdom, player, "
            f"game, round, fix, accept, note, {', '.join(BONUS_CODES)}, centre, size).",
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
) -> ExitCode:
    """Check hand-counted totals against photos, and name the mistake that explains a difference."""
    outputs = Outputs(output, jsonl, html)
    how = TableReading(tuple(column or ()), False, photo_folder, worksheet)
    form = form_of(as_json=as_json, as_csv=as_csv)
    return verify_sheet(sheet, outputs, form, how, game, Where(workers, dask), event)


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
            "--ties",
            metavar="LIST",
            help="What breaks a tie in a game after the territory: crowns or territory; over "
            "several games, in the order given: wins,head-to-head,largest,crowns.",
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
    html: Html = None,
    column: Column = None,
    worksheet: Worksheet = None,
    final: Annotated[
        bool, typer.Option("--final", help="Refuse while a total hangs on a decision.")
    ] = False,
) -> ExitCode:
    """Rank the players of each game, and total them over all games and rounds."""
    from kdvision.columns import given_columns
    from kdvision.tournament.standings import read_standings, write_standings_page

    Outputs(None, None, html).check([Path(results)])
    found = read_standings(
        results,
        players=players,
        tie_rule=ties,
        by=by,
        worksheet=worksheet,
        final=final,
        columns=given_columns(column or ()),
    )
    if html:
        write_standings_page(html, f"Standings of {Path(results).name}", found)
    form = "csv" if as_csv else "json" if as_json else "text"
    (show_text if form == "text" else show)(found.report(form).rstrip("\n"))
    return ExitCode.SURE


# ---------------------------------------------------------------------- options


class Where(Struct, frozen=True):
    """Where photos are scored."""

    workers: int | None
    dask: str | None

    @contextmanager
    def means(self) -> Iterator["Means"]:
        """How to score, open as long as it is needed."""
        from kdvision.tournament.batch.scoring import Means

        if self.workers is not None and not 1 <= self.workers <= 1000:
            raise UsageError(f"--workers is {self.workers}.", "Write a number from 1 to 1000.")
        if self.dask is None:
            yield Means(workers=self.workers)
            return
        from kdvision.tournament.batch.dask import dask_means

        with dask_means(self.dask, say) as means:
            yield means


class TableReading(Struct, frozen=True):
    """How tables are read and written."""

    columns: tuple[str, ...] = ()
    fresh: bool = False
    photos: Path | None = None
    worksheet: str | None = None

    def names(self) -> "ColumnNames":
        """How the columns of the table may be called."""
        from kdvision.columns import ColumnNames, given_columns

        return ColumnNames(given=given_columns(self.columns))


class Outputs(Struct, frozen=True):
    """The files that are written; no two may be one."""

    output: Path | None
    jsonl: Path | None
    html: Path | None

    def check(self, inputs: Sequence[Path]) -> None:
        """Refuse one name for two outputs, and what would write over something else.

        Args:
            inputs: What was named to be read. Results and sheets may be written back where they
                were read, and only these.
        """
        from kdvision.tournament.lines import PHOTO_SUFFIXES
        from kdvision.tournament.sheets import UNWRITTEN

        named = {"--output": self.output, "--jsonl": self.jsonl, "--html": self.html}
        paths = [path.absolute() for path in named.values() if path]
        if len(set(paths)) < len(paths):
            raise UsageError("Two outputs have one name.", "Give each a name of its own.")
        read = {path.absolute() for path in inputs}
        for option, path in named.items():
            if path is None:
                continue
            over = option != "--output" and path.absolute() in read
            if over or path.suffix.lower() in PHOTO_SUFFIXES:
                what = "what is read" if over else "a photo"
                raise UsageError(f"{option} {shown(path)} is {what}.", "Give another name.")
            if path.suffix.lower() in UNWRITTEN:
                text = f"{option} {shown(path)} is a workbook of a kind that is not written."
                raise UsageError(text, "Give a name that ends in .xlsx or .csv.")
            if option == "--html" and not _is_report(path):
                raise UsageError(
                    f"{option} {shown(path)} is there, and holds something else.",
                    "Give another name, or move the file away.",
                )


def _is_report(path: Path) -> bool:
    """Whether a report may be written there: nothing is there, or an HTML file."""
    try:
        with path.open("rb") as file:
            return file.read(64).lstrip()[:1] in (b"", b"<")
    except OSError:  # nothing is there, or what cannot be written is said later
        return True


def score_batch(
    photos: list[Path],
    outputs: Outputs,
    how: TableReading,
    game: Mapping[str, str],
    where: Where,
) -> ExitCode:
    """Score photos into a table; the exit code asks for what needs a person most."""
    from kdvision.tournament.batch.run import batch
    from kdvision.tournament.lines import collect_jobs

    outputs.check(photos)
    assert outputs.output
    for path in photos:
        if not path.exists():
            say(str(missing(path)))
    jobs, problems = collect_jobs(
        photos, game_options(game), how.names(), say, how.photos, how.worksheet
    )
    for problem in problems:
        say(problem.complaint)
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
    _tell(summary, len(jobs), outputs.output, outputs.html)
    return summary.exit_code


def watch_folders(
    folders: list[Path],
    outputs: Outputs,
    how: TableReading,
    game: Mapping[str, str],
    where: Where,
) -> ExitCode:
    """Score what folders hold and what comes, until Ctrl-C."""
    from kdvision.tournament.batch.run import watch

    outputs.check(folders)
    output = outputs.output
    assert output
    say(f"Watching {', '.join(map(str, folders))}; Ctrl-C stops it.")
    with where.means() as means:
        found = watch(
            folders,
            output,
            game_options(game),
            jsonl=outputs.jsonl,
            html=outputs.html,
            fresh=how.fresh,
            means=means,
            report=lambda summary, photos: _tell(summary, photos, output),
        )
    say(f"Stopped. What came is in {output}." if found else "Stopped. Nothing came.")
    return found.exit_code if found else ExitCode.SURE


def _tell(summary: "Summary", photos: int, output: Path, html: Path | None = None) -> None:
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
    bad = len(summary.problems)
    counts += [f"{bad} bad line{'' if bad == 1 else 's'}"] if bad else []
    done = f"; {summary.skipped} were done before" if summary.skipped else ""
    say_unless_quiet(f"{photos} photo{'' if photos == 1 else 's'}: {', '.join(counts)}{done}.")
    if summary.doubtful:
        named = ", ".join(summary.doubtful[:MOST_NAMED])
        left = len(summary.doubtful) - MOST_NAMED
        say_unless_quiet(f"Look at {named}{f' and {left} more' if left > 0 else ''}.")
    report = f"; the report is {html}" if html else ""
    say_unless_quiet(f"The results are in {output}{report}.")
    if summary.open_lines:
        lines = "1 line is" if summary.open_lines == 1 else f"{summary.open_lines} lines are"
        say(f"{lines} open: write the letter of the kingdom in the column kingdom of {output}.")
    if summary.others:
        more = "1 photo" if summary.others == 1 else f"{summary.others} photos"
        say(f"{output} holds {more} of earlier runs as well; --fresh starts anew.")


def verify_sheet(
    sheet: Path,
    outputs: Outputs,
    form: str,
    how: TableReading,
    game: Mapping[str, str],
    where: Where,
    event: Path | None = None,
) -> ExitCode:
    """Check the claims of a sheet, and write it back where that is asked for.

    The claims of a folder are those of the slips in its photos; `event` names what they mean.
    """
    from kdvision.tournament.sheets import WORKBOOK, read_sheet
    from kdvision.tournament.verify.annotations import annotated_table, write_annotated
    from kdvision.tournament.verify.report import (
        counts_text,
        verification_json,
        verification_text,
    )
    from kdvision.tournament.verify.run import verify

    outputs.check([sheet])
    book = outputs.output and outputs.output.suffix.lower() == WORKBOOK
    with ExitStack() as stack:
        means = stack.enter_context(where.means())
        jsonl = outputs.jsonl
        if sheet.is_dir():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            jsonl = jsonl or folder / "results.jsonl"
            table, known = _slips_of(sheet, folder / "photos.csv", jsonl, event, game, means), None
        else:
            table = read_sheet(sheet, how.names(), how.worksheet)
            known = _event_of(table, event, how.photos)
            for note in table.notes:
                say(f"{sheet}: {note}")
        progress = stack.enter_context(progress_bar(len(table.rows)))
        found = verify(
            table,
            options=game_options(game),
            jsonl=jsonl,
            html=outputs.html,
            pictures_for=outputs.output if book else None,
            photos=how.photos,
            event=known,
            means=means,
            progress=progress,
        )
    for note in found.notes:
        say(note)
    if form == "json":
        for line in verification_json(found):
            show(line)
    elif form == "csv":
        show(annotated_table(found, workbook=False, links={}).decode().rstrip("\n"))
    else:
        show_view(lambda: _view(found), lambda: verification_text(found))
    if outputs.output:
        for note in write_annotated(found, outputs.output):
            say(note)
    if found.interrupted:
        say(f"Interrupted. {counts_text(found)}")
    return found.exit_code


def _event_of(table: "Sheet", named: Path | None, photos: Path | None) -> "SlipEvent | None":
    """What slips in the photos of a sheet mean: the file that was named, or one beside them."""
    from kdvision.slips.event import find_event, read_event

    if named:
        return read_event(named)
    folder = table.path.parent
    beside = [folder / row.fields["photo"] for row in table.rows if row.fields.get("photo")]
    return find_event([folder, *([photos] if photos else []), *(one.parent for one in beside)])


def _slips_of(
    folder: Path,
    output: Path,
    jsonl: Path,
    event: Path | None,
    game: Mapping[str, str],
    means: "Means",
) -> "Sheet":
    """Score the photos of a folder into `jsonl`, and make a table of their slips."""
    from kdvision.report.json import from_json
    from kdvision.slips.event import find_event, read_event
    from kdvision.tournament.batch.run import batch
    from kdvision.tournament.lines import collect_jobs
    from kdvision.tournament.slip_lines import sheet_of_slips

    known = read_event(event) if event else find_event([folder, folder.parent])
    jobs, _ = collect_jobs([folder], game_options(game))
    with progress_bar(len(jobs)) as progress:
        batch(jobs, output, jsonl=jsonl, means=means, progress=progress)
    results = from_json(jsonl.read_text("utf-8"))
    paths = {job.name: str(job.path.absolute()) for job in jobs}
    photos = {paths[one.photo]: one for one in results if one.photo in paths}
    table, notes = sheet_of_slips(folder / "slips.csv", photos, known)
    for note in notes:
        say(note)
    return table


def _view(found: "Verification") -> "Group":
    # Only here: rich is for terminals.
    from kdvision.tournament.verify.report import verification_view

    return verification_view(found)
