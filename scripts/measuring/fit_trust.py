"""Fit how far totals can be trusted, and choose where `sure` begins; writes models/trust.json.

    python -m scripts.measuring.fit_trust WORK [--scenes 3600] [--workers N] [--write]

Renders scenes into WORK, if they are not there yet, reads them as they are, damaged, covered in
part and cut close to a kingdom, and the boards that train, with the models in use, and fits one
monotone model to what came out right.

Sure begins at the probability from which at most one total in 200 is wrong, with 95 % confidence.
That is counted on tables in a look that nothing was fitted on, some of them covered in part, and on
boards that train, damaged. No other figure is reported on these pictures.
"""

import argparse
import json
from collections.abc import Sequence
from functools import partial
from math import ceil
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from kdvision.pipeline.trust import Curve, Trust, load_trust
from kdvision.reading import DoubtCode
from kdvision.vision.models import model_folder
from scripts.arrays import Array, Mask
from scripts.data_split import boards, data_folder
from scripts.measuring.evaluation import damages
from scripts.measuring.evaluation.cases import Case, Maker, TrueKingdom
from scripts.measuring.evaluation.covers import KINDS, covered
from scripts.measuring.evaluation.markdown import fill as fill_page
from scripts.measuring.evaluation.scenes import rendered
from scripts.measuring.evaluation.stress import on_canvas
from scripts.measuring.fitting import trust_fit
from scripts.measuring.fitting.trust_fit import Judged
from scripts.measuring.fitting.trust_scenes import judged_cases, judged_scenes
from scripts.synthesis.rendering.things import THINGS
from scripts.training.manifest import enter_trust
from scripts.training.plan import Plan, Run

#: Recipe, seed and share of the scenes: seeds that neither train nor measure.
SETS = (("tables", 7001, 0.6), ("low", 7002, 0.24), ("castles", 7003, 0.16))
#: The first of the scenes that choose where sure begins, beyond those that measure.
FIRST_LIMIT_SCENE = 5_000
#: Seed of what covers them.
LIMIT_SEED = 7_004
#: The first of the covered scenes that are fitted on.
FIRST_COVER = 10_000
#: Seed of what covers them.
COVER_SEED = 991
#: How many of them there are for each table that chooses.
COVERED_SHARE = 0.5
#: Things that lie on tiles, of those that train: hands and cards, and all that is small.
LYING = {**KINDS, **THINGS}
#: Sure never begins below. On the mixture of 1,500 scenes (`limit_cases`, 4,010 totals) 0.93 would
#: do; but of totals in other printings and under other castles some up to 0.9689 are wrong. Of
#: kingdoms with things on them (`cover_cases` of as many, 695 totals) none is beyond 0.9544.
LEAST_SURE = 0.97
#: Sure totals may be wrong no more often.
MOST_WRONG = 5e-3


def main() -> None:
    """Render, read, fit, show, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--scenes", type=int, default=3600)
    parser.add_argument("--only", choices=trust_fit.KNOTS, help="fit one doubt, keep all else")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="models/trust.json and its card")
    options = parser.parse_args()
    # Read what chooses where sure begins, and what is fitted on.
    mixture = judged_cases(limit_cases(options.scenes), options.workers)
    obstructed = judged_cases(cover_cases(options.scenes), options.workers)
    if options.only:
        judged = [*obstructed, *mixture[: len(obstructed)]]
        mixture = mixture[len(obstructed) :]
        trust = trust_fit.fit_doubt(judged, DoubtCode(options.only), load_trust())
    else:
        judged = [*judged_scenes(scenes(options), options.workers), *obstructed]
        trust = Trust(*trust_fit.fit(judged))
    # Choose where sure begins.
    right = np.array([total.right for total in mixture])
    probability = trust_fit.predicted(mixture, trust)
    sure_from = trust_fit.threshold(probability, right, MOST_WRONG)
    if sure_from == 1:
        raise SystemExit(
            f"{len(mixture)} totals are too few to tell with 95 % confidence where at most one in "
            "200 is wrong: give more --scenes."
        )
    trust = replace(trust, sure_from=max(ceil(1000 * sure_from) / 1000, LEAST_SURE))
    # Tell what came of it.
    what = f"The cost of `{options.only}`" if options.only else "Trust"
    text = summary(what, judged, probability, right, trust.sure_from)
    print(text)
    if options.write:
        path = model_folder() / "trust.json"
        path.write_text(json.dumps(trust_data(trust), indent=1) + "\n")
        enter_trust(path)
        fill_page(path.with_name("README.md"), "trust", text)


def scenes(options: argparse.Namespace) -> list[Path]:
    """Return the descriptions of the scenes, rendered where they are missing."""
    run = Run(Plan(workers=options.workers), options.work, model_folder())
    paths = []
    for recipe, seed, share in SETS:
        paths += run.render(recipe, round(options.scenes * share), seed)
    return paths


def trust_data(trust: Trust) -> dict[str, object]:
    """Return a trust as models/trust.json has it."""
    return {
        "sure_from": trust.sure_from,
        "posterior": _points(trust.posterior or Curve((0.0,), (0.0,))),
        "costs": {code.value: _points(curve) for code, curve in sorted(trust.costs.items())},
    }


def _points(curve: Curve) -> list[list[float]]:
    return [[round(x, 6), round(y, 6)] for x, y in zip(curve.x, curve.y, strict=True)]


def cover_cases(count: int) -> list[Maker]:
    """Return what the doubts are fitted on besides scenes: kingdoms with things on them."""
    return _obstructed(round(count * COVERED_SHARE), COVER_SEED, FIRST_COVER)


def _obstructed(count: int, seed: int, first: int) -> list[Maker]:
    """Return so many kingdoms with things on them, none of which measures."""
    numbers = range(first, first + count)
    return [partial(covered, LYING, number, seed, measuring=False) for number in numbers]


def limit_cases(count: int) -> list[Maker]:
    """Return what sure begins by: tables in a look that fits nothing, fewer covered, and boards."""
    tables = rendered("tables", count, FIRST_LIMIT_SCENE)
    lying = _obstructed(count // 10, LIMIT_SEED, FIRST_LIMIT_SCENE)
    return [*tables, *lying, *(partial(changed_board, number) for number in range(count // 2))]


def changed_board(number: int) -> Case:
    """Return a board that trains, on a table, with one kind of damage."""
    rng = np.random.default_rng([LIMIT_SEED, number])
    every = boards(data_folder(), measuring=False)
    board = every[number % len(every)]
    scene = on_canvas(board.path, board.line, rng, tilted=number % 2 == 0)
    kind = str(rng.choice(list(damages.KINDS)))
    picture = damages.KINDS[kind](scene.image, rng, rng.uniform(0, 0.5), scene.unit)
    data = damages.as_jpeg(picture)
    return Case(f"{kind} {number}", data, (TrueKingdom(board.line),), {"kind": kind})


def summary(
    what: str,
    judged: Sequence[Judged],
    probability: Array,
    right: Mask,
    limit: float,
) -> str:
    """Write a paragraph on what was fitted, where sure begins and what it holds."""
    sure = probability >= limit
    count, wrong = int(sure.sum()), int((sure & ~right).sum())
    bound = trust_fit.upper_bound(wrong, count)
    return (
        f"{what} was fitted last, on {len(judged)} totals of rendered scenes, as they are, damaged "
        f"or covered in part; {sum(total.right for total in judged)} were right. A total is sure "
        f"from a probability of {limit:.4f} on: of {len(right)} others on tables in a look that "
        f"trains nothing, some of them covered in part, and on changed boards {count} were, "
        f"{wrong} of them wrong: at most {bound:.2%} with 95 % confidence."
    )


if __name__ == "__main__":
    main()
