"""Spoiled photos become sure once a person has answered every question of the sheet."""

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from kdvision.arrays import Image
from kdvision.pipeline.scorer import Scorer
from kdvision.report.wording import place_name
from kdvision.result import KingdomResult, Status
from kdvision.rules.kingdom import Kingdom, Position, cell_text
from tests.support.golden_photos import MEADOW, PLUS, beside, blurred, sample


def read(scorer: Scorer, picture: Image) -> KingdomResult:
    (kingdom,) = scorer.score(np.ascontiguousarray(picture)).kingdoms
    return kingdom


def spoiled(scorer: Scorer, places: tuple[Position, ...], *, glare: bool) -> Image:
    """The meadow with glare over places, or with a token in the middle of each."""
    picture = sample("meadow_5x5").copy()
    clear = read(scorer, picture)
    left, right = np.array(clear.corners[:2])
    side = float(np.linalg.norm(right - left)) / clear.kingdom.width
    radius = round(side * (0.75 if glare else 0.33))
    mask: NDArray[Any] = np.zeros(picture.shape[:2], np.float32)
    for square in clear.squares:
        if square.at in places and square.center is not None:
            x, y = round(square.center[0]), round(square.center[1])
            cv2.circle(mask, (x, y), radius, 1, cv2.FILLED)
    colour = np.array([200, 40, 40])
    if glare:
        colour = np.array([255, 255, 255])
        mask = 0.97 * cv2.GaussianBlur(mask, (0, 0), 0.12 * side)
    mixed = picture + (colour - picture) * mask[..., None]
    return np.asarray(mixed, np.uint8)


@pytest.mark.parametrize(
    ("places", "glare"),
    [
        (((0, 3), (0, 4)), True),  # a domino at the edge
        (((4, 0), (4, 1)), True),  # one with a crown
        (((0, 1),), False),  # two crowns
        (((2, 0),), False),
    ],
)
def test_answering_every_question_makes_sure(
    scorer: Scorer, places: tuple[Position, ...], glare: bool
) -> None:
    picture = np.ascontiguousarray(spoiled(scorer, places, glare=glare))
    kept = scorer.read(picture)
    (plain,) = scorer.judge(kept).kingdoms
    assert plain.status is Status.DOUBTFUL
    truth = Kingdom.parse(MEADOW)
    answers = {place_name(plain, at): cell_text(truth[at]) for at, _ in plain.fixes}
    assert {place_name(plain, at) for at in places} <= answers.keys()
    (sure,) = scorer.judge(kept, fixes=answers).kingdoms
    assert (sure.status, sure.line) == (Status.SURE, MEADOW)
    for name in answers:
        fewer = {other: text for other, text in answers.items() if other != name}
        (left,) = scorer.judge(kept, fixes=fewer).kingdoms
        assert left.status is Status.DOUBTFUL, name


def test_counting_kingdoms_makes_photos_sure(scorer: Scorer) -> None:
    kept = scorer.read(np.ascontiguousarray(beside(sample("plus"), blurred(sample("corner")))))
    plain, counted, more = (scorer.judge(kept, kingdoms=count) for count in (None, 1, 2))
    assert [one.kingdoms[0].line for one in (plain, counted, more)] == [PLUS] * 3
    assert (plain.status, len(plain.left_out)) == (Status.DOUBTFUL, 1)
    assert (counted.status, counted.left_out) == (Status.SURE, ())
    assert more.status is Status.DOUBTFUL
    assert more.message.startswith("The photo should show 2 kingdoms, and 1 was found.")
