"""The board of a desk: what was handed in, judged as `kdscore verify` judges a sheet."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kdvision.columns import Acceptance
from kdvision.corrections import kingdom_name, parse_place
from kdvision.report.json import from_json
from kdvision.result import KingdomResult, PhotoResult
from kdvision.serve.answers import BusyError, Refusal
from kdvision.serve.desk.seats import (
    NOTHING,
    Decision,
    Handed,
    Record,
    RoundTable,
    Seat,
    Seating,
    record_of,
    record_of_sheet,
)
from kdvision.serve.evening import written_name
from kdvision.serve.photos import MOST_TRIES
from kdvision.serve.store import Event, Store, StoredPhoto
from kdvision.slips.event import FILE_NAME, SlipEvent, read_event, with_seats, write_event
from kdvision.tournament.batch.journal import Scored
from kdvision.tournament.lines import SheetLine, valid_line
from kdvision.tournament.sheets import Row
from kdvision.tournament.slip_lines import judge_with_slips
from kdvision.tournament.verify.judging import notes_of
from kdvision.tournament.verify.mistakes import Remark
from kdvision.tournament.verify.verdicts import (
    REASONS_OF_OTHERS,
    LineVerdict,
    Verdict,
    Verification,
)

#: The word under which the store keeps what slips mean.
_SLIPS = "slips"


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
        verdict: The claim held against the photo; None where there is no claim.
        flags: What else is wrong, each with the name that it speaks of.
        photo: What was read of its photo; None where there is none.
    """

    seat: Seat
    handed: Handed
    verdict: LineVerdict | None = None
    flags: tuple[tuple[Flag, str], ...] = ()
    photo: PhotoResult | None = None

    @property
    def letter(self) -> str:
        """The player's kingdom of the photo; empty where it is not known, or the only one."""
        sent = self.handed.sent
        return (self.verdict.letter if self.verdict else "") or (sent.letter if sent else "")

    @property
    def kingdom(self) -> KingdomResult | None:
        """The kingdom that the claim is held against, else the one that is the player's."""
        if self.verdict is None or self.photo is None or self.verdict.kingdom:
            return self.verdict.kingdom if self.verdict else None
        kingdoms = self.photo.kingdoms
        named = {kingdom_name(index): kingdom for index, kingdom in enumerate(kingdoms)}
        return kingdoms[0] if len(kingdoms) == 1 else named.get(self.letter)

    @property
    def read(self) -> int | None:
        """The total that was read of the player's kingdom; None where none was."""
        return self.kingdom.score if self.kingdom and self.kingdom.scored else None

    def square_as_read(self, place: str) -> dict[str, Any]:
        """What was read at a place such as `b3` or `B.b3`, and where it lies on its board."""
        name, (row, col) = parse_place(place)
        kingdoms = self.photo.kingdoms if self.photo else ()
        named = {kingdom_name(index): kingdom for index, kingdom in enumerate(kingdoms)}
        letter = name or next(iter(named), "")
        kingdom = named.get(letter)
        if kingdom is None:
            return {"read": "", "letter": "", "row": 0, "col": 0}
        at = row - kingdom.origin[0], col - kingdom.origin[1]
        read = next((square.text for square in kingdom.squares if square.at == at), "")
        return {"read": read, "letter": letter, "row": at[0], "col": at[1]}

    @property
    def state(self) -> State:
        """What the line asks for."""
        said = self.verdict.verdict if self.verdict else None
        if said is Verdict.SETTLED:
            return State.AGREES
        if said is Verdict.DIFFERS:
            return State.DIFFERS
        if any(flag is not Flag.MISSING for flag, _ in self.flags):
            return State.LOOK
        if said is None or self.handed.sent is None:
            return State.WAITING
        return State.AGREES if said is Verdict.AGREES else State.LOOK


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
    """All tables by their places, in the order of the sheet.

    `notes` concern several lines; `verification` is the sheet with what was handed in, as
    `kdscore verify` would have checked it.
    """

    tiles: Mapping[RoundTable, Tile]
    notes: tuple[Remark, ...]
    verification: Verification


class Judge(Struct):
    """Makes boards. A result is read back from its text once, until it changes.

    Attributes:
        seating: Who sits where.
        result_of: The `kdscore/1` text of a photo by its id; None where there is none.
    """

    seating: Seating
    result_of: Callable[[str], str | None]
    _results: dict[str, tuple[str, PhotoResult]] = msgspec.field(default_factory=dict)

    def board(self, record: Record, event: SlipEvent | None = None) -> DeskBoard:
        """Make the board after everything that was handed in; `event` names its slips."""
        seats = self._seats(record)
        lines = list(self._lines(seats, record))
        readings = [self._reading(record[seat.place, seat.player]) for seat, _ in lines]
        verdicts = judge_with_slips([line for _, line in lines], readings, event)
        by_line = {verdict.line.number: verdict for verdict in verdicts}
        tiles = {place: self._tile(place, at, record, by_line) for place, at in seats.items()}
        # The log may have tables that the sheet does not have, or no longer.
        unknown = dict.fromkeys(place for place, _ in record if place not in self.seating.seats)
        notes = [
            Remark("desk.not-on-the-sheet", {"round": place.round, "table": place.table})
            for place in unknown
        ]
        checked = self._verification(seats, verdicts)
        return DeskBoard(tiles, (*notes, *notes_of(verdicts)), checked)

    def result(self, id_: str) -> PhotoResult | None:
        """Return what was read of a photo; None where it was forgotten."""
        text = self.result_of(id_)
        if text is None:
            return None
        known = self._results.get(id_)
        if known is None or known[0] != text:
            known = self._results[id_] = text, from_json(text)[0]
        return known[1]

    # ------------------------------------------------------------ from the log to lines

    def _seats(self, record: Record) -> dict[RoundTable, list[Seat]]:
        """Return who sits where, and behind them those who handed in where they do not sit."""
        seats = {place: list(players) for place, players in self.seating.seats.items()}
        number = max((row.line for row in self.seating.sheet.lines), default=0)
        for place, player in record:
            if place not in seats or any(seat.player == player for seat in seats[place]):
                continue
            number += 1
            who = {"round": place.round, "game": place.table, "player": player}
            fields = {**seats[place][0].row.fields, **who}
            for name in ("claimed", "photo", "kingdom", "fix", "accept", "note"):
                fields.pop(name, None)
            seats[place].append(Seat(place, player, Row(number, fields)))
        return seats

    def _lines(
        self, seats: Mapping[RoundTable, Sequence[Seat]], record: Record
    ) -> Iterator[tuple[Seat, SheetLine]]:
        """Yield what was claimed or handed in, as the lines of a sheet."""
        for place, at in seats.items():
            photos: list[str] = []
            for seat in at:
                handed = record.get((place, seat.player), NOTHING)
                if handed.claimed is None and handed.sent is None:
                    continue
                if handed.sent and handed.sent.id not in photos:
                    photos.append(handed.sent.id)
                number = str(photos.index(handed.sent.id) + 1) if handed.sent else ""
                name = "-".join(filter(None, (place.round, place.table, number)))
                yield seat, self._line(seat, handed, name if number else "")

    def _line(self, seat: Seat, handed: Handed, photo: str) -> SheetLine:
        decision, said = handed.decision, dict(valid_line(seat.row.fields).said)
        if handed.claimed is not None:
            said["claimed"] = str(handed.claimed)
        return SheetLine(
            number=seat.row.line,
            where=self.seating.sheet.where(seat.row),
            player=seat.player,
            game=seat.place.table,
            round=seat.place.round,
            claimed=handed.claimed,
            photo=photo,
            letter=handed.sent.letter if handed.sent else "",
            accepted=Acceptance(decision.what, decision.total, decision.by) if decision else None,
            options=self.seating.options[seat.place],
            said=said,
        )

    def _reading(self, handed: Handed) -> Scored | None:
        """Return what was read of a player's photo."""
        result = self.result(handed.sent.id) if handed.sent else None
        if handed.sent is None or result is None:
            return None
        return Scored(result, handed.sent.digest, handed.sent.picture)

    # ------------------------------------------------------------ from verdicts to tables

    def _tile(
        self,
        place: RoundTable,
        seats: Sequence[Seat],
        record: Record,
        verdicts: Mapping[int, LineVerdict],
    ) -> Tile:
        """Make one table, with its flags."""
        begun = any(record.get((place, seat.player), NOTHING) != NOTHING for seat in seats)

        def line(seat: Seat) -> BoardLine:
            handed = record.get((place, seat.player), NOTHING)
            verdict = verdicts.get(seat.row.line)
            own = self.seating.places_of.get((place.round, seat.player))
            flags = {
                Flag.CLASH: verdict is not None and _clashes(verdict),
                Flag.MISSING: begun and handed == NOTHING,
                Flag.STRANGER: own is None,
                Flag.WRONG_TABLE: own not in (None, place),
            }
            said = tuple(
                (flag, own.table if own and flag is Flag.WRONG_TABLE else "")
                for flag, holds in flags.items()
                if holds
            )
            photo = self.result(handed.sent.id) if handed.sent else None
            return BoardLine(seat, handed, verdict, said, photo)

        return Tile(place, tuple(map(line, seats)))

    def _verification(
        self, seats: Mapping[RoundTable, Sequence[Seat]], verdicts: Sequence[LineVerdict]
    ) -> Verification:
        """Return the sheet with what was handed in."""
        sheet = self.seating.sheet
        rows = {seat.row.line: seat.row for at in seats.values() for seat in at}
        for verdict in verdicts:
            line = verdict.line
            row = rows[line.number]
            rows[line.number] = replace(row, fields={**row.fields, **_fields(line)})
        added = [name for name in ("photo", "kingdom", "claimed") if name not in sheet.columns]
        filled = replace(
            sheet,
            columns=(*sheet.columns, *added),
            lines=tuple(rows[number] for number in sorted(rows)),
        )
        in_order = sorted(verdicts, key=lambda verdict: verdict.line.number)
        return Verification(filled, tuple(in_order))


def _clashes(verdict: LineVerdict) -> bool:
    """Whether a line cannot be right together with others."""
    return any(reason.key in REASONS_OF_OTHERS for reason in verdict.reasons)


def _fields(line: SheetLine) -> dict[str, str]:
    """Return the cells of what was handed in, by column."""
    accepted = line.accepted
    total = accepted.total if accepted else None
    accept = "" if accepted is None else accepted.what.value if total is None else str(total)
    return {
        "claimed": "" if line.claimed is None else str(line.claimed),
        "photo": line.photo,
        "kingdom": line.letter,
        "accept": accept,
        "note": accepted.note if accepted else "",
    }


# ---------------------------------------------------------------- what holds


class Now(Struct, frozen=True):
    """What holds at one moment; `version` is the store's, `event` names what slips mean."""

    version: int
    record: Record
    event: SlipEvent | None
    board: DeskBoard

    def handed(self, place: RoundTable, player: str) -> Handed:
        """What a player has handed in."""
        return self.record.get((place, player), NOTHING)

    def line(self, place: RoundTable, player: str) -> BoardLine | None:
        """The line of a player at a table; None where there is none."""
        lines = self.board.tiles[place].lines
        return next((line for line in lines if line.seat.player == player), None)

    def holders(self, photo: str) -> list[tuple[RoundTable, str]]:
        """The players whom a photo was handed in for, with their tables."""
        return [
            key for key, handed in self.record.items() if handed.sent and handed.sent.id == photo
        ]


class FrozenReading(Struct, frozen=True):
    """What counts of a photo that is handed in: the photo as it was, its fixes and its result."""

    before: StoredPhoto
    fixes: str
    result: str


class PhotoChangedError(Exception):
    """Somebody else has changed the photo meanwhile."""


#: What is to be written, from what holds.
Events = Callable[[Now], list[Event]]


class Keeper:
    """Writes the log, one change after the other, and keeps the board up to date.

    Args:
        store: Holds the log, and what slips mean.
        seating: Who sits where.
        event_file: What the numbers on slips mean; None takes the file beside the sheet.

    Raises:
        UsageError: `event_file` cannot be read.
    """

    def __init__(self, store: Store, seating: Seating, event_file: Path | None = None) -> None:
        self.seating = seating
        self._store = store
        self._judge = Judge(seating, store.result)
        self._start = record_of_sheet(seating)
        self._now: Now | None = None
        self._judging = threading.Lock()
        self._writing = asyncio.Lock()
        self._event_file = event_file or seating.sheet.path.with_name(FILE_NAME)
        if event_file or self._event_file.is_file():
            self._keep_event(read_event(self._event_file))

    async def now(self) -> Now:
        """What holds now."""
        return await asyncio.to_thread(self.current)

    def current(self) -> Now:
        """Return what holds now, for threads."""
        with self._judging:
            version = self._store.version()
            if self._now is None or self._now.version != version:
                record = record_of(self._store.events(), self._start)
                event = self._event()
                self._now = Now(version, record, event, self._judge.board(record, event))
            return self._now

    def _event(self) -> SlipEvent | None:
        kept = self._store.word(_SLIPS)
        return msgspec.json.decode(kept, type=SlipEvent) if kept else None

    def _keep_event(self, event: SlipEvent) -> None:
        self._store.keep_word(_SLIPS, msgspec.json.encode(event).decode())

    def event_to_print(self) -> SlipEvent:
        """Return the event of slips for every seat, and keep it beside the sheet.

        Raises:
            UsageError: Its file cannot be read or written.
        """
        with self._store.transaction():
            there = self._event_file.is_file()
            known = read_event(self._event_file) if there else self._event()
            event = with_seats(self.seating.holders, known)
            if event != known or not there:
                write_event(self._event_file, event)
            self._keep_event(event)
        return event

    async def add(self, events: Events, reading: FrozenReading | None = None) -> Now:
        """Write what follows from what holds now; nothing happens in between.

        Args:
            events: Gives what is to be written; what it raises leaves the log as it was.
            reading: What counts of a photo from now on, written in the same transaction.

        Raises:
            PhotoChangedError: The photo of `reading` is no longer what it was; nothing is written.
        """
        async with self._writing:
            new = events(await self.now())
            if new and reading is not None:
                terms = reading.before, reading.before.options, reading.fixes, reading.result, new
                if not await asyncio.to_thread(self._store.set_result, *terms):
                    raise PhotoChangedError
            elif new:
                await asyncio.to_thread(self._store.add_events, new)
            return await self.now()

    async def add_reading(self, make: Callable[[], Awaitable[tuple[FrozenReading, Events]]]) -> Now:
        """Write what `make` gives, made anew while others change the same photo.

        Raises:
            BusyError: Others have changed it every time.
        """
        for _ in range(MOST_TRIES):
            reading, events = await make()
            try:
                return await self.add(events, reading)
            except PhotoChangedError:
                continue
        raise BusyError

    def player(self, name: object) -> str:
        """A player's name as the sheet writes it.

        Raises:
            Refusal: It is no name that can be kept.
        """
        return self.seating.player(written_name(name))

    def place(self, round_: str, table: str) -> RoundTable:
        """A table in a round.

        Raises:
            Refusal: The sheet has none of these names.
        """
        place = RoundTable(round_, table)
        if place not in self.seating.seats:
            code = "no-table.round" if round_ else "no-table"
            raise Refusal(404, code, table=f"{table[:40]!r}", round=f"{round_[:40]!r}")
        return place


# ---------------------------------------------------------------- as JSON


def shown_board(board: DeskBoard, language: str) -> dict[str, Any]:
    """Return all tiles, with the rounds in the order of the sheet."""
    return {
        "rounds": list(dict.fromkeys(place.round for place in board.tiles)),
        "tiles": [shown_tile(tile, language) for tile in board.tiles.values()],
        "notes": [note.text(language) for note in board.notes],
    }


def shown_tile(tile: Tile, language: str, *, to_players: bool = False) -> dict[str, Any]:
    """Return one table.

    Args:
        tile: The table.
        language: In which its sentences are.
        to_players: Whether players see it: what concerns other tables is left out.
    """
    return {
        "round": tile.place.round,
        "table": tile.place.table,
        "state": tile.state.value,
        "players": [_line(line, language, to_players) for line in tile.lines],
    }


def _line(line: BoardLine, language: str, to_players: bool) -> dict[str, Any]:
    verdict, handed = line.verdict, line.handed
    begun = verdict is not None and (handed.sent is not None or handed.decision is not None)
    return {
        "player": line.seat.player,
        "state": line.state.value,
        "claimed": handed.claimed,
        "photo": handed.sent.id if handed.sent else None,
        "photos": handed.photos,
        "letter": line.letter,
        "verdict": verdict.verdict.value if verdict and begun else None,
        "read": line.read,
        "read_status": line.kingdom.status.value if line.kingdom else None,
        "difference": verdict.difference if verdict else None,
        "message": _message(verdict, language, to_players) if verdict and handed.sent else "",
        "mistakes": [
            {
                "mistake": explanation.mistake.value,
                "text": explanation.text(language),
                "difference": explanation.difference,
                "cells": [list(cell) for cell in explanation.cells],
            }
            for explanation in (verdict.explanations if verdict else ())
        ],
        "flags": [
            {"flag": flag.value, "text": "" if to_players else text} for flag, text in line.flags
        ],
        "proposals": [
            {
                "by": proposal.by,
                "squares": [
                    {"place": place, **line.square_as_read(place), "proposed": cell}
                    for place, cell in proposal.fixes.items()
                ],
            }
            for proposal in handed.proposals
        ],
        "accepted": _decision(handed.decision),
        "total": verdict.total if verdict else None,
        "since": _time(handed.since),
    }


def _message(verdict: LineVerdict, language: str, to_players: bool) -> str:
    """Return what there is to say of a line; to players nothing of other lines.

    What to write into which column helps who has a sheet before them, not a desk with buttons.
    """
    said = [
        reason.text(language)
        for reason in verdict.reasons
        if not (to_players and reason.key in REASONS_OF_OTHERS)
        and not reason.key.startswith("verdict.remedy")
    ]
    return "; ".join(said)


def _decision(decision: Decision | None) -> dict[str, Any] | None:
    if decision is None:
        return None
    about = {"what": decision.what.value, "total": decision.total, "by": decision.by}
    return {**about, "at": _time(decision.made)}


def shown_rules(seating: Seating, place: RoundTable) -> dict[str, Any]:
    """The rules of a table, as the form of an upload has them."""
    options = seating.options[place]
    return {"size": str(options.size) if options.size else "auto", **options.in_play}


def shown_event(event: Event) -> dict[str, Any]:
    """An entry of the log; what only finds photos again is left out."""
    value = json.loads(event.value)
    if isinstance(value, dict):
        value = {key: one for key, one in value.items() if key not in ("digest", "picture")}
    where = {"round": event.round, "table": event.table, "player": event.player}
    return {"at": _time(event.made), "kind": event.kind, **where, "by": event.by, "value": value}


def _time(made: float) -> str | None:
    """A time in UTC, in ISO 8601 to the second; None for what the sheet says."""
    return datetime.fromtimestamp(made, UTC).isoformat(timespec="seconds") if made else None
