"""What a game is played with: players, kings, dominoes, lines (RULES 5.6).

>>> set_up_for("mighty-duel", 2).rounds, set_up_for(None, 3).name
(12, 'three players, lines of four')
"""

import re
from dataclasses import dataclass
from random import Random

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
        dominoes: The number of dominoes of the deck that are in play.
        line: The number of dominoes in a line. Where it is longer than there are kings, its
            leftover is discarded.
        horseshoe: An option of text 000 for two players: one king is drawn for the first line,
            then both of the other player come, then the last one; otherwise all kings are drawn.
    """

    name: str
    players: int
    size: int
    kings: int
    dominoes: int
    line: int
    horseshoe: bool = False

    @property
    def rounds(self) -> int:
        """The number of lines of the game."""
        return self.dominoes // self.line

    @property
    def variant(self) -> str:
        """The name in one word, as `start` and the text of a state have it: `mighty-duel`."""
        return re.sub(r"[^a-z]+", "-", self.name.lower())


TWO_PLAYERS = SetUp("two players", 2, 5, 2, 24, 4)
TWO_PLAYERS_HORSESHOE = SetUp("two players, horseshoe", 2, 5, 2, 24, 4, horseshoe=True)
THREE_PLAYERS = SetUp("three players, lines of four", 3, 5, 1, 48, 4)
THREE_PLAYERS_LINES_OF_THREE = SetUp("three players, lines of three", 3, 5, 1, 36, 3)
FOUR_PLAYERS = SetUp("four players", 4, 5, 1, 48, 4)
MIGHTY_DUEL = SetUp("Mighty Duel", 2, 7, 2, 48, 4)

SET_UPS = (TWO_PLAYERS, THREE_PLAYERS, THREE_PLAYERS_LINES_OF_THREE, FOUR_PLAYERS, MIGHTY_DUEL)
#: Every set-up by its name in one word.
VARIANTS = {one.variant: one for one in (*SET_UPS, TWO_PLAYERS_HORSESHOE)}
#: The set-up that most texts give, by the number of players.
USUAL = {2: TWO_PLAYERS, 3: THREE_PLAYERS, 4: FOUR_PLAYERS}


def set_up_for(variant: str | SetUp | None, players: int) -> SetUp:
    """Return the set-up of a variant by name, or the usual one, for a number of players.

    Raises:
        ValueError: There is no such variant, or it is not for so many players.
    """
    if isinstance(variant, str):
        if variant not in VARIANTS:
            raise ValueError(
                f"{variant[:40]!r} is no variant. Write one of {', '.join(sorted(VARIANTS))}."
            )
        variant = VARIANTS[variant]
    if variant is None and players not in USUAL:
        raise ValueError(f"Kingdomino is for two to four players, not for {players}.")
    chosen = variant or USUAL[players]
    if chosen.players != players:
        raise ValueError(f"{chosen.name} is not for {players} players.")
    return chosen


def checked_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of players, if they can stand in the text of a state and of a record.

    Raises:
        ValueError: A name is there twice, is empty, too long, or has a character that the text
            gives a meaning: a comma, a semicolon, a quote, a line break.
    """
    for name in names:
        fits = name == name.strip() and 0 < len(name) <= MAX_NAME_LENGTH and name.isprintable()
        if not fits or set(name) & set(',;"'):
            raise ValueError(
                f"{name[:40]!r} cannot be the name of a player: 1 to {MAX_NAME_LENGTH} letters, "
                f"no comma, semicolon, quote or line break."
            )
    if len(set(names)) < len(names):
        raise ValueError("Two players have the same name.")
    return names


def opening(set_up: SetUp, rng: Random) -> list[int]:
    """Return the players of the kings in the order in which they go on the first line."""
    players = range(set_up.players)
    if set_up.horseshoe:
        first, other = rng.sample(players, 2)
        return [first, other, other, first]
    order = [player for player in players for _ in range(set_up.kings)]
    rng.shuffle(order)
    return order
