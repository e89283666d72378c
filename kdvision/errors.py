"""One tree of errors, each with its exit code and a remedy.

Every error that a user can cause is a `KdvisionError`. It carries one sentence that
says what is wrong, one that says what to do (`advice`), and the exit code that
`kdscore` ends with. The command line turns them into text in one place.
"""

from enum import IntEnum
from typing import Any


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


#: Stands for the name of the photo in the sentences of errors.
PHOTO_FIELD = "{photo}"


def worst(codes: list[ExitCode]) -> ExitCode:
    """The exit code of a run over several photos: the most urgent of theirs."""
    return min(codes, key=URGENCY.index, default=ExitCode.SURE)


class KdvisionError(Exception):
    """An error of ours.

    Args:
        template: One sentence: what is wrong. `{photo}` stands for the name of the photo.
        advice: One sentence: what to do about it. May be empty.
        photo: The name of the photo that it is about; None where there is none, or no name.
    """

    exit_code = ExitCode.UNEXPECTED
    #: What the photo is called where its name is not.
    noun = "the photo"

    def __init__(self, template: str, advice: str = "", *, photo: str | None = None) -> None:
        super().__init__(template)
        self.template = template
        self.advice = advice
        self.photo = photo

    @property
    def message(self) -> str:
        """What is wrong, with the name of the photo."""
        return self._filled(self.noun if self.photo is None else self.photo)

    @property
    def unnamed(self) -> str:
        """What is wrong and what to do, for where the name of the photo stands beside it."""
        return f"{self._filled(self.noun)} {self.advice}".strip()

    def _filled(self, name: str) -> str:
        text = self.template.replace(PHOTO_FIELD, name)
        begins = self.template.startswith(PHOTO_FIELD) and name == self.noun
        return text[:1].upper() + text[1:] if begins else text

    def __str__(self) -> str:
        return f"{self.message} {self.advice}".strip()

    def __reduce__(self) -> tuple[Any, ...]:
        # The name goes with the state: the class is called with the two sentences only.
        return type(self), (self.template, self.advice), {"photo": self.photo}


class UsageError(KdvisionError):
    """The command, a kingdom line or a sheet is not well formed."""

    exit_code = ExitCode.USAGE


class UnreadablePhotoError(KdvisionError):
    """A file is missing, is no picture, is damaged, or is too large."""

    exit_code = ExitCode.UNREADABLE
    noun = "the file"


class NoKingdomError(KdvisionError):
    """A photo was read, but no kingdom is in it; `slips` are the slips of paper that are."""

    exit_code = ExitCode.NO_KINGDOM
    slips: tuple[Any, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        kind, words, state = super().__reduce__()
        return kind, words, {**state, "slips": self.slips}


class ModelError(KdvisionError):
    """A model file is missing, damaged, or not one of ours."""

    exit_code = ExitCode.MODEL
