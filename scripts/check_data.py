"""Check a data folder against docs/data.md: what is there, what is missing, what is wrong.

    python -m scripts.check_data [FOLDER]

Prints a table of what was found and a line per mistake; ends with 1 where there are any.
"""

import argparse
import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from kdvision.rules.cover import cuttings, square_bits
from kdvision.rules.dominoes import deck
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.terrain import SQUARE_KINDS, Terrain
from scripts.data_split import HELD_OUT_ONE_IN, data_folder, held_out

#: The columns of every list, and what of each the scripts need.
COLUMNS = {
    "photos.csv": ("file", "kingdom"),
    "boards.csv": ("file", "group", "kingdom"),
    "crops.csv": ("file", "source", "terrain", "crowns"),
}
COLOURS = ("blue", "green", "pink", "yellow")
#: Terrains of crops that are no terrain.
OTHER = ("background", "castle")


@dataclass(frozen=True, slots=True)
class Found:
    """A kind of pictures: how many there are, and of how many groups that are never split."""

    kind: str
    pictures: int
    groups: int
    measuring: int


def main() -> None:
    """Parse, check, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", help="KDVISION_DATA where none is named")
    folder = parser.parse_args().folder or data_folder()
    table = Table(title=str(folder))
    for head in ("kind", "pictures", "groups", "pictures that only measure"):
        table.add_column(head, justify="left" if head == "kind" else "right")
    for found in inventory(folder):
        table.add_row(found.kind, *map(str, (found.pictures, found.groups, found.measuring)))
    console, wrong = Console(width=110), list(mistakes(folder))
    console.print(table)
    for line in wrong:
        console.print(line, highlight=False, markup=False)
    console.print(f"{len(wrong)} mistakes" if wrong else "as docs/data.md says")
    sys.exit(1 if wrong else 0)


def inventory(folder: Path) -> Iterator[Found]:
    """What lies in the folder, kind by kind."""
    photos, board_rows, crop_rows = (_rows(folder / name) for name in COLUMNS)
    yield Found("photos", len(photos), len({row.get("kingdom") for row in photos}), len(photos))
    others = len(list((folder / "not_kingdoms").glob("*")))
    yield Found("not_kingdoms", others, others, others)
    for kind, rows, key in (("board", board_rows, "group"), ("crop", crop_rows, "source")):
        names = [row.get(key) or "" for row in rows]
        held = sum(held_out(kind, name) for name in names)
        yield Found(f"{kind}s", len(rows), len(set(names)), held)
    for look in ("scan", "flash", "halves", "castle"):
        count = len(list((folder / "art" / look).glob("*.jpg")))
        yield Found(f"art/{look}", count, 1, count if look == "halves" else 0)


def mistakes(folder: Path) -> Iterator[str]:
    """Everything that the scripts would stumble over, a line each."""
    for name, columns in COLUMNS.items():
        path = folder / name
        if not path.is_file():
            yield f"{name} is missing"
            continue
        rows = _rows(path)
        lacking = [column for column in columns if rows and column not in rows[0]]
        if lacking:
            yield f"{name} has no column {', '.join(lacking)}"
            continue
        place = folder / name.removesuffix(".csv")
        for number, row in enumerate(rows, 2):
            for what in _row_mistakes(place, row):
                yield f"{name}, line {number}: {what}"
    yield from _art_mistakes(folder / "art")
    yield from _split_mistakes(folder)


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _row_mistakes(place: Path, row: dict[str, str]) -> Iterator[str]:
    """What is wrong with a line: the picture, the kingdom, the label."""
    if not (place / row["file"]).is_file():
        yield f"{row['file']} is missing"
    if "kingdom" in row:
        try:
            kingdom = Kingdom.parse(row["kingdom"])
        except ValueError as error:
            yield f"{row['file']}: {error}"
            return
        if len(kingdom.castles()) != 1:
            yield f"{row['file']}: a kingdom has one castle"
        elif next(cuttings(square_bits(kingdom)), None) is None:
            yield f"{row['file']}: the deck has no dominoes for this kingdom"
        return
    terrains = {terrain.value: terrain for terrain in Terrain}
    if row["terrain"] in OTHER:
        return
    known = {(one.terrain.value, str(one.crowns)) for one in SQUARE_KINDS}
    if row["terrain"] not in terrains or (row["terrain"], row["crowns"]) not in known:
        yield f"{row['file']}: no square of the deck is {row['terrain']} {row['crowns']}"


def _art_mistakes(art: Path) -> Iterator[str]:
    """Pictures of dominoes, start tiles and things that stand."""
    for look in ("scan", "flash"):
        names = [f"{domino.number:02}.jpg" for domino in deck()]
        names += [f"start_{colour}.jpg" for colour in COLOURS]
        missing = [name for name in names if not (art / look / name).is_file()]
        if missing:
            yield f"art/{look} lacks {', '.join(missing)}"
    for kind in SQUARE_KINDS:
        if not list((art / "halves").glob(f"{kind.terrain.value}_{kind.crowns}_*.jpg")):
            yield f"art/halves has no {kind.terrain.value} with {kind.crowns} crowns"
    for what in ("castle_front", "king_meeple", "start"):
        for colour in COLOURS:
            if not (art / "castle" / f"{what}_{colour}.jpg").is_file():
                yield f"art/castle lacks {what}_{colour}.jpg"


def _split_mistakes(folder: Path) -> Iterator[str]:
    """Whether there is something to train on and something to measure on."""
    for kind, name, key in (("board", "boards.csv", "group"), ("crop", "crops.csv", "source")):
        names = {row.get(key) or "" for row in _rows(folder / name)}
        held = sum(held_out(kind, one) for one in names)
        if names and held in (0, len(names)):
            yield (
                f"{name}: {held} of {len(names)} {key}s measure; "
                f"about one in {HELD_OUT_ONE_IN[kind]} should, so more {key}s are needed"
            )


if __name__ == "__main__":
    main()
