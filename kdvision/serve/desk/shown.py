"""Boards and tables as JSON for their pages."""

import json
from datetime import UTC, datetime
from typing import Any

from kdvision.serve.desk.board import BoardLine, DeskBoard, Tile
from kdvision.serve.desk.record import Decision, Proposal
from kdvision.serve.desk.seats import RoundTable, Seating
from kdvision.serve.store import Event


def shown_board(board: DeskBoard) -> dict[str, Any]:
    """All tiles, with the rounds in the order of the sheet."""
    return {
        "rounds": list(dict.fromkeys(place.round for place in board.tiles)),
        "tiles": [shown_tile(tile) for tile in board.tiles.values()],
        "notes": list(board.verification.notes),
    }


def shown_tile(tile: Tile, *, to_players: bool = False) -> dict[str, Any]:
    """One table.

    Args:
        tile: The table.
        to_players: Whether players see it: what concerns other tables is left out.
    """
    return {
        "round": tile.place.round,
        "table": tile.place.table,
        "state": tile.state.value,
        "players": [_line(line, to_players) for line in tile.lines],
    }


def _line(line: BoardLine, to_players: bool) -> dict[str, Any]:
    checked, sent = line.checked, line.handed.sent
    read = checked.read if checked else None
    return {
        "player": line.seat.player,
        "state": line.state.value,
        "claimed": line.handed.claimed,
        "photo": sent.id if sent else None,
        "photos": line.handed.photos,
        "letter": line.letter,
        "verdict": checked.verdict.value if checked and (sent or line.handed.decision) else None,
        "read": read.total if read else None,
        "read_status": read.status.value if read else None,
        "difference": checked.difference if checked else None,
        "message": checked.message if checked and sent else "",
        "mistakes": [
            {
                "mistake": one.mistake.value,
                "difference": one.difference,
                "cells": [list(cell) for cell in one.cells],
            }
            for one in (checked.explanations if checked else ())
        ],
        "flags": [
            {"flag": flag.value, "text": "" if to_players else text} for flag, text in line.flags
        ],
        "proposals": [_proposal(proposal, line) for proposal in line.handed.proposals],
        "accepted": _decision(line.handed.decision),
        "total": checked.total if checked else None,
    }


def _proposal(proposal: Proposal, line: BoardLine) -> dict[str, Any]:
    """What a table would have read otherwise, square by square."""
    squares = [
        {"place": place, "read": line.proposed.get(place, ""), "proposed": cell}
        for place, cell in proposal.fixes.items()
    ]
    return {"by": proposal.by, "squares": squares}


def _decision(decision: Decision | None) -> dict[str, Any] | None:
    if decision is None:
        return None
    about = {"what": decision.what.value, "total": decision.total, "by": decision.by}
    return {**about, "at": _time(decision.made)}


def shown_rules(seating: Seating, place: RoundTable) -> dict[str, Any]:
    """The rules of a table, as the form of an upload has them."""
    options = seating.options[place]
    return {
        "size": str(options.size) if options.size else "auto",
        "harmony": options.harmony,
        "middle_kingdom": options.middle_kingdom,
        "centre": options.centre.value,
    }


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
