"""What is refused, and what went wrong: a status and a sentence in the language of who asked."""

import logging
import sqlite3
from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from kdvision.errors import KdvisionError
from kdvision.sentences import ENGLISH, sentence
from kdvision.serve.languages import language_of
from kdvision.serve.store import MissingError

_LOG = logging.getLogger(__name__)


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
        self.code = code
        self.fields = fields
        super().__init__(status, self.text(ENGLISH), dict(headers or {}))

    def text(self, language: str) -> str:
        """Say it in a language."""
        return sentence(f"refusal.{self.code}", language, **self.fields)


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
