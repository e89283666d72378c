"""What a game is played with: players, kings, dominoes, lines (RULES 5.6)."""

import re
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class SetUp:
    """What a game is played with (RULES 5.6).

    `kings` is per player, `dominoes` how many of the deck are in play, `line` how many lie in a
    line. Where a line is longer than there are kings, its leftover is discarded. `horseshoe` is an
    option of text 000 for two players: one king is drawn for the first line, then both of the
    other player come, then the last one; otherwise all kings are drawn.
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
        """How many lines the game has."""
        return self.dominoes // self.line

    @property
    def variant(self) -> str:
        """The name in one word, as `start` and the text of a position have it: `mighty-duel`."""
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


def usual(players: int) -> SetUp:
    """The set-up that most texts give for so many players.

    Raises:
        ValueError: Kingdomino is not for so many.
    """
    found = {2: TWO_PLAYERS, 3: THREE_PLAYERS, 4: FOUR_PLAYERS}
    if players not in found:
        raise ValueError(f"Kingdomino is for two to four players, not for {players}.")
    return found[players]


def set_up_of(variant: str | SetUp | None, players: int) -> SetUp:
    """The set-up of a variant by name, or the usual one, for so many players.

    Raises:
        ValueError: There is no such variant, or it is not for so many players.
    """
    if isinstance(variant, str):
        if variant not in VARIANTS:
            raise ValueError(
                f"{variant[:40]!r} is no variant. Write one of {', '.join(sorted(VARIANTS))}."
            )
        variant = VARIANTS[variant]
    found = variant or usual(players)
    if found.players != players:
        raise ValueError(f"{found.name} is not for {players} players.")
    return found


def checked_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of players, if they can stand in the text of a position.

    Raises:
        ValueError: A name is there twice, is empty, or has a comma, a semicolon or a line break.
    """
    for name in names:
        if not name.strip() or set(name) & set(",;\n\r") or name != name.strip() or len(name) > 40:
            raise ValueError(
                f"{name[:40]!r} cannot be the name of a player: 1 to 40 letters, "
                f"no comma or semicolon."
            )
    if len(set(names)) < len(names):
        raise ValueError("Two players have the same name.")
    return names


def opening(set_up: SetUp, rng: Random) -> list[int]:
    """The players of the kings in the order in which they go on the first line."""
    players = range(set_up.players)
    if set_up.horseshoe:
        first, other = rng.sample(players, 2)
        return [first, other, other, first]
    order = [player for player in players for _ in range(set_up.kings)]
    rng.shuffle(order)
    return order
