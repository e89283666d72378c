"""Photos over HTTP: sent, scored, corrected, shown, forgotten."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import cv2
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.errors import UsageError
from kdvision.options import GameOptions
from kdvision.photo.photo import open_photo
from kdvision.report.json import Json, from_object
from kdvision.report.overlay import draw_overlay
from kdvision.serve.evening import Evening
from kdvision.serve.guard import client_of
from kdvision.serve.pages import language_of
from kdvision.serve.scoring import (
    BusyError,
    Room,
    ScoringPool,
    options_from,
    options_text,
)
from kdvision.serve.settings import ServeSettings
from kdvision.serve.store import Store, StoredPhoto, new_id
from kdvision.serve.uploads import Upload, read_json, read_upload
from kdvision.serve.views import BOARD_CELLS, board_of, faces_of, views_of

_ID = re.compile(r"[A-Za-z0-9_-]{22}\Z")
_QUALITY = 88
#: A picture whose address changes with what it shows.
_LASTING = {"Cache-Control": "private, max-age=86400, immutable"}
#: So often a change is made anew when others change the same photo: more than players at a table.
_MOST_TRIES = 8

#: What a photo is scored by: the rules, and cells by the places that were corrected.
_Terms = tuple[GameOptions, dict[str, str]]


class Holders(Protocol):
    """Whose a photo is in a tournament, and who may change it."""

    async def holder_of(self, request: Request) -> str:
        """The table that a request comes from; empty where it names none."""

    async def check_photo(self, request: Request, photo: StoredPhoto) -> None:
        """Raise an HTTPException where a photo may not be changed by who asks."""


class Photos:
    """The handlers of everything below `/api/photos`."""

    def __init__(
        self, store: Store, pool: ScoringPool, settings: ServeSettings, holders: Holders
    ) -> None:
        self._store, self._pool, self._settings, self._holders = store, pool, settings, holders
        self.evening = Evening(store, settings, self.rescore)
        self._room = Room(settings)

    async def add(self, request: Request) -> Response:
        """`POST /api/photos`: score a photo and keep its result."""
        with self._room.photo(client_of(request.scope)) as holding:
            upload = await read_upload(request, self._settings, holding)
            known = await asyncio.to_thread(self._store.id_of, upload.key) if upload.key else None
            if known is not None:
                return JSONResponse(_shown(await self._photo(known), request))
            options = await self.evening.rules(upload.game) if upload.game else upload.options
            found = await self._pool.score([upload.data], upload.name, options, {})
            if not found["kingdoms"]:
                return JSONResponse({**found, "error": found["message"]}, 422)
            await self._check_room(upload)
            text = json.dumps(found)
            holder = await self._holders.holder_of(request)
            photo = StoredPhoto(
                new_id(), upload.name, options_text(options), "{}", text, upload.data, holder
            )
            kept = await asyncio.to_thread(self._kept, photo, upload)
        if kept != photo.id:
            return JSONResponse(_shown(await self._photo(kept), request))
        return JSONResponse(_shown(photo, request), 201, {"Location": f"/api/photos/{photo.id}"})

    def _kept(self, photo: StoredPhoto, upload: Upload) -> str:
        """Keep a photo, and put its kingdoms into its game, once; the id under which it is kept."""
        with self._store.transaction():
            id_ = self._store.add_photo(photo, upload.key)
            if id_ == photo.id and upload.game:
                count = len(json.loads(photo.result)["kingdoms"])
                self.evening.take_in(upload.game, id_, count, upload.seat)
        return id_

    async def show(self, request: Request) -> Response:
        """`GET /api/photos/{id}`: the result of a photo."""
        return JSONResponse(_shown(await self._asked(request), request))

    async def fix(self, request: Request) -> Response:
        """`POST /api/photos/{id}/fixes`: correct squares, and score again.

        `{"A.c4": "G2"}` adds to the fixes that were made before; `{"A.c4": null}` takes one back.
        """
        changes = await read_json(request, self._settings)
        for place, cell in changes.items():
            if not (cell is None or isinstance(cell, str)):
                raise UsageError(f"{place[:20]} has no square.", 'Write it as "G2".')

        def changed(photo: StoredPhoto) -> _Terms:
            fixes = {**json.loads(photo.fixes), **changes}
            given = {place: cell for place, cell in fixes.items() if cell is not None}
            return options_from(photo.options), given

        return await self._scored_again(request, changed)

    async def add_picture(self, request: Request) -> Response:
        """`POST /api/photos/{id}/pictures`: one more photo of the same kingdoms, read together.

        A photo of other kingdoms is refused, and changes nothing.
        """
        photo = await self._asked(request)
        await self._holders.check_photo(request, photo)
        if photo.handed:
            raise HTTPException(403, "This photo was handed in. The desk corrects it.")
        with self._room.photo(client_of(request.scope)) as holding:
            upload = await read_upload(request, self._settings, holding)
            await self._check_room(upload)
            known = await asyncio.to_thread(self._store.more_pictures, photo.id)
            if upload.data not in known:
                photo = await self._read_together(photo, [*known, upload.data])
                await asyncio.to_thread(self._store.add_picture, photo.id, upload.data)
        return JSONResponse(_shown(await self._photo(photo.id), request), 201)

    async def _read_together(self, photo: StoredPhoto, more: list[bytes]) -> StoredPhoto:
        """Score a photo with others of the same kingdoms, and keep the result."""
        options, fixes = options_from(photo.options), json.loads(photo.fixes)
        found = await self._pool.score([_picture(photo), *more], photo.name, options, fixes)
        before = len(json.loads(photo.result)["kingdoms"])
        if len(found["kingdoms"]) != before:
            raise UsageError(
                "This photo does not show the same kingdoms.", "Take it as a photo of its own."
            )
        if not await asyncio.to_thread(
            self._store.set_result, photo, photo.options, photo.fixes, json.dumps(found)
        ):
            raise BusyError
        return photo

    async def _check_room(self, upload: Upload) -> None:
        size, most = len(upload.data), self._settings.most_picture_bytes
        if not await asyncio.to_thread(self._store.make_room, size, most):
            raise HTTPException(507, "There is no room for more pictures on the server.")

    async def choose(self, request: Request) -> Response:
        """`POST /api/photos/{id}/options`: score by other rules; the corrections stand.

        `{"harmony": true}` changes that rule alone; `size` is 5, 7 or null for what fits.
        """
        changes = await read_json(request, self._settings)

        def changed(photo: StoredPhoto) -> _Terms:
            return _with(photo, changes), json.loads(photo.fixes)

        return await self._scored_again(request, changed)

    async def square(self, request: Request) -> Response:
        """`GET /api/photos/{id}/squares/{place}`: what may lie there, and what the box excludes."""
        photo = await self._asked(request)
        options, place = options_from(photo.options), request.path_params["place"]
        result = json.loads(photo.result)
        with self._room.photo(client_of(request.scope)):
            return JSONResponse(await self._pool.run(faces_of, result, options, place))

    async def rescore(self, id_: str, options: Mapping[str, Any]) -> None:
        """Score a photo by other options; its corrections stand."""

        def changed(photo: StoredPhoto) -> _Terms:
            return _with(photo, options), json.loads(photo.fixes)

        if await asyncio.to_thread(self._store.result, id_) is not None:
            with self._room.photo("rules"):
                await self._changed(id_, changed)

    async def _scored_again(
        self, request: Request, changed: Callable[[StoredPhoto], _Terms]
    ) -> Response:
        """Score a photo by what a change makes of its terms."""
        photo = await self._asked(request)
        await self._holders.check_photo(request, photo)
        with self._room.photo(client_of(request.scope)):
            return JSONResponse(_shown(await self._changed(photo.id, changed), request))

    async def _changed(self, id_: str, changed: Callable[[StoredPhoto], _Terms]) -> StoredPhoto:
        """Score a photo anew and keep the result.

        Where another phone changed it meanwhile, the change is made to what it is then.
        """
        for _ in range(_MOST_TRIES):
            photo = await self._photo(id_)
            if photo.handed:
                raise HTTPException(403, "This photo was handed in. The desk corrects it.")
            options, fixes = changed(photo)
            pictures = [_picture(photo), *await asyncio.to_thread(self._store.more_pictures, id_)]
            found = await self._pool.score(pictures, photo.name, options, fixes)
            if not found["kingdoms"]:
                raise UsageError("With these corrections no kingdom is left.", "Take one back.")
            terms = options_text(options), json.dumps(fixes), json.dumps(found)
            if await asyncio.to_thread(self._store.set_result, photo, *terms):
                return await self._photo(id_)
        raise BusyError

    async def forget(self, request: Request) -> Response:
        """`DELETE /api/photos/{id}`: forget a photo and its result."""
        photo = await self._asked(request)
        await self._holders.check_photo(request, photo)
        if photo.handed:
            raise HTTPException(403, "This photo was handed in. It stays with the tournament.")
        await asyncio.to_thread(self._store.forget, photo.id)
        return Response(status_code=204)

    async def overlay(self, request: Request) -> Response:
        """`GET /api/photos/{id}/overlay`: the photo with what was read drawn over it."""
        return await self._drawn(request, overlay=True)

    async def picture(self, request: Request) -> Response:
        """`GET /api/photos/{id}/picture`: the photo, upright, at the size of a page."""
        return await self._drawn(request, overlay=False)

    async def board(self, request: Request) -> Response:
        """`GET /api/photos/{id}/boards/A`: one kingdom, cut out and rectified (JPEG).

        `?cell=28` has smaller squares. The address changes with what it shows.
        """
        photo = await self._asked(request)
        small, large = BOARD_CELLS
        cell = small if request.query_params.get("cell") == str(small) else large
        words = json.loads(photo.result), request.path_params["letter"], cell
        with self._room.photo(client_of(request.scope)):
            data = await self._pool.run(board_of, _picture(photo), *words)
        if data is None:
            raise HTTPException(404, "There is no such kingdom.")
        return Response(data, media_type="image/jpeg", headers=_LASTING)

    async def _drawn(self, request: Request, *, overlay: bool) -> Response:
        photo = await self._asked(request)
        result = json.loads(photo.result) if overlay else None
        with self._room.photo(client_of(request.scope)):
            side = self._settings.picture_side_px
            data = await self._pool.run(_draw, _picture(photo), result, side)
        return Response(data, media_type="image/jpeg")

    async def _asked(self, request: Request) -> StoredPhoto:
        return await self._photo(request.path_params["id"])

    async def _photo(self, id_: str) -> StoredPhoto:
        photo = await asyncio.to_thread(self._store.photo, id_) if _ID.match(id_) else None
        if photo is None:
            raise HTTPException(404, "There is no such photo.")
        return photo


def _with(photo: StoredPhoto, options: Mapping[str, Any]) -> GameOptions:
    return GameOptions.from_words(options, over=options_from(photo.options))


def _picture(photo: StoredPhoto) -> bytes:
    if photo.picture is None:
        raise HTTPException(410, "The picture of this photo is no longer kept.")
    return photo.picture


def _draw(data: bytes, result: Json | None, side: int) -> bytes:
    """The picture of a photo as JPEG, with its result drawn over it or bare."""
    rgb, scale = open_photo(data).pixels(side)
    if result is not None:
        rgb = draw_overlay(rgb, from_object(result), scale)
    options = [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]
    _, coded = cv2.imencode(".jpg", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), options)
    return coded.tobytes()


def _shown(photo: StoredPhoto, request: Request) -> dict[str, Any]:
    """Show a photo: `kdscore/1`, its id, its fixes, its rules, and what the page draws of it."""
    result = json.loads(photo.result)
    return {
        **result,
        "id": photo.id,
        "fixes": json.loads(photo.fixes),
        "kept": photo.picture is not None,
        "options": json.loads(photo.options),
        "views": views_of(result, photo.id, language_of(request)),
    }
