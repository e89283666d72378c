"""What options are where none is given: from the environment, a file, or the program.

The file is `kdscore/config.toml` in `$XDG_CONFIG_HOME` (`~/.config` where that is not set;
`%APPDATA%` on Windows), or the file that `KDSCORE_CONFIG` names:

    harmony = true
    size = 7
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from kdvision.errors import UsageError

#: The options that can be set once for all, and what they are otherwise, as typed.
BUILT_IN = {
    "size": "auto",
    "harmony": "false",
    "middle_kingdom": "false",
    "boxes": "1",
    "max_megapixels": "100",
    "max_megabytes": "64",
}
_YES_OR_NO = ("harmony", "middle_kingdom")
#: Of the environment: `KDSCORE_HARMONY`.
PREFIX = "KDSCORE_"
#: Names another file.
FILE_VARIABLE = "KDSCORE_CONFIG"
_YES, _NO = ("true", "yes", "1", "on"), ("false", "no", "0", "off")


class Default(Struct, frozen=True):
    """What an option is where none is given, as typed, and where that is said."""

    name: str
    value: str
    where: str

    @property
    def flag(self) -> bool:
        """The value of a flag.

        Raises:
            UsageError: It is neither yes nor no.
        """
        if self.value.lower() not in (*_YES, *_NO):
            raise UsageError(
                f"{self.name} is {self.value[:20]!r} in {self.where}.", "Write true or false."
            )
        return self.value.lower() in _YES


def config_file() -> Path:
    """The file of defaults, there or not."""
    if named := os.environ.get(FILE_VARIABLE):
        return Path(named)
    if os.name == "nt":
        folder = Path(os.environ.get("APPDATA") or Path.home())
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return folder / "kdscore" / "config.toml"


def defaults() -> dict[str, Default]:
    """Every option's default.

    Raises:
        UsageError: The file is no TOML, or has a name or a value that is none of ours.
    """
    return {one.name: one for one in _found(_in_file())}


def _found(in_file: Mapping[str, Default]) -> Iterator[Default]:
    for name, built_in in BUILT_IN.items():
        variable = f"{PREFIX}{name.upper()}"
        if value := os.environ.get(variable):
            yield Default(name, value, f"the variable {variable}")
        else:
            yield in_file.get(name) or Default(name, built_in, "the program")


def _in_file() -> dict[str, Default]:
    path = config_file()
    try:
        if not path.is_file():
            return {}
        import tomllib  # only here: most runs have no such file

        with path.open("rb") as file:
            values = tomllib.load(file)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"{path} cannot be read: {reason}.", "Check the file.") from None
    except ValueError as error:
        raise UsageError(f"{path} is no TOML: {error}.", "Write lines such as size = 7.") from None
    for name in values:
        if name not in BUILT_IN:
            raise UsageError(
                f"{path} sets {str(name)[:30]!r}, which is no option.",
                f"The options are {', '.join(BUILT_IN)}.",
            )
    return {name: Default(name, _typed(value), str(path)) for name, value in values.items()}


def _typed(value: Any) -> str:
    """A value of TOML as it would be typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def config_text() -> str:
    """All defaults as the file would say them, with where each is from.

    Raises:
        UsageError: As of `defaults`.
    """
    path = config_file()
    lines = [f"# {path}{'' if path.is_file() else ' (not there)'}"]
    for one in defaults().values():
        value = str(one.flag).lower() if one.name in _YES_OR_NO else one.value
        plain = one.name in _YES_OR_NO or value.replace(".", "", 1).isdigit()
        text = f"{one.name} = {value if plain else repr(value).replace(chr(39), chr(34))}"
        lines.append(f"{text:<24} # from {one.where}")
    return "\n".join(lines)
