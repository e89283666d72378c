"""The commands of `kdscore`, and how Typer finds the one that was typed."""

import os
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from kdvision import __version__
from kdvision.cli.parameters import Quiet, Verbose
from kdvision.cli.score import SCORE_FOOT, score
from kdvision.cli.serve import SERVE_FOOT, serve
from kdvision.cli.tournament import (
    BATCH_FOOT,
    STANDINGS_FOOT,
    VERIFY_FOOT,
    batch,
    standings,
    verify,
)
from kdvision.cli.typed import DUEL_FOOT, KINGDOM_FOOT, duel, kingdom
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
    ExitCode.DIFFERENT: "a claimed total differs from what its photo shows",
    ExitCode.INTERRUPTED: "interrupted",
}
_FOOT = """\
\b
Examples:
  kdscore table.jpg                  the word score may be left out
  kdscore kingdom 'C W1 G/W W -'     score without a photo
  kdscore COMMAND --help             options and examples of a command

Always at home? KDSCORE_HARMONY=1, KDSCORE_MIDDLE_KINGDOM=1 and KDSCORE_SIZE=7 stand for the
options. NO_COLOR=1 turns colours off.

\b
Exit codes:
""" + "\n".join(f"{code.value:>5}  {meaning}" for code, meaning in MEANINGS.items())
#: Set by the shell while it completes a word.
_COMPLETING = "_KDSCORE_COMPLETE"


class _PhotosByDefault(TyperGroup):
    """A group whose first word may also be a photo: then the command is `score`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        word = args[0]
        is_slip = bool(get_close_matches(word, self.commands, n=1, cutoff=0.75))
        if word not in self.commands and not (is_slip and not Path(word).exists()):
            args = ["score", *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_PhotosByDefault,
    help="Score Kingdomino kingdoms from photos. Every total is sure, or marked as doubtful.",
    epilog=_FOOT,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "ignore_unknown_options": True,  # they are those of score
        "max_content_width": 80,
    },
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
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    pass


#: A place of a kingdom or a map may be empty, and `- L1/C W` is no option.
_DASHES = {"ignore_unknown_options": True}
app.command(epilog=SCORE_FOOT)(score)
app.command(epilog=KINGDOM_FOOT, context_settings=_DASHES)(kingdom)
app.command(epilog=BATCH_FOOT)(batch)
app.command(epilog=VERIFY_FOOT)(verify)
app.command(epilog=STANDINGS_FOOT)(standings)
app.command(epilog=SERVE_FOOT)(serve)
app.command(epilog=DUEL_FOOT, context_settings=_DASHES)(duel)


@app.command("help", hidden=True)
def _help(context: typer.Context) -> None:
    print(context.find_root().get_help())


@app.command("version", hidden=True)
def _version() -> None:
    _print_version(True)


def run_command(words: Sequence[str]) -> ExitCode:
    """Run a command line; what is wrong with it, and what a command raises, is raised."""
    if _COMPLETING in os.environ:
        app(prog_name="kdscore")  # prints the completions and ends
    command = typer.main.get_command(app)
    try:
        with command.make_context("kdscore", list(words)) as context:
            code = command.invoke(context)
    except typer.Exit as end:  # of --help
        code = end.exit_code
    return ExitCode(code or 0)
