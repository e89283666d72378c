"""A report as one HTML file that needs no network: summary, standings, a card per photo.

The file is written card by card, so that thousands of photos need no more memory than one.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from kdvision import __version__
from kdvision.files import whole_file
from kdvision.report.html.cards import Card
from kdvision.report.palette import TERRAIN_PAINTS
from kdvision.report.standings import NUMBERS, Table
from kdvision.report.text.table import printable
from kdvision.rules.terrain import Terrain

if TYPE_CHECKING:
    from jinja2 import Environment

#: Nothing is loaded from anywhere, whatever a name or a message may hold.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
#: More tables than this are folded away at first, so that the cards are seen.
MOST_OPEN = 4
_TEMPLATES = "kdvision.report.html.templates"
_NO_LETTERS = re.compile(r"[^a-z]+")


class Page(Struct, frozen=True):
    """What stands around the cards.

    Attributes:
        title: The title.
        counts: The states with their numbers, in the order of their buttons.
        standings: Tables; those of the totals are shown first.
        notes: Sentences above them.
        summary: What it all came to, in a sentence.
        warnings: What asks for a person beyond the cards, a sentence each.
    """

    title: str
    counts: Sequence[tuple[str, int]]
    standings: Sequence[Table] = ()
    notes: Sequence[str] = ()
    summary: str = ""
    warnings: Sequence[str] = ()

    @property
    def tables(self) -> list[Table]:
        """The tables, those over several games first."""
        return sorted(self.standings, key=lambda table: "Games" not in table[1])

    @property
    def total(self) -> int:
        """The number of cards."""
        return sum(count for _, count in self.counts)


def write_html(path: Path, page: Page, cards: Iterable[Card]) -> None:
    """Write a report in one step: all of it, or nothing.

    Raises:
        UsageError: It cannot be written.
    """
    with whole_file(path) as file:
        file.writelines(part.encode() for part in _page(page, cards))


def _page(page: Page, cards: Iterable[Card]) -> Iterator[str]:
    return (
        _environment()
        .get_template("page.html")
        .generate(
            page=page,
            cards=cards,
            policy=POLICY,
            version=__version__,
            numbers=NUMBERS,
            most_open=MOST_OPEN,
            css=_resource("page.css"),
            js=_resource("page.js"),
        )
    )


def _environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_resource),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        keep_trailing_newline=False,
    )
    environment.filters["css_class"] = _css_class
    environment.filters["used_columns"] = _used_columns
    environment.filters["paint"] = lambda name: TERRAIN_PAINTS[Terrain(name)].fill
    environment.filters["base64"] = lambda data: b64encode(data).decode("ascii")
    return environment


def _shown(value: object) -> object:
    """Any text without what could hide or move other text."""
    return printable(value) if type(value) is str else value


def _css_class(state: str) -> str:
    """The class of a state."""
    return f"is-{_NO_LETTERS.sub('-', state)}"


def _used_columns(rows: Sequence[Sequence[object]]) -> list[int]:
    """The columns of a table that are not empty."""
    width = len(rows[0]) if rows else 0
    return [index for index in range(width) if any(str(row[index]) for row in rows)]


def _resource(name: str) -> str:
    return files(_TEMPLATES).joinpath(name).read_text(encoding="utf-8")
