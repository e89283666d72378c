"""Tables and cloths for rendered scenes, painted by code, at random.

Every painter takes a `Surface` and returns uint8 (h, w, 3) RGB; the same random numbers paint the
same picture.
"""

import numpy as np

from scripts.arrays import Rng
from scripts.synthesis.textures import cloth, mats, stone, wood
from scripts.synthesis.textures.base import Surface

#: All surfaces by name.
TABLES = wood.PAINTERS | stone.PAINTERS | cloth.PAINTERS | mats.PAINTERS

#: Wood and plain tops are what most people play on.
_COMMON = {"beech": 3.0, "oak": 3.0, "walnut": 2.0, "boards": 3.0, "planks": 2.0, "laminate": 4.0}


def table(rng: Rng, width: int, height: int) -> np.ndarray:
    """Return a surface of any sort, the common ones more often.

    Args:
        rng: Random numbers.
        width: Width in pixels.
        height: Height in pixels.

    Returns:
        uint8 (height, width, 3) RGB.
    """
    names = list(TABLES)
    weight = np.array([_COMMON.get(name, 1.0) for name in names])
    name = names[int(rng.choice(len(names), p=weight / weight.sum()))]
    return TABLES[name](Surface(rng, height, width))
