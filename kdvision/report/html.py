"""A report as one HTML file that needs no network: summary, rankings, a card per kingdom.

The file is written card by card, so that thousands of photos need no more memory than one.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from posixpath import split
from typing import TYPE_CHECKING
from unicodedata import normalize

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from kdvision import __version__
from kdvision.files import replace_file
from kdvision.photo.photo import Photo
from kdvision.report.overlay import draw_overlay, encode_picture
from kdvision.report.palette import PAINTS
from kdvision.report.tables import NUMBERS, Table
from kdvision.report.text import printable
from kdvision.report.wording import KingdomSheet, closing_line, make_sheets, photo_message
from kdvision.result import PhotoResult
from kdvision.sentences import ENGLISH, catalogue, sentence

#: The longer side of the pictures in a report, in pixels: crowns can be counted at this size.
PICTURE_SIDE = 560
#: px. Where the pixels that were decoded for reading give a picture whose longer side is at least
#: this, they are enough: a square of a 7x7 kingdom has 40 px then. Else the photo is decoded finer.
_MIN_SIDE = 420
#: The quality of these JPEGs, of 100.
_QUALITY = 70
#: What is shown around a kingdom that is cut out, in parts of its side.
_AROUND = 0.2


class Card(Struct, frozen=True):
    """One kingdom, or one photo with all of its kingdoms.

    Attributes:
        title: The player, or the photo where nobody is named.
        state: What the card is filtered by, such as `doubtful` or `differs`.
        place: The round and the game.
        photo: The name of the photo, where the title is another.
        anchor: By what links find the card; empty where there are none.
        claimed: The total that was written down; None where none was.
        message: What there is to say first.
        sheets: What was read of each kingdom.
        picture: A JPEG; empty where there is none.
        closing: What several kingdoms come to.
    """

    title: str
    state: str
    place: str = ""
    photo: str = ""
    anchor: str = ""
    claimed: int | None = None
    message: str = ""
    sheets: tuple[KingdomSheet, ...] = ()
    picture: bytes = b""
    closing: str = ""

    @property
    def search_text(self) -> str:
        """What the card is found by, in lower case."""
        words = [self.title, self.place, self.photo, self.message]
        if self.claimed is not None:
            words.append(str(self.claimed))
        words += [str(sheet.result.score) for sheet in self.sheets if sheet.result.scored]
        text = " ".join(words)
        return normalize("NFC", text).lower()  # as page.js does with what is typed


def make_card(
    result: PhotoResult,
    player: str = "",
    kingdom: int | None = None,
    language: str = ENGLISH,
) -> Card:
    """Return the card of a photo, without its picture.

    Args:
        result: The result of the photo.
        player: Whose kingdom it is.
        kingdom: The index of the kingdom that the card is about; None for all of them.
        language: That of its sentences.
    """
    sheets = make_sheets(result, language)
    card = Card(player or result.photo, result.status.value)
    if player:
        card = replace(card, photo=result.photo)
    if kingdom is not None:
        return replace(card, sheets=(sheets[kingdom],))
    return replace(
        card,
        message=photo_message(result, language),
        sheets=tuple(sheets),
        closing=closing_line(result, language),
    )


def render_picture(photo: Photo, result: PhotoResult, kingdom: int | None = None) -> bytes:
    """Return the photo with what was read drawn over it, as a small JPEG.

    Args:
        photo: The photo.
        result: What was read in it.
        kingdom: The index of the kingdom that is cut out with some table around; None for all
            of the photo.

    Raises:
        UnreadablePhotoError: The photo cannot be decoded.
    """
    # How large the whole photo must be for the part that is cut out.
    left, top, right, bottom = _crop_box(result, kingdom, (photo.width, photo.height))
    longer = max(right - left, bottom - top)
    part = max(photo.width, photo.height) / longer
    side = PICTURE_SIDE * part
    # Decoding it finer than it was read takes longer than drawing.
    if photo.decoded_side >= _MIN_SIDE * part:
        side = min(side, photo.decoded_side)
    # Cut it out, make it small, draw over it.
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
    # Browsers put a JPEG into a PDF as it is; of other pictures they put every pixel.
    return encode_picture(drawn, ".jpg", _QUALITY)


def _crop_box(
    result: PhotoResult, kingdom: int | None, size: tuple[int, int]
) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of what a picture shows, in pixels of the photo."""
    if kingdom is None or not result.kingdoms[kingdom].corners:
        return 0, 0, *size
    points = result.kingdoms[kingdom].corners
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
#: Letters. Up to this length the totals of a player stay on one line: a phone has room for three.
_MAX_SHORT = len("133 + 133 + 133")
_TEMPLATES = Path(__file__).parent / "templates"
_NO_LETTERS = re.compile(r"[^a-z]+")


class Group(Struct, frozen=True):
    """What a page shows of a game.

    Attributes:
        title: What the game is called; empty where the cards belong to no game.
        table: Its ranking; None where it has none.
        cards: A card for each of its kingdoms.
    """

    title: str = ""
    table: Table | None = None
    cards: Iterable[Card] = ()


class Section(Struct, frozen=True):
    """What a page shows of a round.

    Attributes:
        title: What the round is called; empty where there are no rounds.
        groups: Its games.
        after: The ranking after the round.
    """

    title: str = ""
    groups: Iterable[Group] = ()
    after: Sequence[Table] = ()


def ungrouped(cards: Iterable[Card]) -> list[Section]:
    """Return the section of cards that belong to no game."""
    return [Section(groups=[Group(cards=cards)])]


class Link(Struct, frozen=True):
    """A card that asks for a person.

    Attributes:
        anchor: That of the card.
        text: Whose it is.
    """

    anchor: str
    text: str


class Page(Struct, frozen=True):
    """What stands around the cards.

    Attributes:
        title: The title.
        counts: The states of the cards with their numbers, in the order of their buttons.
        tables: The rankings over all games.
        notes: Sentences on the rankings.
        summary: What it all came to, in a sentence.
        warnings: What asks for a person beyond the cards, a sentence each.
        links: The cards that ask for a person, by their states.
        language: That of the words around all this.
    """

    title: str
    counts: Sequence[tuple[str, int]] = ()
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()
    summary: str = ""
    warnings: Sequence[str] = ()
    links: Mapping[str, Sequence[Link]] = {}
    language: str = ENGLISH

    @property
    def total(self) -> int:
        """The number of cards."""
        return sum(count for _, count in self.counts)


def write_html(path: Path, page: Page, sections: Iterable[Section]) -> None:
    """Write a report in one step: all of it, or nothing.

    Raises:
        UsageError: It cannot be written.
    """
    with replace_file(path) as file:
        file.writelines(part.encode() for part in _render_page(page, sections))


def _render_page(page: Page, sections: Iterable[Section]) -> Iterator[str]:
    """Yield the parts of the file."""
    return (
        _make_environment()
        .get_template("page.html")
        .generate(
            page=page,
            say=partial(_say, page.language),
            sections=sections,
            policy=POLICY,
            version=__version__,
            numbers=NUMBERS,
            most_short=_MAX_SHORT,
            css=_read_resource("page.css"),
            js=_read_resource("page.js"),
        )
    )


def _make_environment() -> "Environment":
    """Make what renders the templates."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_read_resource),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_clean,
        keep_trailing_newline=False,
    )
    environment.filters["css_class"] = lambda state: f"is-{_NO_LETTERS.sub('-', state)}"
    environment.filters["paint"] = lambda terrain: PAINTS[terrain].fill
    environment.filters["split"] = split
    environment.filters["base64"] = lambda data: b64encode(data).decode("ascii")
    return environment


def _clean(value: object) -> object:
    """Return any text without what could hide or move other text."""
    return printable(value) if type(value) is str else value


def _say(language: str, key: str, **fields: object) -> str:
    """Return a word of the page; another word than ours stands as it is."""
    word = key.lower().replace(" ", "-")
    if word not in catalogue(language):
        return key.rpartition(".")[2]
    return sentence(word, language, **fields)


def _read_resource(name: str) -> str:
    """Read a file beside the templates."""
    return (_TEMPLATES / name).read_text(encoding="utf-8")
