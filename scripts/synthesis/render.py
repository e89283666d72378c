"""Render scenes of kingdoms with their truth into a folder.

    python -m scripts.synthesis.render OUT --count 4000 --seed 1 [--recipe training] [--workers 4]

Writes OUT/NNNNN.jpg and OUT/NNNNN.json; scenes that are there already are not made again.
"""

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from scripts.data_split import data_folder
from scripts.synthesis.rendering.compose import TRAINING, Recipe, Sources, compose, realm_pool
from scripts.synthesis.rendering.scene import Rendered

TABLES = replace(
    TRAINING,
    counts=(0.25, 0.25, 0.15, 0.35),
    castles=0.5,
    slanted=0.6,
    tilt=1.0,
    longest=1280,
)
RECIPES: dict[str, Recipe] = {
    "training": TRAINING,
    "real": replace(TRAINING, looks={"scan": 0.4, "flash": 0.35, "board": 0.25}),
    "tables": TABLES,
    "low": replace(
        TABLES, counts=(0.2, 0.3, 0.2, 0.3), castles=0.4, clutter=1.2, slanted=1.0, tilt=1.02
    ),
    "castles": replace(TABLES, castles=1.0, slanted=0.4),
    "single": replace(TRAINING, most=1),
    "styles": replace(TRAINING, looks={"painted": 1.0}, painted_seeds=(1000, 1080)),
    "painted": replace(TRAINING, looks={"painted": 1.0}, painted_seeds=(2000, 2004)),
    "unseen-look": replace(TRAINING, looks={"halves": 1.0}),
}
_sources: Sources | None = None


def main() -> None:
    """Parse, start the workers, count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--recipe", choices=RECIPES, default="training")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--measuring", action="store_true", help="sources kept out of training")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    jobs = [
        (options.out / f"{number:05}", options.seed, number, options.recipe)
        for number in range(options.count)
        if not (options.out / f"{number:05}.json").exists()
    ]
    setup = (options.seed, options.measuring, options.out / "realms.pickle")
    realm_pool(options.seed, 400, setup[2])
    with ProcessPoolExecutor(options.workers, initializer=_start, initargs=setup) as pool:
        for done, _ in enumerate(pool.map(_make, jobs, chunksize=8), 1):
            if done % 200 == 0:
                print(f"{done} of {len(jobs)} scenes", flush=True)


def _start(seed: int, measuring: bool, realms: Path) -> None:
    global _sources
    cv2.setNumThreads(1)
    _sources = Sources(data_folder(), measuring, realm_pool(seed, 400, realms))


def _make(job: tuple[Path, int, int, str]) -> None:
    stem, seed, number, recipe = job
    assert _sources is not None
    rng = np.random.default_rng([seed, number])
    save(compose(rng, _sources, RECIPES[recipe]), stem)


def save(scene: Rendered, stem: Path) -> None:
    """Write the picture, then its truth."""
    cv2.imwrite(f"{stem}.jpg", scene.image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 93])
    truth = {
        "about": scene.about,
        "kingdoms": [{"line": k.line, "homography": k.homography.tolist()} for k in scene.kingdoms],
        "squares": [
            {"corners": s.corners.round(2).tolist(), "label": s.label, "kingdom": s.kingdom}
            for s in scene.squares
        ],
    }
    Path(f"{stem}.json").write_text(json.dumps(truth))


if __name__ == "__main__":
    main()
