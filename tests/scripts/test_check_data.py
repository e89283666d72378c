"""The check of a data folder: nothing to say of a whole one, a line per mistake."""

from pathlib import Path

import pytest

from kdvision.rules.dominoes import deck
from kdvision.rules.terrain import SQUARE_KINDS
from scripts.check_data import COLOURS, COLUMNS, Found, inventory, mistakes

BOARD = "C W W"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two photos, and with boards and crops on both sides of the split."""
    lists = {
        "photos.csv": [("a.jpg", BOARD), ("b.jpg", "C F F")],
        "boards.csv": [(f"{name}.jpg", name, BOARD) for name in ("01", "02", "03", "04", "05")],
        "crops.csv": [(f"{n}.jpg", f"source{n}", "wheat", "1") for n in range(12)]
        + [("t.jpg", "source0", "background", ""), ("c.jpg", "source1", "castle", "")],
    }
    for name, rows in lists.items():
        place = tmp_path / name.removesuffix(".csv")
        place.mkdir()
        lines = [",".join(COLUMNS[name]), *(",".join(row) for row in rows)]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
        for row in rows:
            (place / row[0]).touch()
    art = {f"{look}/{domino.number:02}.jpg" for look in ("scan", "flash") for domino in deck()}
    art |= {f"{look}/start_{colour}.jpg" for look in ("scan", "flash") for colour in COLOURS}
    art |= {f"halves/{kind.terrain.value}_{kind.crowns}_01.jpg" for kind in SQUARE_KINDS}
    things = ("castle_front", "king_meeple", "start")
    art |= {f"castle/{what}_{colour}.jpg" for what in things for colour in COLOURS}
    for name in art:
        (tmp_path / "art" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "art" / name).touch()
    return tmp_path


def test_a_whole_folder_has_no_mistakes(folder: Path) -> None:
    assert list(mistakes(folder)) == []
    found = {one.kind: one for one in inventory(folder)}
    assert found["photos"] == Found("photos", 2, 2, 2)
    assert (found["crops"].pictures, found["crops"].groups) == (14, 12)
    assert 0 < found["crops"].measuring < 14


@pytest.mark.parametrize(
    ("name", "line", "said"),
    [
        ("photos.csv", "gone.jpg,C W W", "gone.jpg is missing"),
        ("photos.csv", "a.jpg,W W", "has one castle"),
        ("photos.csv", "a.jpg,C W", "no dominoes for this kingdom"),
        ("photos.csv", "a.jpg,C X1 W", "a.jpg: "),
        ("crops.csv", "1.jpg,source1,wheat,2", "no square of the deck is wheat 2"),
        ("crops.csv", "1.jpg,source1,desert,0", "no square of the deck is desert 0"),
    ],
)
def test_every_mistake_is_named_with_its_line(
    folder: Path, name: str, line: str, said: str
) -> None:
    path = folder / name
    path.write_text(path.read_text() + line + "\n")
    number = len(path.read_text().splitlines())
    (mistake,) = mistakes(folder)
    assert said in mistake
    assert f"{name}, line {number}: " in mistake


def test_what_is_missing_is_named(folder: Path) -> None:
    (folder / "boards.csv").unlink()
    (folder / "art" / "scan" / "07.jpg").unlink()
    (folder / "art" / "halves" / "mine_3_01.jpg").unlink()
    said = list(mistakes(folder))
    assert said == [
        "boards.csv is missing",
        "art/scan lacks 07.jpg",
        "art/halves has no mine with 3 crowns",
    ]


def test_a_list_without_a_column_is_named_once(folder: Path) -> None:
    (folder / "photos.csv").write_text("file\na.jpg\n")
    assert list(mistakes(folder)) == ["photos.csv has no column kingdom"]


def test_all_of_one_side_cannot_be_measured(folder: Path) -> None:
    (folder / "boards.csv").write_text("file,group,kingdom\n01.jpg,01,C W W\n")
    (mistake,) = mistakes(folder)
    assert "1 groups measure" in mistake
