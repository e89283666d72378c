"""Dominoes end as real ones do, and scenes tell which squares are one domino."""

import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("cv2")

from kdvision.rules.kingdom import Kingdom, neighbours
from scripts.synthesis.render import RECIPES, save
from scripts.synthesis.rendering.compose import Sources, compose, kingdom_pool
from scripts.synthesis.tiles.edges import Edges, cut_out
from scripts.synthesis.tiles.joins import SIDE, joined

#: Edges that change nothing.
PLAIN = Edges(0.0, 0.0, 0.01, 1.0, 0.0, 0.0, 0.0, 0.0)
GREY = np.full((100, 200, 3), 120, np.uint8)
LEVEL = (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(("radius", "clear"), [(0.02, 1), (0.06, 5)])
def test_corners_are_round_and_the_middle_of_a_domino_is_whole(radius, clear):
    alpha = cut_out(GREY, replace(PLAIN, radius=radius), LEVEL, 1.0)[..., 3]
    for corner in (alpha, alpha[::-1], alpha[:, ::-1], alpha[::-1, ::-1]):
        assert corner[0, 0] < 128 and corner[clear + 3, clear + 3] == 255
        assert (corner[0, :clear] < 255).all()
    assert (alpha[:, 60:140] == 255).all()
    assert (alpha == 0).sum() < 4 * (100 * radius) ** 2


def test_a_rim_is_darker_on_all_sides_and_not_between_the_squares():
    tile = cut_out(GREY, replace(PLAIN, shade=0.5, rim=0.03), LEVEL, 1.0)[..., 0]
    sides = [tile[50, 0], tile[50, -1], tile[0, 50], tile[-1, 150]]
    assert all(55 <= side <= 70 for side in sides)
    assert tile[50, 99] == tile[50, 100] == 120


@pytest.mark.parametrize("seed", range(4))
def test_joined_squares_meet_in_no_straight_cut(seed):
    left, right = np.full((SIDE, SIDE, 3), 40, np.uint8), np.full((SIDE, SIDE, 3), 200, np.uint8)
    whole = joined(left, right, np.random.default_rng(seed))
    assert (whole[:, : SIDE - SIDE // 8] == 40).all()
    assert (whole[:, SIDE + SIDE // 8 :] == 200).all()
    ends = (whole[..., 0] > 190).argmax(axis=1)
    assert np.ptp(ends) > 0.02 * SIDE


def test_a_scene_lists_its_dominoes(tmp_path):
    recipe = replace(
        RECIPES["seams"], looks={"painted": 1.0}, longest=500, edges=1.0, painted_seeds=(1000, 1001)
    )
    sources = Sources(None, kingdoms=kingdom_pool(5, 2))
    scene = compose(np.random.default_rng(4), sources, recipe)
    save(scene, tmp_path / "00001")
    truth = json.loads((tmp_path / "00001.json").read_text())
    assert truth["kingdoms"]
    for kingdom in truth["kingdoms"]:
        squares = Kingdom.parse(kingdom["line"]).squares()
        dominoes = [[tuple(at) for at in pair] for pair in kingdom["dominoes"]]
        assert all(second in neighbours(first) for first, second in dominoes)
        assert sorted(at for pair in dominoes for at in pair) == sorted(squares)
