"""The pages, from their templates, in the language of the browser."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from kdvision import __version__
from kdvision.rules.scoring import BONUS_CODES
from kdvision.sentences import DEFAULT_LANGUAGE, catalogue, languages, sentence
from kdvision.serve.store import Store

_HERE = Path(__file__).parent
_TEMPLATES = _HERE / "templates"
#: The rooms of the catalogue whose sentences a page renders itself.
_PAGE_ROOMS = ("page.", "terrain.", "bonus.")


def language_of(request: Request) -> str:
    """Return the first language of a browser that there is a catalogue for."""
    for part in request.headers.get("accept-language", "").split(","):
        language = part.split(";")[0].strip().lower().split("-")[0]
        if language in languages():
            return language
    return DEFAULT_LANGUAGE


def rendered(
    name: str, language: str = DEFAULT_LANGUAGE, *, rooms: tuple[str, ...] = (), **values: object
) -> str:
    """Render a page; values are escaped.

    Args:
        name: The file of its template, which says sentences by `say`.
        language: Of the sentences.
        rooms: The rooms of the catalogue that its scripts say sentences of, such as `page.`.
        values: What the template names.
    """
    loader = FileSystemLoader(_TEMPLATES)
    pages = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    pages.globals["say"] = lambda key: sentence(key, language)
    texts = {key: text for key, text in catalogue(language).items() if key.startswith(rooms)}
    return pages.get_template(name).render(
        version=__version__, language=language, sentences=_for_script(texts), **values
    )


def _for_script(texts: Mapping[str, str]) -> str:
    """Write sentences into an element of a page: no text of theirs ends it."""
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def sign_in_page(request: Request, failed: bool) -> str:
    """Render the page that asks for the password; it leads back to what was asked for."""
    query = "&".join(
        part for part in request.url.query.split("&") if not part.startswith("password=")
    )
    target = request.url.path + (f"?{query}" if query else "")
    action = "?" + urlencode({"next": target})
    return rendered("sign_in.html", language_of(request), action=action, failed=failed)


async def _index(request: Request) -> Response:
    language = language_of(request)
    return HTMLResponse(
        rendered("page.html", language, rooms=_PAGE_ROOMS, bonuses=BONUS_CODES),
        headers={"Vary": "Accept-Language"},
    )


async def _manifest(request: Request) -> Response:
    """Answer what a phone needs to put the page beside its other apps."""
    icons = [
        {"src": f"/static/icon-{side}.png", "sizes": f"{side}x{side}", "type": "image/png",
         "purpose": purpose}
        for side in (192, 512)
        for purpose in ("any", "maskable")
    ]  # fmt: skip
    language = language_of(request)
    about = {
        "name": sentence("page.app", language),
        "short_name": "kdscore",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#fbf8f1",
        "theme_color": "#14532d",
        "lang": language,
        "icons": icons,
    }
    return JSONResponse(about, media_type="application/manifest+json")


async def _worker(request: Request) -> Response:
    """Answer the service worker: at the root, since it answers for what lies below."""
    return FileResponse(_HERE / "static" / "sw.js", media_type="text/javascript")


def page_routes() -> list[Route]:
    """Return the routes of the evening page."""
    return [
        Route("/", _index),
        Route("/manifest.json", _manifest),
        Route("/sw.js", _worker),
    ]


async def unless_known(request: Request, store: Store, answer: Callable[[], Response]) -> Response:
    """Answer, or say that the page has this version of the store already.

    Args:
        request: Names the version that it has by its ETag.
        store: What the answer comes from.
        answer: Makes the answer, in a thread.
    """
    tag = await asyncio.to_thread(store.tag)
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"ETag": tag})
    made = await asyncio.to_thread(answer)
    made.headers["ETag"] = tag
    return made
