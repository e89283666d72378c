"""The options that several commands share, declared once."""

import inspect
import re
from collections.abc import Callable, Collection, Mapping
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from kdvision.options import OPTIONS, Option

#: Both names of the option that shows help.
HELP = {"help_option_names": ["-h", "--help"]}


class Command(TyperCommand):
    """A command whose help says what a value is, and not of which type."""

    def get_help(self, ctx: Any) -> str:
        """The help, without the types that Typer adds to arguments."""
        return re.sub(r" <[A-Za-z\[\]]+>", "", super().get_help(ctx))


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one object on a line.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV, a line per kingdom.")]
Dominoes = Annotated[
    bool,
    typer.Option(
        "--dominoes", help="Say also which squares are one domino; outline them on an overlay."
    ),
]
Jsonl = Annotated[
    Path | None,
    typer.Option("--jsonl", metavar="FILE", help="Keep the full results, a JSON object a line."),
]
Html = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write a report to look at.")
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", help="Score N photos at a time; all cores if left out."),
]
Dask = Annotated[
    str | None,
    typer.Option("--dask", metavar="ADDRESS", help="Score on the workers of a Dask scheduler."),
]

#: The options of a game as typed: `{"--size": "7", "--harmony": "yes"}`.
GameWords = Mapping[str, str]
NO_WORDS: GameWords = {}


def with_game(
    command: Callable[..., None], only: Collection[str] | None = None
) -> Callable[..., None]:
    """Give a command that takes `game: GameWords` the options of a game in its place.

    `only` names those that the command takes; None for all.

    Typer reads the options of a command from its signature, so that is where they go.
    """
    plain = inspect.signature(command)
    taken = [one for one in _GAME if only is None or one.name in only]
    parameters = []
    for parameter in plain.parameters.values():
        parameters += taken if parameter.name == "game" else [parameter]

    @wraps(command)
    def expanded(**given: Any) -> None:
        game = {}
        for option in OPTIONS:
            word = given.pop(option.name, None)
            if word is not None:
                game[option.flag] = word if isinstance(word, str) else "yes" if word else "no"
        command(game=game, **given)

    parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in parameters]
    expanded.__signature__ = plain.replace(parameters=parameters)  # type: ignore[attr-defined]
    expanded.__annotations__ = {one.name: one.annotation for one in parameters}
    return expanded


def _parameter(option: Option) -> inspect.Parameter:
    """Return an option of a game as Typer reads it."""
    kind: Any = str | None
    declared = typer.Option(option.flag, metavar=option.metavar, help=option.help)
    if option.is_flag:
        kind = bool | None
        declared = typer.Option(f"{option.flag}/{option.no_flag}", help=option.help)
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[kind, declared],
    )


_GAME = [_parameter(option) for option in OPTIONS]
