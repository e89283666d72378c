"""The errors of the rules, and the base of all errors that a caller can cause."""


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


def check_type(value: object, kind: type, what: str) -> None:
    """Refuse a value of another type.

    Args:
        value: What a caller gave.
        kind: The type that it must have.
        what: What it should be, and how it is given: `kingdom; give a Kingdom`.

    Raises:
        RulesError: It has another type.
    """
    if not isinstance(value, kind):
        raise RulesError(f"{type(value).__name__} is no {what}.")


class IllegalActionError(RulesError):
    """An action that the rules do not allow now. The message says why, for a player."""
