"""What games are played with: the variants, and the players (RULES 5.6)."""

import re
from dataclasses import dataclass
from random import Random

from kdvision.rules.errors import RulesError

#: The longest name of a player, in characters.
MAX_NAME_LENGTH = 40


@dataclass(frozen=True, slots=True)
class SetUp:
    """What a game is played with (RULES 5.6).

    Attributes:
        name: What people call it.
        players: The number of players.
        size: The side of the largest kingdom, 5 or 7.
        kings: The number of kings of each player.
        dominoes: The number of dominoes in play.
        line: The number of dominoes in a line; those that no king can take are discarded.
        horseshoe: Whether one king is drawn, then both of the other player come, then the last one
            (text 000), instead of all kings one after the other.
    """

    name: str
    players: int
    size: int
    kings: int
    dominoes: int
    line: int
    horseshoe: bool = False

    @property
    def variant(self) -> str:
        """The name in one word, as `start` and the text of a state have it: `mighty-duel`."""
        return re.sub(r"[^a-z]+", "-", self.name.lower())


#: Every set-up by its name in one word: those that the texts allow.
VARIANTS = {
    set_up.variant: set_up
    for set_up in (
        SetUp("two players", 2, 5, 2, 24, 4),
        SetUp("two players, horseshoe", 2, 5, 2, 24, 4, horseshoe=True),
        SetUp("three players, lines of four", 3, 5, 1, 48, 4),
        SetUp("three players, lines of three", 3, 5, 1, 36, 3),
        SetUp("four players", 4, 5, 1, 48, 4),
        SetUp("Mighty Duel", 2, 7, 2, 48, 4),
    )
}
#: The variant that most texts give, by the number of players.
_USUAL = {2: "two-players", 3: "three-players-lines-of-four", 4: "four-players"}


def find_set_up(variant: str | None, players: int) -> SetUp:
    """Return the set-up of a variant, or the usual one, for a number of players.

    Raises:
        RulesError: There is no such variant, or it is not for so many players.
    """
    if variant is None and players not in _USUAL:
        raise RulesError(f"Kingdomino is for two to four players, not for {players}.")
    set_up = VARIANTS.get(_USUAL[players] if variant is None else str(variant))
    if set_up is None:
        names = ", ".join(sorted(VARIANTS))
        raise RulesError(f"{str(variant)[:40]!r} is no variant. Write one of {names}.")
    if set_up.players != players:
        raise RulesError(f"{set_up.name} is not for {players} players.")
    return set_up


def check_names(names: tuple[str, ...], set_up: SetUp) -> tuple[str, ...]:
    """Return the names of players, if they can stand in the text of a state and of a record.

    Raises:
        RulesError: They are too few or too many, or one is there twice, is empty, too long, or has
            a character that the text gives a meaning: a comma, a semicolon, a quote, a line break.
    """
    if len(names) != set_up.players:
        raise RulesError(f"{set_up.name} needs {set_up.players} names, not {len(names)}.")
    for name in names:
        is_text = isinstance(name, str) and name == name.strip() and name.isprintable()
        if not is_text or not 0 < len(name) <= MAX_NAME_LENGTH or set(name) & set(',;"'):
            raise RulesError(
                f"{str(name)[:40]!r} cannot be the name of a player: "
                f"1 to {MAX_NAME_LENGTH} letters, no comma, semicolon, quote or line break."
            )
    if len(set(names)) < len(names):
        raise RulesError("Two players have the same name.")
    return names


def draw_kings(set_up: SetUp, rng: Random) -> list[int]:
    """Return the owners of the kings in the order in which these go on the first line."""
    players = range(set_up.players)
    if set_up.horseshoe:
        first, second = rng.sample(players, 2)
        return [first, second, second, first]
    order = [player for player in players for _ in range(set_up.kings)]
    rng.shuffle(order)
    return order
