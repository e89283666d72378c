"""Photos over HTTP: sent, scored, corrected, given to seats, shown, deleted."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.concurrency import cores
from kdvision.corrections import FixPlace, kingdom_name, parse_place
from kdvision.errors import NoKingdomError, UnreadablePhotoError
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.pipeline.scorer import Scorer
from kdvision.report.json import to_json
from kdvision.result import PhotoResult
from kdvision.serve.evening import Game, Placed, move_kingdom, read_game, seats_for
from kdvision.serve.guard import check_game, client_of, games_of
from kdvision.serve.http import (
    BusyError,
    Limits,
    Refusal,
    Slots,
    Upload,
    language_of,
    read_json,
    read_upload,
    until_kept,
)
from kdvision.serve.store import NOBODY, PhotoRow, Store, new_id, rules_text
from kdvision.serve.views import BOARD_CELLS, board_of, faces_of, upright, views_of

_T = TypeVar("_T")
_ID = re.compile(r"[A-Za-z0-9_-]{22}\Z")
#: A picture whose address changes with what it shows.
_LASTING = {"Cache-Control": "private, max-age=86400, immutable"}
#: Bytes of photos that have arrived and wait for a free core: the phones of a hall at once.
MOST_WAITING_BYTES = 256 * 2**20


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
        self._waiting = 0

    async def run(self, work: Callable[..., _T], *words: object) -> _T:
        """Run work that draws, beside what is scored."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._drawing, work, *words)

    async def score(
        self, picture: bytes, name: str, rules: GameOptions, fixes: Mapping[str, str]
    ) -> PhotoResult:
        """Score a photo; the result of one that cannot be scored holds the reason.

        Raises:
            BusyError: Too many wait already.
            UsageError: A fix is none.
        """

        def scored() -> PhotoResult:
            try:
                return self._scorer.score(picture, rules, name=name, fixes=fixes)
            except (NoKingdomError, UnreadablePhotoError) as error:
                return PhotoResult.of_error(name, error)

        if self._waiting + len(picture) > MOST_WAITING_BYTES:
            raise BusyError
        self._waiting += len(picture)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._scoring, scored)
        finally:
            self._waiting -= len(picture)

    def close(self) -> None:
        """Finish what is under way."""
        for executor in (self._scoring, self._drawing):
            executor.shutdown(wait=True, cancel_futures=True)


class Photos:
    """The handlers of everything below `/api/photos`.

    Args:
        store: Keeps photos.
        scorer: Scores them, from several threads.
        new_game: Begins a game in the evening of today; its id.
        limits: What may arrive.
        threads: Photos that are scored at a time; None for the cores of this machine.
    """

    def __init__(
        self,
        store: Store,
        scorer: Scorer,
        new_game: Callable[[], str],
        limits: Limits,
        threads: int | None = None,
    ) -> None:
        self._store, self._new_game, self._limits = store, new_game, limits
        self.pool = ScoringPool(scorer, threads or cores())
        self._slots = Slots(limits.uploads)

    # ------------------------------------------------------------ new photos

    async def add(self, request: Request) -> Response:
        """`POST /api/photos`: score a photo, keep its result, and give its kingdoms to seats."""
        with self._slots.take(client_of(request.scope)):
            upload = await read_upload(request, self._limits)
        sent = await asyncio.to_thread(self._store.id_of, upload.key) if upload.key else None
        if sent is not None:
            return JSONResponse(await asyncio.to_thread(self._shown, sent, request))
        game = await asyncio.to_thread(self._game_of, upload, request)

        async def attempt() -> Response | None:
            rules = await asyncio.to_thread(self._rules, game)
            read = await self.pool.score(upload.data, upload.name, rules, {})
            if not read.kingdoms:
                why = read.why(language_of(request))
                return JSONResponse({**msgspec.to_builtins(read), "error": why}, 422)
            words = game, upload.name, rules_text(rules), "{}", to_json(read)
            kept = await asyncio.to_thread(self._keep, PhotoRow(new_id(), *words), upload)
            if kept is None:
                return None
            shown = await asyncio.to_thread(self._shown, kept, request)
            return JSONResponse(shown, 201, {"Location": f"/api/photos/{kept}"})

        return await until_kept(attempt)

    def _game_of(self, upload: Upload, request: Request) -> str:
        """Return the game that a photo is for; empty for a new one."""
        games = games_of(request)
        if not upload.game and games is not None:
            if len(games) != 1:
                raise Refusal(422, "no-game")
            return min(games)
        if upload.game:
            self._rules(upload.game)
            check_game(request, upload.game)
        return upload.game

    def _rules(self, game: str) -> GameOptions:
        """Return the rules of a game; a new one has those of the last."""
        row = self._store.game(game) if game else self._store.last_game()
        if game and row is None:
            raise Refusal(404, "no-game")
        return row.options if row else DEFAULT_OPTIONS

    def _keep(self, photo: PhotoRow, upload: Upload) -> str | None:
        """Keep a photo, and give its kingdoms to seats of its game, once.

        Returns the id under which it is kept; None where its game has other rules by now.
        """
        with self._store.transaction():
            if upload.key and (sent := self._store.id_of(upload.key)):
                return sent
            game = photo.game or self._new_game()
            if rules_text(self._rules(game)) != photo.rules:
                return None
            # A game that was deleted while the photo was on its way comes back with it.
            self._store.change_game(game, is_deleted=False)
            seats = seats_for(_existing(read_game(self._store, game)), photo.read.named)
            self._store.add_photo(replace(photo, game=game), upload.key, upload.data, seats)
        return photo.id

    # ------------------------------------------------------------ changes

    async def fix(self, request: Request) -> Response:
        """`POST /api/photos/{id}/fixes`: correct squares, and score again.

        `{"A.c4": "G2"}` adds to the fixes that were made before; `{"A.c4": null}` takes one back.
        """
        changes = await read_json(request)
        for place, cell in changes.items():
            if not (cell is None or isinstance(cell, str)):
                raise Refusal(422, "missing", name=place[:20], example='it as "G2"')
        id_ = (await asyncio.to_thread(self._named, request)).id

        async def attempt() -> bool | None:
            photo = await asyncio.to_thread(self._photo, id_)
            after = await self.rescored(photo, changes)
            return await asyncio.to_thread(self._store.change_photo, photo, after) or None

        await until_kept(attempt)
        return JSONResponse(await asyncio.to_thread(self._shown, id_, request))

    async def rescored(
        self, photo: PhotoRow, fixes: Mapping[str, str | None], rules: GameOptions | None = None
    ) -> PhotoRow:
        """Score a photo with more fixes or by other rules; it is not kept yet.

        Args:
            photo: The photo.
            fixes: They add to those that it has; one of None goes.
            rules: The rules; None leaves them.

        Raises:
            Refusal: No kingdom is left.
        """
        changed = {*map(_square_meant, fixes)}
        merged = {
            place: cell
            for place, cell in photo.corrections.items()
            if _square_meant(place) not in changed
        }
        merged |= {str(_square_meant(place)): cell for place, cell in fixes.items() if cell}
        picture = await asyncio.to_thread(self._store.picture, photo.id)
        options = rules or GameOptions.from_words(json.loads(photo.rules))
        read = await self.pool.score(picture, photo.name, options, merged)
        if not read.kingdoms:
            raise Refusal(422, "nothing-left")
        return replace(
            photo, rules=rules_text(options), fixes=json.dumps(merged), result=to_json(read)
        )

    def place(self, request: Request, data: dict[str, Any]) -> Response:
        """`PUT /api/photos/{id}/kingdoms/{letter}`: give a kingdom to a seat.

        `{"seat": "blue"}`; `"nobody"` takes it out of the game, null has it asked again. The
        kingdom that was there goes where this one came from, unless it is the same one `again`.
        The answer has what changed `before`, as `[photo, letter, seat]`.
        """
        photo, letter = self._named(request), request.path_params["letter"]
        seat = data.get("seat") or ""
        with self._store.transaction():
            game = _existing(read_game(self._store, photo.game))
            kingdom = photo.read.named.get(letter)
            if kingdom is None:
                raise Refusal(404, "no-kingdom")
            if seat not in ("", NOBODY) and not (isinstance(seat, str) and game.seat(seat)):
                raise Refusal(422, "no-seat")
            before = []
            owners = self._store.kingdoms(game.row.evening)
            placed = Placed(photo, letter, kingdom)
            changes = move_kingdom(game, placed, seat, again=data.get("again") is True)
            for key, colour in changes.items():
                before.append([*key, owners.get(key, "")])
                self._store.place_kingdom(*key, colour)
        return JSONResponse({"game": game.row.id, "before": before})

    def delete(self, request: Request) -> Response:
        """`DELETE /api/photos/{id}`: take a photo out of its game; it can be put back."""
        self._set_deleted(request, is_deleted=True)
        return Response(status_code=204)

    def restore(self, request: Request) -> Response:
        """`POST /api/photos/{id}/restored`: put a deleted photo back."""
        self._set_deleted(request, is_deleted=False)
        return JSONResponse(self._shown(request.path_params["id"], request))

    def _set_deleted(self, request: Request, *, is_deleted: bool) -> None:
        photo = self._named(request, is_deleted=not is_deleted)
        self._store.change_photo(photo, replace(photo, is_deleted=is_deleted))

    # ------------------------------------------------------------ what is shown

    def show(self, request: Request) -> Response:
        """`GET /api/photos/{id}`: the result of a photo."""
        return JSONResponse(self._shown(self._named(request).id, request))

    async def square(self, request: Request) -> Response:
        """`GET /api/photos/{id}/squares/{place}`: what may lie there, and what the box excludes."""
        photo = await asyncio.to_thread(self._visible, request)
        faces = await self.pool.run(faces_of, photo.read, request.path_params["place"])
        return JSONResponse(faces)

    async def picture(self, request: Request) -> Response:
        """`GET /api/photos/{id}/picture`: the photo, upright, at the size of a page."""
        photo = await asyncio.to_thread(self._named, request)
        picture = await asyncio.to_thread(self._store.picture, photo.id)
        return Response(await self.pool.run(upright, picture), media_type="image/jpeg")

    async def board(self, request: Request) -> Response:
        """`GET /api/photos/{id}/boards/A`: one kingdom, cut out and rectified (JPEG).

        `?cell=28` has smaller squares. An address with `v` changes with what it shows.
        """
        photo = await asyncio.to_thread(self._named, request)
        picture = await asyncio.to_thread(self._store.picture, photo.id)
        small, large = BOARD_CELLS
        cell = small if request.query_params.get("cell") == str(small) else large
        words = picture, photo.read, request.path_params["letter"], cell
        data = await self.pool.run(board_of, *words)
        if data is None:
            raise Refusal(404, "no-kingdom")
        headers = _LASTING if "v" in request.query_params else None
        return Response(data, media_type="image/jpeg", headers=headers)

    def _named(self, request: Request, *, is_deleted: bool = False) -> PhotoRow:
        """Return the photo that a request names, which its phone may see.

        Raises:
            Refusal: There is none, or it is of another game.
        """
        photo = self._photo(request.path_params["id"])
        games = games_of(request)
        if photo.is_deleted != is_deleted or (games is not None and photo.game not in games):
            raise Refusal(404, "no-photo")
        return photo

    def _visible(self, request: Request) -> PhotoRow:
        """Return the photo that a request names, if its phone may see what was read.

        Raises:
            Refusal: The players of its game have not claimed their totals yet.
        """
        photo = self._named(request)
        game = _existing(read_game(self._store, photo.game))
        if game.is_hidden(organiser=games_of(request) is None):
            raise Refusal(403, "claim-first")
        return photo

    def _photo(self, id_: str) -> PhotoRow:
        photo = self._store.photo(id_) if _ID.match(id_) else None
        if photo is None:
            raise Refusal(404, "no-photo")
        return photo

    def _shown(self, id_: str, request: Request) -> dict[str, Any]:
        """Show a photo: `kdscore/1`, its id, game and fixes, and what the page draws of it.

        Where totals are kept back until all have claimed, it has no kingdoms.
        """
        photo = self._photo(id_)
        game = _existing(read_game(self._store, photo.game))
        shown = {
            **msgspec.to_builtins(photo.read),
            "id": photo.id,
            "game": photo.game,
            "fixes": photo.corrections,
            "views": views_of(photo.read, photo.id, language_of(request)),
        }
        if game.is_hidden(organiser=games_of(request) is None):
            shown |= {"kingdoms": [], "views": [], "hidden": len(photo.read.kingdoms)}
        return shown


def _existing(game: Game | None) -> Game:
    if game is None:
        raise Refusal(404, "no-game")
    return game


def _square_meant(place: str) -> FixPlace:
    """Return the square that a place names, in whatever spelling; an only kingdom is A.

    Raises:
        UsageError: It names none.
    """
    named = parse_place(place)
    return named._replace(kingdom=named.kingdom or kingdom_name(0))
