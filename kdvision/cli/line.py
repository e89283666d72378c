"""From the words of the command line to an exit code.

Most calls name photos and a few options. Those are read here, without Typer, which takes as long
to load as a photo takes to score. Every other call, and every call with a mistake in it, goes to
`app`, whose help and messages hold for both.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from kdvision import __version__
from kdvision.cli import console
from kdvision.cli.console import end_now, guarded, prepare_streams
from kdvision.cli.declared import COMMANDS, QUIET, VERBOSE, Asked, GameWords, read_words
from kdvision.errors import ExitCode

#: Photos, what is asked of them, and the options of the game.
Request = tuple[list[str], Asked, GameWords]
_FIRST_ONLY = ("-h", "--help", "--version", "--install-completion", "--show-completion")
#: Set by the shell while it completes a word.
_COMPLETING = "_KDSCORE_COMPLETE"


def program(words: Sequence[str]) -> None:
    """Run a command line and end the process."""
    code = run(words)
    if "typer" not in sys.modules:  # photos were scored, and no process was started
        end_now(code)
    sys.exit(code)


def run(words: Sequence[str]) -> int:
    """Run a command line, without the name of the program; returns the exit code."""
    prepare_streams()
    if _COMPLETING in os.environ:
        _complete_main_form()
        return run_typer(words)
    options, photos = _before_dashes(words)
    said = [word for word in options if word not in (*QUIET, *VERBOSE)]
    quiet, verbose = (any(word in names for word in options) for names in (QUIET, VERBOSE))
    with console.talk(quiet=quiet, verbose=verbose):
        return _run(said + photos)


def _run(words: Sequence[str]) -> int:
    """Run a command line without -q and -v."""
    if list(words) == ["--version"]:
        print(f"kdscore {__version__}")
        return ExitCode.SURE
    request = plain_request(words)
    if words and (meant := _command_meant(words[0], request)):
        console.say(meant)
        return ExitCode.USAGE
    if request is not None:
        from kdvision.cli.config import game_options
        from kdvision.cli.score import score

        photos, asked, game = request
        return guarded(lambda: score(photos, asked, game_options(game)))
    return run_typer(with_command(words))


def run_typer(words: Sequence[str]) -> int:
    """Run a command line by its declaration; a mistake in it gets one sentence."""
    from kdvision.cli.app import app

    try:
        code = app(list(words), prog_name="kdscore", standalone_mode=False)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else ExitCode.UNEXPECTED
    except Exception as error:
        sentence = getattr(error, "format_message", None)
        if sentence is None:
            return console.report_error(error)
        if type(error).__name__ == "NoArgsIsHelpError":
            print(sentence(), file=sys.stderr)
        else:
            files = (word for word in words if word.startswith("-") and _is_there(word))
            advice = next((f"The file is named by ./{word}" for word in files), _help_for(words))
            console.say(f"{_one_line(sentence())} {advice}")
        return ExitCode.USAGE
    return int(code or 0)


def with_command(words: Sequence[str]) -> list[str]:
    """Return the words with `score` before them where they begin with a photo or its options."""
    if not words or words[0] in (*COMMANDS, *_FIRST_ONLY):
        return list(words)
    return ["score", *words]


def plain_request(words: Sequence[str]) -> Request | None:
    """Return the request of a command line that names photos and known options; else None."""
    if words and words[0] in COMMANDS:
        if words[0] != "score":
            return None
        words = words[1:]
    return read_words(list(words))


def _command_meant(word: str, request: Request | None) -> str:
    """Return a sentence where a word is no photo but a command, or nearly one."""
    if word == "score":
        return ""
    for photo in request[0] if request else ():
        if photo in COMMANDS and not _is_there(photo):
            return f"To use the command {photo}, write it first."
    if word in COMMANDS or word.startswith("-") or "." in word or _is_there(word):
        return ""
    if word == "help":
        return "For help: kdscore --help"
    import difflib  # only here: most runs have no use for it

    close = difflib.get_close_matches(word, COMMANDS, n=1, cutoff=0.75)
    return f"There is no command and no photo {word!r}. Did you mean {close[0]}?" if close else ""


def _is_there(word: str) -> bool:
    try:
        return Path(word).exists()
    except (OSError, ValueError):
        return True  # the name of a photo that cannot be; that is said later


def _complete_main_form() -> None:
    """Let the shell complete options of `score` where its word is left out."""
    for variable in ("COMP_WORDS", "_TYPER_COMPLETE_ARGS"):
        words = os.environ.get(variable, "").split(" ")
        rest = words[1:]
        begun = len(rest) > 1 or (rest and rest[0].startswith("-"))
        if not begun or rest[0] in (*COMMANDS, *_FIRST_ONLY):
            continue
        os.environ[variable] = " ".join([words[0], "score", *rest])
        if variable == "COMP_WORDS" and os.environ.get("COMP_CWORD", "").isdigit():
            os.environ["COMP_CWORD"] = str(int(os.environ["COMP_CWORD"]) + 1)


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if line.endswith((".", "?")) else f"{line}."


def _help_for(words: Sequence[str]) -> str:
    command = f" {words[0]}" if words and words[0] in COMMANDS else ""
    return f"For help: kdscore{command} --help"


def _before_dashes(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words before `--`, and those from there."""
    at = words.index("--") if "--" in words else len(words)
    return list(words[:at]), list(words[at:])
