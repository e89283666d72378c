"""Answers that many phones ask for: compressed once, and not sent again while unchanged."""

import gzip
import hashlib

import msgspec
from starlette.requests import Request
from starlette.responses import Response

#: How hard answers are compressed, from 1 to 9: more takes longer than it saves.
_PACKED_LEVEL = 5


class Packed:
    """An answer that many phones ask for, compressed once; its tag changes with its content.

    Args:
        data: What is answered.
        kind: Its media type.
        headers: More headers of the answer.
    """

    def __init__(self, data: bytes, kind: str, **headers: str) -> None:
        self._data = data
        self._kind = kind
        self._packed = gzip.compress(data, _PACKED_LEVEL, mtime=0)
        tag = f'"{hashlib.sha256(data).hexdigest()[:24]}"'
        self._headers = {"ETag": tag, "Vary": "Accept-Encoding"} | headers

    @classmethod
    def of(cls, value: object) -> "Packed":
        """Return a value as JSON."""
        return cls(msgspec.json.encode(value), "application/json")

    def answer(self, request: Request) -> Response:
        """Answer, or say that the page has it already."""
        headers = dict(self._headers)
        body = self._data
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        is_smaller = len(self._packed) < len(body)
        if is_smaller and "gzip" in request.headers.get("accept-encoding", ""):
            body, headers["Content-Encoding"] = self._packed, "gzip"
        return Response(body, headers=headers, media_type=self._kind)
