"""What was handed in at the tables, from the log: the last entry of each kind counts.

Every event that changes what counts says what was there before it and after it.
"""

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kdvision.columns import Accepted, acceptance, number
from kdvision.serve.desk.seats import RoundTable, Seating
from kdvision.serve.store import Event


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


class Decision(Struct, frozen=True):
    """What a person accepted, who it was, and when.

    `made` is in seconds since 1970; 0 for what the sheet says.
    """

    what: Accepted
    total: int | None
    by: str
    made: float


class Proposal(Struct, frozen=True):
    """Squares that somebody at the table would have read otherwise, by their places."""

    by: str
    fixes: Mapping[str, str]


class Handed(Struct, frozen=True):
    """What one player has handed in.

    `photos` counts the photos that were handed in. `since` is when something last happened, in
    seconds since 1970; 0 for what the sheet says.
    """

    claimed: int | None = None
    sent: Sent | None = None
    proposals: tuple[Proposal, ...] = ()
    decision: Decision | None = None
    photos: int = 0
    since: float = 0.0


NOTHING = Handed()
#: What was handed in, by place and player.
Record = Mapping[tuple[RoundTable, str], Handed]


def record_of(events: Iterable[Event], start: Record) -> Record:
    """What holds after all events, where `start` held before."""
    record = dict(start)
    for event in events:
        key = RoundTable(event.round, event.table), event.player
        after = _after(record.get(key, NOTHING), event)
        record[key] = replace(after, since=event.made)
    return record


def _after(handed: Handed, event: Event) -> Handed:
    """What one player has handed in after one more event."""
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
            return replace(handed, proposals=())
        case Kind.LETTER:
            sent = replace(handed.sent or Sent(""), letter=value["after"])
            return replace(handed, sent=sent)
        case Kind.ACCEPT:
            decision = Decision(Accepted(value["what"]), value["total"], event.by, event.made)
            return replace(handed, decision=decision)
        case Kind.WITHDRAW:
            return replace(handed, decision=None)
        case Kind.REOPEN:
            return Handed(photos=handed.photos)


def record_of_sheet(seating: Seating) -> Record:
    """What a sheet says already: claims, and what a person accepted in it."""
    record: dict[tuple[RoundTable, str], Handed] = {}
    for seat in (seat for seats in seating.seats.values() for seat in seats):
        claimed, accepted = number(seat.row.fields, "claimed"), acceptance(seat.row.fields)
        decision = Decision(accepted.what, accepted.total, accepted.note, 0) if accepted else None
        if claimed is not None or decision:
            record[seat.place, seat.player] = Handed(claimed, decision=decision)
    return record


def new_event(
    kind: Kind, place: RoundTable, player: str, by: str, *, before: Any, after: Any, **more: Any
) -> Event:
    """An event that is not written yet.

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
