"""The tables of a tournament over HTTP: what players hand in."""

import asyncio
import hashlib
import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.columns import MAX_NUMBER, Accepted
from kdvision.corrections import kingdom_name
from kdvision.errors import UsageError
from kdvision.result import Status
from kdvision.serve.desk.board import State
from kdvision.serve.desk.keeper import Keeper, Now
from kdvision.serve.desk.record import Kind, Sent, decision_value, event_of, sent_value
from kdvision.serve.desk.seats import RoundTable
from kdvision.serve.desk.shown import shown_rules, shown_tile
from kdvision.serve.evening import written_name
from kdvision.serve.scoring import options_from
from kdvision.serve.settings import ServeSettings
from kdvision.serve.store import Event, Store, StoredPhoto
from kdvision.serve.uploads import read_json
from kdvision.tournament.batch.picture_hash import fingerprint_of
from kdvision.tournament.verify.verdicts import Verdict


class Tables:
    """The handlers of everything below `/api/table`: for the phones of players."""

    def __init__(self, store: Store, settings: ServeSettings, keeper: Keeper | None) -> None:
        self._store, self._settings, self._keeper = store, settings, keeper

    async def show(self, request: Request) -> Response:
        """`GET /api/table?round=1&table=3`: who sits there, and what they handed in."""
        keeper = with_sheet(self._keeper)
        place = keeper.place(
            request.query_params.get("round", ""), request.query_params.get("table", "")
        )
        return self._shown(await keeper.now(), place)

    async def claim(self, request: Request) -> Response:
        """`POST /api/table/claims`: `{"round", "table", "claims": {"Ada": 75}}`.

        A claim holds once the photo of its player is there.
        """
        keeper = with_sheet(self._keeper)
        data = await read_json(request, self._settings)
        place = place_of(keeper, data)
        claims = _object(data, "claims", '{"Ada": 75}')
        totals = {written_name(name, "player"): _total(total) for name, total in claims.items()}

        def events(now: Now) -> list[Event]:
            made = []
            for player, total in totals.items():
                handed = now.handed(place, player)
                if handed.claimed == total:
                    continue
                if handed.sent or handed.decision:
                    said = f"The photo of {player} is here already, so the claim stands."
                    raise HTTPException(409, f"{said} The desk can let {player} begin again.")
                made.append(event_of(Kind.CLAIM, place, player, player, str(total)))
            return made

        return self._shown(await keeper.add(events), place)

    async def photo(self, request: Request) -> Response:
        """`POST /api/table/photos`: `{"round", "table", "photo": ID, "players": {"Ada": "A"}}`.

        The photo was scored by the rules of the table before; a letter may be left empty.
        """
        keeper = with_sheet(self._keeper)
        data = await read_json(request, self._settings)
        place = place_of(keeper, data)
        players = _object(data, "players", '{"Ada": ""} or {"Ada": "A", "Ben": "B"}')
        photo = await asyncio.to_thread(self._store.photo, str(data.get("photo", "")))
        if photo is None:
            raise HTTPException(404, "There is no such photo.")
        if options_from(photo.options) != keeper.seating.options[place]:
            raise UsageError("The photo was scored by other rules.", "Send it by the table's page.")
        letters = {written_name(name, "player"): one for name, one in players.items()}
        _check_letters(letters, len(json.loads(photo.result)["kingdoms"]))
        digest, picture = await asyncio.to_thread(_marks, photo)

        def events(now: Now) -> list[Event]:
            made = []
            for player, letter in letters.items():
                sent = Sent(photo.id, letter, digest, picture)
                handed, line = now.handed(place, player), now.line(place, player)
                if handed.sent == sent:
                    continue
                if handed.claimed is None:
                    raise HTTPException(409, f"Write the claim of {player} first.")
                if line and line.state is State.AGREES:
                    raise HTTPException(409, f"The total of {player} is settled already.")
                made.append(event_of(Kind.PHOTO, place, player, player, sent_value(sent)))
            return made

        return self._shown(await keeper.add(events), place)

    async def accept(self, request: Request) -> Response:
        """`POST /api/table/accept`: `{"round", "table", "player", "by"}`.

        Players may accept a sure reading that differs from a claim; all else is for the desk.
        """
        keeper = with_sheet(self._keeper)
        data = await read_json(request, self._settings)
        place, by = place_of(keeper, data), written_name(data.get("by"), "person")
        player = written_name(data.get("player"), "player")

        def events(now: Now) -> list[Event]:
            line = now.line(place, player)
            checked = line.checked if line else None
            if checked is None or checked.read is None or checked.verdict is not Verdict.DIFFERS:
                raise HTTPException(409, f"There is nothing to accept for {player}.")
            if checked.read.status is not Status.SURE:
                raise HTTPException(409, "The reading is not sure. Ask the desk.")
            value = decision_value(Accepted.PHOTO, None)
            return [event_of(Kind.ACCEPT, place, player, by, value)]

        return self._shown(await keeper.add(events), place)

    def _shown(self, now: Now, place: RoundTable) -> Response:
        tile = shown_tile(now.board.tiles[place], to_players=True)
        return JSONResponse(tile | {"rules": shown_rules(with_sheet(self._keeper).seating, place)})


def with_sheet(keeper: Keeper | None) -> Keeper:
    """The keeper.

    Raises:
        HTTPException: There is none, as there is no sheet.
    """
    if keeper is None:
        raise HTTPException(404, "There is no sheet. Start kdscore serve with --sheet sheet.csv.")
    return keeper


def place_of(keeper: Keeper, data: dict[str, Any]) -> RoundTable:
    """The table that a request is about; see `Keeper.place`."""
    return keeper.place(str(data.get("round") or ""), str(data.get("table") or ""))


def _object(data: dict[str, Any], name: str, example: str) -> dict[str, Any]:
    found = data.get(name)
    if not isinstance(found, dict) or not found:
        raise UsageError(f"{name} is missing.", f"Write {example}.")
    return found


def _total(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_NUMBER:
        raise UsageError("A claim is no total.", f"Write a number from 0 to {MAX_NUMBER}.")
    return value


def _check_letters(letters: dict[str, Any], kingdoms: int) -> None:
    known = {kingdom_name(index) for index in range(kingdoms)}
    named = [letter for letter in letters.values() if letter != ""]
    if not all(isinstance(one, str) and one in known for one in named):
        raise UsageError("The photo shows no such kingdom.", f"Write {', '.join(sorted(known))}.")
    if len(named) > len(set(named)):
        raise UsageError("Two players have one kingdom.", "Give each kingdom one player.")


def _marks(photo: StoredPhoto) -> tuple[str, str]:
    """What tells a photo from others: the SHA-256 of its bytes, and what it shows."""
    if photo.picture is None:
        return "", ""
    return hashlib.sha256(photo.picture).hexdigest(), fingerprint_of(photo.picture)
