"""What two networks say of a place counts together, and a kingdom hangs together by edges."""

import math

import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.photo.photo import open_photo
from kdvision.reading import Reading
from kdvision.rules.terrain import EMPTY_MARK, LABELS
from kdvision.vision.models import Model
from kdvision.vision.squares.reader import Evidence, classify, read_grid, weigh_evidence
from kdvision.vision.squares.window import view_window
from tests.support.readings import reading_of
from tests.support.tables import SIDE, window

EMPTY = LABELS.index(EMPTY_MARK)


def belief(**shares: float) -> np.ndarray:
    """Probabilities (18,): those given, the rest evenly; `empty` and `C` for those labels."""
    values = np.full(len(LABELS), (1 - sum(shares.values())) / (len(LABELS) - len(shares)))
    for name, share in shares.items():
        values[EMPTY if name == "empty" else LABELS.index(name)] = share
    return values


def labels(read: Reading) -> list[str]:
    """The rows of a kingdom line."""
    rows = []
    for places in read.places:
        rows.append(" ".join(place.label for place in places))
    return rows


# ---------------------------------------------------------------------- two networks


@pytest.mark.parametrize(
    ("said", "tile", "label"),
    [
        ({"L": 0.7, "empty": 0.3}, 0.02, "-"),  # dark blue cloth: the finder sees no tile
        ({"L": 0.7, "empty": 0.3}, 0.9, "L"),
        ({"L": 0.3, "empty": 0.7}, 0.95, "L"),  # a lake in bad light: the finder sees one
        ({"L": 0.999, "empty": 0.001}, 0.0, "L"),  # it is not believed against certainty
    ],
)
def test_both_models_tell_tiles(said: dict[str, float], tile: float, label: str) -> None:
    evidence = Evidence(np.array([tile]), np.ones(1), np.ones(1))
    (values,) = weigh_evidence(belief(**said)[None], evidence)
    assert LABELS[int(values.argmax())] == label
    assert values.sum() == pytest.approx(1)


def test_detector_says_nothing_of_crowns() -> None:
    evidence = Evidence(np.array([0.9]), np.ones(1), np.ones(1))
    (values,) = weigh_evidence(belief(F=0.5, F1=0.25)[None], evidence)
    assert values[LABELS.index("F")] / values[LABELS.index("F1")] == pytest.approx(2)


def test_ground_look_is_bare_unless_outweighed() -> None:
    evidence = Evidence(np.array([0.9, 0.9]), np.ones(2), np.array([1000.0, 1.0]))
    values = weigh_evidence(np.stack([belief(W=0.95, empty=0.05)] * 2), evidence)
    assert [LABELS[int(one.argmax())] for one in values] == ["-", "W"]


# ---------------------------------------------------------------------- hidden places


class Fixed:
    """A session that gives every patch the same probabilities."""

    def __init__(self, shares: list[float]) -> None:
        self.logits = np.log(np.maximum(shares, 1e-30)).astype(np.float32)

    def run(self, _: None, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        return [np.repeat(self.logits[None], len(given["rgb"]), axis=0)]


def classified(hidden: float, tile: float | None) -> tuple[dict[str, float], float]:
    """What is made of a patch that is forest as far as it is seen, by label; and how hidden."""
    shares = [*(belief(F=1.0) * (1 - hidden)), hidden]
    evidence = None if tile is None else Evidence(np.array([tile]), np.ones(1), np.ones(1))
    patch = np.zeros((1, 64, 64, 3), np.uint8)
    said = classify(patch, Model(Fixed(shares)), evidence=evidence)
    return dict(zip(LABELS, said.probabilities[0].tolist(), strict=True)), float(said.hidden[0])


def test_model_without_hidden_places() -> None:
    patches = np.zeros((2, 64, 64, 3), np.uint8)
    said = classify(patches, Model(Fixed(belief(F=0.7, W=0.3).tolist())))
    assert said.hidden.tolist() == [0, 0]
    assert said.probabilities[0, LABELS.index("F")] == pytest.approx(0.7)


@pytest.mark.parametrize("tile", [0.9, 0.5, 0.1])
def test_detector_bounds_a_hidden_place(tile: float) -> None:
    shares, hidden = classified(1.0, tile)
    assert hidden == pytest.approx(1)
    assert shares["-"] == pytest.approx(1 - tile, abs=1e-6)
    # Of the deck's 96 squares 21 are plain wheat field and one is a mine with three crowns.
    assert shares["W"] == pytest.approx(tile * 21 / 96, abs=1e-6)
    assert shares["M3"] == pytest.approx(tile * 1 / 96, abs=1e-6)
    assert shares["C"] == pytest.approx(0, abs=1e-6)
    assert sum(shares.values()) == pytest.approx(1)


def test_visible_evidence_stays() -> None:
    shares, hidden = classified(0.4, None)
    assert hidden == pytest.approx(0.4)
    # Forest as seen, and its part of what is hidden: half bare, half squares of the deck.
    assert shares["F"] == pytest.approx(0.6 + 0.2 * 16 / 96)
    assert shares["-"] == pytest.approx(0.2)


def test_reading_has_hidden_shares() -> None:
    shares = [*(belief(F=1.0) * 0.2), 0.8]
    # The second column lies beyond the right border: nothing is seen there, so nothing is read.
    photo = open_photo(np.zeros((2 * SIDE, SIDE, 3), np.uint8))
    grid = window(2, 2, margin=0)
    read = read_grid(photo, grid, Model(Fixed(shares)), view_window(photo, grid))
    for inside, outside in read.places:
        assert inside.hidden == pytest.approx(0.8)
        assert (outside.hidden, outside.label) == (0, "-")


@pytest.mark.parametrize(("log_odds", "paper"), [(4.9, False), (5.0, True)])
def test_paper_changes_no_probability(log_odds: float, paper: bool) -> None:
    """The output after the labels is of its own: the log-odds that a plain paper lies there."""
    shares = [*(belief(F=1.0) * 0.7), 0.3]
    photo = open_photo(np.zeros((2 * SIDE, SIDE, 3), np.uint8))
    grid = window(2, 2, margin=0)
    view = view_window(photo, grid)
    told = read_grid(photo, grid, Model(Fixed([*shares, math.exp(log_odds)])), view)
    without = read_grid(photo, grid, Model(Fixed(shares)), view)
    assert told[0, 0].paper is paper
    assert without[0, 0].paper is False
    assert replace(told[0, 0], paper=False) == without[0, 0]


# ---------------------------------------------------------------------- one kingdom


def test_unjoined_squares_lie_beside() -> None:
    read, _ = reading_of("C W - F/- W - F/- - - -").groups()
    assert labels(read) == ["C W - -", "- W - -", "- - - -"]


@pytest.mark.parametrize(
    ("castles", "at"),
    [
        ({"a1": 1.0}, (0, 0)),
        ({"a1": 0.98, "b2": 0.99}, (1, 1)),  # of two the surer one
        ({"a1": 0.45, "a2": 0.97}, (1, 0)),
        ({"a1": 0.85}, None),  # four squares are two dominoes
        ({"b1": 0.3}, None),  # a draft row
    ],
)
def test_likeliest_castle_place(castles: dict[str, float], at: tuple[int, int] | None) -> None:
    assert (reading_of("W W/F F", like_castles(castles))).castle == at


def like_castles(shares: dict[str, float]) -> dict[str, dict[str, float]]:
    """Places that are a castle with so much probability, and else wheat."""
    return {name: {"C": share, "W": 1 - share} for name, share in shares.items()}


@pytest.mark.parametrize(
    ("row", "share", "castle"),
    [
        ("W F W", 0.3, True),  # nine squares: four dominoes and one, which glare has hidden
        ("W F W", 0.003, True),
        ("W F W", 0.001, False),
        ("W F W/G - -", 0.9, True),  # of ten squares one that is likely is enough
        ("W F -", 0.3, False),  # eight squares can be four dominoes
        ("W - -", 0.3, False),  # seven are no more than a draft row
    ],
)
def test_start_tile_under_glare(row: str, share: float, castle: bool) -> None:
    read = reading_of(f"W F W/L L F/{row}", like_castles({"b2": share}))
    assert (read.castle == (1, 1)) is castle


def test_empty_place_is_no_castle() -> None:
    line = "- W W W/F F F F/L L L -/- - - -"
    assert reading_of(line, {"a1": {"C": 0.4, "-": 0.6}}).castle is None
