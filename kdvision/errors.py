"""One tree of errors, each with its exit code and a remedy.

Every error that a user can cause is a `KdvisionError`. It carries one sentence that
says what is wrong, one that says what to do (`advice`), and the exit code that
`kdscore` ends with. The command line turns them into text in one place.
"""

from enum import IntEnum


class ExitCode(IntEnum):
    """How `kdscore` ends. README tabulates these; a test holds the table to them."""

    SURE = 0
    UNEXPECTED = 1
    USAGE = 2
    UNREADABLE = 3
    NO_KINGDOM = 4
    MODEL = 5
    DOUBTFUL = 6
    DIFFERENT = 7
    INTERRUPTED = 130


#: With several photos the run ends with the code that asks most for a person.
URGENCY = (
    ExitCode.UNEXPECTED,
    ExitCode.MODEL,
    ExitCode.USAGE,
    ExitCode.UNREADABLE,
    ExitCode.NO_KINGDOM,
    ExitCode.DOUBTFUL,
    ExitCode.DIFFERENT,
    ExitCode.SURE,
)


def worst(codes: list[ExitCode]) -> ExitCode:
    """The exit code of a run over several photos: the most urgent of theirs."""
    return min(codes, key=URGENCY.index, default=ExitCode.SURE)


class KdvisionError(Exception):
    """An error of ours.

    Args:
        message: One sentence: what is wrong, with the name of the thing.
        advice: One sentence: what to do about it. May be empty.
    """

    exit_code = ExitCode.UNEXPECTED

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.message} {self.advice}".strip()

    def __reduce__(self) -> tuple[type["KdvisionError"], tuple[str, str]]:
        return type(self), (self.message, self.advice)


class UsageError(KdvisionError):
    """The command, a kingdom line or a sheet is not well formed."""

    exit_code = ExitCode.USAGE


class UnreadablePhotoError(KdvisionError):
    """A file is missing, is no picture, is damaged, or is too large."""

    exit_code = ExitCode.UNREADABLE


class NoKingdomError(KdvisionError):
    """A photo was read, but no kingdom is in it."""

    exit_code = ExitCode.NO_KINGDOM


class ModelError(KdvisionError):
    """A model file is missing, damaged, or not one of ours."""

    exit_code = ExitCode.MODEL
