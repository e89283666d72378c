"""The commands for many photos: `batch`, `verify` and `standings`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from kdvision.cli.console import progress_bar, say, say_unless_quiet, show_text
from kdvision.cli.parameters import Harmony, Language, MiddleKingdom, Size, game_rules
from kdvision.concurrency import cores
from kdvision.errors import ExitCode, UsageError
from kdvision.files import PathKind, find_kind, shown
from kdvision.sentences import sentence

if TYPE_CHECKING:
    from kdvision.tournament.executors import Workers
    from kdvision.tournament.request import Request


Html = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write a report page (about 30 ms a row)."),
]
RankingHtml = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write the ranking as a web page.")
]
PhotoFolder = Annotated[
    Path | None,
    typer.Option("--photos", metavar="DIR", help="Look for the photos of the sheet here, too."),
]
WorkerCount = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=1,
        max=1000,
        metavar="N",
        help="How many photos at a time; by default one per core.",
    ),
]
Dask = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Score on the workers of a Dask scheduler.")
]


Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace results that somebody changed.")
]


@contextmanager
def open_workers(count: int | None, dask: str | None) -> Iterator["Workers"]:
    """Find who scores, open as long as they are needed."""
    from kdvision.tournament.dask import dask_workers
    from kdvision.tournament.executors import Processes, Workers

    if dask is None:
        count = count or cores()
        with Processes(count) as processes:
            yield Workers(processes, count)
        return
    with dask_workers(dask) as workers:
        yield workers


def _run_request(request: "Request", count: int | None, dask: str | None) -> ExitCode:
    """Run what a command asks for, and say what it came to.

    What is wrong goes to standard error, verdicts to standard output.
    """
    from kdvision.tournament.report import render_counts, render_outcome
    from kdvision.tournament.run import run

    try:
        with open_workers(count, dask) as workers, progress_bar() as progress:
            outcome = run(request, workers, progress, say_unless_quiet)
    except KeyboardInterrupt:
        if request.output:
            say("What was read is kept: the same command goes on from there.")
        raise
    for note in outcome.notes:
        say(note)
    if request.needs_claims:
        show_text(render_outcome(outcome, request.language))
    else:
        key = "run.results.page" if request.html else "run.results"
        fields = {"path": request.output, "page": request.html}
        say_unless_quiet(render_counts(outcome, request.language))
        say_unless_quiet(sentence(key, request.language, **fields))
    return outcome.exit_code


# ---------------------------------------------------------------------- batch and verify


def batch(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR|PHOTO|SHEET",
            help="Folders, photos, or sheets with a column photo (others are named above).",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="RESULTS.CSV", help="Where the results go, CSV or .xlsx."
        ),
    ],
    html: Html = None,
    folder: PhotoFolder = None,
    size: Size = "auto",
    harmony: Harmony = False,
    middle_kingdom: MiddleKingdom = False,
    language: Language = "en",
    workers: WorkerCount = None,
    dask: Dask = None,
    overwrite: Overwrite = False,
) -> ExitCode:
    """Score many photos on all cores.

    \b
    Examples:
      kdscore batch photos/ -o results.csv --html report.html
      kdscore batch photos/ names.csv -o results.csv --harmony

    Columns of a sheet: photo; player, number, game, round; colour of the castle, or kingdom (A, B,
    ... as on the overlay); claimed (the hand count); fix (b3=W1 c4=G); accept (the total that
    counts); note; size (5, 7); harmony, middle_kingdom (yes, no). Headings may be English, German
    or French.

    Sheets are only read. The results have their rows with what was found, and are written anew by
    every run. After an interruption the same command goes on where it stopped.
    """
    from kdvision.tournament.request import Request

    request = Request(
        inputs=tuple(photos),
        output=output,
        html=html,
        photos=folder,
        rules=game_rules(size, harmony, middle_kingdom),
        language=language,
        overwrite=overwrite,
    )
    return _run_request(request, workers, dask)


def verify(
    sheet: Annotated[
        Path,
        typer.Argument(
            metavar="SHEET",
            help="A sheet (CSV or workbook) with the columns photo and claimed.",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="RESULTS.CSV", help="Where the results go, CSV or .xlsx."
        ),
    ] = None,
    html: Html = None,
    folder: PhotoFolder = None,
    size: Size = "auto",
    harmony: Harmony = False,
    middle_kingdom: MiddleKingdom = False,
    language: Language = "en",
    workers: WorkerCount = None,
    dask: Dask = None,
    overwrite: Overwrite = False,
) -> ExitCode:
    """Check hand counts against photos, and name mistakes.

    \b
    Examples:
      kdscore verify sheet.csv -o results.csv
      kdscore verify sheet.xlsx --html report.html --harmony

    kdscore batch --help names the other columns of a sheet.

    Exit codes: 7 where a claim differs; 6, 4 or 3 where a photo leaves it open; else 0.
    """
    from kdvision.tournament.request import Request

    if find_kind(sheet) is PathKind.FOLDER:
        raise UsageError(
            f"{shown(sheet)} is a folder, and verify needs a sheet with the columns photo and "
            "claimed.",
            f"To score its photos: kdscore batch {shown(sheet)} -o results.csv",
        )
    request = Request(
        inputs=(sheet,),
        output=output,
        html=html,
        needs_claims=True,
        photos=folder,
        rules=game_rules(size, harmony, middle_kingdom),
        language=language,
        overwrite=overwrite,
    )
    return _run_request(request, workers, dask)


# ---------------------------------------------------------------------- standings


def standings(
    sheets: Annotated[
        list[Path],
        typer.Argument(
            metavar="SHEET",
            help="Results of batch or verify, or a table of points. A file without a column "
            "round is a round of its own.",
        ),
    ],
    ties: Annotated[
        Literal["crowns", "territory"], typer.Option(help="What breaks a tie in a game last.")
    ] = "crowns",
    then: Annotated[
        list[str] | None,
        typer.Option(
            metavar="<wins|largest|crowns>",
            help="What breaks a tie over several games; give it again for the next.",
        ),
    ] = None,
    by: Annotated[
        Literal["sum", "wins", "places", "best"],
        typer.Option(help="What decides over several games."),
    ] = "sum",
    final: Annotated[
        bool, typer.Option("--final", help="Refuse while a rank may still change.")
    ] = False,
    html: RankingHtml = None,
    language: Language = "en",
) -> ExitCode:
    """Rank the players of each game, and of all games together.

    \b
    Examples:
      kdscore standings results.csv
      kdscore standings round1.csv round2.csv --by wins

    A table of points has the columns player and points, and may have number, game and round. A rank
    such as 1-2 is still open.
    """
    from kdvision.report.standings import RankingRules
    from kdvision.rules.errors import choose
    from kdvision.rules.series import By
    from kdvision.rules.standings import TieBreak, TieRule
    from kdvision.tournament.request import Request, check_request
    from kdvision.tournament.standings import read_standings, write_standings_page

    check_request(Request(inputs=tuple(sheets), html=html))
    breaks = tuple(choose(TieBreak, word, "tie-break of --then") for word in then or ())
    rules = RankingRules(tie_rule=TieRule(ties), by=By(by), ties=breaks)
    tables = read_standings(
        sheets, rules, final=final, language=language, announce=say_unless_quiet
    )
    if html:
        names = ", ".join(path.name for path in sheets)
        write_standings_page(html, names, tables)
    show_text(tables.report())
    return ExitCode.SURE
