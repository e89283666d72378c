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
        is_crowded: Whether more rows are open than kingdoms are left, so that it may be none.
        rivals: The rows that name the same kingdom.
        doubt: Why a person must look, though the row names a kingdom.
    """

    clue: Clue
    index: int | None = None
    candidates: tuple[int, ...] = ()
    is_crowded: bool = False
    rivals: tuple[Row, ...] = ()
    doubt: Sentence | None = None


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
    if claimed in chances or sum(chances.values()) < PIPELINE.sure_from:
        return Fit.POSSIBLE
    return Fit.UNEXPLAINED


def _list_chances(kingdom: KingdomResult) -> dict[int, float]:
    """Return the probability of every total that is listed; nothing where none can be named."""
    chances: defaultdict[int, float] = defaultdict(float)
    if kingdom.scored:
        chances[kingdom.score] = kingdom.probability
        for alternative in kingdom.alternatives:
            chances[alternative.score] += alternative.probability
    return chances


class _Contender(Struct, frozen=True):
    """A row that has one of the kingdoms of its photo.

    Attributes:
        n: Its index among the rows of the photo.
        row: The row.
        kingdoms: The kingdoms of the photo, scored by the rules of the row.
    """

    n: int
    row: Row
    kingdoms: tuple[KingdomResult, ...]

    @property
    def total(self) -> int | None:
        """What was accepted for the row, else what it claims."""
        return self.row.claimed if self.row.accept is None else self.row.accept

    def rate(self, index: int) -> Fit:
        """Return how well a kingdom explains the total of the row."""
        kingdom = self.kingdoms[index]
        if not _fits_colour(self.row, kingdom):
            return Fit.UNEXPLAINED
        return rate_fit(self.total, kingdom)


def match_rows(rows: Sequence[Row], photos: Sequence[PhotoResult]) -> list[Match]:
    """Return the kingdom of each of the rows that name one photo.

    Args:
        rows: The rows, those without a claim that can be read too: each has a kingdom.
        photos: For each row what was read of the photo by its rules, without the corrections of
            people; all have the same kingdoms.
    """
    contenders: list[_Contender] = []
    for n, (row, photo) in enumerate(zip(rows, photos, strict=True)):
        contenders.append(_Contender(n, row, photo.kingdoms))
    if not contenders or not contenders[0].kingdoms:
        return [Match(Clue.OPEN)] * len(rows)
    matches: dict[int, Match] = {}
    # Rows name kingdoms; clues that contradict each other leave a row open.
    naming: defaultdict[int, list[tuple[Clue, _Contender]]] = defaultdict(list)
    for contender in contenders:
        match = find_named(contender.kingdoms, contender.row)
        if match.doubt:
            matches[contender.n] = match
        elif match.index is not None:
            naming[match.index].append((match.clue, contender))
    for index, named in naming.items():
        matches |= _part_rivals(index, named)
    # Claims tell which of the other kingdoms other rows have.
    free_kingdoms = [index for index in range(len(contenders[0].kingdoms)) if index not in naming]
    open_rows = [contender for contender in contenders if contender.n not in matches]
    matches |= _match_claims(open_rows, free_kingdoms)
    # The last row has the last kingdom; the kingdom of any other row is open.
    taken = [match.index for match in matches.values()]
    free_kingdoms = [index for index in free_kingdoms if index not in taken]
    open_rows = [contender for contender in open_rows if contender.n not in matches]
    for contender in open_rows:
        matches[contender.n] = _match_rest(contender, free_kingdoms, len(open_rows))
    _doubt_exchanged(contenders, matches)
    return [matches[contender.n] for contender in contenders]


def _match_rest(contender: _Contender, free_kingdoms: Sequence[int], open_rows: int) -> Match:
    """Return the kingdom that is left for a row, or those that it may have.

    Args:
        contender: The row.
        free_kingdoms: The kingdoms that no row has, as indices.
        open_rows: How many rows have none.
    """
    if len(free_kingdoms) == open_rows == 1:
        (index,) = free_kingdoms
        if _fits_colour(contender.row, contender.kingdoms[index]):
            return Match(Clue.REST, index)
    fitting = [n for n in free_kingdoms if contender.rate(n) is not Fit.UNEXPLAINED]
    candidates, is_crowded = tuple(fitting or free_kingdoms), open_rows > len(free_kingdoms)
    return Match(Clue.OPEN, candidates=candidates, is_crowded=is_crowded)


# ---------------------------------------------------------------------- what a row says itself


def find_named(kingdoms: Sequence[KingdomResult], row: Row) -> Match:
    """Return the kingdom that a row names: as it was read before, by colour or by letter.

    The reading and the colour count where they are those of a single kingdom.
    """
    same: list[int] = []
    coloured: list[int] = []
    lettered: list[int] = []
    for index, kingdom in enumerate(kingdoms):
        if row.reading and same_kingdom(row.reading, kingdom.kingdom):
            same.append(index)
        if row.colour and kingdom.colour is row.colour:
            coloured.append(index)
        if row.letter == kingdom_name(index):
            lettered.append(index)
    # Of two kingdoms that are alike, another clue says which one it is.
    if len(same) > 1:
        same = [index for index in same if index in coloured + lettered]
    for clue, indices in ((Clue.READING, same), (Clue.COLOUR, coloured), (Clue.LETTER, lettered)):
        if len(indices) == 1:
            return _name_kingdom(clue, indices[0], kingdoms[indices[0]], row, lettered)
    return Match(Clue.OPEN)


def _name_kingdom(
    clue: Clue, index: int, kingdom: KingdomResult, row: Row, lettered: Sequence[int]
) -> Match:
    """Return the kingdom that a clue names; open where the colour or the letter is another's."""
    other = ""
    if not _fits_colour(row, kingdom):
        other = "colour"
    elif lettered and index not in lettered:
        other = "kingdom"
    if not other:
        return Match(clue, index)
    fields = {"letter": kingdom_name(index), "clue": _COLUMNS[clue], "other": other}
    doubt = Sentence("verdict.conflict", fields)
    return Match(Clue.OPEN, candidates=(index,), doubt=doubt)


def _fits_colour(row: Row, kingdom: KingdomResult) -> bool:
    """Tell whether a kingdom can be that of a row by the colour of its castle."""
    return row.colour is None or kingdom.colour in (None, row.colour)


def is_misnamed(row: Row, photo: PhotoResult, match: Match) -> bool:
    """Tell whether a row has a letter that no kingdom has, and no stronger clue names its own."""
    return match.clue > Clue.LETTER and bool(row.letter) and row.letter not in photo.named


def _part_rivals(index: int, named: Sequence[tuple[Clue, _Contender]]) -> dict[int, Match]:
    """Return which rows have a kingdom that several name.

    The strongest clue goes first. Of rows with equal clues the one whose claim fits has it, the
    others are looked at further; where several claims fit, or none, all of them are open.

    Args:
        index: The kingdom.
        named: The rows that name it, and how.
    """
    best = min(clue for clue, _ in named)
    rivals = [contender for clue, contender in named if clue is best]
    fits = [rival.n for rival in rivals if rival.rate(index) is Fit.EXPLAINED]
    players = {rival.row.player_in_game for rival in rivals}
    matches: dict[int, Match] = {}
    for rival in rivals:
        if len(players) == 1 or fits == [rival.n]:
            matches[rival.n] = Match(best, index)
        elif len(fits) != 1:
            others = [other.row for other in rivals if other is not rival]
            matches[rival.n] = Match(Clue.OPEN, candidates=(index,), rivals=tuple(others))
    return matches


# ---------------------------------------------------------------------- by claims


def _match_claims(
    open_rows: Sequence[_Contender], free_kingdoms: Sequence[int]
) -> dict[int, Match]:
    """Return the rows whose claims tell which of the free kingdoms is theirs.

    A claim tells where it is the total of one sure kingdom, where no other kingdom may have it,
    and where no other row claims it. At least half of the kingdoms must be claimed so: a single
    claim of four may as well be the mistake of another player.

    Args:
        open_rows: The rows that name no kingdom.
        free_kingdoms: The kingdoms that no row names, as indices.
    """
    fitting: defaultdict[int, list[_Contender]] = defaultdict(list)
    explained: Counter[int] = Counter()
    for contender in open_rows:
        for index in free_kingdoms:
            if contender.rate(index) is Fit.EXPLAINED:
                fitting[index].append(contender)
                explained[contender.n] += 1
    matches: dict[int, Match] = {}
    if 2 * len(fitting) < len(free_kingdoms):
        return matches
    for index, contenders in fitting.items():
        first = _find_first(contenders, open_rows)
        if first is None or explained[first.n] > 1:
            continue
        others = [other for other in free_kingdoms if other != index and _can_have(first, other)]
        if not others:
            matches[first.n] = Match(Clue.CLAIMS, index)
    return matches


def _find_first(
    contenders: Sequence[_Contender], open_rows: Sequence[_Contender]
) -> _Contender | None:
    """Return the row that has a kingdom among those whose claims fit it; None where that is open.

    Rows of the table that has most rows go first: another one may name the wrong photo.
    """
    tables = Counter(contender.row.game_key for contender in open_rows)
    most = max(tables[contender.row.game_key] for contender in contenders)
    first = [contender for contender in contenders if tables[contender.row.game_key] == most]
    return first[0] if len(first) == 1 else None


def _can_have(contender: _Contender, index: int) -> bool:
    """Tell whether a doubtful kingdom may have the total of a row."""
    kingdom = contender.kingdoms[index]
    if contender.total is None or kingdom.status is Status.SURE:
        return False
    return not kingdom.scored or _list_chances(kingdom).get(contender.total, 0) >= LEAST_TOTAL


def _doubt_exchanged(contenders: Sequence[_Contender], matches: dict[int, Match]) -> None:
    """Doubt a kingdom that is only left over where two claims of the photo are each other's.

    Then either the claims were exchanged, or the kingdoms.
    """
    for contender in contenders:
        match = matches[contender.n]
        if match.clue is not Clue.REST or match.index is None:
            continue
        own_total = contender.kingdoms[match.index].score
        for rival in contenders:
            index = matches[rival.n].index
            if index in (None, match.index):
                continue
            rival_total = rival.kingdoms[index].score
            claims = contender.row.claimed, rival.row.claimed
            if claims == (rival_total, own_total) and own_total != rival_total:
                doubt = Sentence("verdict.exchanged", {"row": rival.row.label})
                matches[contender.n] = replace(match, doubt=doubt)
