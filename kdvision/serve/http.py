"""Requests and answers: bodies that are checked while they come, pages, refusals by sentences."""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Message, Receive

from kdvision.errors import KdvisionError
from kdvision.photo.sources import LIMITS
from kdvision.sentences import ENGLISH, catalogue, languages, sentence
from kdvision.serve.store import MissingError

_LOG = logging.getLogger(__name__)
_TEMPLATES = Path(__file__).parent / "templates"


def language_of(request: Request) -> str:
    """Return the first language of a browser that there is."""
    for part in request.headers.get("accept-language", "").split(","):
        language = part.split(";")[0].strip().lower().split("-")[0]
        if language in languages():
            return language
    return ENGLISH


# ---------------------------------------------------------------- pages


def page(request: Request, name: str, *, status: int = 200, **values: object) -> Response:
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

    say = partial(sentence, language=language)
    words = {"language": language, "say": say, "sentences": sentences, **values}
    return HTMLResponse(_templates().get_template(name).render(words), status)


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    templates.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return templates


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
#: Photos of one address that may be on their way together: a hall may have one address.
MOST_UPLOADS = 64

_Body = TypeVar("_Body")


def watch_body(request: Request) -> Receive:
    """Wrap how a body is received: one that is too large or too slow is refused."""
    is_photo = request.scope["path"] == UPLOADS
    most = LIMITS.max_bytes + _FORM_EXTRA if is_photo else _MOST_BYTES
    end, seen = time.monotonic() + UPLOAD_S, 0

    async def receive() -> Message:
        nonlocal seen
        async with asyncio.timeout(min(SILENT_S, end - time.monotonic())):
            message = await request.receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise Refusal(413, "too-large", {"Connection": "close"}, most=most // 2**20 or 1)
        return message

    return receive


def read_body(
    act: Callable[[Request, _Body], Response],
    kind: type[_Body],
    run: Callable[..., Awaitable[Response]] = run_in_threadpool,
) -> Callable[[Request], Awaitable[Response]]:
    """Make a handler that reads a JSON body and answers the request in a thread.

    Args:
        act: Answers a request with its body.
        kind: The type of the body.
        run: Runs `act` in a thread.
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
        return await run(act, request, body)

    return handler
