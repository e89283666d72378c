"""Whose kingdom it is: a line belongs to a kingdom, not to a letter or the name of a file.

A line has the one kingdom of its photo that agrees with what an earlier run read for it, turned or
not; else that with the colour of its castle; else that of its letter; else the only one; else the
one that it has in the assignment under which most claims fit. Every kingdom has one owner.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from enum import IntEnum, auto
from functools import lru_cache
from itertools import permutations

import numpy as np
from msgspec import Struct

from kdvision.corrections import FixPlace, kingdom_name
from kdvision.pipeline.trust import PIPELINE
from kdvision.reading import Colour
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.kingdom import Cell, Kingdom, Position
from kdvision.tournament.columns import Line

#: Share of the squares of the larger of two kingdoms that must be equal for both to be one: a photo
#: that is misread in a few squares, or taken a domino later, stays within it; kingdoms of two
#: players agree on a fifth.
SAME_SHARE = 0.8
#: More kingdoms or lines of one photo are not assigned by claims: every order is tried, and a photo
#: of a table shows at most eight.
MOST_ASSIGNED = 8
#: A total of a doubtful kingdom that is at least as likely as this keeps claims from telling whose
#: it is: what is sure is right at least with the other part of 1.
LEAST_TOTAL = 1 - PIPELINE.sure_from


# ---------------------------------------------------------------------- the same kingdom


class Alignment(Struct, frozen=True):
    """How one kingdom lies on another: turned clockwise by quarters, then moved by (rows, cols).

    `share` is the part of the larger kingdom that is equal.
    """

    quarters: int
    offset: Position
    share: float

    def moved(self, at: Position, height: int, width: int) -> Position:
        """Return where a place of a kingdom of this height and width lies on the other one."""
        row, col = at
        for _ in range(self.quarters):
            row, col, height, width = col, height - 1 - row, width, height
        return row + self.offset[0], col + self.offset[1]


@lru_cache(maxsize=8_192)
def align(first: Kingdom, second: Kingdom) -> Alignment | None:
    """Return how the first kingdom lies on the second so that most squares are equal.

    Returns:
        None where nothing is equal.
    """
    best = None
    targets = _places(second)
    larger = max(_size(first), _size(second))
    for quarters in range(4):
        offsets: Counter[Position] = Counter()
        for cell, places in _places(first.turned(quarters)).items():
            for row, col in places:
                offsets.update((at[0] - row, at[1] - col) for at in targets.get(cell, ()))
        for offset, equal in offsets.most_common(1):
            if best is None or equal / larger > best.share:
                best = Alignment(quarters, offset, equal / larger)
    return best


@lru_cache(maxsize=8_192)
def _places(kingdom: Kingdom) -> dict[Cell, list[Position]]:
    """The places of every kind of square."""
    places: dict[Cell, list[Position]] = {}
    for at, cell in kingdom.cells():
        if cell is not None:
            places.setdefault(cell, []).append(at)
    return places


def _size(kingdom: Kingdom) -> int:
    return sum(map(len, _places(kingdom).values()))


def same_kingdom(first: Kingdom, second: Kingdom) -> bool:
    """Tell whether two readings are of one kingdom, turned or not."""
    alignment = align(first, second)
    return alignment is not None and alignment.share > SAME_SHARE


def group_same(kingdoms: Sequence[Kingdom | None]) -> list[list[int]]:
    """Return the indices of kingdoms that are one, turned or not; none is in two groups."""
    places = [_places(kingdom) if kingdom else {} for kingdom in kingdoms]
    cells = list({cell for of_kingdom in places for cell in of_kingdom})
    counts = np.array([[len(by_cell.get(cell, ())) for cell in cells] for by_cell in places])
    sizes = counts.sum(axis=-1)
    group_of: dict[int, list[int]] = {}
    for n, kingdom in enumerate(kingdoms):
        # Few kingdoms have so many kinds of squares in common that they are laid on each other.
        common = np.minimum(counts[:n], counts[n]).sum(axis=-1)
        likely = np.flatnonzero(common > SAME_SHARE * np.maximum(sizes[:n], sizes[n]))
        earlier = ((m, kingdoms[m]) for m in likely.tolist())
        same = (m for m, first in earlier if first and kingdom and same_kingdom(first, kingdom))
        group_of[n] = group_of.get(next(same, n), [])
        group_of[n].append(n)
    return [group for n, group in group_of.items() if group[0] == n and len(group) > 1]


def parse_reading(text: str) -> Kingdom | None:
    """Return the kingdom of a kingdom line; None where it is none."""
    try:
        return Kingdom.parse(text) if text else None
    except ValueError:
        return None


# ---------------------------------------------------------------------- what a line says itself


class Clue(IntEnum):
    """How it is known whose kingdom it is, the strongest clue first."""

    READING = auto()
    COLOUR = auto()
    LETTER = auto()
    REST = auto()
    CLAIMS = auto()
    OPEN = auto()


def find_kingdom(
    kingdoms: Sequence[KingdomResult], reading: str, colour: Colour | None, letter: str
) -> tuple[Clue, int | None]:
    """Return the kingdom that a line names, by index: as it was read before, by colour or letter.

    The colour and the reading count where they are those of a single kingdom.
    """
    before = parse_reading(reading)
    indices = range(len(kingdoms))
    alike = [n for n in indices if before and same_kingdom(before, kingdoms[n].kingdom)]
    if len(alike) == 1:
        return Clue.READING, alike[0]
    coloured = [n for n in indices if colour and kingdoms[n].colour is colour]
    if len(coloured) == 1:
        return Clue.COLOUR, coloured[0]
    lettered = [n for n in indices if kingdom_name(n) == letter]
    return (Clue.LETTER, lettered[0]) if lettered else (Clue.OPEN, None)


class Correction(Struct, frozen=True):
    """What a person corrected of one kingdom, and what tells which one.

    Attributes:
        reading: The kingdom line for which it was made; empty where none was read before.
        origin: What the top left place of that kingdom is called.
        letter: The letter of the kingdom in the photo, where the line has one.
        colour: That of its castle, where the line has one.
        cells: The texts of cells by their places as they are called.
    """

    reading: str = ""
    origin: Position = (0, 0)
    letter: str = ""
    colour: Colour | None = None
    cells: tuple[tuple[Position, str], ...] = ()


def place_fixes(corrections: Iterable[Correction], photo: PhotoResult) -> dict[FixPlace, str]:
    """Return the corrections of a photo by the places of its kingdoms, however it is turned now.

    A correction whose kingdom is not in the photo, or is not known, is left out.
    """
    fixes: dict[FixPlace, str] = {}
    several = len(photo.kingdoms) > 1
    for made in corrections:
        clue, index = find_kingdom(photo.kingdoms, made.reading, made.colour, made.letter)
        if index is None and not several and not made.letter:
            index = 0
        if index is None or (made.reading and clue is not Clue.READING):
            continue
        kingdom = photo.kingdoms[index]
        for at, text in made.cells:
            if made.reading:
                at = _turned_place(at, made, kingdom)
            fixes.setdefault(FixPlace(kingdom_name(index) if several else "", at), text)
    return fixes


def _turned_place(at: Position, correction: Correction, kingdom: KingdomResult) -> Position:
    """What a place of the kingdom as it lay then is called in the kingdom as it lies now."""
    before = Kingdom.parse(correction.reading)
    alignment = align(before, kingdom.kingdom)
    assert alignment is not None
    inside = at[0] - correction.origin[0], at[1] - correction.origin[1]
    row, col = alignment.moved(inside, before.height, before.width)
    return row + kingdom.origin[0], col + kingdom.origin[1]


# ---------------------------------------------------------------------- whose it is


class Owned(Struct, frozen=True):
    """The kingdom of a line.

    Attributes:
        by: How it is known, or why it is not.
        index: Its index in the photo; None where it is open.
        candidates: Where it is open, the kingdoms that it may be.
        rivals: The lines, by index, that name the same kingdom.
    """

    by: Clue
    index: int | None = None
    candidates: tuple[int, ...] = ()
    rivals: tuple[int, ...] = ()


def assign(lines: Sequence[Line], photos: Sequence[PhotoResult]) -> list[Owned]:
    """Return the kingdom of each of the lines that name one photo.

    Args:
        lines: The lines, those without a claim that can be read too: each has a kingdom.
        photos: For each line what was read of the photo by its rules; all have the same kingdoms.
    """
    kingdoms = photos[0].kingdoms if photos else ()
    owned: dict[int, Owned] = {}
    # Lines name kingdoms; of several that name one in the same way that counts whose claim fits.
    naming: defaultdict[int, list[tuple[Clue, int]]] = defaultdict(list)
    for n, line in enumerate(lines):
        reading = line.cells.get("reading", "")
        clue, index = find_kingdom(kingdoms, reading, line.colour, line.letter)
        if index is not None:
            naming[index].append((clue, n))
    for index, named in naming.items():
        by = min(clue for clue, _ in named)
        rivals = [n for clue, n in named if clue is by]
        fits = {n: fit_of(expected_total(lines[n]), photos[n].kingdoms[index]) for n in rivals}
        fitting = [n for n in rivals if fits[n] is Fit.EXPLAINED]
        is_one = len({lines[n].who for n in rivals}) == 1
        for n in rivals:
            if is_one or fitting == [n]:
                owned[n] = Owned(by, index)
            elif len(fitting) != 1:
                named_by = tuple(rival for rival in rivals if rival != n)
                owned[n] = Owned(Clue.OPEN, None, (index,), named_by)
    # The last line has the last kingdom; several share them as their claims tell.
    left = [n for n in range(len(lines)) if n not in owned]
    free = [index for index in range(len(kingdoms)) if index not in naming]
    if len(left) == len(free) == 1:
        owned[left[0]] = Owned(Clue.REST, free[0])
    elif left:
        shared = _assign_by_claims([lines[n] for n in left], [photos[n] for n in left], free)
        owned |= zip(left, shared, strict=True)
    return [owned[n] for n in range(len(lines))]


# ---------------------------------------------------------------------- by claims


class Fit(IntEnum):
    """How well a kingdom explains a claim.

    The values are weights: one explained claim counts for more than any number of possible ones,
    one possible claim for more than any number of lines that merely have a kingdom.
    """

    #: The line has a kingdom, which does not explain its claim.
    UNEXPLAINED = 1
    #: The kingdom is doubtful, and the claim is one of the totals that it may have.
    POSSIBLE = 100
    #: The kingdom is sure, and the claim is its total.
    EXPLAINED = 10_000


def expected_total(line: Line) -> int | None:
    """Return the total that a line says its kingdom has: the accepted, else the claimed one."""
    return line.accept if isinstance(line.accept, int) else line.claimed


def fit_of(claimed: int | None, kingdom: KingdomResult) -> Fit:
    """Return how well a kingdom explains a claim.

    A doubtful reading leaves room for a claim that is among its totals, and for any claim when its
    totals leave too much open, as they do where none is likely enough to be named.
    """
    if claimed is None:
        return Fit.POSSIBLE
    if kingdom.status is Status.SURE:
        return Fit.EXPLAINED if kingdom.score == claimed else Fit.UNEXPLAINED
    chances = chances_of(kingdom)
    is_possible = claimed in chances or sum(chances.values()) < PIPELINE.sure_from
    return Fit.POSSIBLE if is_possible else Fit.UNEXPLAINED


def chances_of(kingdom: KingdomResult) -> dict[int, float]:
    """Return the probability of every total that is listed; nothing where none can be named."""
    chances: defaultdict[int, float] = defaultdict(float)
    if kingdom.scored:
        chances[kingdom.score] = kingdom.probability
        for alternative in kingdom.alternatives:
            chances[alternative.score] += alternative.probability
    return chances


def _assign_by_claims(
    lines: Sequence[Line], photos: Sequence[PhotoResult], free: Sequence[int]
) -> list[Owned]:
    """Assign lines to the free kingdoms of a photo so that most claims fit.

    A line has the kingdom that it has in every best assignment. Claims tell whose kingdom is whose
    where they explain half of the kingdoms at least, and none of the others may have a total that
    is claimed: a single claim of four may as well be the mistake of another player.
    """
    fits = [
        [fit_of(expected_total(line), photo.kingdoms[index]) for index in free]
        for line, photo in zip(lines, photos, strict=True)
    ]
    # Of claims that fit as well those go first that are of the table of most lines.
    (table, _), *_ = Counter(line.place for line in lines).most_common(1)
    preferred = [line.place == table for line in lines]
    chosen, worth = best_kingdoms(
        [[2 * fit + is_first for fit in row] for row, is_first in zip(fits, preferred, strict=True)]
    )
    # An explained claim is worth twice its weight, and all else together less than one weight.
    do_tell = worth // Fit.EXPLAINED >= len(free)
    owned = []
    for line, photo, options in zip(lines, photos, chosen, strict=True):
        candidates = [free[n] for n in sorted(n for n in options if n is not None)]
        is_open = not do_tell or len(options) > 1 or not candidates
        rest = [photo.kingdoms[index] for index in free if index not in candidates]
        if not is_open and any(_may_have(kingdom, expected_total(line)) for kingdom in rest):
            is_open, candidates = True, [*free]
        index = None if is_open else candidates[0]
        owned.append(Owned(Clue.OPEN if is_open else Clue.CLAIMS, index, tuple(candidates)))
    return owned


def _may_have(kingdom: KingdomResult, claimed: int | None) -> bool:
    """Tell whether a doubtful kingdom may have a total that is claimed."""
    if claimed is None or kingdom.status is Status.SURE:
        return False
    return not kingdom.scored or chances_of(kingdom).get(claimed, 0) >= LEAST_TOTAL


def best_kingdoms(weights: Sequence[Sequence[int]]) -> tuple[list[frozenset[int | None]], int]:
    """Return for every line the kingdoms that it has in some best assignment, and its worth.

    Args:
        weights: What it is worth that a line has a kingdom: `weights[line][kingdom]`.

    Returns:
        Indices of kingdoms for every line; None among them where it may have no kingdom, which
        happens only where there are more lines than kingdoms.
    """
    lines, kingdoms = len(weights), len(weights[0])
    if max(kingdoms, lines) > MOST_ASSIGNED:
        return [frozenset((*range(kingdoms), None))] * lines, 0
    best: list[tuple[int | None, ...]] = []
    most = -1
    for order in permutations([*range(kingdoms), *[None] * (lines - kingdoms)], lines):
        pairs = zip(weights, order, strict=True)
        worth = sum(row[index] for row, index in pairs if index is not None)
        if worth > most:
            best, most = [], worth
        if worth == most:
            best.append(order)
    return [frozenset(indices) for indices in zip(*best, strict=True)], most
