import pytest
from hypothesis import given

from kdvision.rules.cover import cuttings, square_bits
from kdvision.rules.kingdom import CASTLE, Kingdom, Position
from kdvision.rules.terrain import Square, Terrain
from tests.support.cuttings import count_cuttings
from tests.support.played import any_kingdoms, games


def full(size: int, castle: Position) -> Kingdom:
    """A full kingdom of nothing but wheat: the deck could not fill it."""
    wheat = Square(Terrain.WHEAT)
    return Kingdom(((wheat,) * size,) * size).with_cell(castle, CASTLE)


@pytest.mark.parametrize(
    ("size", "castle", "expected"),
    [
        (5, (2, 2), 196),
        (5, (0, 0), 192),
        (5, (4, 0), 192),
        (5, (0, 2), 192),
        (5, (2, 4), 192),
        (5, (1, 1), 112),
        (5, (3, 1), 112),
        (5, (0, 1), 0),
        (5, (2, 3), 0),
        (7, (3, 3), 75_272),
        (7, (0, 0), 100_352),
    ],
)
def test_rule_6_cuttings_of_a_full_kingdom(size: int, castle: Position, expected: int) -> None:
    assert count_cuttings(full(size, castle)) == expected


@pytest.mark.parametrize(
    ("line", "free", "of_deck"),
    [
        ("C", 1, 1),
        ("C W", 0, 0),
        ("C W W", 1, 1),
        ("C W M2", 1, 1),
        ("C F M2", 1, 0),
        ("C W W/- W W", 2, 2),
        ("C W W/- W W/- W W", 3, 0),  # The deck has two dominoes of wheat alone.
        ("W M3/W M3", 2, 0),
        ("W4 W", 1, 0),
        ("W W/C -/W W", 1, 1),
    ],
)
def test_cuttings_of_small_kingdoms(line: str, free: int, of_deck: int) -> None:
    assert count_cuttings(Kingdom.parse(line)) == free
    assert count_cuttings(Kingdom.parse(line), of_deck=True) == of_deck


def test_played_kingdoms_have_as_many_cuttings_as_the_search_finds() -> None:
    for played in (played for game in games() for played in game.kingdoms):
        kingdom = played.kingdom
        found = list(cuttings(square_bits(kingdom)))
        assert len(found) == len({frozenset(cutting) for cutting in found})
        assert count_cuttings(kingdom, of_deck=True) == len(found) >= 1
        assert count_cuttings(kingdom) >= len(found)


@given(any_kingdoms(4))
def test_any_kingdom_has_as_many_cuttings_as_the_search_finds(kingdom: Kingdom) -> None:
    expected = count_cuttings(kingdom, of_deck=True)
    assert sum(1 for _ in cuttings(square_bits(kingdom))) == expected
