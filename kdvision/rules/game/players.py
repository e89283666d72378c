"""Players that need no person, and whole games between them (RULES 5.5, 5.6).

`AtRandom` decides by chance. `Greedy` takes the most points and lays tidily, so two in three of
its kingdoms end full. `Lookahead` plays many futures out. Other players need one method, `act`.

    >>> game = play_game([Greedy(), AtRandom()], seed=7)
    >>> [len(kingdom.laid) <= 12 for kingdom in game.kingdoms]
    [True, True]

A seed plays the same game again. The kingdoms hold their dominoes in the order of laying;
`LaidKingdom.after` gives a kingdom part-way.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from kdvision.rules.dominoes import Domino, Piece
from kdvision.rules.game.laying import Laid, LaidKingdom, Land
from kdvision.rules.game.record import GameRecord
from kdvision.rules.game.set_up import SetUp
from kdvision.rules.game.state import Action, Choose, Discard, GameState, Lay


class Player(Protocol):
    """Who decides."""

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
        """Any action."""
        return rng.choice(state.actions())


@dataclass(frozen=True, slots=True)
class Greedy:
    """Takes what pays most at once, and lays tidily.

    `tidiness` is what a place that no domino can fill any more counts against a move, in points;
    an edge shared with another square counts for it by a tenth of that.
    """

    tidiness: float = 5.0

    def act(self, state: GameState, rng: Random) -> Action:
        """The best move, or the domino that has it; a domino without any place comes last."""
        (number, player), pieces = state.turns[0], state.deck.pieces
        land = state.lands[player]
        if not number:
            values = [(self.best(land, pieces[one])[0], rng.random(), one) for one in state.line]
            return Choose(max(values)[2])
        moves = land.moves(pieces[number])
        if not moves:
            return Discard(number)
        rng.shuffle(moves)
        left, right = self.best(land, pieces[number], moves)[1]
        return Lay(number, land.frame.position(left), land.frame.position(right))

    def best(
        self, land: Land, domino: Piece, moves: list[tuple[int, int]] | None = None
    ) -> tuple[float, tuple[int, int]]:
        """The value of the best move of a domino, and the move; the first of equal ones.

        Without a move the value is `NO_PLACE`.
        """
        taken = land.taken
        best, found = NO_PLACE, (0, 0)
        for move in land.moves(domino) if moves is None else moves:
            value = self.value(land, domino, move, taken)
            if value > best:
                best, found = value, move
        return best, found

    def value(self, land: Land, domino: Piece, move: tuple[int, int], taken: int) -> float:
        """What a move is worth: points at once, edges shared, places lost.

        `taken` are the places of the land where something lies.
        """
        left, right = move
        after = land.lay(domino, left, right)
        beside = land.frame.beside
        contacts = (beside[left] & taken).bit_count() + (beside[right] & taken).bit_count()
        holes = odd_pieces(after.free, beside[left] | beside[right], land.frame.stride)
        return after.points - land.points + self.tidiness * (0.1 * contacts - holes)


def odd_pieces(free: int, beside: int, stride: int) -> int:
    """How many of the pieces of free places that touch `beside` have an odd number of places.

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
    return Game(start.set_up, seed, laid_kingdoms(record), record)


def laid_kingdoms(record: GameRecord) -> tuple[LaidKingdom, ...]:
    """Return the kingdoms of a game, with their dominoes in the order of laying."""
    start = record.start
    laid: list[list[Laid]] = [[] for _ in start.players]
    discarded: list[list[Domino]] = [[] for _ in start.players]
    middle = start.set_up.size - 1
    for state, action in record.steps():
        domino, player = start.deck.by_number[action.number], state.current_player
        assert player is not None
        if isinstance(action, Lay):
            move = Laid(domino, action.left_at, action.right_at)
            laid[player].append(move.shifted(-middle, -middle))
        elif isinstance(action, Discard):
            discarded[player].append(domino)
    return tuple(
        LaidKingdom(start.set_up.size, tuple(moves), tuple(gone))
        for moves, gone in zip(laid, discarded, strict=True)
    )
