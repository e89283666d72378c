"""Artwork of our own for the dominoes, the start tile, the castle and the king.

Everything is painted by code, at random, and repeatably: the same generator state paints
the same picture. A `Style` holds what the tiles of one deck have in common.
"""

from scripts.synthesis.artwork.castle import (
    paint_castle_sprite,
    paint_king_sprite,
    paint_start_tile,
)
from scripts.synthesis.artwork.style import PLAYER, Style, draw_style
from scripts.synthesis.artwork.tiles import paint_deck, paint_domino, paint_square

#: The colours of start tiles, castles and kings.
COLOURS = tuple(PLAYER)

__all__ = [
    "COLOURS",
    "Style",
    "draw_style",
    "paint_castle_sprite",
    "paint_deck",
    "paint_domino",
    "paint_king_sprite",
    "paint_square",
    "paint_start_tile",
]
