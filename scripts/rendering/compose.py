"""The recipe of a scene: which kingdoms, on what, seen from where, with what beside them."""

import pickle
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random

import numpy as np

from kdvision.rules.kingdom import Kingdom
from kdvision.rules.laying import Realm
from kdvision.rules.play import FOUR_PLAYERS, MIGHTY_DUEL, TWO_PLAYERS, play_game
from kdvision.rules.players import AtRandom, Greedy
from kdvision.rules.terrain import LABELS
from rendering import tables
from rendering.art import Deck, halves_deck, painted_deck, pyramid, read_rgb, real_deck
from rendering.camera import Camera, look_at
from rendering.layout import (
    Array,
    Piece,
    Spread,
    apply,
    flat_thing,
    lay_kingdom,
    loose_domino,
    pose,
)
from rendering.light import expose, photograph
from rendering.scene import (
    Rendered,
    cast_shadows,
    draw_castle,
    draw_piece,
    draw_standing,
    draw_table,
    reflection,
    truth,
)
from rendering.sources import Board, Crop, boards, crops


@dataclass(slots=True)
class Recipe:
    """How scenes are made: the looks with their weights, and how full the table is.

    `looks` are `scan`, `flash`, `halves`, `painted`, `board`. `most` is the largest number of
    kingdoms in a picture, `counts` how likely 1, 2, 3 and 4 of them are. `clutter` scales how
    much lies beside them. `longest` is the longer side of the picture in pixels. With `one_box`
    the kingdoms of a picture have no domino twice.
    """

    looks: dict[str, float]
    most: int = 4
    clutter: float = 1.0
    tilt: float = 0.95
    castles: float = 0.25
    smallest: float = 22.0
    painted_seeds: tuple[int, int] = (1000, 1012)
    counts: tuple[float, float, float, float] = (0.7, 0.14, 0.06, 0.1)
    longest: int = 1024
    one_box: bool = False


#: What the networks are trained on. `halves` is a look that is never trained on.
TRAINING = Recipe({"scan": 0.32, "flash": 0.28, "painted": 0.2, "board": 0.2})


@dataclass
class Sources:
    """Everything scenes are made from. `data` None: only our own artwork and grounds."""

    data: Path | None
    measuring: bool = False
    realms: list[Realm] = field(default_factory=list)

    @cached_property
    def boards(self) -> list[Board]:
        """Boards of this side of the split."""
        return boards(self.data, measuring=self.measuring) if self.data else []

    @cached_property
    def ground(self) -> list[Crop]:
        """Photographed ground of this side of the split."""
        if not self.data:
            return []
        return [crop for crop in crops(self.data, measuring=self.measuring) if crop.label == "-"]

    def deck(self, look: str, seed: int) -> Deck:
        """The pictures of one look."""
        if look == "painted" or self.data is None:
            return _painted(seed)
        return halves_deck(self.data) if look == "halves" else real_deck(self.data, look)


_PAINTED: dict[int, Deck] = {}


def _painted(seed: int) -> Deck:
    if seed not in _PAINTED:
        _PAINTED[seed] = painted_deck(seed)
    return _PAINTED[seed]


def realm_pool(seed: int, games: int, cache: Path | None = None) -> list[Realm]:
    """Kingdoms of whole games, 5x5 and 7x7, played greedily and at random."""
    if cache and cache.is_file():
        return list(pickle.loads(cache.read_bytes()))
    rng = Random(seed)
    pool: list[Realm] = []
    for _ in range(games):
        set_up = rng.choice([FOUR_PLAYERS, FOUR_PLAYERS, TWO_PLAYERS, MIGHTY_DUEL])
        players = [Greedy() if rng.random() < 0.6 else AtRandom() for _ in range(set_up.players)]
        pool.extend(play_game(players, rng.randrange(2**31), set_up).realms)
    if cache:
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_bytes(pickle.dumps(pool))
    return pool


def compose(rng: np.random.Generator, sources: Sources, recipe: Recipe) -> Rendered:
    """One picture with its truth."""
    while True:
        count = int(rng.choice([1, 2, 3, 4], p=recipe.counts))
        look = str(rng.choice(list(recipe.looks), p=list(recipe.looks.values())))
        deck = sources.deck(
            look if look != "board" else "flash", int(rng.integers(*recipe.painted_seeds))
        )
        if look == "painted":
            deck = sources.deck("painted", int(rng.integers(*recipe.painted_seeds)))
        count = min(count, recipe.most)
        spreads = _spread_out(rng, sources, deck, look, count, recipe.one_box)
        camera, square_px, tilt = _camera(rng, spreads, recipe)
        if camera is not None:
            break
    loose = _beside(rng, sources, deck, spreads, camera, recipe)
    image, standing = _draw(rng, sources, deck, spreads, loose, camera, recipe)
    kingdoms, squares = truth(spreads, loose, camera)
    about: dict[str, float | str] = {"look": look, "square_px": square_px, "tilt": tilt}
    about["castles"] = float(standing)
    return Rendered(photograph(expose(image, rng), rng), kingdoms, squares, about)


def _spread_out(
    rng: np.random.Generator,
    sources: Sources,
    deck: Deck,
    look: str,
    count: int,
    one_box: bool,
) -> list[Spread]:
    """Kingdoms side by side on the table, each turned its own way."""
    spreads: list[Spread] = []
    used: set[int] = set()
    gap = 5.0 if count == 1 else rng.uniform(4.6, 8.0)
    looseness = float(rng.choice([0.004, 0.015, 0.03, 0.045], p=[0.25, 0.35, 0.25, 0.15]))
    turned_together = rng.random() < 0.5
    common = rng.uniform(0, 2 * np.pi)
    plain = rng.random() < 0.12
    for place in range(count):
        angle = (
            common + rng.integers(4) * np.pi / 2 if turned_together else rng.uniform(0, 2 * np.pi)
        )
        angle += rng.normal(0, 0.04)
        centre = np.array([place % 2, place // 2]) * gap * 1.4 + rng.normal(0, 0.2, 2)
        if look == "board" and sources.boards:
            lines = {str(spread.kingdom) for spread in spreads} if one_box else set()
            spreads.append(_board(rng, sources, centre, angle, lines))
            continue
        realm = _realm(rng, sources, used)
        if realm is None:
            break
        if one_box:
            used |= {laid.domino.number for laid in realm.placed}
        kingdom = realm.kingdom
        pitch = 1.0 + abs(rng.normal(0, 0.012)) + 0.5 * looseness
        where = _centred(kingdom.height, kingdom.width, centre, angle, pitch)
        dominoes = [(laid.domino.number, laid.left_at, laid.right_at) for laid in realm.placed]
        spreads.append(lay_kingdom(kingdom, dominoes, deck, rng, where, looseness, plain))
    return _apart(spreads)


def _realm(rng: np.random.Generator, sources: Sources, used: set[int]) -> Realm | None:
    """A kingdom without the dominoes that are used, grown to its end or to some point before it.

    Kingdoms of one game follow each other in the pool, so the next one fits most often. None
    where too little is left in the box.
    """
    start, grown = int(rng.integers(len(sources.realms))), rng.random() >= 0.35
    for step in range(len(sources.realms)):
        realm = sources.realms[(start + step) % len(sources.realms)]
        if not grown:
            realm = realm.after(int(rng.integers(1, max(2, len(realm.laid)))))
        if used.isdisjoint(laid.domino.number for laid in realm.placed):
            return realm
    return None


def _centred(rows: int, cols: int, centre: Array, angle: float, pitch: float) -> Array:
    at_origin = pose((0, 0), angle, pitch)
    middle = apply(at_origin, np.array([[cols / 2, rows / 2]]))[0]
    return pose((centre[0] - middle[0], centre[1] - middle[1]), angle, pitch)


def _board(
    rng: np.random.Generator, sources: Sources, centre: Array, angle: float, lines: set[str]
) -> Spread:
    """A real rectified board as one flat picture, of none of the kingdoms `lines`."""
    free = [board for board in sources.boards if str(Kingdom.parse(board.line)) not in lines]
    board = free[int(rng.integers(len(free)))]
    kingdom = Kingdom.parse(board.line)
    where = _centred(kingdom.height, kingdom.width, centre, angle, 1.0)
    rows, cols = kingdom.height, kingdom.width
    quad = apply(where, np.array([[0, 0], [cols, 0], [cols, rows], [0, rows]], float))
    squares = []
    for (row, col), cell in kingdom.cells():
        if cell is not None:
            corners = np.array(
                [[col, row], [col + 1, row], [col + 1, row + 1], [col, row + 1]], float
            )
            squares.append((apply(where, corners), LABELS.index(str(cell))))
    piece = Piece(pyramid(read_rgb(board.path)), quad, squares)
    return Spread(kingdom, where, [piece], None)


def _outline(spread: Spread) -> Array:
    return np.concatenate([quad for piece in spread.pieces for quad, _ in piece.squares])


def _apart(spreads: list[Spread]) -> list[Spread]:
    """Leave out kingdoms that would lie on others."""
    kept: list[Spread] = []
    for spread in spreads:
        points = _outline(spread)
        clear = all(
            np.min(np.linalg.norm(points[:, None] - _outline(other)[None], axis=2)) > 0.35
            and not _overlap(points, _outline(other))
            for other in kept
        )
        if clear:
            kept.append(spread)
    return kept


def _overlap(one: Array, other: Array) -> bool:
    import cv2

    hulls = [cv2.convexHull(points.astype(np.float32)) for points in (one, other)]
    area, _ = cv2.intersectConvexConvex(*hulls)
    return bool(area > 0.4)


def _camera(
    rng: np.random.Generator, spreads: list[Spread], recipe: Recipe
) -> tuple[Camera | None, float, float]:
    """A camera that sees all kingdoms, now and then cut by the border."""
    sizes = [(1024, 768), (768, 1024), (1024, 576), (576, 1024), (900, 900), (1024, 768)]
    scale = recipe.longest / 1024
    width, height = sizes[int(rng.integers(len(sizes)))]
    size = (round(width * scale), round(height * scale))
    points = np.concatenate([_outline(spread) for spread in spreads])
    low, high = points.min(axis=0), points.max(axis=0)
    extent = max(float((high - low).max()), 2.5)
    share = rng.triangular(0.3, 0.85, 1.05)
    square_px = min(share * min(size) / extent, 240.0 * scale)
    if square_px < recipe.smallest:
        return None, 0.0, 0.0
    tilt = abs(rng.normal(0, 0.42)) if rng.random() < 0.8 else rng.uniform(0, recipe.tilt)
    tilt = min(tilt, recipe.tilt)
    slack = max(0.0, 1 - share) * 0.5 * np.array(size) / square_px
    target = (low + high) / 2 + rng.uniform(-1, 1, 2) * slack
    for _ in range(6):
        camera = look_at(
            (float(target[0]), float(target[1])),
            size=size,
            square_px=square_px,
            tilt=tilt,
            turn=rng.uniform(0, 2 * np.pi),
            roll=_roll(rng),
            focal=rng.uniform(0.65, 1.8),
        )
        depth = (np.c_[points, np.zeros(len(points)), np.ones(len(points))] @ camera.matrix.T)[:, 2]
        if depth.min() > 0.5:
            pixels = camera.project(np.c_[points, np.full(len(points), 0.05)])
            margin = 3 if rng.random() < 0.93 else -0.5 * square_px
            if (pixels > margin).all() and (pixels < np.array(size) - margin).all():
                return camera, square_px, tilt
        square_px *= 0.88
        target = target * 0.5 + (low + high) / 4
        if square_px < recipe.smallest:
            break
    return None, 0.0, 0.0


def _roll(rng: np.random.Generator) -> float:
    """Mostly upright: what is near the camera lies at the bottom of the picture."""
    if rng.random() < 0.2:
        return float(rng.uniform(0, 2 * np.pi))
    return float(np.pi + rng.normal(0, 0.12))


def _beside(
    rng: np.random.Generator,
    sources: Sources,
    deck: Deck,
    spreads: list[Spread],
    camera: Camera,
    recipe: Recipe,
) -> list[Piece]:
    """Loose dominoes, a draft row, number sides, cards and boxes, none on a kingdom."""
    taken = np.concatenate([_outline(spread) for spread in spreads])
    things: list[Piece] = []
    if rng.random() < 0.22 * recipe.clutter:
        start, angle = _free_point(rng, taken, 3.0), rng.uniform(0, np.pi)
        step = np.array([-np.sin(angle), np.cos(angle)]) * rng.uniform(1.1, 1.6)
        row = [
            loose_domino(deck, rng, start + step * i, angle) for i in range(int(rng.integers(2, 5)))
        ]
        things.extend(row)
    for _ in range(int(rng.poisson(1.0 * recipe.clutter))):
        centre, angle = _free_point(rng, taken, 2.2), rng.uniform(0, 2 * np.pi)
        kind = rng.random()
        if kind < 0.3:
            things.append(loose_domino(deck, rng, centre, angle))
        elif kind < 0.5:
            things.append(flat_thing(tables.number_side(rng), centre, angle, 2.0, rng))
        else:
            picture = tables.leaf(rng, sources.ground)
            things.append(flat_thing(picture, centre, angle, rng.uniform(1.0, 5.0), rng))
    return [thing for thing in things if _clear(thing.quad, taken)]


def _free_point(rng: np.random.Generator, taken: Array, reach: float) -> Array:
    low, high = taken.min(axis=0) - reach - 1.5, taken.max(axis=0) + reach + 1.5
    return np.asarray(rng.uniform(low, high))


def _clear(quad: Array, taken: Array) -> bool:
    """Whether no square of a kingdom is nearer than a third of a square."""
    import cv2

    hull = quad.astype(np.float32)
    middles = taken.reshape(-1, 4, 2).mean(axis=1)
    every = np.r_[taken, middles]
    return all(cv2.pointPolygonTest(hull, (float(x), float(y)), True) < -0.3 for x, y in every)


def _draw(
    rng: np.random.Generator,
    sources: Sources,
    deck: Deck,
    spreads: list[Spread],
    loose: list[Piece],
    camera: Camera,
    recipe: Recipe,
) -> tuple["np.ndarray", bool]:
    """The picture before light and lens, and whether castles stand in it."""
    texture = tables.any_table(rng, sources.ground, 1024, 768)
    image = draw_table(camera, texture, float(np.exp(rng.uniform(2.2, 3.6))), rng.uniform(0, 6.28))
    pieces = loose + [piece for spread in spreads for piece in spread.pieces]
    light = tuple(rng.normal(0, 1.2, 2))
    cast_shadows(image, camera, pieces, light, rng.uniform(0.1, 0.6))
    edges = rng.choice([40, 90, 150, 200]) + rng.normal(0, 6, 3)
    edge = tuple(int(v) for v in np.clip(edges, 0, 255))
    gloss = rng.uniform(0.1, 0.75) if rng.random() < 0.4 else 0.0
    share = rng.uniform(0.1, 0.9)
    for piece in pieces:
        shines = gloss > 0 and rng.random() < share
        draw_piece(image, camera, piece, edge, reflection(rng, gloss) if shines else None)
    return image, _stand(rng, image, camera, deck, spreads, recipe)


def _stand(
    rng: np.random.Generator,
    image: "np.ndarray",
    camera: Camera,
    deck: Deck,
    spreads: list[Spread],
    recipe: Recipe,
) -> bool:
    """Castles on or beside the start tiles, and kings about; whether there are castles."""
    every = np.concatenate([_outline(spread) for spread in spreads])
    standing = False
    if deck.castles:
        everywhere = rng.random() < recipe.castles
        for spread in spreads:
            if spread.castle_at is not None and everywhere:
                sprite = deck.castles[int(rng.integers(len(deck.castles)))]
                angle = np.arctan2(spread.pose[1, 0], spread.pose[0, 0])
                angle += rng.integers(4) * np.pi / 2 + rng.normal(0, 0.1)
                if rng.random() < 0.2:
                    angle = rng.uniform(0, 2 * np.pi)
                top = tuple(int(v) for v in rng.normal(125, 25) + rng.normal(0, 12, 3))
                size = rng.uniform(0.45, 0.72)
                at = spread.castle_at + rng.normal(0, 0.06, 2)
                draw_castle(image, camera, sprite, at, size, angle, top)
                standing = True
    if deck.kings and rng.random() < 0.3 * recipe.clutter:
        for _ in range(int(rng.integers(1, 4))):
            king = deck.kings[int(rng.integers(len(deck.kings)))]
            at = _free_point(rng, every, 1.0)
            gap = np.linalg.norm(every - at, axis=1).min()
            if gap > 0.6:
                draw_standing(image, camera, king, at, rng.uniform(0.3, 0.5), rng.uniform(0, 6.28))
    return standing
