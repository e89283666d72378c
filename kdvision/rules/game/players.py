"""Players that need no person, and whole games between them (RULES 5).

`AtRandom` decides by chance. `Greedy` takes the most points and lays tidily, so two in three of
its kingdoms end full. `Lookahead` plays many futures out. Other players need one method, `act`.

    >>> game = play_game([Greedy(), AtRandom()], seed=7)
    >>> [len(kingdom.laid) <= 12 for kingdom in game.kingdoms]
    [True, True]

A seed plays the same game again. The kingdoms hold their dominoes in the order of laying;
`LaidKingdom.after` gives a kingdom part-way.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeVar

from kdvision.rules.dominoes import Domino
from kdvision.rules.game.laying import Action, Choose, Discard, Land, Lay
from kdvision.rules.game.record import GameRecord, LaidKingdom
from kdvision.rules.game.state import GameState, SetUp


class Player(Protocol):
    """What decides for a player."""

    def act(self, state: GameState, rng: Random) -> Action:
        """Answer with one of the actions of the state, in which it is this player's turn.

        Args:
            state: The whole position. What nobody has seen yet is dealt anew, so that its pile
                is as good a guess as any, and no peeking.
            rng: The game's own random numbers.
        """
        ...


#: What a domino without any place is worth: less than any that can be laid.
NO_PLACE = -1e9


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


# ---------------------------------------------------------------------- looking ahead

#: Dominoes to come, one after the other: each the best of those in a tuple.
Future = list[tuple[Domino, ...]]
_Candidate = TypeVar("_Candidate")

_GREEDY = Greedy()


@dataclass(frozen=True, slots=True)
class Lookahead:
    """Plays futures out.

    Attributes:
        playouts: Maximum number of futures that each candidate is tried on.
        width: The number of moves of a domino that are tried, the best ones by `Greedy`.
        denial: What a point counts that the next opponent could get at once and does not.
        seconds: About how long a decision takes at most; None for no limit, so that the same seed
            plays the same game on any machine.
    """

    playouts: int = 30
    width: int = 8
    denial: float = 0.4
    seconds: float | None = None

    def act(self, state: GameState, rng: Random) -> Action:
        """Take the candidate that ends best on average."""
        return self._lay(state, rng) if state.turns[0][0] else self._choose(state, rng)

    def _choose(self, state: GameState, rng: Random) -> Action:
        dominoes, land = state.deck.by_number, state.lands[state.turns[0][1]]
        if len(state.line) == 1:
            return Choose(state.line[0])
        taking: dict[int, tuple[Land, Future]] = {
            number: (land, [(dominoes[number],)]) for number in state.line
        }
        sign, ends = _sign(state), self._average_ends(taking, state, rng)
        worth = {
            number: sign * (end - self.denial * left_over(state, number))
            for number, end in ends.items()
        }
        return Choose(max(worth, key=lambda number: worth[number]))

    def _lay(self, state: GameState, rng: Random) -> Action:
        (number, player), *_ = state.turns
        domino, land = state.deck.by_number[number], state.lands[player]
        taken, moves = land.taken, land.moves(domino)
        if not moves:
            return Discard(number)
        moves.sort(key=lambda move: -_GREEDY.value(land, domino, move, taken))
        after = {move: (land.lay(domino, *move), Future()) for move in moves[: self.width]}
        ends = self._average_ends(after, state, rng) if len(after) > 1 else dict.fromkeys(after, 0)
        left, right = max(ends, key=lambda move: ends[move])
        return Lay(number, land.frame.position(left), land.frame.position(right))

    def _average_ends(
        self, candidates: Mapping[_Candidate, tuple[Land, Future]], state: GameState, rng: Random
    ) -> dict[_Candidate, float]:
        """Return the mean points that candidates end with, each a land and what comes first."""
        until = None if self.seconds is None else time.monotonic() + self.seconds
        ends = dict.fromkeys(candidates, 0.0)
        for tries in range(1, self.playouts + 1):
            future = future_of(state, rng)
            for candidate, (land, first) in candidates.items():
                end = played_out(land, [*first, *future])
                ends[candidate] += (end - ends[candidate]) / tries
            if until is not None and time.monotonic() > until:
                break
        return ends


def future_of(state: GameState, rng: Random) -> Future:
    """Return the dominoes that come to the owner of the moving king, the unseen ones by chance."""
    dominoes, set_up = state.deck.by_number, state.set_up
    (number, player), *turns = state.turns
    claimed = [claim for claim, who in (*turns, *state.kings) if who == player and claim]
    future: Future = [(dominoes[claim],) for claim in sorted(claimed)]
    # The kings that have no domino of the line yet, but for the one that chooses now.
    kings = sum(who == player for _, who in turns) + (number > 0)
    for _ in range(kings if state.line else 0):
        future.append(
            tuple(dominoes[free] for free in rng.sample(state.line, min(2, len(state.line))))
        )
    coming = rng.sample(state.unseen, len(state.pile))
    for start in range(0, len(coming), set_up.line):
        line = coming[start : start + set_up.line]
        for king in range(set_up.kings):
            future.append(tuple(dominoes[drawn] for drawn in line[2 * king : 2 * king + 2]))
    return future


def played_out(land: Land, future: Future) -> int:
    """Return the points of a kingdom after all dominoes of a future were laid greedily."""
    for offered in future:
        best, laid = NO_PLACE, None
        for domino in offered:
            value, move = _GREEDY.best(land, domino)
            if value > best:
                best, laid = value, (domino, *move)
        if laid is not None:
            land = land.lay(*laid)
    return land.points


def left_over(state: GameState, number: int) -> float:
    """Return what the next opponent can get at once when a domino of the line is taken.

    0 where no opponent chooses from this line any more.
    """
    me = state.turns[0][1]
    other = next((player for _, player in state.turns[1:] if player != me), None)
    rest = [free for free in state.line if free != number]
    if other is None or not rest:
        return 0.0
    land = state.lands[other]
    return max(0.0, *(_GREEDY.best(land, state.deck.by_number[free])[0] for free in rest))


# ---------------------------------------------------------------------- games


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was played to its end: one kingdom per player."""

    set_up: SetUp
    seed: int
    kingdoms: tuple[LaidKingdom, ...]
    record: GameRecord


def play_game(
    players: Sequence[Player],
    seed: int,
    set_up: SetUp | str | None = None,
    dominoes: Sequence[Domino] | None = None,
) -> Game:
    """Play one game to its end.

    Args:
        players: One for each kingdom, in the order of the kingdoms that come out.
        seed: The same seed and players play the same game.
        set_up: A set-up or the name of one; None takes the usual one for so many players.
        dominoes: Another deck; None for that of the box.

    Raises:
        ValueError: No set-up is for so many players.
        IllegalActionError: A player answers with something that the rules do not allow.
    """
    start = GameState.start(len(players), variant=set_up, seed=seed, dominoes=dominoes)
    record = GameRecord(start)
    rng = Random(f"players {seed}")
    while (player := record.state.current_player) is not None:
        answer = players[player].act(record.state.imagined(rng), rng)
        record = record.play(answer)
    return Game(start.set_up, seed, record.laid_kingdoms(), record)
