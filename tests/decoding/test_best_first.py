"""The search, held against trying everything, and against an integer program."""

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from kdvision.decoding.best_first import SearchResult, search
from kdvision.decoding.board import Board, FaceTable, board_of, face_table
from kdvision.decoding.calibration import CALIBRATION, calibrated
from kdvision.decoding.constraints import Constraints
from kdvision.decoding.exact_cover import CUTTING
from kdvision.rules.dominoes import Face, face
from kdvision.rules.terrain import CASTLE_LABEL, EMPTY_LABEL, KINDS, LABELS, SQUARE_KINDS
from tests.support.boards import deck_of, labels_of
from tests.support.readings import noisy_reading, random_kingdom
from tests.support.settings import changed

Table = list[list[float]]


def _random_table(rng: Random, count: int, choices: int, labels: list[int]) -> Table:
    """Probabilities of a few labels per place, the others 0."""
    table = []
    for _ in range(count):
        row = [0.0] * len(LABELS)
        for label in rng.sample(labels, choices):
            row[label] = rng.random() ** 3 + 0.01
        table.append([value / sum(row) for value in row])
    return table


def _every_kingdom(
    table: Table, board: Board, side: int, deck: Mapping[Face, int] | None
) -> Iterator[tuple[bytes, float]]:
    """All kingdoms with their probability, by trying all labels of all places."""
    choices = [[label for label, value in enumerate(row) if value > 0] for row in table]
    for labels in map(bytes, product(*choices)):
        taken = [place for place, label in enumerate(labels) if label != EMPTY_LABEL]
        if labels.count(CASTLE_LABEL) != 1:
            continue
        rows, cols = zip(*(divmod(place, board.width) for place in taken), strict=True)
        if max(max(rows) - min(rows), max(cols) - min(cols)) >= side:
            continue
        squares = frozenset(place for place, label in enumerate(labels) if label < KINDS)
        # Dominoes cover two squares each.
        if len(squares) % 2 == 0 and _covers(
            labels, squares, board, dict(deck) if deck is not None else None
        ):
            yield labels, math.prod(row[label] for row, label in zip(table, labels, strict=True))


def _covers(
    labels: bytes, squares: frozenset[int], board: Board, left: dict[Face, int] | None
) -> bool:
    if not squares:
        return True
    one = min(squares)
    for other in board.neighbours[one]:
        if other in squares:
            domino = face(SQUARE_KINDS[labels[one]], SQUARE_KINDS[labels[other]])
            if left is None or left.get(domino, 0):
                used = None if left is None else {**left, domino: left[domino] - 1}
                if _covers(labels, squares - {one, other}, board, used):
                    return True
    return False


def _small_deck(rng: Random) -> dict[Face, int]:
    """A deck in which faces are scarce."""
    kinds = SQUARE_KINDS[:4]
    faces = {face(one, other) for one in kinds for other in kinds}
    return {one: rng.randrange(1, 3) for one in sorted(faces) if rng.random() < 0.5}


@pytest.mark.parametrize(("height", "width", "side"), [(2, 3, 5), (3, 3, 5), (1, 7, 5), (2, 4, 3)])
@pytest.mark.parametrize("with_deck", [True, False])
def test_all_kingdoms_are_found_once_with_their_probability(
    height: int, width: int, side: int, with_deck: bool
) -> None:
    rng = Random(height * 10 + width)
    board = board_of(height, width)
    found_some = 0
    # A table of nine places has thousands of kingdoms.
    for _ in range(4 if height * width == 9 else 12):
        deck = _small_deck(rng) if with_deck else None
        labels = [0, 1, 2, 3, CASTLE_LABEL, EMPTY_LABEL]
        table = _random_table(rng, height * width, 3, labels)
        expected = dict(_every_kingdom(table, board, side, deck))
        constraints = Constraints(
            board, side, face_table(deck_of(deck)) if deck is not None else None
        )
        outcome = search(table, constraints, tolerance=0, min_found=0, limit=10**6)
        found = {one.labels: one.probability for one in outcome.candidates}
        assert len(found) == len(outcome.candidates)
        assert found.keys() == expected.keys()
        assert list(found.values()) == pytest.approx([expected[one] for one in found])
        assert all(one.probability >= two.probability for one, two in pairwise(outcome.candidates))
        assert outcome.complete
        assert outcome.unexplored == pytest.approx(0, abs=1e-9)
        found_some += len(found) > 3
    assert found_some >= 2


@pytest.mark.parametrize("limit", [1, 5, 20, 60])
def test_a_search_that_is_given_up_says_what_it_has_not_seen(limit: int) -> None:
    rng = Random(limit)
    board = board_of(3, 3)
    for _ in range(4):
        deck = _small_deck(rng)
        table = _random_table(rng, 9, 3, [0, 1, 2, CASTLE_LABEL, EMPTY_LABEL])
        expected = dict(_every_kingdom(table, board, 5, deck))
        constraints = Constraints(board, 5, face_table(deck_of(deck)))
        outcome = search(table, constraints, tolerance=0, min_found=0, limit=limit)
        found = {one.labels: one.probability for one in outcome.candidates}
        assert sum(expected.values()) <= sum(found.values()) + outcome.unexplored + 1e-9
        best = sorted(expected.values(), reverse=True)[: len(found)]
        assert sorted(found.values(), reverse=True) == pytest.approx(best)


def test_the_search_stops_when_the_rest_cannot_matter() -> None:
    rng = Random(4)
    board = board_of(3, 3)
    table = _random_table(rng, 9, 3, [0, 1, 2, 3, CASTLE_LABEL, EMPTY_LABEL])
    outcomes = [
        search(table, Constraints(board, 5, None), tolerance=tolerance, min_found=0, limit=10**6)
        for tolerance in (0.5, 0.1, 0.01, 0.0)
    ]
    for outcome, tolerance in zip(outcomes, (0.5, 0.1, 0.01), strict=False):
        assert outcome.complete
        assert outcome.unexplored <= tolerance * _found(outcome)
        assert outcome.candidates[0] == outcomes[-1].candidates[0]
    counts = [len(outcome.candidates) for outcome in outcomes]
    assert counts == sorted(set(counts))


def _found(outcome: SearchResult) -> float:
    return sum(one.probability for one in outcome.candidates)


def _program(table: Table, board: Board, deck: FaceTable) -> float:
    """The log-probability of the likeliest kingdom of a 5x5 grid, by an integer program."""
    logs = [[math.log(value) if value > 0 else -math.inf for value in row] for row in table]
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
        for other in board.following[place]:
            for one, two in product(range(KINDS), repeat=2):
                gain = row[one] + logs[other][two]
                if deck.face[one][two] >= 0 and gain > -14:
                    gains.append(gain)
                    covers.append((place, other))
                    faces.append(deck.face[one][two])
                    castles.append(False)
    count = len(gains)
    rows = len(table) + len(deck.limits) + 1
    matrix = np.zeros((rows, count))
    for index, (members, number, castle) in enumerate(zip(covers, faces, castles, strict=True)):
        matrix[list(members), index] = 1
        if number >= 0:
            matrix[len(table) + number, index] = 1
        matrix[-1, index] = castle
    most = np.array([1] * len(table) + list(deck.limits) + [1])
    least = np.array([1] * len(table) + [0] * len(deck.limits) + [1])
    usable = np.array(gains) > -40
    result = milp(
        -np.array(gains)[usable],
        constraints=LinearConstraint(matrix[:, usable], least, most),
        integrality=np.ones(int(usable.sum())),
        bounds=Bounds(0, 1),
    )
    assert result.success
    return -float(result.fun)


def test_the_likeliest_kingdom_is_that_of_an_integer_program() -> None:
    rng = Random(5)
    board, deck = board_of(5, 5), face_table()
    repaired = 0
    for _ in range(8):
        reading = noisy_reading(rng, random_kingdom(rng, 5, gaps=rng.randrange(2)), 0.35)
        with changed(CALIBRATION, floor=1e-4):
            table, seen = calibrated(reading, {})
        outcome = search(table, Constraints(board, 5, deck), tolerance=10, min_found=0, limit=3000)
        best = outcome.candidates[0]
        assert math.log(best.probability) == pytest.approx(_program(table, board, deck), abs=1e-6)
        repaired += best.labels != seen
    assert repaired >= 3


def test_what_can_be_cut_is_the_answer_at_once() -> None:
    rng = Random(6)
    for side in (5, 7):
        kingdom = random_kingdom(rng, side)
        table, seen = calibrated(noisy_reading(rng, kingdom, 0.0), {})
        constraints = Constraints(board_of(side, side), side, face_table())
        outcome = search(table, constraints, tolerance=1, min_found=0, limit=1)
        assert outcome.complete
        assert [one.labels for one in outcome.candidates] == [seen] == [labels_of(kingdom)]


def test_what_is_not_decided_counts_as_unexplored() -> None:
    """When cutting is given up, a kingdom is neither taken nor ruled out."""
    rng = Random(10)
    table, _ = calibrated(noisy_reading(rng, random_kingdom(rng, 5), 0.0), {})
    constraints = Constraints(board_of(5, 5), 5, face_table())
    with changed(CUTTING, max_cutting_steps=0):
        outcome = search(table, constraints, tolerance=0.1, min_found=0, limit=20)
    assert not outcome.complete
    assert outcome.candidates == ()
    assert outcome.unexplored > 0.9
