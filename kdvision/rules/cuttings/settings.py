"""The hand-set numbers by which a break of the joining rule is judged.

A field that decides whether a kingdom is called legal is `Annotated` with `"legal"`.
"""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class BreakSettings:
    """How often the joining rule is broken, and from when on that is said.

    Attributes:
        rate: probability that a player lays a domino against the rule: 4 of 36 real kingdoms of
            twelve dominoes each had one (RULES 6).
        known_from: probability. What is as likely as this is said as if it were known. Set by hand:
            one mistake in twenty, where a number beside every domino would be read by nobody.
        named_from: probability. A domino that breaks the rule less likely than this is not named:
            of a dozen that may, none is worth a look.
    """

    rate: Annotated[float, "legal"] = 0.01
    known_from: Annotated[float, "legal"] = 0.95
    named_from: float = 0.1


BREAKS = BreakSettings()
