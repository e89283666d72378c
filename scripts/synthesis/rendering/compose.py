"""One scene: kingdoms spread out, a camera that sees them, things beside them, light and lens."""

import numpy as np

from scripts.arrays import Image, Rng
from scripts.synthesis.rendering import scene, table_textures
from scripts.synthesis.rendering.art import Deck, reprinted_deck
from scripts.synthesis.rendering.camera import Camera, look_at
from scripts.synthesis.rendering.clutter import things_beside
from scripts.synthesis.rendering.cover import Cover, truth
from scripts.synthesis.rendering.figures import stand_figures
from scripts.synthesis.rendering.layout import Piece, Spread
from scripts.synthesis.rendering.light import LAMPS, expose, photograph
from scripts.synthesis.rendering.placement import outline, push_together, spread_out
from scripts.synthesis.rendering.recipe import Recipe, Sources
from scripts.synthesis.rendering.scene import Rendered
from scripts.synthesis.tiles.edges import Edges, cut_piece, darken_gaps

#: Focal lengths as multiples of the picture's longer side: from a phone's wide lens (18 mm, as
#: photographers count) to its tele (100 mm).
FOCAL = (0.5, 2.8)
#: Pixels. A picture up to this long shows little of its table, which is painted in less detail.
SMALL_PICTURE = 400
#: How large kingdoms are that are small in the picture, as a share of its shorter side.
SMALL_SHARE = (0.16, 0.4)


def compose(rng: Rng, sources: Sources, recipe: Recipe) -> Rendered:
    """Return one picture with its truth."""
    # Kingdoms in some look, until a camera sees them all.
    while True:
        count = int(rng.choice([1, 2, 3, 4], p=recipe.counts))
        look = str(rng.choice(list(recipe.looks), p=list(recipe.looks.values())))
        seed = int(rng.integers(*recipe.painted_seeds))
        deck = sources.deck(look if look != "board" else "flash", seed)
        if recipe.reprinted and rng.random() < recipe.reprinted:
            deck = reprinted_deck(deck, rng)
        # Pictures of boards have real edges of their own.
        cut = look != "board" and recipe.edges > 0 and rng.random() < recipe.edges
        edges = Edges(rng) if cut else None
        space = edges.gap if edges else 0.0
        spreads = spread_out(rng, sources, recipe, deck, look, count, space)
        if recipe.touching:
            spreads = push_together(rng, spreads)
            if len(spreads) < count:
                continue
        camera, square_px, tilt = _camera(rng, spreads, recipe)
        if camera is not None:
            break
    # What lies beside them, the picture, and what is true of it.
    loose = things_beside(rng, sources, deck, spreads, camera, recipe)
    image, cover, standing = _draw(rng, sources, deck, spreads, loose, camera, recipe, edges)
    kingdoms, squares = truth(spreads, loose, camera, cover)
    about: dict[str, float | str] = {"look": look, "square_px": square_px}
    about |= {"tilt": tilt, "castles": float(standing)}
    # Light, lens and file.
    lamp = str(rng.choice(list(LAMPS))) if recipe.six_lamps else ""
    if lamp:
        about["lamp"] = lamp
    picture = photograph(expose(image, rng, lamp), rng)
    return Rendered(picture, kingdoms, squares, about)


def _camera(rng: Rng, spreads: list[Spread], recipe: Recipe) -> tuple[Camera | None, float, float]:
    """Return a camera that sees all kingdoms, now and then cut by the border."""
    # The picture's size, and that of a square in it.
    sizes = [(1024, 768), (768, 1024), (1024, 576), (576, 1024), (900, 900), (1024, 768)]
    scale = recipe.longest / 1024
    width, height = sizes[int(rng.integers(len(sizes)))]
    size = (round(width * scale), round(height * scale))
    points = np.concatenate([outline(spread) for spread in spreads])
    low, high = points.min(axis=0), points.max(axis=0)
    extent = max(float((high - low).max()), 2.5)
    share = rng.triangular(*recipe.share)
    if rng.random() < recipe.small:
        share = float(np.exp(rng.uniform(*np.log(SMALL_SHARE))))
    square_px = min(share * min(size) / extent, 240.0 * scale)
    if square_px < recipe.smallest:
        return None, 0.0, 0.0
    # From how low down the camera looks, and at what.
    even = rng.random() >= 1 - recipe.slanted
    tilt = rng.uniform(0, recipe.tilt) if even else abs(rng.normal(0, 0.42))
    tilt = min(tilt, recipe.tilt)
    slack = max(0.0, 1 - share) * 0.5 * np.array(size) / square_px
    target = (low + high) / 2 + rng.uniform(-1, 1, 2) * slack
    # Some tries: farther away and more to the middle each time.
    for _ in range(6):
        camera = look_at(
            (float(target[0]), float(target[1])),
            size=size,
            square_px=square_px,
            tilt=tilt,
            turn=rng.uniform(0, 2 * np.pi),
            roll=_roll(rng),
            focal=float(np.exp(rng.uniform(*np.log(FOCAL)))),
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


def _roll(rng: Rng) -> float:
    """Return a turn, mostly upright: what is near the camera lies at the bottom of the picture."""
    if rng.random() < 0.2:
        return float(rng.uniform(0, 2 * np.pi))
    return float(np.pi + rng.normal(0, 0.12))


def _draw(
    rng: Rng,
    sources: Sources,
    deck: Deck,
    spreads: list[Spread],
    loose: list[Piece],
    camera: Camera,
    recipe: Recipe,
    edges: Edges | None,
) -> tuple[Image, Cover, bool]:
    """Return the picture before light and lens, what covers it, and whether castles stand in it."""
    # The table, with the shadows on it.
    plain = recipe.cloths > 0 and rng.random() < recipe.cloths
    texture_px = (1024, 768) if recipe.longest > SMALL_PICTURE else (384, 288)
    if plain:
        texture = table_textures.plain_cloth(rng, *texture_px)
    else:
        texture = table_textures.any_table(rng, sources.ground, *texture_px)
    texture_width = float(np.exp(rng.uniform(2.2, 3.6)))
    image = scene.draw_table(camera, texture, texture_width, rng.uniform(0, 6.28))
    pieces = [*loose, *(piece for spread in spreads for piece in spread.pieces)]
    light = rng.normal(0, 1.2, 2)
    scene.cast_shadows(image, camera, pieces, light, rng.uniform(0.1, 0.6))
    if edges:
        darken_gaps(image, camera, pieces, edges)
    # Tiles and other flat things, some of them glossy.
    cardboard = rng.choice([40, 90, 150, 200]) + rng.normal(0, 6, 3)
    edge = np.clip(cardboard, 0, 255).astype(int)
    gloss = rng.uniform(0.1, 0.75) if rng.random() < 0.4 else 0.0
    share = rng.uniform(0.1, 0.9)
    for piece in pieces:
        shines = gloss > 0 and rng.random() < share
        reflected = scene.reflection(rng, gloss) if shines else None
        if edges:
            piece = cut_piece(piece, camera, edges, light, rng)
        scene.draw_piece(image, camera, piece, edge, reflected)
    # What stands or reaches over them.
    cover, standing = stand_figures(rng, image, camera, deck, spreads, recipe, light)
    return image, cover, standing
