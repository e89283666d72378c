"""Evenings and games by the log alone: names, seats, claims, rules, photos.

Nothing here looks at what photos show; `evening` puts both together.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct, to_builtins

from kdvision.options import read_rules
from kdvision.reading import Colour
from kdvision.rules.rules import DEFAULT_RULES, Rules
from kdvision.serve.log import (
    Accepted,
    AnySaid,
    Claimed,
    Corrected,
    Entry,
    EveningBegun,
    EveningNamed,
    GameBegun,
    Named,
    PhotoDeleted,
    PhotoTaken,
    RulesChosen,
    Seated,
    SheetRead,
    SheetTable,
    find_standing,
)

#: The seat of a kingdom that is nobody's, such as one of another table at the edge of the photo.
NOBODY = "nobody"


class Evening(Struct, frozen=True):
    """An evening.

    Attributes:
        id: Its id.
        date: Its date, as YYYY-MM-DD.
        name: What people call it; empty for nothing.
        last: When something was said in it last, in seconds since 1970.
        tables: The tables of its sheet by round and game; None without a sheet.
    """

    id: str
    date: str
    name: str = ""
    last: float = 0.0
    tables: Mapping[tuple[str, str], SheetTable] | None = None


class Seat(Struct, frozen=True):
    """What people say of a seat.

    Attributes:
        colour: The castle, or only the name of the seat where a sheet has no colours.
        player: Who plays on it; empty where nobody said it.
        claimed: The total that a phone claims.
        sheet_claimed: The total that the sheet claims.
        accepted: The total that counts, whatever the photo shows.
    """

    colour: Colour
    player: str = ""
    claimed: int | None = None
    sheet_claimed: int | None = None
    accepted: int | None = None

    @property
    def claim(self) -> int | None:
        """The claim; None where there is none, or where sheet and phone claim different totals."""
        if self.has_two_claims:
            return None
        return self.sheet_claimed if self.claimed is None else self.claimed

    @property
    def has_two_claims(self) -> bool:
        """Whether sheet and phone claim different totals."""
        claims = {self.claimed, self.sheet_claimed} - {None}
        return len(claims) > 1


class Owner(Struct, frozen=True):
    """Whose a kingdom is: a colour or `nobody`; `again` for one that is photographed again."""

    seat: str
    again: bool = False


class GamePhoto(Struct, frozen=True):
    """A photo of a game.

    Attributes:
        id: Its id.
        name: The name of its file.
        fixes: The squares that people corrected, by place.
        owners: Whose its kingdoms are by their letters, as far as people said it.
    """

    id: str
    name: str
    fixes: Mapping[str, str]
    owners: Mapping[str, Owner]


class Game(Struct, frozen=True):
    """A game; its id is the code that opens it on a phone.

    Attributes:
        id: Its id.
        name: What people call it: a number, or the round and table of a sheet.
        rules: What it is played by.
        place: Its round and game in the sheet; None for a game that was begun on the page.
        table: What the sheet says of it; None for nothing.
        seats: Its seats.
        photos: Its photos as they came, without deleted ones.
    """

    id: str
    name: str
    rules: Rules = DEFAULT_RULES
    place: tuple[str, str] | None = None
    table: SheetTable | None = None
    seats: tuple[Seat, ...] = tuple(Seat(colour) for colour in Colour)
    photos: tuple[GamePhoto, ...] = ()

    @property
    def sheet_seats(self) -> int:
        """How many players a sheet has at its table; 0 where nobody says it."""
        return len(self.table.seats) if self.table else 0

    @property
    def has_colours(self) -> bool:
        """Whether seats have castles of their own: all but those of a sheet without colours."""
        return self.table is None or self.table.has_colours


def read_evening(id_: str, entries: Sequence[Entry], last: float = 0.0) -> Evening:
    """Return an evening by its own entries; `last` is when something was said in it last."""
    date, name = "", ""
    tables: dict[tuple[str, str], SheetTable] | None = None
    for entry in find_standing(entries):
        said = entry.said
        if isinstance(said, EveningBegun):
            date = said.date
        elif isinstance(said, EveningNamed):
            name = said.name
        elif isinstance(said, SheetRead):
            tables = {table.place: table for table in said.tables}
    return Evening(id_, date, name, last, tables)


def read_game(id_: str, entries: Sequence[Entry], evening: Evening) -> Game:
    """Return a game by its entries, the first of which begins it, and by the sheet."""
    begun = entries[0].said
    assert isinstance(begun, GameBegun)
    words = [entry.said for entry in find_standing(entries)]
    rules = read_rules(begun.rules)
    table = None
    if begun.place and evening.tables and begun.place in evening.tables:
        table = evening.tables[begun.place]
        rules = read_rules(table.rules, over=rules)
    for said in words:
        if isinstance(said, RulesChosen):
            rules = read_rules(said.rules, over=rules)
    return Game(
        id=id_,
        name=table.name if table else begun.name,
        rules=rules,
        place=begun.place,
        table=table,
        seats=_read_seats(begun, words, table),
        photos=_read_photos(words),
    )


def _read_seats(
    begun: GameBegun, words: Sequence[AnySaid], table: SheetTable | None
) -> tuple[Seat, ...]:
    """Return the seats; those of a sheet have its players and its claims."""
    players = dict(begun.players)
    sheet_claims: dict[str, int | None] = {}
    for seat in table.seats if table else ():
        players[seat.colour] = seat.player
        sheet_claims[seat.colour] = seat.claimed
    claims: dict[str, int | None] = {}
    accepted: dict[str, int | None] = {}
    for said in words:
        match said:
            case Named(colour=colour, player=player):
                players[colour] = player
            case Claimed(colour=colour, total=total):
                claims[colour] = total
            case Accepted(colour=colour, total=total):
                accepted[colour] = total
    return tuple(
        Seat(
            colour=colour,
            player=players.get(colour, ""),
            claimed=claims.get(colour),
            sheet_claimed=sheet_claims.get(colour),
            accepted=accepted.get(colour),
        )
        for colour in Colour
    )


def _read_photos(words: Sequence[AnySaid]) -> tuple[GamePhoto, ...]:
    """Return the photos with what was said of them."""
    names: dict[str, str] = {}
    fixes: dict[str, dict[str, str | None]] = {}
    owners: dict[tuple[str, str], Owner] = {}
    for said in words:
        match said:
            case PhotoTaken(photo=photo, name=name):
                names[photo] = name
            case PhotoDeleted(photo=photo):
                names.pop(photo, None)
            case Corrected(photo=photo, squares=squares):
                fixes.setdefault(photo, {}).update(squares)
            case Seated():
                _seat_kingdom(owners, said)
    photos = []
    for photo, name in names.items():
        corrected = fixes.get(photo, {})
        made = {place: cell for place, cell in corrected.items() if cell is not None}
        said_of = {letter: owner for (of, letter), owner in owners.items() if of == photo}
        photos.append(GamePhoto(photo, name, made, said_of))
    return tuple(photos)


def _seat_kingdom(owners: dict[tuple[str, str], Owner], said: Seated) -> None:
    """Give a kingdom to a seat: it takes the place of the one that was given to it before."""
    owners.pop((said.photo, said.letter), None)
    if said.seat is None:
        return
    if said.seat != NOBODY and not said.again:
        for key in [key for key, owner in owners.items() if owner.seat == said.seat]:
            del owners[key]
    owners[said.photo, said.letter] = Owner(said.seat, said.again)


def begin_after(last: Game, name: str) -> GameBegun:
    """Return how a game begins after another: with its names and its rules."""
    players = {str(seat.colour): seat.player for seat in last.seats if seat.player}
    return GameBegun(name, players=players, rules=to_builtins(last.rules))
