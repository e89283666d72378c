"""The pages, from their templates."""

from pathlib import Path
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request

from kdvision import __version__

_TEMPLATES = Path(__file__).parent / "templates"


def rendered(name: str, **values: object) -> str:
    """A page; values are escaped."""
    loader = FileSystemLoader(_TEMPLATES)
    pages = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return pages.get_template(name).render(version=__version__, **values)


def sign_in_page(request: Request, failed: bool) -> str:
    """The page that asks for the password; it leads back to the page that was asked for."""
    query = "&".join(
        part for part in request.url.query.split("&") if not part.startswith("password=")
    )
    target = request.url.path + (f"?{query}" if query else "")
    return rendered("sign_in.html", action="?" + urlencode({"next": target}), failed=failed)
