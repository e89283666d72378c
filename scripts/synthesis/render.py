"""Render scenes of kingdoms with their truth into a folder.

    python -m scripts.synthesis.render OUT --count 4000 [--recipe training]

Writes OUT/NNNNN.jpg and OUT/NNNNN.json; scenes that are there already are not made again.
"""

import argparse
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2
import msgspec
import numpy as np

from scripts.data_split import data_folder
from scripts.synthesis.rendering.compose import compose
from scripts.synthesis.rendering.recipe import Sources, kingdom_pool, read_recipes
from scripts.synthesis.rendering.scene import Rendered

RECIPES = read_recipes(Path(__file__).with_name("recipes.toml"))
#: So many games are played for the kingdoms of a folder, fewer for a small one.
GAMES = 150
_sources: Sources | None = None


def main() -> None:
    """Parse, start the workers, count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--recipe", choices=RECIPES, default="training")
    options = parser.parse_args()
    render(options.out, options.recipe, options.count, 1, data=data_folder())


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
    missing = [number for number, truth in enumerate(truths) if not truth.exists()]
    jobs = [(truths[number].with_suffix(""), seed, number, recipe) for number in missing]
    setup = (data, seed, measuring, min(GAMES, 4 + count), RECIPES[recipe].most_dominoes)
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


def _start(data: Path | None, seed: int, measuring: bool, games: int, most: int) -> None:
    global _sources
    cv2.setNumThreads(1)
    pool = [played.after(most) for played in kingdom_pool(seed, games)]
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
