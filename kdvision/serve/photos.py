"""Photos over HTTP: sent, scored, corrected, given to seats, shown, deleted."""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.concurrency import cores
from kdvision.corrections import FixPlace, kingdom_name, parse_place
from kdvision.errors import NoKingdomError, UnreadablePhotoError
from kdvision.options import GameOptions
from kdvision.pipeline.scorer import Scorer
from kdvision.result import PhotoResult
from kdvision.serve import http
from kdvision.serve.evening import (
    PlacedKingdom,
    move_kingdom,
    next_game,
    owners_by_claims,
    read_game,
    seats_for,
    write_owners,
)
from kdvision.serve.guard import check_game, client_of, games_of
from kdvision.serve.http import (
    UPLOADS,
    BusyError,
    Refusal,
    Upload,
    language_of,
    read_upload,
)
from kdvision.serve.store import NOBODY, Game, GamePhoto, Store
from kdvision.serve.views import BOARD_CELLS, board_of, upright, views_of

#: A picture whose address changes with what it shows.
_LASTING = {"Cache-Control": "private, max-age=86400, immutable"}
#: Bytes of photos that have arrived and wait for a free core: the phones of a hall at once.
MOST_WAITING_BYTES = 256 * 2**20
#: So often a photo is scored anew when others change it meanwhile: more than players at a table.
MOST_TRIES = 8


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
        self._arriving: Counter[str] = Counter()
        self._waiting_bytes = 0

    def close(self) -> None:
        """Finish what is under way."""
        self._scoring.shutdown(wait=True, cancel_futures=True)

    async def scoring(self, act: Callable[..., Response], *words: object) -> Response:
        """Have an answer made that scores photos, when a core is free for it."""
        return await asyncio.get_running_loop().run_in_executor(self._scoring, act, *words)

    # ------------------------------------------------------------ new photos

    async def add(self, request: Request) -> Response:
        """`POST /api/photos`: score a photo, keep its result, and give its kingdoms to seats."""
        client = client_of(request)
        if self._arriving[client] >= http.MOST_UPLOADS:
            raise BusyError
        self._arriving[client] += 1
        try:
            upload = await read_upload(request)
        finally:
            self._arriving[client] -= 1
            self._arriving += Counter()  # Addresses without a photo are forgotten.
        if self._waiting_bytes + len(upload.data) > MOST_WAITING_BYTES:
            raise BusyError
        self._waiting_bytes += len(upload.data)
        try:
            return await self.scoring(self._add, request, upload)
        finally:
            self._waiting_bytes -= len(upload.data)

    def _add(self, request: Request, upload: Upload) -> Response:
        for _ in range(MOST_TRIES):
            sent = self._store.find_alias(GamePhoto, upload.key) if upload.key else None
            if sent:
                return JSONResponse(self._shown(sent, request))
            game = self._game_for(upload, request)
            result = self._score(upload.data, upload.name, game.rules, {})
            if not result.kingdoms:
                why = result.why(language_of(request))
                return JSONResponse({**msgspec.to_builtins(result), "error": why}, 422)
            photo = None
            with self._store.transaction():
                is_sent = upload.key and self._store.find_alias(GamePhoto, upload.key)
                now = self._game_for(upload, request)
                if not is_sent and now.rules == game.rules:
                    photo = self._keep(now, result, upload)
            if photo:
                address = {"Location": f"{UPLOADS}/{photo.id}"}
                return JSONResponse(self._shown(photo, request), 201, address)
        raise BusyError

    def _game_for(self, upload: Upload, request: Request) -> Game:
        """Return the game that a photo is for; a new one is not written yet."""
        ids, id_ = games_of(request), upload.game
        if not id_ and ids is None:
            return next_game(self._store)
        if not id_ and ids and len(ids) == 1:
            id_ = min(ids)
        check_game(request, id_)
        return read_game(self._store, id_).game

    def _keep(self, game: Game, result: PhotoResult, upload: Upload) -> GamePhoto:
        """Keep a photo, and give its kingdoms to seats of its game. To be called in a transaction.

        A game that was deleted while the photo was on its way comes back with it.
        """
        self._store.write(replace(game, is_deleted=False))
        photo = GamePhoto(
            parent=game.id,
            name=upload.name,
            alias=upload.key or None,
            result=result,
            rules=game.rules,
            seats=seats_for(read_game(self._store, game.id), result.named),
        )
        self._store.write(photo, upload.data)
        write_owners(self._store, owners_by_claims(read_game(self._store, game.id)))
        return photo

    # ------------------------------------------------------------ changes

    def fix(self, request: Request, changes: dict[str, Any]) -> Response:
        """`POST /api/photos/{id}/fixes`: correct squares, and score again.

        `{"A.c4": "G2"}` adds to the fixes that were made before; `{"A.c4": null}` takes one back.
        """
        for place, cell in changes.items():
            if not (cell is None or isinstance(cell, str)):
                raise Refusal(422, "missing", name=place[:20], example='it as "G2"')
        for _ in range(MOST_TRIES):
            photo = self._named(request)
            after = self.rescored(photo, photo.rules, changes)
            with self._store.transaction():
                if self._named(request) == photo:
                    self._store.write(after)
                    return JSONResponse(self._shown(after, request))
        raise BusyError

    def rescored(
        self, photo: GamePhoto, rules: GameOptions, changes: Mapping[str, str | None] = {}
    ) -> GamePhoto:
        """Score a photo by other rules or with more fixes; it is not kept yet.

        Args:
            photo: The photo.
            rules: The rules.
            changes: They add to the fixes that it has; one of None goes.

        Raises:
            Refusal: No kingdom is left.
        """
        changed = {str(_square_meant(place)): cell for place, cell in changes.items()}
        fixes = {
            place: cell for place, cell in {**photo.fixes, **changed}.items() if cell is not None
        }
        result = self._score(self._store.picture(photo.id), photo.name, rules, fixes)
        if not result.kingdoms:
            raise Refusal(422, "nothing-left")
        return replace(photo, rules=rules, fixes=fixes, result=result)

    def _score(
        self, picture: bytes, name: str, rules: GameOptions, fixes: Mapping[str, str]
    ) -> PhotoResult:
        """Score a photo; the result of one that cannot be scored holds the reason."""
        try:
            return self._scorer.score(picture, rules, name=name, fixes=fixes)
        except (NoKingdomError, UnreadablePhotoError) as error:
            return PhotoResult.of_error(name, error)

    def place(self, request: Request, data: dict[str, Any]) -> Response:
        """`PUT /api/photos/{id}/kingdoms/{letter}`: give a kingdom to a seat.

        `{"seat": "blue"}`; `"nobody"` takes it out of the game, null has it asked again. The
        kingdom that was there goes where this one came from, unless it is the same one `again`.
        The answer has what changed `before`, as `[photo, letter, seat]`.
        """
        letter, seat = request.path_params["letter"], data.get("seat") or ""
        with self._store.transaction():
            photo = self._named(request)
            view, kingdom = read_game(self._store, photo.parent), photo.result.named.get(letter)
            if kingdom is None:
                raise Refusal(404, "no-kingdom")
            if not isinstance(seat, str) or seat not in ("", NOBODY, *view.seats):
                raise Refusal(422, "no-seat")
            placed = PlacedKingdom(photo, letter, kingdom)
            owners = move_kingdom(view, placed, seat, again=data.get("again") is True)
            photos = {shot.id: shot for shot in view.photos}
            before = [[id_, name, photos[id_].seats.get(name, "")] for id_, name in owners]
            write_owners(self._store, owners)
        return JSONResponse({"game": view.game.id, "before": before})

    def delete(self, request: Request) -> Response:
        """`DELETE /api/photos/{id}`: take a photo out of its game; it can be put back."""
        self._set_deleted(request, is_deleted=True)
        return Response(status_code=204)

    def restore(self, request: Request) -> Response:
        """`POST /api/photos/{id}/restored`: put a deleted photo back."""
        return JSONResponse(self._shown(self._set_deleted(request, is_deleted=False), request))

    def _set_deleted(self, request: Request, *, is_deleted: bool) -> GamePhoto:
        with self._store.transaction():
            photo = self._named(request, is_deleted=not is_deleted)
            changed = replace(photo, is_deleted=is_deleted)
            self._store.write(changed)
        return changed

    # ------------------------------------------------------------ what is shown

    def show(self, request: Request) -> Response:
        """`GET /api/photos/{id}`: the result of a photo."""
        return JSONResponse(self._shown(self._named(request), request))

    def picture(self, request: Request) -> Response:
        """`GET /api/photos/{id}/picture`: the photo, upright, at the size of a page."""
        picture = self._store.picture(self._named(request).id)
        with self._drawing:
            return Response(upright(picture), media_type="image/jpeg")

    def board(self, request: Request) -> Response:
        """`GET /api/photos/{id}/boards/A`: one kingdom, cut out and rectified (JPEG).

        `?cell=28` has smaller squares. An address with `v` changes with what it shows.
        """
        photo, letter = self._named(request), request.path_params["letter"]
        picture = self._store.picture(photo.id)
        small, large = BOARD_CELLS
        cell = small if request.query_params.get("cell") == str(small) else large
        with self._drawing:
            board = board_of(picture, photo.result, letter, cell)
        if board is None:
            raise Refusal(404, "no-kingdom")
        headers = _LASTING if "v" in request.query_params else None
        return Response(board, media_type="image/jpeg", headers=headers)

    def _named(self, request: Request, *, is_deleted: bool = False) -> GamePhoto:
        """Return the photo that a request names, which its phone may see.

        Raises:
            Refusal: There is none, or it is of another game.
        """
        photo = self._store.find(GamePhoto, request.path_params["id"])
        ids = games_of(request)
        is_seen = ids is None or photo.parent in ids
        if photo.is_deleted != is_deleted or not is_seen:
            raise Refusal(404, "no-photo")
        return photo

    def _shown(self, photo: GamePhoto, request: Request) -> dict[str, Any]:
        """Show a photo: `kdscore/1`, its id, game and fixes, and what the page draws of it.

        Where totals are kept back until all have claimed, it has no kingdoms.
        """
        result = photo.result
        shown = {
            **msgspec.to_builtins(result),
            "id": photo.id,
            "game": photo.parent,
            "fixes": dict(photo.fixes),
            "views": views_of(result, language_of(request)),
        }
        if read_game(self._store, photo.parent).is_hidden(organiser=games_of(request) is None):
            shown |= {"kingdoms": [], "views": [], "hidden": len(result.kingdoms)}
        return shown


def _square_meant(place: str) -> FixPlace:
    """Return the square that a place names, in whatever spelling; an only kingdom is A.

    Raises:
        UsageError: It names none.
    """
    named = parse_place(place)
    return named._replace(kingdom=named.kingdom or kingdom_name(0))
