"""From the words of the command line to an exit code.

Most calls name photos and a few options. Those are read here, without Typer, which takes as long
to load as a photo takes to score. Every other call, and every call with a mistake in it, goes to
`app`, whose help and messages hold for both.
"""

import os
import sys
from collections.abc import Sequence
from typing import Any

from kdvision import __version__
from kdvision.cli import console
from kdvision.cli.console import end_now, guarded, prepare_streams
from kdvision.cli.scoring.score import COMMANDS, ScoreRequest, score_photos
from kdvision.errors import ExitCode
from kdvision.options import OPTIONS

#: The options of `score`: the fields of the request by option, those that take a value apart.
FLAGS = {
    "--json": "as_json",
    "--csv": "as_csv",
    "-r": "recursive",
    "--recursive": "recursive",
    "--dominoes": "dominoes",
    "--together": "together",
}
VALUES = {
    "--overlay": "overlay",
    "--fix": "fix",
    "--max-megapixels": "max_megapixels",
    "--max-megabytes": "max_megabytes",
}
#: Likewise those of the game; of a flag the option, and the word for its value.
GAME_FLAGS = {
    word: (option.flag, value)
    for option in OPTIONS
    if option.is_flag
    for word, value in ((option.flag, "yes"), (option.no_flag, "no"))
}
GAME_VALUES = tuple(option.flag for option in OPTIONS if not option.is_flag)
#: What every command takes: how much is said on standard error.
QUIET, VERBOSE = ("-q", "--quiet"), ("-v", "--verbose")
_FIRST_ONLY = ("-h", "--help", "--version", "--install-completion", "--show-completion")
#: Set by the shell while it completes a word.
_COMPLETING = "_KDSCORE_COMPLETE"


def program(words: Sequence[str]) -> None:
    """Run a command line and end the process."""
    code = run(words)
    if plain_request(without_talk(words)) is not None and _COMPLETING not in os.environ:
        end_now(code)
    sys.exit(code)


def run(words: Sequence[str]) -> int:
    """Run a command line, without the name of the program; returns the exit code."""
    prepare_streams()
    if _COMPLETING in os.environ:
        return run_typer(words)
    console.set_talk(quiet=_has(words, QUIET), verbose=_has(words, VERBOSE))
    words = without_talk(words)
    if list(words) == ["--version"]:
        print(f"kdscore {__version__}")
        return ExitCode.SURE
    request = plain_request(words)
    if request is not None:
        return guarded(lambda: score_photos(request))
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
            console.say(f"{_one_line(sentence())} For help: {_help_for(words)}")
        return ExitCode.USAGE
    return int(code or 0)


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if line.endswith((".", "?")) else f"{line}."


def _help_for(words: Sequence[str]) -> str:
    command = f" {words[0]}" if words and words[0] in COMMANDS else ""
    return f"kdscore{command} --help"


def _has(words: Sequence[str], names: Sequence[str]) -> bool:
    return any(word in names for word in _before_dashes(words))


def _before_dashes(words: Sequence[str]) -> Sequence[str]:
    return words[: words.index("--")] if "--" in words else words


def without_talk(words: Sequence[str]) -> list[str]:
    """The words without -q and -v, which every command takes, wherever they stand."""
    head = _before_dashes(words)
    return [word for word in head if word not in (*QUIET, *VERBOSE)] + list(words[len(head) :])


def with_command(words: Sequence[str]) -> list[str]:
    """The words with `score` before them where they begin with a photo or its options."""
    if not words or words[0] in (*COMMANDS, *_FIRST_ONLY):
        return list(words)
    return ["score", *words]


def plain_request(words: Sequence[str]) -> ScoreRequest | None:
    """The request of a command line that names photos and known options; else None."""
    if words and words[0] in COMMANDS:
        if words[0] != "score":
            return None
        words = words[1:]
    asked: dict[str, Any] = {}
    game: dict[str, str] = {}
    photos: list[str] = []
    fixes: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            photos.extend(rest)
        elif word == "-" or not word.startswith("-"):
            photos.append(word)
        elif word in FLAGS:
            asked[FLAGS[word]] = True
        elif word in GAME_FLAGS:
            name, value = GAME_FLAGS[word]
            game[name] = value
        else:
            option, equals, text = word.partition("=")
            given = text if equals else next(rest, None)
            if given is None:
                return None
            if option == "--fix":
                fixes.append(given)
            elif option in VALUES:
                asked[VALUES[option]] = given
            elif option in GAME_VALUES:
                game[option] = given
            else:
                return None
    if not photos:
        return None
    return ScoreRequest(tuple(photos), game=game, fix=tuple(fixes), **asked)
