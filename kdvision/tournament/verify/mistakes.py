"""The single mistakes that people make when they count a kingdom, and what each does to the total.

A hand count goes wrong in few ways: a bonus, a territory, a crown, a square, an edge between two
territories, or the last sum. `mistakes` lists all of them for one score sheet.
"""

from collections.abc import Iterator
from enum import StrEnum
from itertools import combinations

from msgspec import Struct

from kdvision.rules.kingdom import Kingdom, Position, neighbours, position_name
from kdvision.rules.scoring import Bonus, ScoreSheet, Territory
from kdvision.rules.terrain import Square

#: A sum is carried wrongly by this much.
CARRY = 10
#: No square of the deck has more crowns (RULES 1.1), so no territory more than this per square.
MOST_CROWNS = 3
#: How often a crown is seen where there is none, beside one too many where there are some.
INVENTED = 0.25
#: A territory breaks in two where at most this many edges hold it together.
NARROW, WIDE = 2, 3
#: Of larger territories only the narrow cuts are tried: there are too many others.
_MOST_FOR_WIDE = 16


class Mistake(StrEnum):
    """The kinds of mistake."""

    BONUS_FORGOTTEN = "bonus-forgotten"
    BONUS_ADDED = "bonus-added"
    LEFT_OUT = "territory-left-out"
    CROWN_LESS = "crown-too-few"
    CROWN_MORE = "crown-too-many"
    SQUARE_LESS = "square-too-few"
    SQUARE_MORE = "square-too-many"
    JOINED = "territories-joined"
    SPLIT = "territory-split"
    SUM = "sum-wrong-by-ten"


class Explanation(Struct, frozen=True):
    """One mistake that a counter can have made.

    `difference` is what it adds to the total. `subject` names what was miscounted, `text` says in
    a clause what happened to it. `cells` are the squares that it concerns. `weight` says how easily
    it happens beside others of its kind; 0 is for what hardly anybody does.
    """

    mistake: Mistake
    difference: int
    subject: str
    text: str
    cells: tuple[Position, ...] = ()
    weight: float = 1.0

    def __str__(self) -> str:
        return f"{self.subject} {self.text}"


def mistakes(sheet: ScoreSheet) -> Iterator[Explanation]:
    """Every single mistake that changes the total of a sheet."""
    for bonus in sheet.bonuses:
        yield from _bonus(bonus)
    for territory in sheet.territories:
        yield from _counted(territory)
        yield from _split(territory, sheet.kingdom)
    for one, other in combinations(sheet.territories, 2):
        yield from _joined(one, other)
    yield Explanation(Mistake.SUM, CARRY, "the sum", f"came out {CARRY} too high")
    if sheet.total >= CARRY:
        yield Explanation(Mistake.SUM, -CARRY, "the sum", f"came out {CARRY} too low")


def territory_name(territory: Territory) -> str:
    """`the lake at b2 (7 squares, 2 crowns)`."""
    size = f"{_count(territory.squares, 'square')}, {_count(territory.crowns, 'crown')}"
    return f"the {territory.terrain.value} at {position_name(territory.cells[0])} ({size})"


# ---------------------------------------------------------------------- one by one


def _bonus(bonus: Bonus) -> Iterator[Explanation]:
    """A bonus that was forgotten, or added though it is not earned or not in play."""
    subject = f"the bonus {bonus.name} (+{bonus.points})"
    if bonus.counted_points:
        yield Explanation(Mistake.BONUS_FORGOTTEN, -bonus.counted_points, subject, "was forgotten")
        return
    why = bonus.note if bonus.counted else "it is not in play"
    yield Explanation(
        Mistake.BONUS_ADDED,
        bonus.points,
        subject,
        f"was added, but {why}",
        weight=float(bonus.earned or bonus.counted),
    )


def _counted(territory: Territory) -> Iterator[Explanation]:
    """A territory left out, or one of its two numbers wrong by one.

    A lone crown that is not seen, or a lone square, is a territory left out.
    """
    squares, crowns = territory.squares, territory.crowns
    name, cells = territory_name(territory), territory.cells
    if territory.points:
        yield Explanation(Mistake.LEFT_OUT, -territory.points, name, "was left out", cells)
    if crowns > 1:
        text = f"was counted with {_count(crowns - 1, 'crown')}"
        yield Explanation(Mistake.CROWN_LESS, -squares, name, text, cells)
    if crowns < MOST_CROWNS * squares:
        text = f"was counted with {_count(crowns + 1, 'crown')}"
        weight = 1.0 if crowns else INVENTED
        yield Explanation(Mistake.CROWN_MORE, squares, name, text, cells, weight)
    if crowns and squares > 1:
        text = f"was counted with {_count(squares - 1, 'square')}"
        yield Explanation(Mistake.SQUARE_LESS, -crowns, name, text, cells)
    if crowns:
        text = f"was counted with {_count(squares + 1, 'square')}"
        yield Explanation(Mistake.SQUARE_MORE, crowns, name, text, cells)


def _joined(one: Territory, other: Territory) -> Iterator[Explanation]:
    """Two territories counted as one: easily done across a corner, the castle or one place."""
    gain = one.squares * other.crowns + other.squares * one.crowns
    if one.terrain is not other.terrain or not gain:
        return
    apart = min(
        abs(row - other_row) + abs(col - other_col)
        for row, col in one.cells
        for other_row, other_col in other.cells
    )
    subject = f"{territory_name(one)} and {territory_name(other)}"
    yield Explanation(
        Mistake.JOINED,
        gain,
        subject,
        "were counted as one territory",
        (*one.cells, *other.cells),
        weight=float(apart <= 2),
    )


# ---------------------------------------------------------------------- split


def _split(territory: Territory, kingdom: Kingdom) -> Iterator[Explanation]:
    """A territory counted as two, by the narrowest cut for each pair of parts that it can give."""
    if territory.crowns == 0 or territory.squares < 2:
        return
    edges = _edges(territory)
    seen: set[frozenset[tuple[int, int]]] = set()
    widest = WIDE if territory.squares <= _MOST_FOR_WIDE else NARROW
    for width in range(1, widest + 1):
        for cut in combinations(edges, width):
            parts = _parts(territory, frozenset(cut))
            if len(parts) != 2 or not all(_across(edge, parts[0]) for edge in cut):
                continue
            counts = [(len(part), _crowns(part, kingdom)) for part in parts]
            key = frozenset(counts)
            (size, crowns), (other_size, other_crowns) = counts
            loss = size * other_crowns + other_size * crowns
            if loss and key not in seen:
                seen.add(key)
                yield Explanation(
                    Mistake.SPLIT,
                    -loss,
                    territory_name(territory),
                    f"was counted as two, {size} x {crowns} and {other_size} x {other_crowns}",
                    territory.cells,
                    weight=float(width <= NARROW and min(size, other_size) > 1),
                )


_Edge = tuple[Position, Position]


def _edges(territory: Territory) -> list[_Edge]:
    """The pairs of squares of a territory that share an edge."""
    cells = set(territory.cells)
    return [
        (at, beside) for at in territory.cells for beside in neighbours(at)[2:] if beside in cells
    ]


def _across(edge: _Edge, part: set[Position]) -> bool:
    """Whether an edge leads out of a part."""
    return (edge[0] in part) != (edge[1] in part)


def _parts(territory: Territory, cut: frozenset[_Edge]) -> list[set[Position]]:
    """What a territory falls into when some of its edges join no more; at most three parts."""
    left = set(territory.cells)
    parts: list[set[Position]] = []
    while left and len(parts) < 3:
        start = min(left)
        part, frontier = {start}, [start]
        while frontier:
            at = frontier.pop()
            for beside in neighbours(at):
                edge = (min(at, beside), max(at, beside))
                if beside in left and beside not in part and edge not in cut:
                    part.add(beside)
                    frontier.append(beside)
        parts.append(part)
        left -= part
    return parts


def _crowns(cells: set[Position], kingdom: Kingdom) -> int:
    squares = (kingdom[at] for at in cells)
    return sum(square.crowns for square in squares if isinstance(square, Square))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
