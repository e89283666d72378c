"""Games, seats and evenings over HTTP: who plays, what was claimed, what a person settled."""

import mimetypes
import shutil
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, to_builtins
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.options import read_rules
from kdvision.serve.evening import EveningView, GameView
from kdvision.serve.evenings import Evenings
from kdvision.serve.guard import check_game, check_organiser, device_of, viewer_of
from kdvision.serve.languages import language_of
from kdvision.serve.log import Accepted, AnySaid, Claimed, EveningNamed, Named, RulesChosen
from kdvision.serve.names import check_name
from kdvision.serve.outputs import KeptResults
from kdvision.serve.packed import Packed
from kdvision.serve.refusals import Refusal
from kdvision.serve.results import write_results
from kdvision.serve.rights import say
from kdvision.serve.sheet import FollowedSheet
from kdvision.serve.showing import Viewer, show_evening, show_game, show_in_list
from kdvision.serve.store import Store
from kdvision.tournament.cells import MAX_NUMBER
from kdvision.tournament.columns import fold_name

#: Below it the page offers old evenings for deletion: two hundred photos of a large phone.
LOW_DISK_BYTES = 10**9
#: Answers that are kept until something is said: each phone asks again every few seconds.
_ANSWERS = 4096
#: Makes an answer of an evening, for a viewer and the game that is asked for.
_Show: TypeAlias = Callable[[EveningView, Viewer, str | None], object]
#: What a total can be.
Total = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]


class EveningName(Struct, forbid_unknown_fields=True):
    """The body of a request that names an evening."""

    name: str


class SeatChange(Struct, forbid_unknown_fields=True):
    """The body of a request that changes a seat.

    Attributes:
        player: Who plays on it.
        claimed: The total that was counted; None takes it out.
        accept: The total that counts, whatever the photo shows; None asks the photo again.
        instead_of: The accepted total that `accept` replaces, where there is one.
    """

    player: str | UnsetType = UNSET
    claimed: Total | UnsetType | None = UNSET
    accept: Total | UnsetType | None = UNSET
    instead_of: Total | None = None


class Games:
    """The handlers of evenings, games and seats.

    Args:
        store: Keeps the log.
        evenings: Evenings and games as they stand.
        sheet: Who sits where; None where games begin on the page.
        results: The results that are kept on the disk.
    """

    def __init__(
        self,
        store: Store,
        evenings: Evenings,
        sheet: FollowedSheet | None = None,
        results: KeptResults | None = None,
    ) -> None:
        self._store = store
        self._evenings = evenings
        self._sheet = sheet
        self._results = results
        self._lock = Lock()
        self._version = ""
        self._packed = lru_cache(_ANSWERS)(self._pack)

    # ------------------------------------------------------------ what is there

    def games(self, request: Request) -> Response:
        """`GET /api/games`: the games of the latest evening, or of `?evening=`."""
        return self._answer(request, _show_games)

    def game(self, request: Request) -> Response:
        """`GET /api/games/{game}`: one game."""
        return JSONResponse(show_game(self._find_game(request), viewer_of(request)))

    def evening(self, request: Request) -> Response:
        """`GET /api/evening`: the evening, its games in short, and what is current.

        `?evening=` asks for an older one. Beside it stands all of one game, that of `?game=` or the
        last.
        """
        return self._answer(request, self._show_evening)

    def ranking(self, request: Request) -> Response:
        """`GET /api/ranking`: who leads the latest evening, or that of `?evening=`."""
        return self._answer(request, _show_ranking)

    def _answer(self, request: Request, show: _Show) -> Response:
        """Answer what `show` makes of an evening; it is made once for every version of the log."""
        version = f"{self._store.version()} {self._problem}"
        with self._lock:
            # Answers of older versions are never asked for again.
            if version != self._version:
                self._version = version
                self._packed.cache_clear()
        game = request.query_params.get("game")
        evening = self._find_evening(request)
        return self._packed(version, show, evening, game, viewer_of(request)).answer(request)

    def _pack(
        self, version: str, show: _Show, evening: str, game: str | None, viewer: Viewer
    ) -> Packed:
        """Make an answer; the version of the log is only what it is remembered by."""
        return Packed.of(show(self._evenings.view(evening), viewer, game))

    @property
    def _problem(self) -> str:
        """Why sheet or results cannot be read or written now; empty when they can."""
        return " ".join(each.problem for each in (self._sheet, self._results) if each).strip()

    def _show_evening(self, view: EveningView, viewer: Viewer, asked: str | None) -> object:
        games = viewer.list_games(view)
        shown = [game for game in games if game.game.id == asked] or games[-1:]
        latest = self._evenings.view(self._evenings.latest())
        current = {"evening": latest.evening.id, "game": None, "name": None}
        for last in viewer.list_games(latest)[-1:]:
            current |= {"game": last.game.id, "name": last.game.name}
        shown_evening: dict[str, Any] = {
            "evening": show_evening(view.evening),
            "current": current,
            "games": [show_in_list(game, viewer) for game in games],
            "game": None,
            "organiser": viewer.is_organiser,
            "sheet": view.evening.tables is not None,
            "problem": "",
            "evenings": [],
            "low": False,
        }
        if shown:
            shown_evening["game"] = show_game(shown[0], viewer)
        if viewer.is_organiser:
            sizes = self._store.picture_bytes()
            for id_ in self._store.evenings():
                old = show_evening(self._evenings.evening(id_))
                shown_evening["evenings"].append(old | {"bytes": sizes.get(id_, 0)})
            free = shutil.disk_usage(self._store.path.absolute().parent).free
            shown_evening |= {"problem": self._problem, "low": free < LOW_DISK_BYTES}
        return shown_evening

    def results(self, request: Request) -> Response:
        """`GET /results.csv`, `/results.xlsx`: the results, as `batch -o` makes them."""
        check_organiser(request)
        suffix = Path(request.scope["path"]).suffix
        view = self._evenings.view(self._find_evening(request))
        sheet = self._sheet
        path = sheet.path if sheet and sheet.evening == view.evening.id else None
        data = write_results(view, path, suffix, language_of(request))
        name = f"results{suffix}"
        kind, _ = mimetypes.guess_type(name)
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type=kind, headers=headers)

    # ------------------------------------------------------------ evenings

    def add_evening(self, request: Request) -> Response:
        """`POST /api/evenings`: begin an evening of today."""
        check_organiser(request)
        begin = (self._sheet or self._evenings).begin_evening
        return JSONResponse({"id": begin(device_of(request))}, 201)

    def name_evening(self, request: Request, body: EveningName) -> Response:
        """`PUT /api/evenings/{evening}`: give it a `name`."""
        check_organiser(request)
        with self._evenings.changing():
            evening = self._evenings.evening(request.path_params["evening"]).id
            said = EveningNamed(check_name(body.name))
            entry = self._store.append(evening, "", said, device_of(request))
        return JSONResponse({"entries": [entry.id]})

    def delete_evening(self, request: Request) -> Response:
        """`DELETE /api/evenings/{evening}`: delete it with its photos, for good."""
        check_organiser(request)
        self._store.delete_evening(self._evenings.evening(request.path_params["evening"]).id)
        return Response(status_code=204)

    def _find_evening(self, request: Request) -> str:
        return request.query_params.get("evening") or self._evenings.latest()

    # ------------------------------------------------------------ games

    def add(self, request: Request) -> Response:
        """`POST /api/games`: begin a game, with the names and rules of the last one.

        A last game without photos is the one: two phones that tap at once have the same.
        """
        check_organiser(request)
        return JSONResponse({"id": self._evenings.next_game(device_of(request)).id}, 201)

    def change(self, request: Request, words: dict[str, bool | int | str | None]) -> Response:
        """`PUT /api/games/{game}`: change its rules, as in `{"harmony": true}`."""
        before = self._find_game(request).game
        rules = to_builtins(read_rules(words, over=before.rules))
        old = to_builtins(before.rules)
        changed = {name: value for name, value in rules.items() if value != old[name]}
        return JSONResponse(
            {"entries": say(request, self._evenings, before.id, RulesChosen(changed))}
        )

    def change_seat(self, request: Request, change: SeatChange) -> Response:
        """`PUT /api/games/{game}/seats/{colour}`: write `player`, `claimed` or `accept`.

        A total that somebody accepted is accepted anew only by who names it:
        `{"accept": 43, "instead_of": 45}`.
        """
        with self._evenings.changing():
            view = self._find_game(request)
            colour = request.path_params["colour"]
            seat = view.seats.get(colour)
            if seat is None:
                raise Refusal(404, "no-seat")
            said: list[AnySaid] = []
            if change.player is not UNSET:
                name = check_name(change.player)
                rivals = [each for each in view.game.seats if each.colour != colour]
                if name and fold_name(name) in {fold_name(rival.player) for rival in rivals}:
                    raise Refusal(409, "one-name")
                said.append(Named(colour, name))
            if change.claimed is not UNSET:
                said.append(Claimed(colour, change.claimed))
            if change.accept is not UNSET:
                before = seat.seat.accepted
                if before not in (None, change.accept, change.instead_of):
                    raise Refusal(409, "settled", player=seat.name, total=before)
                said.append(Accepted(colour, change.accept))
            return JSONResponse({"entries": say(request, self._evenings, view.game.id, *said)})

    def _find_game(self, request: Request) -> GameView:
        """Return the game that a request names, which its phone may change."""
        id_ = request.path_params["game"]
        game = self._evenings.game(id_)
        check_game(request, id_)
        return game


def _show_games(view: EveningView, viewer: Viewer, _: str | None) -> object:
    return [show_game(game, viewer) for game in viewer.list_games(view)]


def _show_ranking(view: EveningView, viewer: Viewer, _: str | None) -> object:
    return view.ranking if viewer.is_organiser else view.open_ranking
