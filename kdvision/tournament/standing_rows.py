"""Lines of tables as results of players: what counts for each, and what is not sure of it."""

import re
from collections.abc import Mapping
from dataclasses import replace

from msgspec import Struct

from kdvision.columns import VERDICT, Accepted, acceptance, fixes_of, game_options, letter, number
from kdvision.corrections import fix_name, named_place, parse_fix
from kdvision.errors import UsageError
from kdvision.options import DEFAULT_OPTIONS
from kdvision.result import Status
from kdvision.rules.kingdom import Kingdom, parse_cell
from kdvision.rules.scoring import ScoreSheet
from kdvision.rules.standings import Result, result_of
from kdvision.rules.terrain import EMPTY_MARK
from kdvision.tournament.batch.results import BAD_LINE, OPEN
from kdvision.tournament.verify.verdicts import NOT_CHECKED, Verdict

Fields = Mapping[str, str]

#: Statuses of lines of which no kingdom was read.
WITHOUT_TOTAL = {Status.NO_KINGDOM.value, Status.UNREADABLE.value, OPEN, BAD_LINE}
_LETTER = re.compile(r"[A-Za-z]{1,2}")
_TOTAL = re.compile(r"(?:^|;\s*)([0-9]{1,3})\b")


class Counted(Struct, frozen=True):
    """What counts for a line.

    Attributes:
        result: None where the line is left out.
        note: What is not sure, or why the line is left out, in a clause.
        brief: What is not sure in a few words, for a table.
        doubtful: Whether the total is not sure.
        others: Other totals that it may be; none where it may be anything.
        pending: Whether a person has still to decide, though the total is sure.
    """

    result: Result | None
    note: str = ""
    brief: str = ""
    doubtful: bool = False
    others: tuple[int, ...] = ()
    pending: bool = False

    @property
    def totals(self) -> set[int]:
        """The totals that are possible."""
        return {*self.others, *([self.result.total] if self.result else [])}


def counted(fields: Fields) -> Counted:
    """What counts for a line of results, of a checked sheet, or of a table made by hand.

    A person's decision goes first, then what was read from the photo. Where nothing was read, or
    no total is likely enough to be named, a claim counts, but is doubtful.

    Raises:
        ValueError: A field is wrong.
    """
    fields = _as_results(fields)
    player = player_of(fields)
    if not player:
        raise ValueError("the player is missing.")
    accepted = acceptance(fields)
    claimed = _claimed(fields, needed=accepted is None or accepted.what is Accepted.CLAIM)
    if fields.get("status") == BAD_LINE:
        return Counted(None, fields.get("message") or "the line cannot be used.")
    doubtful = fields.get("status") == Status.DOUBTFUL.value
    read = fields.get("score") or (_line(fields) and not doubtful)
    if fields.get("status") in WITHOUT_TOTAL or not read:
        if accepted:
            return Counted(Result(player, accepted.settle(claimed, None)))
        reason = fields.get("message") or f"the photo is {fields.get('status') or 'not scored'}."
        if claimed is None and not fields.get("status"):
            raise ValueError("neither a kingdom nor a score.")
        return claimed_only(player, claimed, reason)
    result, pending = _read(player, fields)
    if accepted:
        total = accepted.settle(claimed, result.total)
        return Counted(replace(result, total=total))
    if pending:
        note = (
            f"{result.total}, without {', '.join(pending)}, which batch or verify has still to add"
        )
        return Counted(result, note, "a correction is open", True)
    if not doubtful and fields.get(VERDICT) == Verdict.DIFFERS and claimed is not None:
        note = f"{result.total}, or {claimed} as claimed: a decision is pending"
        return Counted(result, note, "a decision is pending", pending=True)
    if not doubtful:
        return Counted(result)
    named = {int(one) for one in _TOTAL.findall(fields.get("alternatives", ""))}
    likely = named if claimed is None else named | {claimed}
    others = tuple(sorted(likely - {result.total}))
    shown = fields.get("alternatives") if named - {result.total} else ""
    shown = shown or " or ".join(map(str, others))
    note = f"{result.total}, or {shown}" if shown else f"{result.total}, which is not certain"
    return Counted(result, note, note, True, others)


def _claimed(fields: Fields, *, needed: bool) -> int | None:
    """The total that was claimed; a claim that cannot be read is none where it is not needed.

    Raises:
        ValueError: It is needed and cannot be read.
    """
    try:
        return number(fields, "claimed")
    except ValueError:
        if needed:
            raise
        return None


def claimed_only(player: str, claimed: int | None, reason: str) -> Counted:
    """What counts for a line of which nothing was read: its claim, which is doubtful."""
    if claimed is None:
        return Counted(None, reason)
    note = f"{claimed}, which is only claimed ({reason.rstrip('.')})"
    return Counted(Result(player, claimed), note, "only claimed", True)


def _as_results(fields: Fields) -> Fields:
    """A line of a checked sheet by the names that results have for its columns."""
    if not fields.get(VERDICT):
        return fields
    status = fields.get("read_status", "")
    if fields[VERDICT] in (Verdict.BAD_LINE, NOT_CHECKED):
        status = BAD_LINE
    elif not fields.get("read_total") and fields[VERDICT] == Verdict.AGREES:
        # Several kingdoms of its photo have this total; which is its own need not be known.
        return {**fields, "score": fields.get("counts", ""), "status": "", "kingdom": ""}
    elif not fields.get("read_total"):
        status = status if status in WITHOUT_TOTAL else OPEN
    elif fields[VERDICT] == Verdict.CANNOT_TELL:
        status = Status.DOUBTFUL.value
    return {
        **fields,
        "score": fields.get("read_total", ""),
        "kingdom": fields.get("read_letter", "") or fields.get("kingdom", ""),
        "kingdom_line": fields.get("read_kingdom", ""),
        "origin": fields.get("read_origin", ""),
        "alternatives": fields.get("possible_totals", ""),
        "message": fields.get("explanation", ""),
        "status": status,
    }


def player_of(fields: Fields) -> str:
    """Who a line is of; without a player the photo, with the letter of its kingdom."""
    named = fields.get("kingdom", "")
    one = named if _LETTER.fullmatch(named) else ""
    return fields.get("player") or " ".join(filter(None, (fields.get("photo"), one)))


def _line(fields: Fields) -> str:
    """The kingdom line of a line; in tables made by hand it may stand in the column kingdom."""
    named = fields.get("kingdom", "")
    return fields.get("kingdom_line", "") or ("" if _LETTER.fullmatch(named) else named)


def _read(player: str, fields: Fields) -> tuple[Result, list[str]]:
    """The result of what was read, with corrections made by hand since; and those that are open."""
    total = number(fields, "score")
    line = _line(fields)
    if not line:
        assert total is not None
        return Result(player, total, number(fields, "largest"), number(fields, "crowns")), []
    kingdom = Kingdom.parse(line, one_castle=True)
    corrected, pending = _corrected(kingdom, fields)
    sheet = _sheet(corrected, fields)
    result = result_of(player, sheet)
    if total is None or total == result.total or corrected != kingdom:
        return result, pending
    if total not in _possible(sheet, fields):
        raise ValueError(
            f"the score is {total}, but the kingdom scores {result.total}. "
            "What a person decided belongs into the column accept."
        )
    return Result(player, total, result.largest, result.crowns), pending


def _corrected(kingdom: Kingdom, fields: Fields) -> tuple[Kingdom, list[str]]:
    """The kingdom with the corrections of its line, and those that add a square beyond it.

    Whether such a square belongs to the kingdom is known only when the photo is read with it.
    """
    named = fields.get("kingdom", "")
    own = letter({"kingdom": named}) if _LETTER.fullmatch(named) else ""
    origin = fields.get("origin", "")
    try:
        top, left = named_place(parse_fix(f"{origin or 'a1'}={EMPTY_MARK}")[0])[1]
    except UsageError:
        raise ValueError(f"origin is {origin[:20]!r}; write a place, such as a1.") from None
    pending = []
    for place, text in fixes_of(fields, own).items():
        row, col = named_place(place)[1]
        at = row - top, col - left
        if 0 <= at[0] < kingdom.height and 0 <= at[1] < kingdom.width:
            kingdom = kingdom.with_cell(at, parse_cell(text))
        elif text != EMPTY_MARK:
            pending.append(f"{fix_name(place)}={text}")
    return kingdom, pending


def _sheet(kingdom: Kingdom, fields: Fields) -> ScoreSheet:
    """The score sheet of the kingdom of a line."""
    return game_options(fields, DEFAULT_OPTIONS).score(kingdom)


def _possible(sheet: ScoreSheet, fields: Fields) -> set[int]:
    """The totals that earned bonuses explain where the line does not say which are in play."""
    found = {sheet.total}
    for bonus in sheet.bonuses:
        if bonus.earned and not fields.get(bonus.code):
            found |= {total + bonus.points for total in found}
    return found
