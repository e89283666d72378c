"""The pages, from their templates."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from kdvision import __version__

_TEMPLATES = Path(__file__).parent / "templates"


def rendered(name: str, **values: object) -> str:
    """A page; values are escaped."""
    loader = FileSystemLoader(_TEMPLATES)
    pages = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return pages.get_template(name).render(version=__version__, **values)
