"""Photos over HTTP: sent, scored, corrected, given to seats, shown, deleted."""

import asyncio
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.concurrency import cores
from kdvision.pipeline.scorer import Scorer
from kdvision.result import PhotoResult
from kdvision.rules.rules import Rules
from kdvision.serve import http
from kdvision.serve.evening import next_game, read_game
from kdvision.serve.guard import allowed_games, check_game, client_of
from kdvision.serve.http import UPLOADS, Refusal, language_of
from kdvision.serve.store import Game, GamePhoto, Store, id_of_key, new_id
from kdvision.serve.views import BOARD_CELLS, cut_board, make_views, turn_upright

#: A picture whose address changes with what it shows.
_LASTING = {"Cache-Control": "private, max-age=86400, immutable"}
#: A form has a key and a game beside the photo, of so many letters each.
_MOST_FIELDS, _MOST_LETTERS = 4, 1024
#: Letters of a photo's name that are kept.
_NAME_LETTERS = 80


class SeatChoice(Struct, forbid_unknown_fields=True):
    """The body of a request that gives a kingdom to a seat.

    `seat` is None to have it asked again, `nobody` to take it out of the game; `again` says that it
    is the kingdom that the seat has.
    """

    seat: Literal["pink", "yellow", "green", "blue", "nobody"] | None
    again: bool = False


class Photos:
    """The handlers of everything below `/api/photos`.

    Args:
        store: Keeps photos.
        scorer: Scores them, from several threads.
    """

    def __init__(self, store: Store, scorer: Scorer) -> None:
        self._store, self._scorer = store, scorer
        self._scoring = ThreadPoolExecutor(cores(), "scoring")
        self._drawing = threading.Semaphore(cores())
        # Photos of one address that may be on their way together; more of them wait.
        self._slots = defaultdict[str, asyncio.Semaphore](
            lambda: asyncio.Semaphore(http.MOST_UPLOADS)
        )

    def close(self) -> None:
        """Finish what is under way."""
        self._scoring.shutdown(wait=True, cancel_futures=True)

    async def run_scoring(self, act: Callable[..., Response], *words: object) -> Response:
        """Have an answer made that scores photos, when a core is free for it."""
        return await asyncio.get_running_loop().run_in_executor(self._scoring, act, *words)

    # ------------------------------------------------------------ new photos

    async def add(self, request: Request) -> Response:
        """`POST /api/photos`: score a photo, keep its result, and give its kingdoms to seats.

        A multipart form with the `photo`, and where wanted the id of its `game`, and a `key` that
        its sender chose: the same photo sent again is not scored again.
        """
        if not request.headers.get("content-type", "").startswith("multipart/form-data"):
            raise Refusal(415, "no-form")
        limits = {"max_files": 1, "max_fields": _MOST_FIELDS, "max_part_size": _MOST_LETTERS}
        async with self._slots[client_of(request)], request.form(**limits) as form:
            if not isinstance(form.get("photo"), UploadFile):
                raise Refusal(422, "no-form")
            return await self.run_scoring(self._add, request, form)

    def _add(self, request: Request, form: FormData) -> Response:
        upload, key, id_ = form["photo"], str(form.get("key", "")), str(form.get("game", ""))
        assert isinstance(upload, UploadFile)
        photo_id = id_of_key(key) if key else new_id()
        earlier = self._store.get(GamePhoto, photo_id)
        if earlier:
            return JSONResponse(self._show(earlier, request))
        # A photo that waits for a core lies on the disk until now.
        picture, name = upload.file.read(), (upload.filename or "photo")[-_NAME_LETTERS:]
        rules = self._choose_game(request, id_).rules
        result = self._scorer.score(picture, rules, name=name)
        with self._store.transaction():
            game = self._choose_game(request, id_)
            if game.rules != rules or self._store.get(GamePhoto, photo_id):
                raise Refusal(503, "busy")
            self._store.write(game)
            photo = GamePhoto(id=photo_id, parent=game.id, name=name, result=result)
            self._store.write(photo, picture)
        return JSONResponse(self._show(photo, request), 201, {"Location": f"{UPLOADS}/{photo_id}"})

    def _choose_game(self, request: Request, id_: str) -> Game:
        """Return the game that a photo is for; a new one is not written yet."""
        if not id_ and allowed_games(request) is None:
            return next_game(self._store)
        check_game(request, id_)
        return self._store.find(Game, id_)

    # ------------------------------------------------------------ changes

    def fix(self, request: Request, changes: dict[str, str | None]) -> Response:
        """`POST /api/photos/{id}/fixes`: correct squares, and score again.

        `{"A.c4": "G2"}` adds to the fixes that were made before; `{"A.c4": null}` takes one back.

        Raises:
            Refusal: Somebody else changed the photo meanwhile.
        """
        photo = self._find_photo(request)
        fixes = {**photo.fixes, **changes}
        made = {place: cell for place, cell in fixes.items() if cell is not None}
        result = self.rescore(photo, self._store.find(Game, photo.parent).rules, made)
        with self._store.transaction():
            now = self._find_photo(request)
            if (now.fixes, now.result) != (photo.fixes, photo.result):
                raise Refusal(503, "busy")
            now = replace(now, fixes=made, result=result)
            self._store.write(now)
        return JSONResponse(self._show(now, request))

    def rescore(self, photo: GamePhoto, rules: Rules, fixes: Mapping[str, str]) -> PhotoResult:
        """Score a photo by other rules or with other fixes."""
        picture = self._store.picture(photo.id)
        return self._scorer.score(picture, rules, name=photo.name, fixes=fixes)

    def place(self, request: Request, choice: SeatChoice) -> Response:
        """`PUT /api/photos/{id}/kingdoms/{letter}`: say whose kingdom it is.

        It takes the place of the kingdom that was given to the seat, unless it is the same one
        `again`. The answer has what was said `before`, as `[photo, letter, seat]`.
        """
        letter, seat = request.path_params["letter"], choice.seat or ""
        with self._store.transaction():
            photo = self._find_photo(request)
            if letter not in photo.result.named:
                raise Refusal(404, "no-kingdom")
            view = read_game(self._store, photo.parent)
            rivals = view.seats[seat].kingdoms if seat in view.seats else ()
            stays = seat if choice.again else ""
            given = {(rival.photo.id, rival.letter): stays for rival in rivals}
            given[photo.id, letter] = seat
            before = []
            for (id_, name), owner in given.items():
                shot = self._store.find(GamePhoto, id_)
                before.append((id_, name, shot.seats.get(name) or None))
                self._store.write(replace(shot, seats={**shot.seats, name: owner}))
        return JSONResponse({"game": photo.parent, "before": before[::-1]})

    def delete(self, request: Request) -> Response:
        """`DELETE /api/photos/{id}`: take a photo out; `POST .../restored` puts it back."""
        is_deleted = request.method == "DELETE"
        with self._store.transaction():
            photo = self._find_photo(request, is_deleted=not is_deleted)
            self._store.write(replace(photo, is_deleted=is_deleted))
        return Response(status_code=204)

    # ------------------------------------------------------------ what is shown

    def show(self, request: Request) -> Response:
        """`GET /api/photos/{id}`: the result of a photo."""
        return JSONResponse(self._show(self._find_photo(request), request))

    def picture(self, request: Request) -> Response:
        """`GET /api/photos/{id}/picture`: the photo, upright, at the size of a page."""
        picture = self._store.picture(self._find_photo(request).id)
        with self._drawing:
            return Response(turn_upright(picture), media_type="image/jpeg")

    def board(self, request: Request) -> Response:
        """`GET /api/photos/{id}/boards/A`: one kingdom, cut out and rectified (JPEG).

        `?cell=28` has smaller squares. An address with `v` changes with what it shows.
        """
        photo, letter = self._find_photo(request), request.path_params["letter"]
        picture = self._store.picture(photo.id)
        small, large = BOARD_CELLS
        cell = small if request.query_params.get("cell") == str(small) else large
        with self._drawing:
            board = cut_board(picture, photo.result, letter, cell)
        if board is None:
            raise Refusal(404, "no-kingdom")
        headers = _LASTING if "v" in request.query_params else None
        return Response(board, media_type="image/jpeg", headers=headers)

    def _find_photo(self, request: Request, *, is_deleted: bool = False) -> GamePhoto:
        """Return the photo that a request names, which its phone may see.

        Raises:
            Refusal: There is none, or it is of another game.
        """
        photo = self._store.find(GamePhoto, request.path_params["id"])
        ids = allowed_games(request)
        is_seen = ids is None or photo.parent in ids
        if photo.is_deleted != is_deleted or not is_seen:
            raise Refusal(404, "no-photo")
        return photo

    def _show(self, photo: GamePhoto, request: Request) -> dict[str, Any]:
        """Show a photo: `kdscore/1`, its id, game and fixes, and what the page draws of it.

        Where totals are kept back until all have claimed, it has no kingdoms.
        """
        result = photo.result
        shown = {
            **msgspec.to_builtins(result),
            "id": photo.id,
            "game": photo.parent,
            "fixes": dict(photo.fixes),
            "views": make_views(result, language_of(request)),
        }
        if read_game(self._store, photo.parent).is_hidden(organiser=allowed_games(request) is None):
            shown |= {"kingdoms": [], "views": [], "hidden": len(result.kingdoms)}
        return shown
