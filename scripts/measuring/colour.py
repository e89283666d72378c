"""Measure how often the colours of castles are named, and how often wrongly.

    python -m scripts.measuring.colour

Renders kingdoms with start tiles, castles and kings in four colours, and old start tiles without
one, half of them in artwork that trains nothing; then reads the labelled photos of the data folder.
"""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from kdvision.errors import KdvisionError
from kdvision.pipeline.scorer import Scorer
from kdvision.reading import Colour
from kdvision.result import KingdomResult
from kdvision.rules.kingdom import CASTLE, Kingdom
from kdvision.vision.geometry import local_axes, project
from scripts.data_split import data_folder
from scripts.paths import ROOT
from scripts.synthesis.render import render

#: A castle shows where its square is so many pixels wide, and so much of it is not covered.
LEAST_PX, LEAST_VISIBLE = 24.0, 0.5
SCENES = 700
#: What a castle was named: its colour, another, none.
RIGHT, WRONG, OPEN = "right", "wrong", "open"


def main() -> None:
    """Render, read, print."""
    scorer, data = Scorer(), data_folder()
    folder = ROOT / "work" / "colours-unseen"
    steps = render(folder, folder.name, SCENES, 9401, data=data, measuring=True, workers=1)
    for _ in steps:
        pass
    counts = Counter(
        named for path in sorted(folder.glob("*.json")) for named in scene(path, scorer)
    )
    counts += Counter(photos(data, scorer))
    table = Table("castles", RIGHT, WRONG, OPEN, "named")
    for kind in dict.fromkeys(kind for kind, _ in sorted(counts)):
        row = [counts[kind, answer] for answer in (RIGHT, WRONG, OPEN)]
        table.add_row(kind, *map(str, row), f"{1 - row[2] / sum(row):.1%}")
    Console().print(table)


def scene(path: Path, scorer: Scorer) -> Iterator[tuple[str, str]]:
    """What shows the colour of each castle of a scene that is found, and what it was named."""
    truth = json.loads(path.read_text())
    try:
        kingdoms = scorer.score(path.with_suffix(".jpg")).kingdoms
    except KdvisionError:
        return
    for kingdom in truth["kingdoms"]:
        ((row, col),) = Kingdom.parse(kingdom["line"]).castles()
        matrix, middle = np.array(kingdom["homography"]), np.array([[col + 0.5, row + 0.5]])
        px = abs(np.linalg.det(local_axes(matrix, middle)[0])) ** 0.5
        is_shown = px >= LEAST_PX and kingdom["visible"][row + 1][col + 1] >= LEAST_VISIBLE
        at = project(matrix, middle)[0]
        results = [result for result in kingdoms if _lies_at(result, at, px)]
        if is_shown and results:
            look = "own artwork" if truth["about"]["look"] == "painted" else "publisher's"
            colour = kingdom["colour"] if kingdom["shown_by"] else None
            shown_by = "+".join(dict.fromkeys(kingdom["shown_by"])) or "nothing"
            answer = _named(results[0], colour)
            yield f"{look}, by {shown_by}", answer
            yield f"all {'with' if colour else 'without'} a colour", answer


def _lies_at(result: KingdomResult, point: np.ndarray, px: float) -> bool:
    """Whether the castle of a kingdom lies within half a square of a pixel."""
    castles = [square.center for square in result.squares if square.text == str(CASTLE)]
    return any(center and np.hypot(*(point - center)) < px / 2 for center in castles)


def _named(result: KingdomResult, colour: str | None) -> str:
    if result.colour is None:
        return OPEN
    return RIGHT if result.colour == colour else WRONG


def photos(data: Path, scorer: Scorer) -> Iterator[tuple[str, str]]:
    """What the castles of the labelled photos were named."""
    with (data / "photos.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        (kingdom, *_) = scorer.score(data / "photos" / row["file"]).kingdoms
        answer = _named(kingdom, row["castle"])
        kind = "with a colour" if row["castle"] in set(Colour) else row["castle"]
        yield f"photos, {kind}", answer


if __name__ == "__main__":
    main()
