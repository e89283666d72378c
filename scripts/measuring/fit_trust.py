"""Fit how far totals can be trusted, and choose where `sure` begins; writes models/trust.json.

    python -m scripts.measuring.fit_trust WORK [--scenes 3600] [--workers N] [--write]

Renders scenes into WORK, if they are not there yet, reads them as they are, damaged, covered in
part and cut close to a kingdom, and the boards that train, with the models in use, and fits one
monotone model to what came out right.

Sure begins where at most one total in 200 is wrong with 95 % confidence, judged on scenes that
the fit did not see. Scenes that are covered on purpose tell what a cover costs; they are far
oftener covered than photos are, so they do not choose where sure begins.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kdvision.pipeline.trust import Curve, Trust
from kdvision.vision.models import model_folder
from scripts.data_split import data_folder
from scripts.measuring.evaluation.markdown import fill
from scripts.measuring.fitting.trust_fit import (
    Array,
    cross_predicted,
    fit,
    threshold,
    upper_bound,
)
from scripts.measuring.fitting.trust_scenes import EXTRA, judged_scenes
from scripts.synthesis.render import render
from scripts.training.manifest import enter_trust

#: Recipe, seed and share of the scenes: seeds that neither train nor measure.
SETS = (("tables", 7001, 0.6), ("low", 7002, 0.24), ("castles", 7003, 0.16))
#: Sure totals may be wrong no more often.
MOST_WRONG = 5e-3


def main() -> None:
    """Render, read, fit, show, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--scenes", type=int, default=3600)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="models/trust.json and its card")
    options = parser.parse_args()
    judged = judged_scenes(scenes(options), options.workers)
    probability = cross_predicted(judged)
    right = np.array([one.right for one in judged])
    usual = np.array([one.kind not in EXTRA for one in judged])
    sure_from = threshold(probability[usual], right[usual], MOST_WRONG)
    if sure_from == 1:
        raise SystemExit(
            f"{len(judged)} totals are too few to tell with 95 % confidence where at most one in "
            "200 is wrong: give more --scenes."
        )
    posterior, costs = fit(judged)
    trust = Trust(posterior, costs, round(sure_from, 6))
    whole = sum(one.kind == "none" for one in judged)
    text = summary(probability, right, usual, trust.sure_from, whole)
    print(text)
    if options.write:
        path = model_folder() / "trust.json"
        path.write_text(json.dumps(trust_data(trust), indent=1) + "\n")
        enter_trust(path)
        fill(path.with_name("README.md"), "trust", text)


def scenes(options: argparse.Namespace) -> list[Path]:
    """The descriptions of the scenes, rendered where they are missing."""
    found = []
    for recipe, seed, share in SETS:
        folder, count = options.work / recipe, round(options.scenes * share)
        for _ in render(folder, recipe, count, seed, data=data_folder(), workers=options.workers):
            pass
        found += [folder / f"{number:05}.json" for number in range(count)]
    return found


def trust_data(trust: Trust) -> dict[str, object]:
    """A trust as models/trust.json has it."""
    return {
        "sure_from": trust.sure_from,
        "posterior": _points(trust.posterior or Curve((0.0,), (0.0,))),
        "costs": {code.value: _points(curve) for code, curve in sorted(trust.costs.items())},
    }


def _points(curve: Curve) -> list[list[float]]:
    return [[round(x, 6), round(y, 6)] for x, y in zip(curve.x, curve.y, strict=True)]


def summary(
    probability: Array,
    right: NDArray[np.bool_],
    usual: NDArray[np.bool_],
    sure_from: float,
    whole: int,
) -> str:
    """What the threshold is and what it holds, in a paragraph."""
    sure = probability >= sure_from
    wrong = int((sure & ~right & usual).sum())
    count, more = int((sure & usual).sum()), int((sure & ~usual).sum())
    bound = upper_bound(wrong, count)
    return (
        f"Trust was fitted on {len(right)} totals, {whole} of rendered scenes as they are and the "
        f"rest of scenes that were damaged, covered in part or cut close to the kingdom, and of "
        f"boards that train; {int(right.sum())} were right. A total is sure from a probability of "
        f"{sure_from:.4f} on: {count} totals were, judged by a fit that had not seen their scenes, "
        f"{wrong} of them wrong, which is at most {bound:.2%} with 95 % confidence. Of those that "
        f"were covered on purpose besides, {more} were sure and "
        f"{int((sure & ~right & ~usual).sum())} of these wrong."
    )


if __name__ == "__main__":
    main()
