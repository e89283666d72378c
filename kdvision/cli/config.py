"""The configuration: what options are where the command line does not say.

The file is `kdscore/config.toml` in `$XDG_CONFIG_HOME` (`~/.config` where that is not set;
`%APPDATA%` on Windows), or the file that `KDSCORE_CONFIG` names:

    harmony = true
    size = 7

A variable of the environment, such as `KDSCORE_HARMONY`, comes before the file, and the command
line before both.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from kdvision.cli.console import show
from kdvision.errors import ExitCode, UsageError
from kdvision.options import DEFAULT_OPTIONS, OPTIONS, GameOptions

#: Limits on photos, with their defaults.
LIMITS = {"max_megapixels": 100.0, "max_megabytes": 64.0}
#: Nobody has larger photos; a larger number is a slip.
_MOST = 100_000
#: Of the environment: `KDSCORE_HARMONY`.
PREFIX = "KDSCORE_"
#: Names another file.
FILE_VARIABLE = "KDSCORE_CONFIG"
_GAME = tuple(option.name for option in OPTIONS)


def config_file() -> Path:
    """Return the name of the configuration file, there or not."""
    if named := os.environ.get(FILE_VARIABLE):
        return Path(named)
    if os.name == "nt":
        folder = Path(os.environ.get("APPDATA") or os.path.expanduser("~"))  # noqa: PTH111
    else:
        # Not `Path.home()`, which fails where nobody knows the home of a user.
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"))  # noqa: PTH111
    return folder / "kdscore" / "config.toml"


def game_options(words: Mapping[str, str | bool]) -> GameOptions:
    """Read the options of a game.

    Args:
        words: Those of the command line, as typed: `{"--size": "7"}`.

    Raises:
        UsageError: There is no such option, or it takes no such value, here or in the
            configuration.
    """
    options = DEFAULT_OPTIONS
    for name, (word, where) in _configured().items():
        if name in _GAME:
            options = GameOptions.from_words({name: word}, where, options)
    return GameOptions.from_words(words, over=options)


def limit(name: str, given: str | None) -> float:
    """Return a limit on photos: as typed, or configured, or the default.

    Raises:
        UsageError: It is no number above 0.
    """
    if given is not None:
        return _number(f"--{name.replace('_', '-')}", given, "")
    word, where = _configured().get(name, (LIMITS[name], ""))
    return _number(name, word, f" in {where}" if where else "")


def config_text() -> str:
    """Return all options as the file would say them, with where each is set.

    Raises:
        UsageError: A value is wrong, as of `game_options` and `limit`.
    """
    options = game_options({})
    values = {name: getattr(options, name) for name in _GAME}
    values |= {name: limit(name, None) for name in LIMITS}
    configured = _configured()
    path = config_file()
    lines = [f"# {path}{'' if path.is_file() else ' (not there)'}"]
    for name, value in values.items():
        origin = configured[name][1] if name in configured else "the program"
        lines.append(f"{f'{name} = {_toml(value)}':<24} # from {origin}")
    return "\n".join(lines)


HELP = {
    "config": (
        "Examples:\n"
        "  kdscore config                         every option, and where it is set\n"
        "  KDSCORE_HARMONY=true kdscore config    Harmony from the environment",
        "The file is kdscore/config.toml in $XDG_CONFIG_HOME (~/.config), or what KDSCORE_CONFIG\n"
        "names; a line is harmony = true. An option on the command line comes first, then the\n"
        "environment (KDSCORE_SIZE), then the file. The limits on photos (max_megapixels,\n"
        "max_megabytes) hold for kdscore PHOTO.",
    )
}


def config() -> ExitCode:
    """Show the defaults of options, and where each is set."""
    show(config_text())
    return ExitCode.SURE


def _configured() -> dict[str, tuple[object, str]]:
    """Return what is configured by the name of its option: the word, and where it stands.

    Raises:
        UsageError: The file is no TOML or missing, or something has a name that is no option.
    """
    path, names = config_file(), (*_GAME, *LIMITS)
    found: dict[str, tuple[object, str]] = {}
    for name, word in _words_of_file(path).items():
        if name not in names:
            raise UsageError(
                f"{path} sets {name[:30]!r}, which is no option.",
                f"The options are {', '.join(names)}.",
            )
        found[name] = (word, str(path))
    known = {f"{PREFIX}{name}".upper(): name for name in names}
    for variable, word in os.environ.items():
        if not variable.startswith(PREFIX) or variable == FILE_VARIABLE:
            continue
        if variable not in known:
            raise UsageError(
                f"The variable {variable[:40]} is set, and there is no such option.",
                f"The variables are {', '.join((*known, FILE_VARIABLE))}.",
            )
        if word:
            found[known[variable]] = (word, f"the variable {variable}")
    return found


def _words_of_file(path: Path) -> dict[str, object]:
    try:
        if not path.is_file():
            if os.environ.get(FILE_VARIABLE):
                raise UsageError(
                    f"{FILE_VARIABLE} names the file {path}, which is not there.",
                    "Write the file, or unset the variable.",
                )
            return {}
        import tomllib  # only here: most runs have no such file

        return tomllib.loads(path.read_text("utf-8-sig"))  # editors of Windows begin with a BOM
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"{path} cannot be read: {reason}.", "Check the file.") from None
    except ValueError as error:
        raise UsageError(f"{path} is no TOML: {error}.", "Write lines such as size = 7.") from None


def _number(name: str, word: object, place: str) -> float:
    try:
        value = float(str(word))
    except ValueError:
        value = 0.0
    if not 0 < value <= _MOST:
        raise UsageError(f"{name} is {str(word)[:20]!r}{place}.", "Write a number above 0.")
    return value


def _toml(value: object) -> str:
    """Return a value as the configuration file writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    return str(value) if isinstance(value, int) else f'"{value or "auto"}"'
