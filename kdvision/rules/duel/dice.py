"""The dice, the spell book and the placing rules of Kingdomino Duel (RULES 7.4, 7.7).

Dice and spell book are data: the rules do not print them, so `EXAMPLE_DICE` and `EXAMPLE_BOOK` are
examples of ours. Who owns the game gives the real ones to `play_duel`.

    >>> len(placements(DuelMap.empty(), (Face(Coat.DOT), Face(Coat.BLACK))))
    24
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum

from kdvision.rules.duel.map import MIDDLE, Coat, Drawn, DuelMap
from kdvision.rules.kingdom import Position, neighbours


@dataclass(frozen=True, slots=True)
class Face:
    """One face of a die. `coat` is None for the joker, which stands for any coat."""

    coat: Coat | None
    crosses: int = 0

    @property
    def coats(self) -> tuple[Coat, ...]:
        """The coats that the face can be drawn as."""
        return tuple(Coat) if self.coat is None else (self.coat,)


#: A die: its faces.
Die = tuple[Face, ...]


class Power(Enum):
    """The six wizard powers, in the order of the text."""

    IGNORE_CONNECTION = 1
    SPLIT = 2
    DRAFT_TWICE = 3
    TURN_DIE = 4
    DOMAINS = 5
    CROSS = 6

    @property
    def at_once(self) -> bool:
        """Whether the power works when it is won; the others once, on a turn of choice."""
        return self in (Power.DOMAINS, Power.CROSS)


@dataclass(frozen=True, slots=True)
class DuelRules:
    """The readings of text 002 where it leaves a choice (RULES 8).

    Attributes:
        ignore_beside: Whether a domino of the first power must lie beside the castle or something
            drawn before, of whatever coat; otherwise it may lie anywhere.
        end_when_unable: Whether the game goes on where neither player draws although one could with
            a power; otherwise a round in which neither draws is the last.
    """

    ignore_beside: bool = False
    end_when_unable: bool = False


DEFAULT_RULES = DuelRules()


@dataclass(frozen=True, slots=True)
class Spell:
    """A line of the spell book: who fills its boxes with coats first has its power."""

    coat: Coat
    boxes: int
    power: Power


#: Four dice: two with every coat plain, one with every coat crossed, one with jokers.
EXAMPLE_DICE: tuple[Die, ...] = (
    *(tuple(Face(coat) for coat in Coat) for _ in range(2)),
    tuple(Face(coat, crosses) for coat, crosses in zip(Coat, (1, 1, 1, 1, 2, 2), strict=True)),
    (Face(Coat.DOT), Face(Coat.STRIPE), Face(Coat.QUARTERS), Face(None), Face(None), Face(None)),
)
#: A power for each coat.
EXAMPLE_BOOK: tuple[Spell, ...] = tuple(
    Spell(coat, 4, power) for coat, power in zip(Coat, Power, strict=True)
)


@dataclass(frozen=True, slots=True)
class Half:
    """One die, drawn: where, as what, and which of the two dice it was."""

    at: Position
    drawn: Drawn
    die: int


@dataclass(frozen=True, slots=True)
class Placement:
    """A way to draw a domino, or one half of it where the split power allows that."""

    halves: tuple[Half, ...]
    power: Power | None = None


def connected(duel_map: DuelMap, at: Position, coat: Coat) -> bool:
    """Whether a space is beside the castle or beside an equal coat (RULES 7.4)."""
    return any(
        near == MIDDLE or ((space := _look(duel_map, near)) is not None and space.coat is coat)
        for near in neighbours(at)
    )


def placements(
    duel_map: DuelMap,
    faces: tuple[Face, Face],
    powers: Collection[Power] = (),
    rules: DuelRules = DEFAULT_RULES,
) -> tuple[Placement, ...]:
    """Return every way to draw two dice: by the rules, then with the powers at hand.

    The first coat connects and the second lies beside it; either die may be the first. With the
    first power no equal coat is asked for, see `DuelRules.ignore_beside`. With the second each half
    connects by itself, and one alone may be drawn when the other cannot be.
    """
    found = dict.fromkeys(_whole(duel_map, faces, None))
    if Power.IGNORE_CONNECTION in powers:
        lying = {placement.halves for placement in found}
        found.update(
            dict.fromkeys(
                placement
                for placement in _whole(duel_map, faces, Power.IGNORE_CONNECTION)
                if placement.halves not in lying
                and (not rules.ignore_beside or _touches(duel_map, placement))
            )
        )
    if Power.SPLIT in powers:
        found.update(dict.fromkeys(_split(duel_map, faces)))
    return tuple(found)


def _touches(duel_map: DuelMap, placement: Placement) -> bool:
    """Whether a domino lies beside the castle or something drawn before."""
    return any(
        near == MIDDLE or _look(duel_map, near) is not None
        for half in placement.halves
        for near in neighbours(half.at)
    )


def _look(duel_map: DuelMap, at: Position) -> Drawn | None:
    """What is drawn on a space; None beyond the border."""
    row, col = at
    inside = 0 <= row < len(duel_map.rows) and 0 <= col < len(duel_map.rows[0])
    return duel_map[at] if inside else None


def _halves(
    duel_map: DuelMap, faces: tuple[Face, Face], die: int, *, free: bool = False
) -> Iterator[Half]:
    """Where one die can be drawn by itself; `free` of the connection rule or not."""
    face = faces[die]
    for at in sorted(duel_map.open()):
        for coat in face.coats:
            if free or connected(duel_map, at, coat):
                yield Half(at, Drawn(coat, face.crosses), die)


def _whole(duel_map: DuelMap, faces: tuple[Face, Face], power: Power | None) -> Iterator[Placement]:
    """The two halves side by side."""
    places = duel_map.open()
    for die in (0, 1):
        other = faces[1 - die]
        for first in _halves(duel_map, faces, die, free=power is not None):
            for at in neighbours(first.at):
                if at in places:
                    for coat in other.coats:
                        second = Half(at, Drawn(coat, other.crosses), 1 - die)
                        yield Placement(_by_die(first, second), power)


def _split(duel_map: DuelMap, faces: tuple[Face, Face]) -> Iterator[Placement]:
    """The two halves apart, in either order, or one where the other has no place."""
    for die in (0, 1):
        for first in _halves(duel_map, faces, die):
            after = duel_map.draw(first.at, first.drawn)
            seconds = list(_halves(after, faces, 1 - die))
            for second in seconds:
                yield Placement(_by_die(first, second), Power.SPLIT)
            if not seconds:
                yield Placement((first,), Power.SPLIT)


def _by_die(one: Half, other: Half) -> tuple[Half, Half]:
    return (one, other) if one.die < other.die else (other, one)
