"""The desk over HTTP: the board, decisions, the log, exports, QR codes, and the beamer."""

import asyncio
import base64
import hashlib
import io
import json
from collections.abc import Awaitable, Callable, Iterable
from typing import Any
from urllib.parse import urlencode

import segno
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from kdvision.columns import MAX_NUMBER, Accepted
from kdvision.sentences import languages, sentence
from kdvision.serve.answers import Refusal, as_file, language_of, page, unless_known
from kdvision.serve.desk.board import (
    BoardLine,
    Events,
    FrozenReading,
    Keeper,
    Now,
    shown_board,
    shown_event,
)
from kdvision.serve.desk.seats import Kind, RoundTable, new_event
from kdvision.serve.desk.tables import check_letters, object_in, place_of, with_sheet
from kdvision.serve.evening import rows_of, standings_of, text_cell, written_name
from kdvision.serve.guard import FROM_DESK, POLICY
from kdvision.serve.limits import ServeSettings, read_json
from kdvision.serve.photos import ScoringPool, options_from, picture_of
from kdvision.serve.store import Event, Store, StoredPhoto
from kdvision.slips.page import Paper, slips_page
from kdvision.tournament.standings import claim_standings
from kdvision.tournament.verify.annotations import annotated_table

_Handler = Callable[[Request], Awaitable[Response]]
#: What is written down, from what holds, the table, the player, who decides, and the body.
_Decided = Callable[[Now, RoundTable, str, str, dict[str, Any]], Event]
#: Modules of a QR code around it that stay empty; the standard asks for four.
_QUIET = 4
_CODE_SCALE = 4


class Desk:
    """The handlers of everything below `/board` and `/api/board`, and of the beamer.

    Args:
        store: Holds the log.
        pool: Scores photos that are corrected.
        settings: The limits of the server.
        keeper: Writes the log; without a sheet there is none, and the handlers say so.
        address: What phones open, see `create_app`.
    """

    def __init__(
        self,
        store: Store,
        pool: ScoringPool,
        settings: ServeSettings,
        keeper: Keeper | None,
        address: str,
    ) -> None:
        self._store, self._pool, self._settings, self._keeper = store, pool, settings, keeper
        self._address = address

    def alone(self, handler: _Handler) -> _Handler:
        """Return a handler that in a tournament answers the desk alone."""

        async def checked(request: Request) -> Response:
            if self._keeper is not None and not request.scope.get(FROM_DESK):
                raise Refusal(403, "desk-only")
            return await handler(request)

        return checked

    # ------------------------------------------------------------ pages

    async def page(self, request: Request) -> Response:
        """`GET /board`: the board."""
        return page(request, "board.html", rooms=("desk.", "page."))

    async def beamer_page(self, request: Request) -> Response:
        """`GET /beamer`: the standings for all to see."""
        game = "desk.place.table" if self._keeper else "beamer.game"
        return page(
            request, "beamer.html", rooms=("beamer.", "desk.place", "standings.tie-rule"), game=game
        )

    async def codes_page(self, request: Request) -> Response:
        """`GET /board/codes`: the QR codes of all tables, to be printed and laid out."""
        slips = [
            {"language": one, "paper": paper.value, "title": sentence("slip.title", one)}
            for one in languages()
            for paper in Paper
        ]
        return page(request, "codes.html", codes=await self._codes(request), slips=slips)

    async def slips_page(self, request: Request) -> Response:
        """`GET /board/slips?language=de&paper=letter`: the slips of `kdscore slips`, to print."""
        keeper = with_sheet(self._keeper)
        paper = request.query_params.get("paper", Paper.A4.value)
        if paper not in {*Paper}:
            raise Refusal(422, "missing", name="paper", example=" / ".join(Paper))
        event = await asyncio.to_thread(keeper.event_to_print)
        language = language_of(request)
        html = slips_page(keeper.seating.holders, event, language=language, paper=Paper(paper))
        style = html.partition("<style>")[2].partition("</style>")[0]
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        policy = POLICY.replace("style-src 'self'", f"style-src 'sha256-{digest}'")
        return HTMLResponse(html, headers={"Content-Security-Policy": policy})

    async def codes(self, request: Request) -> Response:
        """`GET /api/board/codes`: the token and the address of every table in every round."""
        return JSONResponse({"codes": await self._codes(request)})

    async def _codes(self, request: Request) -> list[dict[str, str]]:
        return [
            {
                "round": place.round,
                "table": place.table,
                "place": place.text(language_of(request)),
                "token": await asyncio.to_thread(self._token, place),
                "address": await asyncio.to_thread(self._address_of, request, place),
            }
            for place in with_sheet(self._keeper).seating.seats
        ]

    async def code(self, request: Request) -> Response:
        """`GET /api/board/code.svg?round=1&table=3`: the QR code of a table in a round."""
        query = request.query_params
        place = with_sheet(self._keeper).place(query.get("round", ""), query.get("table", ""))
        address = await asyncio.to_thread(self._address_of, request, place)
        picture = io.BytesIO()
        segno.make(address, micro=False).save(
            picture, kind="svg", scale=_CODE_SCALE, border=_QUIET, light="#fff"
        )
        return Response(picture.getvalue(), media_type="image/svg+xml")

    def _token(self, place: RoundTable) -> str:
        return self._store.table_token(place.round, place.table)

    def _address_of(self, request: Request, place: RoundTable) -> str:
        base = self._address or str(request.base_url)
        return table_address(base, place, self._token(place))

    # ------------------------------------------------------------ the board

    async def show(self, request: Request) -> Response:
        """`GET /api/board`: all tiles; 304 where nothing has changed since the ETag."""
        keeper = with_sheet(self._keeper)
        return await unless_known(
            request,
            self._store,
            lambda: _shown(request, keeper.current()),
        )

    async def decide(self, request: Request) -> Response:
        """`POST /api/board/decisions`: `{"round", "table", "player", "accept", "by"}`.

        `accept` is `photo`, `claim`, or the total that counts; null takes it back.
        """

        def event(now: Now, place: RoundTable, player: str, by: str, data: dict[str, Any]) -> Event:
            line = now.line(place, player)
            before = line.verdict.settled if line and line.verdict else None
            if data.get("accept") is None:
                return new_event(Kind.WITHDRAW, place, player, by, before=before, after=None)
            what, total = _accepted(data["accept"])
            after = _accepted_total(line, what, total, player)
            about = {"what": what.value, "total": total}
            return new_event(Kind.ACCEPT, place, player, by, before=before, after=after, **about)

        return await self._decided(request, event)

    async def reopen(self, request: Request) -> Response:
        """`POST /api/board/reopen`: `{"round", "table", "player", "by"}`; begin again."""

        def event(now: Now, place: RoundTable, player: str, by: str, data: dict[str, Any]) -> Event:
            claimed = now.handed(place, player).claimed
            return new_event(Kind.REOPEN, place, player, by, before=claimed, after=None)

        return await self._decided(request, event)

    async def letters(self, request: Request) -> Response:
        """`POST /api/board/letters`: `{"round", "table", "letters": {"Ada": "B"}, "by"}`.

        Which kingdom of the photo is whose.
        """
        keeper = with_sheet(self._keeper)
        data = await read_json(request, self._settings)
        place, by = place_of(keeper, data), written_name(data.get("by"))
        given = object_in(data, "letters", '{"Ada": "A", "Ben": "B"}')
        letters = {keeper.player(name): letter for name, letter in given.items()}
        for photo in await self._photos(keeper, place, letters):
            check_letters(letters, photo)

        def events(now: Now) -> list[Event]:
            new = []
            for player, letter in letters.items():
                sent = now.handed(place, player).sent
                before = sent.letter if sent else ""
                if before != letter:
                    change = {"before": before, "after": letter}
                    new.append(new_event(Kind.LETTER, place, player, by, **change))
            return new

        return _shown(request, await keeper.add(events))

    async def _photos(
        self, keeper: Keeper, place: RoundTable, players: Iterable[str]
    ) -> list[StoredPhoto]:
        """The photos of players at a table.

        Raises:
            Refusal: One of them has none.
        """
        now, photos = await keeper.now(), {}
        for player in players:
            sent = now.handed(place, player).sent
            photo = await asyncio.to_thread(self._store.photo, sent.id) if sent else None
            if photo is None:
                raise Refusal(409, "no-photo-of", player=player)
            photos[photo.id] = photo
        return list(photos.values())

    async def correct(self, request: Request) -> Response:
        """`POST /api/board/corrections`: `{"round", "table", "player", "fixes", "by"}`.

        Squares of the player's photo, such as `{"b3": "W1"}`; null takes one back. No fixes turn
        down what the table proposed.
        """
        keeper = with_sheet(self._keeper)
        data = await read_json(request, self._settings)
        place, by = place_of(keeper, data), written_name(data.get("by"))
        player, changes = keeper.player(data.get("player")), data.get("fixes")
        if not isinstance(changes, dict):
            raise Refusal(422, "missing", name="fixes", example='{"b3": "W1"}')

        async def corrected() -> tuple[FrozenReading, Events]:
            (photo,) = await self._photos(keeper, place, [player])
            reading = await self._corrected(photo, changes)
            return reading, lambda now: _correction(now, reading, changes, by, (place, player))

        return _shown(request, await keeper.add_reading(corrected))

    async def _corrected(self, photo: StoredPhoto, changes: dict[str, Any]) -> FrozenReading:
        """What counts of a photo after the desk corrected squares of it."""
        if not changes:
            return FrozenReading(photo, photo.fixes, photo.result)
        fixes = {**json.loads(photo.fixes), **changes}
        fixes = {where: cell for where, cell in fixes.items() if cell is not None}
        options = options_from(photo.options)
        found = await self._pool.score([picture_of(photo)], photo.name, options, fixes)
        if not found["kingdoms"]:
            raise Refusal(422, "nothing-left")
        return FrozenReading(photo, json.dumps(fixes), json.dumps(found))

    async def _decided(self, request: Request, event: _Decided) -> Response:
        keeper = with_sheet(self._keeper)
        data = await read_json(request, self._settings)
        place, by = place_of(keeper, data), written_name(data.get("by"))
        player = keeper.player(data.get("player"))

        def events(now: Now) -> list[Event]:
            if now.line(place, player) is None:
                raise Refusal(404, "not-at-table", player=player)
            return [event(now, place, player, by, data)]

        return _shown(request, await keeper.add(events))

    async def log(self, request: Request) -> Response:
        """`GET /api/board/log`: everything that happened, in its order."""
        with_sheet(self._keeper)
        events = await asyncio.to_thread(self._store.events)
        return JSONResponse({"events": [shown_event(event) for event in events]})

    async def export_csv(self, request: Request) -> Response:
        """`GET /api/board/export.csv`: the sheet with what was found, for `kdscore standings`."""
        return as_file(await self._export(workbook=False), "tournament.csv")

    async def export_xlsx(self, request: Request) -> Response:
        """`GET /api/board/export.xlsx`: the same as a workbook."""
        return as_file(await self._export(workbook=True), "tournament.xlsx")

    async def _export(self, *, workbook: bool) -> bytes:
        verification = (await with_sheet(self._keeper).now()).board.verification
        lines = tuple(
            replace(row, fields={name: text_cell(text) for name, text in row.fields.items()})
            for row in verification.sheet.lines
        )
        plain = replace(verification, sheet=replace(verification.sheet, lines=lines))
        return await asyncio.to_thread(annotated_table, plain, workbook=workbook, links={})

    async def beamer(self, request: Request) -> Response:
        """`GET /api/beamer`: the standings of the tournament; without a sheet of the evening."""
        keeper = self._keeper

        def answer() -> Response:
            text = _standings(keeper.current()) if keeper else standings_of(rows_of(self._store))
            return Response(text, media_type="application/json")

        return await unless_known(request, self._store, answer)


def _shown(request: Request, now: Now) -> Response:
    return JSONResponse(shown_board(now.board, language_of(request)))


def _standings(now: Now) -> str:
    found = claim_standings(now.board.verification)
    return found.report("json")


def _correction(
    now: Now,
    reading: FrozenReading,
    changes: dict[str, Any],
    by: str,
    asked: tuple[RoundTable, str],
) -> list[Event]:
    """The events of a correction: for all whose photo it is; of a refusal for the one alone."""
    kingdoms = json.loads(reading.result)["kingdoms"]
    events = []
    for place, player in now.holders(reading.before.id) if changes else [asked]:
        line = now.line(place, player)
        before = line.read if line else None
        letter = line.letter if line else ""
        index = ord(letter) - ord("A") if letter else 0
        known = letter or len(kingdoms) == 1
        after = kingdoms[index]["score"] if known and index < len(kingdoms) else None
        change = {"before": before, "after": after if changes else before}
        events.append(new_event(Kind.CORRECT, place, player, by, **change, fixes=changes))
    return events


def _accepted(value: object) -> tuple[Accepted, int | None]:
    if value in (Accepted.PHOTO.value, Accepted.CLAIM.value):
        return Accepted(str(value)), None
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER:
        return Accepted.NUMBER, value
    raise Refusal(422, "no-decision", most=MAX_NUMBER)


def _accepted_total(line: BoardLine | None, what: Accepted, total: int | None, player: str) -> int:
    """The total that counts once a side is accepted.

    Raises:
        Refusal: That side is not there.
    """
    if line is None or line.verdict is None:
        raise Refusal(409, "no-claim", player=player)
    after = {Accepted.PHOTO: line.read, Accepted.CLAIM: line.handed.claimed}.get(what, total)
    if after is None:
        raise Refusal(409, "no-total" if what is Accepted.PHOTO else "no-claim", player=player)
    return after


def table_address(base: str, place: RoundTable, token: str) -> str:
    """Return what the QR code of a table opens: its page, with the password that `base` has."""
    start, _, rest = base.partition("?")
    words = urlencode({"round": place.round, "table": place.table, "token": token})
    return f"{start}table?{words}{f'&{rest}' if rest else ''}"
