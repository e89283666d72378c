"""The board of a desk: what was handed in, judged as `kdscore verify` judges a sheet."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kdvision.columns import RULES
from kdvision.corrections import parse_place
from kdvision.result import KingdomResult, PhotoResult
from kdvision.serve.answers import Refusal
from kdvision.serve.desk.seats import (
    Handed,
    Record,
    RoundTable,
    Seat,
    Seating,
    Sent,
    record_of,
    record_of_sheet,
)
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
#: The word under which it keeps which sheet is served.
_SHEET = "sheet"


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
    #: Its photo was scored by other rules than the sheet has by now: nothing was read of it.
    OTHER_RULES = "other-rules"
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
        return kingdom_of(self.photo, self.letter)

    @property
    def read(self) -> int | None:
        """The total that was read of the player's kingdom; None where none was."""
        return self.kingdom.score if self.kingdom and self.kingdom.scored else None

    def square_as_read(self, place: str) -> dict[str, Any]:
        """What was read at a place such as `b3` or `B.b3`, and where it lies on its board."""
        name, (row, col) = parse_place(place)
        named = self.photo.named if self.photo else {}
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


def kingdom_of(photo: PhotoResult, letter: str) -> KingdomResult | None:
    """Return the kingdom of a letter, or the only one there is; None where that tells none."""
    return photo.kingdoms[0] if len(photo.kingdoms) == 1 else photo.named.get(letter)


class DeskBoard(Struct, frozen=True):
    """What holds at one moment.

    Attributes:
        version: That of the store.
        event: What the numbers on slips mean; None where that is not known.
        record: What was handed in.
        lines: By table, in the order of the sheet; behind its players those who sit elsewhere.
        notes: What concerns several lines.
        verification: The sheet with what was handed in, as `kdscore verify` checks it.
    """

    version: int
    event: SlipEvent | None
    record: Record
    lines: Mapping[RoundTable, Sequence[BoardLine]]
    notes: tuple[Remark, ...]
    verification: Verification

    def line(self, place: RoundTable, player: str) -> BoardLine | None:
        """Return the line of a player at a table; None where there is none."""
        return next((line for line in self.lines[place] if line.seat.player == player), None)

    def holders(self, photo: str) -> list[tuple[RoundTable, str]]:
        """Return the players whom a photo was handed in for, with their tables."""
        return [
            key for key, handed in self.record.items() if handed.sent and handed.sent.id == photo
        ]


# ---------------------------------------------------------------- from the log to a board

#: By table its players, each with what was handed in.
_Tables = Mapping[RoundTable, Sequence[tuple[Seat, Handed]]]


def make_board(
    version: int, seating: Seating, record: Record, event: SlipEvent | None, store: Store
) -> DeskBoard:
    """Judge everything that was handed in.

    Args:
        version: That of the store.
        seating: Who sits where.
        record: What was handed in.
        event: What the numbers on slips mean.
        store: Has what was read of photos.
    """
    photos: dict[str, PhotoResult] = {}
    for (place, _), handed in record.items():
        photo = store.photo(handed.sent.id, with_picture=False) if handed.sent else None
        if photo and photo.rules == seating.options.get(place):
            photos[photo.id] = photo.read
    tables = _tables(seating, record)
    lines, readings = [], []
    for line, sent in _sheet_lines(seating, tables):
        read = photos.get(sent.id) if sent else None
        lines.append(line)
        readings.append(Scored(read, sent.digest, sent.picture) if sent and read else None)
    judged = judge_with_slips(lines, readings, event)
    verdicts = {one.line.number: one for one in judged}
    counted = {number: _unless_elsewhere(one, seating) for number, one in verdicts.items()}
    # The log may have tables that the sheet does not have, or no longer.
    unknown = dict.fromkeys(place for place, _ in record if place not in seating.seats)
    notes = [
        Remark("desk.not-on-the-sheet", {"round": place.round, "table": place.table})
        for place in unknown
    ]
    return DeskBoard(
        version,
        event,
        record,
        {
            place: _board_lines(seating, place, players, verdicts, photos)
            for place, players in tables.items()
        },
        (*notes, *notes_of(judged)),
        _verification(seating, tables, counted),
    )


def _tables(seating: Seating, record: Record) -> _Tables:
    """Return who sits where, and behind them those who handed in where they do not sit."""
    seats = {place: list(players) for place, players in seating.seats.items()}
    number = max((row.line for row in seating.sheet.lines), default=0)
    for (place, player), handed in record.items():
        players = seats.get(place)
        if not players or handed.is_empty or any(seat.player == player for seat in players):
            continue
        number += 1
        who = {"round": place.round, "game": place.table, "player": player}
        first = players[0].row.fields
        fields = {name: first[name] for name in RULES if name in first} | who
        players.append(Seat(place, player, Row(number, fields)))
    return {
        place: [(seat, record[place, seat.player]) for seat in players]
        for place, players in seats.items()
    }


def _sheet_lines(seating: Seating, tables: _Tables) -> Iterator[tuple[SheetLine, Sent | None]]:
    """Yield what was claimed or handed in, as the lines of a sheet, with the photos."""
    for place, players in tables.items():
        photos: list[str] = []
        for seat, handed in players:
            if handed.claimed is None and handed.sent is None:
                continue
            photo = ""
            if handed.sent:
                photos += [] if handed.sent.id in photos else [handed.sent.id]
                number = str(photos.index(handed.sent.id) + 1)
                photo = "-".join(filter(None, (place.round, place.table, number)))
            said = dict(valid_line(seat.row.fields).said)
            if handed.claimed is not None:
                said["claimed"] = str(handed.claimed)
            line = SheetLine(
                number=seat.row.line,
                where=seating.sheet.where(seat.row),
                player=seat.player,
                game=place.table,
                round=place.round,
                claimed=handed.claimed,
                photo=photo,
                letter=handed.sent.letter if handed.sent else "",
                accepted=handed.accepted,
                options=seating.options[place],
                said=said,
            )
            yield line, handed.sent


def _board_lines(
    seating: Seating,
    place: RoundTable,
    players: Sequence[tuple[Seat, Handed]],
    verdicts: Mapping[int, LineVerdict],
    photos: Mapping[str, PhotoResult],
) -> list[BoardLine]:
    """Return the players of one table with their verdicts and flags."""
    begun = any(not handed.is_empty for _, handed in players)
    lines = []
    for seat, handed in players:
        verdict = verdicts.get(seat.row.line)
        photo = photos.get(handed.sent.id) if handed.sent else None
        flags = {
            Flag.CLASH: verdict is not None and _clashes(verdict),
            Flag.MISSING: begun and handed.is_empty,
            Flag.OTHER_RULES: handed.sent is not None and photo is None,
        }
        said = [(flag, "") for flag, holds in flags.items() if holds]
        said += _elsewhere(seating, place, seat.player)
        lines.append(BoardLine(seat, handed, verdict, tuple(said), photo))
    return lines


def _elsewhere(seating: Seating, place: RoundTable, player: str) -> list[tuple[Flag, str]]:
    """Return the flag of a player who sits at another table, with its name, or nowhere."""
    own = seating.places_of.get((place.round, player))
    if own == place:
        return []
    return [(Flag.WRONG_TABLE, own.table) if own else (Flag.STRANGER, "")]


def _unless_elsewhere(verdict: LineVerdict, seating: Seating) -> LineVerdict:
    """Open a verdict on a player who sits elsewhere or nowhere, unless a person has decided."""
    line = verdict.line
    flags = _elsewhere(seating, RoundTable(line.round, line.game), line.player)
    if not flags or verdict.verdict not in (Verdict.AGREES, Verdict.DIFFERS):
        return verdict
    said = [Remark(f"desk.flag.{flag}", {"text": text}) for flag, text in flags]
    return replace(verdict, verdict=Verdict.CANNOT_TELL, reasons=(*verdict.reasons, *said))


def _clashes(verdict: LineVerdict) -> bool:
    """Whether a line cannot be right together with others."""
    return any(reason.key in REASONS_OF_OTHERS for reason in verdict.reasons)


def _verification(
    seating: Seating, tables: _Tables, verdicts: Mapping[int, LineVerdict]
) -> Verification:
    """Return the sheet with what was handed in."""
    sheet, rows = seating.sheet, {}
    for seat, handed in (one for players in tables.values() for one in players):
        fields = {**seat.row.fields, **_handed_fields(handed)}
        if verdict := verdicts.get(seat.row.line):
            fields |= {"photo": verdict.line.photo, "kingdom": verdict.line.letter}
        rows[seat.row.line] = replace(seat.row, fields=fields)
    added = [name for name in ("photo", "kingdom", "claimed") if name not in sheet.columns]
    filled = replace(
        sheet,
        columns=(*sheet.columns, *added),
        lines=tuple(rows[number] for number in sorted(rows)),
    )
    return Verification(filled, tuple(verdicts[number] for number in sorted(verdicts)))


def _handed_fields(handed: Handed) -> dict[str, str]:
    """Return the cells of a claim and of a decision, by column; other notes are people's own."""
    claimed = "" if handed.claimed is None else str(handed.claimed)
    if (accepted := handed.accepted) is None:
        return {"claimed": claimed, "accept": ""}
    accept = accepted.what.value if accepted.total is None else str(accepted.total)
    return {"claimed": claimed, "accept": accept, "note": accepted.note}


# ---------------------------------------------------------------- the log, and what holds

#: What is to be written, from what holds.
Events = Callable[[DeskBoard], list[Event]]


class Keeper:
    """Writes the log, one change after the other, and keeps the board up to date.

    Args:
        store: Holds the log, and what slips mean.
        seating: Who sits where; None where there is no tournament.
        event_file: What the numbers on slips mean; None takes the file beside the sheet.

    Raises:
        UsageError: `event_file` cannot be read.
    """

    def __init__(
        self, store: Store, seating: Seating | None, event_file: Path | None = None
    ) -> None:
        self._store, self._seating = store, seating
        self._board: DeskBoard | None = None
        self._judging = threading.RLock()
        if seating is not None:
            # Another sheet is news to pages that have the version of the store.
            rows = repr([row.fields for row in seating.sheet.lines]).encode()
            store.keep_word(_SHEET, hashlib.sha256(rows).hexdigest())
            self._start = record_of_sheet(seating)
            self._event_file = event_file or seating.sheet.path.with_name(FILE_NAME)
            if event_file or self._event_file.is_file():
                self._keep_event(read_event(self._event_file))

    @property
    def has_sheet(self) -> bool:
        """Whether there is a tournament."""
        return self._seating is not None

    @property
    def seating(self) -> Seating:
        """Who sits where.

        Raises:
            Refusal: There is no tournament.
        """
        if self._seating is None:
            raise Refusal(404, "no-sheet")
        return self._seating

    def board(self) -> DeskBoard:
        """Return what holds now."""
        seating = self.seating
        with self._judging:
            version = self._store.version()
            if self._board is None or self._board.version != version:
                record = record_of(self._store.events(), self._start, seating)
                event = self._event()
                self._board = make_board(version, seating, record, event, self._store)
            return self._board

    def add(self, events: Events) -> DeskBoard:
        """Write what follows from what holds now, and nobody writes in between; what holds then.

        What `events` raises leaves the log as it was.
        """
        with self._writing() as board:
            self._store.add_events(events(board))
        return self.board()

    def add_with_photo(
        self, events: Events, before: StoredPhoto, after: StoredPhoto
    ) -> DeskBoard | None:
        """Write what follows from what holds now, and in the same step what counts of a photo.

        Returns what holds then; None where the photo is no longer as it was `before`, and nothing
        is written.
        """
        with self._writing() as board:
            new = events(board)
            if new and not self._store.change_photo(before, after, new):
                return None
        return self.board()

    @contextmanager
    def _writing(self) -> Iterator[DeskBoard]:
        """Give what holds, in a transaction; it is judged before others have to wait for it."""
        self.board()
        with self._judging, self._store.transaction():
            yield self.board()

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


# ---------------------------------------------------------------- as JSON


def shown_board(board: DeskBoard, language: str) -> dict[str, Any]:
    """Return all tables, with the rounds in the order of the sheet."""
    return {
        "rounds": list(dict.fromkeys(place.round for place in board.lines)),
        "tiles": [shown_table(board, place, language) for place in board.lines],
        "notes": [note.text(language) for note in board.notes],
    }


def shown_table(
    board: DeskBoard, place: RoundTable, language: str, *, to_players: bool = False
) -> dict[str, Any]:
    """Return one table.

    Args:
        board: What holds.
        place: The table.
        language: In which its sentences are.
        to_players: Whether players see it: what concerns other tables is left out.
    """
    states = {line.state for line in board.lines[place]}
    return {
        "round": place.round,
        "table": place.table,
        "state": next(state for state in State if state in states),
        "players": [_line(line, language, to_players) for line in board.lines[place]],
    }


def _line(line: BoardLine, language: str, to_players: bool) -> dict[str, Any]:
    verdict, handed = line.verdict, line.handed
    begun = verdict is not None and (handed.sent is not None or handed.accepted is not None)
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
        "accepted": _accepted(handed),
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


def _accepted(handed: Handed) -> dict[str, Any] | None:
    if (accepted := handed.accepted) is None:
        return None
    about = {"what": accepted.what.value, "total": accepted.total, "by": accepted.note}
    return {**about, "at": _time(handed.decided)}


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
