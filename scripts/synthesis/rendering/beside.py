"""What players lay down beside kingdoms: rule sheets, discards, box lids, slips, and neighbours.

Printed tiles, dominoes of no kingdom and kingdoms that the border cuts look like kingdoms. Scenes
with them teach that they are none, and measure what they do to a photo.
"""

from collections.abc import Callable

import cv2
import numpy as np

from scripts.synthesis.rendering import table_textures
from scripts.synthesis.rendering.art import Deck, Image, level_for
from scripts.synthesis.rendering.camera import Camera
from scripts.synthesis.rendering.layout import (
    Array,
    Piece,
    Spread,
    apply,
    flat_thing,
    lay_kingdom,
    loose_domino,
    pose,
)
from scripts.synthesis.rendering.placement import outline
from scripts.synthesis.rendering.recipe import Sources

#: Side of a printed square on a rule sheet, in squares of the game.
PRINTED_SIDE = (0.22, 0.62)
#: Share of a neighbour's squares that the picture shows.
SHOWN_OF_NEIGHBOUR = (0.08, 0.65)
#: Attempts at a free place for one thing; what finds none is left out.
ATTEMPTS = 12
Maker = Callable[[np.random.Generator, Deck, Array, float], list[Piece]]


def look_alikes(
    rng: np.random.Generator,
    sources: Sources,
    deck: Deck,
    spreads: list[Spread],
    camera: Camera,
    count: int,
) -> list[Piece]:
    """Lay `count` things that look like kingdoms where none of them touches one.

    Args:
        rng: Source of all choices.
        sources: Kingdoms for neighbours.
        deck: The pictures of the game's tiles.
        spreads: The kingdoms of the scene.
        camera: The camera; only what it sees is laid.
        count: The number of things.

    Returns:
        Pieces in the order in which they are drawn; their squares belong to no kingdom.
    """
    taken = [outline(spread) for spread in spreads]
    pieces: list[Piece] = []
    for kind in rng.choice(list(KINDS), count, p=list(KINDS.values())):
        for _ in range(ATTEMPTS):
            if kind == "neighbour":
                laid = _neighbour(rng, sources, deck, camera)
            else:
                at, angle = _seen_point(rng, camera), rng.uniform(0, 2 * np.pi)
                laid = MAKERS[kind](rng, deck, at, angle)
            if laid and _is_clear(laid, taken):
                pieces += laid
                taken.append(np.concatenate([piece.quad for piece in laid]))
                break
    return pieces


def _seen_point(rng: np.random.Generator, camera: Camera) -> Array:
    """A point of the table that the camera sees, or that lies just beyond the border."""
    pixel = rng.uniform(-0.08, 1.08, 2) * [camera.width, camera.height]
    at = apply(np.asarray(np.linalg.inv(camera.plane())), pixel[None])
    return np.asarray(at[0])


def _is_clear(laid: list[Piece], taken: list[Array]) -> bool:
    """Whether the things lie a third of a square and more from all that is taken."""
    mine = _grown(np.concatenate([piece.quad for piece in laid]), 0.35)
    for points in taken:
        area, _ = cv2.intersectConvexConvex(mine, _grown(points, 0.0))
        if area > 0:
            return False
    return True


def _grown(points: Array, margin: float) -> Array:
    """The convex hull (n, 2) of points, float32, pushed outwards from its middle by `margin`."""
    hull = np.asarray(cv2.convexHull(points.astype(np.float32)), np.float32)[:, 0]
    ways = hull - hull.mean(axis=0)
    lengths = np.linalg.norm(ways, axis=1, keepdims=True)
    return np.asarray(hull + ways / np.maximum(lengths, 1e-6) * np.float32(margin), np.float32)


def _neighbour(
    rng: np.random.Generator, sources: Sources, deck: Deck, camera: Camera
) -> list[Piece]:
    """Another kingdom of which the border leaves a part only; empty where it leaves too much."""
    played = sources.kingdoms[int(rng.integers(len(sources.kingdoms)))]
    side = rng.integers(4)
    along = rng.uniform(0.0, 1.0)
    corner = [(along, 0.0), (along, 1.0), (0.0, along), (1.0, along)][int(side)]
    edge = np.array(corner) * [camera.width, camera.height]
    to_table = np.asarray(np.linalg.inv(camera.plane()))
    at, middle = apply(to_table, np.array([edge, [camera.width / 2, camera.height / 2]]))
    outwards = (at - middle) / max(float(np.linalg.norm(at - middle)), 1e-6)
    at = at + outwards * rng.uniform(-0.5, 2.8)
    turned = pose((0.0, 0.0), rng.uniform(0, 2 * np.pi))
    centre = apply(turned, np.array([[played.kingdom.width / 2, played.kingdom.height / 2]]))[0]
    turned[:2, 2] = at - centre
    dominoes = [(laid.domino.number, laid.left_at, laid.right_at) for laid in played.placed]
    spread = lay_kingdom(played.kingdom, dominoes, deck, rng, turned, 0.02)
    centres = np.array([quad.mean(axis=0) for piece in spread.pieces for quad, _ in piece.squares])
    pixels = camera.project(np.c_[centres, np.zeros(len(centres))])
    inside = ((pixels > 0) & (pixels < [camera.width, camera.height])).all(axis=1)
    if not SHOWN_OF_NEIGHBOUR[0] <= inside.mean() <= SHOWN_OF_NEIGHBOUR[1]:
        return []
    return [_ownerless(piece) for piece in spread.pieces]


def _ownerless(piece: Piece) -> Piece:
    return Piece(piece.levels, piece.quad, [(quad, -1) for quad, _ in piece.squares])


def _row(rng: np.random.Generator, deck: Deck, at: Array, angle: float) -> list[Piece]:
    """Dominoes side by side, or one after the other, as drafts and discards lie."""
    count, lengthways = int(rng.integers(2, 9)), rng.random() < 0.3
    way = angle if lengthways else angle + np.pi / 2
    step = np.array([np.cos(way), np.sin(way)]) * (
        (2.0 if lengthways else 1.0) + rng.choice([0.02, 0.15, 0.5])
    )
    sway = rng.choice([0.0, 0.03, 0.12])
    return [
        loose_domino(deck, rng, at + step * i + rng.normal(0, sway, 2), angle + rng.normal(0, sway))
        for i in range(count)
    ]


def _pile(rng: np.random.Generator, deck: Deck, at: Array, angle: float) -> list[Piece]:
    """Dominoes thrown on each other; each lies on those before it."""
    spread = rng.uniform(0.3, 1.2)
    return [
        loose_domino(deck, rng, at + rng.normal(0, spread, 2), rng.uniform(0, 2 * np.pi))
        for _ in range(int(rng.integers(3, 12)))
    ]


def _sheet(rng: np.random.Generator, deck: Deck, at: Array, angle: float) -> list[Piece]:
    """A page of the rules: pale paper with text and a kingdom of printed tiles."""
    width, px = rng.uniform(3.5, 7.5), 110.0
    height = width * rng.uniform(0.7, 1.5)
    page = np.empty((round(height * px * 0.5), round(width * px * 0.5), 3), np.uint8)
    page[:] = np.clip(rng.normal([238, 234, 222], 10), 0, 255)
    _write_lines(rng, page)
    for _ in range(int(rng.integers(1, 4))):
        side = max(8, round(rng.uniform(*PRINTED_SIDE) * px * 0.5))
        _print_tiles(rng, page, deck, side)
    return [flat_thing(page, at, angle, width, rng)]


def _print_tiles(rng: np.random.Generator, page: Image, deck: Deck, side: int) -> None:
    """Print a block of dominoes with squares of `side` pixels onto a page. In place."""
    rows, pairs = int(rng.integers(1, 6)), int(rng.integers(1, 4))
    height, width = rows * side, 2 * pairs * side
    if height >= page.shape[0] or width >= page.shape[1]:
        return
    top = int(rng.integers(page.shape[0] - height))
    left = int(rng.integers(page.shape[1] - width))
    holes = rng.uniform(0, 0.4)
    for row in range(rows):
        for pair in range(pairs):
            if rng.random() < holes:
                continue
            tile = level_for(deck.dominoes[int(rng.choice(list(deck.dominoes)))], side)
            small = cv2.resize(tile, (2 * side, side), interpolation=cv2.INTER_AREA)
            y, x = top + row * side, left + 2 * pair * side
            page[y : y + side, x : x + 2 * side] = small


def _write_lines(rng: np.random.Generator, page: Image) -> None:
    """Lines of text that fill a page. In place."""
    step = max(6, page.shape[0] // int(rng.integers(12, 30)))
    for y in range(step, page.shape[0], step):
        if rng.random() < 0.25:
            continue
        length = int(rng.integers(8, 40))
        text = "".join(rng.choice(list("abcdefghiklmnoprstuvw    "), length))
        shade = int(rng.integers(20, 120))
        where, font = (int(rng.integers(4, 20)), y), cv2.FONT_HERSHEY_SIMPLEX
        cv2.putText(page, text, where, font, step / 40, (shade,) * 3, 1, cv2.LINE_AA)


def _lid(rng: np.random.Generator, deck: Deck, at: Array, angle: float) -> list[Piece]:
    """The lid of a box: tiles large and small in a picture with a title."""
    width = rng.uniform(4.0, 6.5)
    lid = table_textures.plain(rng, 360, 360)
    for _ in range(int(rng.integers(0, 4))):
        _print_tiles(rng, lid, deck, int(rng.integers(20, 110)))
    cv2.rectangle(lid, (2, 2), (357, 357), tuple(int(v) for v in rng.integers(0, 256, 3)), 5)
    title = "".join(rng.choice(list("ABCDEGIKLMNORST"), 9))
    colour = tuple(int(v) for v in rng.integers(0, 256, 3))
    cv2.putText(lid, title, (30, 60), cv2.FONT_HERSHEY_TRIPLEX, 1.6, colour, 4, cv2.LINE_AA)
    piece = flat_thing(lid, at, angle, width, rng)
    piece.thickness = float(rng.choice([0.3, 0.9, 1.4]))
    return [piece]


def _slip(rng: np.random.Generator, deck: Deck, at: Array, angle: float) -> list[Piece]:
    """A slip of paper with a square code, lines, and rows of bubbles to fill in."""
    slip = np.full((300, 200, 3), int(rng.integers(215, 256)), np.uint8)
    modules = int(rng.choice([21, 25, 29]))
    code = (rng.random((modules, modules)) < 0.5).astype(np.uint8)
    for y, x in ((0, 0), (0, modules - 7), (modules - 7, 0)):
        code[y : y + 7, x : x + 7] = 1
        code[y + 1 : y + 6, x + 1 : x + 6] = 0
        code[y + 2 : y + 5, x + 2 : x + 5] = 1
    side = modules * 3
    slip[8 : 8 + side, 8 : 8 + side] = np.where(np.kron(code, np.ones((3, 3))) > 0, 15, 245)[
        ..., None
    ].astype(np.uint8)
    for row in range(int(rng.integers(2, 7))):
        for col in range(10):
            where, filled = (15 + col * 18, 130 + row * 24), rng.random() < 0.12
            cv2.circle(slip, where, 7, (40, 40, 60), -1 if filled else 1, cv2.LINE_AA)
    return [flat_thing(slip, at, angle, rng.uniform(1.3, 3.0), rng)]


#: Kinds of things with how often each is laid.
KINDS = {"row": 0.22, "pile": 0.14, "sheet": 0.24, "lid": 0.1, "slip": 0.08, "neighbour": 0.22}
MAKERS: dict[str, Maker] = {
    "row": _row,
    "pile": _pile,
    "sheet": _sheet,
    "lid": _lid,
    "slip": _slip,
}
