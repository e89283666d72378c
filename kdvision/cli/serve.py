"""The command `serve`: the page at the table."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from kdvision.cli.parameters import add_command
from kdvision.errors import ExitCode, UsageError

_SERVE = (
    "Examples:\n"
    "  kdscore serve                      the page, on this machine only\n"
    "  kdscore serve --host 0.0.0.0 --data evening.sqlite\n"
    "  kdscore serve --host 0.0.0.0 --sheet sheet.csv        a desk of all tables",
    "It runs until Ctrl-C. What was scored stays in the file of --data.",
)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    add_command(app, serve, *_SERVE)


def serve(
    host: Annotated[
        str,
        typer.Option("--host", metavar="ADDRESS", help="0.0.0.0 lets the phones of the room in."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", help="The port.")] = 8000,
    data: Annotated[
        Path, typer.Option("--data", metavar="FILE", help="Where results and games are kept.")
    ] = Path("evening.sqlite"),
    password: Annotated[
        str | None,
        typer.Option(
            "--password",
            metavar="WORD",
            help="What phones are asked for; left out, one is made where phones can come in.",
        ),
    ] = None,
    no_password: Annotated[
        bool, typer.Option("--no-password", help="Let everybody in who reaches this machine.")
    ] = False,
    keep_photos: Annotated[
        float,
        typer.Option("--keep-photos", metavar="HOURS", help="For how long pictures are kept."),
    ] = 12.0,
    workers: Annotated[
        int | None,
        typer.Option("--workers", metavar="N", help="Score N photos at a time; else all cores."),
    ] = None,
    most_photos_mb: Annotated[
        int,
        typer.Option(
            "--most-photos-mb", metavar="MB", help="How much room pictures may take together."
        ),
    ] = 4000,
    sheet: Annotated[
        Path | None,
        typer.Option(
            "--sheet", metavar="FILE", help="Who sits where: a board of all tables at /board."
        ),
    ] = None,
    event: Annotated[
        Path | None,
        typer.Option("--event", metavar="FILE", help="Names of slips, where not beside the sheet."),
    ] = None,
    desk_password: Annotated[
        str | None,
        typer.Option(
            "--desk-password",
            metavar="WORD",
            help="What the board asks for; left out, one is made.",
        ),
    ] = None,
) -> ExitCode:
    """Serve the page for a game night: photos from phones, corrections, the evening's ranking."""
    try:
        from kdvision.serve.limits import DEFAULT_SETTINGS
        from kdvision.serve.run import Served, is_loopback
        from kdvision.serve.run import serve as run
    except ImportError as error:
        raise UsageError(
            f"kdscore serve needs the package {error.name}.", "Run: pip install 'kdvision[serve]'"
        ) from None
    if not 0 <= keep_photos <= 24 * 366:
        raise UsageError(f"--keep-photos is {keep_photos:g}.", "Write hours, at least 0.")
    if workers is not None and not 1 <= workers <= 100:
        raise UsageError(f"--workers is {workers}.", "Write a number from 1 to 100.")
    if not 1 <= most_photos_mb <= 10**9:
        raise UsageError(f"--most-photos-mb is {most_photos_mb}.", "Write megabytes, at least 1.")
    if not 1 <= port <= 65_535:
        raise UsageError(f"--port is {port}.", "Write a number from 1 to 65535.")
    if no_password and (password or desk_password):
        raise UsageError("--no-password is given beside a password.", "Give one of them.")
    if desk_password and not sheet:
        raise UsageError("--desk-password is given without --sheet.", "Give the sheet, too.")
    if event and not sheet:
        raise UsageError("--event is given without --sheet.", "Give the sheet, too.")
    settings = replace(
        DEFAULT_SETTINGS,
        keep_photos_s=keep_photos * 3600,
        most_picture_bytes=most_photos_mb * 10**6,
        threads=workers or DEFAULT_SETTINGS.threads,
    )
    open_to_all = no_password or is_loopback(host)
    served = Served(
        host, port, data, password or "", sheet, event, desk_password or "", open_to_all
    )
    run(served, settings, lambda text: print(text, file=sys.stderr, flush=True))
    return ExitCode.SURE
