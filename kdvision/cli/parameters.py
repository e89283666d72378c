"""Options that several commands take."""

from typing import Annotated, Literal

import typer

from kdvision.cli.console import set_quiet, set_verbose
from kdvision.errors import UsageError
from kdvision.options import GameOptions

Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        help="Print only results and errors.",
        callback=set_quiet,
        expose_value=False,
    ),
]
Verbose = Annotated[
    bool,
    typer.Option(
        "--verbose",
        "-v",
        help="Say what is done, and how long it takes.",
        callback=set_verbose,
        expose_value=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, one object on a line.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print a table, as CSV.")]

Side = Literal["auto", "5", "7"]
Size = Annotated[
    Side,
    typer.Option(
        help="5x5, or 7x7 for a Mighty Duel; auto takes what fits.",
        envvar="KDSCORE_SIZE",
        show_envvar=False,
        show_default=False,
    ),
]
Harmony = Annotated[
    bool,
    typer.Option(
        help="The Harmony bonus is in play.",
        envvar="KDSCORE_HARMONY",
        show_envvar=False,
        show_default=False,
    ),
]
MiddleKingdom = Annotated[
    bool,
    typer.Option(
        help="The Middle Kingdom bonus is in play.",
        envvar="KDSCORE_MIDDLE_KINGDOM",
        show_envvar=False,
        show_default=False,
    ),
]


def game_options(size: Side, harmony: bool, middle_kingdom: bool) -> GameOptions:
    """Return the options of a game as they were typed."""
    side = None if size == "auto" else int(size)
    return GameOptions(size=side, harmony=harmony, middle_kingdom=middle_kingdom)


def form_name(as_json: bool, as_csv: bool) -> str:
    """Return the form of results: `text`, `json` or `csv`.

    Raises:
        UsageError: Two forms are asked for.
    """
    if as_json and as_csv:
        raise UsageError("--json and --csv exclude each other.", "Give one of them.")
    return "json" if as_json else "csv" if as_csv else "text"
