"""What pages are made of, as phones load it: without comments and indentation, compressed."""

import mimetypes
import re
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from kdvision.serve.packed import Packed
from kdvision.serve.refusals import Refusal

STATIC = Path(__file__).parent / "static"
#: What is left out: lines that are only a comment, and indentation. No text of ours has two lines.
_LIGHTENED = {
    ".js": re.compile(r"^\s*(//.*|/\*\*.*\*/)\n|^[ \t]+|^\n", re.MULTILINE),
    ".css": re.compile(r"^\s*/\*.*\*/\n|^[ \t]+|^\n", re.MULTILINE),
}


def serve_static(request: Request) -> Response:
    """`GET /static/{name}`: a script, a style or a picture of the page."""
    return answer_file(request, request.path_params["name"])


def answer_file(request: Request, name: str) -> Response:
    """Answer a file of the page, or say that the browser has it already."""
    files = _read_files()
    if name not in files:
        raise Refusal(404, "no-address")
    return files[name].answer(request)


@cache
def _read_files() -> dict[str, Packed]:
    """Return the files as they are sent, by their names."""
    files = {}
    for path in STATIC.iterdir():
        data = path.read_bytes()
        kind = mimetypes.guess_type(path)[0] or ""
        if path.suffix in _LIGHTENED:
            data = _LIGHTENED[path.suffix].sub("", data.decode()).encode()
        files[path.name] = Packed(data, kind, **{"Cache-Control": "no-cache"})
    return files
