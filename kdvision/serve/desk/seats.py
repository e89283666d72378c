"""Who sits where, by the sheet of a tournament, and what they have handed in, by the log.

Of the log the last entry of each kind counts. Every event that changes what counts says what was
there before it and after it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kdvision.columns import (
    ENTRY_COLUMNS,
    RULES,
    Acceptance,
    Accepted,
    acceptance,
    game_options,
    number,
)
from kdvision.errors import UsageError
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.report.text import printable
from kdvision.sentences import sentence
from kdvision.serve.answers import Refusal
from kdvision.serve.limits import NAME_LETTERS
from kdvision.serve.store import Event
from kdvision.slips.event import Holder, in_order
from kdvision.tournament.lines import name_key, valid_line
from kdvision.tournament.sheets import Row, Sheet, read_sheet

_ADVICE = "Write a line per player with the columns round, table and player."


class RoundTable(Struct, frozen=True, order=True):
    """A table in a round, by the names in the sheet; the round may be empty."""

    round: str
    table: str

    def text(self, language: str) -> str:
        """Name it for people."""
        return sentence(self.key, language, round=self.round, table=self.table)

    @property
    def holder(self) -> str:
        """How photos and tokens name it."""
        return json.dumps([self.round, self.table])

    @property
    def key(self) -> str:
        """The key of the sentence that names it."""
        return "desk.place" if self.round else "desk.place.table"


class Seat(Struct, frozen=True):
    """A line of the sheet: one player at one table in one round."""

    place: RoundTable
    player: str
    row: Row


@dataclass(frozen=True)
class Seating:
    """The sheet of a tournament.

    Attributes:
        sheet: The table as it was read; its column `game` holds the names of tables.
        seats: By their place, in the order of the lines.
        options: The rules of each place.
        known: How names are written, by their column and by what their spellings have in common.
    """

    sheet: Sheet
    seats: Mapping[RoundTable, tuple[Seat, ...]]
    options: Mapping[RoundTable, GameOptions]
    known: Mapping[tuple[str, str], str]

    def spelled(self, column: str, name: str) -> str:
        """Return how the sheet writes a name of a column, whatever its spelling."""
        return self.known.get((column, name_key(name)), name)

    def named(self, round_: str, table: str) -> RoundTable:
        """Return the table of names in any spelling."""
        return RoundTable(self.spelled("round", round_), self.spelled("game", table))

    def place(self, data: Mapping[str, Any]) -> RoundTable:
        """Return the table that the fields `round` and `table` of a request name.

        Raises:
            Refusal: The sheet has none of these names.
        """
        round_, table = (str(data.get(name) or "") for name in ("round", "table"))
        place = self.named(round_, table)
        if place not in self.seats:
            code = "no-table.round" if round_ else "no-table"
            raise Refusal(404, code, table=f"{table[:40]!r}", round=f"{round_[:40]!r}")
        return place

    @cached_property
    def places_of(self) -> Mapping[tuple[str, str], RoundTable]:
        """Where a player sits, by round and player."""
        every = (seat for seats in self.seats.values() for seat in seats)
        return {(seat.place.round, seat.player): seat.place for seat in every}

    @property
    def holders(self) -> list[Holder]:
        """The players, as slips name them and in the order in which slips are printed."""
        every = (seat for seats in self.seats.values() for seat in seats)
        return in_order(Holder(one.player, one.place.table, one.place.round) for one in every)


def read_seating(path: Path) -> Seating:
    """Read who sits where.

    Raises:
        UsageError: The sheet cannot be read, or a line of it is wrong, with its number.
    """
    sheet = read_sheet(path)
    sheet.require(("player",), ("game",), known=(*ENTRY_COLUMNS, *RULES))
    seats: dict[RoundTable, list[Seat]] = {}
    options: dict[RoundTable, GameOptions] = {}
    taken: dict[tuple[str, str], Row] = {}
    known: dict[tuple[str, str], str] = {}
    for row in sheet.rows:
        try:
            seat = _seat(row, known)
            first = taken.setdefault((seat.place.round, seat.player), row)
            if first is not row:
                raise ValueError(f"{seat.player} sits in line {first.line} of this round already.")
            rules = game_options(row.fields, DEFAULT_OPTIONS)
            if options.setdefault(seat.place, rules) != rules:
                raise ValueError("the other players of this table have other rules.")
            seats.setdefault(seat.place, []).append(seat)
        except (UsageError, ValueError) as error:
            raise UsageError(f"{sheet.where(row)}: {error}", _ADVICE) from None
    if not seats:
        raise UsageError(f"{path} has no players.", _ADVICE)
    by_place = {place: tuple(players) for place, players in seats.items()}
    return Seating(sheet, by_place, options, known)


def _seat(row: Row, known: dict[tuple[str, str], str]) -> Seat:
    """Read the seat of a line; a name that is `known` is written as before."""
    if row.problem:
        raise ValueError(row.problem)
    valid_line(row.fields)
    names = {
        column: " ".join(printable(row.fields.get(column, "")).split())
        for column in ("round", "game", "player")
    }
    round_, table, player = (
        known.setdefault((column, name_key(name)), name) for column, name in names.items()
    )
    if not player or not table:
        raise ValueError(f"the {'player' if table else 'table'} is missing.")
    for what, name in (("round", round_), ("table", table), ("player", player)):
        if len(name) > NAME_LETTERS:
            raise ValueError(f"the {what} has more than {NAME_LETTERS} letters.")
    return Seat(RoundTable(round_, table), player, row)


# ---------------------------------------------------------------- what was handed in


class Kind(StrEnum):
    """The kinds of events in the log of a desk."""

    #: A player wrote a total down.
    CLAIM = "claim"
    #: A photo was handed in for a player; `id`, `letter`, `digest` and `picture` are of a `Sent`.
    PHOTO = "photo"
    #: Somebody at the table says that squares were misread; `fixes` are the squares by place.
    PROPOSE = "propose"
    #: The desk corrected squares of the photo, or turned a proposal down with no `fixes`.
    CORRECT = "correct"
    #: The desk said which kingdom of the photo is the player's.
    LETTER = "letter"
    #: A side was accepted; `what` is `photo`, `claim` or `number`, `total` the number.
    ACCEPT = "accept"
    #: What was accepted was taken back.
    WITHDRAW = "withdraw"
    #: The player begins again, with another claim and another photo.
    REOPEN = "reopen"


class Sent(Struct, frozen=True):
    """A photo that was handed in for a player.

    `letter` is the player's kingdom where that was said, `digest` names the bytes of the file,
    `picture` is the fingerprint of what it shows.
    """

    id: str
    letter: str = ""
    digest: str = ""
    picture: str = ""


class Proposal(Struct, frozen=True):
    """Squares that somebody at the table would have read otherwise, by their places."""

    by: str
    fixes: Mapping[str, str]


class Handed(Struct, frozen=True):
    """What one player has handed in.

    `accepted` is the total that a person chose, with the name of that person as its note.
    `photos` counts the photos that were handed in. `decided` and `since` are when it was chosen and
    when something last happened, in seconds since 1970; 0 for what the sheet says.
    """

    claimed: int | None = None
    sent: Sent | None = None
    proposals: tuple[Proposal, ...] = ()
    accepted: Acceptance | None = None
    decided: float = 0.0
    photos: int = 0
    since: float = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether nothing is handed in, or nothing any more."""
        return self.claimed is None and self.sent is None and self.accepted is None


class Record(dict[tuple[RoundTable, str], Handed]):
    """What was handed in, by place and player: an empty `Handed` where nothing was."""

    def __missing__(self, key: tuple[RoundTable, str]) -> Handed:
        """Return what a player has who did nothing yet."""
        return Handed()


def record_of(events: Iterable[Event], start: Record, seating: Seating) -> Record:
    """Return what holds after all events, where `start` held before; names are as in the sheet."""
    record = Record(start)
    for event in events:
        key = seating.named(event.round, event.table), seating.spelled("player", event.player)
        record[key] = replace(_after(record[key], event), since=event.made)
    return record


def _after(handed: Handed, event: Event) -> Handed:
    value = json.loads(event.value)
    match Kind(event.kind):
        case Kind.CLAIM:
            return replace(handed, claimed=value["after"])
        case Kind.PHOTO:
            sent = Sent(**{name: value[name] for name in Sent.__struct_fields__})
            return replace(handed, sent=sent, proposals=(), photos=handed.photos + 1)
        case Kind.PROPOSE:
            proposal = Proposal(event.by, value["fixes"])
            return replace(handed, proposals=(*handed.proposals, proposal))
        case Kind.CORRECT:
            return replace(handed, proposals=(), accepted=_still_accepted(handed, value))
        case Kind.LETTER:
            sent = replace(handed.sent or Sent(""), letter=value["after"])
            return replace(handed, sent=sent, accepted=_still_accepted(handed, value))
        case Kind.ACCEPT:
            accepted = Acceptance(Accepted(value["what"]), value["total"], event.by)
            return replace(handed, accepted=accepted, decided=event.made)
        case Kind.WITHDRAW:
            return replace(handed, accepted=None)
        case Kind.REOPEN:
            return Handed(photos=handed.photos)


def _still_accepted(handed: Handed, change: Mapping[str, Any]) -> Acceptance | None:
    """Return the decision that outlives a change: whoever chose the photo chose its total then."""
    accepted = handed.accepted
    if accepted and accepted.what is Accepted.PHOTO and change["before"] != change["after"]:
        return None
    return accepted


def record_of_sheet(seating: Seating) -> Record:
    """Return what a sheet says already: claims, and what a person accepted in it."""
    record = Record()
    for seat in (seat for seats in seating.seats.values() for seat in seats):
        claimed, accepted = number(seat.row.fields, "claimed"), acceptance(seat.row.fields)
        if claimed is not None or accepted:
            record[seat.place, seat.player] = Handed(claimed, accepted=accepted)
    return record


def new_event(
    kind: Kind,
    place: RoundTable,
    player: str,
    by: str,
    before: Any = None,
    after: Any = None,
    **more: Any,
) -> Event:
    """Make an event that is not written yet.

    Args:
        kind: What happened.
        place: Where.
        player: Whose line it concerns.
        by: Who did it.
        before: What counted before, of what the event changes; None for nothing.
        after: What counts after it.
        more: The other fields of its value.
    """
    value = json.dumps({**more, "before": before, "after": after})
    return Event(kind.value, place.round, place.table, player, by, value)
