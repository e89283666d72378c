"""What arrives: photos and small JSON bodies, checked while they arrive."""

import asyncio
import json
from typing import Any

from msgspec import Struct
from python_multipart.exceptions import MultipartParseError
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message

from kdvision.errors import UsageError
from kdvision.options import OPTIONS, GameOptions
from kdvision.serve.scoring import Holding
from kdvision.serve.settings import ServeSettings

#: Letters of a photo's name that are kept.
_NAME_LETTERS = 80
#: Letters of the name of a game.
_GAME_LETTERS = 60
_SEATS = ("1", "2", "3", "4", "5", "6", "7", "8")
#: A form has a handful of fields beside the photo; each is a few letters.
_MOST_FIELDS = 10
#: Bytes that a multipart body has besides the photo.
_FORM_EXTRA = 16 * 2**10


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


async def read_upload(request: Request, settings: ServeSettings, holding: Holding) -> Upload:
    """The photo of a multipart form, with the options of the game.

    Raises:
        HTTPException: It is too large, too slow, or no such form.
        BusyError: There is no room for so many bytes now.
        UsageError: An option makes no sense.
    """
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise HTTPException(415, "Send a form (multipart/form-data) with a file named photo.")
    _limit(request, settings.max_photo_bytes + _FORM_EXTRA, holding)
    try:
        async with (
            asyncio.timeout(_patience_s(request, settings)),
            request.form(max_files=1, max_fields=_MOST_FIELDS) as form,
        ):
            photo = form.get("photo")
            if not isinstance(photo, UploadFile):
                raise HTTPException(422, "The form has no file named photo.")
            seat = _text(form, "seat")
            return Upload(
                name=_name(photo.filename or ""),
                data=await photo.read(),
                options=_options(form),
                key=_key(form),
                game=" ".join(_text(form, "game").split())[:_GAME_LETTERS],
                seat=int(seat) if seat in _SEATS else None,
            )
    except TimeoutError:
        raise HTTPException(408, "The photo took too long to arrive. Send it again.") from None
    except (MultiPartException, MultipartParseError, UnicodeError, ClientDisconnect):
        raise HTTPException(400, "The form is not complete. Send it again.") from None


async def read_json(request: Request, settings: ServeSettings) -> dict[str, Any]:
    """A small JSON object.

    Raises:
        HTTPException: It is too large, too slow, or none.
    """
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise HTTPException(415, "Send JSON (application/json).")
    _limit(request, settings.max_form_bytes, None)
    try:
        async with asyncio.timeout(settings.upload_s):
            data = json.loads(await request.body())
        # Half a character (a surrogate alone) can be neither kept nor answered.
        json.dumps(data, ensure_ascii=False).encode()
    except TimeoutError:
        raise HTTPException(408, "The request took too long to arrive. Send it again.") from None
    except (ValueError, RecursionError, ClientDisconnect):
        raise HTTPException(400, "This is no JSON.") from None
    if not isinstance(data, dict):
        raise HTTPException(422, "Send one JSON object.")
    return data


def _patience_s(request: Request, settings: ServeSettings) -> float:
    """Return the seconds in which a body must have arrived: a large one may come slowly."""
    length = request.headers.get("content-length", "")
    bytes_said = min(int(length[:12]), settings.max_photo_bytes) if length.isdigit() else 0
    return settings.upload_s + bytes_said / settings.slowest_bytes_s


def _limit(request: Request, most: int, holding: Holding | None) -> None:
    """Count the bytes of a body while they arrive, and stop when they are too many."""
    length = request.headers.get("content-length", "")
    too_large = HTTPException(413, f"At most {most // 2**20 or 1} MB can be sent at once.")
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
        if holding is not None:
            holding.add(size)
        return message

    request._receive = counted


def _name(text: str) -> str:
    """What a photo is called in results. It never becomes part of a path."""
    last = text.replace("\\", "/").rsplit("/", 1)[-1]
    kept = "".join(letter for letter in last if letter.isprintable())[:_NAME_LETTERS].strip()
    return kept or "photo"


def _options(form: FormData) -> GameOptions:
    return GameOptions.from_words({option.name: _text(form, option.name) for option in OPTIONS})


def _key(form: FormData) -> str:
    key = _text(form, "key")
    if len(key) > 64 or not key.isascii() or (not key.replace("-", "").isalnum() and key):
        raise UsageError("The key of the upload is none.", "Write up to 64 letters and digits.")
    return key


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    if not isinstance(value, str):
        raise UsageError(f"{name} is a file.", "Write it as text.")
    return value.strip()
