import pytest

from kdvision.rules.errors import RulesError
from kdvision.rules.terrain import LABELS, SQUARE_KINDS, Square, Terrain


def test_rule_1_1_sixteen_kinds_of_square_exist() -> None:
    kinds = " ".join(str(kind) for kind in SQUARE_KINDS)
    assert kinds == "W W1 F F1 L L1 G G1 G2 S S1 S2 M M1 M2 M3"


def test_the_reader_says_a_kind_the_castle_or_nothing() -> None:
    labels = (*map(str, SQUARE_KINDS), "C", "-")
    assert labels == LABELS


@pytest.mark.parametrize("terrain", Terrain)
def test_a_letter_and_its_terrain(terrain: Terrain) -> None:
    assert terrain.letter == terrain.value[0].upper()
    assert Terrain.from_letter(terrain.letter) is terrain
    assert Terrain.from_letter(terrain.letter.lower()) is terrain


@pytest.mark.parametrize("letter", ["X", "C", "-", "", "WW"])
def test_no_terrain_has_this_letter(letter: str) -> None:
    with pytest.raises(RulesError):
        Terrain.from_letter(letter)


def test_a_square_without_crowns_is_written_without_a_digit() -> None:
    assert str(Square(Terrain.MINE, 3)) == "M3"
    assert str(Square(Terrain.MINE)) == "M"


@pytest.mark.parametrize("crowns", [-1, 10, 1.0, True, "1", None])
def test_crowns_that_no_tile_has_are_refused(crowns: int) -> None:
    with pytest.raises(ValueError, match="A square has 0 to 9 crowns, not"):
        Square(Terrain.WHEAT, crowns)


@pytest.mark.parametrize("terrain", ["wheat", "W", None, 1])
def test_what_is_no_terrain_is_refused(terrain: Terrain) -> None:
    with pytest.raises(ValueError, match="is no terrain"):
        Square(terrain)
