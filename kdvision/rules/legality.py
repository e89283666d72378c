"""What a kingdom breaks: every problem, with the squares that it concerns (RULES 5 and 6)."""

from dataclasses import dataclass
from enum import StrEnum

from kdvision.rules.kingdom import Kingdom, Position


class Severity(StrEnum):
    """What a problem is about."""

    ERROR = "error"
    MISREAD = "misread"
    WARNING = "warning"


class Code(StrEnum):
    """The kinds of problem."""

    NO_CASTLE = "no-castle"
    NO_ORDER = "no-order"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that a kingdom breaks."""

    code: StrEnum
    severity: Severity
    message: str
    cells: tuple[Position, ...] = ()


def problems(kingdom: Kingdom, size: int | None = None) -> tuple[Problem, ...]:
    """Every problem of a kingdom."""
    return ()
