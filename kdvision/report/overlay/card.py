"""A picture to share: the photo with what was read, and the totals below it, the best first."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from PIL import Image, ImageDraw

from kdvision.corrections import kingdom_name
from kdvision.report.overlay.badge import CROWN_FILL, SMOOTH, Font, draw_crown, font
from kdvision.report.overlay.draw import draw_overlay
from kdvision.report.wording import total_text
from kdvision.result import KingdomResult, PhotoResult, Status

_GROUND, _INK, _QUIET = "#191713", "#f4efe4", "#c9c1b0"
#: A line is this part of the picture's width, and no smaller or larger than so many pixels.
_LINE_PART, _LEAST_LINE, _MOST_LINE = 11, 40, 96


class _Line(Struct, frozen=True):
    """One kingdom below the picture; `letter` is empty where there is one only."""

    letter: str
    player: str
    total: str
    leads: bool


def draw_card(
    rgb: npt.NDArray[np.uint8], result: PhotoResult, scale: float, players: Mapping[str, str]
) -> Image.Image:
    """Draw the card of a result.

    Args:
        rgb: The upright photo, (h, w, 3), at any size.
        result: With corners in pixels of the full photo.
        scale: How many pixels of the full photo one pixel of `rgb` stands for, along a side.
        players: Who laid which kingdom, by its letter; some may be missing.

    Returns:
        The picture in RGB.
    """
    picture = Image.fromarray(draw_overlay(rgb, result, scale))
    height = min(max(picture.width // _LINE_PART, _LEAST_LINE), _MOST_LINE)
    lines = _lines(result.kingdoms, players)
    below = _painted(lines, picture.width, height)
    card = Image.new("RGB", (picture.width, picture.height + below.height))
    card.paste(picture, (0, 0))
    card.paste(below, (0, picture.height))
    return card


def _lines(kingdoms: Sequence[KingdomResult], players: Mapping[str, str]) -> list[_Line]:
    """A line per kingdom, the best first; leaders are known where every total can be named."""
    several = len(kingdoms) > 1
    best = max((one.score for one in kingdoms), default=0)
    known = several and all(one.scored for one in kingdoms)
    lines = []
    for index, one in sorted(enumerate(kingdoms), key=lambda item: (-item[1].score, item[0])):
        name = kingdom_name(index)
        doubt = "" if one.status is Status.SURE or not one.scored else " ?"
        leads = known and one.score == best
        letter = name if several else ""
        lines.append(_Line(letter, players.get(name, ""), total_text(one) + doubt, leads))
    return lines


def _painted(lines: Sequence[_Line], width: int, height: int) -> Image.Image:
    """The lines below each other, on dark ground."""
    unit = height * SMOOTH
    image = Image.new("RGB", (width * SMOOTH, unit * len(lines) + unit // 2), _GROUND)
    draw = ImageDraw.Draw(image)
    large, small = font(round(unit * 0.5)), font(round(unit * 0.36))
    for number, line in enumerate(lines):
        middle = unit * (number + 0.75)
        if line.leads:
            draw_crown(draw, (unit * 0.35, middle - unit * 0.22, unit * 0.44), CROWN_FILL)
        draw.text((unit * 1.0, middle), line.letter, _QUIET, small, anchor="lm")
        left, right = unit * (1.5 if line.letter else 1.0), image.width - unit * 0.4
        draw.text((right, middle), line.total, _INK, large, anchor="rm")
        room = right - left - large.getlength(line.total) - unit * 0.3
        draw.text((left, middle), _cut(line.player, large, room), _INK, large, anchor="lm")
    return image.reduce(SMOOTH)


def _cut(text: str, letters: Font, room: float) -> str:
    """As much of a text as fits, with dots where it is cut."""
    if letters.getlength(text) <= room:
        return text
    while text and letters.getlength(f"{text}...") > room:
        text = text[:-1]
    return f"{text.rstrip()}..."
