"""The command `serve`: the page at the table."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from kdvision.cli.parameters import Quiet, Verbose
from kdvision.errors import ExitCode, UsageError, missing_extra


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="0.0.0.0 lets the phones of the room in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65_535, help="The port.")] = 8000,
    data: Annotated[
        Path, typer.Option(metavar="FILE", help="Where results and games are kept.")
    ] = Path("evening.sqlite"),
    password: Annotated[
        str | None,
        typer.Option(
            metavar="WORD",
            help="What phones are asked for; left out, one is made where phones can come in.",
        ),
    ] = None,
    no_password: Annotated[
        bool, typer.Option("--no-password", help="Let everybody in who reaches this machine.")
    ] = False,
    sheet: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Who plays where: a game for every round and table."),
    ] = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> ExitCode:
    """Serve the page for a game night.

    \b
    Examples:
      kdscore serve                      the page, on this machine only
      kdscore serve --host 0.0.0.0 --data evening.sqlite
      kdscore serve --host 0.0.0.0 --sheet sheet.csv        a tournament

    It runs until Ctrl-C. What was scored stays in the file of --data.
    """
    try:
        from kdvision.serve.app import Served
        from kdvision.serve.app import serve as run
    except ImportError:
        raise missing_extra("kdscore serve", "serve") from None
    if no_password and password:
        raise UsageError("--no-password is given beside a password.", "Give one of them.")
    served = Served(host, port, data, "" if no_password else password, sheet=sheet)
    run(served, lambda text: print(text, file=sys.stderr, flush=True))
    return ExitCode.SURE
