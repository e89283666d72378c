"""Whose kingdom it is: a line belongs to a kingdom, not to a letter or the name of a file.

A line has the one kingdom of its photo that agrees with what an earlier run read for it, turned or
not; else that with the colour of its castle; else that of its letter; else the only one; else the
one that it has in the assignment under which most claims fit. Every kingdom has one owner.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from enum import IntEnum, auto
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import FixPlace, kingdom_name, locate_fixes
from kdvision.errors import UsageError
from kdvision.pipeline.trust import PIPELINE
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.kingdom import Cell, Kingdom, Position
from kdvision.tournament.columns import Decision, Line

#: Share of the squares of the larger of two kingdoms that must be equal for both to be one: a photo
#: that is misread in a few squares, or taken a domino later, stays within it; kingdoms of two
#: players agree on a fifth.
SAME_SHARE = 0.8
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

    def move(self, at: Position, height: int, width: int) -> Position:
        """Return where a place of a kingdom of this height and width lies on the other one."""
        row, col = at
        for _ in range(self.quarters):
            row, col, height, width = col, height - 1 - row, width, height
        return row + self.offset[0], col + self.offset[1]


@lru_cache(maxsize=8_192)
def align(first: Kingdom, second: Kingdom) -> Alignment:
    """Return how the first kingdom lies on the second so that most squares are equal."""
    best = Alignment(0, (0, 0), 0.0)
    targets = _map_places(second)
    larger = max(_count_squares(first), _count_squares(second))
    for quarters in range(4):
        offsets: Counter[Position] = Counter()
        for cell, places in _map_places(first.turned(quarters)).items():
            for row, col in places:
                offsets.update((at[0] - row, at[1] - col) for at in targets.get(cell, ()))
        for offset, equal in offsets.most_common(1):
            if equal / larger > best.share:
                best = Alignment(quarters, offset, equal / larger)
    return best


@lru_cache(maxsize=8_192)
def _map_places(kingdom: Kingdom) -> dict[Cell, list[Position]]:
    """The places of every kind of square."""
    places: dict[Cell, list[Position]] = {}
    for at, cell in kingdom.cells():
        if cell is not None:
            places.setdefault(cell, []).append(at)
    return places


def _count_squares(kingdom: Kingdom) -> int:
    return sum(map(len, _map_places(kingdom).values()))


def same_kingdom(first: Kingdom, second: Kingdom) -> bool:
    """Tell whether two readings are of one kingdom, turned or not."""
    return align(first, second).share > SAME_SHARE


def group_same(kingdoms: Mapping[int, Kingdom]) -> list[list[int]]:
    """Return the keys of kingdoms that are one, turned or not; none is in two groups."""
    squares = {
        n: {(cell, i) for cell, places in _map_places(kingdom).items() for i in range(len(places))}
        for n, kingdom in kingdoms.items()
    }
    groups: list[list[int]] = []
    for n, kingdom in kingdoms.items():
        for group in groups:
            # Few kingdoms have so many squares in common that they are laid on each other.
            larger = max(len(squares[n]), len(squares[group[0]]))
            is_likely = len(squares[n] & squares[group[0]]) > SAME_SHARE * larger
            if is_likely and same_kingdom(kingdoms[group[0]], kingdom):
                group.append(n)
                break
        else:
            groups.append([n])
    return [group for group in groups if len(group) > 1]


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


def find_named(kingdoms: Sequence[KingdomResult], line: Line) -> tuple[Clue, int | None]:
    """Return the kingdom that a line names, by index: as it was read before, by colour or letter.

    The colour and the reading count where they are those of a single kingdom.
    """
    last = parse_reading(line.cells.get("reading", ""))
    clues: dict[Clue, list[int]] = {clue: [] for clue in Clue}
    for n, kingdom in enumerate(kingdoms):
        if last and same_kingdom(last, kingdom.kingdom):
            clues[Clue.READING].append(n)
        if line.colour and kingdom.colour is line.colour:
            clues[Clue.COLOUR].append(n)
        if kingdom_name(n) == line.letter:
            clues[Clue.LETTER].append(n)
    for clue, indices in clues.items():
        if len(indices) == 1:
            return clue, indices[0]
    return Clue.OPEN, None


# ---------------------------------------------------------------------- whose it is


class Owner(Struct, frozen=True):
    """The kingdom of a line.

    Attributes:
        clue: How it is known, or why it is not.
        index: Its index in the photo; None where it is open.
        candidates: Where it is open, the kingdoms that it may be.
        rivals: The lines that name the same kingdom.
    """

    clue: Clue
    index: int | None = None
    candidates: tuple[int, ...] = ()
    rivals: tuple[Line, ...] = ()


def assign(lines: Sequence[Line], photos: Sequence[PhotoResult]) -> list[Owner]:
    """Return the kingdom of each of the lines that name one photo.

    Args:
        lines: The lines, those without a claim that can be read too: each has a kingdom.
        photos: For each line what was read of the photo by its rules, without the corrections of
            people; all have the same kingdoms.
    """
    kingdoms = photos[0].kingdoms if photos else ()
    if not kingdoms:
        return [Owner(Clue.OPEN)] * len(lines)
    owners: dict[int, Owner] = {}
    # Lines name kingdoms. Where several name one in the same way, the one whose claim fits has it.
    clues: defaultdict[int, list[tuple[Clue, int]]] = defaultdict(list)
    for n, line in enumerate(lines):
        clue, index = find_named(kingdoms, line)
        if index is not None:
            clues[index].append((clue, n))
    for index, pairs in clues.items():
        best, _ = min(pairs)
        rivals = [n for clue, n in pairs if clue is best]
        fits = [rate_fit(lines[n].target, photos[n].kingdoms[index]) for n in rivals]
        explained = [n for n, fit in zip(rivals, fits, strict=True) if fit is Fit.EXPLAINED]
        is_one_player = len({lines[n].player_key for n in rivals}) == 1
        for n in rivals:
            if is_one_player or explained == [n]:
                owners[n] = Owner(best, index)
            elif len(explained) != 1:
                other_lines = tuple(lines[rival] for rival in rivals if rival != n)
                owners[n] = Owner(Clue.OPEN, None, (index,), other_lines)
    # The last line has the last kingdom; where more are left, their claims tell.
    rest = [n for n in range(len(lines)) if n not in owners]
    free = [index for index in range(len(kingdoms)) if index not in clues]
    if len(rest) == len(free) == 1:
        owners[rest[0]] = Owner(Clue.REST, free[0])
    elif rest:
        assigned = _assign_by_claims([lines[n] for n in rest], [photos[n] for n in rest], free)
        owners |= zip(rest, assigned, strict=True)
    return [owners[n] for n in range(len(lines))]


def is_misnamed(line: Line, photo: PhotoResult, owner: Owner) -> bool:
    """Tell whether a line has a letter that no kingdom has, and no stronger clue names its own."""
    return owner.clue > Clue.LETTER and line.letter not in ("", *photo.named)


# ---------------------------------------------------------------------- corrections


def place_fixes(
    lines: Sequence[Line], owners: Sequence[Owner], photo: PhotoResult
) -> tuple[dict[FixPlace, str], list[Line]]:
    """Return what the lines of a photo correct, by places of its kingdoms as they lie now.

    A correction that was made for another kingdom is left out; `judging` says so. The lines are
    returned too: one that corrects a place too far from its kingdom has a problem.
    """
    fixes: dict[FixPlace, str] = {}
    checked = []
    for line, owner in zip(lines, owners, strict=True):
        if owner.index is not None and not is_misnamed(line, photo, owner):
            name = kingdom_name(owner.index) if len(photo.kingdoms) > 1 else ""
            try:
                for at, text in _move_fixes(line, photo.kingdoms[owner.index]).items():
                    fixes.setdefault(FixPlace(name, at), text)
            except UsageError as error:
                line = replace(line, problems=(*line.problems, *error.reasons))
        checked.append(line)
    return fixes, checked


def _move_fixes(line: Line, kingdom: KingdomResult) -> dict[Position, str]:
    """Return the corrections of a line by the places of its kingdom as it lies now.

    Nothing where they were made for another kingdom.

    Raises:
        UsageError: A place is too far from the kingdom.
    """
    decision = line.decisions.get("fix", Decision(""))
    last = parse_reading(decision.reading)
    if last and not same_kingdom(last, kingdom.kingdom):
        return {}
    fixes: dict[Position, str] = {}
    for place, text in line.fixes.items():
        row, col = place.at
        if last:
            at = row - decision.origin[0], col - decision.origin[1]
            row, col = align(last, kingdom.kingdom).move(at, last.height, last.width)
            row, col = row + kingdom.origin[0], col + kingdom.origin[1]
        fixes[row, col] = text
    locate_fixes({FixPlace("", at): text for at, text in fixes.items()}, [kingdom.kingdom], "")
    return fixes


# ---------------------------------------------------------------------- by claims


class Fit(IntEnum):
    """How well a kingdom explains a claim."""

    #: The kingdom is sure, and the claim is its total.
    EXPLAINED = auto()
    #: The kingdom is doubtful, and the claim is one of the totals that it may have.
    POSSIBLE = auto()
    UNEXPLAINED = auto()


def rate_fit(claimed: int | None, kingdom: KingdomResult) -> Fit:
    """Return how well a kingdom explains a claim.

    A doubtful reading leaves room for a claim that is among its totals, and for any claim when its
    totals leave too much open, as they do where none is likely enough to be named.
    """
    if claimed is None:
        return Fit.POSSIBLE
    if kingdom.status is Status.SURE:
        return Fit.EXPLAINED if kingdom.score == claimed else Fit.UNEXPLAINED
    chances = list_chances(kingdom)
    is_possible = claimed in chances or sum(chances.values()) < PIPELINE.sure_from
    return Fit.POSSIBLE if is_possible else Fit.UNEXPLAINED


def list_chances(kingdom: KingdomResult) -> dict[int, float]:
    """Return the probability of every total that is listed; nothing where none can be named."""
    chances: defaultdict[int, float] = defaultdict(float)
    if kingdom.scored:
        chances[kingdom.score] = kingdom.probability
        for alternative in kingdom.alternatives:
            chances[alternative.score] += alternative.probability
    return chances


def _assign_by_claims(
    lines: Sequence[Line], photos: Sequence[PhotoResult], free: Sequence[int]
) -> list[Owner]:
    """Assign lines to the free kingdoms of a photo as their claims fit.

    Claims that fit sure kingdoms go first, then those that fit doubtful ones, and the last line has
    the last kingdom. Claims tell whose kingdom is whose only where they explain at least half of
    the kingdoms, and where no other kingdom may have the total that is claimed: a single claim of
    four may as well be the mistake of another player.
    """
    fits = [
        {index: rate_fit(line.target, photo.kingdoms[index]) for index in free}
        for line, photo in zip(lines, photos, strict=True)
    ]
    explained = [index for index in free if any(fit[index] is Fit.EXPLAINED for fit in fits)]
    # Where claims fit equally well, lines of the table that has most lines go first.
    ((table, _),) = Counter(line.game_key for line in lines).most_common(1)
    owners: dict[int, Owner] = {}
    left = [*free]
    for least in Fit if 2 * len(explained) >= len(free) else ():
        # A line has the kingdom that alone fits its claim, where it fits no other one as well.
        choices = {
            n: [index for index in left if fit[index] <= least]
            for n, fit in enumerate(fits)
            if n not in owners
        }
        for n, indices in choices.items():
            rivals = [rival for rival in choices if choices[rival] == indices]
            rivals = [rival for rival in rivals if lines[rival].game_key == table] or rivals
            if len(indices) != 1 or rivals != [n]:
                continue
            others, total = {*free} - {*indices}, lines[n].target
            is_doubtful = any(_can_have(photos[n].kingdoms[index], total) for index in others)
            clue = Clue.CLAIMS if least is Fit.EXPLAINED else Clue.REST
            if clue is Clue.CLAIMS and is_doubtful:
                owners[n] = Owner(Clue.OPEN, candidates=tuple(free))
            else:
                owners[n] = Owner(clue, indices[0])
                left.remove(indices[0])
    # The others may have what their claims fit, or any kingdom that is left.
    for n, fit in enumerate(fits):
        candidates = [index for index in left if fit[index] is not Fit.UNEXPLAINED] or left
        owners.setdefault(n, Owner(Clue.OPEN, candidates=tuple(candidates)))
    return [owners[n] for n in range(len(lines))]


def _can_have(kingdom: KingdomResult, claimed: int | None) -> bool:
    """Tell whether a doubtful kingdom may have a total that is claimed."""
    if claimed is None or kingdom.status is Status.SURE:
        return False
    return not kingdom.scored or list_chances(kingdom).get(claimed, 0) >= LEAST_TOTAL
