"""Boards and tables as JSON for their pages."""

import json
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request

from kdvision.sentences import DEFAULT_LANGUAGE, languages
from kdvision.serve.desk.board import BoardLine, DeskBoard, Tile
from kdvision.serve.desk.record import Decision, Proposal
from kdvision.serve.desk.seats import RoundTable, Seating
from kdvision.serve.store import Event
from kdvision.tournament.verify.verdicts import REASONS_OF_OTHERS, LineVerdict


def language_of(request: Request) -> str:
    """Return the language that a page asks for, if there is a catalogue in it."""
    asked = request.query_params.get("language", "")
    return asked if asked in languages() else DEFAULT_LANGUAGE


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
        "read_status": verdict.kingdom.status.value if verdict and verdict.kingdom else None,
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
        "proposals": [_proposal(proposal, line) for proposal in handed.proposals],
        "accepted": _decision(handed.decision),
        "total": verdict.total if verdict else None,
        "since": _time(handed.since),
    }


def _message(verdict: LineVerdict, language: str, to_players: bool) -> str:
    """Return what there is to say of a line; to players nothing of other lines."""
    said = [
        reason.text(language)
        for reason in verdict.reasons
        if not (to_players and reason.code in REASONS_OF_OTHERS)
    ]
    return "; ".join(said)


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
