"""Games, seats and evenings over HTTP: who plays, what was claimed, what a person settled."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec.structs import asdict, replace
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.report.text import printable
from kdvision.serve.evening import (
    SeatView,
    latest_evening,
    new_evening,
    next_game,
    owners_by_claims,
    read_game,
    read_games,
    shown_game,
    shown_ranking,
    write_owners,
)
from kdvision.serve.guard import check_game, check_organiser, games_of
from kdvision.serve.http import BusyError, Refusal, language_of
from kdvision.serve.photos import MOST_TRIES, Photos
from kdvision.serve.sheet import written_sheet
from kdvision.serve.store import Decision, Evening, Game, Seat, Store
from kdvision.tournament.columns import MAX_NUMBER, name_key

#: Letters of the name of a player, a game or an evening.
NAME_LETTERS = 60
#: Names that are offered again.
MOST_NAMES = 12
#: A spreadsheet takes a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@")
#: Below it the page offers old evenings for deletion: two hundred photos of a large phone.
LOW_DISK_BYTES = 10**9
_RULES = tuple(asdict(DEFAULT_OPTIONS))
_SEAT_FIELDS = ("player", "claimed", "accept", "instead_of")
#: How sheets are sent, by the end of their name.
_SHEETS = {
    ".csv": "text/csv; charset=utf-8",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


class Games:
    """The handlers of evenings, games and seats.

    Args:
        store: Keeps them.
        photos: Scores photos again where rules change.
        sheet: What the games were made from; None where they begin on the page.
    """

    def __init__(self, store: Store, photos: Photos, sheet: Path | None = None) -> None:
        self._store, self._photos, self._sheet = store, photos, sheet
        self._shown: dict[tuple[object, ...], bytes] = {}

    # ------------------------------------------------------------ what is there

    def games(self, request: Request) -> Response:
        """`GET /api/games`: the games of the latest evening, or of `?evening=`."""
        return self._answered(request, self._shown_games)

    def evening(self, request: Request) -> Response:
        """`GET /api/evening`: the same with its ranking, and all evenings."""
        return self._answered(request, self._shown_evening)

    def _answered(self, request: Request, show: Callable[[Request, Evening], object]) -> Response:
        """Answer, or say that the page has this version already."""
        evening = self._evening_asked(request)
        tag = f'"{self._store.version()}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"ETag": tag})
        key = tag, request.scope["path"], evening.id, games_of(request), language_of(request)
        shown = self._shown.get(key)
        if shown is None:
            shown = msgspec.json.encode(show(request, evening))
            # What was shown of an older version is not asked for again.
            newer = {kept: data for kept, data in self._shown.items() if kept[0] == tag}
            self._shown = {**newer, key: shown}
        return Response(shown, headers={"ETag": tag}, media_type="application/json")

    def _shown_games(self, request: Request, evening: Evening) -> list[dict[str, Any]]:
        ids, language = games_of(request), language_of(request)
        return [
            shown_game(view, language, organiser=ids is None)
            for view in read_games(self._store, evening.id)
            if ids is None or view.game.id in ids
        ]

    def _shown_evening(self, request: Request, evening: Evening) -> dict[str, Any]:
        organiser, views = games_of(request) is None, read_games(self._store, evening.id)
        shown = {
            "evening": evening,
            "games": self._shown_games(request, evening),
            "ranking": shown_ranking(
                [view for view in views if not view.is_hidden(organiser=organiser)]
            ),
            "organiser": organiser,
            "sheet": any(view.game.place for view in views),
        }
        if not organiser:
            return {**shown, "evenings": [], "names": [], "low": False}
        names = [seat.player for view in reversed(views) for seat in view.game.seats]
        sizes, evenings = self._store.picture_bytes(), self._store.evenings()
        return shown | {
            "evenings": [{**asdict(each), "bytes": sizes.get(each.id, 0)} for each in evenings],
            "names": [*dict.fromkeys(filter(None, names))][:MOST_NAMES],
            "low": shutil.disk_usage(self._store.path.parent).free < LOW_DISK_BYTES,
        }

    def sheet(self, request: Request) -> Response:
        """`GET /sheet.csv`, `/sheet.xlsx`: the sheet with what was found; see `written_sheet`."""
        check_organiser(request)
        suffix = Path(request.scope["path"]).suffix
        evening = self._evening_asked(request)
        path = self._sheet if any(game.place for game in self._store.games(evening.id)) else None
        sheet = written_sheet(self._store, evening.id, path, language_of(request))
        quoted = quote(f"{path.stem if path else 'evening'}{suffix}")
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quoted}"}
        return Response(sheet.to_bytes(suffix), media_type=_SHEETS[suffix], headers=headers)

    # ------------------------------------------------------------ evenings

    def add_evening(self, request: Request, data: dict[str, Any]) -> Response:
        """`POST /api/evenings`: begin an evening of today, with a `name` where one is given."""
        check_organiser(request)
        evening = new_evening(self._store, written_name(data.get("name")))
        return JSONResponse({"id": evening.id}, 201)

    def name_evening(self, request: Request, data: dict[str, Any]) -> Response:
        """`PUT /api/evenings/{evening}`: give it a `name`."""
        check_organiser(request)
        with self._store.transaction():
            evening = self._store.find(Evening, request.path_params["evening"])
            self._store.write(replace(evening, name=written_name(data.get("name"))))
        return JSONResponse({"before": {"name": evening.name}})

    def delete_evening(self, request: Request) -> Response:
        """`DELETE /api/evenings/{evening}`: delete it with its photos, for good."""
        check_organiser(request)
        self._store.delete_evening(self._store.find(Evening, request.path_params["evening"]).id)
        return Response(status_code=204)

    def _evening_asked(self, request: Request) -> Evening:
        asked = request.query_params.get("evening")
        return self._store.find(Evening, asked) if asked else latest_evening(self._store)

    # ------------------------------------------------------------ games

    def add(self, request: Request, data: dict[str, Any]) -> Response:
        """`POST /api/games`: begin a game, with the names and rules of the last one.

        `{"after": ID}` is the last game that the page knows: where another phone was faster, its
        game is answered.
        """
        check_organiser(request)
        with self._store.transaction():
            ids = [game.id for game in self._store.games(latest_evening(self._store).id)]
            is_late = data.get("after") in ids[:-1]
            game = next_game(self._store)
            if not is_late:
                self._store.write(game)
        return JSONResponse({"id": ids[-1] if is_late else game.id}, 201)

    def change(self, request: Request, data: dict[str, Any]) -> Response:
        """`PUT /api/games/{game}`: change its `name`, its rules, or whether it is `deleted`.

        `{"harmony": true}` scores its photos again. Answers with what was there `before`: sent
        again, it takes the change back.
        """
        _check_fields(data, ("name", "deleted", *_RULES))
        words = {name: data[name] for name in _RULES if name in data}
        values: dict[str, Any] = {}
        if data.get("name"):
            values["name"] = written_name(data["name"])
        if "deleted" in data:
            values["is_deleted"] = data["deleted"] is True
        for _ in range(MOST_TRIES):
            game = self._named(request)
            if "deleted" in data or (words and game.place):
                check_organiser(request)
            rules = GameOptions.from_words(words, over=game.rules)
            photos = self._store.photos(game.id)
            changing = [photo for photo in photos if photo.rules != rules]
            scored = [self._photos.rescored(photo, rules) for photo in changing]
            with self._store.transaction():
                now = self._named(request)
                if now.rules == game.rules and self._store.photos(game.id) == photos:
                    for record in (*scored, replace(now, rules=rules, **values)):
                        self._store.write(record)
                    before = {"name": now.name, "deleted": now.is_deleted, **asdict(now.rules)}
                    return JSONResponse({"before": {name: before[name] for name in data}})
        raise BusyError

    def _named(self, request: Request) -> Game:
        """Return the game that a request names, which its phone may change."""
        game = self._store.find(Game, request.path_params["game"])
        check_game(request, game.id)
        return game

    # ------------------------------------------------------------ seats

    def change_seat(self, request: Request, data: dict[str, Any]) -> Response:
        """`PUT /api/games/{game}/seats/{colour}`: write `player`, `claimed` or `accept`.

        `accept` is `"photo"`, `"claim"`, a number, or null to take the decision back. What somebody
        settled is settled anew only by who names it: `{"accept": 43, "instead_of": "photo"}`.
        Answers with what was there `before`.
        """
        with self._store.transaction():
            view = read_game(self._store, self._named(request).id)
            game = view.game
            seat_view = view.seats.get(request.path_params["colour"])
            if seat_view is None:
                raise Refusal(404, "no-seat")
            _check_fields(data, _SEAT_FIELDS)
            organiser = games_of(request) is None
            seat = before = seat_view.seat
            settled = seat_view.decision.accept if seat_view.decision else None
            if "player" in data:
                if game.place:
                    raise Refusal(409, "sheet-names")
                seat = replace(seat, player=_player(game, seat, data["player"]))
            if "claimed" in data:
                if game.place and not organiser and not view.waits_for_claims:
                    raise Refusal(409, "claim-stands")
                seat = replace(seat, claimed=_claim(data["claimed"]))
            if "accept" in data:
                _check_decision(seat_view, data, organiser=organiser or not game.place)
                decision = _decided(SeatView(seat, seat_view.kingdoms), data["accept"])
                seat = replace(seat, decision=decision)
            seats = {**{each.colour: each for each in game.seats}, seat.colour: seat}
            self._store.write(replace(game, seats=tuple(seats.values())))
            write_owners(self._store, owners_by_claims(read_game(self._store, game.id)))
        values = {"player": before.player, "claimed": before.claimed, "accept": settled}
        return JSONResponse({"before": {name: values[name] for name in values if name in data}})


def _check_fields(data: Mapping[str, Any], names: tuple[str, ...]) -> None:
    for name in data:
        if name not in names:
            raise Refusal(422, "no-field", name=name[:20])


def _check_decision(seat: SeatView, data: Mapping[str, Any], *, organiser: bool) -> None:
    """See that who settles a total may, and knows what was settled before.

    Raises:
        Refusal: 403 at a table, where only a sure photo is accepted; 409 otherwise.
    """
    if not organiser and not (data["accept"] == "photo" and seat.is_sure):
        raise Refusal(403, "organiser-only")
    decision = seat.decision
    if decision and decision.accept not in (data["accept"], data.get("instead_of")):
        raise Refusal(409, "settled", player=seat.shown_name, total=decision.total)


def _decided(seat: SeatView, accept: Any) -> Decision | None:
    """Return a decision with what it is made for."""
    if accept is None:
        return None
    best = seat.best.result if seat.best else None
    totals = {"photo": best.score if best else None, "claim": seat.seat.claimed}
    total = totals.get(accept) if isinstance(accept, str) else _claim(accept)
    if total is None:
        raise Refusal(422, "no-decision", most=MAX_NUMBER)
    return Decision(accept, total, best.line if best else "")


def _claim(value: object) -> int | None:
    if value is None or (type(value) is int and 0 <= value <= MAX_NUMBER):
        return value
    raise Refusal(422, "no-claim", most=MAX_NUMBER)


def _player(game: Game, seat: Seat, value: object) -> str:
    """Return the name of a player; empty to take it away.

    Raises:
        Refusal: It is no name, or that of another seat.
    """
    name = written_name(value)
    taken = {name_key(each.player) for each in game.seats if each.colour != seat.colour}
    if name and name_key(name) in taken:
        raise Refusal(409, "one-name")
    return name


def written_name(value: object) -> str:
    """Return a name that a person wrote, with single blanks; empty for none.

    Raises:
        Refusal: It is no text, too long, or a spreadsheet would take it for a formula.
    """
    if value in ("", None):
        return ""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    if not name_key(text) or len(text) > NAME_LETTERS or printable(text) != text:
        raise Refusal(422, "no-name", most=NAME_LETTERS)
    if text.startswith(_FORMULA):
        raise Refusal(422, "name-is-formula")
    return text
