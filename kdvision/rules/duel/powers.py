"""The six powers of the spell book of Kingdomino Duel, and what they pay (RULES 7.3, 7.4)."""

from enum import Enum

#: What the fifth power pays for each domain of its coat (RULES 7.3).
WIZARD_POINTS = 3
#: The crosses that the sixth power adds.
SIXTH_POWER_CROSSES = 1


class Power(Enum):
    """The six wizard powers, in the order of the text (RULES 7.4)."""

    IGNORE_CONNECTION = "ignore-connection"
    SPLIT = "split"
    DRAFT_TWICE = "draft-twice"
    TURN_DIE = "turn-die"
    DOMAINS = "domains"
    CROSS = "cross"
