"""What Typer is told: the form of help, and the options that several commands share."""

import inspect
import re
from collections.abc import Callable, Collection
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from kdvision.cli.console import guarded
from kdvision.cli.declared import (
    ADVANCED,
    GAME_OPTIONS,
    GROUPS,
    QUIET,
    SCORE_OPTIONS,
    VERBOSE,
    Declared,
    GameWords,
)
from kdvision.errors import ExitCode

#: Both names of the option that shows help, and the width that every terminal has.
HELP: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 80}
NO_WORDS: GameWords = {}
_TALK = (
    (", ".join(QUIET), "Print only results and errors."),
    (", ".join(VERBOSE), "Say what is done, how long it takes, and with which models."),
)
#: Lists and maps keep their lines; other paragraphs are filled to the width.
_KEPT = ("Examples:", "Exit codes:", "- ")


def help_foot(*paragraphs: str) -> str:
    """Return paragraphs as the foot of a help."""
    return "\n\n".join(
        f"\b\n{paragraph}" if paragraph.startswith(_KEPT) else " ".join(paragraph.split())
        for paragraph in paragraphs
    )


class Command(TyperCommand):
    """A command whose help says what a value is, with seldom options in a panel of their own."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, and the two that every command takes."""
        panels: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": [], ADVANCED: []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            panel = getattr(parameter, "rich_help_panel", None) or "Options"
            if parameter.param_type_name == "argument":
                panel = "Arguments"
            if record is not None:
                panels[panel].append((record[0], record[1].replace("[required]", "").rstrip()))
        panels["Options"] += _TALK
        for title, records in panels.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def get_help(self, ctx: Any) -> str:
        """Return the help, without the types that Typer adds to arguments."""
        return re.sub(r" <[A-Za-z\[\]]+>", "", super().get_help(ctx))


class Group(TyperGroup):
    """The program, whose help lists the commands in groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write every group of commands with the first sentence of each."""
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name, self.commands[name].get_short_help_str(200)) for name in names]
                )


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one object on a line.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV, a line per kingdom.")]
Dominoes = Annotated[
    bool, typer.Option("--dominoes", help="Say also which squares are one domino.")
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
    typer.Option(
        "--workers",
        metavar="N",
        help="Score N photos at a time; all cores if left out.",
        rich_help_panel=ADVANCED,
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS",
        help="Score on the workers of a Dask scheduler.",
        rich_help_panel=ADVANCED,
    ),
]
Column = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="claimed=Punkte",
        help="What a column of the table is called.",
        rich_help_panel=ADVANCED,
    ),
]


def add_command(
    app: typer.Typer,
    command: Callable[..., ExitCode],
    *foot: str,
    only: Collection[str] | None = None,
    **settings: Any,
) -> None:
    """Add a command to the program.

    Typer reads the options of a command from its signature, so that is where declared ones go in
    the place of the parameters `game` and `asked`. `game` gets the words of the options of a game,
    `asked` the fields of a request that were typed.

    Args:
        app: The program.
        command: Does the work; what it raises is said as every error is.
        foot: The paragraphs at the end of its help.
        only: The names of the options of a game that it takes; None for all.
        settings: Of the context that Typer makes for it.
    """
    game = [option for option in GAME_OPTIONS if only is None or option.field in only]
    places = {"game": game, "asked": SCORE_OPTIONS}
    plain = inspect.signature(command)
    parameters: list[inspect.Parameter] = []
    for parameter in plain.parameters.values():
        if parameter.name in places:
            parameters += map(_parameter, places[parameter.name])
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))

    @wraps(command)
    def run(**given: Any) -> None:
        for name in places.keys() & plain.parameters.keys():
            typed = [(option, given.pop(option.field)) for option in places[name]]
            said = [(option, value) for option, value in typed if value not in (None, False, [])]
            if name == "game":
                off = [(option, value) for option, value in typed if value is False]
                given[name] = {option.names[0]: _word(value) for option, value in (*said, *off)}
            else:
                given[name] = {
                    option.field: tuple(value) if option.many else value for option, value in said
                }
        raise typer.Exit(guarded(lambda: command(**given)))

    run.__signature__ = plain.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    app.command(cls=Command, epilog=help_foot(*foot), context_settings={**HELP, **settings})(run)


def _word(value: object) -> str:
    return value if isinstance(value, str) else "yes" if value else "no"


def _parameter(option: Declared) -> inspect.Parameter:
    """Return a declared option as Typer reads it."""
    kind: Any = str | None
    default: Any = None
    names = option.names
    if not option.metavar:
        kind, default = (bool | None, None) if option.off else (bool, False)
        names = (f"{names[0]}/{option.off}",) if option.off else names
    elif option.many:
        kind = list[str] | None
    declared = typer.Option(
        *names,
        metavar=option.metavar or None,
        help=option.help,
        rich_help_panel=ADVANCED if option.advanced else None,
        autocompletion=(lambda: list(option.values)) if option.values else None,
    )
    return inspect.Parameter(
        option.field,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, declared],
    )
