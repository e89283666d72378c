"""Players that need no person, and whole games between them: kingdoms as they lie at the end.

`AtRandom` decides by chance. `Greedy` takes the most points and lays tidily, so two in three of
its kingdoms end full.

    >>> len(play_game([Greedy(), AtRandom()], seed=7))
    2
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from kdvision.rules.dominoes import Domino
from kdvision.rules.game.laying import Action, Choose, Discard, Land, Lay
from kdvision.rules.game.record import GameRecord, LaidKingdom
from kdvision.rules.game.state import GameState, SetUp

#: What a domino without any place is worth: less than any that can be laid.
NO_PLACE = -1e9


class Player(Protocol):
    """What decides for a player."""

    def act(self, state: GameState, rng: Random) -> Action:
        """Answer with one of the actions of the state, in which it is this player's turn."""
        ...


@dataclass(frozen=True, slots=True)
class AtRandom:
    """Decides by chance alone."""

    def act(self, state: GameState, rng: Random) -> Action:
        """Choose any action."""
        return rng.choice(state.actions())


@dataclass(frozen=True, slots=True)
class Greedy:
    """Takes what pays most at once, and lays tidily.

    `tidiness` is what a place that no domino can fill any more counts against a move, in points;
    an edge shared with another square counts for it by a tenth of that.
    """

    tidiness: float = 5.0

    def act(self, state: GameState, rng: Random) -> Action:
        """Take the best move, or the domino that has it; one without any place comes last."""
        (number, owner), dominoes = state.turns[0], state.deck.by_number
        land = state.lands[owner]
        if not number:
            sign = _sign(state)
            values = {free: sign * self.best(land, dominoes[free])[0] for free in state.line}
            return Choose(max(values, key=lambda one: (values[one], rng.random())))
        moves = land.moves(dominoes[number])
        if not moves:
            return Discard(number)
        rng.shuffle(moves)
        left, right = self.best(land, dominoes[number], moves)[1]
        return Lay(number, land.frame.position(left), land.frame.position(right))

    def best(
        self, land: Land, domino: Domino, moves: list[tuple[int, int]] | None = None
    ) -> tuple[float, tuple[int, int]]:
        """Return the value of a domino's best move, `NO_PLACE` without any, and the move."""
        taken = land.taken
        best, found = NO_PLACE, (0, 0)
        for move in land.moves(domino) if moves is None else moves:
            value = self.value(land, domino, move, taken)
            if value > best:
                best, found = value, move
        return best, found

    def value(self, land: Land, domino: Domino, move: tuple[int, int], taken: int) -> float:
        """Return what a move is worth: points at once, edges shared, places lost.

        `taken` are the places of the land where something lies.
        """
        left, right = move
        after = land.lay(domino, left, right)
        beside = land.frame.beside
        contacts = (beside[left] & taken).bit_count() + (beside[right] & taken).bit_count()
        holes = odd_pieces(after.free, beside[left] | beside[right], land.frame.stride)
        return after.points - land.points + self.tidiness * (0.1 * contacts - holes)


def _sign(state: GameState) -> int:
    """Return 1 where a player chooses for a king of one's own, -1 for one of others (RULES 8)."""
    return 1 if state.current_player == state.turns[0][1] else -1


def odd_pieces(free: int, beside: int, stride: int) -> int:
    """Count the connected free places that touch `beside` and are odd in number.

    Dominoes cannot fill such a piece: one place of it stays empty.
    """
    odd = 0
    rest = beside & free
    while rest:
        found = rest & -rest
        grown = 0
        while grown != found:
            grown = found
            found |= (found << 1 | found >> 1 | found << stride | found >> stride) & free
        odd += found.bit_count() & 1
        rest &= ~found
    return odd


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was played to its end: one kingdom per player."""

    set_up: SetUp
    seed: int
    kingdoms: tuple[LaidKingdom, ...]
    record: GameRecord


def play_game(players: Sequence[Player], seed: int, set_up: SetUp | str | None = None) -> Game:
    """Play one game to its end.

    Args:
        players: One for each kingdom, in the order of the kingdoms that come out.
        seed: The same seed and players play the same game.
        set_up: A set-up or the name of one; None takes the usual one for so many players.
    """
    start = GameState.start(len(players), variant=set_up, seed=seed)
    record = GameRecord(start)
    rng = Random(f"players {seed}")
    while (player := record.state.current_player) is not None:
        answer = players[player].act(record.state.imagined(rng), rng)
        record = record.play(answer)
    return Game(start.set_up, seed, record.laid_kingdoms(), record)
