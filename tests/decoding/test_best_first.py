"""The search, held against trying everything, and against an integer program."""

import math
from collections.abc import Mapping
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from kdvision.decoding.best_first import search
from kdvision.decoding.board import Board, DeckFaces, deck_faces, make_board, make_kingdom
from kdvision.decoding.calibration import CALIBRATION, calibrate
from kdvision.decoding.constraints import Constraints
from kdvision.rules.dominoes import Face, face
from kdvision.rules.terrain import CASTLE_LABEL, EMPTY_LABEL, KINDS, LABELS, SQUARE_KINDS
from tests.decoding.oracle import fits_box
from tests.support.boards import can_be_cut, can_be_paired, deck_of
from tests.support.readings import noisy_reading, random_kingdom
from tests.support.settings import changed

Values = list[list[float]]


def random_values(rng: Random, count: int, choices: int, labels: list[int]) -> Values:
    """Probabilities of a few labels per place, the rest 0."""
    values = []
    for _ in range(count):
        row = [0.0] * len(LABELS)
        for label in rng.sample(labels, choices):
            row[label] = rng.random() ** 3 + 0.01
        values.append([value / sum(row) for value in row])
    return values


def every_kingdom(
    values: Values, board: Board, side: int, deck: Mapping[Face, int] | None
) -> dict[bytes, float]:
    """All kingdoms with their probability, by trying all labels of all places."""
    choices = []
    for row in values:
        choices.append([label for label, value in enumerate(row) if value > 0])
    kingdoms = {}
    for labels in map(bytes, product(*choices)):
        kingdom = make_kingdom(labels, board)
        if not fits_box(kingdom, side):
            continue
        if can_be_paired(kingdom) if deck is None else can_be_cut(kingdom, deck):
            pairs = zip(values, labels, strict=True)
            kingdoms[labels] = math.prod(row[label] for row, label in pairs)
    return kingdoms


def small_deck(rng: Random) -> dict[Face, int]:
    """A deck in which faces are scarce."""
    faces = sorted({face(*pair) for pair in product(SQUARE_KINDS[:4], repeat=2)})
    return {shown: rng.randrange(1, 3) for shown in faces if rng.random() < 0.5}


@pytest.mark.parametrize(("height", "width", "side"), [(2, 3, 5), (3, 3, 5), (1, 7, 5), (2, 4, 3)])
@pytest.mark.parametrize("with_deck", [True, False])
def test_each_kingdom_comes_once_with_its_probability(
    height: int, width: int, side: int, with_deck: bool
) -> None:
    rng = Random(height * 10 + width)
    board = make_board(height, width)
    with_several = 0
    choices = 3 if height * width < 9 else 2
    for _ in range(12):
        deck = small_deck(rng) if with_deck else None
        values = random_values(
            rng, height * width, choices, [0, 1, 2, 3, CASTLE_LABEL, EMPTY_LABEL]
        )
        kingdoms = every_kingdom(values, board, side, deck)
        faces = deck_faces(deck_of(deck)) if deck is not None else None
        constraints = Constraints([board], side, faces)
        result = search(values, constraints, tolerance=0, min_mass=0, limit=10**6)
        assert result.kingdoms == pytest.approx(kingdoms)
        assert result.unexplored == pytest.approx(0, abs=1e-9)
        falling = pairwise(result.kingdoms.values())
        assert all(first >= second * (1 - 1e-12) for first, second in falling)
        with_several += len(kingdoms) > 3
    assert with_several >= 2


@pytest.mark.parametrize("limit", [1, 5, 20, 60])
def test_abandoned_search_bounds_the_rest(limit: int) -> None:
    rng = Random(limit)
    board = make_board(3, 3)
    for _ in range(2):
        deck = small_deck(rng)
        values = random_values(rng, 9, 3, [0, 1, 2, CASTLE_LABEL, EMPTY_LABEL])
        kingdoms = every_kingdom(values, board, 5, deck)
        constraints = Constraints([board], 5, deck_faces(deck_of(deck)))
        result = search(values, constraints, tolerance=0, min_mass=0, limit=limit)
        seen = sum(result.kingdoms.values())
        assert sum(kingdoms.values()) <= seen + result.unexplored + 1e-9
        best = sorted(kingdoms.values(), reverse=True)[: len(result.kingdoms)]
        assert sorted(result.kingdoms.values(), reverse=True) == pytest.approx(best)


def best_by_program(values: Values, board: Board, deck: DeckFaces) -> float:
    """The log-probability of the likeliest kingdom of a 5x5 grid, by an integer program."""
    with np.errstate(divide="ignore"):
        logs = np.log(values).tolist()
    # Every way to cover places: which places, by what, and the log-probability that it gains.
    gains: list[float] = []
    covers: list[tuple[int, ...]] = []
    faces: list[int] = []
    castles: list[bool] = []
    for place, row in enumerate(logs):
        for label in (CASTLE_LABEL, EMPTY_LABEL):
            gains.append(row[label])
            covers.append((place,))
            faces.append(-1)
            castles.append(label == CASTLE_LABEL)
        for beside in (at for at in board.neighbours[place] if at > place):
            for first, second in product(range(KINDS), repeat=2):
                gain = row[first] + logs[beside][second]
                if deck.face[first][second] >= 0 and gain > -14:
                    gains.append(gain)
                    covers.append((place, beside))
                    faces.append(deck.face[first][second])
                    castles.append(False)
    # A row per place (covered once), per face (as often as the deck has it), and for the castle.
    matrix = np.zeros((len(values) + len(deck.limits) + 1, len(gains)))
    for index, (members, number, castle) in enumerate(zip(covers, faces, castles, strict=True)):
        matrix[list(members), index] = 1
        if number >= 0:
            matrix[len(values) + number, index] = 1
        matrix[-1, index] = castle
    most = np.array([1] * len(values) + list(deck.limits) + [1])
    least = np.array([1] * len(values) + [0] * len(deck.limits) + [1])
    usable = np.array(gains) > -40
    # The program minimises, so gains are negative costs.
    result = milp(
        -np.array(gains)[usable],
        constraints=LinearConstraint(matrix[:, usable], least, most),
        integrality=np.ones(int(usable.sum())),
        bounds=Bounds(0, 1),
    )
    assert result.success
    return -float(result.fun)


def test_likeliest_kingdom_solves_the_integer_program() -> None:
    rng = Random(5)
    board, deck = make_board(5, 5), deck_faces()
    repaired = 0
    for _ in range(8):
        reading = noisy_reading(rng, random_kingdom(rng, 5, gaps=rng.randrange(2)), 0.35)
        with changed(CALIBRATION, floor=1e-4):
            values, seen = calibrate(reading, {})
        constraints = Constraints([board], 5, deck)
        result = search(values, constraints, tolerance=10, min_mass=0, limit=3000)
        best, probability = next(iter(result.kingdoms.items()))
        program = best_by_program(values, board, deck)
        assert math.log(probability) == pytest.approx(program, abs=1e-6)
        repaired += best != seen
    assert repaired >= 3
