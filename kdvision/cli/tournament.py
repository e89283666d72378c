"""The commands for many photos: `batch`, `verify`, `standings`, and `serve` for a game night."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import update_wrapper
from inspect import Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from kdvision.cli.console import progress_bar, say, say_unless_quiet, show_text
from kdvision.cli.parameters import Harmony, MiddleKingdom, Size, env_option, game_rules
from kdvision.concurrency import cores
from kdvision.errors import ExitCode, UsageError
from kdvision.files import PathKind, find_kind, missing_file, shown

if TYPE_CHECKING:
    from kdvision.tournament.executors import Workers


Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report as a web page.")]
PhotoFolder = Annotated[
    Path | None,
    typer.Option("--photos", metavar="DIR", help="Look for the photos of the sheet here, too."),
]
Language = Annotated[
    Literal["en", "de"],
    env_option("KDSCORE_LANGUAGE", "The language of explanations and reports."),
]
WorkerCount = Annotated[
    int | None,
    typer.Option(
        "--workers", min=1, max=1000, metavar="N", help="Photos at a time; left out, one per core."
    ),
]
Dask = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Score on the workers of a Dask scheduler.")
]


@contextmanager
def open_workers(count: int | None, dask: str | None) -> Iterator["Workers"]:
    """Find who scores, open as long as they are needed."""
    from kdvision.tournament.executors import Processes, Workers, dask_workers

    if dask is None:
        count = count or cores()
        with Processes(count) as processes:
            yield Workers(processes, count)
        return
    with dask_workers(dask) as workers:
        yield workers


def sheet_command(command: Callable[..., dict[str, Any]]) -> Callable[..., ExitCode]:
    """Give a command the options of a run, and run what it asks for: fields of a `Request`."""

    def run_command(
        html: Html = None,
        folder: PhotoFolder = None,
        size: Size = "auto",
        harmony: Harmony = False,
        middle_kingdom: MiddleKingdom = False,
        language: Language = "en",
        workers: WorkerCount = None,
        dask: Dask = None,
        **words: Any,
    ) -> ExitCode:
        from kdvision.tournament.report import render_counts, render_outcome
        from kdvision.tournament.run import Request, run

        # The command says what is asked, the options how it is done.
        options = game_rules(size, harmony, middle_kingdom)
        request = Request(
            **command(**words), html=html, photos=folder, options=options, language=language
        )
        try:
            with open_workers(workers, dask) as scorers, progress_bar() as progress:
                outcome = run(request, scorers, progress)
        except KeyboardInterrupt:
            if request.output:
                say("What was read is kept: the same command goes on from there.")
            raise
        # What is wrong goes to standard error, verdicts to standard output.
        for note in outcome.notes:
            say(note)
        if request.needs_claims:
            show_text(render_outcome(outcome, language))
        else:
            report = f"; the report is {html}" if html else ""
            say_unless_quiet(render_counts(outcome, language))
            say_unless_quiet(f"The results are in {request.output}{report}.")
        return outcome.exit_code

    # Typer reads the options from the signature: those of the command, then those of a run.
    shared = [*signature(run_command).parameters.values()][:-1]
    parameters = [*signature(command).parameters.values(), *shared]
    parameters = [option.replace(kind=option.KEYWORD_ONLY) for option in parameters]
    update_wrapper(run_command, command)
    run_command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run_command.__annotations__ = {option.name: option.annotation for option in parameters}
    return run_command


# ---------------------------------------------------------------------- batch and verify


@sheet_command
def batch(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR|PHOTO|SHEET",
            help="Folders, photos, or sheets with a column photo (and others, see below).",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="RESULTS.CSV", help="Where the results go, CSV or .xlsx."
        ),
    ],
) -> dict[str, Any]:
    """Score many photos on all cores.

    \b
    Examples:
      kdscore batch photos/ -o results.csv --html report.html
      kdscore batch evening.csv -o results.csv --harmony

    Columns of a sheet: photo; player, game, round; colour of the castle, or kingdom (A, B, ... as
    on the overlay); claimed (the hand count); fix (b3=W1 c4=G); accept (photo, claim or a number);
    note; size (5, 7); harmony, middle_kingdom (yes, no). Headings may be English, German or French.

    After an interruption the same command goes on where it stopped. What people write into the
    results stays.
    """
    from kdvision.tournament.sheet import SHEET_SUFFIXES

    for path in photos:
        if path.suffix.lower() in SHEET_SUFFIXES:
            continue  # one that is missing ends the run, with its own sentence
        if find_kind(path) in (PathKind.MISSING, PathKind.DEAD_LINK):
            say(str(missing_file(path)))
    return {"inputs": tuple(photos), "output": output}


@sheet_command
def verify(
    sheet: Annotated[
        Path,
        typer.Argument(
            metavar="SHEET",
            help="A sheet (CSV or .xlsx) with the columns photo and claimed (and others, see "
            "below).",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the sheet with the results added."
        ),
    ] = None,
) -> dict[str, Any]:
    """Check hand counts against photos, and name mistakes.

    \b
    Examples:
      kdscore verify sheet.csv -o checked.csv
      kdscore verify sheet.xlsx --html report.html --harmony

    kdscore batch --help names the columns of a sheet.

    Exit codes: 7 where a claim differs; 6, 4 or 3 where a photo leaves it open; else 0.
    """
    if find_kind(sheet) is PathKind.FOLDER:
        raise UsageError(
            f"{shown(sheet)} is a folder, and verify needs a sheet with the columns photo and "
            "claimed.",
            f"To score its photos: kdscore batch {shown(sheet)} -o results.csv",
        )
    return {"inputs": (sheet,), "output": output, "needs_claims": True}


# ---------------------------------------------------------------------- standings


def standings(
    sheets: Annotated[
        list[Path],
        typer.Argument(metavar="SHEET", help="What batch wrote, or a table of points."),
    ],
    ties: Annotated[
        Literal["crowns", "territory"], typer.Option(help="The last tie-break of a game.")
    ] = "crowns",
    then: Annotated[
        list[str] | None,
        typer.Option(
            metavar="<wins|largest|crowns>",
            help="A tie-break over several games; give it again for the next.",
        ),
    ] = None,
    by: Annotated[
        Literal["sum", "wins", "places", "best"],
        typer.Option(help="What counts over several games."),
    ] = "sum",
    final: Annotated[
        bool, typer.Option("--final", help="End with an error while a total is open.")
    ] = False,
    html: Html = None,
    language: Language = "en",
) -> ExitCode:
    """Rank the players of each game, and of all games together.

    \b
    Examples:
      kdscore standings results.csv
      kdscore standings round1.csv round2.csv --by wins

    Give what batch or verify wrote, or a table with the columns player and points (game, round).
    """
    from kdvision.report.standings import RankingRules
    from kdvision.rules.errors import choose
    from kdvision.rules.series import By
    from kdvision.rules.standings import TieBreak, TieRule
    from kdvision.tournament.run import Request, check_request
    from kdvision.tournament.standings import read_standings, write_standings_page

    check_request(Request(inputs=tuple(sheets), html=html))
    breaks = tuple(choose(TieBreak, word, "tie-break of --then") for word in then or ())
    rules = RankingRules(tie_rule=TieRule(ties), by=By(by), ties=breaks)
    tables = read_standings(sheets, rules, final=final, language=language)
    if html:
        names = ", ".join(path.name for path in sheets)
        write_standings_page(html, names, tables)
    show_text(tables.report())
    return ExitCode.SURE
