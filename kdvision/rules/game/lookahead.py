"""A player that looks ahead: it plays many futures out, and takes what ends best on average.

For each candidate it deals what nobody has seen anew, lays its own dominoes greedily to the end of
the game, and compares the points. Every candidate is tried on the same deals. What the others do
is only felt in two ways: of the dominoes of a line it expects the better of two, drawn by chance,
and a domino that an opponent wants most is worth something to take away.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from kdvision.rules.game.actions import Action, Choose, Discard, Lay
from kdvision.rules.game.land import Land, Piece
from kdvision.rules.game.players import NO_PLACE, Greedy
from kdvision.rules.game.state import GameState

#: Dominoes to come, one after the other: each the best of those in a tuple.
Future = list[tuple[Piece, ...]]

_GREEDY = Greedy()


@dataclass(frozen=True, slots=True)
class Lookahead:
    """Plays futures out.

    Attributes:
        playouts: How many futures each candidate is tried on, at most.
        width: How many moves of a domino are tried, the best ones by `Greedy`.
        denial: What a point counts that the next opponent could get at once and does not.
        seconds: A decision takes about so long at most; None for no limit, so that the same seed
            plays the same game on any machine.
    """

    playouts: int = 30
    width: int = 8
    denial: float = 0.4
    seconds: float | None = None

    def act(self, state: GameState, rng: Random) -> Action:
        """The candidate that ends best on average."""
        return self._lay(state, rng) if state.turns[0][0] else self._choose(state, rng)

    def _choose(self, state: GameState, rng: Random) -> Action:
        pieces, land = state.deck.pieces, state.lands[state.turns[0][1]]
        if len(state.line) == 1:
            return Choose(state.line[0])
        ends = dict.fromkeys(state.line, 0.0)
        for tries, future in self._futures(state, rng):
            for number in ends:
                ends[number] += (
                    played_out(land, [(pieces[number],), *future]) - ends[number]
                ) / tries
        left = {number: self.denial * left_over(state, number) for number in ends}
        return Choose(max(ends, key=lambda number: ends[number] - left[number]))

    def _lay(self, state: GameState, rng: Random) -> Action:
        (number, player), *_ = state.turns
        piece, land = state.deck.pieces[number], state.lands[player]
        taken, moves = land.taken, land.moves(piece)
        if not moves:
            return Discard(number)
        moves.sort(key=lambda move: -_GREEDY.value(land, piece, move, taken))
        after = {move: land.lay(piece, *move) for move in moves[: self.width]}
        ends = dict.fromkeys(after, 0.0)
        if len(ends) > 1:
            for tries, future in self._futures(state, rng):
                for move, one in after.items():
                    ends[move] += (played_out(one, future) - ends[move]) / tries
        left, right = max(ends, key=lambda move: ends[move])
        return Lay(number, land.frame.position(left), land.frame.position(right))

    def _futures(self, state: GameState, rng: Random) -> Iterator[tuple[int, Future]]:
        """Numbered futures of the current player, until there are enough or time is up."""
        until = None if self.seconds is None else time.monotonic() + self.seconds
        for tries in range(1, self.playouts + 1):
            yield tries, future_of(state, rng)
            if until is not None and time.monotonic() > until:
                return


def future_of(state: GameState, rng: Random) -> Future:
    """The dominoes that come to the current player after this action, the unseen ones by chance."""
    pieces, set_up = state.deck.pieces, state.set_up
    (number, player), *turns = state.turns
    standing = [one for one, who in (*turns, *state.kings) if who == player and one]
    future: Future = [(pieces[one],) for one in sorted(standing)]
    # The kings that have no domino of the line yet, but for the one that chooses now.
    kings = sum(who == player for _, who in turns) + (number > 0)
    for _ in range(kings if state.line else 0):
        future.append(tuple(pieces[one] for one in rng.sample(state.line, min(2, len(state.line)))))
    coming = rng.sample(state.unseen, len(state.pile))
    for start in range(0, len(coming), set_up.line):
        line = coming[start : start + set_up.line]
        for king in range(set_up.kings):
            future.append(tuple(pieces[one] for one in line[2 * king : 2 * king + 2]))
    return future


def played_out(land: Land, future: Future) -> int:
    """The points of a kingdom after all dominoes of a future were laid greedily."""
    for dominoes in future:
        best, laid = NO_PLACE, None
        for piece in dominoes:
            value, move = _GREEDY.best(land, piece)
            if value > best:
                best, laid = value, (piece, *move)
        if laid is not None:
            land = land.lay(*laid)
    return land.points


def left_over(state: GameState, number: int) -> float:
    """What the next opponent can get at once when the current player takes a domino of the line.

    0 where no opponent chooses from this line any more.
    """
    me = state.turns[0][1]
    other = next((player for _, player in state.turns[1:] if player != me), None)
    rest = [one for one in state.line if one != number]
    if other is None or not rest:
        return 0.0
    land = state.lands[other]
    return max(0.0, *(_GREEDY.best(land, state.deck.pieces[one])[0] for one in rest))
