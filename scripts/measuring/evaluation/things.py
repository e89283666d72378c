"""Things that lie on tiles: notes, tapes, tokens, caps, keys, and small ones over crowns.

Drawn over real boards that train nothing and over rendered tables of one kingdom, in turn, by code
that draws nothing that trains. Half of the pictures have one small thing over a square with crowns.
Every picture is there a second time without its thing: these tell how many totals are doubted where
nothing lies.
"""

from functools import partial
from itertools import product

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFilter

from scripts.arrays import Array, Image, Rng
from scripts.measuring.evaluation.cases import Case, Maker
from scripts.measuring.evaluation.covers import bare_scene
from scripts.measuring.evaluation.damages import as_jpeg
from scripts.named import by_name

Colour = tuple[int, int, int]

_SEED = 8_123
#: The first of the rendered tables. Hands and sleeves lie over earlier ones.
_FIRST_SCENE = 30_000
#: Pixels along a side of the tile on which a thing is drawn before it is laid into the picture.
_DRAWN_PX = 256
#: How far a crown lies from the middle of its square, in squares.
_CROWN_AWAY = 0.32
#: How dark the shadow of a thing is.
_SHADOW = 0.4


def things(count: int, *, laid: bool = True) -> list[Maker]:
    """Return so many pictures with a thing on the tiles, small and large in turn, or without it."""
    return [partial(_case, number, laid=laid) for number in range(count)]


def _case(number: int, *, laid: bool) -> Case:
    """Return one picture: of every four two are boards, and of each two one is small."""
    rng = np.random.default_rng([_SEED, number])
    bare = bare_scene(rng, _FIRST_SCENE + number, on_board=number % 4 < 2)
    small = number % 2 == 1
    kinds = SMALL if small else LARGE
    name = str(rng.choice(list(kinds)))
    if small and bare.crowned.any():
        side = rng.choice([[1, 0], [-1, 0], [0, 1], [0, -1]])
        places = bare.places[bare.crowned]
        shift = _CROWN_AWAY * side
    else:
        places = bare.places
        shift = rng.normal(0, 0.2, 2)
    at = places[rng.integers(len(places))] + shift * bare.unit
    image = bare.image
    if laid:
        picture = Pillow.new("RGBA", (_DRAWN_PX, _DRAWN_PX))
        squares = kinds[name](rng, ImageDraw.Draw(picture))
        image = _lay(image, picture, squares, rng, bare.unit, at)
    return Case(f"{name} {number}", as_jpeg(image), (bare.truth,), {"kind": name})


# ---------------------------------------------------------------------- what lies there
# Each draws on a transparent picture (256, 256), and returns how many squares its sides are long.


def _fill(rng: Rng, draw: ImageDraw.ImageDraw, colour: Colour) -> None:
    """Fill a picture with a colour that is not quite even."""
    lights = np.linspace(rng.uniform(0.85, 1.0), rng.uniform(0.95, 1.1), _DRAWN_PX)
    tones = np.clip(np.outer(lights, colour), 0, 255).astype(int)
    for row, tone in enumerate(tones.tolist()):
        draw.line((0, row, _DRAWN_PX, row), fill=tuple(tone))


def _colour(rng: Rng, low: int = 0, high: int = 256) -> Colour:
    """Return any colour between two values."""
    red, green, blue = rng.integers(low, high, 3).tolist()
    return red, green, blue


#: Colours near those of the terrains, as sticky notes and counters have them.
_TERRAIN_LIKE: tuple[Colour, ...] = (
    *((236, 200, 70), (245, 222, 130), (120, 175, 70), (45, 105, 55)),
    *((80, 150, 205), (150, 130, 105), (70, 60, 55)),
)


def folded_note(rng: Rng, draw: ImageDraw.ImageDraw) -> float:
    """Draw a note with a folded corner, of a terrain's colour more often than not."""
    colour = _TERRAIN_LIKE[rng.integers(len(_TERRAIN_LIKE))]
    _fill(rng, draw, colour if rng.random() < 0.7 else _colour(rng, 90))
    fold = int(rng.integers(20, 90))
    corner = [(_DRAWN_PX, _DRAWN_PX), (_DRAWN_PX - fold, _DRAWN_PX), (_DRAWN_PX, _DRAWN_PX - fold)]
    draw.polygon(corner, fill=(255, 255, 245, 255))
    if rng.random() < 0.4:
        for line in range(40, 220, 36):
            draw.line((30, line, int(rng.integers(120, 230)), line), fill=(50, 50, 80), width=5)
    return rng.uniform(0.6, 1.3)


def dotted_tape(rng: Rng, draw: ImageDraw.ImageDraw) -> float:
    """Draw a strip of patterned tape that crosses several squares."""
    wide = int(rng.integers(10, 32))
    top = (_DRAWN_PX - wide) // 2
    draw.rectangle((0, top, _DRAWN_PX, top + wide), fill=(*_colour(rng, 60), 255))
    dot = max(2, wide // 5)
    for x in range(6, _DRAWN_PX, 3 * dot):
        draw.ellipse((x, top + dot, x + dot, top + 2 * dot), fill=(*_colour(rng, 150), 255))
    return rng.uniform(2.0, 4.0)


def receipt(rng: Rng, draw: ImageDraw.ImageDraw) -> float:
    """Draw a white slip with rows of print."""
    left = int(rng.integers(60, 100))
    draw.rectangle((left, 0, _DRAWN_PX - left, _DRAWN_PX), fill=(244, 242, 236, 255))
    for row in range(12, 244, 14):
        end = int(rng.integers(left + 30, _DRAWN_PX - left - 8))
        draw.line((left + 8, row, end, row), fill=(70, 70, 76, 255), width=4)
    return rng.uniform(1.2, 2.6)


def hexagon(rng: Rng, draw: ImageDraw.ImageDraw) -> float:
    """Draw a six-sided token with an emblem."""
    draw.regular_polygon((128, 128, 124), 6, fill=(*_colour(rng, 30, 230), 255))
    draw.regular_polygon((128, 128, 96), 6, outline=(*_colour(rng, 120), 255), width=8)
    draw.regular_polygon((128, 128, 44), int(rng.integers(3, 6)), fill=(*_colour(rng), 255))
    return rng.uniform(0.5, 1.0)


def building_block(rng: Rng, draw: ImageDraw.ImageDraw) -> float:
    """Draw a square block of a building set with four studs."""
    colour = _colour(rng, 20, 235)
    _fill(rng, draw, colour)
    lighter = tuple(min(255, value + 35) for value in colour)
    for x, y in product((66, 190), (66, 190)):
        draw.circle((x + 2, y + 8), 42, fill=(20, 20, 20, 255))
        draw.circle((x, y), 42, fill=(*lighter, 255))
    return rng.uniform(0.5, 1.0)


def domino_stone(rng: Rng, draw: ImageDraw.ImageDraw) -> float:
    """Draw a black stone of an ordinary set of dominoes."""
    draw.rounded_rectangle((64, 2, 192, 254), 16, fill=(24, 24, 28, 255))
    draw.line((72, 128, 184, 128), fill=(220, 220, 214, 255), width=6)
    for middle in (66, 190):
        for _ in range(int(rng.integers(1, 5))):
            x, y = rng.integers(-34, 35, 2)
            draw.circle((128 + x, middle + y), 11, fill=(235, 235, 228, 255))
    return rng.uniform(0.9, 1.6)


def wooden_square(rng: Rng, draw: ImageDraw.ImageDraw) -> float:
    """Draw a square of bare wood with its grain, as large as a tile or smaller."""
    _fill(rng, draw, (206, 166, 112))
    for _ in range(24):
        y = int(rng.integers(0, _DRAWN_PX))
        points = [(x, y + int(rng.normal(0, 3))) for x in range(0, _DRAWN_PX + 1, 32)]
        draw.line(points, fill=(168, 124, 78, 255), width=int(rng.integers(1, 4)))
    return rng.uniform(0.5, 1.0)


def key(rng: Rng, draw: ImageDraw.ImageDraw) -> float:
    """Draw a key with its ring."""
    metal = (int(rng.integers(140, 220)),) * 2 + (int(rng.integers(110, 200)), 255)
    draw.circle((48, 128), 44, outline=metal, width=22)
    draw.rectangle((88, 118, 246, 138), fill=metal)
    for x in (190, 214, 236):
        draw.rectangle((x, 138, x + 10, 138 + int(rng.integers(12, 40))), fill=metal)
    return rng.uniform(1.0, 1.8)


def bottle_cap(rng: Rng, draw: ImageDraw.ImageDraw) -> float:
    """Draw a bottle cap with its crimped rim."""
    draw.regular_polygon((128, 128, 126), 21, fill=(186, 188, 192, 255))
    draw.circle((128, 128), 104, fill=(*_colour(rng, 20, 230), 255))
    draw.circle((128, 128), 42, fill=(*_colour(rng, 150), 255))
    return rng.uniform(0.3, 0.5)


def button(rng: Rng, draw: ImageDraw.ImageDraw) -> float:
    """Draw a button with four holes."""
    colour = _colour(rng, 20, 240)
    draw.circle((128, 128), 126, fill=(*colour, 255))
    draw.circle((128, 128), 88, outline=tuple(value // 2 for value in colour), width=8)
    for x, y in product((100, 156), (100, 156)):
        draw.circle((x, y), 13, fill=(20, 18, 18, 255))
    return rng.uniform(0.22, 0.42)


def glass_bead(rng: Rng, draw: ImageDraw.ImageDraw) -> float:
    """Draw a bead of glass with its shine."""
    colour = _colour(rng, 10, 220)
    for ring in range(124, 10, -6):
        share = 1.3 - ring / 180
        tone = tuple(min(255, round(value * share)) for value in colour)
        draw.circle((128, 128), ring, fill=(*tone, 255))
    draw.ellipse((70, 60, 112, 96), fill=(250, 250, 250, 255))
    return rng.uniform(0.2, 0.4)


def paper_scrap(rng: Rng, draw: ImageDraw.ImageDraw) -> float:
    """Draw a torn scrap of paper, often of a terrain's colour."""
    points = []
    for angle in np.linspace(0, 2 * np.pi, 17)[:-1]:
        reach = rng.uniform(70, 126)
        points.append((128 + reach * np.cos(angle), 128 + reach * np.sin(angle)))
    colour = _TERRAIN_LIKE[rng.integers(len(_TERRAIN_LIKE))]
    draw.polygon(points, fill=(*(colour if rng.random() < 0.6 else (246, 244, 238)), 255))
    return rng.uniform(0.25, 0.5)


def match(rng: Rng, draw: ImageDraw.ImageDraw) -> float:
    """Draw a matchstick."""
    draw.rectangle((10, 116, 230, 140), fill=(222, 190, 140, 255))
    draw.ellipse((216, 106, 254, 150), fill=(*_colour(rng, 20, 200), 255))
    return rng.uniform(0.6, 1.1)


def pawn(rng: Rng, draw: ImageDraw.ImageDraw) -> float:
    """Draw a plastic pawn as seen from above: rings of one colour."""
    colour = _colour(rng, 20, 235)
    for ring, share in ((124, 0.6), (104, 0.9), (66, 0.7), (50, 1.15)):
        tone = tuple(min(255, round(value * share)) for value in colour)
        draw.circle((128, 128), ring, fill=(*tone, 255))
    return rng.uniform(0.28, 0.5)


def sweet(rng: Rng, draw: ImageDraw.ImageDraw) -> float:
    """Draw a sweet wrapped in paper with twisted ends."""
    colour = (*_colour(rng, 30), 255)
    draw.polygon([(4, 70), (4, 186), (80, 128)], fill=colour)
    draw.polygon([(252, 70), (252, 186), (176, 128)], fill=colour)
    draw.ellipse((58, 74, 198, 182), fill=colour)
    draw.arc((74, 88, 182, 168), 0, 300, fill=(*_colour(rng, 150), 255), width=10)
    return rng.uniform(0.35, 0.6)


LARGE = by_name(
    folded_note, dotted_tape, receipt, hexagon, building_block, domino_stone, wooden_square, key
)
SMALL = by_name(bottle_cap, button, glass_bead, paper_scrap, match, pawn, sweet)


def _lay(
    image: Image, picture: Pillow.Image, squares: float, rng: Rng, unit: float, at: Array
) -> Image:
    """Return an image with a thing laid on it, so many squares wide, turned and with a shadow."""
    side = max(4, round(squares * unit))
    angle = float(rng.uniform(0, 360))
    turned = picture.rotate(angle, Pillow.Resampling.BICUBIC, expand=True)
    scale = side / _DRAWN_PX
    size = round(turned.width * scale), round(turned.height * scale)
    turned = turned.resize(size, Pillow.Resampling.LANCZOS)
    whole = Pillow.fromarray(np.ascontiguousarray(image))
    corner = round(float(at[0]) - size[0] / 2), round(float(at[1]) - size[1] / 2)
    # The thing is as bright as what lies around it.
    bright = float(np.mean(image)) / 140
    colours = turned.convert("RGB").point(lambda value: round(min(255.0, value * bright)))
    alpha = turned.getchannel("A")
    dark = Pillow.new("L", whole.size, 0)
    away = round(0.04 * unit)
    shade = alpha.point(lambda value: round(value * _SHADOW))
    dark.paste(shade, (corner[0] + away, corner[1] + away))
    dark = dark.filter(ImageFilter.GaussianBlur(max(1.0, 0.04 * unit)))
    whole.paste(Pillow.new("RGB", whole.size, (0, 0, 0)), (0, 0), dark)
    whole.paste(colours, corner, alpha)
    return np.asarray(whole, np.uint8)
