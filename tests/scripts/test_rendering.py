"""Scenes: what is covered is measured, castles stand upright, crowns are counted."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from kdvision.rules.kingdom import Kingdom
from kdvision.rules.terrain import Square, Terrain
from scripts.synthesis import lens
from scripts.synthesis.render import RECIPES
from scripts.synthesis.rendering import beside, crowns, glare
from scripts.synthesis.rendering.art import Deck
from scripts.synthesis.rendering.camera import Camera, look_at
from scripts.synthesis.rendering.castles import patterns, solids
from scripts.synthesis.rendering.cover import HIDDEN_BELOW, Cover, visible_places
from scripts.synthesis.rendering.layout import Piece, Spread, pose
from scripts.synthesis.rendering.placement import outline, spread_out
from scripts.synthesis.rendering.recipe import Sources, kingdom_pool

QUAD = np.array([[20.0, 20], [60, 20], [60, 60], [20, 60]])


def camera(tilt: float = 0.0) -> Camera:
    """A camera over (2, 2) that shows squares of 60 pixels."""
    return look_at(
        (2.0, 2.0), size=(400, 400), square_px=60, tilt=tilt, turn=0, roll=np.pi, focal=1.2
    )


def picture() -> np.ndarray:
    return np.full((400, 400, 3), 90, np.uint8)


@pytest.mark.parametrize(("columns", "share"), [(0, 1.0), (10, 0.75), (20, 0.5), (40, 0.0)])
def test_the_visible_share_is_what_nothing_was_drawn_on(columns: int, share: float) -> None:
    image = picture()
    cover = Cover(image)
    with cover.drawing(image):
        image[:, 20 : 20 + columns] = 200
    assert cover.visible(QUAD) == pytest.approx(share, abs=0.04)


def test_a_castle_does_not_hide_its_own_start_tile() -> None:
    image = picture()
    cover = Cover(image)
    with cover.drawing(image, kingdom=0):
        image[:, 20:60] = 200
    assert cover.visible(QUAD, own=0) > 0.96
    assert cover.visible(QUAD, own=1) < 0.04
    assert cover.visible(QUAD) < 0.04


def test_what_lies_beyond_the_picture_cannot_be_seen() -> None:
    cover = Cover(picture())
    assert cover.visible(QUAD - [40, 0]) == pytest.approx(0.5, abs=0.04)
    assert cover.visible(QUAD - [100, 0]) == 0


@pytest.mark.parametrize(("degrees", "hidden"), [(80, False), (30, True)])
def test_a_tall_castle_hides_the_place_behind_it_from_low_down_only(
    degrees: int, hidden: bool
) -> None:
    image, view = picture(), camera(np.radians(90 - degrees))
    kingdom = Kingdom.parse("W W W/W C W/W W W")
    piece = Piece([], np.zeros((4, 2)))
    spread = Spread(kingdom, pose((0.5, 0.5), 0.0), [piece], np.array([2.0, 2.0]))
    cover = Cover(image)
    with cover.drawing(image, kingdom=0):
        faces = solids.prism(np.array([2.0, 2.0]), 4, 0.65, (0, 1.2), np.full(3, 200.0))
        solids.draw_faces(image, view, faces)
    inner = visible_places(cover, view, spread, 0)[1:-1, 1:-1]
    assert inner[1, 1] == pytest.approx(1, abs=0.02)
    assert bool(inner.min() < HIDDEN_BELOW) is hidden


@pytest.mark.parametrize("kind", solids.SOLIDS)
def test_every_castle_stands_on_its_tile(kind: str) -> None:
    make = solids.SOLIDS[kind]
    at = np.array([3.0, 4.0])
    for seed in range(8):
        corners = np.concatenate([f.corners for f in make(np.random.default_rng(seed), at, 0.3)])
        assert corners[:, 2].min() == pytest.approx(solids.FOOT)
        assert np.abs(corners[:, :2] - at).max() < 0.75
        assert 0.1 < corners[:, 2].max() < 2.5


def crown_of(colour: tuple[int, int, int]) -> np.ndarray:
    sprite = np.full((60, 70, 4), 255, np.uint8)
    sprite[..., :3] = colour
    return sprite


Look = Callable[[np.ndarray], int]


def gold(image: np.ndarray) -> int:
    return int((image[..., 0] > 200).sum())


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_so_many_crowns_are_set_and_taken_away_again(count: int) -> None:
    ground = np.full((crowns.SIDE, crowns.SIDE, 3), (20, 60, 160), np.uint8)
    crown = crown_of((240, 200, 40))
    area = 60 * 70
    for seed in (None, 1, 2):
        rng = None if seed is None else np.random.default_rng(seed)
        shown = crowns.with_crowns(ground, count, crown, rng, right=True)
        assert gold(shown) == pytest.approx(count * area, rel=0.35)
    printed = crowns.with_crowns(ground, count, crown, None, right=True)
    square = Square(Terrain.LAKE, 0) if not count else Square(Terrain.MINE, count)
    assert len(crowns.find_crowns(printed, count, crown)) == count
    bare = crowns.without_crowns(square, printed, crown, ground)
    assert gold(bare) == 0


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_scattered_crowns_lie_whole_and_apart_on_the_square(count: int) -> None:
    ground = np.full((crowns.SIDE, crowns.SIDE, 3), (20, 60, 160), np.uint8)
    crown = crown_of((240, 200, 40))
    heights = set()
    for seed in range(40):
        shown = crowns.with_scattered_crowns(ground, count, crown, np.random.default_rng(seed))
        size = np.random.default_rng(seed).uniform(0.7, 1.15)
        # All of every crown is seen: none reaches beyond the square, none covers another.
        assert gold(shown) == pytest.approx(count * 60 * 70 * size**2, rel=0.04)
        heights |= {int(y) // 40 for y in np.nonzero(shown[..., 0] > 200)[0]}
    assert heights == (set(range(7)) if count else set())


@pytest.mark.parametrize("length", [2, 5, 8])
@pytest.mark.parametrize("angle", [0.0, 0.8, 2.2])
def test_a_shaken_camera_keeps_the_light_and_loses_detail(length: int, angle: float) -> None:
    assert lens.motion_kernel(length, angle).sum() == pytest.approx(1)
    noise = np.random.default_rng(1).integers(0, 256, (60, 60, 3), np.uint8)
    blurred = lens.shaken(noise, length, angle)
    assert blurred.mean() == pytest.approx(noise.mean(), rel=0.03)
    assert blurred.std() < 0.85 * noise.std()


def test_blur_noise_and_compression_grow_with_their_strength() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (64, 64, 3), np.uint8)
    detail = [lens.defocused(noise, sigma).std() for sigma in (0.4, 1.0, 3.0)]
    assert detail[0] > detail[1] > detail[2]
    grain = np.random.default_rng(2).standard_normal((64, 64, 1), np.float32)
    grey = np.full((64, 64, 3), 128, np.uint8)
    assert lens.grainy(grey, 12 * grain).std() > lens.grainy(grey, 3 * grain).std() > 2
    gaps = [np.abs(lens.through_jpeg(noise, q).astype(int) - noise).mean() for q in (95, 50, 10)]
    assert gaps[0] < gaps[1] < gaps[2]


def test_a_patterned_castle_has_many_colours_and_the_light_of_its_shape() -> None:
    rng = np.random.default_rng(3)
    view = camera(np.radians(45))
    faces = solids.prism(np.array([2.0, 2.0]), 4, 0.65, (0, 1.2), np.full(3, 200.0))
    table = picture()
    plain, patterned = picture(), picture()
    solids.draw_faces(plain, view, faces)
    print_ = patterns.pattern(rng)
    patterns.draw_patterned(
        patterns.bleached(faces), print_, 0.5, np.array([2.0, 2.0]), patterned, view
    )
    covered = (plain != table).any(axis=2)
    assert ((patterned != table).any(axis=2) & ~covered).mean() < 0.005
    assert patterned[covered].std(axis=0).max() > 20
    assert len(np.unique(print_.reshape(-1, 3), axis=0)) > 2


def table(count: int, seed: int = 5) -> tuple[Sources, Deck, list[Spread], Camera]:
    """Kingdoms in painted artwork on a table, and a camera that sees them."""
    sources = Sources(None, kingdoms=kingdom_pool(3, 2))
    deck = sources.deck("painted", 1000)
    rng = np.random.default_rng(seed)
    spreads = spread_out(rng, sources, deck, "painted", count, False)
    view = look_at(
        (2.5, 2.5), size=(640, 480), square_px=40, tilt=0.4, turn=0.3, roll=np.pi, focal=1.2
    )
    return sources, deck, spreads, view


@pytest.mark.parametrize("kind", beside.KINDS)
def test_what_looks_like_a_kingdom_lies_beside_it_and_belongs_to_none(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources, deck, spreads, view = table(1)
    monkeypatch.setattr(beside, "KINDS", {kind: 1.0})
    laid: list[Piece] = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        pieces = beside.look_alikes(rng, sources, deck, spreads, view, 2)
        laid += pieces
        kingdom = cv2.convexHull(outline(spreads[0]).astype(np.float32))
        for piece in pieces:
            area, _ = cv2.intersectConvexConvex(kingdom, piece.quad.astype(np.float32))
            assert area < 1e-6
    assert laid
    assert {label for piece in laid for _, label in piece.squares} <= {-1}
    # What is printed on paper is no tile.
    assert any(piece.squares for piece in laid) is (kind in ("row", "pile", "neighbour"))


def test_a_neighbour_is_cut_by_the_border() -> None:
    sources, deck, _, view = table(1)
    shares = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        pieces = beside._neighbour(rng, sources, deck, view)
        quads = [quad for piece in pieces for quad, _ in piece.squares]
        if quads:
            pixels = view.project(np.array([[*quad.mean(axis=0), 0.0] for quad in quads]))
            shares.append(((pixels > 0) & (pixels < [640, 480])).all(axis=1).mean())
    low, high = beside.SHOWN_OF_NEIGHBOUR
    assert len(shares) > 3 and low <= min(shares) and max(shares) <= high


@pytest.mark.parametrize(("opacity", "seen"), [(0.84, 1.0), (0.86, 0.0)])
def test_light_that_leaves_too_little_of_the_print_hides_it(opacity: float, seen: float) -> None:
    cover = Cover(picture())
    cover.wash_out(np.full((400, 400), opacity, np.float32))
    assert cover.visible(QUAD) == pytest.approx(seen, abs=0.04)


def test_windows_and_lamps_take_squares_away_and_leave_others() -> None:
    _, _, spreads, view = table(1)
    hidden = shown = 0
    for seed in range(12):
        image = np.full((480, 640, 3), 90, np.uint8)
        cover = Cover(image)
        glare.wash_out(np.random.default_rng(seed), image, view, spreads, cover)
        places = visible_places(cover, view, spreads[0], 0)
        hidden += int((places < HIDDEN_BELOW).sum())
        shown += int((places > 0.9).sum())
        assert image.max() > 150 or not (cover.owner >= -1).any()
    assert 3 < hidden < shown


def test_recipes_without_them_have_neither() -> None:
    """Scenes of older recipes and seeds stay as they were."""
    assert {name for name, recipe in RECIPES.items() if recipe.washed_out} == {
        "glare", "beside", "glare-unseen"
    }  # fmt: skip
    assert {name for name, recipe in RECIPES.items() if recipe.look_alikes} == {
        "beside", "beside-unseen"
    }  # fmt: skip
