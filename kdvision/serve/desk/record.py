"""What was handed in at the tables, from the log: the last entry of each kind counts."""

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from kdvision.columns import Accepted, acceptance, number
from kdvision.serve.desk.seats import RoundTable, Seating
from kdvision.serve.store import Event


class Kind(StrEnum):
    """The kinds of events in the log of a desk."""

    #: A player wrote a total down; `value` is the number.
    CLAIM = "claim"
    #: A photo was sent for a player; `value` is a `Sent`.
    PHOTO = "photo"
    #: A side was accepted; `value` is `{"what": "photo" | "claim" | "number", "total": number}`.
    ACCEPT = "accept"
    #: What was accepted was taken back.
    WITHDRAW = "withdraw"
    #: The player begins again, with another claim and another photo.
    REOPEN = "reopen"
    #: The desk corrected or forgot the photo of the player; `value` says what.
    CORRECT = "correct"


class Sent(Struct, frozen=True):
    """A photo that was sent for a player.

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


class Handed(Struct, frozen=True):
    """What one player has handed in.

    `photos` counts the photos that were sent.
    """

    claimed: int | None = None
    sent: Sent | None = None
    decision: Decision | None = None
    photos: int = 0


NOTHING = Handed()
#: What was handed in, by place and player.
Record = Mapping[tuple[RoundTable, str], Handed]


def record_of(events: Iterable[Event], start: Record) -> Record:
    """What holds after all events, where `start` held before."""
    found = dict(start)
    for event in events:
        key = RoundTable(event.round, event.table), event.player
        found[key] = _after(found.get(key, NOTHING), event)
    return found


def _after(handed: Handed, event: Event) -> Handed:
    """What one player has handed in after one more event."""
    value = json.loads(event.value)
    match Kind(event.kind):
        case Kind.CLAIM:
            return replace(handed, claimed=value)
        case Kind.PHOTO:
            return replace(handed, sent=Sent(**value), photos=handed.photos + 1)
        case Kind.ACCEPT:
            decision = Decision(Accepted(value["what"]), value["total"], event.by, event.made)
            return replace(handed, decision=decision)
        case Kind.WITHDRAW:
            return replace(handed, decision=None)
        case Kind.REOPEN:
            return Handed(photos=handed.photos)
        case Kind.CORRECT:
            return handed


def record_of_sheet(seating: Seating) -> Record:
    """What a sheet says already: claims, and what a person accepted in it."""
    found: dict[tuple[RoundTable, str], Handed] = {}
    for seat in (seat for seats in seating.seats.values() for seat in seats):
        claimed, accepted = number(seat.row.fields, "claimed"), acceptance(seat.row.fields)
        decision = Decision(accepted.what, accepted.total, accepted.note, 0) if accepted else None
        if claimed is not None or decision:
            found[seat.place, seat.player] = Handed(claimed, decision=decision)
    return found


def event_of(kind: Kind, place: RoundTable, player: str, by: str, value: str = "{}") -> Event:
    """An event that is not written yet."""
    return Event(kind.value, place.round, place.table, player, by, value)


def sent_value(sent: Sent) -> str:
    """A photo as the log keeps it."""
    about = {"id": sent.id, "letter": sent.letter}
    return json.dumps({**about, "digest": sent.digest, "picture": sent.picture})


def decision_value(what: Accepted, total: int | None) -> str:
    """A decision as the log keeps it."""
    return json.dumps({"what": what.value, "total": total})
