"""The options of a game: what kingdoms are scored by, passed whole from the edge to the stages."""

from typing import Any

from msgspec import Struct
from msgspec.structs import force_setattr

from kdvision.errors import UsageError
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import SIZES, Centre, ScoreSheet, score

#: Nobody puts more boxes on one table; a larger number is a slip.
MOST_BOXES = 9


class GameOptions(Struct, frozen=True):
    """The rules that kingdoms are scored by.

    Attributes:
        size: 5, or 7 for a Mighty Duel; None takes what fits.
        harmony: Whether the Harmony bonus is in play (RULES 3.1).
        middle_kingdom: Whether the Middle Kingdom bonus is in play (RULES 3.2).
        boxes: How many boxes the dominoes of one photo come from, 1 to 9: all of its kingdoms
            together hold no domino more often.
        centre: What the castle must be the centre of for the Middle Kingdom (RULES 8).

    Raises:
        UsageError: A value is none of these.
    """

    size: int | None = None
    harmony: bool = False
    middle_kingdom: bool = False
    boxes: int = 1
    centre: Centre = Centre.BOX

    def __post_init__(self) -> None:
        if self.size is not None and not _is_number(self.size, SIZES):
            raise _wrong("size", self.size, "Write 5, 7, or None for what fits.")
        for name in ("harmony", "middle_kingdom"):
            if not isinstance(getattr(self, name), bool):
                raise _wrong(name, getattr(self, name), "Write True or False.")
        if not _is_number(self.boxes, range(1, MOST_BOXES + 1)):
            raise _wrong("boxes", self.boxes, f"Write a number from 1 to {MOST_BOXES}.")
        if self.centre not in tuple(Centre):
            raise _wrong("centre", self.centre, "Write box or frame.")
        force_setattr(self, "centre", Centre(self.centre))

    def score(self, kingdom: Kingdom) -> ScoreSheet:
        """The score sheet of a kingdom."""
        return score(
            kingdom,
            self.size,
            harmony=self.harmony,
            middle_kingdom=self.middle_kingdom,
            centre=self.centre,
        )


def _is_number(value: Any, allowed: tuple[int, ...] | range) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in allowed


def _wrong(name: str, value: Any, advice: str) -> UsageError:
    return UsageError(f"{name} is {repr(value)[:20]}.", advice)


#: No bonus in play, any size, one box.
DEFAULT_OPTIONS = GameOptions()
