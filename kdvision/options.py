"""The options of a game: what kingdoms are scored by, passed whole from the edge to the stages."""

from dataclasses import dataclass

from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import ScoreSheet, natural_size, score


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The rules that kingdoms are scored by.

    `size` is 5, 7 or None for what fits; then the bonuses in play, and how many boxes the
    dominoes of one photo come from.
    """

    size: int | None = None
    harmony: bool = False
    middle_kingdom: bool = False
    boxes: int = 1

    def score(self, kingdom: Kingdom) -> ScoreSheet:
        """The score sheet of a kingdom."""
        return score(
            kingdom,
            self.size or natural_size(kingdom),
            harmony=self.harmony,
            middle_kingdom=self.middle_kingdom,
        )
