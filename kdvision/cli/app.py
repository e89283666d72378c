"""The program as Typer knows it: every command that `declared` names, with its options."""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from importlib import import_module
from typing import Annotated, Any, get_args, get_origin

import typer
from msgspec import Struct
from typer.core import TyperCommand, TyperGroup

from kdvision import __version__
from kdvision.cli.config import game_options
from kdvision.cli.console import guarded
from kdvision.cli.declared import (
    COMMANDS,
    GAME_OPTIONS,
    GROUPS,
    QUIET,
    VERBOSE,
    Declared,
    declared_fields,
)
from kdvision.errors import ExitCode
from kdvision.options import GameOptions

#: What every exit code means; README has the same table.
MEANINGS = {
    ExitCode.SURE: "scored, and sure",
    ExitCode.UNEXPECTED: "an unexpected error, a mistake in kdscore",
    ExitCode.USAGE: "the command, a kingdom line or a sheet is wrong",
    ExitCode.UNREADABLE: "a photo cannot be read",
    ExitCode.NO_KINGDOM: "no kingdom was found",
    ExitCode.MODEL: "a model is missing or damaged",
    ExitCode.DOUBTFUL: "scored, but doubtful",
    ExitCode.DIFFERENT: "a claimed total, or the order of photos, differs from what they show",
    ExitCode.INTERRUPTED: "interrupted",
}
#: Both names of the option that shows help, and the width that every terminal has.
_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 80}
_ADVANCED = "Advanced options"
_TALK = (
    (", ".join(QUIET), "Print only results and errors."),
    (", ".join(VERBOSE), "Say what is done, how long it takes, and with which models."),
)
#: Lists and maps keep their lines; other paragraphs are filled to the width.
_KEPT = ("Examples:", "Exit codes:", "- ")
#: What these are given may begin with an empty place: `- L1/C W` is no option.
_GIVEN_DASHES = ("kingdom", "duel")


def help_foot(*paragraphs: str) -> str:
    """Return paragraphs as the foot of a help."""
    return "\n\n".join(
        f"\b\n{paragraph}" if paragraph.startswith(_KEPT) else " ".join(paragraph.split())
        for paragraph in paragraphs
    )


ROOT = help_foot(
    "Examples:\n"
    "  kdscore table.jpg                  the word score may be left out\n"
    "  kdscore kingdom 'C W1 G/W W -'     score without a photo\n"
    "  kdscore COMMAND --help             options and examples of a command",
    "Every command takes -q (only results and errors) and -v (what is done, how long it\n"
    "takes, and with which models). NO_COLOR=1 turns colours off.",
    "Options that always hold at home stand in a file or in the environment:\n"
    "kdscore config shows them.",
    "Exit codes:\n" + "\n".join(f"{code.value:>5}  {text}" for code, text in MEANINGS.items()),
)


class _Command(TyperCommand):
    """A command whose help says what a value is, with seldom options in a panel of their own."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        panels: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": [], _ADVANCED: []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            panel = getattr(parameter, "rich_help_panel", None) or "Options"
            if parameter.param_type_name == "argument":
                panel = "Arguments"
            if record is not None:
                # Typer adds the type to the name of an argument, which says what it is.
                name = re.sub(r" <[A-Za-z\[\]]+>", "", record[0])
                panels[panel].append((name, record[1].replace("[required]", "").rstrip()))
        panels["Options"] += _TALK
        for title, records in panels.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


class _Program(TyperGroup):
    """The program, whose help lists the commands in groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name, self.commands[name].get_short_help_str(200)) for name in names]
                )


app = typer.Typer(
    name="kdscore",
    cls=_Program,
    help="Score Kingdomino kingdoms from photos, and say so when a total is not sure.",
    epilog=ROOT,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=_SETTINGS,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"kdscore {__version__}")
        raise typer.Exit()


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> None:
    pass


# ---------------------------------------------------------------------- commands


def add_command(app: typer.Typer, command: Callable[..., ExitCode], foot: Sequence[str]) -> None:
    """Add a command to a program.

    Typer reads options from a signature. A parameter of the command that is a record stands there
    for the options of its fields; `GameOptions` for those of a game, or for the named ones where
    they are (`Annotated[GameOptions, "harmony"]`).

    Args:
        app: The program.
        command: Does the work; what it raises is said as every error is.
        foot: The paragraphs at the end of its help.
    """
    records: dict[str, tuple[type[Struct], list[str]]] = {}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        kind, *rest = get_args(parameter.annotation) or (parameter.annotation,)
        if isinstance(kind, type) and issubclass(kind, Struct):
            options = list(_options_of(kind, rest))
            records[name] = (kind, [option.name for option in options])
            parameters += options
        else:
            parameters.append(_parameter(name, kind, rest[0], parameter.default))

    def work(given: dict[str, Any]) -> ExitCode:
        for name, (record, fields) in records.items():
            typed = {field: given.pop(field) for field in fields}
            said = {field: value for field, value in typed.items() if value not in (None, [])}
            if record is GameOptions:
                words = {GAME_OPTIONS[field].names[0]: value for field, value in said.items()}
                given[name] = game_options(words)
            else:
                given[name] = record(**{field: _frozen(value) for field, value in said.items()})
        return command(**given)

    @wraps(command)
    def run(**given: Any) -> None:
        raise typer.Exit(guarded(lambda: work(given)))

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    settings = {**_SETTINGS, "ignore_unknown_options": command.__name__ in _GIVEN_DASHES}
    app.command(cls=_Command, epilog=help_foot(*foot), context_settings=settings)(run)


def _options_of(record: type[Struct], names: Sequence[str]) -> Iterator[inspect.Parameter]:
    """Yield the options of a record as Typer reads them; of a game only the named ones, if any."""
    if record is not GameOptions:
        for field, kind, declared, default in declared_fields(record):
            yield _parameter(field, kind, declared, default)
        return
    for field, declared in GAME_OPTIONS.items():
        if not names or field in names:
            kind = str | None if declared.metavar else bool | None
            yield _parameter(field, kind, declared, None)


def _parameter(name: str, kind: Any, declared: Declared, default: Any) -> inspect.Parameter:
    """Return a declared option or argument as Typer reads it."""
    settings: dict[str, Any] = {"metavar": declared.metavar or None, "help": declared.help}
    if declared not in GAME_OPTIONS.values():  # those are read in every language, and checked then
        settings["callback"] = declared.checked
    if declared.values:
        settings["autocompletion"] = lambda: list(declared.values)
    if get_origin(kind) is tuple:  # for Typer a tuple has a length
        kind, default = list[str] | None, None
    given: Any = typer.Argument(**settings)
    if names := declared.names:
        words = [f"{names[0]}/{declared.off}"] if declared.off else names
        panel = _ADVANCED if declared.is_advanced else None
        given = typer.Option(*words, rich_help_panel=panel, **settings)
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, given]
    )


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


for _name, _module in COMMANDS.items():
    _of_command = import_module(f"kdvision.cli.{_module}")
    add_command(app, getattr(_of_command, _name), _of_command.HELP[_name])
