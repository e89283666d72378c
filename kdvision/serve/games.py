"""Games, seats and evenings over HTTP: who plays, what was claimed, what a person settled."""

import mimetypes
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, to_builtins
from msgspec.structs import asdict, replace
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.options import read_rules
from kdvision.report.text import printable
from kdvision.serve.evening import (
    SeatView,
    begin_evening,
    latest_evening,
    next_game,
    read_game,
    read_games,
    show_game,
    show_ranking,
)
from kdvision.serve.guard import allowed_games, check_game, check_organiser
from kdvision.serve.http import Refusal, language_of
from kdvision.serve.photos import Photos
from kdvision.serve.sheet import find_verdicts
from kdvision.serve.store import Decision, Evening, Game, Store
from kdvision.tournament.cells import MAX_NUMBER
from kdvision.tournament.columns import fold_name
from kdvision.tournament.results import make_results

#: Letters of the name of a player or an evening.
NAME_LETTERS = 60
#: Below it the page offers old evenings for deletion: two hundred photos of a large phone.
LOW_DISK_BYTES = 10**9
#: What a total can be.
Total = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
Accept = Literal["photo", "claim"] | Total


class EveningName(Struct, forbid_unknown_fields=True):
    """The body of a request that names an evening."""

    name: str


class SeatChange(Struct, forbid_unknown_fields=True):
    """The body of a request that changes a seat.

    `accept` is what a person settles; None takes it back. `instead_of` is the decision that it
    replaces, where there is one.
    """

    player: str | UnsetType = UNSET
    claimed: Total | UnsetType | None = UNSET
    accept: Accept | UnsetType | None = UNSET
    instead_of: Accept | None = None


class Games:
    """The handlers of evenings, games and seats.

    Args:
        store: Keeps them.
        photos: Scores photos again where rules change.
        sheet: What the games were made from; None where they begin on the page.
    """

    def __init__(self, store: Store, photos: Photos, sheet: Path | None = None) -> None:
        self._store, self._photos, self._sheet = store, photos, sheet
        self._tag, self._answers = "", dict[tuple[object, ...], bytes]()

    # ------------------------------------------------------------ what is there

    def games(self, request: Request) -> Response:
        """`GET /api/games`: the games of the latest evening, or of `?evening=`."""
        return self._answer(request, lambda shown: shown["games"])

    def evening(self, request: Request) -> Response:
        """`GET /api/evening`: the same with its ranking, and all evenings."""
        return self._answer(request, lambda shown: shown)

    def _answer(self, request: Request, pick: Callable[[dict[str, Any]], object]) -> Response:
        """Answer, or say that the page has this version already."""
        evening = self._find_evening(request)
        tag = f'"{self._store.version()}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"ETag": tag})
        # What was shown of an older version is not asked for again, but may still be on its way.
        if tag != self._tag:
            self._tag, self._answers = tag, {}
        key = tag, request.scope["path"], evening.id, allowed_games(request), language_of(request)
        shown = self._answers.get(key)
        if shown is None:
            shown = msgspec.json.encode(pick(self._show(request, evening)))
            self._answers[key] = shown
        return Response(shown, headers={"ETag": tag}, media_type="application/json")

    def _show(self, request: Request, evening: Evening) -> dict[str, Any]:
        ids, language = allowed_games(request), language_of(request)
        organiser, views = ids is None, read_games(self._store, evening.id)
        shown = {
            "evening": evening,
            "games": [
                show_game(view, language, organiser=organiser)
                for view in views
                if ids is None or view.game.id in ids
            ],
            "ranking": show_ranking(views, organiser=organiser),
            "organiser": organiser,
            "sheet": any(view.game.place for view in views),
            "evenings": [],
            "low": False,
        }
        if organiser:
            sizes, evenings = self._store.picture_bytes(), self._store.evenings()
            free = shutil.disk_usage(self._store.path.parent).free
            shown |= {
                "evenings": [{**asdict(old), "bytes": sizes.get(old.id, 0)} for old in evenings],
                "low": free < LOW_DISK_BYTES,
            }
        return shown

    def sheet(self, request: Request) -> Response:
        """`GET /sheet.csv`, `/sheet.xlsx`: its rows with what was found."""
        check_organiser(request)
        suffix, evening = Path(request.scope["path"]).suffix, self._find_evening(request)
        if self._sheet is None or not any(game.place for game in self._store.games(evening.id)):
            raise Refusal(404, "no-sheet")
        verdicts = find_verdicts(self._store, evening.id, self._sheet)
        name = f"{self._sheet.stem}{suffix}"
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
        kind, _ = mimetypes.guess_type(name)
        results = make_results(verdicts, suffix, language_of(request))
        return Response(results, media_type=kind, headers=headers)

    # ------------------------------------------------------------ evenings

    def add_evening(self, request: Request) -> Response:
        """`POST /api/evenings`: begin an evening of today."""
        check_organiser(request)
        return JSONResponse({"id": begin_evening(self._store).id}, 201)

    def name_evening(self, request: Request, body: EveningName) -> Response:
        """`PUT /api/evenings/{evening}`: give it a `name`."""
        check_organiser(request)
        with self._store.transaction():
            evening = self._store.find(Evening, request.path_params["evening"])
            self._store.write(replace(evening, name=check_name(body.name)))
        return Response(status_code=204)

    def delete_evening(self, request: Request) -> Response:
        """`DELETE /api/evenings/{evening}`: delete it with its photos, for good."""
        check_organiser(request)
        self._store.delete_evening(self._store.find(Evening, request.path_params["evening"]).id)
        return Response(status_code=204)

    def _find_evening(self, request: Request) -> Evening:
        evening = request.query_params.get("evening")
        return self._store.find(Evening, evening) if evening else latest_evening(self._store)

    # ------------------------------------------------------------ games

    def add(self, request: Request) -> Response:
        """`POST /api/games`: begin a game, with the names and rules of the last one.

        A last game without photos is the one: two phones that tap at once have the same.
        """
        check_organiser(request)
        with self._store.transaction():
            game = next_game(self._store)
            self._store.write(game)
        return JSONResponse({"id": game.id}, 201)

    def change(self, request: Request, words: dict[str, bool | int | str | None]) -> Response:
        """`PUT /api/games/{game}`: change its rules, and score its photos again by them.

        `{"harmony": true}` answers with what was there `before`: sent again, it takes that back.

        Raises:
            Refusal: Somebody else changed the game or its photos meanwhile.
        """
        game = self._find_game(request)
        if game.place:
            check_organiser(request)
        rules = read_rules(words, over=game.rules)
        photos = self._store.photos(game.id)
        results = [self._photos.rescore(photo, rules, photo.fixes) for photo in photos]
        with self._store.transaction():
            now = self._find_game(request)
            if now.rules != game.rules or self._store.photos(game.id) != photos:
                raise Refusal(503, "busy")
            self._store.write(replace(now, rules=rules))
            for photo, result in zip(photos, results, strict=True):
                self._store.write(replace(photo, result=result))
        return JSONResponse({"before": to_builtins(game.rules)})

    def _find_game(self, request: Request) -> Game:
        """Return the game that a request names, which its phone may change."""
        game = self._store.find(Game, request.path_params["game"])
        check_game(request, game.id)
        return game

    # ------------------------------------------------------------ seats

    def change_seat(self, request: Request, change: SeatChange) -> Response:
        """`PUT /api/games/{game}/seats/{colour}`: write `player`, `claimed` or `accept`.

        `accept` is `"photo"`, `"claim"`, a number, or null to take the decision back. What somebody
        settled is settled anew only by who names it: `{"accept": 43, "instead_of": "photo"}`.
        Answers with what was there `before`.
        """
        with self._store.transaction():
            view = read_game(self._store, self._find_game(request).id)
            game, shown = view.game, view.seats.get(request.path_params["colour"])
            if shown is None:
                raise Refusal(404, "no-seat")
            is_organiser = not game.place or allowed_games(request) is None
            seat = shown.seat
            before: dict[str, object] = {}
            # The player: no sheet names one, and no other of the game is called so.
            if change.player is not UNSET:
                if game.place:
                    raise Refusal(409, "sheet-names")
                before["player"] = seat.player
                name = check_name(change.player)
                rivals = (each for each in game.seats if each.colour != seat.colour)
                if name and fold_name(name) in {fold_name(rival.player) for rival in rivals}:
                    raise Refusal(409, "one-name")
                seat = replace(seat, player=name)
            # The claim: it stands once totals are out.
            if change.claimed is not UNSET:
                if not is_organiser and not view.waits_for_claims:
                    raise Refusal(409, "claim-stands")
                before["claimed"] = seat.claimed
                seat = replace(seat, claimed=change.claimed)
            # The total that somebody settles on.
            if change.accept is not UNSET:
                _check_decision(shown, change, is_organiser=is_organiser)
                before["accept"] = shown.settled
                decision = _make_decision(replace(shown, seat=seat), change.accept)
                seat = replace(seat, decision=decision)
            seats = [seat if each.colour == seat.colour else each for each in game.seats]
            self._store.write(replace(game, seats=tuple(seats)))
        return JSONResponse({"before": before})


def _check_decision(seat: SeatView, change: SeatChange, *, is_organiser: bool) -> None:
    """See that who settles a total may, and knows what was settled before.

    Raises:
        Refusal: 403 at a table, where only a sure photo is accepted; 409 otherwise.
    """
    is_sure = seat.verdict.is_sure and change.accept == "photo"
    if not is_organiser and not is_sure:
        raise Refusal(403, "organiser-only")
    if seat.settled not in (None, change.accept, change.instead_of):
        raise Refusal(409, "settled", player=seat.name, total=seat.verdict.counts)


def _make_decision(seat: SeatView, accept: Accept | None) -> Decision:
    """Return a decision with what it is made for; an empty one takes the one before back."""
    if accept is None:
        return Decision("")
    totals = {"photo": seat.verdict.score, "claim": seat.seat.claimed}
    if totals.get(str(accept), accept) is None:
        raise Refusal(422, "no-decision")
    reading = seat.best.result.line if seat.best else ""
    return Decision(str(accept), reading, score=seat.verdict.score)


def check_name(text: str) -> str:
    """Return a name that a person wrote, with single blanks; empty for none.

    Raises:
        Refusal: It is too long, or has characters that nobody can see.
    """
    name = " ".join(text.split())
    if len(name) > NAME_LETTERS or printable(name) != name or (name and not fold_name(name)):
        raise Refusal(422, "no-name", most=NAME_LETTERS)
    return name
