"""The board of a desk: what was handed in, judged by the rules of `kdscore verify`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kdvision.columns import Acceptance
from kdvision.corrections import kingdom_name, named_place, parse_fix
from kdvision.report.json import from_json
from kdvision.result import PhotoResult
from kdvision.serve.desk.record import NOTHING, Handed, Record, Sent
from kdvision.serve.desk.seats import RoundTable, Seat, Seating
from kdvision.serve.desk.together import Together
from kdvision.tournament.lines import Job, valid_line
from kdvision.tournament.sheets import Row
from kdvision.tournament.verify.checked import Checked, Verification
from kdvision.tournament.verify.judged import (
    SheetClaim,
    checked_photo,
    settled_line,
)
from kdvision.tournament.verify.verdicts import Verdict

#: What is said of a claim that waits for its photo.
NO_PHOTO = "there is no photo yet."


class State(StrEnum):
    """What a table, or a player, asks for; of a table the first that one of its players has."""

    DIFFERS = "differs"
    LOOK = "look"
    WAITING = "waiting"
    AGREES = "agrees"


class Flag(StrEnum):
    """What is wrong with a line beside its total."""

    #: The player has handed in nothing, though others of the table have.
    MISSING = "missing"
    #: The sheet has this player at another table of this round.
    WRONG_TABLE = "wrong-table"
    #: The sheet does not have this player in this round.
    STRANGER = "stranger"
    #: It cannot be right together with another line.
    CLASH = "clash"


class BoardLine(Struct, frozen=True):
    """One player at one table.

    Attributes:
        seat: Who it is and where.
        handed: What was handed in.
        checked: The claim held against the photo; None where there is no claim.
        flags: What else is wrong, each with what there is to say of it.
        proposed: The cells as they were read, by the places that the table would correct.
    """

    seat: Seat
    handed: Handed
    checked: Checked | None = None
    flags: tuple[tuple[Flag, str], ...] = ()
    proposed: Mapping[str, str] = msgspec.field(default_factory=dict)

    @property
    def letter(self) -> str:
        """The player's kingdom of the photo; empty where it is not known, or the only one."""
        sent = self.handed.sent
        return (self.checked.letter if self.checked else "") or (sent.letter if sent else "")

    @property
    def state(self) -> State:
        """What the line asks for."""
        settled = self.checked is not None and self.checked.verdict is Verdict.SETTLED
        if settled:
            return State.AGREES
        if self.checked and self.checked.verdict is Verdict.DIFFERS:
            return State.DIFFERS
        if any(flag is not Flag.MISSING for flag, _ in self.flags):
            return State.LOOK
        if self.checked is None or (self.handed.sent is None):
            return State.WAITING
        return State.AGREES if self.checked.verdict is Verdict.AGREES else State.LOOK


class Tile(Struct, frozen=True):
    """One table in one round."""

    place: RoundTable
    lines: tuple[BoardLine, ...]

    @property
    def state(self) -> State:
        """What the table asks for."""
        states = {line.state for line in self.lines}
        return next(state for state in State if state in states)


class DeskBoard(Struct, frozen=True):
    """All tables, in the order of the sheet, and the sheet with what was found."""

    tiles: Mapping[RoundTable, Tile]
    verification: Verification


class Judge(Struct):
    """Makes boards. What was judged of a photo is kept until its claims or its result change.

    Attributes:
        seating: Who sits where.
        result_of: The `kdscore/1` text of a photo by its id; None where there is none.
    """

    seating: Seating
    result_of: Callable[[str], str | None]
    _known: dict[str, tuple[object, list[Checked]]] = msgspec.field(default_factory=dict)
    _together: Together = msgspec.field(default_factory=Together)

    def board(self, record: Record) -> DeskBoard:
        """The board after everything that was handed in."""
        seats = self._seats(record)
        claims = {claim.row.line: claim for claim in self._claims(seats, record)}
        sent = {
            seat.row.line: record[seat.place, seat.player].sent
            for seat in _every(seats)
            if seat.row.line in claims
        }
        lines = self._with_photos(claims, sent)
        for number, claim in claims.items():
            lines.setdefault(number, self._without_photo(claim))
        judged, said, clashing = self._together.held(lines, sent)
        notes = [*self._left_out(record), *clashing]
        tiles = {place: self._tile(place, at, record, judged, said) for place, at in seats.items()}
        return DeskBoard(tiles, self._verification(_every(seats), claims, judged, notes))

    def _left_out(self, record: Record) -> list[str]:
        """A sentence for every table of the log that the sheet does not have, or no longer."""
        unknown = dict.fromkeys(place for place, _ in record if place not in self.seating.seats)
        return [
            f"What was handed in at table {place.table!r}"
            f"{f' in round {place.round!r}' if place.round else ''} is in the log only: "
            "the sheet does not have this table."
            for place in unknown
        ]

    def _seats(self, record: Record) -> dict[RoundTable, list[Seat]]:
        """Who sits where, and behind them those who handed in where the sheet has them not."""
        seats = {place: list(found) for place, found in self.seating.seats.items()}
        line = max((row.line for row in self.seating.sheet.lines), default=0)
        for place, player in record:
            if place not in seats or any(seat.player == player for seat in seats[place]):
                continue
            line += 1
            who = {"round": place.round, "game": place.table, "player": player}
            fields = {**seats[place][0].row.fields, **who}
            for name in ("claimed", "photo", "kingdom", "fix", "accept", "note"):
                fields.pop(name, None)
            seats[place].append(Seat(place, player, Row(line, fields)))
        return seats

    def _claims(
        self, seats: Mapping[RoundTable, Sequence[Seat]], record: Record
    ) -> Iterator[SheetClaim]:
        """The claims that were written down, as lines of a sheet."""
        for place, at in seats.items():
            photos: list[str] = []
            for seat in at:
                handed = record.get((place, seat.player), NOTHING)
                if handed.claimed is None:
                    continue
                if handed.sent and handed.sent.id not in photos:
                    photos.append(handed.sent.id)
                number = str(photos.index(handed.sent.id) + 1) if handed.sent else ""
                name = "-".join(filter(None, (place.round, place.table, number)))
                yield self._claim(seat, handed, name if number else "")

    def _claim(self, seat: Seat, handed: Handed, name: str) -> SheetClaim:
        decision = handed.decision
        fields = {
            **seat.row.fields,
            "claimed": str(handed.claimed),
            "photo": name,
            "kingdom": handed.sent.letter if handed.sent else "",
            "accept": "",
            "note": decision.by if decision else "",
        }
        if decision:
            number = decision.total if decision.total is not None else ""
            fields["accept"] = str(number) if number != "" else decision.what.value
        job = Job(Path(name), name, self.seating.options[seat.place], (valid_line(fields),))
        accepted = Acceptance(decision.what, decision.total, decision.by) if decision else None
        return SheetClaim(replace(seat.row, fields=fields), job, accepted)

    def _with_photos(
        self, claims: Mapping[int, SheetClaim], sent: Mapping[int, Sent | None]
    ) -> dict[int, Checked]:
        """The claims whose photos are there, held against them photo by photo."""
        by_photo: dict[str, list[int]] = {}
        for number in claims:
            photo = sent[number]
            if photo:
                by_photo.setdefault(photo.id, []).append(number)
        found: dict[int, Checked] = {}
        for id_, numbers in by_photo.items():
            checked = self._checked(id_, [claims[number] for number in numbers])
            found |= zip(numbers, checked, strict=False)
        return found

    def _checked(self, id_: str, claims: Sequence[SheetClaim]) -> list[Checked]:
        """The claims that name one photo; nothing where the photo was forgotten."""
        text = self.result_of(id_)
        if text is None:
            return []
        asked = hash((text, *((c.row.line, *sorted(c.row.fields.items())) for c in claims)))
        known = self._known.get(id_)
        if known is None or known[0] != asked:
            (photo,) = from_json(text)
            photos: list[PhotoResult] = [photo] * len(claims)
            keys = [id_] * len(claims)
            known = asked, checked_photo(self.seating.sheet, claims, keys, photos)
            self._known[id_] = known
        return known[1]

    def _without_photo(self, claim: SheetClaim) -> Checked:
        line = Checked(
            claim.row, self.seating.sheet.where(claim.row), Verdict.CANNOT_TELL, NO_PHOTO,
            claim.job, claim.claimed,
        )  # fmt: skip
        return settled_line(line, claim.accepted) if claim.accepted else line

    def _tile(
        self,
        place: RoundTable,
        seats: Sequence[Seat],
        record: Record,
        judged: Mapping[int, Checked],
        said: Mapping[int, Sequence[str]],
    ) -> Tile:
        """One table, with its flags."""
        begun = any(record.get((place, seat.player), NOTHING) != NOTHING for seat in seats)
        lines = []
        for seat in seats:
            mine = record.get((place, seat.player), NOTHING)
            flags = [(Flag.CLASH, text) for text in said.get(seat.row.line, ())]
            if begun and mine == NOTHING:
                flags.append((Flag.MISSING, ""))
            own = self.seating.places_of.get((place.round, seat.player))
            if own is None:
                flags.append((Flag.STRANGER, ""))
            elif own != place:
                flags.append((Flag.WRONG_TABLE, own.table))
            checked, proposed = judged.get(seat.row.line), self._proposed(mine)
            lines.append(BoardLine(seat, mine, checked, tuple(flags), proposed))
        return Tile(place, tuple(lines))

    def _proposed(self, handed: Handed) -> dict[str, str]:
        """The cells as they were read of the places that a table would correct."""
        places = {place for proposal in handed.proposals for place in proposal.fixes}
        text = self.result_of(handed.sent.id) if places and handed.sent else None
        if text is None:
            return {}
        (photo,) = from_json(text)
        return {place: _cell_as_read(photo, place) for place in places}

    def _verification(
        self,
        seats: Sequence[Seat],
        claims: Mapping[int, SheetClaim],
        judged: Mapping[int, Checked],
        notes: Sequence[str],
    ) -> Verification:
        """The sheet with what was handed in, as `kdscore verify` would have checked it."""
        sheet = self.seating.sheet
        rows = {seat.row.line: seat.row for seat in seats}
        rows |= {number: claim.row for number, claim in claims.items()}
        added = [name for name in ("photo", "kingdom", "claimed") if name not in sheet.columns]
        lines = tuple(rows[number] for number in sorted(rows))
        checked = tuple(judged[number] for number in sorted(judged))
        filled = replace(sheet, columns=(*sheet.columns, *added), lines=lines)
        return Verification(filled, checked, notes=tuple(notes))


def _cell_as_read(photo: PhotoResult, place: str) -> str:
    """The cell of a place such as `b3` or `B.b3` as it was read; empty outside of the kingdom."""
    name, (row, col) = named_place(parse_fix(f"{place}=W")[0])
    kingdoms = [k for i, k in enumerate(photo.kingdoms) if name in ("", kingdom_name(i))]
    squares = (
        square.text
        for kingdom in kingdoms[:1]
        for square in kingdom.squares
        if square.at == (row - kingdom.origin[0], col - kingdom.origin[1])
    )
    return next(squares, "")


def _every(seats: Mapping[RoundTable, Sequence[Seat]]) -> list[Seat]:
    return [seat for at in seats.values() for seat in at]
