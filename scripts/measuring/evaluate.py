"""Measure the program on pictures that it was not trained on.

    python -m scripts.measuring.evaluate [--only photos stress ...] [--details]

Runs the installed package over whole photos, boards of groups that were kept out of training, a
stress set of damaged pictures, rendered tables of several kingdoms, with castles of a kind that
trains nothing and with pictures that say nothing of crowns, single squares of sources that were
kept out, and pictures that show no kingdom. The tables are printed and, when every set was run,
written into docs/accuracy.md; the figures of real photos also into README.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from rich.console import Console
from rich.table import Table

from kdvision.pipeline.scorer import Scorer
from kdvision.rules.terrain import LABELS
from kdvision.vision.squares.reader import classify
from scripts.data_split import crops, data_folder
from scripts.measuring.evaluation import result_tables
from scripts.measuring.evaluation.cases import Maker, held_boards, others, photos, samples
from scripts.measuring.evaluation.covers import covers
from scripts.measuring.evaluation.markdown import fill, markdown
from scripts.measuring.evaluation.scenes import rendered
from scripts.measuring.evaluation.scoring import Scored, score_all
from scripts.measuring.evaluation.stress import stress
from scripts.measuring.evaluation.things import things, without_things
from scripts.paths import ROOT

#: Pictures of rendered tables, set by set.
RENDERED = {
    "tables": 1400,
    "boards on tables": 400,
    "cloths": 200,
    "unseen castles": 300,
    "counterfactual": 400,
}


SETS: dict[str, Callable[[], list[Maker]]] = {
    "photos": photos,
    "boards": held_boards,
    "samples": samples,
    "not kingdoms": others,
    "covers": partial(covers, 300),
    "things on tiles": partial(things, 600),
    "the same without": partial(without_things, 600),
    **{name: partial(rendered, name, count) for name, count in RENDERED.items()},
    "stress": stress,
}


def main() -> None:
    """Parse, run the sets, print and write."""
    options = _options()
    console = Console(width=150)
    sets = {}
    for name in options.only:
        if name != "squares":
            sets[name] = run(name, options.workers)
            console.print(result_tables.kingdoms_table({name: sets[name]}))
    pages = report(sets, squares="squares" in options.only)
    for table in pages:
        console.print(table)
    if options.details:
        for name, scored in sets.items():
            lines = "\n".join(result_tables.details(name, scored))
            console.print(lines, highlight=False, markup=False)
    if set(options.only) == {*SETS, "squares"}:
        fill(ROOT / "docs" / "accuracy.md", "accuracy", markdown(pages))
        fill(ROOT / "README.md", "figures", figures(sets["photos"]))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = [*SETS, "squares"]
    parser.add_argument("--only", nargs="*", choices=names, default=names)
    parser.add_argument("--details", action="store_true", help="name what went wrong")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    return parser.parse_args()


def run(name: str, workers: int) -> list[Scored]:
    """Score a set."""
    started = time.perf_counter()
    scored = list(score_all(SETS[name](), workers))
    print(f"{name}: {len(scored)} pictures, {time.perf_counter() - started:.0f} s", flush=True)
    return scored


def report(sets: dict[str, list[Scored]], *, squares: bool) -> list[Table]:
    """All tables."""
    tables = [result_tables.kingdoms_table(sets)] if sets else []
    if "stress" in sets:
        tables.append(result_tables.stress_table(sets["stress"]))
    if "tables" in sets:
        tables.append(result_tables.tags_table("Rendered tables", sets["tables"]))
    return [*tables, square_table()] if squares else tables


def figures(scored: list[Scored]) -> str:
    """What the real photos came to, in a sentence."""
    verdicts, real, _ = result_tables.whole(scored)
    exact, sure = (sum(getattr(one, key) for one in real) for key in ("exact", "sure"))
    silent = sum(verdict.silent for verdict in verdicts)
    wrong = f"{silent} of these are wrong" if silent else "gives no wrong total as sure"
    return (
        f"Of {len(real)} real phone photos that it was never trained on it reads {exact} to the\n"
        f"last crown, calls {sure} sure, and {wrong}."
    )


def square_table() -> Table:
    """Single squares of sources that were kept out of training."""
    from scripts.training.patch_data import crop_patch

    every = crops(data_folder(), measuring=True)
    rng = np.random.default_rng(0)
    patches = np.stack([crop_patch(crop, every, rng) for crop in every])
    shares = classify(patches, Scorer(threads=1).squares_session).probabilities
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
