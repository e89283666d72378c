"""The page of slips to print: one self-contained HTML file."""

import unicodedata
from collections.abc import Iterable, Sequence
from enum import StrEnum
from importlib.resources import files

from jinja2 import Environment
from msgspec import Struct

from kdvision.sentences import sentence
from kdvision.slips import layout
from kdvision.slips.event import Holder, SlipEvent


class Paper(StrEnum):
    """The paper to print on."""

    A4 = "a4"
    LETTER = "letter"


#: Width and height of papers in mm.
PAPERS = {Paper.A4: (210.0, 297.0), Paper.LETTER: (215.9, 279.4)}
#: Slips on a page, in two columns.
PER_PAGE = (6, 8)
_COLUMNS = 2
#: mm. The name: where it begins, its room, the size of its letters in one line and in two.
_NAME_X, _NAME_WIDTH = 9.0, 51.0
_NAME_SIZES = ((6.5, (11.0,)), (5.0, (7.6, 12.6)))
#: Mean width of a letter of a wide bold font, as a share of its size.
_LETTER_WIDTH = 0.66
#: Where the lines that say how to fill a slip stand, and their size.
_FILLING = ((58.4, 2.3), (61.3, 2.3))


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
    return environment.from_string(source).render(
        language=language,
        title=sentence("slip.title", language),
        pages=[slips[first : first + per_page] for first in range(0, len(slips), per_page)],
        paper=paper.value,
        page=(width, height),
        gap=(height - per_page // _COLUMNS * layout.SIZE[1]) / (per_page // _COLUMNS + 1) / 2,
        layout=layout,
        left=layout.CODE_AT[0],
        side=layout.CORNER_MARK_SIDE,
        columns=list(zip(layout.PLACES.items(), ("100", "10", "1"), strict=True)),
        bonuses={name: _bonus_label(name, language) for name in layout.BONUSES},
        filling=[
            _fitted(sentence(f"slip.filling-{number}", language), *at)
            for number, at in enumerate(_FILLING, start=1)
        ],
    )


def _slip(seat: Holder, event: SlipEvent, language: str) -> dict[str, object]:
    """What the template shows of one slip."""
    fields = {"round": seat.round, "table": seat.table}
    parts = [sentence(f"slip.{name}", language, **{name: value}) for name, value in fields.items()]
    said = [part for part, value in zip(parts, fields.values(), strict=True) if value]
    code = event.code(seat)
    return {
        "code": code.text(),
        "name": list(name_lines(seat.player)),
        "where": _fitted(" · ".join(said), 17.8, 4.2),
        "modules": list(_runs(code.modules())),
    }


def name_lines(name: str) -> Iterable[Line]:
    """A name as large as it fits, in one line or, broken at a blank, in two."""
    words = name.split()
    broken = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    lines: tuple[str, ...] = (name,)
    if broken and _width(name) * _NAME_SIZES[0][0] > _NAME_WIDTH:
        lines = min(broken, key=lambda pair: max(map(_width, pair)))
    size, baselines = _NAME_SIZES[len(lines) - 1]
    return [_fitted(text, y, size) for text, y in zip(lines, baselines, strict=True)]


def _bonus_label(bonus: str, language: str) -> tuple[str, ...]:
    """The name of a bonus as it stands beside a bubble: broken at its first blank."""
    text = sentence(f"bonus.{bonus}", language)
    return tuple(part for part in text.partition(" ") if part.strip())


def _fitted(text: str, y: float, size: float) -> Line:
    """A line at most `_NAME_WIDTH` long: in smaller letters, squeezed below half the size."""
    fitting = size * min(1.0, _NAME_WIDTH / max(_width(text) * size, 0.1))
    squeezed = fitting < size / 2
    return Line(text, y, round(max(fitting, size / 2), 2), _NAME_WIDTH if squeezed else None)


def _width(text: str) -> float:
    """About how long a text is, as a multiple of the size of its letters."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return wide + (len(text) - wide) * _LETTER_WIDTH


def _runs(modules: Sequence[Sequence[bool]]) -> Iterable[tuple[float, float, float, float]]:
    """Rectangles (x, y, width, height) in mm of dark modules side by side."""
    step = layout.CODE_SIDE / len(modules)
    left, top = layout.CODE_AT
    for row, line in enumerate(modules):
        start = None
        for col, dark in enumerate((*line, False)):
            if dark and start is None:
                start = col
            if not dark and start is not None:
                yield left + start * step, top + row * step, (col - start) * step, step
                start = None
