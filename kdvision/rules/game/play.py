"""Whole games: set-up, lines, draft, laying, forced discards, the end (RULES 5.5, 5.6).

A seed plays the same game again: `play_game([Greedy()] * 4, seed=7)`. The realms that come out
hold their dominoes in the order of laying; `Realm.after` gives a kingdom part-way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from kdvision.rules.dominoes import Domino, deck
from kdvision.rules.game.laying import Laid, Realm


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


TWO_PLAYERS = SetUp("two players", 2, 5, 2, 24, 4)
THREE_PLAYERS = SetUp("three players, lines of four", 3, 5, 1, 48, 4)
THREE_PLAYERS_LINES_OF_THREE = SetUp("three players, lines of three", 3, 5, 1, 36, 3)
FOUR_PLAYERS = SetUp("four players", 4, 5, 1, 48, 4)
MIGHTY_DUEL = SetUp("Mighty Duel", 2, 7, 2, 48, 4)

SET_UPS = (TWO_PLAYERS, THREE_PLAYERS, THREE_PLAYERS_LINES_OF_THREE, FOUR_PLAYERS, MIGHTY_DUEL)


class Player(Protocol):
    """Who decides. Both questions come with the game's own random numbers."""

    def choose(self, line: Sequence[Domino], realm: Realm, rng: Random) -> Domino:
        """Pick one of the dominoes of the line that are still free."""
        ...

    def lay(self, moves: Sequence[Laid], realm: Realm, rng: Random) -> Laid:
        """Pick one of the legal moves; there is at least one."""
        ...


@dataclass(frozen=True, slots=True)
class Claim:
    """A domino with the king of a player on it."""

    domino: Domino
    player: int


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the game.

    `dominoes` are sorted by number, `claims` in the order in which the kings were put down,
    `leftover` are the dominoes that nobody could claim.
    """

    dominoes: tuple[Domino, ...]
    claims: tuple[Claim, ...]
    leftover: tuple[Domino, ...]

    @property
    def order(self) -> tuple[Claim, ...]:
        """The claims in the order of play of the next line: by number."""
        return tuple(sorted(self.claims, key=lambda claim: claim.domino.number))


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was played to its end: one realm per player, and the lines."""

    set_up: SetUp
    seed: int
    realms: tuple[Realm, ...]
    lines: tuple[Line, ...]


def play_game(players: Sequence[Player], seed: int, set_up: SetUp | None = None) -> Game:
    """Play one game to its end.

    Args:
        players: One for each kingdom, in the order of the realms that come out.
        seed: The same seed and players play the same game.
        set_up: None takes the usual one for so many players.

    Raises:
        ValueError: No set-up is for so many players.
    """
    set_up = set_up or _usual(len(players))
    if set_up.players != len(players):
        raise ValueError(f"{set_up.name} is not for {len(players)} players.")
    rng = Random(seed)
    realms = [Realm(set_up.size) for _ in players]
    pile = rng.sample(deck(), set_up.dominoes)
    order = _opening(set_up, rng)
    claims: tuple[Claim | None, ...] = (None,) * len(order)
    lines: list[Line] = []
    for start in range(0, set_up.dominoes, set_up.line):
        free = sorted(pile[start : start + set_up.line], key=lambda domino: domino.number)
        dominoes, made = tuple(free), []
        for player, claim in zip(order, claims, strict=True):
            if claim:
                realms[player] = _take(realms[player], claim.domino, players[player], rng)
            chosen = players[player].choose(tuple(free), realms[player], rng)
            free.remove(chosen)
            made.append(Claim(chosen, player))
        lines.append(Line(dominoes, tuple(made), tuple(free)))
        claims = lines[-1].order
        order = [claim.player for claim in lines[-1].order]
    for claim in lines[-1].order:
        player = claim.player
        realms[player] = _take(realms[player], claim.domino, players[player], rng)
    return Game(set_up, seed, tuple(realms), tuple(lines))


def _usual(players: int) -> SetUp:
    """The set-up that most texts give for so many players."""
    usual = {2: TWO_PLAYERS, 3: THREE_PLAYERS, 4: FOUR_PLAYERS}
    if players not in usual:
        raise ValueError(f"Kingdomino is for two to four players, not for {players}.")
    return usual[players]


def _opening(set_up: SetUp, rng: Random) -> list[int]:
    """The players of the kings in the order in which they go on the first line."""
    players = range(set_up.players)
    if set_up.horseshoe:
        first, other = rng.sample(players, 2)
        return [first, other, other, first]
    order = [player for player in players for _ in range(set_up.kings)]
    rng.shuffle(order)
    return order


def _take(realm: Realm, domino: Domino, player: Player, rng: Random) -> Realm:
    """Lay a domino, or discard it when it has no place (RULES 5.5)."""
    moves = realm.moves(domino)
    if not moves:
        return realm.discard(domino)
    return realm.lay(player.lay(moves, realm, rng))
