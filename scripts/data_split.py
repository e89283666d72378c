"""The data folder: what trains and what only measures. One split, used by every script.

Boards are split by group (one group is one kingdom), crops by source (one source is one photo).
`photos` and `not_kingdoms` never train.
"""

import csv
import hashlib
import os
from pathlib import Path

from msgspec import Struct

from scripts.paths import PUBLIC_PICTURES, ROOT

#: One board group in so many, and one crop source in so many, are kept out of training.
HELD_OUT_ONE_IN = {"board": 3, "crop": 5}


def data_folder() -> Path:
    """Return the folder of real pictures.

    It is `KDVISION_DATA`; else `../shared/data` beside the repository; else what `make photos`
    fetched.

    Raises:
        FileNotFoundError: It is not there.
    """
    named = os.environ.get("KDVISION_DATA")
    folders = [Path(named)] if named else [ROOT.parent / "shared" / "data", PUBLIC_PICTURES]
    for folder in folders:
        if (folder / "boards.csv").is_file():
            return folder
    raise FileNotFoundError(
        f"No real pictures in {folders[-1]}. Fetch those that are public with make photos, or set "
        "KDVISION_DATA to the folder that holds boards.csv."
    )


def held_out(kind: str, name: str) -> bool:
    """Return whether a group or a source measures instead of training; by hash, so it never moves.

    Args:
        kind: `board` or `crop`.
        name: The group or the source.
    """
    digest = hashlib.sha256(f"kdvision {kind} {name}".encode()).digest()
    return digest[0] % HELD_OUT_ONE_IN[kind] == 0


class Board(Struct, frozen=True):
    """A rectified board picture and its kingdom line."""

    path: Path
    group: str
    line: str


class Crop(Struct, frozen=True):
    """A single square cut from a photo; `label` as in `LABELS`."""

    path: Path
    source: str
    label: str


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the lines of a CSV file by their headings."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def boards(data: Path, *, measuring: bool) -> list[Board]:
    """Return the boards that measure, or those that train."""
    rows = read_rows(data / "boards.csv")
    every = [Board(data / "boards" / row["file"], row["group"], row["kingdom"]) for row in rows]
    return [board for board in every if held_out("board", board.group) == measuring]


def crops(data: Path, *, measuring: bool) -> list[Crop]:
    """Return the crops that measure, or those that train."""
    rows = read_rows(data / "crops.csv")
    every = [Crop(data / "crops" / row["file"], row["source"], _label(row)) for row in rows]
    return [crop for crop in every if held_out("crop", crop.source) == measuring]


def _label(row: dict[str, str]) -> str:
    terrain, crowns = row["terrain"], row["crowns"]
    if terrain == "background":
        return "-"
    if terrain == "castle":
        return "C"
    return terrain[0].upper() + (crowns if crowns not in ("", "0") else "")
