"""Results of players: one name for one person, and what counts for a line of a table.

Names are shown as they were written first, or as the list of players has them. Names that are only
alike are asked about and never made one.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations, product

from msgspec import Struct
from rapidfuzz.distance import OSA

from kdvision.columns import (
    BAD_LINE,
    OPEN,
    VERDICT,
    Accepted,
    acceptance,
    fixes_of,
    game_options,
    letter,
    number,
)
from kdvision.corrections import parse_place
from kdvision.errors import UsageError
from kdvision.options import DEFAULT_OPTIONS
from kdvision.result import Status
from kdvision.rules.kingdom import Kingdom, parse_cell
from kdvision.rules.standings import Result, result_of
from kdvision.rules.terrain import EMPTY_MARK
from kdvision.tournament.lines import name_key
from kdvision.tournament.verify.verdicts import NOT_CHECKED, Verdict

# ---------------------------------------------------------------------- names

#: Letters with marks that Unicode does not take apart, and the two ways to write umlauts.
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"})
#: Letters of Cyrillic and Greek that look like ours.
_LOOKALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u03b1\u03bf\u03bd", "aeopcyxiaov"
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
#: Shorter names are different people when one letter differs: Tim and Tom.
LEAST_LETTERS = 5
#: The names of lines that add others up.
_SUMS = (
    "sum", "summe", "total", "totals", "gesamt", "gesamtsumme", "somme", "suma", "zwischensumme",
    "subtotal", "insgesamt",
)  # fmt: skip
#: No more pairs of names are asked about.
MOST_ASKED = 6


def is_sum(name: str) -> bool:
    """Return whether a name is that of a sum of lines: `Summe`, `Total:`."""
    return name_key(name).rstrip(":. ") in _SUMS


class PlayerNames:
    """The names of a tournament, each shown in one way.

    Args:
        players: The list of players, where there is one: it decides how they are written.
    """

    def __init__(self, players: Iterable[str] = ()) -> None:
        self._shown: dict[str, str] = {}
        for name in players:
            self._shown.setdefault(name_key(name), " ".join(name.split()))
        self._listed = frozenset(self._shown)

    def shown(self, name: str) -> str:
        """Return the one way in which a name is written."""
        return self._shown.setdefault(name_key(name), " ".join(name.split()))

    def strangers(self) -> list[str]:
        """Return the names that are not on the list of players, where there is one."""
        if not self._listed:
            return []
        return [name for key, name in self._shown.items() if key not in self._listed]


def questions(games: Mapping[str, frozenset[str]]) -> list[tuple[str, str]]:
    """Return pairs of names that may be one person: alike, and never in one game or round.

    Args:
        games: The players of each game or round, as they are shown.
    """
    names = sorted({name for players in games.values() for name in players})
    together = {pair for players in games.values() for pair in combinations(sorted(players), 2)}
    return [pair for pair in combinations(names, 2) if pair not in together and are_alike(*pair)]


def are_alike(first: str, second: str) -> bool:
    """Return whether two names differ in marks, umlauts, or one letter only."""
    keys = name_key(first), name_key(second)
    if re.findall(r"\d+", keys[0]) != re.findall(r"\d+", keys[1]):
        return False
    folded = [_folded(key) for key in keys]
    if folded[0] & folded[1]:
        return True
    letters = min(sum(map(str.isalpha, key)) for key in keys)
    return letters >= LEAST_LETTERS and any(
        OSA.distance(one, other, score_cutoff=1) <= 1 for one, other in product(*folded)
    )


def _folded(key: str) -> set[str]:
    """Return a name without marks, in both ways to write umlauts, its parts sorted."""
    found = set()
    for text in (key, key.translate(_UMLAUTS)):
        marks = unicodedata.normalize("NFD", text.translate(_LETTERS).translate(_LOOKALIKES))
        plain = "".join(letter for letter in marks if not unicodedata.combining(letter))
        found.add(" ".join(sorted(re.findall(r"\w+", plain))))
    return found


# ---------------------------------------------------------------------- what counts for a line

Fields = Mapping[str, str]

#: Statuses of lines of which no kingdom was read.
WITHOUT_TOTAL = {Status.NO_KINGDOM.value, Status.UNREADABLE.value, OPEN, BAD_LINE}
_LETTER = re.compile(r"[A-Za-z]{1,2}")
_TOTAL = re.compile(r"[0-9]{1,3}\b")


class Counted(Struct, frozen=True):
    """The result that counts for a line of a table, with what is not sure of it.

    Attributes:
        result: None where the line is left out.
        note: What is not sure, or why the line is left out, in a clause.
        doubtful: Whether the total is not sure.
        others: Other totals that it may be; none where it may be anything.
        pending: Whether a person has still to decide, though the total is sure.
    """

    result: Result | None
    note: str = ""
    doubtful: bool = False
    others: tuple[int, ...] = ()
    pending: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the total, or the line itself, hangs on a decision."""
        return self.result is None or self.doubtful or self.pending

    @property
    def mark(self) -> str:
        """The note of its line in a table of standings."""
        return f"not sure: {self.note}" if self.doubtful else self.note


def counted(fields: Fields) -> Counted:
    """Return what counts for a line of results, of a checked sheet, or of a table made by hand.

    A person's decision goes first, then what was read from the photo. Where nothing was read, or
    no total is likely enough to be named, a claim counts, but is doubtful.

    Raises:
        UsageError, ValueError: A field is wrong.
    """
    fields = _as_results(fields)
    player, status = player_of(fields), fields.get("status")
    if not player:
        raise ValueError("the player is missing.")
    accepted = acceptance(fields)
    try:
        claimed = number(fields, "claimed")
    except UsageError:
        if accepted is None or accepted.what is Accepted.CLAIM:
            raise
        claimed = None
    if status == BAD_LINE and not accepted:
        return Counted(None, fields.get("message") or "the line cannot be used.")
    doubtful = status == Status.DOUBTFUL
    read = fields.get("score") or (_line(fields) and not doubtful)
    if status in WITHOUT_TOTAL or not read:
        if accepted:
            return Counted(Result(player, accepted.settle(claimed, None)))
        if claimed is None and not status:
            raise ValueError("neither a kingdom nor a score.")
        if claimed is None:
            return Counted(None, fields.get("message") or f"the photo is {status}.")
        return Counted(Result(player, claimed), "only claimed", doubtful=True)
    result, missing = _read(player, fields)
    if accepted:
        return Counted(replace(result, total=accepted.settle(claimed, result.total)))
    if missing:
        without = f"{result.total}, without {', '.join(missing)}"
        return Counted(result, f"{without}, which batch or verify has still to add", doubtful=True)
    if doubtful:
        # Such as `6 (12 %); 8 (3 %)`.
        texts = list(map(str.strip, fields.get("alternatives", "").split(";")))
        named = {int(match[0]): text for text in texts if (match := _TOTAL.match(text))}
        totals = {*named, *([] if claimed is None else [claimed])} - {result.total}
        others = "; ".join(
            [text for total, text in named.items() if total in totals] or map(str, totals)
        )
        note = f"{result.total}, or {others}" if others else f"{result.total}, which is not certain"
        return Counted(result, note, True, tuple(sorted(totals)))
    if fields.get(VERDICT) == Verdict.DIFFERS and claimed is not None:
        return Counted(result, f"a decision is pending: {claimed} was claimed", pending=True)
    return Counted(result)


#: The columns of results by those of a checked sheet that mean the same.
_OF_CHECKED = {
    "score": "read_total",
    "kingdom_line": "read_kingdom",
    "origin": "read_origin",
    "alternatives": "possible_totals",
    "message": "explanation",
}


def _as_results(fields: Fields) -> Fields:
    """Rename the columns of a checked sheet to those of results."""
    verdict, total = fields.get(VERDICT), fields.get("read_total")
    if not verdict:
        return fields
    status = fields.get("read_status", "")
    if verdict in (Verdict.BAD_LINE, NOT_CHECKED):
        status = BAD_LINE
    elif not total and verdict == Verdict.AGREES:
        # Several kingdoms of its photo have this total; which is its own need not be known.
        return {**fields, "score": fields.get("counts", ""), "status": "", "kingdom": ""}
    elif not total:
        status = status if status in WITHOUT_TOTAL else OPEN
    elif verdict == Verdict.CANNOT_TELL:
        status = Status.DOUBTFUL.value
    letter = fields.get("read_letter") or fields.get("kingdom", "")
    read = {ours: fields.get(theirs, "") for ours, theirs in _OF_CHECKED.items()}
    return {**fields, **read, "kingdom": letter, "status": status}


def player_of(fields: Fields) -> str:
    """Return the player of a line; without one the photo, with the letter of its kingdom."""
    photo = (fields.get("photo"), _letter(fields))
    return fields.get("player") or " ".join(filter(None, photo))


def _letter(fields: Fields) -> str:
    """Return the letter of the kingdom; tables made by hand may have its line in that column."""
    named = fields.get("kingdom", "")
    return named if _LETTER.fullmatch(named) else ""


def _line(fields: Fields) -> str:
    """Return the kingdom line, from either of its columns."""
    return fields.get("kingdom_line", "") or ("" if _letter(fields) else fields.get("kingdom", ""))


def _read(player: str, fields: Fields) -> tuple[Result, list[str]]:
    """Return the result with corrections made by hand since, and the corrections that are open.

    A correction that adds a square beyond the kingdom is open: whether that belongs to it is known
    only when the photo is read with it.
    """
    total, line = number(fields, "score"), _line(fields)
    if not line:
        assert total is not None
        return Result(player, total, number(fields, "largest"), number(fields, "crowns")), []
    # A photo whose correction left it two castles has a total, in doubt.
    kingdom = corrected = Kingdom.parse(line, one_castle=total is None)
    origin = fields.get("origin", "")
    try:
        top, left = parse_place(origin or "a1").at
    except UsageError:
        raise ValueError(f"origin is {origin[:20]!r}; write a place, such as a1.") from None
    missing = []
    for place, text in fixes_of(fields, letter({"kingdom": _letter(fields)})).items():
        row, col = place.at
        at = row - top, col - left
        if at in kingdom:
            corrected = corrected.with_cell(at, parse_cell(text))
        elif text != EMPTY_MARK:
            missing.append(f"{place}={text}")
    sheet = game_options(fields, DEFAULT_OPTIONS).score(corrected)
    result = result_of(player, sheet)
    if total is None or total == result.total or corrected != kingdom:
        return result, missing
    # Where the line does not say which bonuses are in play, those that are earned may be.
    possible = {sheet.total}
    for bonus in sheet.bonuses:
        if bonus.earned and not fields.get(bonus.code):
            possible |= {other + bonus.points for other in possible}
    if total not in possible:
        raise ValueError(
            f"the score is {total}, but the kingdom scores {result.total}. "
            "What a person decided belongs into the column accept."
        )
    return replace(result, total=total), missing
