"""Scenes tell which squares are one domino."""

import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("cv2")

from kdvision.rules.kingdom import Kingdom, neighbours
from scripts.synthesis.render import RECIPES, save
from scripts.synthesis.rendering.compose import Sources, compose, kingdom_pool


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
