"""Options that several commands take."""

from typing import Annotated, Any, Literal

import typer

from kdvision.errors import UsageError
from kdvision.options import read_rules
from kdvision.rules.rules import Rules


def env_option(variable: str, help: str) -> Any:
    """Return an option that a variable of the environment stands for."""
    return typer.Option(help=help, envvar=variable, show_envvar=False, show_default=False)


Json = Annotated[bool, typer.Option("--json", help="Print JSON, one object on a line.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print a CSV table, one row for each kingdom.")]

Language = Annotated[
    Literal["en", "de"],
    env_option("KDSCORE_LANGUAGE", "The language of explanations and reports."),
]

Side = Literal["auto", "5", "7"]
Size = Annotated[
    Side, env_option("KDSCORE_SIZE", "5x5, or 7x7 for a Mighty Duel; auto takes what fits.")
]
Harmony = Annotated[bool, env_option("KDSCORE_HARMONY", "Play with the Harmony bonus (5 points).")]
MiddleKingdom = Annotated[
    bool, env_option("KDSCORE_MIDDLE_KINGDOM", "Play with Middle Kingdom (10 points).")
]


def game_rules(size: Side, harmony: bool, middle_kingdom: bool) -> Rules:
    """Return the rules of a game as they were typed."""
    words = {"size": size, "harmony": harmony, "middle_kingdom": middle_kingdom}
    return read_rules(words)


def choose_form(as_json: bool, as_csv: bool) -> str:
    """Return the form of results: `text`, `json` or `csv`.

    Raises:
        UsageError: Two forms are asked for.
    """
    if as_json and as_csv:
        raise UsageError("--json and --csv exclude each other.", "Give one of them.")
    if as_json:
        return "json"
    return "csv" if as_csv else "text"
