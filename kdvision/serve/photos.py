"""Photos over HTTP: sent, scored, corrected, shown, forgotten."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from msgspec.structs import asdict, replace
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.corrections import FixPlace, kingdom_name, parse_place
from kdvision.errors import NoKingdomError, UnreadablePhotoError
from kdvision.options import GameOptions
from kdvision.photo.photo import open_photo
from kdvision.pipeline.scorer import Scorer
from kdvision.report.json import to_json
from kdvision.report.overlay import overlay_bytes
from kdvision.result import PhotoResult
from kdvision.serve.answers import Refusal, language_of
from kdvision.serve.evening import Evening, rules_of
from kdvision.serve.limits import (
    Room,
    ServeSettings,
    Upload,
    read_json,
    read_upload,
    until_kept,
)
from kdvision.serve.store import Store, StoredPhoto, new_id
from kdvision.serve.views import BOARD_CELLS, board_of, faces_of, upright, views_of

_T = TypeVar("_T")
_ID = re.compile(r"[A-Za-z0-9_-]{22}\Z")
#: A picture whose address changes with what it shows.
_LASTING = {"Cache-Control": "private, max-age=86400, immutable"}
#: Options or fixes that change nothing.
_SAME: Mapping[str, Any] = {}


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
        self, picture: bytes, name: str, options: GameOptions, fixes: Mapping[str, str]
    ) -> PhotoResult:
        """Score a photo; the result of one that cannot be scored holds the reason.

        Args:
            picture: The bytes of the photo.
            name: What the result calls it.
            options: The rules.
            fixes: What people corrected.

        Raises:
            UsageError: A fix is none.
        """

        def scored() -> PhotoResult:
            try:
                return self._scorer.score(picture, options, name=name, fixes=fixes)
            except (NoKingdomError, UnreadablePhotoError) as error:
                return PhotoResult.of_error(name, error)

        return await asyncio.get_running_loop().run_in_executor(self._scoring, scored)

    def close(self) -> None:
        """Finish what is under way."""
        for executor in (self._scoring, self._drawing):
            executor.shutdown(wait=True, cancel_futures=True)


class Photos:
    """The handlers of everything below `/api/photos`.

    Args:
        store: Keeps photos.
        pool: Scores and draws them.
        settings: The limits of the server.
    """

    def __init__(self, store: Store, pool: ScoringPool, settings: ServeSettings) -> None:
        self._store, self._pool, self._settings = store, pool, settings
        self.evening = Evening(store, settings, self.by_rules)
        self._room = Room(settings)

    # ------------------------------------------------------------ new photos

    async def add(self, request: Request) -> Response:
        """`POST /api/photos`: score a photo and keep its result."""
        with self._room.photo() as hold:
            upload = await read_upload(request, self._settings, hold)
            known = await asyncio.to_thread(self._store.id_of, upload.key)
            if known is not None:
                return JSONResponse(_shown(await self._photo(known), request))

            async def attempt() -> Response | None:
                rules = await asyncio.to_thread(self._rules, upload)
                found = await self._pool.score(upload.data, upload.name, rules, {})
                if not found.kingdoms:
                    why = found.why(language_of(request))
                    return JSONResponse({**json.loads(to_json(found)), "error": why}, 422)
                await self._check_room(upload)
                terms = json.dumps(asdict(rules)), "{}", to_json(found)
                photo = StoredPhoto(new_id(), upload.name, *terms, upload.data)
                kept = await asyncio.to_thread(self._kept, photo, upload)
                if kept is None:
                    return None
                if kept != photo.id:
                    return JSONResponse(_shown(await self._photo(kept), request))
                where = {"Location": f"/api/photos/{photo.id}"}
                return JSONResponse(_shown(photo, request), 201, where)

            return await until_kept(attempt)

    def _rules(self, upload: Upload) -> GameOptions:
        return rules_of(self._store.games().get(upload.game, {})) if upload.game else upload.options

    def _kept(self, photo: StoredPhoto, upload: Upload) -> str | None:
        """Keep a photo, and put its kingdoms into its game, once.

        Returns the id under which it is kept; None where its game has other rules by now.
        """
        with self._store.transaction():
            if self._rules(upload) != photo.rules:
                return None
            id_ = self._store.add_photo(photo, upload.key)
            if id_ == photo.id and upload.game:
                self.evening.take_in(upload.game, id_, len(photo.read.kingdoms), upload.seat)
        return id_

    async def _check_room(self, upload: Upload) -> None:
        size, most = len(upload.data), self._settings.most_picture_bytes
        if not await asyncio.to_thread(self._store.make_room, size, most):
            raise Refusal(507, "no-room")

    # ------------------------------------------------------------ changes

    async def fix(self, request: Request) -> Response:
        """`POST /api/photos/{id}/fixes`: correct squares, and score again.

        `{"A.c4": "G2"}` adds to the fixes that were made before; `{"A.c4": null}` takes one back.
        """
        changes = await read_json(request, self._settings)
        for place, cell in changes.items():
            if not (cell is None or isinstance(cell, str)):
                raise Refusal(422, "missing", name=place[:20], example='it as "G2"')
        return await self._scored_again(request, fixes=changes)

    async def choose(self, request: Request) -> Response:
        """`POST /api/photos/{id}/options`: score by other rules; the corrections stand.

        `{"harmony": true}` changes that rule alone; `size` is 5, 7 or null for what fits.
        """
        changes = await read_json(request, self._settings)
        return await self._scored_again(request, options=changes)

    async def by_rules(
        self, id_: str, options: Mapping[str, Any]
    ) -> tuple[StoredPhoto, StoredPhoto] | None:
        """Score a photo by other options; its corrections stand, and it is not kept yet.

        Returns what it was before and what it is after; None where there is none.
        """
        if await asyncio.to_thread(self._store.photo, id_, with_picture=False) is None:
            return None
        with self._room.photo():
            return await self._before_and_after(id_, options, _SAME)

    async def _scored_again(
        self,
        request: Request,
        *,
        options: Mapping[str, Any] = _SAME,
        fixes: Mapping[str, Any] = _SAME,
    ) -> Response:
        """Score a photo with other options or fixes, and keep the result."""
        id_ = (await self._asked(request)).id

        async def attempt() -> StoredPhoto | None:
            photo, after = await self._before_and_after(id_, options, fixes)
            kept = await asyncio.to_thread(self._store.change_photo, photo, after)
            return await self._photo(id_) if kept else None

        with self._room.photo():
            return JSONResponse(_shown(await until_kept(attempt), request))

    async def _before_and_after(
        self, id_: str, options: Mapping[str, Any], fixes: Mapping[str, Any]
    ) -> tuple[StoredPhoto, StoredPhoto]:
        photo = await self._photo(id_)
        rules = GameOptions.from_words(options, over=photo.rules)
        return photo, await self.corrected(photo, fixes, rules)

    async def corrected(
        self,
        photo: StoredPhoto,
        fixes: Mapping[str, str | None],
        rules: GameOptions,
    ) -> StoredPhoto:
        """Score a photo with more fixes; it is not kept yet.

        Args:
            photo: The photo.
            fixes: They add to those that it has; one of None goes.
            rules: Its rules.

        Raises:
            Refusal: No kingdom is left, or its picture is no longer kept.
        """
        changed = {*map(_square_meant, fixes)}
        merged = {
            place: cell
            for place, cell in photo.corrections.items()
            if _square_meant(place) not in changed
        }
        given = merged | {place: cell for place, cell in fixes.items() if cell is not None}
        read = await self._pool.score(picture_of(photo), photo.name, rules, given)
        if not read.kingdoms:
            raise Refusal(422, "nothing-left")
        options = json.dumps(asdict(rules))
        return replace(photo, options=options, fixes=json.dumps(given), result=to_json(read))

    async def forget(self, request: Request) -> Response:
        """`DELETE /api/photos/{id}`: forget a photo and its result."""
        photo = await self._asked(request)
        await asyncio.to_thread(self._store.forget, photo.id)
        return Response(status_code=204)

    # ------------------------------------------------------------ what is shown

    async def show(self, request: Request) -> Response:
        """`GET /api/photos/{id}`: the result of a photo."""
        return JSONResponse(_shown(await self._asked(request), request))

    async def square(self, request: Request) -> Response:
        """`GET /api/photos/{id}/squares/{place}`: what may lie there, and what the box excludes."""
        photo = await self._asked(request)
        words = photo.read, photo.rules, request.path_params["place"]
        return JSONResponse(await self._drawn(request, faces_of, *words))

    async def overlay(self, request: Request) -> Response:
        """`GET /api/photos/{id}/overlay`: the photo with what was read drawn over it."""
        photo = await self._asked(request)
        picture = picture_of(photo)
        data = await self._drawn(request, lambda: overlay_bytes(open_photo(picture), photo.read))
        return Response(data, media_type="image/jpeg")

    async def picture(self, request: Request) -> Response:
        """`GET /api/photos/{id}/picture`: the photo, upright, at the size of a page."""
        data = await self._drawn(request, upright, picture_of(await self._asked(request)))
        return Response(data, media_type="image/jpeg")

    async def board(self, request: Request) -> Response:
        """`GET /api/photos/{id}/boards/A`: one kingdom, cut out and rectified (JPEG).

        `?cell=28` has smaller squares. An address with `v` changes with what it shows.
        """
        photo = await self._asked(request)
        small, large = BOARD_CELLS
        cell = small if request.query_params.get("cell") == str(small) else large
        words = picture_of(photo), photo.read, request.path_params["letter"], cell
        data = await self._drawn(request, board_of, *words)
        if data is None:
            raise Refusal(404, "no-kingdom")
        headers = _LASTING if "v" in request.query_params else None
        return Response(data, media_type="image/jpeg", headers=headers)

    async def _drawn(self, request: Request, work: Callable[..., _T], *words: object) -> _T:
        """Draw, or do what takes as long, where there is room for it."""
        with self._room.photo():
            return await self._pool.run(work, *words)

    # ------------------------------------------------------------ who asks for which

    async def _asked(self, request: Request) -> StoredPhoto:
        return await self._photo(request.path_params["id"])

    async def _photo(self, id_: str) -> StoredPhoto:
        photo = await asyncio.to_thread(self._store.photo, id_) if _ID.match(id_) else None
        if photo is None:
            raise Refusal(404, "no-photo")
        return photo


def _square_meant(place: str) -> FixPlace:
    """Return the square that a place names, in whatever spelling; an only kingdom is A.

    Raises:
        UsageError: It names none.
    """
    named = parse_place(place)
    return named._replace(kingdom=named.kingdom or kingdom_name(0))


def picture_of(photo: StoredPhoto) -> bytes:
    """Return the bytes of a photo.

    Raises:
        Refusal: They are no longer kept.
    """
    if photo.picture is None:
        raise Refusal(410, "not-kept")
    return photo.picture


def _shown(photo: StoredPhoto, request: Request) -> dict[str, Any]:
    """Show a photo: `kdscore/1`, its id, its fixes, its rules, and what the page draws of it."""
    return {
        **json.loads(photo.result),
        "id": photo.id,
        "fixes": photo.corrections,
        "kept": photo.picture is not None,
        "options": json.loads(photo.options),
        "views": views_of(photo.read, photo.id, language_of(request)),
    }
