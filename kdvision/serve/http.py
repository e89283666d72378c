"""Requests and answers: bodies that are checked while they come, pages, refusals by sentences."""

import asyncio
import gzip
import hashlib
import logging
import re
import sqlite3
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import Message, Receive

from kdvision.errors import KdvisionError
from kdvision.photo.sources import LIMITS
from kdvision.sentences import ENGLISH, catalogue, languages, sentence
from kdvision.serve.store import MissingError

_LOG = logging.getLogger(__name__)
#: How hard answers are compressed, from 1 to 9: more takes longer than it saves.
_PACKED_LEVEL = 5
_TEMPLATES = Path(__file__).parent / "templates"


#: The cookie of the language that a person chose on the page.
LANGUAGE_COOKIE = "kdscore-language"
#: The weight of a language in `Accept-Language`, from 0 for none at all to 1.
_WEIGHT = re.compile(r";\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$")


def language_of(request: Request) -> str:
    """Return the language that a person chose, else the one that the browser likes most."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    if chosen in languages():
        return str(chosen)
    weights: dict[str, float] = {}
    for part in request.headers.get("accept-language", "").split(","):
        weight = _WEIGHT.search(part)
        language = part.split(";")[0].strip().lower().split("-")[0]
        if language in languages():
            value = float(weight[1]) if weight else 1.0
            weights[language] = max(value, weights.get(language, 0.0))
    best = max(weights, key=lambda language: weights[language], default=ENGLISH)
    return best if weights.get(best) else ENGLISH


#: Seconds for which a phone keeps a language: a year.
_LANGUAGE_S = 365 * 24 * 3600


def keep_language(request: Request, language: str) -> Response:
    """Lead back to the page, in a language that a person chose."""
    answer = RedirectResponse("/", 303)
    if language in languages():
        secure = request.url.scheme == "https"
        options: dict[str, Any] = {"max_age": _LANGUAGE_S, "samesite": "strict", "secure": secure}
        answer.set_cookie(LANGUAGE_COOKIE, language, httponly=True, **options)
    return answer


# ---------------------------------------------------------------- pages


def page(request: Request, name: str, *, status: int = 200, **values: object) -> Response:
    """Answer with a page in the language of a browser; values are escaped.

    Args:
        request: Whose language it is.
        name: The file of its template, which says sentences by `say`, and gives its scripts those
            with some beginnings by `sentences("page.")`.
        status: The status of the answer.
        values: What the template names.
    """
    language = language_of(request)

    def sentences(*beginnings: str) -> dict[str, str]:
        texts = catalogue(language).items()
        return {key: text for key, text in texts if key.startswith(beginnings)}

    say = partial(sentence, language=language)
    words = {"language": language, "say": say, "say_in": sentence, "sentences": sentences}
    return HTMLResponse(_templates().get_template(name).render(words | values), status)


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    templates.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return templates


class Packed:
    """What many phones ask for, compressed once; its tag is another one for another content.

    Args:
        data: What is answered.
        kind: Its media type.
        headers: More headers of the answer.
    """

    def __init__(self, data: bytes, kind: str, **headers: str) -> None:
        self._data, self._kind = data, kind
        self._packed = gzip.compress(data, _PACKED_LEVEL, mtime=0)
        tag = f'"{hashlib.sha256(data).hexdigest()[:24]}"'
        self._headers = {"ETag": tag, "Vary": "Accept-Encoding"} | headers

    @classmethod
    def of(cls, value: object) -> "Packed":
        """Return a value as JSON."""
        return cls(msgspec.json.encode(value), "application/json")

    def answer(self, request: Request) -> Response:
        """Answer, or say that the page has it already."""
        headers, body = dict(self._headers), self._data
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        is_smaller = len(self._packed) < len(body)
        if is_smaller and "gzip" in request.headers.get("accept-encoding", ""):
            body, headers["Content-Encoding"] = self._packed, "gzip"
        return Response(body, headers=headers, media_type=self._kind)


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
        super().__init__(status, self.text(ENGLISH), dict(headers or {}))

    def text(self, language: str) -> str:
        """Say it in a language."""
        return sentence(f"refusal.{self.code}", language, **self.fields)


def sign_in_page(request: Request, error: Refusal) -> Response:
    """Answer with the page that asks for the password, and say why."""
    why = "" if error.code == "needs-password" else error.text(language_of(request))
    answer = page(request, "sign_in.html", status=error.status_code, reason=why)
    answer.headers.update(error.headers or {})
    return answer


#: What Starlette refuses, by the code of its sentence.
_REFUSED = {400: "broken-off", 404: "no-address", 405: "no-method"}


def answer_error(request: Request, error: Exception) -> Response:
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
        case ClientDisconnect() | TimeoutError():
            refusal = Refusal(408, "too-slow")
        case OSError() | sqlite3.OperationalError():
            # What reads a form writes large photos to the disk.
            _LOG.error("the disk cannot be written: %s", error)
            refusal = Refusal(507, "disk-full", why=getattr(error, "strerror", None) or error)
        case _:
            refusal = Refusal(500, "unexpected")
    text = refusal.text(language_of(request))
    return JSONResponse({"error": text, "code": refusal.code}, refusal.status_code, refusal.headers)


async def _answer(request: Request, error: Exception) -> Response:
    return answer_error(request, error)


#: How errors are answered, for Starlette.
ERROR_HANDLERS = dict.fromkeys(
    (HTTPException, KdvisionError, ClientDisconnect, OSError, sqlite3.OperationalError, Exception),
    _answer,
)


# ---------------------------------------------------------------- what arrives


#: Where photos are sent.
UPLOADS = "/api/photos"
#: Bytes that a multipart body has besides the photo.
_FORM_EXTRA = 16 * 2**10
#: Bytes of any other body; the longest is a list of fixes.
_MOST_BYTES = 64 * 2**10
#: Seconds without a byte after which a body is given up, and those in which it must have arrived: a
#: phone that lost its network is found by its next try, and 64 MB take ten minutes at a megabit.
SILENT_S, UPLOAD_S = 60.0, 600.0
_Body = TypeVar("_Body")


def watch_body(request: Request) -> Receive:
    """Wrap how a body is received.

    It ends with a TimeoutError where it is silent for too long or takes too long, and with a
    Refusal where it is too large.
    """
    most = LIMITS.max_bytes + _FORM_EXTRA if request.scope["path"] == UPLOADS else _MOST_BYTES
    end, received = time.monotonic() + UPLOAD_S, 0

    async def receive() -> Message:
        nonlocal received
        async with asyncio.timeout(min(SILENT_S, end - time.monotonic())):
            message = await request.receive()
        received += len(message.get("body", b""))
        if received > most:
            raise Refusal(413, "too-large", {"Connection": "close"}, most=most // 2**20 or 1)
        return message

    return receive


def client_of(request: Request) -> str:
    """Return the address that a request comes from."""
    return request.client.host if request.client else ""


def read_body(
    act: Callable[[Request, _Body], Response], kind: type[_Body]
) -> Callable[[Request], Awaitable[Response]]:
    """Make a handler that reads a JSON body and answers the request in a thread.

    Args:
        act: Answers a request with its body.
        kind: The type of the body.
    """

    async def handler(request: Request) -> Response:
        if not request.headers.get("content-type", "").startswith("application/json"):
            raise Refusal(415, "no-json")
        try:
            body = msgspec.json.decode(await request.body(), type=kind)
        except msgspec.ValidationError as error:
            raise Refusal(422, "no-value", why=error) from None
        except ValueError:
            raise Refusal(400, "no-json") from None
        return await run_in_threadpool(act, request, body)

    return handler
