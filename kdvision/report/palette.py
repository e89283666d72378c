"""The colours of reports: those of terrains and castles, of doubts and broken rules."""

from msgspec import Struct

from kdvision.reading import Colour
from kdvision.rules.terrain import Terrain


class Paint(Struct, frozen=True):
    """The colours of something in a report, as `#rrggbb`.

    Attributes:
        fill: What it is filled with.
        ink: The colour of letters on that.
    """

    fill: str
    ink: str


#: Behind what is sure.
SURE_COLOUR = "#1d7a46"
#: Behind what asks to be looked at.
DOUBT_COLOUR = "#ff5a36"
#: Around what breaks a rule.
BROKEN_COLOUR = "#e3122d"
#: Ink on light colours.
_DARK = "#241a05"
#: Ink on dark colours.
_LIGHT = "#ffffff"
PAINTS = {
    Terrain.WHEAT: Paint("#f2c230", _DARK),
    Terrain.FOREST: Paint("#1f6b3a", _LIGHT),
    Terrain.LAKE: Paint("#2f86d0", _LIGHT),
    Terrain.GRASSLAND: Paint("#9ccc4e", _DARK),
    Terrain.SWAMP: Paint("#b39a78", _DARK),
    Terrain.MINE: Paint("#4a3f55", _LIGHT),
}
#: The colours of castles, which say whose kingdom it is.
CASTLE_COLOURS = {
    Colour.PINK: "#ec5fa3",
    Colour.YELLOW: "#f5c518",
    Colour.GREEN: "#3da549",
    Colour.BLUE: "#2f6fe0",
}
CASTLE_PAINT = Paint("#e8e4dc", _DARK)


def rgb(color: str) -> tuple[int, int, int]:
    """Return `#rrggbb` as three numbers."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
