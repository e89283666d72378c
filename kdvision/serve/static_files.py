"""What pages are made of, as phones load it: without comments and indentation, compressed."""

import gzip
import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from kdvision.serve.http import Refusal

STATIC = Path(__file__).parent / "static"
#: Lines that are a comment alone, and the blanks before others. No text of ours goes over a line.
_LIGHTENED = {
    ".js": re.compile(r"^\s*//.*\n|^[ \t]+|^\n", re.MULTILINE),
    ".css": re.compile(r"^\s*/\*.*\*/\n|^[ \t]+|^\n", re.MULTILINE),
}


def serve_static(request: Request) -> Response:
    """`GET /static/{name}`: a script, a style or a picture of the page."""
    return answer_file(request, request.path_params["name"])


def answer_file(request: Request, name: str) -> Response:
    """Answer a file of the page, or say that the browser has it already."""
    if name not in _list_files():
        raise Refusal(404, "no-address")
    data, packed, tag = _read(name)
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", "") and len(packed) < len(data):
        data, headers["Content-Encoding"] = packed, "gzip"
    kind, _ = mimetypes.guess_type(name)
    return Response(data, headers=headers, media_type=kind)


@cache
def _list_files() -> frozenset[str]:
    return frozenset(path.name for path in STATIC.iterdir() if path.is_file())


@cache
def _read(name: str) -> tuple[bytes, bytes, str]:
    """Return a file as it is sent, the same compressed, and its tag."""
    path = STATIC / name
    data = path.read_bytes()
    if path.suffix in _LIGHTENED:
        data = _LIGHTENED[path.suffix].sub("", data.decode()).encode()
    tag = hashlib.sha256(data).hexdigest()[:24]
    return data, gzip.compress(data, mtime=0), f'"{tag}"'
