"""One tree of errors, each with its exit code and a remedy.

Every error that a caller can cause is a `KdvisionError`, with the exit code that `kdscore` ends
with. What people at a page can meet is a sentence of the catalogue, which `text(language)` gives in
their language; `str()` is English. The command line turns errors into text in one place.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from enum import IntEnum

from kdvision.rules.errors import KdvisionError as KdvisionError
from kdvision.sentences import ENGLISH, Sentence, catalogue, join_sentences, listed


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


#: With several photos the run exits with the first of these that it meets.
URGENCY = (
    ExitCode.DIFFERENT,
    ExitCode.UNEXPECTED,
    ExitCode.MODEL,
    ExitCode.USAGE,
    ExitCode.UNREADABLE,
    ExitCode.NO_KINGDOM,
    ExitCode.DOUBTFUL,
    ExitCode.SURE,
)


def worst(codes: list[ExitCode]) -> ExitCode:
    """Return the exit code of a run over several photos: the most urgent of their codes."""
    return min(codes, key=URGENCY.index, default=ExitCode.SURE)


#: What results call a photo without a name.
UNNAMED = "The picture"


class SentenceError(KdvisionError):
    """An error that says what is wrong and what to do, in every language of the catalogues.

    Args:
        what: What is wrong: a sentence of the catalogue, or English text where only the command
            line and programs meet it. `{@photo}` in the sentence is the name of the photo.
        advice: What to do about it. Where it is empty, that is the sentence whose key is the key of
            `what` with `.advice` behind it, if there is one.
        photo: The name of the photo that it is about; None or `UNNAMED` where it has no name.
        notes: What else is to be said of the photo, between the two.
    """

    exit_code = ExitCode.UNEXPECTED
    #: The key of what the photo is called where its name is not known or stands beside it.
    noun = "photo.photo"

    def __init__(
        self,
        what: Sentence | str,
        advice: Sentence | str = "",
        *,
        photo: str | None = None,
        notes: Sequence[Sentence] = (),
    ) -> None:
        super().__init__(what, advice)
        self.photo = None if photo == UNNAMED else photo
        self.notes = tuple(notes)

    @property
    def message(self) -> str:
        """What is wrong, in English, with the name of the photo."""
        return join_sentences(self._sentences(self.photo)[: 1 + len(self.notes)])

    @property
    def advice(self) -> str:
        """What to do about it, in English; may be empty."""
        return join_sentences(self.reasons[1 + len(self.notes) :])

    @property
    def reasons(self) -> tuple[Sentence, ...]:
        """What is wrong and what to do, for where the name of the photo stands beside it."""
        return self._sentences(None)

    def text(self, language: str = ENGLISH) -> str:
        """Return what is wrong and what to do, with the name of the photo."""
        return join_sentences(self._sentences(self.photo), language)

    def __str__(self) -> str:
        return self.text()

    def _sentences(self, photo: str | None) -> tuple[Sentence, ...]:
        """Return what is wrong with a photo of this name and what to do."""
        what, advice = self.args
        # The catalogue may have advice for its sentence.
        if not advice and isinstance(what, Sentence) and f"{what.key}.advice" in catalogue():
            advice = Sentence(f"{what.key}.advice", what.fields)
        if isinstance(what, Sentence):
            named = {"photo": self.noun, "Photo": f"{self.noun}-first"}
            if photo is not None:
                named = {"photo": "photo.named", "Photo": "photo.named", "photo_name": photo}
            what = Sentence(what.key, {**named, **what.fields})
        texts = filter(None, (what, *self.notes, advice))
        return tuple(Sentence.plain(text) if isinstance(text, str) else text for text in texts)


class UsageError(SentenceError):
    """The command, a kingdom line or a sheet is not well formed."""

    exit_code = ExitCode.USAGE


class UnreadablePhotoError(SentenceError):
    """A file is missing, is no picture, is damaged, or is too large."""

    exit_code = ExitCode.UNREADABLE
    noun = "photo.file"


class NoKingdomError(SentenceError):
    """A photo was read, but no kingdom is in it."""

    exit_code = ExitCode.NO_KINGDOM


class ModelError(SentenceError):
    """A model file is missing, damaged, or not one of ours."""

    exit_code = ExitCode.MODEL


#: Packages whose modules have another name.
_PACKAGES = {"cv2": "opencv-python-headless", "PIL": "pillow"}


def broken_library(error: ImportError) -> UsageError:
    """Return the error for a library that is installed and cannot be imported."""
    module = (error.name or "a library").partition(".")[0]
    package = _PACKAGES.get(module, module)
    advice = f"Install it again: pip install --force-reinstall {package}"
    if module == "cv2":  # the same module in another package, which needs a display
        advice = f"Remove opencv-python if it is there. {advice}"
    return UsageError(f"{package} cannot be imported: {error}.", advice)


def missing_extra(what: str, extra: str) -> UsageError:
    """Return the error for something that needs an extra.

    It names the packages that are missing: that helps however kdvision was installed. The metadata
    of the installed package say what belongs to an extra.
    """
    from importlib import metadata  # only here: most runs have no use for it

    requirements: list[str] = []
    with suppress(metadata.PackageNotFoundError):  # it may run from a folder
        requirements = metadata.requires("kdvision") or []
    missing = []
    for requirement in requirements:
        name, mark = re.split(r"[^\w.-]", requirement)[0], requirement.replace('"', "'")
        if f"extra == '{extra}'" not in mark:
            continue
        try:
            metadata.version(name)
        except metadata.PackageNotFoundError:
            missing.append(name)
    return UsageError(
        f"{what} needs {listed(missing) or extra}.",
        f"Install what is missing: pip install {' '.join(missing) or f'kdvision[{extra}]'}",
    )
