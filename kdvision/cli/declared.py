"""The commands, and the options of the one that has a short way, each declared once.

The short way (`line`) and Typer (`app`) both read what stands here; nothing here loads Typer. A
new command is a module with a function `register`, and its line in `COMMANDS`.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from kdvision.errors import UsageError
from kdvision.options import OPTIONS

#: The options of a game as typed: `{"--size": "7", "--harmony": "yes"}`.
GameWords = Mapping[str, str]

#: The commands in the groups of the help, each with its module. `score` needs no word.
GROUPS = {
    "A photo": {"score": "score", "kingdom": "typed", "series": "score"},
    "An evening": {"serve": "serve", "play": "play"},
    "A tournament": {
        "batch": "tournament",
        "verify": "tournament",
        "standings": "tournament",
        "slips": "slips",
    },
    "More": {"duel": "typed", "config": "config", "doctor": "doctor"},
}
COMMANDS = {name: module for group in GROUPS.values() for name, module in group.items()}

#: What every command takes, wherever it stands.
QUIET, VERBOSE = ("-q", "--quiet"), ("-v", "--verbose")
ADVANCED = "Advanced options"


class Declared(Struct, frozen=True, kw_only=True):
    """An option of a command.

    Attributes:
        field: What the command calls it.
        names: As it is typed.
        help: One sentence.
        off: Of a flag, how it is turned off, where that can be said.
        metavar: What stands for its value; empty for a flag.
        values: The words it takes, where they are few.
        many: Whether it may be given more than once.
        advanced: Whether it stands in a panel of its own.
    """

    field: str
    names: tuple[str, ...]
    help: str
    off: str = ""
    metavar: str = ""
    values: tuple[str, ...] = ()
    many: bool = False
    advanced: bool = False


_SELDOM = ("boxes", "centre")
#: The options of a game, as every command that scores takes them.
GAME_OPTIONS = tuple(
    Declared(
        field=option.name,
        names=(option.flag,),
        help=option.help,
        off=option.no_flag if option.is_flag else "",
        metavar="" if option.is_flag else option.metavar,
        values=() if option.is_flag else tuple(option.values),
        advanced=option.name in _SELDOM,
    )
    for option in OPTIONS
)
#: The other options of `score`: fields of its request.
SCORE_OPTIONS = (
    Declared(field="as_json", names=("--json",), help="Print JSON, one object on a line."),
    Declared(field="as_csv", names=("--csv",), help="Print CSV, a line per kingdom."),
    Declared(
        field="overlay",
        names=("--overlay",),
        metavar="FILE|DIR|-",
        help="Draw what was read over the photo, into this file (.jpg, .png, .webp) or, for -, to "
        "standard output; of several photos into this folder.",
    ),
    Declared(
        field="fix",
        names=("--fix",),
        metavar="b3=W1",
        many=True,
        help="Correct a square and score again; B.b3=W1 in the second of several kingdoms.",
    ),
    Declared(
        field="dominoes",
        names=("--dominoes",),
        help="Say also which squares are one domino; outline them on an overlay.",
    ),
    Declared(
        field="together",
        names=("--together",),
        help="The photos show the same kingdoms: read them as one.",
    ),
    Declared(
        field="recursive",
        names=("--recursive", "-r"),
        help="Folders with the folders in them.",
    ),
    Declared(
        field="max_megapixels",
        names=("--max-megapixels",),
        metavar="N",
        advanced=True,
        help="Refuse larger photos (default 100).",
    ),
    Declared(
        field="max_megabytes",
        names=("--max-megabytes",),
        metavar="N",
        advanced=True,
        help="Refuse larger files (default 64).",
    ),
)


class ScoreRequest(Struct, frozen=True):
    """What `kdscore PHOTO...` was asked, as typed."""

    photos: tuple[str, ...]
    as_json: bool = False
    as_csv: bool = False
    overlay: str | None = None
    recursive: bool = False
    game: GameWords = {}
    fix: tuple[str, ...] = ()
    max_megapixels: str | None = None
    max_megabytes: str | None = None
    dominoes: bool = False
    together: bool = False


def read_words(words: list[str]) -> ScoreRequest | None:
    """Read the words behind `kdscore score`; None where they are no photos and known options."""
    asked: dict[str, Any] = {}
    game: dict[str, str] = {}
    photos: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            photos.extend(rest)
        elif word == "-" or not word.startswith("-"):
            photos.append(word)
        else:
            name, equals, text = word.partition("=")
            option, on = _BY_NAME.get(name, (None, True))
            if option is None:
                return None
            value: Any = "yes" if on else "no"
            if option.metavar:
                value = text if equals else next(rest, None)
            elif equals:
                return None
            if value is None:
                return None
            if option in GAME_OPTIONS:
                game[option.names[0]] = value
            elif option.many:
                asked[option.field] = (*asked.get(option.field, ()), value)
            else:
                asked[option.field] = value if option.metavar else True
    return ScoreRequest(tuple(photos), game=game, **asked) if photos else None


def form_of(*, as_json: bool, as_csv: bool) -> str:
    """Return the form of the results: `text`, `json` or `csv`.

    Raises:
        UsageError: Two forms are asked for.
    """
    if as_json and as_csv:
        raise UsageError("--json and --csv exclude each other.", "Give one of them.")
    return "json" if as_json else "csv" if as_csv else "text"


#: Options by each of their names, with whether that name turns a flag on.
_BY_NAME = {
    name: (option, on)
    for option in (*SCORE_OPTIONS, *GAME_OPTIONS)
    for on, names in ((True, option.names), (False, (option.off,) if option.off else ()))
    for name in names
}
