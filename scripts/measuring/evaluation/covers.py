"""Things that lie or reach over a kingdom: hands, sleeves, dice, cards, glasses, phones.

Drawn over rendered tables of one kingdom and over real boards, neither of which trains. What is
covered cannot be known, so that a total of such a picture is right only by what is left to see.
"""

from collections.abc import Callable, Mapping
from functools import partial

import cv2
import numpy as np

from kdvision.rules.terrain import LABELS
from scripts.arrays import AnyArray, Array, Image, Rng
from scripts.data_split import boards, data_folder
from scripts.measuring.evaluation.cases import Case, Maker
from scripts.measuring.evaluation.damages import as_jpeg
from scripts.measuring.evaluation.scenes import scene_of, true_kingdom
from scripts.measuring.evaluation.stress import BareScene, on_canvas
from scripts.named import by_name
from scripts.pictures import as_bytes
from scripts.synthesis.rendering import table_textures
from scripts.synthesis.rendering.scene import stroke

Covering = tuple[Image, Image]
#: Draws a thing: of a picture, random numbers, the side of a square in pixels and a point.
Draw = Callable[[Image, Rng, float, Array], Covering]

_SEED = 4_711
#: What the shadow of a thing takes of the light, at most.
SHADE = 0.35
#: Skin from dark to light, RGB.
_SKIN = np.array([[62, 40, 30], [110, 72, 50], [160, 110, 82], [205, 152, 122], [238, 200, 178]])


def covers(count: int) -> list[Maker]:
    """Return so many pictures that measure: every kind in turn, on tables and on boards in turn."""
    return [partial(covered, KINDS, number, _SEED, measuring=True) for number in range(count)]


def covered(kinds: Mapping[str, Draw], number: int, seed: int, *, measuring: bool) -> Case:
    """Return a picture of one kingdom with a thing over it.

    Args:
        kinds: What may lie there, each in turn.
        number: Of the picture, and of the rendered table.
        seed: Of all that is random.
        measuring: Whether the boards are those that train nothing.
    """
    rng = np.random.default_rng([seed, number])
    kind = list(kinds)[number % len(kinds)]
    on_board = number // len(kinds) % 3 == 2
    bare = bare_scene(rng, number, on_board=on_board, measuring=measuring)
    inner = bare.places[int(rng.integers(len(bare.places)))]
    at = inner + rng.normal(0, 0.3, 2) * bare.unit
    layer, mask = kinds[kind](bare.image, rng, bare.unit, at)
    picture = as_jpeg(over(bare.image, layer, mask))
    return Case(f"{kind} {number}", picture, (bare.truth,), {"kind": kind})


def bare_scene(rng: Rng, number: int, *, on_board: bool, measuring: bool = True) -> BareScene:
    """Return a board on a plain table, or the rendered table of a number.

    With `measuring` the board is one of those that train nothing.
    """
    if on_board:
        held = boards(data_folder(), measuring=measuring)
        board = held[int(rng.integers(len(held)))]
        return on_canvas(board.path, board.line, rng, tilted=True)
    scene, _ = scene_of("covers", number)
    truth, squares = true_kingdom(scene, 0), scene.squares_of(0)
    places = np.array([square.corners.mean(axis=0) for square in squares])
    crowned = np.array([LABELS[square.label][-1].isdigit() for square in squares])
    return BareScene(scene.image, truth.square_px, truth, places, crowned)


# ---------------------------------------------------------------------- what covers
# Each gives a layer as large as the picture, and (h, w) 0 to 255 where it lies over it. `unit` is
# the side of a square in pixels, `at` the point (x, y) over which it lies.


def hand(image: Image, rng: Rng, unit: float, at: Array) -> Covering:
    """Return a bare hand and arm that reach in as far as a point."""
    return _reach(image, rng, unit, at, skin(rng, image), rng.uniform(0.7, 2.2), 4)


def sleeve(image: Image, rng: Rng, unit: float, at: Array) -> Covering:
    """Return a sleeve, plain, striped or chequered, that lies over the border of the picture."""
    width = rng.uniform(1.0, 3.0)
    return _reach(image, rng, unit, at, cloth(rng, image, unit), width, 0)


def die(image: Image, rng: Rng, unit: float, at: Array) -> Covering:
    """Return a die, about half a square wide, or a small box."""
    side = rng.uniform(0.4, 1.0) * unit
    colours = [[240, 238, 230], [30, 30, 34], [170, 30, 35], [40, 90, 160]]
    layer = np.full_like(image, rng.choice(colours))
    box = cv2.boxPoints((tuple(map(float, at)), (side, side), float(rng.uniform(0, 90))))
    for _ in range(int(rng.integers(1, 7))):
        pip = at + rng.uniform(-0.3, 0.3, 2) * side
        colour = tuple(int(255 - value) for value in layer[0, 0])
        cv2.circle(layer, tuple(map(int, pip)), max(2, round(side / 12)), colour, -1, cv2.LINE_AA)
    return layer, polygon(image, box)


def card(image: Image, rng: Rng, unit: float, at: Array) -> Covering:
    """Return a playing card or a sheet."""
    length = rng.uniform(0.8, 2.8) * unit
    size = (length, length * rng.uniform(0.6, 1.0))
    box = cv2.boxPoints((tuple(map(float, at)), size, float(rng.uniform(0, 180))))
    picture = table_textures.flat_picture(rng, [])
    rows, cols = picture.shape[:2]
    corners = np.array([[0, 0], [cols, 0], [cols, rows], [0, rows]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, box)
    layer = cv2.warpPerspective(picture, matrix, image.shape[1::-1], flags=cv2.INTER_AREA)
    return np.asarray(layer, np.uint8), polygon(image, box)


def glass(image: Image, rng: Rng, unit: float, at: Array) -> Covering:
    """Return the round of a glass or a cup, through which nothing is seen clearly."""
    axes = rng.uniform(0.5, 1.3) * unit * np.array([1.0, rng.uniform(0.7, 1.0)])
    mask = np.zeros(image.shape[:2], np.uint8)
    middle, size = tuple(map(int, at)), tuple(map(int, axes))
    cv2.ellipse(mask, middle, size, float(rng.uniform(0, 180)), 0, 360, 255, -1, cv2.LINE_AA)
    drink = rng.choice([[60, 30, 12], [225, 160, 40], [235, 232, 225], [120, 20, 30]])
    seen = cv2.GaussianBlur(image, (0, 0), max(0.2 * unit, 1.0))
    return as_bytes(0.2 * seen + 0.8 * drink.astype(float)), mask


def phone(image: Image, rng: Rng, unit: float, at: Array) -> Covering:
    """Return a phone that lies on the table, dark, with a shine."""
    size = unit * rng.uniform(1.2, 1.7)
    box = cv2.boxPoints((tuple(map(float, at)), (size, 2 * size), float(rng.uniform(0, 180))))
    height, width = image.shape[:2]
    shine = np.linspace(0, rng.uniform(10, 90), width)[None, :, None] * np.ones((height, 1, 3))
    layer = as_bytes(rng.choice([12.0, 26.0, 200.0]) + shine)
    return layer, polygon(image, box)


KINDS: Mapping[str, Draw] = by_name(hand, sleeve, die, card, glass, phone)


def _reach(
    image: Image, rng: Rng, unit: float, at: Array, layer: Image, width: float, fingers: int
) -> Covering:
    """Draw something long, so many squares wide, from the border as far as a point."""
    mask = np.zeros(image.shape[:2], np.uint8)
    angle = rng.uniform(0, 2 * np.pi)
    away = np.array([np.cos(angle), np.sin(angle)])
    side = np.array([-away[1], away[0]])
    finger = width * unit / 4
    palm = at + away * finger * (6 if fingers else 1)
    for number in range(fingers):
        end = at + side * finger * (number - 1.5) * 1.15 + away * finger * rng.uniform(0, 2)
        stroke(mask, end, palm + side * finger * (number - 1.5), finger)
    stroke(mask, palm, palm + away * 3 * sum(image.shape[:2]), finger * 4)
    shade = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), finger / 2 + 1)[..., None]
    return as_bytes(layer * (0.55 + 0.5 * shade)), mask


def skin(rng: Rng, image: Image) -> Image:
    """Return a layer of skin of any tone, with a soft grain."""
    tone = rng.uniform(0, len(_SKIN) - 1)
    low = int(tone)
    colour = _SKIN[low] + (_SKIN[min(low + 1, len(_SKIN) - 1)] - _SKIN[low]) * (tone - low)
    return as_bytes(colour * rng.normal(1, 0.02, (*image.shape[:2], 1)))


def cloth(rng: Rng, image: Image, unit: float) -> Image:
    """Return a layer of plain, striped or chequered cloth."""
    height, width = image.shape[:2]
    first, second = rng.uniform(15, 240, (2, 3))
    step = max(4, round(rng.uniform(0.1, 0.5) * unit))
    rows, cols = np.mgrid[:height, :width] // step % 2
    which = {"plain": 0 * rows, "striped": rows, "chequered": rows ^ cols}
    pattern = which[str(rng.choice(list(which)))][..., None]
    grain = rng.normal(1, 0.03, (height, width, 1))
    return as_bytes((first * (1 - pattern) + second * pattern) * grain)


def polygon(image: Image, corners: AnyArray) -> Image:
    """Return (h, w) 255 inside a convex polygon (n, 2), else 0."""
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, (np.asarray(corners) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return mask


def over(
    image: Image,
    layer: Image,
    mask: Image,
    shadow_px: float = 6.0,
    edge_px: float = 1.0,
    shade: float = SHADE,
) -> Image:
    """Return a layer laid over a picture with its shadow, both so many pixels soft.

    The shadow takes at most the share `shade` of the light.
    """
    shadow = cv2.GaussianBlur(mask, (0, 0), shadow_px)[..., None] / np.float32(255)
    weight = cv2.GaussianBlur(mask, (0, 0), edge_px)[..., None] / np.float32(255)
    return as_bytes(image * (1 - shade * shadow) * (1 - weight) + layer * weight)
