"""The options that several commands share, declared once."""

import inspect
import re
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import fields
from typer.core import TyperCommand

from kdvision.cli.game import DEFAULT_WORDS, GameWords

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

#: The fields of `GameWords` as options.
_GAME = {
    "size": Annotated[
        str | None,
        typer.Option("--size", metavar="auto|5|7", help="5x5, or 7x7 for a Mighty Duel."),
    ],
    "harmony": Annotated[
        bool | None,
        typer.Option("--harmony/--no-harmony", help="The Harmony bonus is in play, or is not."),
    ],
    "middle_kingdom": Annotated[
        bool | None,
        typer.Option(
            "--middle-kingdom/--no-middle-kingdom",
            help="The Middle Kingdom bonus is in play, or is not.",
        ),
    ],
    "boxes": Annotated[
        str | None,
        typer.Option(
            "--boxes", metavar="N", help="The dominoes of a photo are of N boxes (default 1)."
        ),
    ],
    "centre": Annotated[
        str | None,
        typer.Option(
            "--centre",
            metavar="box|frame",
            help="Middle Kingdom: the centre of the kingdom's own box, or of a 5x5 (7x7) frame.",
        ),
    ],
}


def with_game(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that takes `game: GameWords` the options of a game in its place.

    Typer reads the options of a command from its signature, so that is where they go.
    """
    plain = inspect.signature(command)
    parameters = []
    for parameter in plain.parameters.values():
        if parameter.name != "game":
            parameters.append(parameter)
            continue
        parameters += [
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=getattr(DEFAULT_WORDS, field.name),
                annotation=_GAME[field.name],
            )
            for field in fields(GameWords)
        ]

    @wraps(command)
    def expanded(**given: Any) -> None:
        game = GameWords(**{field.name: given.pop(field.name) for field in fields(GameWords)})
        command(game=game, **given)

    parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in parameters]
    expanded.__signature__ = plain.replace(parameters=parameters)  # type: ignore[attr-defined]
    expanded.__annotations__ = {one.name: one.annotation for one in parameters}
    return expanded
