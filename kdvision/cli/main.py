"""`kdscore`: from the words of the command line to an exit code.

Most calls name photos and a few options. Those are read here, without Typer, which takes as long
to load as a photo takes to score. Every other call, and every call with a mistake in it, goes to
`commands`, whose help and messages hold for both.
"""

import sys
from collections.abc import Sequence
from typing import Any

from kdvision import __version__
from kdvision.cli.console import end_now, guarded, prepare_streams
from kdvision.cli.game import GameWords
from kdvision.cli.score import COMMANDS, ScoreRequest, score_photos
from kdvision.errors import ExitCode

#: The options of `score`: the fields of the request by option, those that take a value apart.
FLAGS = {"--json": "as_json"}
VALUES = {
    "--overlay": "overlay",
    "--fix": "fix",
    "--max-megapixels": "max_megapixels",
    "--max-megabytes": "max_megabytes",
}
#: Likewise those of the game.
GAME_FLAGS = {"--harmony": "harmony", "--middle-kingdom": "middle_kingdom"}
GAME_VALUES = {"--size": "size", "--boxes": "boxes"}
#: Likewise the options of a game: the fields of its words.
GAME_FLAGS = {"--harmony": "harmony", "--middle-kingdom": "middle_kingdom"}
GAME_VALUES = {"--size": "size", "--boxes": "boxes"}
_FIRST_ONLY = ("-h", "--help", "--version")


def main() -> None:
    """The program `kdscore`."""
    words = sys.argv[1:]
    code = run(words)
    if plain_request(words) is not None:
        end_now(code)
    sys.exit(code)


def run(words: Sequence[str]) -> int:
    """Run a command line, without the name of the program; returns the exit code."""
    prepare_streams()
    if list(words) == ["--version"]:
        print(f"kdscore {__version__}")
        return ExitCode.SURE
    request = plain_request(words)
    if request is not None:
        return guarded(lambda: score_photos(request))
    from kdvision.cli.app import app

    try:
        app(with_command(words), prog_name="kdscore")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else ExitCode.UNEXPECTED
    return ExitCode.SURE


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
    game: dict[str, Any] = {}
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
            game[GAME_FLAGS[word]] = True
        else:
            option, equals, value = word.partition("=")
            given = value if equals else next(rest, None)
            if given is None:
                return None
            if option == "--fix":
                fixes.append(given)
            elif option in VALUES:
                asked[VALUES[option]] = given
            elif option in GAME_VALUES:
                game[GAME_VALUES[option]] = given
            else:
                return None
    if not photos:
        return None
    return ScoreRequest(tuple(photos), game=GameWords(**game), fix=tuple(fixes), **asked)


if __name__ == "__main__":
    main()
