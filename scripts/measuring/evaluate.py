"""Measure the program on pictures that it was not trained on.

    python -m scripts.measuring.evaluate [--only photos stress ...] [--details]

Runs the installed package over whole photos, boards of groups that were kept out of training, a
stress set of damaged pictures, rendered tables of several kingdoms, with castles of a kind that
trains nothing and with pictures that say nothing of crowns, single squares of sources that were
kept out, and pictures that show no kingdom. The tables are printed and, when every set was run,
written into docs/accuracy.md; the figures of real photos also into README. A folder that
`make photos` fetched has photos, boards and pictures without a kingdom, and no single squares or
artwork to render with: these alone, and the samples, are measured on it.
"""

import argparse
import time
from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
from rich.console import Console
from rich.table import Table

from kdvision.rules.terrain import LABELS
from kdvision.vision.models import load_model
from kdvision.vision.squares.reader import classify
from scripts.data_split import crops, data_folder
from scripts.measuring.evaluation import result_tables
from scripts.measuring.evaluation.cases import Maker, held_boards, others, photos, samples
from scripts.measuring.evaluation.covers import covers
from scripts.measuring.evaluation.markdown import fill, markdown
from scripts.measuring.evaluation.scenes import rendered
from scripts.measuring.evaluation.scoring import Scored, score_all
from scripts.measuring.evaluation.stress import stress
from scripts.measuring.evaluation.things import things
from scripts.measuring.fetch_pictures import read_list
from scripts.paths import ROOT

#: Pictures of rendered tables, set by set.
RENDERED = {
    "tables": 1400,
    "boards on tables": 400,
    "cloths": 200,
    "unseen castles": 300,
    "counterfactual": 400,
    "touching": 60,
    "touching boards": 30,
}


SETS: dict[str, Callable[[], Iterable[Maker]]] = {
    "photos": photos,
    "boards": held_boards,
    "samples": samples,
    "not kingdoms": others,
    "covers": partial(covers, 300),
    "things on tiles": partial(things, 600),
    "the same without": partial(things, 600, laid=False),
    **{name: partial(rendered, name, count) for name, count in RENDERED.items()},
    "stress": stress,
}


#: What can be measured without single squares and artwork.
WITHOUT_ART = ("photos", "boards", "samples", "not kingdoms")


def main() -> None:
    """Parse, run the sets, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", choices=[*SETS, "squares"])
    parser.add_argument("--details", action="store_true", help="name what went wrong")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    options = parser.parse_args()
    console = Console(width=150)
    has_art = (data_folder() / "crops.csv").is_file()
    only = options.only or ([*SETS, "squares"] if has_art else WITHOUT_ART)
    sets = {}
    for name in only:
        if name != "squares":
            sets[name] = run(name, options.workers)
            console.print(result_tables.kingdoms_table({name: sets[name]}))
    pages = report(sets, squares="squares" in only)
    console.print(*pages)
    for name, scored in sets.items() if options.details else ():
        lines = "\n".join(result_tables.details(name, scored))
        console.print(lines, highlight=False, markup=False)
    if set(only) == {*SETS, "squares"}:
        fill(ROOT / "docs" / "accuracy.md", "accuracy", markdown(pages))
        fill(ROOT / "README.md", "figures", figures(sets["photos"]))


def run(name: str, workers: int) -> list[Scored]:
    """Score a set."""
    started = time.perf_counter()
    scored = list(score_all(SETS[name](), workers))
    print(f"{name}: {len(scored)} pictures, {time.perf_counter() - started:.0f} s", flush=True)
    return scored


def report(sets: dict[str, list[Scored]], *, squares: bool) -> list[Table]:
    """Return all tables."""
    tables = [result_tables.kingdoms_table(with_public(sets))] if sets else []
    if "stress" in sets:
        tables.append(result_tables.stress_table(sets["stress"]))
    if "tables" in sets:
        tables.append(result_tables.tags_table("Rendered tables", sets["tables"]))
    return [*tables, square_table()] if squares else tables


def with_public(sets: dict[str, list[Scored]]) -> dict[str, list[Scored]]:
    """Return sets with those of their pictures that anyone can fetch as sets of their own."""
    public = {picture.file for picture in read_list()}
    apart = {}
    for name, scored in sets.items():
        apart[name] = scored
        if name in ("photos", "boards"):
            apart[f"public {name}"] = [one for one in scored if f"{name}/{one.name}" in public]
    return apart


def figures(scored: list[Scored]) -> str:
    """Return what the real photos came to, and those of them that are public, in sentences."""
    real, exact, sure, silent = _counts(scored)
    wrong = f"{silent} of these are wrong" if silent else "gives no wrong total as sure"
    lie_in_public = with_public({"photos": scored})["public photos"]
    public, public_exact, public_sure, public_silent = _counts(lie_in_public)
    return (
        f"Of {real} real phone photos that it was never trained on it reads {exact} to the\n"
        f"last crown, calls {sure} sure, and {wrong}.\n"
        f"{public} of them lie in public, and `make photos eval` measures on these: {public_exact} "
        f"exact, {public_sure} sure,\n{public_silent or 'none'} of them wrong."
    )


def _counts(scored: list[Scored]) -> tuple[int, int, int, int]:
    """Return how many kingdoms there are, are read exactly, are sure, and are sure and wrong."""
    verdicts, real, _ = result_tables.whole(scored)
    exact = sum(verdict.exact for verdict in real)
    sure = sum(verdict.sure for verdict in real)
    return len(real), exact, sure, sum(verdict.silent for verdict in verdicts)


def square_table() -> Table:
    """Measure single squares of sources that were kept out of training."""
    from scripts.training.patch_data import crop_patch

    every = crops(data_folder(), measuring=True)
    rng = np.random.default_rng(0)
    patches = np.stack([crop_patch(crop, every, rng) for crop in every])
    shares = classify(patches, load_model("squares", threads=1)).probabilities
    labels = [LABELS[index] for index in shares.argmax(axis=1)]
    rows = []
    for kind in ("terrain and crowns", "castle", "background", "all"):
        mine = [index for index, crop in enumerate(every) if kind in ("all", _kind(crop.label))]
        right = sum(labels[index] == every[index].label for index in mine)
        rows.append([kind, len(mine), right, f"{right / max(len(mine), 1):.2%}"])
    title = "Single squares (crops of sources kept out of training)"
    return result_tables.table(title, ("kind", "squares", "right", "share"), rows)


def _kind(label: str) -> str:
    return {"C": "castle", "-": "background"}.get(label, "terrain and crowns")


if __name__ == "__main__":
    main()
