"""From the data folder to the files in models/, in one run without manual steps.

    python -m scripts.training.make_models [--size SHARE] [--painted-only] [--only STAGE...]

Renders scenes, cuts patches, makes the networks for squares, for the grid, for seams, for colours,
for covers and for obstructions, calibrates the first, publishes, fits the trust and evaluates.
Every stage that is done is marked in the working folder; a run that was interrupted goes on with
the first that is not. A GPU is used where torch sees one.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from rich.console import Console

from kdvision.vision.models import read_manifest
from scripts.measuring import calibrate
from scripts.paths import MODELS, ROOT
from scripts.training import export_onnx, patch_data, train_grid, train_squares
from scripts.training.colours import make_colours
from scripts.training.covers import make_covers
from scripts.training.manifest import copy_model
from scripts.training.obstructions import make_obstructions
from scripts.training.papers import make_papers
from scripts.training.plan import Plan, Run
from scripts.training.schedule import device
from scripts.training.seams.stage import make_seams

#: Steps of the classifier's first training, in a full run.
FIRST_STEPS = 13_500
#: Short trainings of the classifier from one start, whose ends are averaged. Two ends, 96.2 % and
#: 96.8 % right on patches that calibrate, gave 97.6 % together.
TRAININGS = 3
#: Steps of each of them.
SHORT_STEPS = 5500
#: Seed of the first training of the classifier.
FIRST_SEED = 5
#: Seed of its first short training.
SHORT_SEED = 61
#: Steps of the detector's training.
DETECTOR_STEPS = 4500
#: Its seed.
DETECTOR_SEED = 3
#: Highest learning rate of a training from nothing.
RATE = 2e-3
#: Highest learning rate of short trainings from one start, which must stay in its valley for their
#: mean to be good.
RATE_SHORT = 6e-4
#: Folders of scenes: recipe, how many as a share of that number, seed.
SCENES = (
    ("low", 0.2, 103),
    ("training", 0.15, 101),
    ("tables", 0.19, 102),
    ("castles", 0.2, 105),
    ("printings", 0.26, 106),
    ("crowns", 0.22, 107),
)
#: Scenes that calibrate the classifier.
CALIBRATION = ("calibration", 0.064, 104)
#: How often each real board is cut for the classifier.
BOARD_COPIES = 14
console = Console(width=110)


def main() -> None:
    """Parse, then make all stages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=float, default=1.0, help="share of the scenes and steps")
    parser.add_argument("--painted-only", action="store_true", help="without the data folder")
    parser.add_argument("--work", type=Path, default=ROOT / "work" / "models")
    parser.add_argument("--out", type=Path, default=MODELS, help="where the models go")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=STAGES, default=list(STAGES))
    options = parser.parse_args()
    plan = Plan(options.size, options.painted_only, workers=options.workers)
    make(Run(plan, options.work, options.out), options.only)


def make(run: Run, stages: Sequence[str]) -> None:
    """Run the stages that are not done yet, in order.

    Raises:
        SystemExit: The working folder was begun with another plan.
    """
    _check_plan(run)
    console.print(f"on {device()}, {run.plan.scene_count} scenes")
    for number, name in enumerate(stages, 1):
        console.rule(f"{number} of {len(stages)}: {name}", align="left")
        mark = run.work / f"{name}.done"
        if mark.exists():
            console.print(f"{name}: done before")
        else:
            started = time.monotonic()
            STAGES[name](run)
            mark.touch()
            console.print(f"{name}: {(time.monotonic() - started) / 60:.1f} minutes")


def _check_plan(run: Run) -> None:
    run.work.mkdir(parents=True, exist_ok=True)
    path, plan = run.work / "plan.json", json.dumps(asdict(run.plan), indent=2) + "\n"
    if path.exists() and path.read_text() != plan:
        raise SystemExit(
            f"{run.work} was begun with another plan ({path}): remove it or take another --work."
        )
    path.write_text(plan)


def render_scenes(run: Run) -> None:
    """Render all scenes with their truth."""
    for recipe, share, seed in (*SCENES, CALIBRATION):
        run.render(recipe, round(run.plan.scene_count * share), seed)


def cut_patches(run: Run) -> None:
    """Cut patches that train, and patches of other decks that calibrate."""
    for name, recipes, data in (
        ("train", [recipe for recipe, _, _ in SCENES], run.data),
        ("calibration", [CALIBRATION[0]], None),
    ):
        paths = sorted(p for r in recipes for p in run.scenes(r).glob("*.json"))
        parts = patch_data.square_parts(paths, data, BOARD_COPIES, run.plan.workers)
        patch_data.write(run.work / f"{name}.npz", parts)


def make_squares(run: Run) -> None:
    """Train the classifier of squares: the mean of a training and of short ones from its end.

    Ends of trainings that began with one another lie in one valley, and their mean is right more
    often than any of them. Where it is not, on patches that train nothing, the first stays: one
    with a loss of 0.091 had 0.134 after one.
    """
    patches, check = run.work / "train.npz", run.work / "calibration.npz"
    base = run.plan.classifier_base
    settings = run.settings(RATE, 128, base, FIRST_SEED, FIRST_STEPS)
    first = train_squares.train(patches, check, settings)
    networks = [first]
    for seed in range(SHORT_SEED, SHORT_SEED + TRAININGS):
        settings = run.settings(RATE_SHORT, 128, base, seed, SHORT_STEPS)
        settings = replace(settings, start=first.state_dict())
        networks.append(train_squares.train(patches, check, settings))
    mean = train_squares.averaged(networks)
    loss, text = train_squares.measured(mean, check)
    console.print(f"mean of {len(networks)}: {text}")
    best = mean if loss <= train_squares.measured(first, check)[0] else first
    if best is first:
        console.print("the mean is worse than what the short trainings began with, which stays")
    export_onnx.export(best, [patches], run.export)


def make_grid(run: Run) -> None:
    """Train the network that finds squares."""
    scenes = [run.scenes(recipe) for recipe, _, _ in SCENES]
    base = run.plan.detector_base
    settings = run.settings(RATE, 16, base, DETECTOR_SEED, DETECTOR_STEPS)
    network = train_grid.train(scenes, settings)
    export_onnx.export(network, scenes, run.export)


def calibrate_classifier(run: Run) -> None:
    """Fit the classifier's temperature, on decks that neither train nor measure."""
    calibrate.calibrate(run.work / "calibration.npz", run.export)


def publish(run: Run) -> None:
    """Put the files where the program takes them from; what else is in the manifest stays."""
    run.out.mkdir(parents=True, exist_ok=True)
    for name in read_manifest(run.export):
        copy_model(run.export, name, run.out)


def fit_trust(run: Run) -> None:
    """Fit the trust of totals, by the program's own script; needs the data folder."""
    if run.plan.painted_only or run.out.resolve() != MODELS:
        console.print("no trust is fitted: only for models/, and with the data folder")
        return
    workers = ("--workers", str(run.plan.workers))
    _python(run, "scripts.measuring.fit_trust", str(run.work / "trust"), *workers, "--write")


def evaluate(run: Run) -> None:
    """Measure the files that were published; on samples alone without a data folder."""
    only = ["--only", "samples"] if run.plan.painted_only else []
    _python(run, "scripts.measuring.evaluate", "--workers", str(run.plan.workers), *only)


def _python(run: Run, module: str, *arguments: str) -> None:
    """Run a script of this project with the models of this run."""
    environment = os.environ | {"KDVISION_MODELS": str(run.out.resolve())}
    subprocess.run([sys.executable, "-m", module, *arguments], check=True, env=environment)


STAGES: dict[str, Callable[[Run], None]] = {
    "scenes": render_scenes,
    "patches": cut_patches,
    "classifier": make_squares,
    "papers": make_papers,
    "detector": make_grid,
    "seams": partial(make_seams, others=[recipe for recipe, _, _ in SCENES]),
    "colours": make_colours,
    "covers": make_covers,
    "obstructions": make_obstructions,
    "calibration": calibrate_classifier,
    "publication": publish,
    "trust": fit_trust,
    "evaluation": evaluate,
}

if __name__ == "__main__":
    main()
