"""Whose kingdom it is: a line belongs to a kingdom, not to a letter or the name of a file.

A line has the one kingdom of its photo that agrees with what an earlier run read for it, turned or
not; else that with the colour of its castle; else that of its letter; else the only one; else the
one that it has in the assignment under which most claims fit. Every kingdom has one owner.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum, StrEnum
from functools import cache, lru_cache

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
#: More kingdoms or lines of one photo are not assigned by claims: the search grows with 2 to the
#: number of kingdoms, and a photo of a table shows at most eight.
MOST_ASSIGNED = 12
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
    places_of = _places_by_cell(second)
    for quarters in range(4):
        offsets: Counter[Position] = Counter()
        for cell, places in _places_by_cell(first.turned(quarters)).items():
            for row, col in places:
                offsets.update(
                    (place[0] - row, place[1] - col) for place in places_of.get(cell, ())
                )
        if offsets:
            offset, equal = offsets.most_common(1)[0]
            share = equal / max(_size(first), _size(second))
            if best is None or share > best.share:
                best = Alignment(quarters, offset, share)
    return best


def _places_by_cell(kingdom: Kingdom) -> dict[Cell, list[Position]]:
    places: dict[Cell, list[Position]] = {}
    for at, cell in kingdom.cells():
        if cell is not None:
            places.setdefault(cell, []).append(at)
    return places


@lru_cache(maxsize=8_192)
def _count_cells(kingdom: Kingdom) -> Counter[Cell]:
    return Counter(cell for _, cell in kingdom.cells() if cell is not None)


def _size(kingdom: Kingdom) -> int:
    return _count_cells(kingdom).total()


def same_kingdom(first: Kingdom, second: Kingdom) -> bool:
    """Tell whether two readings are of one kingdom, turned or not."""
    common = (_count_cells(first) & _count_cells(second)).total()
    if common <= SAME_SHARE * max(_size(first), _size(second)):
        return False
    alignment = align(first, second)
    return alignment is not None and alignment.share > SAME_SHARE


def group_same(kingdoms: Sequence[Kingdom | None]) -> list[list[int]]:
    """Return the indices of kingdoms that are one, turned or not; none is in two groups."""
    cells = sorted(
        {cell for kingdom in kingdoms if kingdom for _, cell in kingdom.cells()}, key=str
    )
    number = {cell: n for n, cell in enumerate(cells) if cell is not None}
    counts = np.zeros((len(kingdoms), len(cells)), np.int16)
    for n, kingdom in enumerate(kingdoms):
        for _, cell in kingdom.cells() if kingdom else ():
            if cell is not None:
                counts[n, number[cell]] += 1
    sizes = counts.sum(axis=1)
    group_of: dict[int, list[int]] = {}
    for n, kingdom in enumerate(kingdoms):
        # Few kingdoms have so many kinds of squares in common that they are laid on each other.
        common = np.minimum(counts[:n], counts[n]).sum(axis=1)
        likely = np.flatnonzero(common > SAME_SHARE * np.maximum(sizes[:n], sizes[n]))
        for earlier in likely.tolist():
            first = kingdoms[earlier]
            if kingdom and first and same_kingdom(first, kingdom):
                group_of[n] = group_of.setdefault(earlier, [earlier])
                group_of[n].append(n)
                break
    return [group for n, group in group_of.items() if group[0] == n]


# ---------------------------------------------------------------------- corrections


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
    for correction in corrections:
        index = find_kingdom(photo, correction.reading, correction.colour, correction.letter)
        if index is None:
            continue
        kingdom = photo.kingdoms[index]
        name = kingdom_name(index) if len(photo.kingdoms) > 1 else ""
        for at, text in correction.cells:
            if correction.reading:
                at = _turned_place(at, correction, kingdom)
            fixes.setdefault(FixPlace(name, at), text)
    return fixes


def _turned_place(at: Position, correction: Correction, kingdom: KingdomResult) -> Position:
    """What a place of the kingdom as it lay then is called in the kingdom as it lies now."""
    before = Kingdom.parse(correction.reading, one_castle=False)
    alignment = align(before, kingdom.kingdom)
    assert alignment is not None
    inside = at[0] - correction.origin[0], at[1] - correction.origin[1]
    row, col = alignment.moved(inside, before.height, before.width)
    return row + kingdom.origin[0], col + kingdom.origin[1]


def find_kingdom(
    photo: PhotoResult, reading: str, colour: Colour | None, letter: str
) -> int | None:
    """Return the kingdom of a photo that a line is about, as far as that is known without claims.

    Where an earlier reading is known, only a kingdom that agrees with it is the one.
    """
    if reading:
        return _only(_agreeing(photo.kingdoms, reading))
    if colour:
        coloured = [n for n, kingdom in enumerate(photo.kingdoms) if kingdom.colour is colour]
        if len(coloured) == 1:
            return coloured[0]
    names = [kingdom_name(n) for n in range(len(photo.kingdoms))]
    if letter in names:
        return names.index(letter)
    return 0 if len(names) == 1 and not letter else None


def _agreeing(kingdoms: Sequence[KingdomResult], reading: str) -> list[int]:
    before = parse_reading(reading)
    if before is None:
        return []
    return [n for n, result in enumerate(kingdoms) if same_kingdom(before, result.kingdom)]


def parse_reading(text: str) -> Kingdom | None:
    """Return the kingdom of a kingdom line; None where it is none."""
    try:
        return Kingdom.parse(text) if text else None
    except ValueError:
        return None


def _only(indices: Sequence[int]) -> int | None:
    return indices[0] if len(indices) == 1 else None


# ---------------------------------------------------------------------- whose it is


class Clue(StrEnum):
    """How it is known whose kingdom it is."""

    READING = "reading"
    COLOUR = "colour"
    LETTER = "letter"
    ONLY = "only"
    REST = "rest"
    CLAIMS = "claims"
    OPEN = "open"
    RIVALS = "rivals"


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
    taken: set[int] = set()

    def give(by: Clue, wish: Callable[[Line], int | None]) -> None:
        """Give kingdoms to the lines that wish for them; of several the one whose claim fits."""
        wishes: dict[int, list[int]] = {}
        for n, line in enumerate(lines):
            index = wish(line) if n not in owned else None
            if index is not None and index not in taken:
                wishes.setdefault(index, []).append(n)
        for index, rivals in wishes.items():
            taken.add(index)
            fits = {n: fit_of(expected_total(lines[n]), photos[n].kingdoms[index]) for n in rivals}
            fitting = [n for n in rivals if fits[n] is Fit.EXPLAINED]
            is_one = len({lines[n].who for n in rivals}) == 1
            for n in rivals:
                if is_one or fitting == [n]:
                    owned[n] = Owned(by, index)
                elif len(fitting) != 1:
                    named_by = tuple(rival for rival in rivals if rival != n)
                    owned[n] = Owned(Clue.RIVALS, None, (index,), named_by)

    names = {kingdom_name(n): n for n in range(len(kingdoms))}
    colours = [kingdom.colour for kingdom in kingdoms]
    give(Clue.READING, lambda line: _only(_agreeing(kingdoms, line.cells.get("reading", ""))))
    give(Clue.COLOUR, lambda line: colours.index(line.colour) if _is_named(line, colours) else None)
    give(Clue.LETTER, lambda line: names.get(line.letter))
    left = [n for n in range(len(lines)) if n not in owned]
    free = [index for index in range(len(kingdoms)) if index not in taken]
    if len(left) == len(free) == 1:
        owned[left[0]] = Owned(Clue.ONLY if len(kingdoms) == 1 else Clue.REST, free[0])
    elif left:
        shared = _assign_by_claims([lines[n] for n in left], [photos[n] for n in left], free)
        owned |= zip(left, shared, strict=True)
    return [owned[n] for n in range(len(lines))]


def _is_named(line: Line, colours: Sequence[Colour | None]) -> bool:
    return line.colour is not None and colours.count(line.colour) == 1


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
    return line.accept.total if line.accept and line.accept.total is not None else line.claimed


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


def chances_of(kingdom: KingdomResult) -> dict[int | None, float]:
    """Return the probability of every total that is listed; nothing where none can be named."""
    chances: dict[int | None, float] = {}
    if kingdom.scored:
        chances[kingdom.score] = kingdom.probability
        for alternative in kingdom.alternatives:
            chances[alternative.score] = (
                chances.get(alternative.score, 0.0) + alternative.probability
            )
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
    chosen = best_kingdoms(fits, [_is_of_table(line, lines) for line in lines])
    explained = {
        n
        for row, options in zip(fits, chosen, strict=True)
        for n in options
        if n is not None and row[n] is Fit.EXPLAINED
    }
    do_tell = 2 * len(explained) >= len(free)
    owned = []
    for line, photo, options in zip(lines, photos, chosen, strict=True):
        (first, *more) = sorted(options, key=lambda n: (n is None, n))
        candidates = tuple(free[n] for n in sorted(n for n in options if n is not None))
        if first is None or more or not do_tell:
            owned.append(Owned(Clue.OPEN, None, candidates))
        elif _may_be_another(line, photo, [index for index in free if index != free[first]]):
            owned.append(Owned(Clue.OPEN, None, tuple(free)))
        else:
            owned.append(Owned(Clue.CLAIMS, free[first]))
    return owned


def _may_be_another(line: Line, photo: PhotoResult, free: Sequence[int]) -> bool:
    """Tell whether a doubtful kingdom may have the total that a line claims, too."""
    claimed = expected_total(line)
    return claimed is not None and any(
        photo.kingdoms[index].status is not Status.SURE
        and (
            not photo.kingdoms[index].scored
            or chances_of(photo.kingdoms[index]).get(claimed, 0.0) >= LEAST_TOTAL
        )
        for index in free
    )


def _is_of_table(line: Line, lines: Sequence[Line]) -> bool:
    """Tell whether a line is of the table that most lines of its photo are of."""
    (place, _), *_ = Counter(neighbour.place for neighbour in lines).most_common(1)
    return line.place == place


def best_kingdoms(
    fits: Sequence[Sequence[Fit]], preferred: Sequence[bool]
) -> list[frozenset[int | None]]:
    """Return for every line the kingdoms that it has in some best assignment.

    Args:
        fits: `fits[line][kingdom]`; all lines have the same number of kingdoms.
        preferred: The lines that go before others whose claims fit as well.

    Returns:
        Indices of kingdoms for every line; None among them where it may have no kingdom, which
        happens only where there are more lines than kingdoms.
    """
    kingdoms = len(fits[0]) if fits else 0
    if max(kingdoms, len(fits)) > MOST_ASSIGNED:
        return [frozenset((*range(kingdoms), None)) for _ in fits]

    @cache
    def best(line: int, taken: int) -> tuple[int, tuple[frozenset[int | None], ...]]:
        """The best sum from a line on, `taken` as bits, and what each line has where it is won."""
        if line == len(fits):
            return 0, ()
        free: list[int | None] = [n for n in range(kingdoms) if not taken >> n & 1]
        ways = []
        for index in free + [None] * (len(fits) - line > len(free)):
            weight = 0 if index is None else 2 * fits[line][index] + preferred[line]
            worth, rest = best(line + 1, taken | (0 if index is None else 1 << index))
            ways.append((weight + worth, (frozenset([index]), *rest)))
        most = max(worth for worth, _ in ways)
        winners = [owners for worth, owners in ways if worth == most]
        return most, tuple(frozenset().union(*options) for options in zip(*winners, strict=True))

    return list(best(0, 0)[1])
