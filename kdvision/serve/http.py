"""Requests and answers: bodies that are checked while they come, pages, refusals by sentences."""

import asyncio
import json
import logging
import sqlite3
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Message, Receive

from kdvision import __version__
from kdvision.errors import KdvisionError
from kdvision.photo.photo import PHOTO
from kdvision.sentences import DEFAULT_LANGUAGE, catalogue, languages, sentence
from kdvision.serve.store import MissingError

_LOG = logging.getLogger(__name__)
_TEMPLATES = Path(__file__).parent / "templates"
#: A page is another one in another language.
_VARY = {"Vary": "Accept-Language"}
#: Seconds after which a phone that was turned away asks again.
RETRY_AFTER_S = 2


def language_of(request: Request) -> str:
    """Return the first language of a browser that there is."""
    for part in request.headers.get("accept-language", "").split(","):
        language = part.split(";")[0].strip().lower().split("-")[0]
        if language in languages():
            return language
    return DEFAULT_LANGUAGE


# ---------------------------------------------------------------- pages


def page(
    request: Request,
    name: str,
    *,
    status: int = 200,
    **values: object,
) -> Response:
    """Answer with a page in the language of a browser; values are escaped.

    Args:
        request: Whose language it is.
        name: The file of its template, which says sentences by `say`, and gives its scripts those
            of some rooms by `sentences("page.")`.
        status: The status of the answer.
        values: What the template names.
    """
    language = language_of(request)

    def sentences(*rooms: str) -> dict[str, str]:
        texts = catalogue(language).items()
        return {key: text for key, text in texts if key.startswith(rooms)}

    words = {"version": __version__, "language": language, "sentences": sentences, **values}
    say = partial(sentence, language=language)
    text = _templates().get_template(name).render(say=say, **words)
    return HTMLResponse(text, status, _VARY)


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    templates.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return templates


def sign_in_page(request: Request, *, status: int = 200, reason: str = "") -> Response:
    """Answer with the page that asks for the password."""
    return page(request, "sign_in.html", status=status, reason=reason)


# ---------------------------------------------------------------- refusals


class Refusal(HTTPException):
    """What is refused, by the code of its sentence in the catalogue.

    Args:
        status: The status of the answer.
        code: The code, as in `refusal.no-photo`.
        headers: Headers of the answer.
        fields: What the sentence is filled with.
    """

    def __init__(
        self, status: int, code: str, headers: Mapping[str, str] | None = None, **fields: object
    ) -> None:
        self.code, self.fields = code, fields
        super().__init__(status, self.text(DEFAULT_LANGUAGE), dict(headers or {}))

    def text(self, language: str) -> str:
        """Say it in a language."""
        return sentence(f"refusal.{self.code}", language, **self.fields)

    def answer(self, request: Request) -> Response:
        """Say it in the language of who asked."""
        text = self.text(language_of(request))
        return JSONResponse({"error": text, "code": self.code}, self.status_code, self.headers)


class BusyError(Refusal):
    """There is no room for another photo now."""

    def __init__(self) -> None:
        super().__init__(503, "busy", {"Retry-After": f"{RETRY_AFTER_S}"})


#: What Starlette refuses, by the code of its sentence.
_REFUSED = {400: "broken-off", 404: "no-address", 405: "no-method"}


def answer_to(request: Request, error: Exception) -> Response:
    """Answer what went wrong in the language of who asked."""
    match error:
        case Refusal():
            refusal = error
        case MissingError():
            refusal = Refusal(404, f"no-{error}")
        case KdvisionError():
            return JSONResponse({"error": error.text(language_of(request))}, 422)
        case HTTPException(status_code=status, headers=headers):
            fields = {"why": error.detail, "method": request.method[:20]}
            refusal = Refusal(status, _REFUSED.get(status, "general"), headers, **fields)
        case ClientDisconnect():
            refusal = Refusal(400, "broken-off")
        case TimeoutError():
            refusal = Refusal(408, "too-slow")
        case OSError() | sqlite3.OperationalError():
            # What reads a form writes large photos to the disk.
            _LOG.error("the disk cannot be written: %s", error)
            refusal = Refusal(507, "disk-full", why=getattr(error, "strerror", None) or error)
        case _:
            refusal = Refusal(500, "unexpected")
    return refusal.answer(request)


async def _answered(request: Request, error: Exception) -> Response:
    return answer_to(request, error)


#: How errors are answered, for Starlette.
ERROR_HANDLERS = dict.fromkeys(
    (HTTPException, KdvisionError, ClientDisconnect, OSError, sqlite3.OperationalError, Exception),
    _answered,
)


# ---------------------------------------------------------------- what arrives


#: Where photos are sent.
UPLOADS = "/api/photos"
#: Letters of a photo's name that are kept.
_FILE_LETTERS = 80
#: A form has a key and a game beside the photo, of so many letters each.
_MOST_FIELDS, _MOST_LETTERS = 4, 1024
#: Bytes that a multipart body has besides the photo.
_FORM_EXTRA = 16 * 2**10
#: Bytes of any other body; the longest is a list of fixes.
_MOST_BYTES = 64 * 2**10


#: Seconds without a byte after which a body is given up, and those in which it must have arrived: a
#: phone that lost its network is found by its next try, and 64 MB take ten minutes at a megabit.
SILENT_S, UPLOAD_S = 60.0, 600.0
#: Photos of one address that may be on their way together: a hall may have one address.
MOST_UPLOADS = 64


def watched(request: Request) -> Receive:
    """Wrap what a body arrives by: it has so many bytes, and none of them comes too late.

    Raises:
        Refusal: It says that it has more; what is returned raises this once more have come.
    """
    is_photo = request.scope["path"] == UPLOADS
    most = PHOTO.max_bytes + _FORM_EXTRA if is_photo else _MOST_BYTES
    length = request.headers.get("content-length", "")
    too_large = Refusal(413, "too-large", {"Connection": "close"}, most=most // 2**20 or 1)
    if length.isdigit() and int(length) > most:
        raise too_large
    end, seen = time.monotonic() + UPLOAD_S, 0

    async def receive() -> Message:
        nonlocal seen
        async with asyncio.timeout(min(SILENT_S, end - time.monotonic())):
            message = await request.receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise too_large
        return message

    return receive


class Upload(Struct, frozen=True):
    """A photo that arrived whole.

    `key` names the upload, as its sender chose: the same photo sent again is not scored again.
    `game` is the id of the game that it belongs to, empty for a new one.
    """

    name: str
    data: bytes
    key: str
    game: str


async def read_upload(request: Request) -> Upload:
    """Read the photo of a multipart form.

    Raises:
        Refusal: It is no such form.
    """
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise Refusal(415, "no-form")
    limits = {"max_files": 1, "max_fields": _MOST_FIELDS, "max_part_size": _MOST_LETTERS}
    async with request.form(**limits) as form:
        photo = form.get("photo")
        if not isinstance(photo, UploadFile):
            raise Refusal(422, "no-form")
        name, data = _file_name(photo.filename or ""), await photo.read()
        return Upload(name, data, str(form.get("key", "")), str(form.get("game", "")))


async def read_json(request: Request) -> dict[str, Any]:
    """Read a small JSON object.

    Raises:
        Refusal: It is none.
    """
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise Refusal(415, "no-json")
    body = await request.body()
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
    act: Callable[[Request, dict[str, Any]], Response],
    run: Callable[..., Awaitable[Response]] = run_in_threadpool,
) -> Callable[[Request], Awaitable[Response]]:
    """Make a handler of what answers a request and its JSON object in a thread; `run` has some."""

    async def handler(request: Request) -> Response:
        return await run(act, request, await read_json(request))

    return handler


def _file_name(text: str) -> str:
    """Return what a photo is called in results. It never becomes part of a path."""
    last = text.replace("\\", "/").rsplit("/", 1)[-1]
    kept = "".join(letter for letter in last if letter.isprintable())[:_FILE_LETTERS].strip()
    return kept or "photo"
