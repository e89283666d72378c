"""Numbers that decide how places are weighed and compared: a case on each side of each."""

import math

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.photo.photo import open_photo
from kdvision.rules.terrain import CASTLE_LABEL, EMPTY_LABEL, LABELS
from kdvision.vision.models import Model
from kdvision.vision.squares.ground import Ground
from kdvision.vision.squares.reader import Evidence, castle_ratio, classify, weigh_evidence
from kdvision.vision.squares.window import choose_side, view_window
from tests.support.tables import table, window

# ---------------------------------------------------------------------- decoding


@pytest.mark.parametrize(("side", "scale"), [(69, 1), (71, 2), (139, 2), (141, 4)])
def test_decoding_size_for_squares(side: int, scale: int) -> None:
    picture = cv2.imencode(".jpg", np.zeros((3200, 3200, 3), np.uint8))[1]
    photo = open_photo(picture.tobytes())
    grid = replace(window(2, 2), square_px=float(side))
    view_window(photo, grid)
    assert choose_side(photo, [replace(grid, square_px=200.0), grid]) == choose_side(photo, [grid])
    assert 3200 // photo.decoded_side == scale


# ---------------------------------------------------------------------- classifier and evidence


class Sure:
    """A session that gives plain wheat field one probability, and counts its patches."""

    def __init__(self, probability: float) -> None:
        rest = (1 - probability) / (len(LABELS) - 1)
        self.logits = np.full(len(LABELS), math.log(rest), np.float32)
        self.logits[0] = math.log(probability)
        self.patches = 0

    def run(self, _: None, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        self.patches += len(given["rgb"])
        return [np.repeat(self.logits[None], len(given["rgb"]), axis=0)]


@pytest.mark.parametrize(("probability", "sides"), [(0.997, 4), (0.9985, 1)])
def test_probability_that_needs_no_other_side(probability: float, sides: int) -> None:
    session = Sure(probability)
    classify(np.zeros((3, 64, 64, 3), np.uint8), Model(session))
    assert session.patches == 3 * sides


@pytest.mark.parametrize(
    ("tile", "bare", "looked_at"),
    [
        (0.0, 1000.0, False),  # 66 to 1 by the detector, whatever it says beyond that
        (0.0, 16.0, False),
        (0.0, 14.5, True),
        (0.05, 100.0, False),
        (0.5, 1000.0, False),
        (0.1, 100.0, True),
        (0.9, 1000.0, True),
    ],
)
def test_clearly_bare_places_are_skipped(tile: float, bare: float, looked_at: bool) -> None:
    session = Sure(0.9995)
    evidence = Evidence(np.array([tile]), np.ones(1), np.array([bare]))
    said = classify(np.zeros((1, 64, 64, 3), np.uint8), Model(session), evidence=evidence)
    assert bool(session.patches) is looked_at
    if not looked_at:
        assert said.probabilities[0, EMPTY_LABEL] > 0.999998
        assert said.probabilities.sum() == pytest.approx(1)
        assert said.hidden.tolist() == [0]


def test_skipped_places_change_no_others() -> None:
    tile, bare = np.array([0.9, 0.0, 0.9]), np.array([1.0, 1000.0, 1.0])
    patches = np.zeros((3, 64, 64, 3), np.uint8)
    said = classify(patches, Model(Sure(0.9)), evidence=Evidence(tile, np.ones(3), bare))
    alone = classify(
        patches[:1], Model(Sure(0.9)), evidence=Evidence(tile[:1], np.ones(1), bare[:1])
    )
    assert said.probabilities[[0, 2]] == pytest.approx(np.repeat(alone.probabilities, 2, axis=0))


@pytest.mark.parametrize(("tile", "empty"), [(0.0, 0.985), (0.01, 0.985), (0.3, 0.7), (1.0, 0.015)])
def test_weight_of_the_detector(tile: float, empty: float) -> None:
    even = np.zeros((1, len(LABELS)))
    even[0, [0, EMPTY_LABEL]] = 0.5
    said = weigh_evidence(even, Evidence(np.array([tile]), np.ones(1), np.ones(1)))
    assert said[0, EMPTY_LABEL] == pytest.approx(empty, abs=1e-6)


@pytest.mark.parametrize(
    ("castle", "ratio"),
    [(0.0, 0.2), (0.03, 0.2), (0.1, 5 / 9), (0.5, 5.0), (0.6, 7.5), (0.7, 10.0), (1.0, 10.0)],
)
def test_weight_of_the_detectors_castle(castle: float, ratio: float) -> None:
    grid = window(1, 2)
    grid.found[0], grid.castle[0] = (True, False), castle
    assert castle_ratio(grid)[0] == pytest.approx([ratio, 1])
    even = np.zeros((1, len(LABELS)))
    even[0, [0, CASTLE_LABEL]] = 0.5
    said = weigh_evidence(even, Evidence(np.full(1, 0.9), castle_ratio(grid)[0, :1], np.ones(1)))
    assert said[0, CASTLE_LABEL] == pytest.approx(ratio / (1 + ratio))


# ---------------------------------------------------------------------- the ground

#: Places of a window of 4 x 4 with a ring of 2 on every side.
SIDE = 8


def ground(values: np.ndarray, places: int = SIDE * SIDE) -> Ground:
    """A ground whose places differ in one feature only, of which so many are seen, from the top."""
    features = np.zeros((SIDE, SIDE, 4))
    features[..., 1] = values.reshape(SIDE, SIDE)
    inside = (np.arange(SIDE * SIDE) < places).reshape(SIDE, SIDE)
    return Ground(features, inside)


def test_ground_is_compared_two_places_wide() -> None:
    seen = view_window(open_photo(table(4, 4)), window(4, 4)).ground
    assert seen.features.shape == (8, 8, 4)
    assert seen.inside.all()


@pytest.mark.parametrize(("places", "said"), [(5, False), (6, True)])
def test_least_places_of_ground(places: int, said: bool) -> None:
    """The first place of the window is seen, and so many of the ring above it."""
    values = np.zeros(SIDE * SIDE)
    values[18] = 50.0
    seen = ground(values, 0)
    seen.inside.ravel()[[18, *range(places - 1)]] = True
    assert (seen.oddness(np.ones((4, 4), bool))[0, 0] > 0) == said


@pytest.mark.parametrize(
    ("around", "inside", "covered"),
    [(0, 7, 0), (0, 8, 13), (0, 9, 13), (0, 19, 15), (4, 13, 0), (4, 14, 14), (6, 19, 15)],
)
def test_in_which_steps_ground_changes(around: float, inside: float, covered: int) -> None:
    """From place to place around a window, and inside it in steps away from what is around."""
    middle = np.pad(np.ones((4, 4), bool), 2).ravel()
    values = np.zeros(SIDE * SIDE)
    values[~middle], values[middle] = around * np.arange(48), -inside * np.arange(16)
    assert ground(values).covered(np.ones((4, 4), bool)).sum() == covered


@pytest.mark.parametrize(("tile", "bare"), [(0.17, True), (0.2, False), (0.24, False)])
def test_bare_places_are_the_ground(tile: float, bare: bool) -> None:
    said = ground(np.zeros(SIDE * SIDE)).bare_distance(np.full((4, 4), tile))
    assert np.isnan(said).all() == (not bare)


@pytest.mark.parametrize(("places", "said"), [(8, False), (9, True)])
def test_least_bare_places(places: int, said: bool) -> None:
    tile = np.ones(16)
    tile[:places] = 0.0
    away = ground(np.zeros(SIDE * SIDE)).bare_distance(tile.reshape(4, 4))
    assert np.isnan(away).all() == (not said)
