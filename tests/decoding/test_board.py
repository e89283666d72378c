"""Grids, the deck by labels, and pairing squares with neighbours."""

import pytest

from kdvision.decoding.board import ANY_KIND, ANY_LABEL, NO_KIND, board_of, face_table
from kdvision.decoding.exact_cover import matching
from kdvision.rules.dominoes import face_counts
from kdvision.rules.terrain import LABELS


def test_neighbours_share_an_edge() -> None:
    board = board_of(2, 3)
    assert [set(one) for one in board.neighbours] == [
        {1, 3},
        {0, 2, 4},
        {1, 5},
        {0, 4},
        {1, 3, 5},
        {2, 4},
    ]
    assert [set(one) for one in board.following] == [{1, 3}, {2, 4}, {5}, {4}, {5}, set()]


def test_labels_are_sixteen_kinds_and_two_more() -> None:
    assert ANY_LABEL.bit_count() == 18
    assert [label for index, label in enumerate(LABELS) if NO_KIND >> index & 1] == ["C", "-"]
    assert ANY_KIND & NO_KIND == 0


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [("W", "M3", 1), ("M3", "W", 1), ("W", "F1", 4), ("F", "F", 4), ("M3", "S", 0), ("F", "G2", 0)],
)
def test_the_deck_holds_a_face_so_often(one: str, other: str, count: int) -> None:
    table = face_table()
    number = table.face[LABELS.index(one)][LABELS.index(other)]
    assert (table.limits[number] if number >= 0 else 0) == count


@pytest.mark.parametrize(("kind", "count"), [("W", 21), ("F", 16), ("M", 1), ("M2", 3), ("M3", 1)])
def test_the_deck_holds_a_kind_so_often(kind: str, count: int) -> None:
    assert face_table().squares[LABELS.index(kind)] == count


def test_partners_of_the_mine_with_three_crowns() -> None:
    partners = face_table().partners[LABELS.index("M3")]
    assert [label for index, label in enumerate(LABELS) if partners >> index & 1] == ["W"]


def test_a_smaller_deck_has_fewer_faces() -> None:
    deck = {face: count for face, count in face_counts().items() if face[0] == face[1]}
    table = face_table(deck)
    assert sum(table.limits) == 12
    assert table.squares[LABELS.index("M3")] == 0


def _options(rows: str) -> dict[int, list[int]]:
    """Squares (`#`) of rows joined by `/`, with their neighbours."""
    lines = rows.split("/")
    board = board_of(len(lines), len(lines[0]))
    taken = {place for place, mark in enumerate("".join(lines)) if mark == "#"}
    return {
        place: [other for other in board.neighbours[place] if other in taken]
        for place in sorted(taken)
    }


@pytest.mark.parametrize("rows", ["##", "###/#.#/###", "##./.##", "####/####", "..##/.##./##.."])
def test_outlines_that_dominoes_cover(rows: str) -> None:
    options = _options(rows)
    partner, proofs = matching(options)
    assert not proofs
    assert all(partner[partner[place]] == place for place in options)
    assert all(partner[place] in options[place] for place in options)


@pytest.mark.parametrize(
    ("rows", "missing"), [("#", 1), ("###", 1), (".#./###/.#.", 3), ("##.#", 1), ("#.#", 2)]
)
def test_outlines_that_dominoes_do_not_cover(rows: str, missing: int) -> None:
    options = _options(rows)
    partner, proofs = matching(options)
    assert len(options) - len(partner) == missing == len(proofs)
    for deficient in proofs:
        around = {other for place in deficient for other in options[place]}
        assert len(around) < len(deficient)
        assert not around & deficient
