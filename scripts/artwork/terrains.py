"""What stands on each of the sixteen kinds of square."""

import numpy as np

from kdvision.rules.terrain import Square, Terrain

from . import buildings, nature
from .crowns import crown_row
from .pen import Pen, blob, scatter
from .style import tint


def furnish(pen: Pen, square: Square, right: bool) -> None:
    """Draws everything that stands on the ground of a square, its crowns last.

    Args:
        pen: A pen whose unit square is the square.
        square: Its kind.
        right: Crowns go to the top right corner, not to the top left.
    """
    _SCENES[square.terrain](pen, square.crowns, right)
    crown_row(pen, square.crowns, right)


def _stage(pen: Pen, right: bool, scale: float = 0.72) -> Pen:
    """The frame of the building: a little below the middle, away from the crowns."""
    lean = -0.03 if right else 0.03
    return pen.at(
        0.5 + lean + pen.any(-0.04, 0.04), 0.58 + pen.any(-0.02, 0.03),
        scale * pen.any(0.93, 1.04), pen.any(-0.04, 0.04), pen.chance(0.5),
    )  # fmt: skip


def _free(
    pen: Pen, crowns: int, n: int, gap: float, edge: float = 0.06
) -> list[tuple[float, float]]:
    """Places for small things: anywhere, but not on a building."""
    spots = scatter(pen.rng, n, gap, edge)
    if crowns:
        spots = [(x, y) for x, y in spots if max(abs(x - 0.5), abs(y - 0.6)) > 0.36]
    return spots


def _wheat(pen: Pen, crowns: int, right: bool) -> None:
    if crowns:
        buildings.windmill(_stage(pen, right, 0.78).at(0, 0.02))
    for x, y in _free(pen, crowns, pen.count(2.2), 0.2):
        if pen.chance(0.25):
            nature.hay(pen.at(x, y, pen.any(0.12, 0.2)))
        else:
            nature.bird(pen.at(x, y, pen.any(0.06, 0.1), pen.any(-0.6, 0.6)))


def _forest(pen: Pen, crowns: int, right: bool) -> None:
    green = tint((34, 112, 46), pen.any(-0.03, 0.03), 1, pen.any(0.88, 1.12))
    foot = [
        (x + pen.any(-0.035, 0.035), y + pen.any(-0.03, 0.03))
        for y in np.arange(0.2, 1.02, 0.135)
        for x in np.arange(0.08 + 0.075 * (round(y / 0.135) % 2), 0.99, 0.155)
    ]
    if crowns:
        clearing = blob(pen.rng, 0.5, 0.66, 0.36, 0.26)
        pen.shade(clearing, tint(pen.style.ground[Terrain.FOREST], -0.03, 0.9, 1.5), 0.7, 0.03)
        foot = [(x, y) for x, y in foot if not (abs(x - 0.5) < 0.36 and 0.4 < y < 0.97)]
    else:
        hole = (pen.any(0.2, 0.8), pen.any(0.3, 0.9))
        foot = [p for p in foot if np.hypot(p[0] - hole[0], p[1] - hole[1]) > 0.12]
    lodge_drawn = not crowns
    for x, y in sorted(foot, key=lambda p: p[1]):
        if not lodge_drawn and y > 0.9:
            buildings.lodge(_stage(pen, right, 0.64).at(0, 0.05))
            lodge_drawn = True
        tree = pen.at(x, y, pen.any(0.2, 0.26))
        leaf = pen.vary(green, 0.1)
        if pen.chance(pen.style.conifers):
            nature.conifer(tree.at(0, 0, 1.08), tint(leaf, 0.02, 1, 0.92))
        else:
            nature.round_tree(tree, leaf)


def _lake(pen: Pen, crowns: int, right: bool) -> None:
    water = pen.style.ground[Terrain.LAKE]
    for x, y in _free(pen, crowns, 1 + pen.count(3.5), 0.13):
        kind = pen.rng.random()
        if kind < 0.5:
            fishy = pen.at(x, y, pen.any(0.07, 0.12), pen.any(-0.5, 0.5), pen.chance(0.5))
            nature.fish(fishy, tint(water, 0.01, 1, 0.55))
        elif kind < 0.8:
            nature.lily(pen.at(x, y, pen.any(0.04, 0.07)))
        else:
            nature.reeds(pen.at(x, y, pen.any(0.06, 0.1)))
    if crowns:
        stage = _stage(pen, right, 0.7)
        buildings.stilt_house(stage)
        nature.boat(stage.at(pen.any(-0.3, 0.2), 0.56, 0.3))
    elif pen.chance(0.45):
        afloat = pen.at(pen.any(0.25, 0.75), pen.any(0.3, 0.75), pen.any(0.24, 0.34), 0,
                        pen.chance(0.5))  # fmt: skip
        nature.boat(afloat, pen.vary((168, 104, 52), 0.1), pen.chance(0.5))


def _grassland(pen: Pen, crowns: int, right: bool) -> None:
    flock = _free(pen, crowns, 2 + pen.count(4.5), 0.12)
    for x, y in sorted(flock, key=lambda p: p[1]):
        nature.sheep(pen.at(x, y, pen.any(0.075, 0.11), 0, pen.chance(0.5)))
    for x, y in _free(pen, crowns, pen.count(1.2), 0.2):
        bush = pen.vary(tint(pen.style.ground[Terrain.GRASSLAND], 0.03, 1.1, 0.62), 0.1)
        nature.round_tree(pen.at(x, y, pen.any(0.1, 0.16)), bush)
    if crowns:
        buildings.farmhouse(_stage(pen, right, 0.76), barn=crowns > 1)


def _swamp(pen: Pen, crowns: int, right: bool) -> None:
    things = _free(pen, crowns, 3 + pen.count(3), 0.17)
    if crowns:
        buildings.camp(_stage(pen, right, 0.76), big=crowns > 1)
    for x, y in sorted(things, key=lambda p: p[1]):
        kind = pen.rng.random()
        if kind < 0.4:
            nature.dead_tree(pen.at(x, min(y + 0.1, 0.97), pen.any(0.14, 0.24), 0, pen.chance(0.5)))
        elif kind < 0.65:
            nature.log(pen.at(x, y, pen.any(0.14, 0.22), pen.any(-0.3, 0.3), pen.chance(0.5)))
        else:
            nature.reeds(pen.at(x, y, pen.any(0.09, 0.14)))


def _mine(pen: Pen, crowns: int, right: bool) -> None:
    for x, y in _free(pen, crowns, 3 + pen.count(3), 0.16):
        nature.boulder(pen.at(x, y, pen.any(0.07, 0.14)), pen.vary(pen.style.stone, 0.08))
    for x, y in _free(pen, crowns, 2 + pen.count(3), 0.1):
        nature.nugget(pen.at(x, y, pen.any(0.035, 0.06)))
    if crowns:
        buildings.mine(_stage(pen, right, 0.76), crowns)
    else:
        big = pen.at(pen.any(0.35, 0.65), pen.any(0.4, 0.6))
        for x, y, size in (
            (-0.1, 0.02, 0.3),
            (0.12, 0.0, 0.28),
            (0.02, -0.12, 0.26),
            (0, 0.1, 0.24),
        ):
            nature.boulder(big.at(x, y, size), pen.vary(pen.style.stone, 0.05))
        for _ in range(3):
            nature.nugget(big.at(pen.any(-0.2, 0.2), pen.any(0.14, 0.26), 0.07))


_SCENES = {
    Terrain.WHEAT: _wheat,
    Terrain.FOREST: _forest,
    Terrain.LAKE: _lake,
    Terrain.GRASSLAND: _grassland,
    Terrain.SWAMP: _swamp,
    Terrain.MINE: _mine,
}
