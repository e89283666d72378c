"""Photos over HTTP: sent, scored, corrected, shown, forgotten."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

import cv2
from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.errors import NoKingdomError, UnreadablePhotoError
from kdvision.options import GameOptions
from kdvision.photo.photo import open_photo
from kdvision.pipeline.scorer import Scorer
from kdvision.report.json import Json, from_object, to_object
from kdvision.report.overlay import draw_overlay
from kdvision.result import PhotoResult
from kdvision.serve.answers import BusyError, Refusal, language_of
from kdvision.serve.evening import Evening
from kdvision.serve.guard import client_of
from kdvision.serve.limits import Room, ServeSettings, Upload, read_json, read_upload
from kdvision.serve.store import Store, StoredPhoto, new_id
from kdvision.serve.views import BOARD_CELLS, board_of, faces_of, views_of

_T = TypeVar("_T")
_ID = re.compile(r"[A-Za-z0-9_-]{22}\Z")
#: Longer side in pixels of the pictures that the page shows, and their quality.
_PICTURE_SIDE = 1600
_QUALITY = 88
#: A picture whose address changes with what it shows.
_LASTING = {"Cache-Control": "private, max-age=86400, immutable"}
#: Options or fixes that change nothing.
_SAME: Mapping[str, Any] = {}
#: So often a change is made anew when others change the same photo: more than players at a table.
MOST_TRIES = 8


class ScoringPool:
    """Threads that share one scorer, and draw.

    Args:
        scorer: Scores photos, from several threads.
        threads: How many there are.
    """

    def __init__(self, scorer: Scorer, threads: int) -> None:
        self._scorer = scorer
        self._scoring = ThreadPoolExecutor(threads, "scoring")
        self._drawing = ThreadPoolExecutor(threads, "drawing")

    async def run(self, work: Callable[..., _T], *words: object) -> _T:
        """Run work that draws, beside what is scored."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._drawing, work, *words)

    async def score(
        self, pictures: Sequence[bytes], name: str, options: GameOptions, fixes: Mapping[str, str]
    ) -> Json:
        """Score a photo; the object of one that cannot be scored holds the reason.

        Args:
            pictures: The bytes of the photo, and of others of the same kingdoms.
            name: What the result calls it.
            options: The rules.
            fixes: What people corrected.

        Returns:
            Its `kdscore/1` object.

        Raises:
            UsageError: A fix is none.
        """
        loop = asyncio.get_running_loop()
        words = (pictures, name, options, dict(fixes))
        return await loop.run_in_executor(self._scoring, self._scored, *words)

    def _scored(
        self, pictures: Sequence[bytes], name: str, options: GameOptions, fixes: Mapping[str, str]
    ) -> Json:
        names = [name, *(f"{name} ({number})" for number in range(2, len(pictures) + 1))]
        try:
            if len(pictures) == 1:
                found = self._scorer.score(pictures[0], options, name=name, fixes=fixes)
            else:
                found = self._scorer.score_together(pictures, options, names=names, fixes=fixes)
        except (NoKingdomError, UnreadablePhotoError) as error:
            found = PhotoResult.of_error(name, error)
        return to_object(found)

    def close(self) -> None:
        """Finish what is under way."""
        for executor in (self._scoring, self._drawing):
            executor.shutdown(wait=True, cancel_futures=True)


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
        with self._room.photo(client_of(request.scope)) as hold:
            upload = await read_upload(request, self._settings, hold)
            known = await asyncio.to_thread(self._store.id_of, upload.key)
            if known is not None:
                return JSONResponse(_shown(await self._photo(known), request))
            options = await self.evening.rules(upload.game) if upload.game else upload.options
            found = await self._pool.score([upload.data], upload.name, options, {})
            if not found["kingdoms"]:
                return _not_scored(request, found)
            await self._check_room(upload)
            text = json.dumps(found)
            holder = await self._holders.holder_of(request)
            terms = json.dumps(asdict(options)), "{}", text
            photo = StoredPhoto(new_id(), upload.name, *terms, upload.data, holder)
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
                raise Refusal(422, "missing", name=place[:20], example='it as "G2"')
        return await self._scored_again(request, fixes=changes)

    async def add_picture(self, request: Request) -> Response:
        """`POST /api/photos/{id}/pictures`: one more photo of the same kingdoms, read together.

        A photo of other kingdoms is refused, and changes nothing.
        """
        photo = await self._changeable(request)
        with self._room.photo(client_of(request.scope)) as hold:
            upload = await read_upload(request, self._settings, hold)
            await self._check_room(upload)
            known = await asyncio.to_thread(self._store.more_pictures, photo.id)
            if upload.data not in known:
                photo = await self._read_together(photo, [*known, upload.data])
                await asyncio.to_thread(self._store.add_picture, photo.id, upload.data)
        return JSONResponse(_shown(await self._photo(photo.id), request), 201)

    async def _read_together(self, photo: StoredPhoto, more: list[bytes]) -> StoredPhoto:
        """Score a photo with others of the same kingdoms, and keep the result."""
        options, fixes = options_from(photo.options), json.loads(photo.fixes)
        found = await self._pool.score([picture_of(photo), *more], photo.name, options, fixes)
        before = len(json.loads(photo.result)["kingdoms"])
        if len(found["kingdoms"]) != before:
            raise Refusal(422, "other-kingdoms")
        if not await asyncio.to_thread(
            self._store.set_result, photo, photo.options, photo.fixes, json.dumps(found)
        ):
            raise BusyError
        return photo

    async def _check_room(self, upload: Upload) -> None:
        size, most = len(upload.data), self._settings.most_picture_bytes
        if not await asyncio.to_thread(self._store.make_room, size, most):
            raise Refusal(507, "no-room")

    async def choose(self, request: Request) -> Response:
        """`POST /api/photos/{id}/options`: score by other rules; the corrections stand.

        `{"harmony": true}` changes that rule alone; `size` is 5, 7 or null for what fits.
        """
        changes = await read_json(request, self._settings)
        return await self._scored_again(request, options=changes)

    async def square(self, request: Request) -> Response:
        """`GET /api/photos/{id}/squares/{place}`: what may lie there, and what the box excludes."""
        photo = await self._asked(request)
        options, place = options_from(photo.options), request.path_params["place"]
        result = json.loads(photo.result)
        with self._room.photo(client_of(request.scope)):
            return JSONResponse(await self._pool.run(faces_of, result, options, place))

    async def rescore(self, id_: str, options: Mapping[str, Any]) -> None:
        """Score a photo by other options; its corrections stand."""
        if await asyncio.to_thread(self._store.result, id_) is not None:
            with self._room.photo("rules"):
                await self._changed(id_, options=options)

    async def _scored_again(self, request: Request, **changes: Mapping[str, Any]) -> Response:
        photo = await self._changeable(request)
        with self._room.photo(client_of(request.scope)):
            return JSONResponse(_shown(await self._changed(photo.id, **changes), request))

    async def _changed(
        self, id_: str, *, options: Mapping[str, Any] = _SAME, fixes: Mapping[str, Any] = _SAME
    ) -> StoredPhoto:
        """Score a photo with other options or fixes, and keep the result; a fix of None goes.

        Where another phone changed it meanwhile, the change is made to what it is then.
        """
        for _ in range(MOST_TRIES):
            photo = await self._photo(id_)
            if photo.handed:
                raise Refusal(403, "handed-in")
            rules = GameOptions.from_words(options, over=options_from(photo.options))
            merged = {**json.loads(photo.fixes), **fixes}
            given = {place: cell for place, cell in merged.items() if cell is not None}
            pictures = [picture_of(photo), *await asyncio.to_thread(self._store.more_pictures, id_)]
            found = await self._pool.score(pictures, photo.name, rules, given)
            if not found["kingdoms"]:
                raise Refusal(422, "nothing-left")
            terms = json.dumps(asdict(rules)), json.dumps(given), json.dumps(found)
            if await asyncio.to_thread(self._store.set_result, photo, *terms):
                return await self._photo(id_)
        raise BusyError

    async def forget(self, request: Request) -> Response:
        """`DELETE /api/photos/{id}`: forget a photo and its result."""
        photo = await self._changeable(request, "handed-in-stays")
        await asyncio.to_thread(self._store.forget, photo.id)
        return Response(status_code=204)

    async def overlay(self, request: Request) -> Response:
        """`GET /api/photos/{id}/overlay`: the photo with what was read drawn over it."""
        photo = await self._asked(request)
        return await self._drawn(request, picture_of(photo), json.loads(photo.result))

    async def picture(self, request: Request) -> Response:
        """`GET /api/photos/{id}/picture`: the photo, upright, at the size of a page."""
        return await self._drawn(request, picture_of(await self._asked(request)))

    async def more_picture(self, request: Request) -> Response:
        """`GET /api/photos/{id}/pictures/{number}`: another photo of the same kingdoms, from 2."""
        photo = await self._asked(request)
        more = await asyncio.to_thread(self._store.more_pictures, photo.id)
        numbered = {str(number): picture for number, picture in enumerate(more, 2)}
        picture = numbered.get(request.path_params["number"])
        if picture is None:
            raise Refusal(404, "no-photo")
        return await self._drawn(request, picture)

    async def _drawn(
        self, request: Request, picture: bytes, result: Json | None = None
    ) -> Response:
        with self._room.photo(client_of(request.scope)):
            data = await self._pool.run(_draw, picture, result)
        return Response(data, media_type="image/jpeg")

    async def board(self, request: Request) -> Response:
        """`GET /api/photos/{id}/boards/A`: one kingdom, cut out and rectified (JPEG).

        `?cell=28` has smaller squares. The address changes with what it shows.
        """
        photo = await self._asked(request)
        small, large = BOARD_CELLS
        cell = small if request.query_params.get("cell") == str(small) else large
        words = json.loads(photo.result), request.path_params["letter"], cell
        with self._room.photo(client_of(request.scope)):
            data = await self._pool.run(board_of, picture_of(photo), *words)
        if data is None:
            raise Refusal(404, "no-kingdom")
        return Response(data, media_type="image/jpeg", headers=_LASTING)

    async def _changeable(self, request: Request, refusal: str = "handed-in") -> StoredPhoto:
        """Return the photo that a request names, which its sender may change."""
        photo = await self._asked(request)
        await self._holders.check_photo(request, photo)
        if photo.handed:
            raise Refusal(403, refusal)
        return photo

    async def _asked(self, request: Request) -> StoredPhoto:
        return await self._photo(request.path_params["id"])

    async def _photo(self, id_: str) -> StoredPhoto:
        photo = await asyncio.to_thread(self._store.photo, id_) if _ID.match(id_) else None
        if photo is None:
            raise Refusal(404, "no-photo")
        return photo


def options_from(text: str) -> GameOptions:
    """Read options as the store keeps them."""
    return GameOptions.from_words(json.loads(text))


def picture_of(photo: StoredPhoto) -> bytes:
    """Return the bytes of a photo.

    Raises:
        Refusal: They are no longer kept.
    """
    if photo.picture is None:
        raise Refusal(410, "not-kept")
    return photo.picture


def _not_scored(request: Request, found: Json) -> Response:
    """Say why a photo cannot be scored."""
    return JSONResponse({**found, "error": from_object(found).why(language_of(request))}, 422)


def _draw(data: bytes, result: Json | None) -> bytes:
    """Draw a photo as JPEG, with its result over it or bare."""
    rgb, scale = open_photo(data).pixels(_PICTURE_SIDE)
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
        "pictures": photo.pictures,
        "options": json.loads(photo.options),
        "views": views_of(result, photo.id, language_of(request)),
    }
