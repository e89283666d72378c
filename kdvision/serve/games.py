"""Games, seats and evenings over HTTP: who plays, what was claimed, what a person settled."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec.structs import asdict, replace
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.report.text import printable
from kdvision.serve.evening import (
    MOST_NAMES,
    Decision,
    Game,
    Seat,
    read_game,
    read_games,
    shown_game,
    shown_ranking,
)
from kdvision.serve.guard import check_game, check_organiser, games_of
from kdvision.serve.http import Refusal, language_of, read_json, until_kept
from kdvision.serve.photos import Photos
from kdvision.serve.sheet import written_sheet
from kdvision.serve.store import GameRow, SeatRow, Store, rules_text
from kdvision.tournament.columns import name_key

#: Letters of the name of a player, a game or an evening.
NAME_LETTERS = 60
#: A spreadsheet takes a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@")
#: No kingdom of 7x7 comes near it.
MOST_TOTAL = 999
#: Below it the page offers old evenings for deletion: two hundred photos of a large phone.
LOW_DISK_BYTES = 10**9
_RULES = tuple(asdict(DEFAULT_OPTIONS))
#: How sheets are sent, by the end of their name.
_SHEETS = {
    ".csv": "text/csv; charset=utf-8",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


class Games:
    """The handlers of evenings, games and seats.

    Args:
        store: Keeps them.
        sheet: What the games were made from; None where they begin on the page.
    """

    def __init__(self, store: Store, sheet: Path | None = None) -> None:
        self._store, self._sheet = store, sheet
        self._shown: dict[tuple[object, ...], bytes] = {}

    def new_game(self) -> str:
        """Begin a game in the latest evening, with the names and rules of the last one; its id.

        A last game without photos is the new one.
        """
        with self._store.transaction():
            evening, last = self._latest(), self._store.last_game()
            if last and not self._store.photos(evening, last.id):
                return last.id
            rules = last.rules if last else rules_text(DEFAULT_OPTIONS)
            number = len(self._store.games(evening)) + 1
            game = self._store.add_game(evening, str(number), rules)
            for seat in self._store.seats(evening, last.id)[last.id] if last else ():
                self._store.write_seat(SeatRow(game.id, seat.colour, seat.player))
        return game.id

    def _latest(self) -> int:
        evenings = self._store.evenings()
        return evenings[0].id if evenings else self._begin()

    def _begin(self, name: str = "") -> int:
        """Begin an evening of today with its first game; its id."""
        with self._store.transaction():
            evening = self._store.add_evening(name)
            self._store.add_game(evening, "1", rules_text(DEFAULT_OPTIONS))
        return evening

    # ------------------------------------------------------------ what is there

    def games(self, request: Request) -> Response:
        """`GET /api/games`: the games of the latest evening, or of `?evening=`."""
        return self._answered(request, lambda evening: self._games(request, evening))

    def evening(self, request: Request) -> Response:
        """`GET /api/evening`: the same with its ranking, and all evenings."""
        return self._answered(request, lambda evening: self._evening(request, evening))

    def _answered(self, request: Request, make: Any) -> Response:
        """Answer, or say that the page has this version already."""
        evening = self._evening_asked(request)
        tag = f'"{self._store.version()}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"ETag": tag})
        key = tag, request.scope["path"], evening, games_of(request), language_of(request)
        if key not in self._shown:
            if any(kept_tag != tag for kept_tag, *_ in self._shown):
                self._shown = {}
            self._shown[key] = msgspec.json.encode(make(evening))
        answer = Response(self._shown[key], media_type="application/json")
        answer.headers["ETag"] = tag
        return answer

    def _evening_asked(self, request: Request) -> int:
        asked = request.query_params.get("evening", "")
        return int(asked) if asked.isdecimal() and len(asked) < 10 else self._latest()

    def _games(self, request: Request, evening: int) -> list[dict[str, Any]]:
        ids, language = games_of(request), language_of(request)
        return [
            shown_game(game, language, organiser=ids is None)
            for game in read_games(self._store, evening)
            if ids is None or game.row.id in ids
        ]

    def _evening(self, request: Request, evening: int) -> dict[str, Any]:
        evenings, is_organiser = self._store.evenings(), games_of(request) is None
        shown = next((row for row in evenings if row.id == evening), None)
        if shown is None:
            raise Refusal(404, "no-evening")
        sizes = self._store.picture_bytes()
        games = read_games(self._store, evening)
        names = [seat.row.player for game in reversed(games) for seat in game.seats]
        visible = [game for game in games if not game.is_hidden(organiser=is_organiser)]
        return {
            "evening": asdict(shown),
            "evenings": [
                {**asdict(row), "bytes": sizes.get(row.id, 0)} for row in evenings if is_organiser
            ],
            "games": self._games(request, evening),
            "ranking": shown_ranking(visible),
            "names": [*dict.fromkeys(filter(None, names))][:MOST_NAMES] if is_organiser else [],
            "organiser": is_organiser,
            "sheet": any(game.row.place for game in games),
            "low": shutil.disk_usage(self._store.path.parent).free < LOW_DISK_BYTES,
        }

    def sheet(self, request: Request) -> Response:
        """`GET /sheet.csv`, `/sheet.xlsx`: the sheet with what was found; see `written_sheet`."""
        check_organiser(request)
        suffix = Path(request.scope["path"]).suffix
        evening = self._evening_asked(request)
        path = self._sheet if any(game.place for game in self._store.games(evening)) else None
        sheet = written_sheet(self._store, evening, path, language_of(request))
        name = path.stem if path else "evening"
        quoted = quote(f"{name}{suffix}")
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quoted}"}
        return Response(sheet.to_bytes(suffix), media_type=_SHEETS[suffix], headers=headers)

    # ------------------------------------------------------------ evenings

    def add_evening(self, request: Request, data: dict[str, Any]) -> Response:
        """`POST /api/evenings`: begin an evening of today, with a `name` where one is given."""
        check_organiser(request)
        name = written_name(data["name"]) if data.get("name") else ""
        return JSONResponse({"id": self._begin(name)}, 201)

    def name_evening(self, request: Request, data: dict[str, Any]) -> Response:
        """`PUT /api/evenings/{evening}`: give it a `name`."""
        check_organiser(request)
        name = written_name(data["name"]) if data.get("name") else ""
        evening = self._evening_named(request)
        self._store.name_evening(evening.id, name)
        return JSONResponse({"before": {"name": evening.name}})

    def delete_evening(self, request: Request) -> Response:
        """`DELETE /api/evenings/{evening}`: delete it with its photos, for good."""
        check_organiser(request)
        self._store.delete_evening(self._evening_named(request).id)
        return Response(status_code=204)

    def _evening_named(self, request: Request) -> Any:
        named = request.path_params["evening"]
        for evening in self._store.evenings():
            if str(evening.id) == named:
                return evening
        raise Refusal(404, "no-evening")

    # ------------------------------------------------------------ games

    def add(self, request: Request, data: dict[str, Any]) -> Response:
        """`POST /api/games`: begin a game, with the names and rules of the last one.

        `{"after": ID}` is the last game that the page knows: where another phone was faster, its
        game is answered.
        """
        check_organiser(request)
        with self._store.transaction():
            games = self._store.games(self._latest())
            ids = [game.id for game in games]
            is_late = data.get("after") in ids[:-1]
            id_ = ids[-1] if is_late else self.new_game()
        return JSONResponse({"id": id_}, 201)

    async def change(self, request: Request, photos: Photos) -> Response:
        """`PUT /api/games/{game}`: change its `name`, its rules, or whether it is `deleted`.

        `{"harmony": true}` scores its photos again. Answers with what was there `before`: sent
        again, it takes the change back.
        """
        data = await read_json(request)
        row = await run_in_threadpool(self._row, request)
        values: dict[str, object] = {}
        if "name" in data:
            values["name"] = written_name(data["name"])
        if "deleted" in data:
            check_organiser(request)
            values["is_deleted"] = data["deleted"] is True
        rules = {name: data[name] for name in _RULES if name in data}
        if rest := [name for name in data if name not in ("name", "deleted", *_RULES)]:
            raise Refusal(422, "no-field", name=rest[0][:20])
        before = {"name": row.name, "deleted": row.is_deleted, **asdict(row.options)}
        if rules:
            if row.place:
                check_organiser(request)
            await self._change_rules(
                row.id, GameOptions.from_words(rules, over=row.options), photos
            )
        await run_in_threadpool(self._store.change_game, row.id, **values)
        return JSONResponse({"before": {name: before[name] for name in data}})

    async def _change_rules(self, id_: str, rules: GameOptions, photos: Photos) -> None:
        """Score the photos of a game by other rules, and keep all of it or nothing."""

        async def attempt() -> bool | None:
            game = await run_in_threadpool(read_game, self._store, id_)
            rows = self._store.photos(game.row.evening, id_).get(id_, []) if game else []
            pairs = [(row, await photos.rescored(row, {}, rules)) for row in rows]
            return await run_in_threadpool(keep, pairs)

        def keep(pairs: list[Any]) -> bool | None:
            with self._store.transaction():
                rows = self._store.photos(0, id_).get(id_, [])
                if rows != [before for before, _ in pairs]:
                    return None
                for pair in pairs:
                    self._store.change_photo(*pair)
                self._store.change_game(id_, rules=rules_text(rules))
            return True

        await until_kept(attempt)

    def _row(self, request: Request) -> GameRow:
        row = self._store.game(request.path_params["game"])
        if row is None:
            raise Refusal(404, "no-game")
        check_game(request, row.id)
        return row

    # ------------------------------------------------------------ seats

    def change_seat(self, request: Request, data: dict[str, Any]) -> Response:
        """`PUT /api/games/{game}/seats/{colour}`: write `player`, `claimed` or `accept`.

        `accept` is `"photo"`, `"claim"`, a number, or null to take the decision back. What somebody
        settled is settled anew only by who names it: `{"accept": 43, "instead_of": "photo"}`.
        Answers with what was there `before`.
        """
        row = self._row(request)
        with self._store.transaction():
            game = read_game(self._store, row.id)
            seat = game.seat(request.path_params["colour"]) if game else None
            if game is None or seat is None:
                raise Refusal(404, "no-seat")
            if rest := [name for name in data if name not in _SEAT_FIELDS]:
                raise Refusal(422, "no-field", name=rest[0][:20])
            is_organiser = games_of(request) is None
            settled = seat.decision.accept if seat.decision else None
            before = {"player": seat.row.player, "claimed": seat.row.claimed, "accept": settled}
            changed = seat.row
            if "player" in data:
                if row.place:
                    raise Refusal(409, "sheet-names")
                changed = replace(changed, player=_player(game, seat, data["player"]))
            if "claimed" in data:
                if row.place and not is_organiser and not game.is_hidden(organiser=False):
                    raise Refusal(409, "claim-stands")
                changed = replace(changed, claimed=_claim(data["claimed"]))
            if "accept" in data:
                _check_decision(seat, data, is_organiser=is_organiser or not row.place)
                accept = _decided(Seat(changed, seat.kingdoms), data["accept"])
                changed = replace(changed, accept=accept)
            self._store.write_seat(changed)
        return JSONResponse({"before": {name: before[name] for name in before if name in data}})


_SEAT_FIELDS = ("player", "claimed", "accept", "instead_of")


def _check_decision(seat: Seat, data: Mapping[str, Any], *, is_organiser: bool) -> None:
    """See that who settles a total may, and knows what was settled before.

    Raises:
        Refusal: 403 at a table, where only a sure photo is accepted; 409 otherwise.
    """
    if not is_organiser and not (data["accept"] == "photo" and seat.is_sure):
        raise Refusal(403, "organiser-only")
    settled = seat.decision.accept if seat.decision else None
    if settled not in (None, data["accept"], data.get("instead_of")):
        total = seat.decision.total if seat.decision else 0
        raise Refusal(409, "settled", player=seat.shown_name, total=total, settled=settled)


def _decided(seat: Seat, accept: Any) -> str:
    """Write a decision down, with what it is made for."""
    if accept is None:
        return ""
    score = seat.best.total if seat.best else None
    totals = {"photo": score, "claim": seat.row.claimed}
    total = totals.get(accept) if isinstance(accept, str) else _claim(accept)
    if total is None:
        raise Refusal(422, "no-decision", most=MOST_TOTAL)
    line = seat.best.result.line if seat.best else ""
    return msgspec.json.encode(Decision(accept, total, line)).decode()


def _claim(value: object) -> int | None:
    if value is None or (type(value) is int and 0 <= value <= MOST_TOTAL):
        return value
    raise Refusal(422, "no-claim", most=MOST_TOTAL)


def _player(game: Game, seat: Seat, value: object) -> str:
    """Return the name of a player; empty to take it away.

    Raises:
        Refusal: It is no name, or that of another seat.
    """
    if value in ("", None):
        return ""
    name = written_name(value)
    names = {
        name_key(taken.row.player) for taken in game.seats if taken is not seat and taken.row.player
    }
    if name_key(name) in names:
        raise Refusal(409, "one-name")
    return name


def written_name(value: object) -> str:
    """Return a name that a person wrote, with single blanks.

    Raises:
        Refusal: It is no text, too long, or a spreadsheet would take it for a formula.
    """
    text = " ".join(value.split()) if isinstance(value, str) else ""
    if not name_key(text) or len(text) > NAME_LETTERS or printable(text) != text:
        raise Refusal(422, "no-name", most=NAME_LETTERS)
    if text.startswith(_FORMULA):
        raise Refusal(422, "name-is-formula")
    return text
