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


class IllegalActionError(RulesError):
    """An action that the rules do not allow now. The message says why, for a player."""
