"""The log of an evening: what people said, entry by entry, and which of it stands.

An entry says one thing, such as a name, and is never changed. Undo is an entry as well: it takes
one other back, or puts it back. What stands is computed from all of them by `find_standing`.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from kdvision.reading import Colour

#: What an entry is about, such as the name of a seat. What was said of it last stands.
Thing: TypeAlias = tuple[Hashable, ...]


class Said(Struct, frozen=True, tag_field="what"):
    """What an entry says; a kind of entry for each thing that can be said."""


class EveningBegun(Said, frozen=True, tag="evening"):
    """An evening begins, on a date as YYYY-MM-DD."""

    date: str


class EveningNamed(Said, frozen=True, tag="evening-name"):
    """What people call the evening."""

    name: str


class SheetSeat(Struct, frozen=True):
    """A seat of a table as a sheet has it.

    Attributes:
        colour: The castle, or only the name of the seat where the sheet has no colours.
        player: Who sits there.
        claimed: The total that the sheet claims.
    """

    colour: Colour
    player: str
    claimed: int | None = None


class SheetTable(Struct, frozen=True):
    """A table of a round as a sheet has it.

    Attributes:
        place: The round and the game, as `fold_name` gives them.
        name: The round and the game as people read them.
        seats: Who sits there.
        rules: The rules of its first row, by their names.
        has_colours: Whether every row of it has a colour of its own.
    """

    place: tuple[str, str]
    name: str
    seats: tuple[SheetSeat, ...]
    rules: Mapping[str, Any]
    has_colours: bool


class SheetRead(Said, frozen=True, tag="sheet"):
    """Who sits where by the sheet; said whenever the sheet has changed."""

    tables: tuple[SheetTable, ...]


class GameBegun(Said, frozen=True, tag="game"):
    """A game begins, with names and rules of the last; `place` is its table in a sheet."""

    name: str
    players: Mapping[str, str] = {}
    rules: Mapping[str, Any] = {}
    place: tuple[str, str] | None = None


class PhotoTaken(Said, frozen=True, tag="photo"):
    """A photo of a game arrives; `name` is that of its file."""

    photo: str
    name: str


class PhotoDeleted(Said, frozen=True, tag="deleted"):
    """A photo is taken out of its game."""

    photo: str


class Named(Said, frozen=True, tag="name"):
    """Who plays on a seat; empty for nobody."""

    colour: str
    player: str


class Claimed(Said, frozen=True, tag="claim"):
    """What the player of a seat counted; None takes a claim out."""

    colour: str
    total: int | None


class Accepted(Said, frozen=True, tag="accepted"):
    """The total that counts for a seat, whatever its photo shows; None asks the photo again."""

    colour: str
    total: int | None


class Seated(Said, frozen=True, tag="seat"):
    """Whose a kingdom of a photo is.

    Attributes:
        photo: The photo.
        letter: The kingdom.
        seat: A colour, `nobody`, or None for what its castle says.
        again: Whether it is the kingdom that the seat has, photographed again.
    """

    photo: str
    letter: str
    seat: str | None
    again: bool = False


class Corrected(Said, frozen=True, tag="square"):
    """What lies on squares of a photo, by their places (`A.b3`); None for what the photo shows."""

    photo: str
    squares: Mapping[str, str | None]


class RulesChosen(Said, frozen=True, tag="rules"):
    """Rules of a game, by their names; those that are not named stay."""

    rules: Mapping[str, Any]


class Undone(Said, frozen=True, tag="undo"):
    """Another entry is taken back, or put back again."""

    entry: int
    undone: bool


#: Every kind of entry, as they are kept.
AnySaid: TypeAlias = (
    EveningBegun
    | EveningNamed
    | SheetRead
    | GameBegun
    | PhotoTaken
    | PhotoDeleted
    | Named
    | Claimed
    | Accepted
    | Seated
    | Corrected
    | RulesChosen
    | Undone
)


class Entry(Struct, frozen=True, kw_only=True):
    """One entry of the log.

    Attributes:
        id: Its number: later entries have larger ones.
        evening: The id of its evening.
        game: The id of its game; empty for what is said of the evening.
        at: When it was said, in seconds since 1970.
        device: The id of the phone; empty for a program or the server itself.
        said: What it says.
    """

    id: int
    evening: str
    game: str
    at: float
    device: str
    said: AnySaid


# ---------------------------------------------------------------- what stands


def find_things(said: AnySaid) -> set[Thing]:
    """Return the things that an entry is about; none for one that cannot be taken back."""
    match said:
        case EveningNamed():
            return {("evening",)}
        case PhotoTaken(photo=photo) | PhotoDeleted(photo=photo):
            return {("photo", photo)}
        case Named(colour=colour) | Claimed(colour=colour) | Accepted(colour=colour):
            return {(type(said), colour)}
        case Seated(photo=photo, letter=letter, seat=seat, again=again):
            things: set[Thing] = {("owner", photo, letter)}
            # A seat has one kingdom, whichever photos show it.
            if seat in tuple(Colour) and not again:
                things.add(("kingdom", seat))
            return things
        case Corrected(photo=photo, squares=squares):
            return {("square", photo, place) for place in squares}
        case RulesChosen(rules=rules):
            return {("rule", name) for name in rules}
    return set()


def find_undone(entries: Iterable[Entry]) -> set[int]:
    """Return the ids of the entries that are taken back."""
    undone: set[int] = set()
    for entry in entries:
        match entry.said:
            case Undone(entry=id_, undone=True):
                undone.add(id_)
            case Undone(entry=id_):
                undone.discard(id_)
    return undone


def find_standing(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries that stand, in their order, without those that took others back."""
    undone = find_undone(entries)
    return [
        entry for entry in entries if entry.id not in undone and not isinstance(entry.said, Undone)
    ]


def find_later(entries: Sequence[Entry], entry: Entry) -> Entry | None:
    """Return the last later entry that stands and is about the same things, or about its photo.

    While there is one, the entry can be neither taken back nor put back: that would change what
    somebody said later.
    """
    things = find_things(entry.said)
    for later in reversed(find_standing(entries)):
        if later.id <= entry.id:
            return None
        ground = set[Thing]()
        if isinstance(later.said, Seated | Corrected):
            ground = {("photo", later.said.photo)}
        if things & (find_things(later.said) | ground):
            return later
    return None


def is_said(entries: Sequence[Entry], said: AnySaid) -> bool:
    """Return whether something stands already: the last entry about the same things says it."""
    things = find_things(said)
    for entry in reversed(find_standing(entries)):
        if things & find_things(entry.said):
            return entry.said == said
    # To take out a claim that nobody made changes nothing.
    return not things or (isinstance(said, Claimed | Accepted) and said.total is None)
