"""Whose kingdom it is: rows of a photo and the kingdoms that it shows.

A row has the kingdom of its photo that agrees with what an earlier run read for it, turned or not;
else that with the colour of its castle; else that of its letter; else the only one; else the one
that it has under the assignment by which most claims fit. Every kingdom has one owner.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from enum import IntEnum, auto

from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import kingdom_name
from kdvision.pipeline.trust import PIPELINE
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.sentences import Sentence
from kdvision.tournament.likeness import same_kingdom
from kdvision.tournament.rows import Row

#: A total of a doubtful kingdom that is at least as likely as this keeps claims from telling whose
#: it is: what is sure is right at least with the other part of 1.
LEAST_TOTAL = 1 - PIPELINE.sure_from


class Clue(IntEnum):
    """How it is known whose kingdom it is, the strongest clue first."""

    #: The row was made for the kingdom, as no other has it.
    NEW = auto()
    READING = auto()
    COLOUR = auto()
    LETTER = auto()
    #: It is the only one that is left.
    REST = auto()
    CLAIMS = auto()
    OPEN = auto()


#: The columns that clues stand in.
_COLUMNS = {Clue.READING: "reading", Clue.COLOUR: "colour", Clue.LETTER: "kingdom"}


class Match(Struct, frozen=True):
    """The kingdom of a row.

    Attributes:
        clue: How it is known, or that it is not.
        index: Its index in the photo; None where it is open.
        candidates: Where it is open, the kingdoms that it may be.
        rivals: The rows that name the same kingdom.
        doubt: Why a person must look, though the row names a kingdom.
    """

    clue: Clue
    index: int | None = None
    candidates: tuple[int, ...] = ()
    rivals: tuple[Row, ...] = ()
    doubt: Sentence | None = None


def match_rows(rows: Sequence[Row], photos: Sequence[PhotoResult]) -> list[Match]:
    """Return the kingdom of each of the rows that name one photo.

    Args:
        rows: The rows, those without a claim that can be read too: each has a kingdom.
        photos: For each row what was read of the photo by its rules, without the corrections of
            people; all have the same kingdoms.
    """
    kingdoms = photos[0].kingdoms if photos else ()
    if not kingdoms:
        return [Match(Clue.OPEN)] * len(rows)
    matches: dict[int, Match] = {}
    # Rows name kingdoms; clues that contradict each other leave a row open.
    claimants: defaultdict[int, list[tuple[Clue, int]]] = defaultdict(list)
    for n, row in enumerate(rows):
        match = find_named(kingdoms, row)
        if match.doubt:
            matches[n] = match
        elif match.index is not None:
            claimants[match.index].append((match.clue, n))
    for index, pairs in claimants.items():
        matches |= _part_rivals(index, pairs, rows, photos)
    # Claims tell of the others, and the last row has the last kingdom.
    rest = [n for n in range(len(rows)) if n not in matches]
    free = [index for index in range(len(kingdoms)) if index not in claimants]
    matches |= _match_claims(rest, free, rows, photos)
    rest = [n for n in rest if n not in matches]
    told = {match.index for match in matches.values()}
    left = [index for index in free if index not in told]
    if len(rest) == len(left) == 1 and _fits_colour(rows[rest[0]], kingdoms[left[0]]):
        matches[rest[0]] = Match(Clue.REST, left[0])
    for n in rest:
        fitting = [
            index for index in left if _rate(rows[n], photos[n].kingdoms[index]) < Fit.UNEXPLAINED
        ]
        matches.setdefault(n, Match(Clue.OPEN, candidates=tuple(fitting or left)))
    return _doubt_exchanged(rows, photos, [matches[n] for n in range(len(rows))])


# ---------------------------------------------------------------------- what a row says itself


def find_named(kingdoms: Sequence[KingdomResult], row: Row) -> Match:
    """Return the kingdom that a row names: as it was read before, by colour or by letter.

    The reading and the colour count where they are those of a single kingdom.
    """
    same = [
        n
        for n, kingdom in enumerate(kingdoms)
        if row.reading and same_kingdom(row.reading, kingdom.kingdom)
    ]
    coloured = [
        n for n, kingdom in enumerate(kingdoms) if row.colour and kingdom.colour is row.colour
    ]
    lettered = [n for n in range(len(kingdoms)) if kingdom_name(n) == row.letter]
    # Of two kingdoms that are alike, another clue says which one it is.
    if len(same) > 1:
        same = [n for n in same if n in coloured or n in lettered]
    clues = ((Clue.READING, same), (Clue.COLOUR, coloured), (Clue.LETTER, lettered))
    for clue, indices in clues:
        if len(indices) == 1:
            (index,) = indices
            contradicting = _find_contradicting(row, index, kingdoms[index], lettered)
            if contradicting:
                fields = {"letter": kingdom_name(index), "clue": _COLUMNS[clue]}
                doubt = Sentence("verdict.conflict", {**fields, "other": contradicting})
                return Match(Clue.OPEN, None, (index,), doubt=doubt)
            return Match(clue, index)
    return Match(Clue.OPEN)


def _find_contradicting(
    row: Row, index: int, kingdom: KingdomResult, lettered: Sequence[int]
) -> str:
    """Return the column of a row that contradicts its kingdom; empty where none does."""
    if not _fits_colour(row, kingdom):
        return "colour"
    return "kingdom" if lettered and index not in lettered else ""


def _fits_colour(row: Row, kingdom: KingdomResult) -> bool:
    """Tell whether a kingdom can be that of a row by the colour of its castle."""
    return row.colour is None or kingdom.colour in (None, row.colour)


def is_misnamed(row: Row, photo: PhotoResult, match: Match) -> bool:
    """Tell whether a row has a letter that no kingdom has, and no stronger clue names its own."""
    return match.clue > Clue.LETTER and row.letter not in ("", *photo.named)


def _part_rivals(
    index: int,
    pairs: Sequence[tuple[Clue, int]],
    rows: Sequence[Row],
    photos: Sequence[PhotoResult],
) -> dict[int, Match]:
    """Return which of the rows has a kingdom that several name.

    The strongest clue goes first. Of rows with equal clues the one whose claim fits has it, the
    others are looked at further; where several claims fit, or none, all of them are open.
    """
    best, _ = min(pairs)
    rivals = [n for clue, n in pairs if clue is best]
    fits = [n for n in rivals if _rate(rows[n], photos[n].kingdoms[index]) is Fit.EXPLAINED]
    matches: dict[int, Match] = {}
    for n in rivals:
        is_one_player = all(_is_same_player(rows[n], rows[rival]) for rival in rivals)
        if is_one_player or fits == [n]:
            matches[n] = Match(best, index)
        elif len(fits) != 1:
            others = tuple(rows[rival] for rival in rivals if rival != n)
            matches[n] = Match(Clue.OPEN, None, (index,), others)
    return matches


def _is_same_player(first: Row, second: Row) -> bool:
    return (first.who, *first.game_key) == (second.who, *second.game_key)


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
    chances = _list_chances(kingdom)
    is_possible = claimed in chances or sum(chances.values()) < PIPELINE.sure_from
    return Fit.POSSIBLE if is_possible else Fit.UNEXPLAINED


def _rate(row: Row, kingdom: KingdomResult) -> Fit:
    """Return how well a kingdom explains what a row claims, or what was accepted for it."""
    if not _fits_colour(row, kingdom):
        return Fit.UNEXPLAINED
    return rate_fit(row.claimed if row.accept is None else row.accept, kingdom)


def _list_chances(kingdom: KingdomResult) -> dict[int, float]:
    """Return the probability of every total that is listed; nothing where none can be named."""
    chances: defaultdict[int, float] = defaultdict(float)
    if kingdom.scored:
        chances[kingdom.score] = kingdom.probability
        for alternative in kingdom.alternatives:
            chances[alternative.score] += alternative.probability
    return chances


def _match_claims(
    rest: Sequence[int],
    free: Sequence[int],
    rows: Sequence[Row],
    photos: Sequence[PhotoResult],
) -> dict[int, Match]:
    """Return the rows whose claims tell which of the free kingdoms is theirs.

    A claim tells where it is the total of one sure kingdom, where no other kingdom may have it,
    and where no other row claims it. At least half of the kingdoms must be claimed so: a single
    claim of four may as well be the mistake of another player.

    Args:
        rest: The rows, as indices.
        free: The kingdoms, as indices.
        rows: All rows of the photo.
        photos: For each row what was read of the photo.
    """
    fitting: dict[int, list[int]] = {}
    for n in rest:
        kingdoms = photos[n].kingdoms
        fitting[n] = [index for index in free if _rate(rows[n], kingdoms[index]) is Fit.EXPLAINED]
    claimed = {index for indices in fitting.values() for index in indices}
    if 2 * len(claimed) < len(free):
        return {}
    # Where claims fit equally well, rows of the table that has most rows go first.
    tables = Counter(rows[n].game_key for n in rest)
    matches: dict[int, Match] = {}
    for n, indices in fitting.items():
        rivals = [rival for rival in rest if rival != n and fitting[rival] == indices]
        if len(indices) != 1 or any(
            tables[rows[rival].game_key] >= tables[rows[n].game_key] for rival in rivals
        ):
            continue
        others = [photos[n].kingdoms[index] for index in free if index != indices[0]]
        if not any(_can_have(kingdom, rows[n]) for kingdom in others):
            matches[n] = Match(Clue.CLAIMS, indices[0])
    return matches


def _can_have(kingdom: KingdomResult, row: Row) -> bool:
    """Tell whether a doubtful kingdom may have the total that a row claims."""
    claimed = row.claimed if row.accept is None else row.accept
    if claimed is None or kingdom.status is Status.SURE:
        return False
    return not kingdom.scored or _list_chances(kingdom).get(claimed, 0) >= LEAST_TOTAL


def _doubt_exchanged(
    rows: Sequence[Row], photos: Sequence[PhotoResult], matches: Sequence[Match]
) -> list[Match]:
    """Doubt a kingdom that is only left over where two claims of the photo are each other's.

    Then either the claims were exchanged, or the kingdoms.
    """
    checked = []
    for n, match in enumerate(matches):
        if match.clue is Clue.REST and match.index is not None:
            for rival, other in enumerate(matches):
                if other.index in (None, match.index):
                    continue
                mine, theirs = photos[n].kingdoms[match.index], photos[rival].kingdoms[other.index]
                is_exchanged = (rows[n].claimed, rows[rival].claimed) == (theirs.score, mine.score)
                if is_exchanged and mine.score != theirs.score:
                    doubt = Sentence("verdict.exchanged", {"row": rows[rival].label})
                    match = replace(match, doubt=doubt)
        checked.append(match)
    return checked
