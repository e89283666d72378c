"""The command `serve`: the page at the table."""

import sys
from pathlib import Path
from typing import Annotated

from msgspec.structs import replace

from kdvision.cli.declared import Declared
from kdvision.errors import ExitCode, UsageError, install_command

HELP = {
    "serve": (
        "Examples:\n"
        "  kdscore serve                      the page, on this machine only\n"
        "  kdscore serve --host 0.0.0.0 --data evening.sqlite",
        "It runs until Ctrl-C. What was scored stays in the file of --data.",
    )
}


def serve(
    host: Annotated[
        str, Declared("--host ADDRESS", "0.0.0.0 lets the phones of the room in.")
    ] = "127.0.0.1",
    port: Annotated[int, Declared("--port N", "The port.", between=(1, 65_535))] = 8000,
    data: Annotated[Path, Declared("--data FILE", "Where results and games are kept.")] = Path(
        "evening.sqlite"
    ),
    password: Annotated[
        str | None,
        Declared(
            "--password WORD",
            "What phones are asked for; left out, one is made where phones can come in.",
        ),
    ] = None,
    no_password: Annotated[
        bool, Declared("--no-password", "Let everybody in who reaches this machine.")
    ] = False,
    keep_photos: Annotated[
        float,
        Declared(
            "--keep-photos HOURS",
            "For how long pictures are kept.",
            between=(0, 24 * 366),
            is_advanced=True,
        ),
    ] = 12.0,
    most_photos_mb: Annotated[
        int,
        Declared(
            "--most-photos-mb MB",
            "How much room pictures may take together.",
            between=(1, 10**9),
            is_advanced=True,
        ),
    ] = 4000,
    workers: Annotated[
        int | None,
        Declared(
            "--workers N",
            "Score N photos at a time; else all cores.",
            between=(1, 100),
            is_advanced=True,
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
            f"kdscore serve needs the package {error.name}.", f"Run: {install_command('serve')}"
        ) from None
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
