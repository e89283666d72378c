"""The command `serve`: a page for the phones at the table."""

import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from kdvision.cli.parameters import Language
from kdvision.errors import ExitCode, UsageError, missing_extra
from kdvision.files import shown


def serve(
    context: typer.Context,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="Where to listen; 0.0.0.0 lets phones in the same network in."
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65_535, metavar="N", help="The port.")] = 8000,
    data: Annotated[
        Path, typer.Option(metavar="FILE", help="The file that keeps evenings and photos.")
    ] = Path("evening.sqlite"),
    password: Annotated[
        str | None,
        typer.Option(
            metavar="WORD",
            help="The password for phones; without it kdscore makes one.",
        ),
    ] = None,
    no_password: Annotated[
        bool, typer.Option("--no-password", help="Ask nobody for a password.")
    ] = False,
    sheet: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Who plays where: a sheet with a row for every player."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Keep the results up to date in this file, CSV or .xlsx.",
        ),
    ] = None,
    certfile: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The certificate for https, as PEM.")
    ] = None,
    keyfile: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The key of the certificate, as PEM.")
    ] = None,
    language: Language = "en",
) -> ExitCode:
    """Serve a page for the phones at the table.

    \b
    Examples:
      kdscore serve                      the page, on this machine only
      kdscore serve --host 0.0.0.0 --data evening.sqlite
      kdscore serve --host 0.0.0.0 --sheet sheet.csv -o results.csv

    Stop it with Ctrl-C; the evening stays in the file of --data.
    """
    try:
        from kdvision.serve.running import ServeOptions
        from kdvision.serve.running import serve as run

        # Starlette asks for it only when a photo arrives.
        import_module("python_multipart")
    except ImportError:
        raise missing_extra("kdscore serve", "serve") from None
    if context.args:
        raise UsageError(f"serve takes no {shown(context.args[0])}.", "For a sheet: --sheet FILE")
    if no_password and password:
        raise UsageError("--password and --no-password exclude each other.", "Give one of them.")
    show = partial(print, file=sys.stderr, flush=True)
    options = ServeOptions(
        host=host,
        port=port,
        data=data,
        password="" if no_password else password,
        sheet=sheet,
        output=output,
        language=language,
        certfile=certfile,
        keyfile=keyfile,
    )
    run(options, show)
    return ExitCode.SURE
