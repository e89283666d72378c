"""Photos of one kingdom as it grows: their order, what was laid, and doubts that others settle."""

from typing import Any, cast

import cv2
import numpy as np
import pytest

from kdvision.options import GameOptions
from kdvision.photo.photo import Photo, open_photo
from kdvision.pipeline.scorer import Scorer
from kdvision.pipeline.series import Order, Series, series_of
from kdvision.reading import Alternative
from kdvision.result import PhotoResult, Status
from kdvision.rules.kingdom import Kingdom, position_names
from tests.support.paths import SAMPLES
from tests.support.played import DATA
from tests.support.results import plain, read_kingdom

FIRST, SECOND, THIRD = "C L1 F", "W G1 C L1 F", "- - - L1 F/W G1 C L1 F"


class Stubborn:
    """A scorer of which no photo helps another."""

    def score_with(self, photo: Any, others: Any, options: object) -> PhotoResult:
        return cast(PhotoResult, photo)


def photo_of(*lines: str) -> PhotoResult:
    kingdoms = tuple(read_kingdom(line) for line in lines)
    return PhotoResult(lines[0], Status.SURE, (), kingdoms, (800, 600))


def doubtful(line: str, *alternatives: Alternative) -> PhotoResult:
    kingdom = read_kingdom(line, Status.DOUBTFUL, 0.7, alternatives=tuple(alternatives))
    return PhotoResult(line, Status.DOUBTFUL, plain("It is dark."), (kingdom,), (800, 600))


def series(*results: PhotoResult, boxes: int = 1) -> Series:
    scored = [(cast(Photo, result), result) for result in results]
    return series_of(cast(Scorer, Stubborn()), scored, GameOptions(boxes=boxes))


def test_what_two_boxes_hold_may_have_been_laid() -> None:
    """Each box has one domino with the three crowns."""
    lines = "C W F", "C W F/W M3 -/W M3 -"
    for boxes, pairs in ((1, set()), (2, {((1, 0), (1, 1)), ((2, 0), (2, 1))})):
        laid = series(*map(photo_of, lines), boxes=boxes).steps[1].laid
        assert laid is not None
        assert {pair for pair, _ in laid.pairs} == pairs


def score_series(scorer: Scorer, photos: list[Photo]) -> Series:
    return series_of(scorer, [(one, scorer.score(one)) for one in photos])


@pytest.mark.parametrize(
    ("lines", "order", "given"),
    [
        ([FIRST, SECOND, THIRD], Order.PROVED, [0, 1, 2]),
        ([SECOND, FIRST, THIRD], Order.REFUTED, [1, 0, 2]),
        ([THIRD, SECOND, FIRST], Order.REFUTED, [2, 1, 0]),
        ([FIRST, FIRST, THIRD], Order.OPEN, [0, 1, 2]),
        ([FIRST, "W F C L1 F"], Order.PROVED, [0, 1]),
        ([FIRST, "W F C L1 W"], Order.APART, [0, 1]),
        ([FIRST], Order.PROVED, [0]),
        (["L1 F", SECOND], Order.APART, [0, 1]),
    ],
)
def test_the_order_is_proved_or_refuted(lines: list[str], order: Order, given: list[int]) -> None:
    found = series(*map(photo_of, lines))
    assert (found.order, list(found.given)) == (order, given)


@pytest.mark.parametrize("quarters", range(4))
def test_what_was_laid_from_whatever_side_the_photo_was_taken(quarters: int) -> None:
    turned = str(Kingdom.parse(SECOND).turned(quarters))
    found = series(photo_of(turned), photo_of(THIRD))
    step = found.steps[1]
    assert step.alignment is not None and step.laid is not None
    assert step.alignment.quarters == (4 - quarters) % 4
    assert [position_names(pair) for pair, _ in step.laid.pairs] == ["d1, e1"]


def test_the_kingdom_that_fits_is_followed_where_a_photo_shows_several() -> None:
    found = series(photo_of(FIRST), photo_of("C M1 W", SECOND), photo_of(THIRD))
    assert [step.index for step in found.steps] == [0, 1, 0]
    assert found.order is Order.PROVED


# ---------------------------------------------------------------------- real photos

#: What was laid in the photos of one kingdom as it grows, by the names of the places in each.
LAID = {
    "mat_a": ["", "a1-b1", "a1-b1 c1-d1", "a3-b3 c3-d3", "a1-b1 c1-d1"],
    "mat_b": [
        "", "a1-b1", "d1-e1", "e3-e4", "a1-b1", "c3-d3", "a3-b3", "c1-c2 d1-e1", "b5-c5", "a1-b1",
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", LAID)
@pytest.mark.parametrize("backwards", [False, True])
def test_real_series_come_out_as_they_were_laid(scorer: Scorer, name: str, backwards: bool) -> None:
    paths = sorted((DATA / "photos").glob(f"{name}_*.jpg"), reverse=backwards)
    if not paths:
        pytest.skip(f"no real pictures: {DATA / 'photos'} is missing (set KDVISION_DATA)")
    found = score_series(scorer, [open_photo(path) for path in paths])
    assert found.order is (Order.REFUTED if backwards else Order.PROVED)
    laid = [
        " ".join(
            position_names(pair).replace(", ", "-")
            for pair, share in (step.laid.pairs if step.laid else ())
            if share == 1
        )
        for step in found.steps
    ]
    assert laid == LAID[name]


def test_turned_photos_of_one_kingdom_are_known(scorer: Scorer) -> None:
    paths = [DATA / "photos" / f"cutting_mat_{number}.jpg" for number in (3, 4)]
    if not paths[0].is_file():
        pytest.skip(f"no real pictures: {paths[0]} is missing (set KDVISION_DATA)")
    found = score_series(scorer, [open_photo(path) for path in paths])
    assert found.order is Order.OPEN
    assert found.steps[1].alignment is not None and found.steps[1].alignment.quarters == 3


# ---------------------------------------------------------------------- glare


def test_squares_that_a_glare_hid_are_no_growth(scorer: Scorer) -> None:
    """The same kingdom twice, one time with white light on two squares; then with less of it."""
    path = SAMPLES / "meadow_5x5.jpg"
    image = np.asarray(cv2.imread(str(path))[:, :, ::-1], np.uint8).copy()
    (kingdom,) = scorer.score(image, name="plain").kingdoms
    (x0, y0), (x1, y1) = kingdom.corners[:2]
    side = np.hypot(x1 - x0, y1 - y0) / 5
    for square in kingdom.squares[:2]:
        x, y = square.center or (0.0, 0.0)
        cv2.circle(image, (round(x), round(y)), round(0.7 * side), (250, 250, 245), -1)
    alone = scorer.score(image, name="glare").kingdoms[0]
    assert alone.status is Status.DOUBTFUL
    found = score_series(scorer, [open_photo(image, name="glare"), open_photo(path)])
    assert found.order is Order.OPEN
    assert [step.kingdom.kingdom for step in found.steps] == [kingdom.kingdom] * 2
    assert found.steps[1].laid is not None and found.steps[1].laid.new == ()
    settled = next(step.settled for step in found.steps if step.result.photo == "glare")
    assert {(0, 0), (0, 1)} <= {at for at, _ in settled}


def test_a_square_that_may_have_been_hidden_is_not_told_as_laid() -> None:
    hidden = Alternative(9, 0.3, (((0, 0), "W"), ((0, 1), "F")))
    before = doubtful("- - L1/W C F", hidden)
    found = series(before, photo_of("W F L1/W C F"))
    assert found.steps[1].laid is not None and found.steps[1].laid.new == ()
    assert found.order is Order.OPEN
    clear = doubtful("- - L1/W C F")
    found = series(clear, photo_of("W F L1/W C F"))
    assert found.steps[1].laid is not None and found.steps[1].laid.new == ((0, 0), (0, 1))


def test_glare_in_a_photo_of_a_game_night_is_no_growth(scorer: Scorer) -> None:
    paths = [DATA / "photos" / f"night_{number}.jpg" for number in (3, 4)]
    if not paths[0].is_file():
        pytest.skip(f"no real pictures: {paths[0]} is missing (set KDVISION_DATA)")
    found = score_series(scorer, [open_photo(path) for path in paths])
    assert found.order is Order.OPEN
    assert [step.kingdom.score for step in found.steps] == [92, 92]
