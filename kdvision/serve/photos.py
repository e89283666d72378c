"""Photos over HTTP: sent, read, corrected, given to seats, shown, deleted."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import msgspec
from msgspec import Struct
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.concurrency import cores
from kdvision.result import PhotoResult
from kdvision.serve.bodies import UPLOADS
from kdvision.serve.evening import GameView
from kdvision.serve.evenings import Evenings
from kdvision.serve.guard import check_game, device_of, viewer_of
from kdvision.serve.languages import language_of
from kdvision.serve.log import Corrected, PhotoDeleted, PhotoTaken, Seated
from kdvision.serve.readings import Readings
from kdvision.serve.refusals import Refusal
from kdvision.serve.rights import say
from kdvision.serve.state import Game, GamePhoto
from kdvision.serve.store import MissingError, Store, id_of_key, new_id
from kdvision.serve.views import BOARD_CELLS, cut_board, make_views, turn_upright

#: A picture whose address changes with what it shows.
_LASTING = {"Cache-Control": "private, max-age=86400, immutable"}
#: Fields of a form at most: it has a key and a game beside the photo.
_MOST_FIELDS = 4
#: Letters of a field at most.
_MOST_LETTERS = 1024
#: Letters of a photo's name that are kept.
_NAME_LETTERS = 80


class SeatChoice(Struct, forbid_unknown_fields=True):
    """The body of a request that gives a kingdom to a seat.

    `seat` is None for what its castle says, `nobody` to take it out of the game; `again` says that
    it is the kingdom that the seat has.
    """

    seat: Literal["pink", "yellow", "green", "blue", "nobody"] | None
    again: bool = False


class PhotoView(Struct, frozen=True):
    """A photo with what it shows, and its game; a deleted one is in no game any more."""

    photo: GamePhoto
    result: PhotoResult
    game: GameView

    @property
    def game_id(self) -> str:
        """The id of its game."""
        return self.game.game.id


class Photos:
    """The handlers of everything below `/api/photos`.

    Args:
        store: Keeps photos and the log.
        evenings: Evenings and games as they stand.
        readings: Reads and judges photos, from several threads.
    """

    def __init__(self, store: Store, evenings: Evenings, readings: Readings) -> None:
        self._store = store
        self._evenings = evenings
        self._readings = readings
        self._scoring = ThreadPoolExecutor(cores(), "scoring")
        self._drawing = threading.Semaphore(cores())

    def close(self) -> None:
        """Finish what is under way."""
        self._scoring.shutdown(wait=True, cancel_futures=True)

    # ------------------------------------------------------------ new photos

    async def add(self, request: Request) -> Response:
        """`POST /api/photos`: read a photo, keep it, and give its kingdoms to seats.

        A multipart form with the `photo`, and where wanted the id of its `game`, and a `key` that
        its sender chose: the same photo sent again is not read again.
        """
        if not request.headers.get("content-type", "").startswith("multipart/form-data"):
            raise Refusal(415, "no-form")
        limits = {"max_files": 1, "max_fields": _MOST_FIELDS, "max_part_size": _MOST_LETTERS}
        async with request.form(**limits) as form:
            if not isinstance(form.get("photo"), UploadFile):
                raise Refusal(422, "no-form")
            # It is read when a core is free for it.
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._scoring, self._add, request, form)

    def _add(self, request: Request, form: FormData) -> Response:
        upload = form["photo"]
        key = str(form.get("key", ""))
        game_id = str(form.get("game", ""))
        assert isinstance(upload, UploadFile)
        photo_id = id_of_key(key) if key else new_id()
        if self._store.game_of(photo_id):
            return self._show_again(request, photo_id)
        # A photo that waits for a core lies on the disk until now.
        picture = upload.file.read()
        name = (upload.filename or "photo")[-_NAME_LETTERS:]
        # A photo that is going to be refused is not read.
        if game_id or not viewer_of(request).is_organiser:
            self._choose_game(request, game_id)
        reading = self._readings.read(picture, name)
        with self._evenings.changing():
            if self._store.game_of(photo_id):
                return self._show_again(request, photo_id)
            game = self._choose_game(request, game_id)
            self._store.keep_picture(photo_id, picture, reading)
            entries = say(request, self._evenings, game.id, PhotoTaken(photo_id, name))
        # Judged here by several cores; whoever looks at the game then has the result.
        self._readings.judge(GamePhoto(photo_id, name, {}, {}), game.rules, {}, game.sheet_seats)
        shown = self._show(self._find_photo(request, photo_id), request)
        headers = {"Location": f"{UPLOADS}/{photo_id}"}
        return JSONResponse(shown | {"entries": entries}, 201, headers)

    def _show_again(self, request: Request, id_: str) -> Response:
        """Answer a photo whose first answer was lost; it may have been deleted since."""
        try:
            return JSONResponse(self._show(self._find_photo(request, id_), request))
        except MissingError:
            game = self._store.game_of(id_)
            return JSONResponse({"id": id_, "game": game, "kingdoms": [], "views": []})

    def _choose_game(self, request: Request, id_: str) -> Game:
        """Return the game that a photo is for; one begins where it is for none.

        Raises:
            Refusal: Its phone has only the codes of others.
            MissingError: There is none.
        """
        if not id_ and viewer_of(request).is_organiser:
            return self._evenings.next_game(device_of(request))
        check_game(request, id_)
        return self._evenings.game(id_).game

    # ------------------------------------------------------------ changes

    def fix(self, request: Request, changes: dict[str, str | None]) -> Response:
        """`POST /api/photos/{id}/fixes`: correct squares.

        `{"A.c4": "G2"}` adds to the corrections that were made before; `{"A.c4": null}` takes one
        back.

        Raises:
            UsageError: A correction cannot be.
        """
        view = self._find_photo(request)
        fixes = {**view.photo.fixes, **changes}
        made = {place: cell for place, cell in fixes.items() if cell is not None}
        game = view.game.game
        self._readings.judge(view.photo, game.rules, made, game.sheet_seats)
        said = Corrected(view.photo.id, changes)
        entries = say(request, self._evenings, view.game_id, said)
        view = self._find_photo(request)
        return JSONResponse(self._show(view, request) | {"entries": entries})

    def place(self, request: Request, choice: SeatChoice) -> Response:
        """`PUT /api/photos/{id}/kingdoms/{letter}`: say whose kingdom it is.

        It takes the place of the kingdom that was given to the seat, unless it is the same one
        `again`.
        """
        letter = request.path_params["letter"]
        with self._evenings.changing():
            view = self._find_photo(request)
            if letter not in view.result.named:
                raise Refusal(404, "no-kingdom")
            said = Seated(view.photo.id, letter, choice.seat, choice.again)
            entries = say(request, self._evenings, view.game_id, said)
        return JSONResponse({"game": view.game_id, "entries": entries})

    def delete(self, request: Request) -> Response:
        """`DELETE /api/photos/{id}`: take a photo out of its game."""
        with self._evenings.changing():
            view = self._find_photo(request)
            said = PhotoDeleted(view.photo.id)
            entries = say(request, self._evenings, view.game_id, said)
        return JSONResponse({"game": view.game_id, "entries": entries})

    # ------------------------------------------------------------ what is shown

    def show(self, request: Request) -> Response:
        """`GET /api/photos/{id}`: the result of a photo."""
        return JSONResponse(self._show(self._find_photo(request), request))

    def picture(self, request: Request) -> Response:
        """`GET /api/photos/{id}/picture`: the photo, upright, at the size of a page."""
        picture = self._store.picture(self._find_photo(request).photo.id)
        with self._drawing:
            return Response(turn_upright(picture), media_type="image/jpeg")

    def board(self, request: Request) -> Response:
        """`GET /api/photos/{id}/boards/A`: one kingdom, cut out and rectified (JPEG).

        `?cell=28` has smaller squares. An address with `v` changes with what it shows.
        """
        view = self._find_photo(request)
        letter = request.path_params["letter"]
        picture = self._store.picture(view.photo.id)
        small, large = BOARD_CELLS
        cell = small if request.query_params.get("cell") == str(small) else large
        with self._drawing:
            board = cut_board(picture, view.result, letter, cell)
        if board is None:
            raise Refusal(404, "no-kingdom")
        headers = _LASTING if "v" in request.query_params else None
        return Response(board, media_type="image/jpeg", headers=headers)

    def _find_photo(self, request: Request, id_: str = "") -> PhotoView:
        """Return the photo that a request names, which its phone may see.

        Raises:
            Refusal: It is of another game.
            MissingError: There is none, or it is deleted.
        """
        id_ = id_ or request.path_params["id"]
        game = self._store.game_of(id_)
        ids = viewer_of(request).games
        if not game or (ids is not None and game not in ids):
            raise Refusal(404, "no-photo")
        view = self._evenings.game(game)
        for photo, result in zip(view.game.photos, view.results, strict=True):
            if photo.id == id_:
                return PhotoView(photo, result, view)
        raise MissingError("photo")

    def _show(self, view: PhotoView, request: Request) -> dict[str, Any]:
        """Show a photo: `kdscore/1`, its id, game and fixes, and what the page draws of it.

        `notes` say in the language of who asks what was left out of it, region by region. While
        totals are kept back, there are no kingdoms and no notes, only the number `hidden`.
        """
        result = view.result
        plain = {
            **msgspec.to_builtins(result),
            "id": view.photo.id,
            "game": view.game_id,
            "fixes": dict(view.photo.fixes),
            "notes": [note.text(language_of(request)) for note in result.left_out],
            "views": make_views(result, language_of(request), view.photo.fixes),
        }
        if view.game.is_hidden(organiser=viewer_of(request).is_organiser):
            plain |= {"kingdoms": [], "views": [], "notes": [], "hidden": len(result.kingdoms)}
        return plain
