"""The commands of `kdscore`, and how Typer finds the one that was typed."""

import os
from collections.abc import Callable, Sequence
from typing import Any

import typer
from typer.core import TyperGroup, TyperOption

from kdvision import __version__
from kdvision.cli.console import set_quiet, set_verbose, show
from kdvision.cli.score import score
from kdvision.cli.serve import serve
from kdvision.cli.tournament import batch, standings, verify
from kdvision.cli.typed import duel, kingdom
from kdvision.errors import ExitCode, UsageError
from kdvision.files import PathKind, find_kind


class _PhotosByDefault(TyperGroup):
    """A group whose first word may also be a photo: then the command is `score`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command; a word that is none, and is like none, names a photo."""
        word = args[0]
        is_photo = word not in self.commands
        if is_photo and find_kind(word) is PathKind.MISSING:
            from difflib import get_close_matches  # only here: most photos are there

            is_photo = not get_close_matches(word, self.commands, cutoff=0.75)
        if is_photo:
            args = ["score", *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_PhotosByDefault,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "ignore_unknown_options": True,  # they are those of score
        "max_content_width": 80,
    },
)


def _print_version(wanted: bool) -> None:
    """Print the version and end, if that is wanted."""
    if wanted:
        show(f"kdscore {__version__}")
        raise typer.Exit()


@app.callback()
def _root() -> None:
    """Score Kingdomino kingdoms from photos, and say which totals are doubtful.

    \b
    Examples:
      kdscore table.jpg                  the word score may be left out
      kdscore kingdom 'C W1 G/W W -'     score without a photo
      kdscore COMMAND --help             options and examples of a command

    For the same rules in every run, set KDSCORE_HARMONY=1, KDSCORE_MIDDLE_KINGDOM=1 or
    KDSCORE_SIZE=7. NO_COLOR=1 turns colours off.

    \b
    Exit codes:
      0  scored, and sure
      1  an unexpected error, a mistake in kdscore
      2  the command, a kingdom line or a sheet is wrong
      3  a photo cannot be read
      4  no kingdom was found
      5  a model is missing or damaged
      6  scored, but doubtful
      7  a claimed total differs from what its photo shows
    130  interrupted
    """


#: A place of a kingdom or a map may be empty, and `- L1/C W` is no option.
_DASHES = {"ignore_unknown_options": True}
app.command()(score)
app.command(context_settings=_DASHES)(kingdom)
app.command()(batch)
app.command()(verify)
app.command()(standings)
app.command(context_settings={"allow_extra_args": True})(serve)
app.command(context_settings=_DASHES)(duel)


def _switch(names: list[str], help: str, effect: Callable[[bool], None]) -> TyperOption:
    """Make an eager flag: `effect` runs while parsing, and the command never sees it."""
    return TyperOption(
        param_decls=names,
        is_flag=True,
        is_eager=True,
        default=False,
        expose_value=False,
        help=help,
        callback=lambda _, __, wanted: effect(wanted),
    )


def build_commands() -> Any:
    """Return the group of all commands; -q and -v go with each."""
    group: Any = typer.main.get_command(app)
    group.params.append(_switch(["--version"], "Print the version.", _print_version))
    for command in (group, *group.commands.values()):
        command.params += [
            _switch(["--quiet", "-q"], "Print only results and errors.", set_quiet),
            _switch(["--verbose", "-v"], "Say what is done, and how long it takes.", set_verbose),
        ]
    return group


def run_command(words: Sequence[str]) -> ExitCode:
    """Run a command line.

    Raises:
        UsageError: A word of it is wrong; and whatever the command raises.
    """
    if "_KDSCORE_COMPLETE" in os.environ:  # set by the shell while it completes a word
        build_commands()(prog_name="kdscore")  # prints the completions and ends
    if "" in words:
        raise UsageError("One argument is empty ('').", "Write it, or leave it out.")
    words = list(words) or ["--help"]
    if words[0] in ("help", "version"):  # as some people type them: kdscore help verify
        words = [*words[1:], f"--{words[0]}"]
    command = build_commands()
    try:
        with command.make_context("kdscore", words) as context:
            code = command.invoke(context)
    except typer.Exit as end:  # of --help
        code = end.exit_code
    return ExitCode(code or 0)
