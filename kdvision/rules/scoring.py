"""Territories and bonuses: a kingdom becomes a score sheet (RULES 2 and 3)."""

from dataclasses import dataclass
from enum import StrEnum

from kdvision.rules.kingdom import Kingdom, Position, neighbours
from kdvision.rules.terrain import Square, Terrain

#: What the two variants pay (RULES 3.1, 3.2).
HARMONY_POINTS = 5
MIDDLE_KINGDOM_POINTS = 10
#: The sides of the largest kingdom: in the usual game, and in a Mighty Duel (RULES 3.5).
SIZES = (5, 7)
#: The squares that a player can lay in each: 12 dominoes, 24 in a Mighty Duel (RULES 6).
MOST_SQUARES = {5: 24, 7: 48}


class Centre(StrEnum):
    """What the castle must be the centre of for the Middle Kingdom (RULES 3.2, 8)."""

    #: The kingdom's own bounding box. The default.
    BOX = "box"
    #: A frame of the size of the game that can be laid around the kingdom.
    FRAME = "frame"


@dataclass(frozen=True, slots=True)
class Territory:
    """Squares of one terrain joined by edges (RULES 2.1)."""

    terrain: Terrain
    crowns: int
    cells: tuple[Position, ...]

    @property
    def squares(self) -> int:
        """How many squares the territory has."""
        return len(self.cells)

    @property
    def points(self) -> int:
        """Squares times crowns (RULES 2.2)."""
        return self.squares * self.crowns


@dataclass(frozen=True, slots=True)
class Bonus:
    """A variant bonus: whether the kingdom earns it, and whether it is in play.

    `note` says in a sentence why it is earned or not.
    """

    name: str
    earned: bool
    points: int
    counted: bool
    note: str

    @property
    def counted_points(self) -> int:
        """What the bonus adds to the total."""
        return self.points if self.earned and self.counted else 0


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """Everything that is counted in one kingdom. Largest territory first."""

    kingdom: Kingdom
    size: int
    territories: tuple[Territory, ...]
    harmony: Bonus
    middle_kingdom: Bonus
    centre: Centre = Centre.BOX

    @property
    def bonuses(self) -> tuple[Bonus, Bonus]:
        """Harmony and Middle Kingdom."""
        return self.harmony, self.middle_kingdom

    @property
    def total(self) -> int:
        """The sum of the territories and of the bonuses in play (RULES 2.2)."""
        return sum(territory.points for territory in self.territories) + sum(
            bonus.counted_points for bonus in self.bonuses
        )


def score(
    kingdom: Kingdom,
    size: int | None = None,
    *,
    harmony: bool = False,
    middle_kingdom: bool = False,
    centre: Centre = Centre.BOX,
) -> ScoreSheet:
    """Score a kingdom, legal or not.

    Args:
        kingdom: What lies on the table. Empty borders are ignored for the bonuses.
        size: 5, or 7 for a Mighty Duel; None takes `natural_size`.
        harmony: Whether the Harmony bonus is in play (RULES 3.1).
        middle_kingdom: Whether the Middle Kingdom bonus is in play (RULES 3.2).
        centre: What the castle must be the centre of for it.

    Raises:
        ValueError: The size is neither 5 nor 7.
    """
    size = checked_size(kingdom, size)
    return ScoreSheet(
        kingdom,
        size,
        territories(kingdom),
        _harmony(kingdom.trimmed(), size, harmony),
        _middle_kingdom(kingdom.trimmed(), size, middle_kingdom, centre),
        centre,
    )


def checked_size(kingdom: Kingdom, size: int | None) -> int:
    """The size that a kingdom is judged by: the one given, else its natural one.

    Raises:
        ValueError: The size is neither 5 nor 7.
    """
    if size is None:
        return natural_size(kingdom)
    if size not in SIZES:
        raise ValueError(f"The size of a kingdom is 5 or 7, not {size!r}.")
    return size


def natural_size(kingdom: Kingdom) -> int:
    """5 when the kingdom fits into 5x5 and has at most 24 squares, else 7."""
    box = kingdom.trimmed()
    return 5 if max(box.height, box.width) <= 5 and len(box.squares()) <= MOST_SQUARES[5] else 7


def territories(kingdom: Kingdom) -> tuple[Territory, ...]:
    """The territories: most points first, then most squares, then reading order."""
    left = kingdom.squares()
    found = []
    while left:
        start = next(iter(left))
        found.append(_territory(_flood(left, start), kingdom))
    return tuple(sorted(found, key=lambda one: (-one.points, -one.squares, one.cells)))


def _flood(left: dict[Position, Square], start: Position) -> list[Position]:
    """Take the territory around `start` out of `left`."""
    terrain = left.pop(start).terrain
    cells, frontier = [start], [start]
    while frontier:
        for at in neighbours(frontier.pop()):
            if at in left and left[at].terrain is terrain:
                del left[at]
                cells.append(at)
                frontier.append(at)
    return cells


def _territory(cells: list[Position], kingdom: Kingdom) -> Territory:
    squares = [kingdom[at] for at in cells]
    crowns = sum(square.crowns for square in squares if isinstance(square, Square))
    first = squares[0]
    assert isinstance(first, Square)
    return Territory(first.terrain, crowns, tuple(sorted(cells)))


def _harmony(box: Kingdom, size: int, counted: bool) -> Bonus:
    """RULES 3.1: every place of the 5x5 (7x7) is filled."""
    filled = sum(cell is not None for _, cell in box.cells())
    earned = box.height == box.width == size and filled == size * size
    note = (
        f"every place of the {size}x{size} is filled"
        if earned
        else f"{filled} of {size * size} places of the {size}x{size} are filled"
    )
    return Bonus("Harmony", earned, HARMONY_POINTS, counted, note)


def _middle_kingdom(box: Kingdom, size: int, counted: bool, centre: Centre) -> Bonus:
    """RULES 3.2: the castle in the exact centre of the bounding box, or of a frame around it."""
    castles = box.castles()
    in_box = any(2 * row + 1 == box.height and 2 * col + 1 == box.width for row, col in castles)
    in_frame = any(_central_in_frame(box, at, size) for at in castles)
    earned = (in_frame if centre == Centre.FRAME else in_box) and bool(box.squares())
    if not castles:
        note = "there is no castle"
    elif not box.squares():
        note = "a castle alone is no kingdom"
    elif earned and not in_box:
        note = f"the castle lies in the centre of a {size}x{size} frame around the kingdom"
    elif earned:
        note = "the castle lies in the centre of the kingdom"
    elif in_frame:
        note = (
            f"the castle is not in the centre of the kingdom's own box; it would pay if the centre "
            f"of a {size}x{size} frame around the kingdom counted"
        )
    else:
        note = "the castle does not lie in the centre of the kingdom"
    return Bonus("Middle Kingdom", earned, MIDDLE_KINGDOM_POINTS, counted, note)


def _central_in_frame(box: Kingdom, castle: Position, size: int) -> bool:
    """Whether a size x size frame centred on the castle holds the kingdom."""
    reach = size // 2
    row, col = castle
    return (
        row <= reach
        and col <= reach
        and box.height - 1 - row <= reach
        and box.width - 1 - col <= reach
    )
