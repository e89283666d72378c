"""What a photo came to: the values that reports, batches and programs are given."""

from dataclasses import dataclass
from enum import StrEnum

from kdvision.errors import ExitCode
from kdvision.reading import Alternative, Doubt
from kdvision.rules.kingdom import Position
from kdvision.rules.problem import Problem
from kdvision.rules.scoring import ScoreSheet


class Status(StrEnum):
    """How a photo ended."""

    SURE = "sure"
    DOUBTFUL = "doubtful"
    NO_KINGDOM = "no-kingdom"
    UNREADABLE = "unreadable"

    @property
    def exit_code(self) -> ExitCode:
        """The exit code that this status asks for."""
        return _EXIT_CODES[self]


_EXIT_CODES = {
    Status.SURE: ExitCode.SURE,
    Status.DOUBTFUL: ExitCode.DOUBTFUL,
    Status.NO_KINGDOM: ExitCode.NO_KINGDOM,
    Status.UNREADABLE: ExitCode.UNREADABLE,
}


@dataclass(frozen=True, slots=True)
class ReadSquare:
    """One place of the kingdom as it was read.

    `at` is its (row, col) in the kingdom of the sheet, `text` the cell as in a kingdom line,
    `center` in pixels (x, y) of the upright photo.
    """

    at: Position
    text: str
    probability: float
    center: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class KingdomResult:
    """One kingdom of a photo, scored.

    `sheet.kingdom` is trimmed to its bounding box. `corners` are those of the box: top left, top
    right, bottom right, bottom left, in pixels (x, y) of the upright photo; empty without photo.
    `warnings` are what the user should know of the reading; their positions count in its grid.
    `seen` is the kingdom line before the deck corrected it, None where both agree. `problems` is
    what the kingdom breaks, whatever its score.
    """

    sheet: ScoreSheet
    status: Status
    probability: float
    squares: tuple[ReadSquare, ...]
    corners: tuple[tuple[float, float], ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    warnings: tuple[Doubt, ...] = ()
    seen: str | None = None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """All kingdoms of one photo, in the reading order of their castles.

    `message` says why there is doubt or nothing to score, without the name of the photo; empty
    when sure.
    `size` is (width, height) of the upright photo in pixels.
    """

    photo: str
    status: Status
    message: str = ""
    kingdoms: tuple[KingdomResult, ...] = ()
    size: tuple[int, int] = (0, 0)
