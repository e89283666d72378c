import pytest

from kdvision.rules.dominoes import deck, face, face_counts, square_counts
from kdvision.rules.kingdom import parse_cell
from kdvision.rules.terrain import SQUARE_KINDS, Square, Terrain


@pytest.mark.parametrize(
    ("terrain", "squares", "crowns", "by_crowns"),
    [
        ("wheat", 26, 5, (21, 5, 0, 0)),
        ("forest", 22, 6, (16, 6, 0, 0)),
        ("lake", 18, 6, (12, 6, 0, 0)),
        ("grassland", 14, 6, (10, 2, 2, 0)),
        ("swamp", 10, 6, (6, 2, 2, 0)),
        ("mine", 6, 10, (1, 1, 3, 1)),
    ],
)
def test_rule_1_counts_of_a_terrain(
    terrain: str, squares: int, crowns: int, by_crowns: tuple[int, ...]
) -> None:
    counts = tuple(square_counts().get(Square(Terrain(terrain), n), 0) for n in range(4))
    assert counts == by_crowns
    assert sum(counts) == squares
    assert sum(n * count for n, count in enumerate(counts)) == crowns


def test_rule_1_totals_of_the_deck() -> None:
    squares = [square for domino in deck() for square in (domino.left, domino.right)]
    assert [domino.number for domino in deck()] == list(range(1, 49))
    assert len(squares) == 96
    assert sum(square.crowns for square in squares) == 39
    assert [sum(square.crowns == n for square in squares) for n in range(4)] == [66, 22, 7, 1]


def test_rule_1_1_the_deck_has_each_of_the_sixteen_kinds() -> None:
    assert set(square_counts()) == set(SQUARE_KINDS)


@pytest.mark.parametrize(
    ("crowns", "first", "last"), [(0, 1, 18), (1, 19, 40), (2, 41, 47), (3, 48, 48)]
)
def test_rule_1_2_higher_numbers_have_more_crowns(crowns: int, first: int, last: int) -> None:
    for domino in deck()[first - 1 : last]:
        assert sorted((domino.left.crowns, domino.right.crowns)) == [0, crowns]


def test_rule_1_2_doubles_are_the_first_twelve() -> None:
    assert [one.number for one in deck() if one.left == one.right] == list(range(1, 13))


def test_rule_1_3_thirty_three_faces() -> None:
    assert len(face_counts()) == 33
    assert sum(face_counts().values()) == 48


def test_rule_1_3_alike_dominoes() -> None:
    by_face: dict[object, set[int]] = {}
    for domino in deck():
        by_face.setdefault(domino.face, set()).add(domino.number)
    alike = {1, 2}, {3, 4, 5, 6}, {7, 8, 9}, {10, 11}, {24, 25, 26, 27}, {30, 31}
    more = {32, 33, 34, 35}, {46, 47}
    assert [group for group in by_face.values() if len(group) > 1] == [*alike, *more]


@pytest.mark.parametrize(
    ("number", "left", "right"),
    [(1, "W", "W"), (18, "F", "G"), (23, "W1", "M"), (39, "G", "S1"), (48, "W", "M3")],
)
def test_what_some_dominoes_show(number: int, left: str, right: str) -> None:
    domino = deck()[number - 1]
    assert (str(domino.left), str(domino.right)) == (left, right)


def test_a_face_has_no_order() -> None:
    wheat, mine = parse_cell("W"), parse_cell("M3")
    assert isinstance(wheat, Square) and isinstance(mine, Square)
    assert face(wheat, mine) == face(mine, wheat) == deck()[47].face
