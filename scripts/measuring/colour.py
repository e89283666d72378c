"""Measure how often the colours of castles are named, and how often wrongly.

    python -m scripts.measuring.colour [--limit]

Renders kingdoms with start tiles, castles and kings in four colours, and old start tiles without
one, under six lamps, half of them in artwork that trains nothing; then reads the labelled photos of
the data folder, and writes the table of docs/accuracy.md. `--limit` reads other scenes, and counts
for some probabilities what would come of telling a colour from there on: `ColourSettings.sure_from`
was chosen by it.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from unittest.mock import patch

import numpy as np
from msgspec import Struct
from rich.console import Console
from rich.table import Table

from kdvision.errors import KdvisionError
from kdvision.pipeline.scorer import Scorer
from kdvision.reading import Colour
from kdvision.result import KingdomResult
from kdvision.rules.kingdom import CASTLE, Kingdom
from kdvision.vision import colours
from kdvision.vision.colours import COLOUR, ColourSettings
from kdvision.vision.geometry import project
from scripts.data_split import data_folder, read_rows
from scripts.measuring.evaluation.markdown import fill, markdown
from scripts.measuring.evaluation.result_tables import table
from scripts.paths import ROOT
from scripts.synthesis.render import render
from scripts.training.colours import SHOWN, square_px

#: A castle shows where its square is at least so many pixels wide,
LEAST_PX = 24.0
#: and at least this share of it is not covered.
LEAST_VISIBLE = 0.5
#: Recipe, number and seed of the scenes that are reported.
REPORTED = ("colours-unseen", 1040, 9403)
#: The same of those that choose the limit.
CHOOSING = ("colours-limit", 900, 9404)
LIMITS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.98, 0.99)
#: What a castle was named: its colour,
RIGHT = "right"
#: another,
WRONG = "wrong"
#: or none.
OPEN = "open"
#: The castles that are to be named, and those that are not.
COLOURED = "rendered, with a colour"
PLAIN = "rendered, without a colour"
HIDDEN = "rendered, colour hidden"
#: Castles of wood or bricks stand on tiles of all colours; what is reported has none of them.
OTHER_MAKE = "rendered, under a castle of another make"


class Castle(Struct, frozen=True):
    """A castle that was found.

    Attributes:
        kinds: The groups that it counts in.
        colour: What it is; empty for none.
        named: The likeliest colour.
        share: Its probability.
    """

    kinds: tuple[str, ...]
    colour: str
    named: str
    share: float

    def answer(self, limit: float) -> str:
        """Return what it is named where colours are told from a probability on."""
        if self.share < limit:
            return OPEN
        return RIGHT if self.named == self.colour else WRONG


def main() -> None:
    """Render, read, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", action="store_true", help="choose the limit")
    choosing = parser.parse_args().limit
    scorer, data = Scorer(), data_folder()
    recipe, count, seed = CHOOSING if choosing else REPORTED
    folder = ROOT / "work" / recipe
    paths = render(folder, recipe, count, seed, data=data, measuring=True, workers=1)
    # The limits are applied here.
    with every_castle_named():
        castles = [castle for path in paths for castle in scene(path, scorer)]
        if not choosing:
            castles += photos(data, scorer)
    if choosing:
        print_limits(castles)
    else:
        kinds = count_kinds(castles)
        Console().print(kinds)
        fill(ROOT / "docs" / "accuracy.md", "colours", markdown([kinds]))


def every_castle_named() -> AbstractContextManager[object]:
    """Give every castle its likeliest colour, however unsure it is, while the context lasts."""
    return patch.object(colours, "COLOUR", ColourSettings(sure_from=0.0))


def print_limits(castles: list[Castle]) -> None:
    """Print how many castles are named rightly and wrongly from each limit on."""
    rows = []
    for limit in LIMITS:
        coloured = Counter(castle.answer(limit) for castle in castles if COLOURED in castle.kinds)
        wrong = []
        for kind in (PLAIN, HIDDEN, OTHER_MAKE):
            answers = Counter(castle.answer(limit) for castle in castles if kind in castle.kinds)
            wrong.append(f"{answers[WRONG]} of {answers.total()}")
        rows.append([limit, *(coloured[answer] for answer in (RIGHT, WRONG, OPEN)), *wrong])
    heads = ("limit", RIGHT, WRONG, OPEN, "none, wrong", "hidden, wrong", "other make, wrong")
    Console().print(table("Limits", heads, rows))


def count_kinds(castles: list[Castle]) -> Table:
    """Count how the castles of each kind are named."""
    counts = Counter(
        (kind, castle.answer(COLOUR.sure_from)) for castle in castles for kind in castle.kinds
    )
    rows = []
    for kind in dict.fromkeys(kind for kind, _ in sorted(counts)):
        row = [counts[kind, answer] for answer in (RIGHT, WRONG, OPEN)]
        rows.append([kind, *row, f"{1 - row[2] / sum(row):.1%}"])
    return table("Castles", ("castles", RIGHT, WRONG, OPEN, "named"), rows)


def scene(path: Path, scorer: Scorer) -> Iterator[Castle]:
    """Yield the castles of a scene that show and are found."""
    truth = json.loads(path.read_text())
    try:
        kingdoms = scorer.score(path.with_suffix(".jpg")).kingdoms
    except KdvisionError:
        return
    about = truth["about"]
    for kingdom in truth["kingdoms"]:
        ((row, col),) = Kingdom.parse(kingdom["line"]).castles()
        matrix, middle = np.array(kingdom["homography"]), np.array([[col + 0.5, row + 0.5]])
        px = square_px(matrix, (row, col))
        at = project(matrix, middle)[0]
        results = [result for result in kingdoms if _lies_at(result, at, px)]
        if px < LEAST_PX or kingdom["visible"][row + 1][col + 1] < LEAST_VISIBLE or not results:
            continue
        shown_by = "+".join(dict.fromkeys(kingdom["shown_by"]))
        if about["castles"] and "castle" not in kingdom["shown_by"]:
            kinds = [OTHER_MAKE]
        elif not shown_by:
            kinds = [PLAIN]
        elif kingdom["colour_px"] < SHOWN * px**2:
            kinds = [HIDDEN]
        else:
            kinds = [COLOURED, f"by {shown_by}", f"look: {about['look']}"]
            kinds.append(f"lamp: {about.get('lamp', 'any')}")
        yield _castle(results[0], kinds, kingdom["colour"] if shown_by else "")


def _lies_at(result: KingdomResult, point: np.ndarray, px: float) -> bool:
    """Return whether the castle of a kingdom lies within half a square of a pixel."""
    castles = [square.center for square in result.squares if square.text == str(CASTLE)]
    return any(centre and np.hypot(*(point - centre)) < px / 2 for centre in castles)


def _castle(result: KingdomResult, kinds: list[str], colour: str) -> Castle:
    return Castle(tuple(kinds), colour, str(result.colour or ""), result.colour_probability)


def photos(data: Path, scorer: Scorer) -> Iterator[Castle]:
    """Yield the castles of the labelled photos."""
    for row in read_rows(data / "photos.csv"):
        (kingdom, *_) = scorer.score(data / "photos" / row["file"]).kingdoms
        has_colour = row["castle"] in set(Colour)
        kind = "photos, with a colour" if has_colour else f"photos, {row['castle']}"
        yield _castle(kingdom, [kind], row["castle"] if has_colour else "")


if __name__ == "__main__":
    main()
