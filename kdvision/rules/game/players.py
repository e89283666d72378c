"""Players that need no person: one decides at random, one takes the most points.

They share nothing but the `Player` protocol of `play`. `Greedy` keeps its kingdom tidy, so two in
three of its kingdoms end full; those of `AtRandom` have holes and any outline. `lookahead` has one
that plans.
"""

from dataclasses import dataclass
from random import Random

from kdvision.rules.game.actions import Action, Choose, Discard, Lay
from kdvision.rules.game.land import Land, Piece
from kdvision.rules.game.state import GameState

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
