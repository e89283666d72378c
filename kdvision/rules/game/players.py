"""Players that need no person: one decides at random, one takes the most points.

They share nothing but the `Player` protocol of `play`. `Greedy` keeps its kingdom tidy, so two in
three of its kingdoms end full; those of `AtRandom` have holes and any outline.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from kdvision.rules.dominoes import Domino
from kdvision.rules.game.laying import Laid, Realm
from kdvision.rules.kingdom import Cell, Position, neighbours
from kdvision.rules.terrain import Square


@dataclass(frozen=True, slots=True)
class AtRandom:
    """Chooses and lays by chance alone."""

    def choose(self, line: Sequence[Domino], realm: Realm, rng: Random) -> Domino:
        """Any domino of the line."""
        return rng.choice(line)

    def lay(self, moves: Sequence[Laid], realm: Realm, rng: Random) -> Laid:
        """Any legal move."""
        return rng.choice(moves)


@dataclass(frozen=True, slots=True)
class Greedy:
    """Takes what pays most at once, and lays tidily.

    `tidiness` is what a place that no domino can fill any more counts against a move, in points;
    an edge shared with another square counts for it by a tenth of that.
    """

    tidiness: float = 5.0

    def choose(self, line: Sequence[Domino], realm: Realm, rng: Random) -> Domino:
        """The domino with the best move; one without any move comes last."""
        return max(line, key=lambda domino: (self._best(realm.moves(domino), realm), rng.random()))

    def lay(self, moves: Sequence[Laid], realm: Realm, rng: Random) -> Laid:
        """The best move."""
        regions = _regions(realm.cells)
        return max(moves, key=lambda move: (self._value(move, realm, regions), rng.random()))

    def _best(self, moves: Sequence[Laid], realm: Realm) -> float:
        regions = _regions(realm.cells)
        return max((self._value(move, realm, regions) for move in moves), default=-1e9)

    def _value(self, move: Laid, realm: Realm, regions: Mapping[Position, "_Region"]) -> float:
        tidy = 0.1 * _contacts(move, realm.cells) - _holes(move, realm)
        return _gain(move, regions) + self.tidiness * tidy


@dataclass(frozen=True, slots=True, eq=False)
class _Region:
    """A territory while the kingdom grows."""

    terrain: str
    squares: int
    crowns: int

    @property
    def points(self) -> int:
        return self.squares * self.crowns


def _regions(cells: Mapping[Position, Cell]) -> dict[Position, _Region]:
    """The territory of each square."""
    found: dict[Position, _Region] = {}
    for start, square in cells.items():
        if start in found or not isinstance(square, Square):
            continue
        members, crowns, frontier = {start}, square.crowns, [start]
        while frontier:
            for at in neighbours(frontier.pop()):
                cell = cells.get(at)
                if (
                    isinstance(cell, Square)
                    and cell.terrain is square.terrain
                    and at not in members
                ):
                    members.add(at)
                    crowns += cell.crowns
                    frontier.append(at)
        found.update(dict.fromkeys(members, _Region(square.terrain, len(members), crowns)))
    return found


def _gain(move: Laid, regions: Mapping[Position, _Region]) -> int:
    """How many points a move adds."""
    touched = {
        half: {
            regions[at]
            for at in neighbours(half)
            if at in regions and regions[at].terrain == square.terrain
        }
        for half, square in move.squares
    }
    one, other = move.domino.left, move.domino.right
    if one.terrain is other.terrain:
        joined = touched[move.left_at] | touched[move.right_at]
        return _joined(joined, 2, one.crowns + other.crowns)
    return _joined(touched[move.left_at], 1, one.crowns) + _joined(
        touched[move.right_at], 1, other.crowns
    )


def _joined(regions: set[_Region], squares: int, crowns: int) -> int:
    """What new squares add when they join regions into one."""
    before = sum(region.points for region in regions)
    squares += sum(region.squares for region in regions)
    crowns += sum(region.crowns for region in regions)
    return squares * crowns - before


def _contacts(move: Laid, cells: Mapping[Position, Cell]) -> int:
    """How many edges the domino shares with what lies."""
    return sum(cells.get(at) is not None for half, _ in move.squares for at in neighbours(half))


def _holes(move: Laid, realm: Realm) -> int:
    """How many places no domino can fill any more, as far as the outline tells.

    The open places beside the domino fall into pieces; one with an odd number has one too many.
    """
    halves = {move.left_at, move.right_at}
    taken = realm.cells.keys() | halves
    rows, cols = zip(*taken, strict=True)
    top, bottom = max(rows) - realm.size + 1, min(rows) + realm.size - 1
    left, right = max(cols) - realm.size + 1, min(cols) + realm.size - 1
    seen: set[Position] = set()
    odd = 0
    for start in (at for half in halves for at in neighbours(half)):
        before, frontier = len(seen), [start]
        while frontier:
            at = frontier.pop()
            if (
                at not in taken
                and at not in seen
                and (top <= at[0] <= bottom and left <= at[1] <= right)
            ):
                seen.add(at)
                frontier.extend(neighbours(at))
        odd += (len(seen) - before) % 2
    return odd
