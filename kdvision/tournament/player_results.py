"""Results of players: what counts for a line of a table."""

import re
from collections.abc import Mapping
from dataclasses import replace

from msgspec import Struct

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
from kdvision.tournament.verify.verdicts import NOT_CHECKED, Verdict

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
    kingdom = corrected = Kingdom.parse(line, one_castle=True)
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
