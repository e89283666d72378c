"""The page of slips to print: one self-contained HTML file."""

import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from importlib.resources import files

from jinja2 import Environment
from msgspec import Struct
from msgspec.structs import replace

from kdvision.sentences import sentence
from kdvision.slips import layout
from kdvision.slips.event import Holder, SlipEvent


class Paper(StrEnum):
    """The paper to print on."""

    A4 = "a4"
    LETTER = "letter"


#: Width and height of papers in mm.
PAPERS = {Paper.A4: (210.0, 297.0), Paper.LETTER: (215.9, 279.4)}
#: mm. Room for a line of text.
_WIDTH = 51.0
#: mm. The baselines and the size of the letters of a name in one line, and in two.
_NAME_LINES = {1: ((11.0,), 6.5), 2: ((7.6, 12.6), 5.0)}
#: Mean width of a letter of a wide bold font, as a share of its size.
_LETTER_WIDTH = 0.66


class Line(Struct, frozen=True):
    """A line of text on a slip, in mm; `length` is what a line too long is squeezed into."""

    text: str
    y: float
    size: float
    length: float | None = None


def slips_page(
    seats: Sequence[Holder],
    event: SlipEvent,
    *,
    language: str = "en",
    paper: Paper = Paper.A4,
    per_page: int = 8,
) -> str:
    """Lay out the slips of an event's seats as an HTML page that prints as it looks.

    Args:
        seats: In the order of the page; the event knows all of them.
        event: Its numbers.
        language: "en" or "de".
        paper: What it is printed on.
        per_page: 6 or 8 slips to a page.
    """
    slips = [_slip(seat, event, language) for seat in seats]
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    source = files("kdvision.slips").joinpath("templates/slips.html").read_text("utf-8")
    width, height = PAPERS[paper]
    rows = per_page // 2
    return environment.from_string(source).render(
        language=language,
        say=partial(sentence, language=language),
        pages=[slips[first : first + per_page] for first in range(0, len(slips), per_page)],
        paper=paper.value,
        page=(width, height),
        gap=(height - rows * layout.SIZE[1]) / (rows + 1) / 2,
        layout=layout,
        filling=[
            _fitted(sentence("slip.filling-1", language), 58.4, 2.3),
            _fitted(sentence("slip.filling-2", language), 61.3, 2.3),
        ],
    )


def _slip(seat: Holder, event: SlipEvent, language: str) -> dict[str, object]:
    """What the template shows of one slip."""
    code = event.code(seat)
    round_ = sentence("slip.round", language, round=seat.round) if seat.round else ""
    table = sentence("slip.table", language, table=seat.table) if seat.table else ""
    return {
        "code": code.text(),
        "modules": code.modules(),
        "name": _name_lines(seat.player),
        "where": _fitted(" · ".join(filter(None, (round_, table))), 17.8, 4.2),
    }


def _name_lines(name: str) -> list[Line]:
    """A name as large as it fits, in one line or, broken at a blank, in two."""
    words = name.split()
    lines = [name]
    if len(words) > 1 and _width(name) * _NAME_LINES[1][1] > _WIDTH:
        broken = ([" ".join(words[:n]), " ".join(words[n:])] for n in range(1, len(words)))
        lines = min(broken, key=lambda pair: max(map(_width, pair)))
    baselines, size = _NAME_LINES[len(lines)]
    fitted = [_fitted(text, y, size) for text, y in zip(lines, baselines, strict=True)]
    return [replace(line, size=min(line.size for line in fitted)) for line in fitted]


def _fitted(text: str, y: float, size: float) -> Line:
    """A line at most `_WIDTH` long: in smaller letters, squeezed below half the size."""
    fitting = min(size, _WIDTH / max(_width(text), 1.0))
    length = _WIDTH if fitting < size / 2 else None
    return Line(text, y, round(max(fitting, size / 2), 2), length)


def _width(text: str) -> float:
    """About how long a text is, as a multiple of the size of its letters."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return wide + (len(text) - wide) * _LETTER_WIDTH
