"""What programs and the page are shown of an evening: plain values for JSON."""

from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from kdvision.serve.evening import EveningView, GameKingdom, GameView, SeatView
from kdvision.serve.state import Evening


class Viewer(Struct, frozen=True):
    """Who looks at an evening.

    Attributes:
        language: What is spoken.
        games: The ids of the only games that are shown; None for the organiser, who sees all.
    """

    language: str
    games: frozenset[str] | None = None

    @property
    def is_organiser(self) -> bool:
        """Whether all is shown, and may be changed."""
        return self.games is None

    def list_games(self, view: EveningView) -> list[GameView]:
        """Return the games of an evening that are shown."""
        ids = self.games
        return [game for game in view.games if ids is None or game.game.id in ids]


def show_game(view: GameView, viewer: Viewer) -> dict[str, Any]:
    """Show a game, as `GET /api/games/{id}` says it."""
    game = view.game
    hidden = view.is_hidden(organiser=viewer.is_organiser)
    ranks = {entry.result.player: entry.rank for entry in view.standing.ranked}
    # A seat has what people wrote, and what was read unless that is hidden.
    seats = []
    for seat in view.seats.values():
        people = {
            "colour": seat.seat.colour,
            "player": seat.seat.player,
            "claimed": seat.seat.claim,
            "claims": _list_claims(seat),
            "photo": seat.best and seat.best.photo.id,
        }
        read = _show_reading(seat, viewer.language)
        read |= {"rank": ranks.get(seat.name), "wins": seat.name in view.winners}
        if hidden:
            read = dict.fromkeys(read)
        seats.append(read | people)
    return {
        "id": game.id,
        "name": game.name,
        "code": game.id,
        "rules": to_builtins(game.rules),
        "sheet": game.place is not None,
        "colours": game.has_colours,
        "hidden": hidden,
        "waits": view.waits_for,
        "photos": len(game.photos),
        "seats": seats,
        "unassigned": [_show_unassigned(view, kingdom, hidden) for kingdom in view.unassigned],
        "notes": [] if hidden else _list_notes(view, viewer.language),
    }


def _list_notes(view: GameView, language: str) -> list[str]:
    """Say what was left out of the photos of a game that may be a kingdom, once each."""
    notes: dict[str, None] = {}
    for photo in view.results:
        if photo.misses_kingdoms:
            notes |= dict.fromkeys(note.text(language) for note in photo.left_out)
    return list(notes)


def _list_claims(seat: SeatView) -> dict[str, int] | None:
    """Show what sheet and phone claim where they differ."""
    if not seat.seat.has_two_claims:
        return None
    return {"sheet": seat.seat.sheet_claimed or 0, "phone": seat.seat.claimed or 0}


def _show_reading(seat: SeatView, language: str) -> dict[str, Any]:
    """Show what the photos of a seat say, and what counts."""
    best = seat.best
    verdict = seat.verdict
    # What breaks the rules explains no difference; the page of the kingdom says it.
    reasons = [reason for reason in verdict.reasons if not reason.key.startswith("problem.")]
    has_words = best is not None or seat.seat.has_two_claims
    explanation = replace(verdict, reasons=tuple(reasons)).text(language) if has_words else ""
    return {
        "letter": best and best.letter,
        "kingdom": best and best.result.line,
        "score": verdict.score,
        "status": verdict.status,
        "counts": verdict.counts,
        "verdict": verdict.word,
        "explanation": explanation,
        "open": seat.is_open,
        "settled": seat.seat.accepted,
        "contradicts": seat.rival and seat.rival.score,
        "elsewhere": seat.overruled is not None,
        "corrected": best is not None and best.is_corrected,
        "photos": [(kingdom.photo.id, kingdom.letter) for kingdom in seat.kingdoms],
    }


def _show_unassigned(view: GameView, kingdom: GameKingdom, hidden: bool) -> dict[str, Any]:
    again = kingdom.result.colour
    if not view.game.has_colours or again is None or view.seats[again].best is None:
        again = None
    read = {"score": kingdom.result.score, "kingdom": kingdom.result.line}
    if hidden:
        read = dict.fromkeys(read)
    about = {"photo": kingdom.photo.id, "letter": kingdom.letter, "again": again}
    return about | read | {"status": kingdom.result.status}


def show_in_list(view: GameView, viewer: Viewer) -> dict[str, Any]:
    """Show a game in the list of an evening: its totals, and what asks for a person."""
    game = show_game(view, viewer)
    open_seats = []
    if game["sheet"] and viewer.is_organiser:
        open_seats = [seat for seat in game["seats"] if seat["open"]]
    names = ("id", "name", "code", "sheet", "colours", "hidden", "waits", "photos")
    totals = [
        {name: seat[name] for name in ("colour", "player", "score", "status", "counts", "wins")}
        for seat in sorted(game["seats"], key=lambda seat: seat["rank"] or len(game["seats"]) + 1)
        if seat["photo"] and not game["hidden"]
    ]
    shown = {name: game[name] for name in names}
    return shown | {"totals": totals, "open": open_seats}


def show_evening(evening: Evening) -> dict[str, Any]:
    """Show which evening it is."""
    return {"id": evening.id, "date": evening.date, "name": evening.name, "last": evening.last}
