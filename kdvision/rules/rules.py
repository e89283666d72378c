"""What a game is played by: the size of kingdoms, the bonuses, and what is a centre (RULES 3)."""

from dataclasses import dataclass
from enum import StrEnum

from kdvision.rules.errors import check_number, check_type, choose

#: The sides of the largest kingdom: in the usual game, and in a Mighty Duel (RULES 3.5).
SIZES = (5, 7)
#: The larger of the two.
MAX_SIZE = max(SIZES)
#: The squares that a player can lay in each: 12 dominoes, 24 in a Mighty Duel (RULES 6).
MAX_SQUARES = {5: 24, 7: 48}


class Centre(StrEnum):
    """What the castle must be the centre of for the Middle Kingdom (RULES 3.2, 8)."""

    #: The kingdom's own bounding box. The default.
    BOX = "box"
    #: A frame of the size of the game that can be laid around the kingdom.
    FRAME = "frame"


@dataclass(frozen=True, slots=True)
class Rules:
    """What a game is played by.

    Attributes:
        size: 5, or 7 for a Mighty Duel; None takes what fits.
        harmony: Whether the Harmony bonus is in play (RULES 3.1).
        middle_kingdom: Whether the Middle Kingdom bonus is in play (RULES 3.2).
        centre: What the castle must be the centre of for the Middle Kingdom: a `Centre`, or its
            name.

    Raises:
        RulesError: The size is neither 5 nor 7, a bonus neither True nor False, or there is no
            such centre.

        >>> Rules(size=7, centre="frame").centre
        <Centre.FRAME: 'frame'>
    """

    size: int | None = None
    harmony: bool = False
    middle_kingdom: bool = False
    centre: Centre = Centre.BOX

    def __post_init__(self) -> None:
        if self.size is not None:
            check_size(self.size)
        check_type(self.harmony, bool, "value of harmony; give True or False")
        check_type(self.middle_kingdom, bool, "value of middle_kingdom; give True or False")
        object.__setattr__(self, "centre", choose(Centre, self.centre, "centre"))


def check_size(size: object) -> None:
    """Refuse what is no side of the largest kingdom of a game.

    Raises:
        RulesError: It is neither 5 nor 7.
    """
    check_number(size, SIZES, "The size of a kingdom is 5 or 7")


def check_rules(rules: object) -> None:
    """Refuse what are no rules.

    Raises:
        RulesError: It is no `Rules`.
    """
    check_type(rules, Rules, "record of rules; give such as Rules(size=7)")


#: No bonus in play, any size.
DEFAULT_RULES = Rules()
