"""The command `serve`: the page at the table."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from kdvision.cli.parameters import Quiet, Verbose
from kdvision.errors import ExitCode, UsageError, missing_extra

SERVE_FOOT = """\
\b
Examples:
  kdscore serve                      the page, on this machine only
  kdscore serve --host 0.0.0.0 --data evening.sqlite

It runs until Ctrl-C. What was scored stays in the file of --data."""


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
    keep_photos: Annotated[
        float,
        typer.Option(min=0, max=24 * 366, metavar="HOURS", help="For how long pictures are kept."),
    ] = 12.0,
    most_photos_mb: Annotated[
        int,
        typer.Option(
            min=1, max=10**9, metavar="MB", help="How much room pictures may take together."
        ),
    ] = 4000,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=100, metavar="N", help="Score N photos at a time; else all cores."),
    ] = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> ExitCode:
    """Serve the page for a game night."""
    try:
        from kdvision.serve.limits import DEFAULT_SETTINGS
        from kdvision.serve.run import Served, is_loopback
        from kdvision.serve.run import serve as run
    except ImportError:
        raise missing_extra("kdscore serve", "serve") from None
    if no_password and password:
        raise UsageError("--no-password is given beside a password.", "Give one of them.")
    settings = replace(
        DEFAULT_SETTINGS,
        keep_photos_s=keep_photos * 3600,
        most_picture_bytes=most_photos_mb * 10**6,
        threads=workers or DEFAULT_SETTINGS.threads,
    )
    open_to_all = no_password or is_loopback(host)
    served = Served(host, port, data, password or "", open_to_all)
    run(served, settings, lambda text: print(text, file=sys.stderr, flush=True))
    return ExitCode.SURE
