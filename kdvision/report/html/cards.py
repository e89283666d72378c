"""One photo as a card of the HTML report: everything that is said of it, before it is laid out."""

from io import BytesIO
from posixpath import split

import cv2
import numpy as np
from msgspec import Struct
from PIL import Image

from kdvision.photo.photo import Photo
from kdvision.report.overlay.draw import draw_overlay
from kdvision.report.wording import (
    BonusLine,
    TerritoryLine,
    bonus_lines,
    closing_line,
    kingdom_names,
    message_of,
    notes,
    status_text,
    territory_lines,
)
from kdvision.result import KingdomResult, PhotoResult

#: The longer side of the pictures in a report, in pixels, and their quality.
PICTURE_SIDE = 960
_QUALITY = 62


class KingdomCard(Struct, frozen=True):
    """One kingdom: its name among several, total, how sure that is, and what it is made of.

    `total` is None where none is likely enough to be named.
    """

    name: str
    total: int | None
    status: str
    notes: tuple[str, ...]
    territories: tuple[TerritoryLine, ...]
    bonuses: tuple[BonusLine, ...]
    line: str


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
    kingdoms: tuple[KingdomCard, ...] = ()
    picture: bytes = b""
    closing: str = ""

    @property
    def folder(self) -> str:
        """The folder of the photo."""
        return split(self.title)[0]

    @property
    def file(self) -> str:
        """The name of the photo in its folder."""
        return split(self.title)[1]

    @property
    def search_text(self) -> str:
        """What the card is found by, in lower case."""
        numbers = [] if self.claimed is None else [str(self.claimed)]
        numbers += [str(one.total) for one in self.kingdoms if one.total is not None]
        return " ".join([self.title, self.who, self.message, *numbers]).casefold()

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height of the picture in pixels; None where it has none."""
        if not self.picture:
            return None
        with Image.open(BytesIO(self.picture)) as picture:
            return picture.size


def card_of(result: PhotoResult, who: str = "") -> Card:
    """The card of a photo, without its picture."""
    kingdoms = tuple(
        _kingdom(result, kingdom, name)
        for kingdom, name in zip(result.kingdoms, kingdom_names(result), strict=True)
    )
    return Card(
        result.photo,
        result.status.value,
        who,
        message=result.message,
        kingdoms=kingdoms,
        closing=closing_line(result),
    )


def _kingdom(photo: PhotoResult, result: KingdomResult, name: str) -> KingdomCard:
    message = message_of(photo, result) if len(photo.kingdoms) > 1 else ""
    return KingdomCard(
        name,
        result.sheet.total if result.scored else None,
        status_text(result),
        tuple(note.text for note in notes(result, message, name)),
        tuple(territory_lines(result)),
        tuple(bonus_lines(result)),
        str(result.sheet.kingdom),
    )


def picture_of(photo: Photo, result: PhotoResult) -> bytes:
    """The photo with what was read drawn over it, as a small WebP.

    Raises:
        UnreadablePhotoError: The photo cannot be decoded.
    """
    rgb, scale = photo.pixels(PICTURE_SIDE)
    height, width = rgb.shape[:2]
    smaller = min(PICTURE_SIDE / max(height, width), 1.0)
    size = max(round(width * smaller), 1), max(round(height * smaller), 1)
    small = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
    drawn = draw_overlay(np.asarray(small, np.uint8), result, scale / smaller)
    return _webp(Image.fromarray(drawn))


def _webp(picture: Image.Image) -> bytes:
    out = BytesIO()
    picture.save(out, "WEBP", quality=_QUALITY, method=3)
    return out.getvalue()
