"""The program as Typer knows it. Every command registers itself; see `declared`."""

from importlib import import_module
from typing import Annotated

import typer

from kdvision import __version__
from kdvision.cli.declared import COMMANDS
from kdvision.cli.help import ROOT
from kdvision.cli.parameters import HELP, Group

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
