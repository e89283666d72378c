"""The errors of the rules, and the base of all errors that a caller can cause."""

from collections.abc import Container, Iterable
from enum import StrEnum
from typing import Any, TypeVar

_Choice = TypeVar("_Choice", bound=StrEnum)


class KdvisionError(Exception):
    """An error that a caller can cause. `str()` says what is wrong and what to do.

    `exit_code` is what `kdscore` ends with.
    """

    exit_code: int = 2

    def text(self, language: str = "en") -> str:
        """Return what is wrong and what to do; what only programs meet is English."""
        return str(self)


class RulesError(KdvisionError, ValueError):
    """A value that the rules do not know: a size, a deck, a number of players."""


class NotationError(RulesError):
    """Text that is no kingdom line, map, position or game. The message names the mistake."""


def check_type(value: object, kind: Any, what: str) -> None:
    """Refuse a value of another type.

    Args:
        value: What a caller gave.
        kind: The type that it must have, or several joined by `|`.
        what: What it should be, and how it is given: `kingdom; give a Kingdom`.

    Raises:
        RulesError: It has another type.
    """
    if not isinstance(value, kind):
        raise RulesError(f"{type(value).__name__} is no {what}.")


def check_each(values: Iterable[Any], kind: Any, what: str) -> tuple[Any, ...]:
    """Return values as a tuple; refuse what is no list, or a value of another type in it.

    Raises:
        RulesError: `values` is no list, or a value has another type.
    """
    check_type(values, Iterable, f"list; each of its values is a {what}")
    values = tuple(values)
    for value in values:
        check_type(value, kind, what)
    return values


def check_number(value: object, allowed: Container[int], what: str) -> None:
    """Refuse what is no whole number, or not one of those that are allowed.

    Args:
        value: What a caller gave.
        allowed: The numbers that it may be.
        what: The beginning of the sentence, such as `A square has 0 to 9 crowns`.

    Raises:
        RulesError: It is none of them.
    """
    if type(value) is not int or value not in allowed:
        raise RulesError(f"{what}, not {value!r:.40}.")


def choose(kind: type[_Choice], value: str, name: str) -> _Choice:
    """Return the member of an enum that a value is or names.

    Raises:
        RulesError: None is called so.
    """
    if value not in tuple(kind):
        names = ", ".join(repr(member.value) for member in kind)
        raise RulesError(f"{str(value)[:40]!r} is no {name}; write one of {names}.")
    return kind(value)


class IllegalActionError(RulesError):
    """An action that the rules do not allow now. The message says why, for a player."""
