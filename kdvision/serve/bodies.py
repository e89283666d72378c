"""Bodies of requests: watched while they arrive, and read as JSON."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive

from kdvision.photo.sources import LIMITS
from kdvision.serve.refusals import Refusal

#: Where photos are sent.
UPLOADS = "/api/photos"
#: Bytes that a multipart body has besides the photo.
_FORM_EXTRA = 16 * 2**10
#: Bytes of any other body; the longest is a list of fixes.
_MOST_BYTES = 2**20
#: Seconds without a byte after which a body is given up: a phone that lost its network tries again.
SILENT_S = 60.0
#: Seconds in which a body must have arrived: 64 MB take ten minutes at a megabit.
UPLOAD_S = 600.0
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
            raise Refusal(413, "too-large", {"Connection": "close"}, most=most // 2**20)
        return message

    return receive


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
