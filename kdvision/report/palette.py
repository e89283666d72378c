"""The colours of the terrains, for the sheet in colour and for the picture over the photo."""

from msgspec import Struct

from kdvision.reading import Colour
from kdvision.rules.kingdom import CASTLE, Cell
from kdvision.rules.terrain import Square, Terrain


class Paint(Struct, frozen=True):
    """A fill, and the colours of letters and crowns on it, as `#rrggbb`."""

    fill: str
    ink: str
    crown: str


#: Behind what is sure, and what asks to be looked at.
SURE_COLOUR = "#1d7a46"
DOUBT_COLOUR = "#ff5a36"
#: Around what breaks a rule.
BROKEN_COLOUR = "#e3122d"

_DARK, _LIGHT = "#241a05", "#ffffff"
_GOLD, _RED = "#ffd447", "#8a1c0f"

TERRAIN_PAINTS = {
    Terrain.WHEAT: Paint("#f2c230", _DARK, _RED),
    Terrain.FOREST: Paint("#1f6b3a", _LIGHT, _GOLD),
    Terrain.LAKE: Paint("#2f86d0", _LIGHT, _GOLD),
    Terrain.GRASSLAND: Paint("#9ccc4e", _DARK, _RED),
    Terrain.SWAMP: Paint("#b39a78", _DARK, _RED),
    Terrain.MINE: Paint("#4a3f55", _LIGHT, _GOLD),
}
#: Of the castles, which say whose kingdom it is.
CASTLE_COLOURS = {
    Colour.PINK: "#ec5fa3",
    Colour.YELLOW: "#f5c518",
    Colour.GREEN: "#3da549",
    Colour.BLUE: "#2f6fe0",
}
CASTLE_PAINT = Paint("#e8e4dc", _DARK, _DARK)


def paint_of(cell: Cell) -> Paint | None:
    """The colours of a cell; None for an empty place."""
    if isinstance(cell, Square):
        return TERRAIN_PAINTS[cell.terrain]
    return CASTLE_PAINT if cell is CASTLE else None


def rgb(color: str) -> tuple[int, int, int]:
    """`#rrggbb` as three numbers."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
