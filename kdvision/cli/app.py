"""The program as Typer knows it. Every command registers itself; see `declared`."""

from importlib import import_module
from typing import Annotated

import typer

from kdvision import __version__
from kdvision.cli.declared import COMMANDS
from kdvision.cli.parameters import HELP, Group, help_foot
from kdvision.errors import ExitCode

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
_CODES = "Exit codes:\n" + "\n".join(
    f"{code.value:>5}  {meaning}" for code, meaning in MEANINGS.items()
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
    _CODES,
)

app = typer.Typer(
    name="kdscore",
    cls=Group,
    help="Score Kingdomino kingdoms from photos, and say so when a total is not sure.",
    epilog=ROOT,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=HELP,
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


for _module in dict.fromkeys(COMMANDS.values()):
    import_module(f"kdvision.cli.{_module}").register(app)
