"""Answers in the language of who asks: pages from their templates, and refusals."""

import logging
import sqlite3
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision import __version__
from kdvision.errors import KdvisionError
from kdvision.sentences import DEFAULT_LANGUAGE, catalogue, languages, sentence

_LOG = logging.getLogger(__name__)
_TEMPLATES = Path(__file__).parent / "templates"
#: A page is another one in another language.
_VARY = {"Vary": "Accept-Language"}
#: Seconds after which a phone that was turned away asks again.
RETRY_AFTER_S = 2


def language_of(request: Request) -> str:
    """Return the language that is asked for, or the first of a browser that there is."""
    asked = request.query_params.get("language", ""), request.headers.get("accept-language", "")
    for part in ",".join(asked).split(","):
        language = part.split(";")[0].strip().lower().split("-")[0]
        if language in languages():
            return language
    return DEFAULT_LANGUAGE


# ---------------------------------------------------------------- pages


def page(
    request: Request,
    name: str,
    *,
    rooms: tuple[str, ...] = (),
    status: int = 200,
    media_type: str = "text/html",
    **values: object,
) -> Response:
    """Answer with a page in the language of a browser; values are escaped.

    Args:
        request: Whose language it is.
        name: The file of its template, which says sentences by `say`.
        rooms: The rooms of the catalogue that its scripts say sentences of, such as `page.`.
        status: The status of the answer.
        media_type: What the template makes.
        values: What the template names.
    """
    language = language_of(request)
    text = (
        _templates()
        .get_template(name)
        .render(
            version=__version__,
            language=language,
            sentences={
                key: text for key, text in catalogue(language).items() if key.startswith(rooms)
            },
            say=partial(sentence, language=language),
            **values,
        )
    )
    return Response(text, status, _VARY, media_type)


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    templates.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return templates


def sign_in_page(request: Request, target: str, *, status: int = 200, reason: str = "") -> Response:
    """Answer with the page that asks for the password; it leads to `target`."""
    action = "?" + urlencode({"next": target})
    return page(request, "sign_in.html", status=status, action=action, reason=reason)


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


#: What only the routes refuse, by the code of its sentence.
_REFUSED_BY_ROUTES = {404: "no-address", 405: "no-method"}


class BusyError(Refusal):
    """There is no room for another photo now."""

    def __init__(self) -> None:
        super().__init__(503, "busy", {"Retry-After": f"{RETRY_AFTER_S}"})


async def _refused(request: Request, error: Exception) -> Response:
    if isinstance(error, Refusal):
        return error.answer(request)
    if isinstance(error, KdvisionError):
        return JSONResponse({"error": error.text(language_of(request))}, 422)
    if not isinstance(error, HTTPException):
        return Refusal(422, "general", why=error).answer(request)
    status = error.status_code
    fields = {"why": error.detail, "method": request.method[:20]}
    code = _REFUSED_BY_ROUTES.get(status, "general")
    return Refusal(status, code, error.headers, **fields).answer(request)


async def _full(request: Request, error: Exception) -> Response:
    _LOG.error("the disk cannot be written: %s", error)
    why = getattr(error, "strerror", None) or error
    return Refusal(507, "disk-full", why=why).answer(request)


async def _unexpected(request: Request, error: Exception) -> Response:
    return Refusal(500, "unexpected").answer(request)


#: How errors are answered, for Starlette.
ERROR_HANDLERS = {
    HTTPException: _refused,
    KdvisionError: _refused,
    sqlite3.OperationalError: _full,
    # What reads a form writes large photos to the disk.
    OSError: _full,
    Exception: _unexpected,
}
