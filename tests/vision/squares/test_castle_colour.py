"""Whose kingdom it is: the colour of its castle, each once in a box."""

import csv
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from kdvision.arrays import Image
from kdvision.photo.photo import open_photo
from kdvision.pipeline.scorer import Scorer
from kdvision.reading import Colour
from kdvision.vision.colours import (
    COLOUR,
    PATCH_PX,
    SQUARES_ABOVE,
    SQUARES_ACROSS,
    cut_castle,
    read_colours,
    shared_out,
    tell_colours,
)
from kdvision.vision.geometry import project
from kdvision.vision.models import Model
from scripts.synthesis.rendering.camera import look_at
from scripts.synthesis.rendering.cover import Cover
from tests.support.grids import found_in
from tests.support.paths import SAMPLES

PINK, YELLOW, GREEN, BLUE, NONE = np.eye(5)
#: The middle of the square at the corner of a lattice.
MIDDLE = np.array([0.5, 0.5])
#: How sure a castle is to be of one colour.
SURE = 0.98


def claim(kind: np.ndarray, share: float = SURE) -> np.ndarray:
    """Probabilities of a castle that looks like this, and a little like all else."""
    return kind * share + (1 - kind) * (1 - share) / 4


@pytest.mark.parametrize(
    ("castles", "named"),
    [
        ([claim(BLUE)], [BLUE]),
        ([claim(NONE)], [NONE]),
        ([claim(YELLOW), claim(PINK)], [YELLOW, PINK]),
        # What another surely is, this one is not.
        ([claim(PINK), claim(BLUE), (GREEN + BLUE) / 2], [PINK, BLUE, GREEN]),
        # Two kingdoms claim blue alike: neither is.
        ([claim(BLUE), claim(BLUE), claim(PINK)], [None, None, PINK]),
        # None may be there as often as it likes.
        ([claim(NONE), claim(NONE), claim(GREEN)], [NONE, NONE, GREEN]),
        # Five kingdoms are of two boxes.
        ([claim(PINK), claim(PINK), claim(GREEN), claim(BLUE), claim(NONE)],
         [PINK, PINK, GREEN, BLUE, NONE]),
    ],
)  # fmt: skip
def test_colours_come_once_in_a_box(
    castles: Sequence[np.ndarray], named: Sequence[np.ndarray | None]
) -> None:
    shares = shared_out(np.stack(castles))
    assert shares.sum(axis=1) == pytest.approx(1)
    for share, kind in zip(shares, named, strict=True):
        assert (share @ kind >= COLOUR.sure_from) if kind is not None else share.max() < 0.6


def test_castle_stands_upright_in_turned_photos() -> None:
    """A pole of 0.8 squares on the middle of a tile, seen from 45 degrees above the table."""
    camera = look_at(
        (0.5, 0.5), size=(300, 200), square_px=40, tilt=0.8, turn=0.7, roll=2.0, focal=1.5
    )
    photo = np.zeros((200, 300, 3), np.uint8)
    foot, top = camera.project(np.array([[0.5, 0.5, 0.0], [0.5, 0.5, 0.8]]))
    cv2.line(photo, foot.round().astype(int), top.round().astype(int), (255, 255, 255), 3)
    to_turned = np.array([[0, 1, 0], [-1, 0, 299], [0, 0, 1.0]])
    patches = [
        cut_castle(photo, camera.plane(), MIDDLE),
        cut_castle(np.ascontiguousarray(np.rot90(photo)), to_turned @ camera.plane(), MIDDLE),
    ]
    for patch in patches:
        rows, columns = np.nonzero(patch[..., 0] > 100)
        px = PATCH_PX / SQUARES_ACROSS
        assert rows.max() == pytest.approx(SQUARES_ABOVE * px, abs=2.5)  # where the tile is
        assert np.ptp(rows) == pytest.approx(0.8 * np.sin(0.8) * px, abs=4)
        assert columns.mean() == pytest.approx(PATCH_PX / 2, abs=2)
    assert np.abs(patches[0].astype(int) - patches[1]).mean() < 2


class Says:
    """A model that gives the looks at a castle, one after the other, these probabilities."""

    def __init__(self, *looks: np.ndarray) -> None:
        self.looks = looks
        self.seen: list[Image] = []

    def run(self, names: object, feed: dict[str, Image], /) -> list[np.ndarray]:
        self.seen.append(feed["rgb"])
        return [np.log(np.stack(self.looks) + 1e-9)]


@pytest.mark.parametrize(
    ("share", "mirrored", "colour"),
    [
        (COLOUR.sure_from + 0.01, GREEN, Colour.GREEN),
        (COLOUR.sure_from - 0.01, GREEN, None),
        (0.99, NONE, None),
    ],
)
def test_sure_colours_are_named(
    scorer: Scorer, share: float, mirrored: np.ndarray, colour: Colour | None
) -> None:
    photo = open_photo(SAMPLES / "meadow_5x5.jpg")
    (found,) = scorer.vision.read(photo).kingdoms
    castle = found.reading.castle
    assert castle is not None
    model = Says(claim(GREEN, share), claim(mirrored, share))
    shares = read_colours(found.cut_castle(castle), Model(model)).tolist()
    named = tell_colours([shares, None])
    assert named == [(colour, pytest.approx(share) if colour else 0.0), (None, 0.0)]


def test_castle_is_looked_at_in_a_mirror_too() -> None:
    patch = np.zeros((PATCH_PX, PATCH_PX, 3), np.uint8)
    patch[20:32, 5:20] = 255
    model = Says(*[claim(GREEN, 0.9)] * 2)
    read_colours(patch, Model(model))
    ((straight, mirrored),) = model.seen
    assert (straight == patch).all()
    assert (mirrored == patch[:, ::-1]).all()


def test_colours_of_castles_that_nobody_looked_at() -> None:
    assert tell_colours([]) == []
    assert tell_colours([None, None]) == [(None, 0.0)] * 2


def test_thin_colours_show_in_a_scene() -> None:
    cover = Cover(np.zeros((20, 20, 3), np.uint8))
    cover.coloured[5, 2:18] = 0
    assert cover.colour_px(0) == 0
    cover.coloured[6, 2:18] = 0
    assert cover.colour_px(0) == 15


def test_colours_are_named_from_any_side(scorer: Scorer) -> None:
    pixels, _ = open_photo(SAMPLES / "four_kingdoms.jpg").pixels(1600)
    wanted = {Colour.YELLOW: 46, Colour.PINK: 54, Colour.BLUE: 41, Colour.GREEN: 40}
    for quarters in range(4):
        turned = np.ascontiguousarray(np.rot90(pixels, quarters))
        kingdoms = scorer.score(turned).kingdoms
        assert {kingdom.colour: kingdom.score for kingdom in kingdoms} == wanted


def test_start_tile_without_colour(scorer: Scorer) -> None:
    photo = open_photo(SAMPLES / "meadow_5x5.jpg")
    (found,) = scorer.vision.read(photo).kingdoms
    castle = found.reading.castle
    assert castle is not None
    pixels = photo.pixels(1600)[0].copy()
    inner = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * 0.96 + 0.02 + castle[::-1]
    sand = (178, 166, 92)
    cv2.fillConvexPoly(pixels, project(found.grid.homography, inner).astype(np.int32), sand)
    painted = found_in(open_photo(pixels), found.grid, found.reading)
    shares = scorer.vision.read_colours(painted, castle)
    assert tell_colours([shares]) == [(None, 0.0)]


def test_real_castles_have_their_colours(scorer: Scorer, data_folder: Path) -> None:
    with (data_folder / "photos.csv").open(newline="", encoding="utf-8") as file:
        seen = {row["file"]: row["castle"] for row in csv.DictReader(file)}
    colours = {
        name: scorer.score(data_folder / "photos" / name).kingdoms[0].colour for name in seen
    }
    named = {name: colour for name, colour in colours.items() if colour}
    assert {name: seen[name] for name in named} == named
    assert len(named) >= 18
