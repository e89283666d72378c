import pytest

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
    with pytest.raises(KeyError):
        Terrain.from_letter(letter)


def test_a_square_without_crowns_is_written_without_a_digit() -> None:
    assert str(Square(Terrain.MINE, 3)) == "M3"
    assert str(Square(Terrain.MINE)) == "M"
