"""Grids and the deck by labels, and pairing squares with neighbours."""

import pytest

from kdvision.decoding.board import (
    board_of,
    deck_faces,
    side_by_side,
)
from kdvision.rules.cover import matching
from kdvision.rules.terrain import LABELS


def test_neighbours_share_an_edge_of_one_grid() -> None:
    around = [{1, 3}, {0, 2, 4}, {1, 5}, {0, 4}, {1, 3, 5}, {2, 4}]
    assert list(map(set, board_of(2, 3).neighbours)) == around
    parts, neighbours = side_by_side([board_of(1, 2), board_of(2, 1)])
    assert (parts, neighbours) == ([slice(0, 2), slice(2, 4)], ((1,), (0,), (3,), (2,)))


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [("W", "M3", 1), ("M3", "W", 1), ("W", "F1", 4), ("F", "F", 4), ("M3", "S", 0), ("F", "G2", 0)],
)
def test_the_deck_holds_a_face_so_often(first: str, second: str, count: int) -> None:
    faces = deck_faces()
    number = faces.face[LABELS.index(first)][LABELS.index(second)]
    assert (faces.limits[number] if number >= 0 else 0) == count


@pytest.mark.parametrize(("kind", "count"), [("W", 21), ("F", 16), ("M", 1), ("M2", 3), ("M3", 1)])
def test_the_deck_holds_a_kind_so_often(kind: str, count: int) -> None:
    assert deck_faces().squares[LABELS.index(kind)] == count


def squares_of(rows: str) -> dict[int, list[int]]:
    """Squares (`#`) of rows joined by `/`, with their neighbours."""
    lines = rows.split("/")
    board = board_of(len(lines), len(lines[0]))
    taken = {place for place, mark in enumerate("".join(lines)) if mark == "#"}
    return {
        place: [beside for beside in board.neighbours[place] if beside in taken]
        for place in sorted(taken)
    }


@pytest.mark.parametrize("rows", ["##", "###/#.#/###", "##./.##", "####/####", "..##/.##./##.."])
def test_outlines_that_dominoes_cover(rows: str) -> None:
    options = squares_of(rows)
    partner, proofs = matching(options)
    assert not proofs
    assert all(partner[partner[place]] == place for place in options)
    assert all(partner[place] in options[place] for place in options)


@pytest.mark.parametrize(
    ("rows", "missing"), [("#", 1), ("###", 1), (".#./###/.#.", 3), ("##.#", 1), ("#.#", 2)]
)
def test_outlines_that_dominoes_do_not_cover(rows: str, missing: int) -> None:
    options = squares_of(rows)
    partner, proofs = matching(options)
    assert len(options) - len(partner) == missing == len(proofs)
    for deficient in proofs:
        around = {beside for place in deficient for beside in options[place]}
        assert len(around) < len(deficient)
        assert not around & deficient
