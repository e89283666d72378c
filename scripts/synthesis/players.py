"""Players that need no person, and whole games between them: kingdoms as they lie at the end.

`AtRandom` decides by chance. `Greedy` takes the most points and lays tidily, so two in three of
its kingdoms end full.

    >>> len(play_game([Greedy(), AtRandom()], seed=7))
    2
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol

from kdvision.rules.dominoes import Domino
from kdvision.rules.game.laying import Action, Choose, Discard, Land, Lay
from kdvision.rules.game.record import GameRecord
from kdvision.rules.game.set_up import SetUp
from kdvision.rules.game.state import GameState
from kdvision.rules.kingdom import CASTLE, Cell, Kingdom, Position, shift
from kdvision.rules.terrain import Square

#: The castle of a kingdom that is laid.
ORIGIN: Position = (0, 0)


@dataclass(frozen=True, slots=True)
class Laid:
    """A domino and where its two squares lie, left square first."""

    domino: Domino
    left_at: Position
    right_at: Position

    @property
    def squares(self) -> dict[Position, Square]:
        """Both squares by position, left square first."""
        return {self.left_at: self.domino.left, self.right_at: self.domino.right}

    def shifted(self, by: Position) -> "Laid":
        """Return the same domino moved by (rows, columns)."""
        return Laid(self.domino, shift(self.left_at, by), shift(self.right_at, by))


@dataclass(frozen=True, slots=True)
class LaidKingdom:
    """A kingdom that grows from its castle: its dominoes in the order of laying.

    Positions are counted from the castle, which lies at (0, 0), so that they never change; rows
    above and columns left of it are negative. `kingdom` and `placed` count from the top left, as
    every `Kingdom` does.

    Attributes:
        size: 5, or 7 in a Mighty Duel.
        laid: The dominoes that lie.
        discarded: Dominoes that had no place.
    """

    size: int = 5
    laid: tuple[Laid, ...] = ()
    discarded: tuple[Domino, ...] = ()

    def after(self, dominoes: int) -> "LaidKingdom":
        """Return the kingdom when only its first dominoes had been laid; discards are forgotten."""
        return LaidKingdom(self.size, self.laid[:dominoes])

    @property
    def cells(self) -> Mapping[Position, Cell]:
        """What lies, the castle included, by position."""
        squares = {at: square for move in self.laid for at, square in move.squares.items()}
        return {ORIGIN: CASTLE, **squares}

    @property
    def kingdom(self) -> Kingdom:
        """The kingdom as it lies, cut to its bounding box."""
        return Kingdom.of_cells(self.cells)

    @property
    def placed(self) -> tuple[Laid, ...]:
        """The dominoes in the order of laying, positions as in `kingdom`."""
        top, left = (min(line) for line in zip(*self.cells, strict=True))
        return tuple(move.shifted((-top, -left)) for move in self.laid)


#: What a domino without any place is worth: less than any that can be laid.
NO_PLACE = -1e9
#: Points that a place counts against a move which no domino can fill any more; an edge shared with
#: another square counts for it by a tenth of that.
TIDINESS = 5.0


class Player(Protocol):
    """What decides for a player."""

    def act(self, state: GameState, rng: Random) -> Action:
        """Answer with one of the actions of the state, in which it is this player's turn."""
        ...


class AtRandom:
    """Decides by chance alone."""

    def act(self, state: GameState, rng: Random) -> Action:
        """Choose any action."""
        return rng.choice(state.actions())


class Greedy:
    """Takes what pays most at once, and lays tidily."""

    def act(self, state: GameState, rng: Random) -> Action:
        """Take the best move, or the domino that has it; one without any place comes last."""
        (number, owner), dominoes = state.turns[0], state.deck.by_number
        land = state.lands[owner]
        if not number:
            # A king of others is given what is worth least (RULES 8).
            sign = 1 if state.current_player == owner else -1
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
        taken = sum(1 << place for place in (land.frame.castle, *land.cells))
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
        return after.points - land.points + TIDINESS * (0.1 * contacts - holes)


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
    kingdoms: tuple[LaidKingdom, ...]
    record: GameRecord


def play_game(players: Sequence[Player], seed: int, variant: str | None = None) -> Game:
    """Play one game to its end.

    Args:
        players: One for each kingdom, in the order of the kingdoms that come out.
        seed: The same seed and players play the same game.
        variant: The name of a set-up; None takes the usual one for so many players.
    """
    start = GameState.start(len(players), variant=variant, seed=seed)
    record = GameRecord(start)
    rng = Random(f"players {seed}")
    while (player := record.state.current_player) is not None:
        answer = players[player].act(_imagined(record.state, rng), rng)
        record = record.play(answer)
    return Game(start.set_up, laid_kingdoms(record), record)


def laid_kingdoms(record: GameRecord) -> tuple["LaidKingdom", ...]:
    """Return the kingdom of each player, with its dominoes in the order of laying."""
    size, deck = record.start.set_up.size, record.start.deck
    kingdoms = [LaidKingdom(size) for _ in record.start.players]
    for state, action in record.steps():
        domino, player = deck.by_number[action.number], state.turns[0][1]
        before = kingdoms[player]
        if isinstance(action, Lay):
            move = Laid(domino, action.left_at, action.right_at).shifted((1 - size, 1 - size))
            kingdoms[player] = replace(before, laid=(*before.laid, move))
        elif isinstance(action, Discard):
            kingdoms[player] = replace(before, discarded=(*before.discarded, domino))
    return tuple(kingdoms)


def _imagined(state: GameState, rng: Random) -> GameState:
    """Deal the dominoes that nobody has seen anew, so that a player cannot peek."""
    unseen = rng.sample(sorted((*state.pile, *state.aside)), len(state.pile) + len(state.aside))
    pile, aside = unseen[: len(state.pile)], unseen[len(state.pile) :]
    return replace(state, pile=tuple(pile), aside=tuple(sorted(aside)))
