"""Render scenes of kingdoms with their truth into a folder.

    python -m scripts.synthesis.render OUT --count 4000 --seed 1 [--recipe training] [--workers 4]

Writes OUT/NNNNN.jpg and OUT/NNNNN.json; scenes that are there already are not made again.
"""

import argparse
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import cv2
import msgspec
import numpy as np

from scripts.data_split import data_folder
from scripts.synthesis.rendering.compose import TRAINING, Recipe, Sources, compose, kingdom_pool
from scripts.synthesis.rendering.recipe import KINDS
from scripts.synthesis.rendering.scene import Rendered

#: Views from 30 degrees above the table, in radians from the vertical.
LOWEST = 1.0472
TABLES = replace(
    TRAINING,
    counts=(0.25, 0.25, 0.15, 0.35),
    castles=0.5,
    slanted=0.6,
    tilt=1.0,
    longest=1280,
)
SEAMS = replace(
    TABLES,
    looks={
        "scan": 0.18,
        "flash": 0.18,
        "scan rejoined": 0.2,
        "flash rejoined": 0.2,
        "painted": 0.12,
        "painted recrowned": 0.12,
    },
    counts=(0.7, 0.2, 0.05, 0.05),
    castles=0.2,
    slanted=0.5,
    clutter=0.3,
    small=0.1,
    longest=1024,
    edges=0.9,
)
COLOURED = replace(
    TABLES,
    looks={"scan": 0.3, "flash": 0.3, "painted": 0.4},
    counts=(0.3, 0.25, 0.15, 0.3),
    castles=0.4,
    castle_kinds={**{kind: share * 0.3 / 0.66 for kind, share in KINDS.items()}, "box": 0.7},
    kings_on_castles=0.3,
    kings_on_tiles=0.2,
    plain=0.45,
    slanted=0.7,
    tilt=LOWEST,
    small=0.05,
    longest=768,
)
#: What lies around castles alone, in small pictures: many of them in little time. What is hard to
#: tell is there more often: castles and kings on old tiles, from low down.
CASTLES_ALONE = replace(
    COLOURED,
    most_dominoes=6,
    longest=320,
    small=0.0,
    counts=(0.85, 0.15, 0.0, 0.0),
    cups=0.0,
    castles=0.5,
    castle_kinds={**{kind: share * 0.1 / 0.66 for kind, share in KINDS.items()}, "box": 0.9},
    kings_on_castles=0.35,
    plain=0.6,
    slanted=0.85,
)
#: Seeds of painted decks: those that train, and those that calibrate.
TRAINING_DECKS, CALIBRATION_DECKS = (1000, 1024), (2000, 2010)
#: Kingdoms over which things are drawn later.
UNCOVERED = replace(
    TABLES,
    counts=(0.6, 0.2, 0.1, 0.1),
    castles=0.35,
    clutter=1.5,
    slanted=0.5,
    tilt=LOWEST,
    cloths=0.1,
    longest=768,
    painted_seeds=TRAINING_DECKS,
)
#: Many more painted decks, so that what few of them have in common is not learnt.
MORE_DECKS = (1000, 1096)
#: Painted decks that neither train nor calibrate.
UNSEEN_DECKS = (3000, 3008)
RECIPES: dict[str, Recipe] = {
    "training": replace(TRAINING, castles=0.35, painted_seeds=TRAINING_DECKS),
    "tables": replace(TABLES, painted_seeds=TRAINING_DECKS),
    "low": replace(
        TABLES,
        counts=(0.5, 0.2, 0.15, 0.15),
        castles=0.85,
        clutter=1.2,
        slanted=1.0,
        tilt=LOWEST,
        small=0.05,
        arms=0.15,
        painted_seeds=TRAINING_DECKS,
    ),
    "castles": replace(
        TABLES,
        looks={
            "scan recrowned": 0.3,
            "flash recrowned": 0.3,
            "painted recrowned": 0.2,
            "scan": 0.1,
            "flash": 0.1,
        },
        counts=(0.7, 0.2, 0.1, 0.0),
        castles=0.9,
        slanted=0.8,
        tilt=LOWEST,
        small=0.0,
        painted_seeds=TRAINING_DECKS,
    ),
    "printings": replace(
        TABLES,
        looks={
            "painted": 0.25,
            "painted recrowned": 0.25,
            "scan recrowned": 0.15,
            "flash recrowned": 0.15,
            "scan": 0.1,
            "flash": 0.1,
        },
        counts=(0.6, 0.2, 0.1, 0.1),
        castles=0.6,
        slanted=0.8,
        tilt=LOWEST,
        arms=0.1,
        painted_seeds=MORE_DECKS,
    ),
    "crowns": replace(
        TABLES,
        looks={"scan scattered": 0.4, "flash scattered": 0.35, "painted recrowned": 0.25},
        counts=(0.5, 0.25, 0.15, 0.1),
        castles=0.4,
        slanted=0.6,
        tilt=LOWEST,
        small=0.05,
        painted_seeds=MORE_DECKS,
    ),
    "calibration": replace(
        TABLES,
        looks={"painted": 0.5, "painted recrowned": 0.5},
        counts=(0.6, 0.2, 0.1, 0.1),
        arms=0.15,
        tilt=LOWEST,
        painted_seeds=CALIBRATION_DECKS,
    ),
    # Whose kingdom it is: start tiles, castles and kings of four colours, and old start tiles.
    "colours": replace(CASTLES_ALONE, painted_seeds=TRAINING_DECKS, reprinted=0.8),
    "colours-calibration": replace(
        CASTLES_ALONE, looks={"painted": 1.0}, painted_seeds=CALIBRATION_DECKS
    ),
    # On what the limit is chosen from which on a colour is told.
    "colours-limit": replace(COLOURED, looks={"painted": 1.0}, painted_seeds=CALIBRATION_DECKS),
    "colours-unseen": replace(
        COLOURED,
        looks={"halves": 0.5, "painted": 0.5},
        castle_kinds={"box": 1.0},
        six_lamps=True,
        painted_seeds=UNSEEN_DECKS,
    ),
    # What covers kingdoms is drawn over these, seen from above, where they train.
    "covers": UNCOVERED,
    # The same in the first turns, when one thing can take all that tells that it lies over tiles.
    "covers-first-turns": replace(UNCOVERED, most_dominoes=4),
    # Dominoes as they lie: edges as real tiles have them, pictures that go on within a domino.
    "seams": replace(SEAMS, painted_seeds=TRAINING_DECKS),
    "seams-calibration": replace(
        SEAMS, looks={"painted": 0.5, "painted recrowned": 0.5}, painted_seeds=CALIBRATION_DECKS
    ),
}
#: So many games are played for the kingdoms of a folder, fewer for a small one.
GAMES = 150
_sources: Sources | None = None


def main() -> None:
    """Parse, start the workers, count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--recipe", choices=RECIPES, default="training")
    parser.add_argument("--workers", type=int, default=4)
    options = parser.parse_args()
    work = options.out, options.recipe, options.count, options.seed
    render(*work, data=data_folder(), workers=options.workers)


def render(
    out: Path,
    recipe: str,
    count: int,
    seed: int,
    *,
    data: Path | None,
    measuring: bool = False,
    workers: int = 2,
) -> list[Path]:
    """Render scenes into a folder, and give the files of their truths.

    Args:
        out: The folder; scenes that are there already are not made again.
        recipe: One of `RECIPES`.
        count: How many scenes.
        seed: Of all random numbers, together with the number of the scene.
        data: The data folder; None takes painted decks and tables alone.
        measuring: Sources kept out of training instead of those that train.
        workers: Processes; 1 is this one.
    """
    out.mkdir(parents=True, exist_ok=True)
    truths = [out / f"{number:05}.json" for number in range(count)]
    jobs = [
        (truth.with_suffix(""), seed, number, recipe)
        for number, truth in enumerate(truths)
        if not truth.exists()
    ]
    kingdoms = out / "kingdoms.pickle"
    kingdom_pool(seed, min(GAMES, 4 + count), kingdoms)
    setup = (data, seed, measuring, kingdoms, RECIPES[recipe].most_dominoes)
    if workers == 1:
        _start(*setup)
        _count(map(_make, jobs), recipe, len(jobs))
        return truths
    # A fork of a process with threads of torch can hang.
    with ProcessPoolExecutor(workers, get_context("spawn"), _start, setup) as pool:
        _count(pool.map(_make, jobs, chunksize=4), recipe, len(jobs))
    return truths


def _count(made: Iterable[None], recipe: str, missing: int) -> None:
    for done, _ in enumerate(made, 1):
        if done % 100 == 0:
            print(f"{recipe}: {done} of {missing} scenes", flush=True)


def _start(data: Path | None, seed: int, measuring: bool, kingdoms: Path, most: int) -> None:
    global _sources
    cv2.setNumThreads(1)
    pool = [played.after(most) for played in kingdom_pool(seed, GAMES, kingdoms)]
    _sources = Sources(data, measuring, pool)


def _make(job: tuple[Path, int, int, str]) -> None:
    stem, seed, number, recipe = job
    assert _sources is not None
    rng = np.random.default_rng([seed, number])
    save(compose(rng, _sources, RECIPES[recipe]), stem)


def save(scene: Rendered, stem: Path) -> None:
    """Write the picture, then its truth."""
    cv2.imwrite(f"{stem}.jpg", scene.image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 93])
    truth = {"about": scene.about, "kingdoms": scene.kingdoms, "squares": scene.squares}
    data = msgspec.json.encode(truth, enc_hook=lambda values: values.tolist())
    Path(f"{stem}.json").write_bytes(data)


if __name__ == "__main__":
    main()
