"""Render scenes of kingdoms with their truth into a folder.

    python -m scripts.synthesis.render OUT --count 4000 [--recipe training]

Writes OUT/NNNNN.jpg and OUT/NNNNN.json; scenes that are there already are not made again.
"""

import argparse
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
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
    games, most = min(GAMES, 4 + count), RECIPES[recipe].most_dominoes
    sources = partial(_sources, data, measuring, seed, games, most)
    make = partial(_make, out, recipe, seed, sources)
    if workers == 1:
        _count(map(make, missing), recipe, len(missing))
        return truths
    # A fork of a process with threads of torch can hang.
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        _count(pool.map(make, missing, chunksize=4), recipe, len(missing))
    return truths


def _count(made: Iterable[None], recipe: str, missing: int) -> None:
    for done, _ in enumerate(made, 1):
        if done % 100 == 0:
            print(f"{recipe}: {done} of {missing} scenes", flush=True)


@lru_cache(maxsize=1)
def _sources(data: Path | None, measuring: bool, seed: int, games: int, most: int) -> Sources:
    """Return what this process makes scenes from."""
    cv2.setNumThreads(1)
    pool = [played.after(most) for played in kingdom_pool(seed, games)]
    return Sources(data, measuring, pool)


def _make(out: Path, recipe: str, seed: int, sources: Callable[[], Sources], number: int) -> None:
    rng = np.random.default_rng([seed, number])
    save(compose(rng, sources(), RECIPES[recipe]), out / f"{number:05}")


def save(scene: Rendered, stem: Path) -> None:
    """Write the picture, then its truth."""
    cv2.imwrite(f"{stem}.jpg", scene.image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 93])
    truth = {"about": scene.about, "kingdoms": scene.kingdoms, "squares": scene.squares}
    data = msgspec.json.encode(truth, enc_hook=lambda values: values.tolist())
    Path(f"{stem}.json").write_bytes(data)


if __name__ == "__main__":
    main()
