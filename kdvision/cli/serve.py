"""The command `serve`: the page at the table."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from kdvision.cli.console import guarded
from kdvision.cli.help import SERVE
from kdvision.cli.parameters import HELP, Command
from kdvision.errors import ExitCode, UsageError


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(cls=Command, epilog=SERVE, context_settings=HELP)(serve)


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
) -> None:
    """Serve the page for a game night: photos from phones, corrections, the evening's ranking."""
    raise typer.Exit(
        guarded(lambda: _serve(host, port, data, password, no_password, keep_photos, workers))
    )


def _serve(
    host: str,
    port: int,
    data: Path,
    password: str | None,
    no_password: bool,
    keep_photos: float,
    workers: int | None,
) -> ExitCode:
    try:
        from kdvision.serve.run import is_loopback, made_password, welcome
        from kdvision.serve.run import serve as run
        from kdvision.serve.settings import DEFAULT_SETTINGS
    except ImportError as error:
        raise UsageError(
            f"kdscore serve needs the package {error.name}.", "Run: pip install 'kdvision[serve]'"
        ) from None
    if not 1 <= port <= 65_535:
        raise UsageError(f"--port is {port}.", "Write a number from 1 to 65535.")
    if not 0 <= keep_photos <= 24 * 366:
        raise UsageError(f"--keep-photos is {keep_photos:g}.", "Write hours, at least 0.")
    if workers is not None and not 1 <= workers <= 100:
        raise UsageError(f"--workers is {workers}.", "Write a number from 1 to 100.")
    if no_password and password:
        raise UsageError("--password and --no-password are both given.", "Give one of them.")
    if password is None:
        password = "" if no_password or is_loopback(host) else made_password()
    settings = replace(
        DEFAULT_SETTINGS,
        keep_photos_s=keep_photos * 3600,
        threads=workers or DEFAULT_SETTINGS.threads,
    )
    print(welcome(host, port, password), file=sys.stderr, flush=True)
    run(host, port, data, password=password, settings=settings)
    return ExitCode.SURE
