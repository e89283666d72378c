"""What two networks say of a place counts together, and a kingdom hangs together by edges."""

import numpy as np
import pytest

from kdvision.reading import Place, Reading
from kdvision.rules.terrain import CASTLE_MARK, EMPTY_MARK, LABELS
from kdvision.vision.squares.castle import likeliest_castle, without_strays
from kdvision.vision.squares.classifier import PATCHES_AT_ONCE, read_patches
from kdvision.vision.squares.evidence import FINDER_CAP, Word, castle_evidence, with_word
from tests.support.tables import window

EMPTY, CASTLE = LABELS.index(EMPTY_MARK), LABELS.index(CASTLE_MARK)


def belief(**shares: float) -> np.ndarray:
    """Probabilities (18,): those given, the rest evenly; `empty` and `C` for those labels."""
    values = np.full(len(LABELS), (1 - sum(shares.values())) / (len(LABELS) - len(shares)))
    for name, share in shares.items():
        values[EMPTY if name == "empty" else LABELS.index(name)] = share
    return values


def reading(*rows: str, castles: dict[tuple[int, int], float] | None = None) -> Reading:
    """Places that are read with certainty, but for the castle's share at some of them."""

    def place(row: int, col: int, text: str) -> Place:
        share = (castles or {}).get((row, col), 0.0)
        values = [0.0] * len(LABELS)
        values[LABELS.index(text)] = 1 - share
        values[CASTLE] += share
        return Place(tuple(values), (100.0 * col, 100.0 * row))

    places = tuple(
        tuple(place(row, col, text) for col, text in enumerate(line.split()))
        for row, line in enumerate(rows)
    )
    return Reading(places, ((0.0, 0.0),) * 4)


def labels(read: Reading) -> list[str]:
    return [" ".join(place.label for place in row) for row in read.places]


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
def test_tile_or_none_is_said_by_both(said: dict[str, float], tile: float, label: str) -> None:
    word = Word(np.array([tile]), np.ones(1), np.ones(1))
    (values,) = with_word(belief(**said)[None], word)
    assert LABELS[int(values.argmax())] == label
    assert values.sum() == pytest.approx(1)


def test_without_the_finder_the_reader_stands() -> None:
    values = belief(F=0.6, F1=0.3)[None]
    assert with_word(values, None) is values


def test_the_finder_says_nothing_of_crowns() -> None:
    word = Word(np.array([0.9]), np.ones(1), np.ones(1))
    (values,) = with_word(belief(F=0.5, F1=0.25)[None], word)
    assert values[LABELS.index("F")] / values[LABELS.index("F1")] == pytest.approx(2)


def test_what_looks_like_the_ground_is_bare_unless_the_others_are_all_but_certain() -> None:
    word = Word(np.array([0.9, 0.9]), np.ones(2), np.array([1000.0, 1.0]))
    values = with_word(np.stack([belief(W=0.95, empty=0.05)] * 2), word)
    assert [LABELS[int(one.argmax())] for one in values] == ["-", "W"]


def test_the_finder_can_shift_the_odds_so_far_and_no_further() -> None:
    even = belief(F=0.5, empty=0.5)[None]
    (values,) = with_word(even, Word(np.array([1.0]), np.ones(1), np.ones(1)))
    assert values[EMPTY] == pytest.approx(FINDER_CAP, rel=0.01)


@pytest.mark.parametrize(
    ("found", "castle", "times"),
    [
        (True, 0.0, 0.2),  # surely none
        (True, 0.5, 5.0),
        (True, 1.0, 10.0),  # surely one
        (False, 0.0, 1.0),  # no square was found, so nothing is said
    ],
)
def test_how_much_likelier_the_finder_makes_a_castle(
    found: bool, castle: float, times: float
) -> None:
    grid = window(1, 1)
    grid.found[0, 0], grid.castle[0, 0] = found, castle
    assert castle_evidence(grid)[0, 0] == pytest.approx(times)


class Certain:
    """A session that is sure of wheat, or in doubt, and counts what it was shown."""

    def __init__(self, margin: float) -> None:
        self.margin = margin
        self.shown: list[int] = []

    def run(self, _: None, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        self.shown.append(len(given["rgb"]))
        logits = np.zeros((len(given["rgb"]), len(LABELS)), np.float32)
        logits[:, 0] = self.margin
        return [logits]


@pytest.mark.parametrize(("margin", "looks"), [(20.0, 1), (1.0, 4)])
def test_only_unclear_places_are_looked_at_from_four_sides(margin: float, looks: int) -> None:
    session = Certain(margin)
    read_patches(np.zeros((5, 64, 64, 3), np.uint8), session)
    assert sum(session.shown) == 5 * looks


def test_many_patches_come_in_parts() -> None:
    session = Certain(20.0)
    said = read_patches(np.zeros((2 * PATCHES_AT_ONCE + 1, 64, 64, 3), np.uint8), session)
    assert session.shown == [PATCHES_AT_ONCE, PATCHES_AT_ONCE, 1]
    assert said.shape == (2 * PATCHES_AT_ONCE + 1, len(LABELS))


# ---------------------------------------------------------------------- one kingdom


def test_what_is_not_joined_to_the_castle_lies_beside() -> None:
    read = without_strays(reading("C W - F", "- W - F", "- - - -"))
    assert read is not None
    assert labels(read) == ["C W - -", "- W - -", "- - - -"]


def test_corners_do_not_join() -> None:
    read = without_strays(reading("C W -", "- - L"))
    assert read is not None
    assert labels(read) == ["C W -", "- - -"]


def test_no_castle_no_kingdom() -> None:
    assert without_strays(reading("W W", "F F")) is None


@pytest.mark.parametrize(
    ("castles", "at"),
    [
        ({(0, 0): 1.0}, (0, 0)),
        ({(0, 0): 0.98, (1, 1): 0.99}, (1, 1)),  # of two the surer one
        ({(0, 0): 0.45, (1, 0): 0.98}, (1, 0)),
        ({(0, 0): 0.85}, None),  # four squares are two dominoes
        ({(0, 1): 0.3}, None),  # a draft row
    ],
)
def test_the_place_that_looks_most_like_a_castle(
    castles: dict[tuple[int, int], float], at: tuple[int, int] | None
) -> None:
    assert likeliest_castle(reading("W W", "F F", castles=castles)) == at


@pytest.mark.parametrize(
    ("row", "share", "castle"),
    [
        ("W F W", 0.3, True),  # nine squares: four dominoes and one, which glare has hidden
        ("W F W", 0.02, False),
        ("W F -", 0.3, False),  # eight squares can be four dominoes
        ("W - -", 0.3, False),  # seven are no more than a draft row
    ],
)
def test_a_start_tile_under_glare(row: str, share: float, castle: bool) -> None:
    read = reading("W F W", "L L F", row, castles={(1, 1): share})
    assert (likeliest_castle(read) == (1, 1)) is castle


def test_an_empty_place_is_no_castle() -> None:
    rows = ("- W W W", "F F F F", "L L L -", "- - - -")
    assert likeliest_castle(reading(*rows, castles={(0, 0): 0.4})) is None
