"""What stands on each of the sixteen kinds of square."""

from collections.abc import Callable, Sequence

import numpy as np

from kdvision.rules.terrain import Square, Terrain
from scripts.synthesis.artwork import houses, landmarks, nature, vignettes
from scripts.synthesis.artwork.crowns import crown_row
from scripts.synthesis.artwork.pen import Pen, Point, blob, scatter
from scripts.synthesis.artwork.style import tint


def furnish(pen: Pen, square: Square, right: bool, building: int | None = None) -> None:
    """Draw everything that stands on the ground of a square, its crowns last.

    Args:
        pen: A pen whose unit square is the square.
        square: Its kind.
        right: Crowns go to the top right corner, not to the top left.
        building: As how many crowns the building looks; as many as there are where it is None.
    """
    shown = square.crowns if building is None else building
    _SCENES[square.terrain](pen, shown, right)
    crown_row(pen, square.crowns, right)


def _stage(pen: Pen, right: bool, scale: float) -> Pen:
    """Return the frame of the building: a little below the middle, away from the crowns."""
    lean = -0.03 if right else 0.03
    x, y = 0.5 + lean + pen.rand(-0.03, 0.03), 0.56 + pen.rand(-0.02, 0.02)
    size, turn = scale * pen.rand(0.93, 1.04), pen.rand(-0.04, 0.04)
    return pen.at(x, y, size, turn, pen.chance(0.5))


def _free(pen: Pen, crowns: int, right: bool, n: int, gap: float) -> list[Point]:
    """Return places for small things, back to front: not on a building, not under a crown."""
    spots = scatter(pen.rng, n, gap, 0.06)
    if crowns:
        spots = [(x, y) for x, y in spots if max(abs(x - 0.5), abs(y - 0.6)) > 0.36]
        wide = 0.12 + crowns * pen.style.crown_size * 1.2
        spots = [(x, y) for x, y in spots if y > 0.36 or (1 - x if right else x) > wide]
    return sorted(spots, key=lambda spot: spot[1])


def _vignette(
    pen: Pen, share: float, scenes: Sequence[tuple[Callable[[Pen], None], float]]
) -> None:
    """Draw one of the small scenes of `vignettes` now and then, each at its usual size."""
    if pen.chance(share):
        scene, size = scenes[int(pen.rng.integers(len(scenes)))]
        place = (pen.rand(0.25, 0.75), pen.rand(0.35, 0.8))
        scene(pen.at(*place, size * pen.rand(0.85, 1.15), 0, pen.chance(0.5)))


def _wheat(pen: Pen, crowns: int, right: bool) -> None:
    for x, y in _free(pen, crowns, right, pen.count(2.2), 0.2):
        if pen.chance(0.25):
            nature.hay(pen.at(x, y, pen.rand(0.12, 0.2)))
        else:
            nature.bird(pen.at(x, y, pen.rand(0.06, 0.1), pen.rand(-0.6, 0.6)))
    if crowns:
        landmarks.windmill(_stage(pen, right, 0.78).at(0, 0.03))
    else:
        _vignette(pen, 0.3, ((vignettes.scarecrow, 0.24), (vignettes.hay_cart, 0.26)))


def _forest(pen: Pen, crowns: int, right: bool) -> None:
    green = tint((34, 112, 46), pen.rand(-0.03, 0.03), 1, pen.rand(0.88, 1.12))
    feet = []
    for y in np.arange(0.2, 1.02, 0.135):
        for x in np.arange(0.08 + 0.075 * (round(y / 0.135) % 2), 0.99, 0.155):
            feet.append((x + pen.rand(-0.035, 0.035), y + pen.rand(-0.03, 0.03)))
    # Where something stands in the wood there are no trees.
    if crowns:
        clearing = blob(pen.rng, 0.5, 0.66, 0.36, 0.26)
        pen.shade(clearing, tint(pen.style.ground[Terrain.FOREST], -0.03, 0.9, 1.5), 0.7, 0.03)
        feet = [(x, y) for x, y in feet if not (abs(x - 0.5) < 0.36 and 0.4 < y < 0.97)]
    else:
        gap = (pen.rand(0.2, 0.8), pen.rand(0.45, 0.9))
        vignettes.track(pen.at(*gap))
        scene = vignettes.tent if pen.chance(0.2) else nature.log
        scene(pen.at(*gap, 0.13, 0, pen.chance(0.5)))
        feet = [
            (x, y) for x, y in feet if abs(x - gap[0]) > 0.13 or not 0 < gap[1] + 0.17 - y < 0.24
        ]
    # Trees from back to front, the lodge among them.
    lodge_stands = not crowns
    for x, y in sorted(feet, key=lambda foot: foot[1]):
        if not lodge_stands and y > 0.9:
            houses.lodge(_stage(pen, right, 0.64).at(0, 0.06))
            lodge_stands = True
        tree = pen.at(x, y, pen.rand(0.2, 0.26))
        leaf = pen.vary(green, 0.1)
        if pen.chance(pen.style.conifers):
            nature.conifer(tree.at(0, 0, 1.08), tint(leaf, 0.02, 1, 0.92))
        else:
            nature.round_tree(tree, leaf)


def _lake(pen: Pen, crowns: int, right: bool) -> None:
    water = pen.style.ground[Terrain.LAKE]
    for x, y in _free(pen, crowns, right, 1 + pen.count(3.5), 0.13):
        kind = pen.rng.random()
        if kind < 0.5:
            fishy = pen.at(x, y, pen.rand(0.08, 0.15), pen.rand(-0.5, 0.5), pen.chance(0.5))
            nature.fish(fishy, tint(water, 0.01, 1, 0.55))
        elif kind < 0.8:
            for _ in range(1 + pen.count(1.2)):
                pad = (x + pen.rand(-0.05, 0.05), y + pen.rand(-0.04, 0.04))
                nature.lily(pen.at(*pad, pen.rand(0.04, 0.07)))
        else:
            nature.reeds(pen.at(x, y, pen.rand(0.08, 0.12)))
    if crowns:
        stage = _stage(pen, right, 0.68)
        houses.stilt_house(stage.at(0, -0.03))
        nature.boat(stage.at(pen.rand(-0.42, -0.28), 0.54, 0.32))
    elif pen.chance(0.4):
        afloat = pen.at(pen.rand(0.25, 0.75), pen.rand(0.3, 0.75), pen.rand(0.24, 0.34), 0,
                        pen.chance(0.5))  # fmt: skip
        nature.boat(afloat, pen.vary((168, 104, 52), 0.1), pen.chance(0.5))
    else:
        _vignette(pen, 0.6, ((vignettes.serpent, 0.34), (vignettes.ducks, 0.22),
                             (vignettes.islet, 0.26), (vignettes.fishing, 0.3)))  # fmt: skip


def _grassland(pen: Pen, crowns: int, right: bool) -> None:
    if not crowns:
        _vignette(pen, 0.35, ((vignettes.pond, 0.24), (vignettes.stone_ring, 0.24)))
    for x, y in _free(pen, crowns, right, 2 + pen.count(4.5), 0.12):
        nature.sheep(pen.at(x, y, pen.rand(0.075, 0.11), 0, pen.chance(0.5)))
    for x, y in _free(pen, crowns, right, pen.count(1.2), 0.2):
        bush = pen.vary(tint(pen.style.ground[Terrain.GRASSLAND], 0.03, 1.1, 0.62), 0.1)
        nature.round_tree(pen.at(x, y, pen.rand(0.1, 0.16)), bush)
    if crowns:
        houses.farmhouse(_stage(pen, right, 0.76), barn=crowns > 1)


def _swamp(pen: Pen, crowns: int, right: bool) -> None:
    things = _free(pen, crowns, right, 3 + pen.count(3), 0.17)
    if crowns:
        landmarks.camp(_stage(pen, right, 0.76), big=crowns > 1)
    else:
        _vignette(pen, 0.5, ((vignettes.bones, 0.2), (vignettes.crocodile, 0.26)))
    for x, y in things:
        kind = pen.rng.random()
        if kind < 0.4:
            tree = pen.at(x, min(y + 0.1, 0.97), pen.rand(0.14, 0.26), 0, pen.chance(0.5))
            nature.dead_tree(tree)
        elif kind < 0.65:
            nature.log(pen.at(x, y, pen.rand(0.14, 0.22), pen.rand(-0.3, 0.3), pen.chance(0.5)))
        else:
            nature.reeds(pen.at(x, y, pen.rand(0.09, 0.14)))


def _mine(pen: Pen, crowns: int, right: bool) -> None:
    for x, y in _free(pen, crowns, right, 3 + pen.count(3), 0.16):
        nature.boulder(pen.at(x, y, pen.rand(0.07, 0.14)), pen.vary(pen.style.stone, 0.08))
    for x, y in _free(pen, crowns, right, 2 + pen.count(3), 0.1):
        nature.nugget(pen.at(x, y, pen.rand(0.035, 0.06)))
    if crowns:
        landmarks.mine(_stage(pen, right, 0.76), crowns)
        return
    heap = pen.at(pen.rand(0.35, 0.65), pen.rand(0.4, 0.6), pen.rand(0.9, 1.3))
    for x, y, size in ((-0.1, 0.02, 0.3), (0.12, 0.0, 0.28), (0.02, -0.12, 0.26), (0, 0.1, 0.24)):
        nature.boulder(heap.at(x, y, size), pen.vary(pen.style.stone, 0.05))
    for _ in range(3):
        nature.nugget(heap.at(pen.rand(-0.2, 0.2), pen.rand(0.14, 0.26), 0.07))
    _vignette(pen, 0.5, ((vignettes.lantern, 0.13),))


_SCENES = {
    Terrain.WHEAT: _wheat,
    Terrain.FOREST: _forest,
    Terrain.LAKE: _lake,
    Terrain.GRASSLAND: _grassland,
    Terrain.SWAMP: _swamp,
    Terrain.MINE: _mine,
}
