"""Scenes: what is covered is measured, castles stand upright."""

import msgspec
import numpy as np
import pytest

from kdvision.rules.kingdom import Kingdom
from scripts.synthesis.rendering.camera import Camera, look_at
from scripts.synthesis.rendering.castles import solids
from scripts.synthesis.rendering.cover import HIDDEN_BELOW, Cover, visible_places
from scripts.synthesis.rendering.layout import Piece, Spread, pose
from scripts.synthesis.rendering.recipe import read_recipes

QUAD = np.array([[20.0, 20], [60, 20], [60, 60], [20, 60]])


def camera(tilt: float = 0.0) -> Camera:
    """A camera over (2, 2) that shows squares of 60 pixels."""
    return look_at(
        (2.0, 2.0), size=(400, 400), square_px=60, tilt=tilt, turn=0, roll=np.pi, focal=1.2
    )


def picture() -> np.ndarray:
    return np.full((400, 400, 3), 90, np.uint8)


@pytest.mark.parametrize(("columns", "share"), [(0, 1.0), (10, 0.75), (20, 0.5), (40, 0.0)])
def test_visible_share_counts_what_is_drawn(columns, share):
    image = picture()
    cover = Cover(image)
    with cover.drawing(image):
        image[:, 20 : 20 + columns] = 200
    assert cover.visible(QUAD) == pytest.approx(share, abs=0.04)


def test_castle_hides_no_start_tile():
    image = picture()
    cover = Cover(image)
    with cover.drawing(image, kingdom=0):
        image[:, 20:60] = 200
    assert cover.visible(QUAD, own=0) > 0.96
    assert cover.visible(QUAD, own=1) < 0.04
    assert cover.visible(QUAD) < 0.04


@pytest.mark.parametrize(("degrees", "hidden"), [(80, False), (30, True)])
def test_tall_castle_hides_from_low_down(degrees, hidden):
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


RECIPES = """
[tables]
looks = { painted = 1.0 }
castles = 0.5
counts = [1, 0, 0, 0]

[low]
like = "tables"
castles = 0.9
"""


def test_recipe_like_another(tmp_path):
    path = tmp_path / "recipes.toml"
    path.write_text(RECIPES)
    low = read_recipes(path)["low"]
    assert (low.castles, low.counts, low.looks) == (0.9, (1, 0, 0, 0), {"painted": 1.0})


def test_misspelt_setting_is_refused(tmp_path):
    path = tmp_path / "recipes.toml"
    path.write_text(RECIPES + "castels = 0.1\n")
    with pytest.raises(msgspec.ValidationError, match="castels"):
        read_recipes(path)
