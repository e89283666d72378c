"""How a map of Kingdomino Duel can have been drawn, and what powers that takes (RULES 7.4, 7.6).

A map is cut into dominoes, and the two halves of one that was split. To find an order of drawing
takes no search: what is drawn never keeps anything else from connecting, so all that connects is
drawn, again and again, until nothing more does.

    >>> rows = ["- - - - - - -", "- - D D - - -", "- - - C Q - -"] + ["- - - - - - -"] * 2
    >>> [sorted(power.value for power in powers) for powers in needed_powers("/".join(rows))]
    []
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from kdvision.rules.cutting import SquareBits, cuttings, square_bits, step_budget
from kdvision.rules.duel.map import MIDDLE, DuelMap
from kdvision.rules.duel.powers import Power
from kdvision.rules.kingdom import neighbours
from kdvision.rules.matching import find_unmatched

#: The powers without which some maps cannot have been drawn.
_DRAWING_POWERS = (Power.IGNORE_CONNECTION, Power.SPLIT)

#: The halves of the domino that was split, as bits: none, one where the other had no place, or two.
_Halves = tuple[int, ...]


def needed_powers(duel_map: DuelMap | str) -> tuple[frozenset[Power], ...]:
    """Return the fewest of the first two powers with which a map can have been drawn.

    - With the first, one whole domino connects to nothing.
    - With the second, the halves of one domino lie apart, both drawn in one round and both
      connected; or one half alone, in a round in which no side of the castle is open (RULES 8).
    - On one domino they do not go together: the first forbids to split it.
    - The first domino of a game has no power.

    Crosses do not matter here.

    Returns:
        An empty set where no power is needed; two sets of one where either power will do; nothing
        at all where not even both together allow the map.

    Raises:
        NotationError: The text is no map line.
        RulesError: It is neither a map nor text.
        UndecidedError: There are too many ways to cut the map.
    """
    spaces, steps = _Spaces.of(DuelMap.of(duel_map)), step_budget()
    for count in range(len(_DRAWING_POWERS) + 1):
        allowing = []
        for powers in combinations(_DRAWING_POWERS, count):
            if _allows(spaces, powers, steps):
                allowing.append(frozenset(powers))
        if allowing:
            return tuple(allowing)
    return ()


def _allows(spaces: "_Spaces", powers: Collection[Power], steps: Iterator[int]) -> bool:
    """Return whether a map can have been drawn with some powers.

    Raises:
        UndecidedError: No steps are left.
    """
    squares = spaces.squares
    if not squares.places:
        return True
    ignoring = Power.IGNORE_CONNECTION in powers
    groups = 2 if ignoring else 1
    splits: Iterable[_Halves] = [()]
    if Power.SPLIT in powers:
        splits = spaces.list_halves()
    for halves in splits:
        apart = sum(halves)
        if not spaces.can_be_whole(apart):
            continue
        for cutting in cuttings(squares, squares.whole, apart, groups=groups, steps=steps):
            if spaces.has_order(cutting, halves, ignoring=ignoring):
                return True
    return False


@dataclass(frozen=True, slots=True)
class _Spaces:
    """The drawn spaces of a map as bits, and what connects them.

    Attributes:
        squares: The spaces to be cut into dominoes.
        castle: A bit of its own, which always counts as drawn.
        near: For each space the equal coats beside it, and the castle if that is beside it.
        sides: The drawn spaces beside the castle.
        is_closed: Whether all sides of the castle are drawn.
    """

    squares: SquareBits
    castle: int
    near: dict[int, int]
    sides: int
    is_closed: bool

    @classmethod
    def of(cls, duel_map: DuelMap) -> "_Spaces":
        """Prepare a map for the search."""
        drawn = duel_map.drawn
        squares = square_bits(duel_map.as_kingdom(), any_face=True)
        bit_of = {at: 1 << index for index, at in enumerate(squares.places)}
        castle = 1 << len(bit_of)
        near = dict.fromkeys(bit_of.values(), 0)
        for at, bit in bit_of.items():
            for beside in neighbours(at):
                if beside == MIDDLE:
                    near[bit] |= castle
                elif beside in drawn and drawn[beside].coat is drawn[at].coat:
                    near[bit] |= bit_of[beside]
        sides = [bit_of[at] for at in neighbours(MIDDLE) if at in bit_of]
        return cls(squares, castle, near, sum(sides), len(sides) == len(neighbours(MIDDLE)))

    def list_halves(self) -> Iterator[_Halves]:
        """Yield what the halves of a split domino can be.

        They are two, or one where the spaces are odd in number.

        One half is drawn alone only once all sides of the castle are closed: at an open side the
        other half would have had a place. They can always be closed before it, as what lies beside
        the castle connects.
        """
        connected = [bit for bit, near in self.near.items() if near]
        if len(self.near) % 2 == 0:
            yield from combinations(connected, 2)
        elif self.is_closed:
            for bit in connected:
                yield (bit,)

    def can_be_whole(self, apart: int) -> bool:
        """Return whether all spaces but halves can be dominoes, the first of them at the castle."""
        whole = [at for index, at in enumerate(self.squares.places) if not apart >> index & 1]
        return bool(self.sides & ~apart) and not find_unmatched(whole)

    def has_order(self, cutting: tuple[int, ...], halves: _Halves, *, ignoring: bool) -> bool:
        """Return whether dominoes and the halves of another can be drawn one after the other.

        Args:
            cutting: The whole dominoes, as pairs.
            halves: The halves of the domino that was split.
            ignoring: Whether one whole domino need not connect.
        """
        dominoes = [self.squares.halves[pair] for pair in cutting]
        # No power is won before the first domino.
        drawn = self._draw_dominoes(self.castle, dominoes)
        if drawn == self.castle:
            return False
        # Then all that connects; where something is left, one domino may be drawn anyhow.
        every_space = self.castle | (self.castle - 1)
        drawn = self._draw_all(drawn, dominoes, halves)
        if drawn == every_space:
            return True
        if not ignoring:
            return False
        for domino in dominoes:
            is_left = not domino & drawn
            if is_left and self._draw_all(drawn | domino, dominoes, halves) == every_space:
                return True
        return False

    def _draw_all(self, drawn: int, dominoes: list[int], halves: _Halves) -> int:
        """Return all that is drawn once nothing else connects."""
        while True:
            after = self._draw_halves(self._draw_dominoes(drawn, dominoes), halves)
            if after == drawn:
                return drawn
            drawn = after

    def _draw_dominoes(self, drawn: int, dominoes: list[int]) -> int:
        """Return what is drawn once no further whole domino connects."""
        waiting = [domino for domino in dominoes if not domino & drawn]
        while True:
            connecting = [domino for domino in waiting if self._near(domino) & drawn]
            if not connecting:
                return drawn
            drawn |= sum(connecting)
            waiting = [domino for domino in waiting if not domino & drawn]

    def _near(self, domino: int) -> int:
        """Return what connects a domino: all that connects either half."""
        low = domino & -domino
        return self.near[low] | self.near[domino ^ low]

    def _draw_halves(self, drawn: int, halves: _Halves) -> int:
        """Return what is drawn after the round of the split domino; as before where it cannot be.

        Each half connects to what lies when it is drawn, which may be the other one.
        """
        after = drawn
        for half in (*halves, *halves):
            if self.near[half] & after:
                after |= half
        if after & sum(halves) != sum(halves):
            return drawn
        return after
