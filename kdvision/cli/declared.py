"""The commands, and how their options are declared.

An option stands beside the field or the parameter that takes it: `Annotated[Path, Declared(...)]`.
The short way (`line`) reads those of `score` from here, Typer (`app`) those of every command;
nothing here loads Typer. A new command is a function, its line in `GROUPS`, and the foot of its
help in `HELP` of its module.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, get_args

from msgspec import Struct

from kdvision.errors import UsageError
from kdvision.options import OPTIONS, Option, either

#: The options of a game as typed: `{"--size": "7", "--harmony": True}`.
GameWords = Mapping[str, str | bool]

#: The commands in the groups of the help, each with its module. `score` needs no word.
GROUPS = {
    "A photo": {"score": "score", "kingdom": "typed"},
    "An evening": {"serve": "serve", "play": "play"},
    "A tournament": {
        "batch": "tournament",
        "verify": "tournament",
        "standings": "tournament",
    },
    "More": {"duel": "typed", "config": "config", "doctor": "doctor"},
}
COMMANDS = {name: module for group in GROUPS.values() for name, module in group.items()}

#: What every command takes, wherever it stands.
QUIET, VERBOSE = ("-q", "--quiet"), ("-v", "--verbose")


class Declared(Struct, frozen=True):
    """An option or an argument of a command.

    Attributes:
        usage: As it is typed: its names, that which turns a flag off last (`--no-...`), and what
            stands for its value (`--output -o FILE`). An argument has no name (`PHOTO`).
        help: One sentence.
        values: The words it takes, where they are few.
        between: The least and the greatest number that it takes.
        is_advanced: Whether it stands in a panel of its own.
    """

    usage: str
    help: str
    values: tuple[str, ...] = ()
    between: tuple[float, float] | None = None
    is_advanced: bool = False

    @property
    def names(self) -> list[str]:
        """Its names."""
        return [word for word in self.usage.split() if word.startswith("-")]

    @property
    def off(self) -> str:
        """Which of its names turns it off; empty where none does."""
        return next((name for name in self.names[1:] if name.startswith("--no-")), "")

    @property
    def metavar(self) -> str:
        """What stands for its value; empty for a flag."""
        last = self.usage.split()[-1]
        return "|".join(self.values) if last.startswith("-") else last

    def checked(self, value: Any) -> Any:
        """Return a value if it is one of those declared, in lower case; None says nothing.

        Raises:
            UsageError: The option takes no such value.
        """
        if value is None:
            return None
        if self.values and str(value).lower() not in self.values:
            said, choice = repr(value)[:22], either(self.values)
        elif self.between and not self.between[0] <= value <= self.between[1]:
            said, choice = f"{value:g}", "a number from {:g} to {:g}".format(*self.between)
        else:
            return value.lower() if self.values and isinstance(value, str) else value
        raise UsageError(f"{self.names[0]} is {said}.", f"Write {choice}.")


class Form(Struct, frozen=True):
    """The form of results."""

    as_json: Annotated[bool, Declared("--json", "Print JSON, one object on a line.")] = False
    as_csv: Annotated[bool, Declared("--csv", "Print a table, as CSV.")] = False

    @property
    def name(self) -> str:
        """It is `text`, `json` or `csv`.

        Raises:
            UsageError: Two forms are asked for.
        """
        if self.as_json and self.as_csv:
            raise UsageError("--json and --csv exclude each other.", "Give one of them.")
        return "json" if self.as_json else "csv" if self.as_csv else "text"


class Asked(Form, frozen=True):
    """What `kdscore PHOTO...` is asked for, besides the options of the game."""

    overlay: Annotated[
        str | None,
        Declared(
            "--overlay FILE|DIR|-",
            "Draw what was read over the photo, into this file (.jpg, .png, .webp) or, for -, to "
            "standard output; of several photos into this folder.",
        ),
    ] = None
    fix: Annotated[
        tuple[str, ...],
        Declared(
            "--fix b3=W1",
            "Correct a square and score again; B.b3=W1 in the second of several kingdoms.",
        ),
    ] = ()
    dominoes: Annotated[
        bool,
        Declared(
            "--dominoes", "Say also which squares are one domino; outline them on an overlay."
        ),
    ] = False
    recursive: Annotated[bool, Declared("--recursive -r", "Folders with the folders in them.")] = (
        False
    )
    max_megapixels: Annotated[
        str | None,
        Declared("--max-megapixels N", "Refuse larger photos (default 100).", is_advanced=True),
    ] = None
    max_megabytes: Annotated[
        str | None,
        Declared("--max-megabytes N", "Refuse larger files (default 64).", is_advanced=True),
    ] = None


def declared_fields(record: type[Struct]) -> Iterator[tuple[str, Any, Declared, Any]]:
    """Yield the options that the fields of a record declare: field, type, declaration, default."""
    annotations: dict[str, Any] = {}
    for base in reversed(record.__mro__):
        annotations |= getattr(base, "__annotations__", {})
    fields, defaults = record.__struct_fields__, record.__struct_defaults__
    for field, default in zip(fields, defaults, strict=True):
        kind, declared = get_args(annotations[field])
        yield field, kind, declared, default


def _declared(option: Option) -> Declared:
    """Declare an option of a game."""
    name, advanced = option.name.replace("_", "-"), option.name == "centre"
    if option.is_flag:
        return Declared(f"--{name} --no-{name}", option.help, is_advanced=advanced)
    return Declared(f"--{name}", option.help, tuple(option.values), is_advanced=advanced)


#: The options of a game, as every command that scores takes them, by their fields.
GAME_OPTIONS = {option.name: _declared(option) for option in OPTIONS}
#: The options of `score` by each of their names: field, declaration, default.
_BY_NAME = {
    name: (field, declared, default)
    for field, declared, default in (
        *((field, declared, default) for field, _, declared, default in declared_fields(Asked)),
        *((field, declared, None) for field, declared in GAME_OPTIONS.items()),
    )
    for name in declared.names
}


def read_words(words: list[str]) -> tuple[list[str], Asked, GameWords] | None:
    """Read the words behind `kdscore score`: photos, what is asked, the options of the game.

    None where they are no photos and known options.
    """
    asked: dict[str, Any] = {}
    game: dict[str, str | bool] = {}
    photos: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            photos.extend(rest)
            continue
        if word == "-" or not word.startswith("-"):
            photos.append(word)
            continue
        name, equals, text = word.partition("=")
        if name not in _BY_NAME:
            return None
        field, declared, default = _BY_NAME[name]
        value: Any = name != declared.off
        if declared.metavar:
            value = text if equals else next(rest, None)
        if value is None or (equals and not declared.metavar):
            return None
        if field in GAME_OPTIONS:
            game[declared.names[0]] = value
        else:
            asked[field] = (*asked.get(field, ()), value) if default == () else value
    return (photos, Asked(**asked), game) if photos else None
