"""What the stages of vision measure on seeded scenes, to a hair: whatever shifts it shows here."""

from collections.abc import Callable

import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.photo.photo import Photo, open_photo
from kdvision.vision.colours import shared_out
from kdvision.vision.doubts import border_doubts, measure_clarity
from kdvision.vision.geometry import local_axes, project, rectify, relative_side
from kdvision.vision.grid.detector import detect_all, detect_from_above
from kdvision.vision.grid.finder import detect_squares, find_grids, recheck
from kdvision.vision.grid.grid import Grid
from kdvision.vision.grid.lattice import grow_lattices
from kdvision.vision.grid.voting import Squares, find_squares
from kdvision.vision.models import CHANNELS
from kdvision.vision.seams import cut_pairs
from kdvision.vision.squares.castle import line_of_sight
from kdvision.vision.squares.reader import classify
from kdvision.vision.squares.window import Ground, cut_patches, measure_look, to_lab, view_window
from tests.support.grids import grid_of
from tests.support.measures import recorded
from tests.support.readings import place_of, reading_of
from tests.support.voting import fields_of

#: From lattice coordinates to the pixels of a photo, seen from low down and askew.
SLANTED = np.array([[52.0, 9, 120], [-7, 40.0, 90], [0.006, 0.021, 1]])
PLACES = [(col, row) for row in range(5) for col in range(6) if (col, row) not in {(2, 2), (5, 0)}]


def sums(*values: np.ndarray) -> list[float]:
    """Of each array how much it holds, by the order of its values."""
    return [
        float((np.nan_to_num(array) * np.cos(np.arange(array.size)).reshape(array.shape)).sum())
        for array in map(np.asarray, values)
    ]


def loose_squares(seed: int, loose: float) -> Squares:
    """Two boards, of which squares and axes lie loosely, some far off or with few votes."""
    rng = np.random.default_rng(seed)
    far = SLANTED @ np.array([[0.8, -0.6, 9], [0.6, 0.8, 0], [0, 0, 1.0]])
    parts = []
    for matrix, places in ((SLANTED, PLACES), (far, PLACES[:7])):
        middles = np.array(places) + 0.5 + rng.normal(0, loose, (len(places), 2))
        axes = local_axes(matrix, middles)
        scales = np.sqrt(np.abs(np.linalg.det(axes))) * rng.uniform(0.9, 1.1, len(places))
        turned = np.stack([axes[:, 1], -axes[:, 0]], axis=1)
        axes = np.where(rng.random((len(places), 1, 1)) < 0.5, axes, turned)
        axes += rng.normal(0, 2.5 * loose, axes.shape) * scales[:, None, None]
        votes = rng.uniform(0.4, 1.2, len(places))
        parts.append((project(matrix, middles), axes, scales, votes, rng.random(len(places))))
    return Squares(*map(np.concatenate, zip(*parts, strict=True)))


def lattices() -> list[float]:
    every = [loose_squares(seed, 0.04 + seed / 60) for seed in range(10)]
    grown = [lattice for found in every for lattice in grow_lattices(found)]
    return sums(
        np.concatenate([lattice.members for lattice in grown]),
        [lattice.residual for lattice in grown],
        np.concatenate([project(lattice.homography, np.eye(2) * 3) for lattice in grown]),
    )


def loose_fields(seed: int, side: float, bent: float = 0.2) -> np.ndarray:
    """Fields of a board of squares whose pixels hardly agree."""
    rng = np.random.default_rng(seed)
    axes = (side, side / 5), (-side / 4, 0.8 * side)
    places = np.array([(0, 0), (1, 0), (0, 1), (2, 1), (1, 2), (1, 1)])
    centres = [tuple(70 + np.array(axes).T @ at) for at in places + rng.normal(0, 0.07, (6, 2))]
    fields = fields_of(centres, *axes, side=96, tile=1.5, castle=0.7)
    noise = np.array([1.0, 0.5, 0.13, 0.13, 0.1, *[bent] * 4])[:, None, None]
    return (fields + noise * rng.normal(0, 1, fields.shape)).astype(np.float32)


def squares() -> list[float]:
    found = [find_squares(loose_fields(seed, side)) for seed, side in enumerate((8, 34, 60, 110))]
    found.append(find_squares(loose_fields(5, 40, bent=3.0)))
    return [
        *map(len, found),
        *sums(*(getattr(part, name) for part in found for name in ("centres", "axes", "scales"))),
        *sums(*(getattr(part, name) for part in found for name in ("votes", "castle"))),
    ]


class Seen:
    """A session that sees the same loose squares in each view, in proportion to its size."""

    def run(self, _: None, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        height, width = given["rgb"].shape[1:3]
        fields = np.full((len(CHANNELS), height // 4, width // 4), -8.0, np.float32)
        shown = loose_fields(7, 30)[:, : height // 4, : width // 4]
        fields[:, : shown.shape[1], : shown.shape[2]] = shown
        return [fields[None]]


class Copied:
    """A session whose output is what it is shown, and what lies 60 rows above that."""

    def run(self, _: None, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        shown = given["rgb"][0].mean(axis=2)
        above = np.vstack([shown[:1].repeat(60, axis=0), shown])[: len(shown)]
        plane = ((shown + above)[1::4, 1::4] / 64 - 4).astype(np.float32)
        return [np.repeat(plane[None, None], len(CHANNELS), axis=1)]


def views() -> list[float]:
    """Of a photo in bands, of one that is small, and over its borders and the horizon."""
    pixels = shot().pixels(900)[0]
    whole, small = detect_all(pixels, Copied(), 1600), detect_all(pixels[:31, :3], Copied())
    seen = [whole, small]
    for low, high in ((-9, 9), (-40, 6), (1, 4), (2, 2.5), (3, 1.6)):
        window = np.array([low, low + 1.0]), np.array([high, high + 2.0])
        seen.append(detect_from_above(pixels, Copied(), SLANTED, window, 11))
    upright = np.array([[40.0, 2, 30], [-2, 40, 50], [0, 0, 1]])
    return [
        *sums(*(view.tile[::7, ::5] for view in seen), *(view.to_view for view in seen)),
        *sums(*(share for view in seen for share in view.tile_share(upright, 20, 25))),
    ]


def of_grid(grid: Grid) -> list[float]:
    maps = (grid.centres, grid.castle, grid.tile, grid.tile_seen, grid.agreed, grid.found * 1.0)
    return [grid.residual, grid.square_px, *sums(grid.homography, *maps)]


def shot(width: int = 900, height: int = 700) -> Photo:
    """A photo whose colours say where each pixel lies."""
    ys, xs = np.mgrid[0:height, 0:width]
    waves = 128 + 90 * np.sin(xs / 23) * np.cos(ys / 17)
    pixels = np.stack([xs * 255 / width, ys * 255 / height, waves], axis=-1)
    return open_photo(pixels.astype(np.uint8))


def grids() -> list[float]:
    every = find_grids(detect_squares(shot(), Seen()), Seen())
    above = detect_from_above(
        shot().pixels(900)[0], Seen(), SLANTED, (np.array([-2.0, -1]), np.array([5.0, 4])), 37
    )
    return [
        *(value for grid in every for value in of_grid(grid)),
        *sums(above.to_view, *above.tile_share(SLANTED, 5, 6)),
        *of_grid(recheck(shot(), every[0], clear_reading(every[0]), Seen())),
    ]


def clear_reading(grid: Grid) -> object:
    rows = [" ".join("CWFGL"[(r + c) % 5] for c in range(grid.cols)) for r in range(grid.rows)]
    return reading_of("/".join(rows[:1] + [row.replace("C", "W") for row in rows[1:]]))


def windows() -> list[float]:
    pixels = shot().pixels(900)[0]
    views = [
        rectify(pixels, SLANTED, 4, 5, px=px, border=border)[::7, ::5] / 255
        for px, border in ((41, 9), (9, 0), (3, 1))
    ]
    grid = grid_of(reading_of("C W W W/F F F F/L L L L"), 52, homography=SLANTED)
    view = view_window(shot(), grid)
    turn = np.array([[0, -1, 4], [1, 0, 0], [0, 0, 1]])
    quarters = [np.linalg.matrix_power(turn, number) for number in range(4)]
    pairs = [((2, 3), (2, 2)), ((0, 0), (1, 0)), ((1, 3), (2, 3)), ((0, 1), (0, 0))]
    return [
        *sums(*views, view.flat[::7, ::5] / 255, view.small[::3, ::2] / 255),
        *sums(*(rectify(pixels, SLANTED @ turn, 4, 4, px=5) / 255 for turn in quarters)),
        *sums(cut_patches(view.flat, grid.centres.reshape(-1, 2) + 0.3)[:, ::7, ::9] / 255),
        *sums(
            *(
                cut_pairs(view.flat, grid.centres + by, pairs)[:, ::7, ::9] / 255
                for by in (0, -0.5, 0.5)
            )
        ),
        *sums(view.ground.features, view.ground.inside * 1.0),
    ]


def random_ground(seed: int) -> Ground:
    rng = np.random.default_rng(seed)
    features = rng.normal(0, 1.5 + seed, (9, 10, 4)) + (rng.random((9, 10, 1)) < 0.3) * 11
    return Ground(features, rng.random((9, 10)) < 0.85)


def ground() -> list[float]:
    tile = np.random.default_rng(5).uniform(0, 0.35, (5, 6))
    parts = [random_ground(seed) for seed in range(3)]
    pixels = np.random.default_rng(6).integers(0, 256, (50, 3)).astype(np.uint8)
    return [
        *sums(*(part.bare_distance(tile) for part in parts)),
        *sums(*(np.log10(part.bare_ratio(tile)) for part in parts)),
        *sums(*(part.oddness(tile > 0.05) for part in parts)),
        *sums(*(part.covered(tile > 0.05) * 1.0 for part in parts)),
        *sums(
            measure_look(pixels), to_lab(pixels), to_lab(np.repeat(np.arange(40)[:, None], 3, 1))
        ),
    ]


def doubts() -> list[float]:
    """Of a kingdom at each border of a photo, and of how clear its squares are."""
    line = "- C W -/F F L -/- L G G"
    signs = []
    for x, y in ((-30, 70), (150, -25), (620, 250), (200, 560)):
        matrix = np.array([[60, 4, x], [-3, 50, y], [0, 1e-4, 1.0]])
        grid = grid_of(reading_of(line), 55, homography=matrix)
        grid = replace(grid, tile=grid.tile * 0.1, tile_seen=grid.tile * 0.6)
        seen = border_doubts(shot(), grid, reading_of(line), view_window(shot(), grid).ground)
        signs += [sign.weight for sign in seen]
    flat = np.random.default_rng(8).integers(0, 256, (182, 232, 3)).astype(np.uint8)
    flat[60:80, 70:120] = 251
    seen = measure_clarity(flat, reading_of(line).taken)
    return [*signs, seen.detail, seen.light, seen.burnt]


def castles() -> list[float]:
    rng = np.random.default_rng(9)
    sights = [line_of_sight(SLANTED @ np.diag([k, 1, 1]), (k, 2)) for k in (1, -2, 3)]
    place = place_of({"C": 0.3, "W": 0.4, "-": 0.2})
    shares = [shared_out(rng.dirichlet(np.ones(5), count)) for count in (1, 3, 6)]
    hidden = place.as_hidden()
    return [
        *sums([[*sight.away, sight.height, *sight.step] for sight in sights], *shares),
        *sums(place.as_castle(0.9).probabilities, hidden.probabilities, hidden.hidden),
        relative_side(SLANTED, np.array([[1.0, 2]]), SLANTED @ np.diag([0.7, 1.1, 1])),
    ]


class Guess:
    """A session that is the surer of the labels the brighter their patch."""

    def run(self, _: None, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        shown = given["rgb"][:, 8:56:16, 8:56:8].reshape(len(given["rgb"]), -1)[:, :19] / 16
        return [shown.astype(np.float32)]


def labels() -> list[float]:
    patches = np.random.default_rng(4).integers(0, 256, (9, 64, 64, 3)).astype(np.uint8)
    read = classify(patches, Guess())
    cooler = classify(patches, Guess(), 1.7)
    return sums(read.probabilities, read.hidden, cooler.probabilities, cooler.hidden)


STAGES = (lattices, squares, views, grids, windows, ground, doubts, castles, labels)


@pytest.mark.parametrize("stage", STAGES)
def test_what_is_measured_on_seeded_scenes(stage: Callable[[], list[float]]) -> None:
    assert stage() == pytest.approx(recorded(stage), rel=1e-3, abs=2e-3)
