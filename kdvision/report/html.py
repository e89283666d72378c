"""A report as one HTML file that needs no network: summary, standings, a card per photo.

The file is written card by card, so that thousands of photos need no more memory than one.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from io import BytesIO
from math import ceil
from pathlib import Path
from posixpath import split
from typing import TYPE_CHECKING
from unicodedata import normalize

import cv2
import numpy as np
from msgspec import Struct
from PIL import Image

from kdvision import __version__
from kdvision.files import replace_file
from kdvision.photo.photo import Photo
from kdvision.report.overlay import draw_overlay
from kdvision.report.palette import PAINTS
from kdvision.report.standings import NUMBERS, Table
from kdvision.report.text import printable
from kdvision.report.wording import KingdomSheet, closing_line, make_sheets
from kdvision.result import PhotoResult
from kdvision.sentences import ENGLISH, catalogue, sentence

#: The longer side of the pictures in a report, in pixels, and their quality.
PICTURE_SIDE = 960
_QUALITY = 62
#: What is shown around a kingdom that is cut out, in parts of its side.
_AROUND = 0.2


class Card(Struct, frozen=True):
    """One photo.

    `state` is the state that it is filtered by, such as `doubtful` or `differs`. `who` says whose
    photo it is. `claimed` is the total that was written down, None where none was. `message` is
    what there is to say first, `closing` what several kingdoms come to. `picture` are the bytes of
    a WebP, empty for none.
    """

    title: str
    state: str
    who: str = ""
    claimed: int | None = None
    message: str = ""
    sheets: tuple[KingdomSheet, ...] = ()
    picture: bytes = b""
    closing: str = ""

    @property
    def search_text(self) -> str:
        """What the card is found by, in lower case."""
        numbers = [] if self.claimed is None else [str(self.claimed)]
        numbers += [str(sheet.result.score) for sheet in self.sheets if sheet.result.scored]
        text = " ".join([self.title, self.who, self.message, *numbers])
        return normalize("NFC", text).lower()  # as page.js does with what is typed


def make_card(result: PhotoResult, who: str = "", kingdom: int | None = None) -> Card:
    """The card of a photo, without its picture.

    Args:
        result: The result of the photo.
        who: Whose photo it is.
        kingdom: The index of the kingdom that the card is about; None for all of them.
    """
    sheets = make_sheets(result, on_card=True)
    return Card(
        result.photo,
        result.status.value,
        who,
        message=result.message if kingdom is None else "",
        sheets=tuple(sheets if kingdom is None else [sheets[kingdom]]),
        closing=closing_line(result) if kingdom is None else "",
    )


def render_picture(photo: Photo, result: PhotoResult, kingdom: int | None = None) -> bytes:
    """The photo with what was read drawn over it, as a small WebP.

    Args:
        photo: The photo.
        result: What was read in it.
        kingdom: The index of the kingdom that is cut out with some table around; None for all
            of the photo.

    Raises:
        UnreadablePhotoError: The photo cannot be decoded.
    """
    left, top, right, bottom = _crop_box(result, kingdom, (photo.width, photo.height))
    longer = max(right - left, bottom - top)
    side = PICTURE_SIDE * max(photo.width, photo.height) / longer
    rgb, scale = photo.pixels(round(side))
    col, row = int(left / scale), int(top / scale)
    cut = rgb[row : ceil(bottom / scale), col : ceil(right / scale)]
    height, width = cut.shape[:2]
    smaller = min(PICTURE_SIDE / max(height, width), 1.0)
    size = max(round(width * smaller), 1), max(round(height * smaller), 1)
    small = cv2.resize(cut, size, interpolation=cv2.INTER_AREA)
    drawn = draw_overlay(
        np.asarray(small, np.uint8),
        result,
        scale / smaller,
        only=kingdom,
        corner=(col * scale, row * scale),
    )
    out = BytesIO()
    Image.fromarray(drawn).save(out, "WEBP", quality=_QUALITY, method=3)
    return out.getvalue()


def _crop_box(
    result: PhotoResult, kingdom: int | None, size: tuple[int, int]
) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what a picture shows, in pixels of the photo."""
    points = [] if kingdom is None else [*result.kingdoms[kingdom].corners]
    if not points:
        return 0, 0, *size
    low = np.min(points, axis=0)
    high = np.max(points, axis=0)
    around = _AROUND * (high - low).max()
    left, top = np.maximum(low - around, 0)
    right, bottom = np.minimum(high + around, size)
    return left, top, right, bottom


if TYPE_CHECKING:
    from jinja2 import Environment

#: Nothing is loaded from anywhere, whatever a name or a message may hold.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
#: More tables than this are folded away at first, so that the cards are seen.
MOST_OPEN = 4
_TEMPLATES = Path(__file__).parent / "templates"
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
        language: That of the words around all this.
    """

    title: str
    counts: Sequence[tuple[str, int]]
    standings: Sequence[Table] = ()
    notes: Sequence[str] = ()
    summary: str = ""
    warnings: Sequence[str] = ()
    language: str = ENGLISH

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
    with replace_file(path) as file:
        file.writelines(part.encode() for part in _render_page(page, cards))


def _render_page(page: Page, cards: Iterable[Card]) -> Iterator[str]:
    return (
        _make_environment()
        .get_template("page.html")
        .generate(
            page=page,
            say=partial(_say, page.language),
            cards=cards,
            policy=POLICY,
            version=__version__,
            numbers=NUMBERS,
            most_open=MOST_OPEN,
            css=_read_resource("page.css"),
            js=_read_resource("page.js"),
        )
    )


def _make_environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_read_resource),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_clean,
        keep_trailing_newline=False,
    )
    environment.filters["css_class"] = lambda state: f"is-{_NO_LETTERS.sub('-', state)}"
    environment.filters["used_columns"] = _used_columns
    environment.filters["paint"] = lambda terrain: PAINTS[terrain].fill
    environment.filters["split"] = split
    environment.filters["base64"] = lambda data: b64encode(data).decode("ascii")
    return environment


def _clean(value: object) -> object:
    """Any text without what could hide or move other text."""
    return printable(value) if type(value) is str else value


def _say(language: str, key: str, **fields: object) -> str:
    """A word of the page; another word than ours stands as it is."""
    word = key.lower().replace(" ", "-")
    if word not in catalogue(language):
        return key.rpartition(".")[2]
    return sentence(word, language, **fields)


def _used_columns(rows: Sequence[Sequence[object]]) -> list[int]:
    """The columns of a table that are not empty."""
    columns = enumerate(zip(*rows, strict=True))
    return [index for index, cells in columns if any(map(str, cells))]


def _read_resource(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")
