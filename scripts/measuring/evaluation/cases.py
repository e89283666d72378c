"""Pictures with the kingdoms that are truly in them: photos, boards, samples, other pictures.

A set is a list of makers: calling one gives its `Case`. Makers are small, so that they can be sent
to other processes, and costly pictures are made only where they are scored.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct

from scripts.data_split import boards, data_folder, read_rows
from scripts.paths import SAMPLES


class TrueKingdom(Struct, frozen=True):
    """A kingdom that a picture shows.

    Attributes:
        line: Its kingdom line.
        castle: Where its castle lies, in pixels (x, y); None where nobody measured it.
        square_px: Side of a square in pixels; 0 where nobody measured it.
        cut: Whether the border of the picture cuts it off, so that it must not come out sure.
        hidden: Places (row, col) of the line, or beside it, of which too little can be seen.
    """

    line: str
    castle: tuple[float, float] | None = None
    square_px: float = 0.0
    cut: bool = False
    hidden: frozenset[tuple[int, int]] = frozenset()


class Case(Struct, frozen=True):
    """A picture and all kingdoms in it.

    Attributes:
        name: What the details call it.
        source: A path, or the bytes of a file.
        kingdoms: What is truly there.
        tags: What the case is counted under (`angle`, `square`, `castle`, ...).
    """

    name: str
    source: Path | bytes
    kingdoms: tuple[TrueKingdom, ...]
    tags: Mapping[str, str] = {}


Maker = Callable[[], Case]

#: Places (row, col) of which a standing castle hides most, as the notes on the photos say.
HIDDEN = dict.fromkeys(("low_angle_1.jpg", "low_angle_2.jpg"), frozenset({(1, 2)}))


def photos() -> list[Maker]:
    """Return whole photos of real kingdoms."""
    return [partial(_case, path, [line]) for path, line in photo_lines()]


def photo_lines() -> list[tuple[Path, str]]:
    """Return every photo with its kingdom line."""
    data = data_folder()
    rows = read_rows(data / "photos.csv")
    return [(data / "photos" / row["file"], row["kingdom"]) for row in rows]


def held_boards() -> list[Maker]:
    """Return rectified boards of groups that were kept out of training."""
    held = boards(data_folder(), measuring=True)
    return [partial(_case, board.path, [board.line]) for board in held]


def samples() -> list[Maker]:
    """Return our own rendered photos, with none, one or several kingdoms each."""
    return [partial(_case, SAMPLES / name, lines) for name, lines in sample_lines().items()]


def sample_lines() -> dict[str, list[str]]:
    """Return the kingdom lines of every sample by its file: none, one or several."""
    lines: dict[str, list[str]] = {}
    for row in read_rows(SAMPLES / "truth.csv"):
        mine = lines.setdefault(row["file"], [])
        if row["kingdom"]:
            mine.append(row["kingdom"])
    return lines


def others() -> list[Maker]:
    """Return pictures of the game without a kingdom of ours."""
    paths = sorted((data_folder() / "not_kingdoms").glob("*"))
    return [partial(_case, path, []) for path in paths]


def _case(path: Path, lines: Sequence[str]) -> Case:
    hidden = HIDDEN.get(path.name, frozenset())
    kingdoms = tuple(TrueKingdom(line, hidden=hidden) for line in lines)
    return Case(path.name, path, kingdoms)
