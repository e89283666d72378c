"""What a server takes: its limits, room for photos, and bodies that are checked as they arrive."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from msgspec import Struct
from python_multipart.exceptions import MultipartParseError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message

from kdvision.concurrency import cores
from kdvision.errors import UsageError
from kdvision.options import GameOptions
from kdvision.photo.settings import PHOTO
from kdvision.report.text import printable
from kdvision.serve.answers import BusyError, Refusal
from kdvision.tournament.columns import name_key

_T = TypeVar("_T")

#: Letters of the name of a player or of a game.
NAME_LETTERS = 60
#: A spreadsheet takes a cell that begins so for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
#: Players of a game: more than any box has kings for.
MOST_SEATS = 8
#: Letters of a photo's name that are kept.
_FILE_LETTERS = 80
#: A form has a handful of fields beside the photo; each is a few letters.
_MOST_FIELDS = 10
#: What is no option of the game.
_OWN_FIELDS = ("photo", "key", "game", "seat")
#: Bytes that a multipart body has besides the photo.
_FORM_EXTRA = 16 * 2**10
#: So often a change is made anew when others change the same: more than players at a table.
_MOST_TRIES = 8


class ServeSettings(Struct, frozen=True):
    """What a server allows.

    Attributes:
        max_photo_bytes: Bytes of one photo, as on the command line.
        max_form_bytes: Bytes of any other body; the longest is a list of fixes.
        max_bytes_held: Bytes of photos that are on their way or wait to be scored, all together:
            what is beyond is answered 503. It bounds memory, whatever the phones send.
        max_waiting: Photos that wait for a free thread; a table of 50 players at once.
        upload_s: Seconds in which the body of a request must have arrived: 64 MB over a network of
            a megabit a second.
        keep_photos_s: Seconds for which pictures are kept, for the overlay and for fixes.
        most_picture_bytes: Bytes of all pictures that are kept together.
        threads: Photos that are scored at the same time.
    """

    max_photo_bytes: int = PHOTO.max_bytes
    max_form_bytes: int = 64 * 2**10
    max_bytes_held: int = 192 * 2**20
    max_waiting: int = 50
    upload_s: float = 600.0
    keep_photos_s: float = 12 * 3600.0
    most_picture_bytes: int = 4000 * 10**6
    threads: int = cores()


DEFAULT_SETTINGS = ServeSettings()


# ---------------------------------------------------------------- room

#: Counts bytes that have arrived, and raises BusyError where there is no room for them.
Hold = Callable[[int], None]


@dataclass(slots=True)
class Room:
    """What is under way: photos, and the bytes of them that are held. For the event loop only."""

    settings: ServeSettings
    photos: int = 0
    held: int = 0

    @contextmanager
    def photo(self) -> Iterator[Hold]:
        """Take room for one photo, from its first byte to its result.

        Yields:
            What counts bytes of it that have arrived. It raises BusyError where all photos
            together are too large.

        Raises:
            BusyError: There is none.
        """
        if self.photos >= self.settings.max_waiting + self.settings.threads:
            raise BusyError
        own = 0

        def hold(count: int) -> None:
            nonlocal own
            if self.held + count > self.settings.max_bytes_held:
                raise BusyError
            own += count
            self.held += count

        self.photos += 1
        try:
            yield hold
        finally:
            self.photos -= 1
            self.held -= own


# ---------------------------------------------------------------- what arrives


class Upload(Struct, frozen=True):
    """A photo that arrived whole.

    `key` names the upload, as its sender chose: the same photo sent again is not scored again.
    `game` is the game of the evening that it belongs to, empty for none, and `seat` that of its one
    kingdom, where its sender said so.
    """

    name: str
    data: bytes
    options: GameOptions
    key: str
    game: str = ""
    seat: int | None = None


async def read_upload(request: Request, settings: ServeSettings, hold: Hold) -> Upload:
    """Read the photo of a multipart form, with the options of the game.

    Raises:
        Refusal: It is too large, too slow, or no such form, or names no game.
        BusyError: There is no room for so many bytes now.
        UsageError: An option makes no sense.
    """
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise Refusal(415, "no-form")
    limit_body(request, settings.max_photo_bytes + _FORM_EXTRA, hold)
    try:
        async with (
            asyncio.timeout(settings.upload_s),
            request.form(max_files=1, max_fields=_MOST_FIELDS) as form,
        ):
            photo = form.get("photo")
            if not isinstance(photo, UploadFile):
                raise Refusal(422, "no-form")
            return Upload(
                name=_name(photo.filename or ""),
                data=await photo.read(),
                options=GameOptions.from_words(
                    {name: _text(form, name) for name in form if name not in _OWN_FIELDS}
                ),
                key=_key(form),
                game=written_name(game) if (game := _text(form, "game")) else "",
                seat=_seat(form),
            )
    except TimeoutError:
        raise Refusal(408, "too-slow") from None
    except (MultiPartException, MultipartParseError, UnicodeError, ClientDisconnect):
        raise Refusal(400, "broken-off") from None


async def read_json(request: Request, settings: ServeSettings) -> dict[str, Any]:
    """Read a small JSON object.

    Raises:
        Refusal: It is too large, too slow, or none.
    """
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise Refusal(415, "no-json")
    body = await read_body(request, settings.max_form_bytes, settings.upload_s)
    try:
        data = json.loads(body)
        # Half a character (a surrogate alone) can be neither kept nor answered.
        json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Refusal(400, "no-json") from None
    if not isinstance(data, dict):
        raise Refusal(422, "no-json")
    return data


def with_body(
    act: Callable[[Request, dict[str, Any]], Response], settings: ServeSettings
) -> Callable[[Request], Awaitable[Response]]:
    """Make a handler of what answers a request and its JSON object, in a thread."""

    async def handler(request: Request) -> Response:
        return await run_in_threadpool(act, request, await read_json(request, settings))

    return handler


async def read_body(request: Request, most: int, seconds: float) -> bytes:
    """Read a small body.

    Raises:
        Refusal: It has more bytes than `most`, takes longer, or breaks off.
    """
    limit_body(request, most)
    try:
        async with asyncio.timeout(seconds):
            return await request.body()
    except TimeoutError:
        raise Refusal(408, "too-slow") from None
    except ClientDisconnect:
        raise Refusal(400, "broken-off") from None


async def until_kept(attempt: Callable[[], Awaitable[_T | None]]) -> _T:
    """Make a change anew while others change the same photo or game.

    Args:
        attempt: Makes it of what holds now; None where somebody else was faster.

    Raises:
        BusyError: Others were faster every time.
    """
    for _ in range(_MOST_TRIES):
        if (kept := await attempt()) is not None:
            return kept
    raise BusyError


def limit_body(request: Request, most: int, hold: Hold | None = None) -> None:
    """Count the bytes of a body while they arrive, and stop when they are too many.

    Raises:
        Refusal: It says that it has more; what reads it raises this once more have come.
    """
    length = request.headers.get("content-length", "")
    too_large = Refusal(413, "too-large", most=most // 2**20 or 1)
    if length.isdigit() and int(length) > most:
        raise too_large
    receive, seen = request._receive, 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        size = len(message.get("body", b""))
        seen += size
        if seen > most:
            raise too_large
        if hold is not None:
            hold(size)
        return message

    request._receive = counted


def seat_of(text: str) -> int | None:
    """Read the number of a seat; None for any other text."""
    return next((seat for seat in range(1, MOST_SEATS + 1) if text == str(seat)), None)


def written_name(value: object) -> str:
    """Return a name that a person wrote, with single blanks.

    Raises:
        Refusal: It is no text, too long, or a spreadsheet would take it for a formula.
    """
    text = " ".join(value.split()) if isinstance(value, str) else ""
    if not name_key(text) or len(text) > NAME_LETTERS or printable(text) != text:
        raise Refusal(422, "no-name", most=NAME_LETTERS)
    if text.startswith(FORMULA):
        raise Refusal(422, "name-is-formula")
    return text


def _name(text: str) -> str:
    """Return what a photo is called in results. It never becomes part of a path."""
    last = text.replace("\\", "/").rsplit("/", 1)[-1]
    kept = "".join(letter for letter in last if letter.isprintable())[:_FILE_LETTERS].strip()
    return kept or "photo"


def _key(form: FormData) -> str:
    key = _text(form, "key")
    if len(key) > 64 or not key.isascii() or (not key.replace("-", "").isalnum() and key):
        raise UsageError("The key of the upload is none.", "Write up to 64 letters and digits.")
    return key


def _seat(form: FormData) -> int | None:
    text = _text(form, "seat")
    if text and not seat_of(text):
        raise UsageError(f"seat is {text[:20]!r}.", f"Write a number from 1 to {MOST_SEATS}.")
    return seat_of(text)


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    if not isinstance(value, str):
        raise UsageError(f"{name} is a file.", "Write it as text.")
    return value.strip()
