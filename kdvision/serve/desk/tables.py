"""The tables of a tournament over HTTP: what players hand in.

A phone acts for the table whose code it opened: every request brings the token of that table in
that round, in the header `TOKEN_HEADER`. The desk acts for all tables.
"""

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.columns import MAX_NUMBER, Accepted, result_rows
from kdvision.corrections import fixes_of, kingdom_name
from kdvision.report.json import from_json
from kdvision.result import Status
from kdvision.serve.answers import Refusal, language_of, page
from kdvision.serve.desk.board import (
    Events,
    FrozenReading,
    Keeper,
    Now,
    State,
    shown_rules,
    shown_tile,
)
from kdvision.serve.desk.seats import Kind, RoundTable, Sent, new_event
from kdvision.serve.evening import written_name
from kdvision.serve.guard import FROM_DESK
from kdvision.serve.limits import ServeSettings, read_json
from kdvision.serve.photos import ScoringPool, options_from, picture_of
from kdvision.serve.store import Event, Store, StoredPhoto
from kdvision.slips.event import SlipEvent
from kdvision.tournament.batch.identity import fingerprint_of
from kdvision.tournament.lines import SheetLine
from kdvision.tournament.slip_lines import SlipsOfRun
from kdvision.tournament.verify.verdicts import Verdict

#: Brings the token of a table, which its QR code opens.
TOKEN_HEADER = "X-Kdscore-Table"


class Tables:
    """The handlers of everything below `/api/table`: for the phones of players."""

    def __init__(
        self, store: Store, pool: ScoringPool, settings: ServeSettings, keeper: Keeper | None
    ) -> None:
        self._store, self._pool, self._settings, self._keeper = store, pool, settings, keeper

    async def page(self, request: Request) -> Response:
        """`GET /table`: the page of a table."""
        return page(request, "table.html", rooms=("desk.", "page."))

    async def show(self, request: Request) -> Response:
        """`GET /api/table?round=1&table=3`: who sits there, and what they handed in."""
        keeper = with_sheet(self._keeper)
        query = request.query_params
        place = keeper.place(query.get("round", ""), query.get("table", ""))
        await self._check_place(request, place)
        return self._shown(request, await keeper.now(), place)

    async def claim(self, request: Request) -> Response:
        """`POST /api/table/claims`: `{"round", "table", "claims": {"Ada": 75}}`.

        A claim holds once the photo of its player is there.
        """
        keeper, data, place = await self._asked(request)
        claims = object_in(data, "claims", '{"Ada": 75}')
        totals = {keeper.player(name): _total(total) for name, total in claims.items()}

        def events(now: Now) -> list[Event]:
            new = []
            for player, total in totals.items():
                handed = now.handed(place, player)
                if handed.claimed == total:
                    continue
                if handed.sent or handed.decision:
                    raise Refusal(409, "claim-stands", player=player)
                change = {"before": handed.claimed, "after": total}
                new.append(new_event(Kind.CLAIM, place, player, player, **change))
            return new

        return self._shown(request, await keeper.add(events), place)

    async def photo(self, request: Request) -> Response:
        """`POST /api/table/photos`: `{"round", "table", "photo": ID, "players": {"Ada": "A"}}`.

        The photo was scored by the rules of the table before; a letter may be left empty, and the
        players where slips in the photo name them. It counts as it was read: squares that the phone
        corrected are proposals to the desk.
        """
        keeper, data, place = await self._asked(request)
        event = (await keeper.now()).event
        players = data.get("players") or {}
        if (not players and event is None) or not isinstance(players, dict):
            object_in(data, "players", '{"Ada": ""} or {"Ada": "A", "Ben": "B"}')
        named = {keeper.player(name): letter for name, letter in players.items()}

        async def handed_in() -> tuple[FrozenReading, Events]:
            photo = await self._photo_of_table(request, place, str(data.get("photo", "")))
            slips = _lines_of_slips(photo, event)
            claims = {
                keeper.seating.player(line.player): line.claimed
                for line in slips
                if line.place == (place.round, place.table)
            }
            letters = named or dict.fromkeys(claims, "")
            if not letters:
                raise _no_slips(photo, slips)
            if options_from(photo.options) != keeper.seating.options[place]:
                raise Refusal(422, "other-rules")
            check_letters(letters, photo)
            marks = await asyncio.to_thread(_marks, photo)
            proposed = {} if photo.handed else json.loads(photo.fixes)

            def events(now: Now) -> list[Event]:
                new = []
                for player, letter in letters.items():
                    sent = Sent(photo.id, letter, *marks)
                    new += _handed_in(now, place, player, sent, proposed, claims)
                return new

            return await self._as_read(photo), events

        return self._shown(request, await keeper.add_reading(handed_in), place)

    async def propose(self, request: Request) -> Response:
        """`POST /api/table/proposals`: `{"round", "table", "player", "fixes", "by"}`.

        Squares of the player's photo that were misread, for the desk to look at.
        """
        keeper, data, place = await self._asked(request)
        player, by = keeper.player(data.get("player")), written_name(data.get("by"))
        fixes = object_in(data, "fixes", '{"b3": "W1"}')
        fixes_of(fixes)

        def events(now: Now) -> list[Event]:
            if now.handed(place, player).sent is None:
                raise Refusal(409, "no-photo-of", player=player)
            change = {"before": None, "after": None, "fixes": fixes}
            return [new_event(Kind.PROPOSE, place, player, by, **change)]

        return self._shown(request, await keeper.add(events), place)

    async def accept(self, request: Request) -> Response:
        """`POST /api/table/accept`: `{"round", "table", "player", "by"}`.

        Players may accept a sure reading that differs from a claim; all else is for the desk.
        """
        keeper, data, place = await self._asked(request)
        player, by = keeper.player(data.get("player")), written_name(data.get("by"))

        def events(now: Now) -> list[Event]:
            line = now.line(place, player)
            verdict = line.verdict if line else None
            if verdict is None or not verdict.kingdom or verdict.verdict is not Verdict.DIFFERS:
                raise Refusal(409, "nothing-to-accept", player=player)
            if verdict.kingdom.status is not Status.SURE:
                raise Refusal(409, "not-sure")
            change = {"before": None, "after": verdict.kingdom.score}
            about = {"what": Accepted.PHOTO.value, "total": None}
            return [new_event(Kind.ACCEPT, place, player, by, **change, **about)]

        return self._shown(request, await keeper.add(events), place)

    # ------------------------------------------------------------ who may do what

    async def holder_of(self, request: Request) -> str:
        """Return the table that a request comes from, as photos keep it; empty where none."""
        place = await self._table_of(request)
        return _holder(place) if place else ""

    async def check_photo(self, request: Request, photo: StoredPhoto) -> None:
        """See that a phone may change a photo.

        Raises:
            Refusal: It is of another table, or was handed in.
        """
        if self._keeper is None or request.scope.get(FROM_DESK):
            return
        if photo.holder and photo.holder != await self.holder_of(request):
            raise Refusal(404, "no-photo")
        if photo.handed:
            raise Refusal(403, "handed-in")

    async def _check_place(self, request: Request, place: RoundTable) -> None:
        """See that a phone has opened the code of this table in this round."""
        if not request.scope.get(FROM_DESK) and await self._table_of(request) != place:
            raise Refusal(403, "other-table")

    async def _table_of(self, request: Request) -> RoundTable | None:
        """Return the table in a round whose code a phone has opened."""
        token = request.headers.get(TOKEN_HEADER, "")
        place = await asyncio.to_thread(self._store.table_of, token) if token else None
        return RoundTable(*place) if place else None

    async def _asked(self, request: Request) -> tuple[Keeper, dict[str, Any], RoundTable]:
        """Return the keeper, the body and the table of a request that may act for it."""
        keeper = with_sheet(self._keeper)
        data = await read_json(request, self._settings)
        place = place_of(keeper, data)
        await self._check_place(request, place)
        return keeper, data, place

    async def _photo_of_table(self, request: Request, place: RoundTable, id_: str) -> StoredPhoto:
        photo = await asyncio.to_thread(self._store.photo, id_)
        own = photo and (request.scope.get(FROM_DESK) or photo.holder == _holder(place))
        if photo is None or not own:
            raise Refusal(404, "no-photo")
        return photo

    async def _as_read(self, photo: StoredPhoto) -> FrozenReading:
        """Return what counts of a photo, without what its phone corrected or added to it."""
        if photo.handed or (photo.fixes == "{}" and photo.pictures == 1):
            return FrozenReading(photo, photo.fixes, photo.result)
        options = options_from(photo.options)
        found = await self._pool.score([picture_of(photo)], photo.name, options, {})
        return FrozenReading(photo, "{}", json.dumps(found))

    def _shown(self, request: Request, now: Now, place: RoundTable) -> Response:
        tile = shown_tile(now.board.tiles[place], language_of(request), to_players=True)
        rules = shown_rules(with_sheet(self._keeper).seating, place)
        return JSONResponse(tile | {"rules": rules, "slips": now.event is not None})


def with_sheet(keeper: Keeper | None) -> Keeper:
    """Return the keeper.

    Raises:
        Refusal: There is none, as there is no sheet.
    """
    if keeper is None:
        raise Refusal(404, "no-sheet")
    return keeper


def place_of(keeper: Keeper, data: dict[str, Any]) -> RoundTable:
    """Return the table that a request is about; see `Keeper.place`."""
    return keeper.place(str(data.get("round") or ""), str(data.get("table") or ""))


def object_in(data: dict[str, Any], name: str, example: str) -> dict[str, Any]:
    """Return an object with at least one field.

    Raises:
        Refusal: It is none.
    """
    value = data.get(name)
    if not isinstance(value, dict) or not value:
        raise Refusal(422, "missing", name=name, example=example)
    return value


def check_letters(letters: Mapping[str, Any], photo: StoredPhoto) -> None:
    """See that each letter names another kingdom of a photo; some may be empty.

    Raises:
        Refusal: They do not.
    """
    count = len(json.loads(photo.result)["kingdoms"])
    known = [kingdom_name(index) for index in range(count)]
    named = [letter for letter in letters.values() if letter != ""]
    if not all(letter in known for letter in named):
        raise Refusal(422, "kingdom-unknown", letters=", ".join(known))
    if len(named) > len(set(named)):
        raise Refusal(422, "kingdom-twice")


def _holder(place: RoundTable) -> str:
    """Write a table in a round as photos keep it."""
    return json.dumps([place.round, place.table])


def _lines_of_slips(photo: StoredPhoto, event: SlipEvent | None) -> list[SheetLine]:
    """Return the lines that the slips beside kingdoms of a photo give."""
    if event is None:
        return []
    rows = result_rows(from_json(photo.result)[0])
    return SlipsOfRun({photo.id: rows}, event).lines(photo.id, [])


def _no_slips(photo: StoredPhoto, slips: Sequence[SheetLine]) -> Refusal:
    """Say why the slips of a photo name no player of its table."""
    if slips:
        first = RoundTable(slips[0].round, slips[0].game)
        return Refusal(409, "slips-elsewhere", place=first.key, **asdict(first))
    codes = {slip["event"] for slip in json.loads(photo.result)["slips"]}
    return Refusal(409, "slips-of-others" if codes else "no-slips")


def _handed_in(
    now: Now,
    place: RoundTable,
    player: str,
    sent: Sent,
    proposed: Mapping[str, str],
    claims: Mapping[str, int | None],
) -> list[Event]:
    """Return the events of a photo for a player; none where it is handed in already.

    `claims` are those of slips: without one, a claim must be there.
    """
    handed, line = now.handed(place, player), now.line(place, player)
    if handed.sent == sent:
        return []
    events = []
    if handed.claimed is None:
        if player not in claims:
            raise Refusal(409, "claim-first", player=player)
        change = {"before": None, "after": claims[player]}
        if claims[player] is not None:
            events.append(new_event(Kind.CLAIM, place, player, player, **change, slip=True))
    if line and line.state is State.AGREES:
        raise Refusal(409, "settled", player=player)
    before = handed.sent.letter if handed.sent else None
    about = {**asdict(sent), "before": before, "after": sent.letter}
    events.append(new_event(Kind.PHOTO, place, player, player, **about))
    if proposed:
        nothing = {"before": None, "after": None}
        events.append(new_event(Kind.PROPOSE, place, player, player, **nothing, fixes=proposed))
    return events


def _total(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_NUMBER:
        raise Refusal(422, "claim-is-none", most=MAX_NUMBER)
    return value


def _marks(photo: StoredPhoto) -> tuple[str, str]:
    """Return what tells a photo from others: the SHA-256 of its bytes, and what it shows."""
    if photo.picture is None:
        return "", ""
    return hashlib.sha256(photo.picture).hexdigest(), fingerprint_of(photo.picture)
