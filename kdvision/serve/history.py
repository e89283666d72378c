"""The history of a game over HTTP: who said what and when, taken back and put back."""

import time
from collections.abc import Mapping, Sequence

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.rules.kingdom import parse_cell
from kdvision.rules.terrain import Square
from kdvision.sentences import sentence
from kdvision.serve.evenings import Evenings
from kdvision.serve.guard import check_game, check_organiser, device_of
from kdvision.serve.languages import language_of
from kdvision.serve.log import (
    Accepted,
    AnySaid,
    Claimed,
    Corrected,
    Entry,
    EveningNamed,
    Named,
    PhotoDeleted,
    PhotoTaken,
    RulesChosen,
    Seated,
    Undone,
    find_later,
    find_things,
    find_undone,
)
from kdvision.serve.refusals import Refusal
from kdvision.serve.rights import check_right
from kdvision.serve.state import NOBODY, Game
from kdvision.serve.store import MissingError, Store


class UndoChoice(Struct, forbid_unknown_fields=True):
    """The body of a request that undoes an entry, or redoes it; null turns over what it is now."""

    undone: bool | None = None


class History:
    """The handlers of the log.

    Args:
        store: Keeps it.
        evenings: Evenings and games as they stand.
    """

    def __init__(self, store: Store, evenings: Evenings) -> None:
        self._store = store
        self._evenings = evenings

    def log(self, request: Request) -> Response:
        """`GET /api/games/{game}/log`: what was said of a game, oldest first."""
        id_ = request.path_params["game"]
        check_game(request, id_)
        evening = self._store.evening_of(id_)
        game = self._evenings.game(id_).game
        entries = self._evenings.entries(evening, id_)
        devices = self._store.devices(evening)
        undone = find_undone(entries)
        shown = [
            {
                "id": entry.id,
                "at": entry.at,
                "device": name_device(entry.device, devices, request),
                "mine": bool(entry.device) and entry.device == device_of(request),
                "what": type(entry.said).__struct_config__.tag,
                "text": describe(entry.said, game, language_of(request)),
                "photo": getattr(entry.said, "photo", None),
                "undone": entry.id in undone,
            }
            for entry in entries
            if find_things(entry.said)
        ]
        return JSONResponse(shown)

    def undo(self, request: Request, choice: UndoChoice) -> Response:
        """`POST /api/log/{id}/undo`: take an entry back, or put it back again.

        Raises:
            Refusal: 409 where somebody changed the same thing since.
        """
        device = device_of(request)
        with self._evenings.changing():
            entry = self._store.entry(request.path_params["id"])
            if not find_things(entry.said):
                raise MissingError("entry")
            if entry.game:
                own = bool(device) and entry.device == device
                check_right(request, self._evenings.game(entry.game), entry.said, own=own)
            else:
                check_organiser(request)
            entries = self._evenings.entries(entry.evening, entry.game)
            is_undone = entry.id in find_undone(entries)
            undone = not is_undone if choice.undone is None else choice.undone
            if undone is not is_undone:
                later = find_later(entries, entry)
                if later is not None:
                    raise self._refuse(request, later)
                self._store.append(entry.evening, entry.game, Undone(entry.id, undone), device)
        return JSONResponse({"id": entry.id, "game": entry.game or None, "undone": undone})

    def _refuse(self, request: Request, later: Entry) -> Refusal:
        """Return the refusal that says who changed the same thing, and when."""
        devices = self._store.devices(later.evening)
        language = language_of(request)
        who = name_device(later.device, devices, request)
        text = ""
        if later.game:
            text = describe(later.said, self._evenings.game(later.game).game, language)
        at = time.strftime("%H:%M", time.localtime(later.at))
        return Refusal(409, "changed-since", who=who, at=at, what=text, entry=later.id)


def name_device(device: str, devices: Sequence[str], request: Request) -> str:
    """Return what people call a phone: `this phone`, `phone 2`, or `a program`.

    Args:
        device: Its id; empty for a program.
        devices: The ids of the phones of the evening as they came.
        request: Whose phone is called `this`, and whose language is spoken.
    """
    language = language_of(request)
    if not device:
        return sentence("log.program", language)
    if device == device_of(request):
        return sentence("log.this-phone", language)
    return sentence("log.phone", language, n=devices.index(device) + 1)


def describe(said: AnySaid, game: Game, language: str) -> str:
    """Return a sentence of what an entry says."""
    match said:
        case PhotoTaken():
            return sentence("log.photo", language)
        case PhotoDeleted():
            return sentence("page.photo-deleted", language)
        case Named() | Claimed() | Accepted():
            return _describe_seat(said, game, language)
        case Seated(seat=None):
            return sentence("log.no-owner", language)
        case Seated(seat=seat) if seat == NOBODY:
            return sentence("page.given-nobody", language)
        case Seated(seat=seat):
            return sentence("page.given", language, player=_name_seat(seat, game, language))
        case Corrected(squares=squares):
            return _describe_squares(squares, language)
        case RulesChosen():
            return sentence("page.rules-changed", language)
        case EveningNamed(name=evening):
            return sentence("log.evening-name", language, name=evening)
    raise MissingError("entry")


def _describe_seat(said: Named | Claimed | Accepted, game: Game, language: str) -> str:
    """Return a sentence of who plays on a seat, or which total it has."""
    player = _name_seat(said.colour, game, language)
    match said:
        case Named(player=name):
            seat = sentence(f"page.colour.{said.colour}", language)
            key = "log.name" if name else "log.no-name"
            return sentence(key, language, player=name, seat=seat)
        case Claimed(total=None):
            return sentence("log.no-claim", language, player=player)
        case Claimed(total=total):
            return sentence("log.claim", language, player=player, total=total)
        case Accepted(total=None):
            return sentence("log.not-accepted", language, player=player)
        case Accepted(total=total):
            return sentence("page.settled", language, player=player, total=total)


def _name_seat(colour: str | None, game: Game, language: str) -> str:
    """Return who plays on a seat; where nobody said it, its colour."""
    players = {seat.colour.value: seat.player for seat in game.seats}
    return players.get(colour or "") or sentence(f"page.colour.{colour}", language)


def _describe_squares(squares: Mapping[str, str | None], language: str) -> str:
    """Return a sentence of squares that were corrected."""
    sentences = []
    for place, cell in squares.items():
        at = place.rpartition(".")[2]
        if cell is None:
            sentences.append(sentence("log.no-square", language, place=at))
        else:
            face = name_face(cell, language)
            sentences.append(sentence("page.changed", language, place=at, face=face))
    return " ".join(sentences)


def name_face(cell: str, language: str) -> str:
    """Return what people call a square: `wheat, 1 crown`."""
    square = parse_cell(cell)
    terrain, crowns = "empty", 0
    if isinstance(square, Square):
        terrain, crowns = square.terrain.value, square.crowns
    elif square is not None:
        terrain = "castle"
    if not crowns:
        return sentence(f"terrain.{terrain}", language)
    return sentence("page.face", language, terrain=f"terrain.{terrain}", crowns=crowns)
