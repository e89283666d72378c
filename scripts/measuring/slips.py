"""What is read of slips: fit what decides on rendered slips, and measure it on rendered tables.

    python -m scripts.measuring.slips fit [--count 600]
    python -m scripts.measuring.slips measure [--count 1000] [--workers 2] [--log slips.jsonl]

`fit` photographs single slips and prints the numbers of `kdvision.slips.reader.LIMITS`. `measure`
renders tables of one to four kingdoms with slips, from seeds of its own, and writes its tables into
a section of `docs/tournament.md`. What is in the log is not measured again.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import cv2
import msgspec
import numpy as np
from rich.console import Console
from rich.table import Table

from kdvision.errors import KdvisionError
from kdvision.photo.photo import open_photo
from kdvision.pipeline.scorer import Scorer
from kdvision.result import KingdomResult
from kdvision.rules.kingdom import Kingdom
from kdvision.slips import layout, reader
from kdvision.slips.ownership import Outline, assign
from kdvision.slips.slip import SlipCode
from scripts.data_split import data_folder
from scripts.measuring.evaluation import scenes
from scripts.measuring.evaluation.cases import TrueKingdom
from scripts.measuring.evaluation.damages import as_jpeg
from scripts.measuring.evaluation.markdown import markdown
from scripts.measuring.evaluation.scoring import matched
from scripts.paths import ROOT
from scripts.synthesis.rendering.compose import Recipe, Sources, compose, kingdom_pool
from scripts.synthesis.rendering.scene import Rendered, SlipTruth
from scripts.synthesis.slip_photos import slip_photo
from scripts.synthesis.slips import random_slip

#: Seeds; what is fitted on one is measured on the other.
FIT_SEED, MEASURE_SEED = 417, 90_417
#: Sides of codes in pixels, and angles above the table in degrees, that are fitted on.
_CODE_PX, _ABOVE = (60.0, 260.0), (30.0, 90.0)
#: Longer sides of rendered tables in pixels, with how often each is drawn.
_SIDES = {1400: 0.4, 2000: 0.35, 2800: 0.25}
_RECIPE = replace(
    scenes.RECIPES["tables"],
    looks={"halves": 0.5, "painted": 0.5},
    painted_seeds=(3000, 3008),
    counts=(0.25, 0.25, 0.25, 0.25),
    castles=0.2,
    slips=0.95,
    share=(0.6, 0.9, 1.05),
    tilt=scenes.LOWEST,
)
_GAMES = 30
#: One table in so many is scored without its slips as well.
_BARE_ONE_IN = 4
#: The section of the page that the tables are written into.
_PAGE = ROOT / "docs" / "tournament.md"
_BEGIN, _END = "<!-- slips: begin -->", "<!-- slips: end -->"


def main() -> None:
    """Parse, fit or measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["fit", "measure"])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--log", type=Path, default=Path("slips.jsonl"))
    options = parser.parse_args()
    if options.what == "fit":
        print(fit(options.count, options.workers))
        return
    photos = measured(options.count, options.workers, options.log)
    tables = tables_of(photos)
    console = Console(width=110)
    for table in tables:
        console.print(table)
    write_section(_PAGE, markdown("python -m scripts.measuring.slips measure", tables))


# Fit ----------------------------------------------------------------------------------------


def fit(count: int, workers: int) -> reader.Limits:
    """The limits by which the clean and the spoilt marks of rendered slips are told apart best."""
    with ProcessPoolExecutor(workers) as pool:
        found = [one for many in pool.map(_bubbles, range(count), chunksize=8) for one in many]
    beyond, marked = (np.array(column, float) for column in zip(*found, strict=True))
    middle, slope = 0.1, 50.0
    weight = np.where(marked > 0.5, (marked < 0.5).sum() / max((marked > 0.5).sum(), 1), 1.0)
    for _ in range(60):  # Newton's method on two numbers
        offset, chance = -middle * slope, 1 / (1 + np.exp(-slope * (beyond - middle)))
        step = weight * (marked - chance)
        bend = weight * chance * (1 - chance) + 1e-9
        hessian = np.array([[bend.sum(), (bend * beyond).sum()]] * 2)
        hessian[1] = [(bend * beyond).sum(), (bend * beyond**2).sum() + _RIDGE]
        gradient = np.array([step.sum(), (step * beyond).sum() - _RIDGE * slope])
        change = np.linalg.solve(hessian, gradient)
        offset, slope = offset + change[0], slope + change[1]
        middle = -offset / slope
    return msgspec.structs.replace(reader.LIMITS, middle=middle, slope=slope)
