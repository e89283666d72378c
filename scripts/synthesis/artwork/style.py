"""The look of one deck: a random palette and way of drawing, the same for every tile."""

import colorsys

import numpy as np

from kdvision.rules.terrain import Terrain
from scripts.arrays import Rng

#: An RGB colour, 0 to 255.
Colour = tuple[int, int, int]

#: The colour a player knows each terrain by.
GROUND: dict[Terrain, Colour] = {
    Terrain.WHEAT: (232, 184, 22),
    Terrain.FOREST: (70, 112, 36),
    Terrain.LAKE: (40, 122, 214),
    Terrain.GRASSLAND: (122, 198, 52),
    Terrain.SWAMP: (172, 154, 118),
    Terrain.MINE: (46, 45, 48),
}

#: The four colours of castles and kings.
PLAYER: dict[str, Colour] = {
    "blue": (44, 146, 196),
    "green": (58, 152, 56),
    "pink": (222, 104, 140),
    "yellow": (240, 206, 36),
}


def tint(colour: Colour, hue: float = 0.0, saturation: float = 1.0, value: float = 1.0) -> Colour:
    """Return the colour turned by `hue` (in turns), with saturation and value multiplied."""
    h, s, v = colorsys.rgb_to_hsv(*(c / 255 for c in colour))
    s, v = (float(np.clip(one, 0, 1)) for one in (s * saturation, v * value))
    r, g, b = colorsys.hsv_to_rgb((h + hue) % 1, s, v)
    return int(r * 255), int(g * 255), int(b * 255)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Return the colour `share` of the way from one to the other."""
    r, g, b = (int(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return r, g, b


class Style:
    """What one deck has in common, drawn at random.

    Attributes:
        ground: The ground colour per terrain.
        ink: Width of outlines in hundredths of a square; 0 draws none.
        ink_tone: How dark outlines are: 0 is black, 1 the colour itself.
        grain: Strength of the fine texture of the print, in grey levels.
        clouds: Strength of the large soft patches of light and dark, in grey levels.
        light: Direction in which shadows fall, in squares, as (x, y).
        shadow: Opacity of shadows, 0 to 1.
        detail: How many small things lie about: 1 is usual.
        furrows: How strongly wheat shows its furrows, 0 to 1.
        conifers: The share of conifers among the trees.
        stone: The colour of boulders.
        gold: The colour of crowns.
        crown_points: How many points a crown has.
        crown_size: Width of a crown in squares.
        border: How two terrains meet: "ragged", "soft", "stones" or "posts".
    """

    def __init__(self, rng: Rng) -> None:
        # Colours of the grounds, all shifted together and each a little more.
        saturation, value = rng.uniform(0.85, 1.1), rng.uniform(0.92, 1.08)
        reach = {Terrain.FOREST: 0.025, Terrain.GRASSLAND: 0.03, Terrain.WHEAT: 0.015}
        self.ground: dict[Terrain, Colour] = {}
        for terrain, colour in GROUND.items():
            hue = rng.uniform(-1, 1) * reach.get(terrain, 0.02)
            purity = saturation * rng.uniform(0.92, 1.06)
            self.ground[terrain] = tint(colour, hue, purity, value * rng.uniform(0.94, 1.06))
        self.ink = float(rng.choice([0.0, 0.5, 0.8, 1.1])) * rng.uniform(0.8, 1.2)
        self.ink_tone = rng.uniform(0.1, 0.45)
        self.grain = rng.uniform(1.5, 7)
        self.clouds = rng.uniform(4, 14)
        self.light = (float(rng.choice([-1, 1])) * rng.uniform(0.3, 0.9), rng.uniform(0.3, 0.7))
        self.shadow = rng.uniform(0.25, 0.5)
        self.detail = rng.uniform(0.7, 1.4)
        self.furrows = rng.uniform(0.15, 1.0)
        self.conifers = float(rng.choice([0.15, 0.4, 0.7])) + rng.uniform(-0.1, 0.1)
        self.stone = mix((226, 196, 128), (196, 186, 168), rng.uniform(0, 1))
        self.gold = tint((250, 208, 48), rng.uniform(-0.015, 0.012), rng.uniform(0.85, 1.1))
        self.crown_points = int(rng.choice([3, 3, 5]))
        self.crown_size = rng.uniform(0.215, 0.25)
        self.border = str(rng.choice(["ragged", "ragged", "soft", "stones", "posts"]))
