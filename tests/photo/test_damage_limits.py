"""What is called damage lies between two pictures: one on each side of every number of it.

Pictures are grey, made of columns that are the same in every row, so that what is added is all
that differs from row to row, and its height is known.
"""

import numpy as np
import pytest
from numpy.typing import NDArray

from kdvision.photo.damage import damage_in, has_seam
from kdvision.photo.headers import Format, Header
from kdvision.sentences import Sentence

Rows = NDArray[np.int64]

STEP = "colours jump"
SLIP = "slipped"


def rgb(rows: Rows) -> NDArray[np.uint8]:
    assert rows.min() >= 0
    assert rows.max() <= 255
    return np.repeat(rows.astype(np.uint8)[:, :, None], 3, axis=2)


def columns(height: int, width: int, *, step: float = 40.0, level: int = 60) -> Rows:
    """Rows that are all alike, of columns at two levels.

    Args:
        height: In pixels.
        width: Likewise.
        step: The mean difference of a row and the same row moved.
        level: The lower of the two levels.
    """
    amplitude = int(np.ceil(2.6 * step))
    share = (1 - np.sqrt(1 - 2 * step / amplitude)) / 2
    high = np.random.default_rng(7).permutation(width) < round(share * width)
    return np.tile(level + amplitude * high, (height, 1))


# ---------------------------------------------------------------------- missing parts


def with_grey(share: float, away: int) -> NDArray[np.uint8]:
    """A picture whose lower end is mid grey, or so far away from it."""
    picture = rgb(columns(1000, 400))
    picture[round(1000 * (1 - share)) :] = 128 + away
    return picture


@pytest.mark.parametrize(
    ("share", "away", "missing"),
    [
        # `fill_noise`, levels: 8
        (0.3, 7, True),
        (0.3, -7, True),
        (0.3, 10, False),
        (0.3, -10, False),
        # `min_missing`: 2 % of the rows
        (0.025, 0, True),
        (0.018, 0, False),
    ],
)
def test_a_part_without_a_picture(share: float, away: int, missing: bool) -> None:
    assert (damage_in(with_grey(share, away), 1, None) is not None) == missing


# ---------------------------------------------------------------------- steps along blocks


def stepped(
    height: float,
    *,
    spread: float = 0.0,
    outliers: float = 0.0,
    texture: float = 6.0,
    side: int = 960,
) -> str:
    """The damage found in a picture with a step along the edge of a row of blocks.

    Args:
        height: Of the step, in levels.
        spread: It is so much higher in one block and lower in the next.
        outliers: The share of blocks in which it is 200.
        texture: The standard deviation of the columns.
        side: The width of the picture in pixels.
    """
    blocks = side // 8
    rows = np.repeat(np.where(np.arange(blocks) % 2, texture, -texture) + 20.0, 8)
    rows = np.tile(rows.round().astype(int), (400, 1))
    steps = height + spread * np.where(np.arange(blocks) // 2 % 2, 1, -1)
    if outliers:
        steps[:: round(1 / outliers)] = 200
    rows[200:] += np.repeat(steps.round().astype(int), 8)
    header = Header(Format.JPEG, side, 400, block=(8, 8))
    found = damage_in(rgb(rows), 1, header)
    return found.text() if found else ""


STEPS = [
    # `min_step`, levels: 6
    ({"height": 7}, True),
    ({"height": 5}, False),
    # `min_step_steadiness`: 2 times the spread and 1
    ({"height": 20, "spread": 8}, True),
    ({"height": 20, "spread": 10}, False),
    # `max_step`, levels: 60; what is higher counts as that, in the mean and in the spread
    ({"height": 20, "outliers": 0.05}, True),
    ({"height": 20, "outliers": 0.1}, False),
    # `plain_spread`, levels: 4
    ({"height": 20, "texture": 5}, True),
    ({"height": 20, "texture": 3}, False),
    # `min_damage_side`, pixels: 800
    ({"height": 20, "side": 880}, True),
    ({"height": 20, "side": 720}, False),
]


@pytest.mark.parametrize(("how", "damaged"), STEPS, ids=str)
def test_a_step_along_a_row_of_blocks(how: dict[str, float], damaged: bool) -> None:
    assert (STEP in stepped(**how)) == damaged


# ---------------------------------------------------------------------- slipped parts


def grain(height: int, width: int, step: float) -> Rows:
    """What differs from each row to the next by so much in the mean, and to the next but one.

    A fifth of the columns is higher in each row, another fifth in the next.
    """
    fifths = np.arange(width) * 5 // width
    amplitude = step * 5 / 2
    which = np.arange(height)[:, None] % 5 == np.random.default_rng(3).permutation(fifths)[None]
    # Whole numbers whose mean is the amplitude.
    dither = np.floor(amplitude * (np.arange(width) + 1)) - np.floor(amplitude * np.arange(width))
    return which * dither.astype(int)


def slipped(
    *,
    seams: tuple[int, ...] = (40,),
    by: int = 50,
    step: float = 40.0,
    usual: float = 0.0,
    left: float = 0.0,
    edges: tuple[int, ...] = (),
    size: tuple[int, int] = (400, 600),
) -> NDArray[np.uint8]:
    """A picture whose rows are moved on at some rows.

    Args:
        seams: The rows from which on all is moved.
        by: How far each time, in pixels.
        step: The mean step between a row and itself moved.
        usual: The mean step between rows next to each other, by grain.
        left: The mean step that is left at a seam when the row is moved back, over the grain's.
        edges: Rows from which on all is brighter: steps that no moving explains.
        size: (height, width) in pixels.
    """
    height, width = size
    rows = columns(height, width, step=step)
    noise = grain(height + 1, width, usual)
    for number, seam in enumerate(seams):
        rows[seam:] = np.roll(rows[seam:], by, axis=1)
        if left:
            more = np.random.default_rng(number).permutation(width) < round(width * left / 20)
            rows[seam:] += 20 * more
    rows[: seams[0]] += noise[: seams[0]]
    # The two rows at the seam have the same grain, moved on with them.
    rows[seams[0] :] += np.roll(noise[seams[0] - 1 : height - 1], by, axis=1)
    for edge in edges:
        rows[edge:] += 15
    return rgb(rows)


SLIPS = [
    # `min_seam_step`, levels: 2.5
    ({"step": 2.9}, True),
    ({"step": 2.1}, False),
    # `min_seam_ratio`: 1.7 times the step beside it, and 0.5
    ({"step": 8.0, "usual": 5.0}, True),
    ({"step": 5.0, "usual": 5.0}, False),
    # `seam_ratio_offset`, levels: 0.5
    ({"step": 2.1, "usual": 0.95}, True),
    ({"step": 2.0, "usual": 1.05}, False),
    # `max_moved_share`: 0.45 of the step
    ({"step": 10.0, "usual": 4.0, "left": 5.5}, True),
    ({"step": 6.0, "usual": 4.2, "left": 6.8}, False),
    # `max_moved_ratio`: 1.6 times the usual step, and 1
    ({"usual": 5.0, "left": 8.0}, True),
    ({"usual": 5.0, "left": 10.5}, False),
    # `moved_offset`, levels: 1
    ({"left": 0.8}, True),
    ({"left": 1.2}, False),
    # `min_shift`, pixels: 3
    ({"by": 3}, True),
    ({"by": 2}, False),
    # `max_seams`: 2
    ({"seams": (30, 45)}, True),
    ({"seams": (30, 45, 60)}, False),
    # `max_seam_candidates`: 4, the steepest first
    ({"step": 8.0, "edges": (80, 100, 120)}, True),
    ({"step": 8.0, "edges": (80, 100, 120, 140)}, False),
    # `seam_distance`, pixels: 3; what is nearer is one seam
    ({"seams": (30, 45, 48)}, True),
    ({"seams": (30, 45, 49)}, False),
    # `seam_side`, pixels: 640; what is larger is looked at in half, where fine steps are lower
    ({"step": 3.0, "size": (400, 620)}, True),
    ({"step": 3.0, "size": (400, 820)}, False),
]


@pytest.mark.parametrize(("how", "seam"), SLIPS, ids=str)
def test_a_part_that_has_slipped(how: dict[str, object], seam: bool) -> None:
    assert has_seam(slipped(**how)) == seam


@pytest.mark.parametrize(("width", "seam"), [(880, True), (720, False)])
def test_crops_are_not_searched_for_seams(width: int, seam: bool) -> None:
    """`min_damage_side`, pixels: 800."""
    picture = slipped(size=(400, width))
    assert has_seam(picture)
    assert (damage_in(picture, 1, None) == Sentence("damage.slipped")) == seam


@pytest.mark.parametrize("step", [2.0, 2.9, 5.0, 8.0, 10.0, 40.0])
@pytest.mark.parametrize("usual", [0.0, 0.95, 1.05, 4.0, 5.0])
def test_the_pictures_are_as_they_say(step: float, usual: float) -> None:
    rows = columns(400, 600, step=step)
    moved = np.abs(rows - np.roll(rows, 50, axis=1)).mean()
    assert moved == pytest.approx(step, rel=0.07)
    noise = grain(400, 600, usual)
    for gap in (1, 2):
        steps = np.abs(noise[gap:] - noise[:-gap]).mean(axis=1)
        assert steps == pytest.approx(np.full(len(steps), usual), rel=0.05)
