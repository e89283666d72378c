"""From the data folder to the files in models/, in one run without manual steps.

    python -m scripts.training.make_models [--budget MINUTES] [--painted-only]

Renders scenes, cuts patches, trains the classifier and the detector, exports and quantizes both,
makes the networks for seams, colours and covers, calibrates the classifier, publishes, fits the
trust and evaluates. Every stage that is done is marked in the working folder; a run that was
interrupted goes on where it was, within the stage too. A GPU is used where torch sees one.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from rich.console import Console

from kdvision.vision.models import read_manifest
from scripts.measuring import calibrate
from scripts.paths import MODELS, ROOT
from scripts.synthesis.render import render
from scripts.training import colours, export_onnx, patch_data, train_grid, train_squares
from scripts.training.covers import SCENES as SCENES_OF_COVERS
from scripts.training.covers import STEPS as COVER_STEPS
from scripts.training.covers import train_covers
from scripts.training.manifest import copy_model
from scripts.training.plan import FULL_BUDGET, Plan, Run
from scripts.training.schedule import Budget, Clock, Settings, device, has_bfloat16, save
from scripts.training.seams.stage import train_seams

#: Shares of the budget. What is left is for rendering, patches, export and evaluation.
CLASSIFIER_SHARE, DETECTOR_SHARE = 0.42, 0.30
#: Short trainings of the classifier from one start, whose ends are averaged. Two ends, 96.2 % and
#: 96.8 % right on patches that calibrate, gave 97.6 % together.
TRAININGS = 3
#: Of the classifier's time, what the training that the short ones begin with takes.
FIRST_SHARE = 0.5
#: Seeds: of the first training of the classifier, of the first short one, and of the detector.
FIRST_SEED, SHORT_SEED, DETECTOR_SEED = 5, 61, 3
#: Highest learning rates: from nothing, and for short trainings from one start, which must stay in
#: its valley for their mean to be good.
RATE, RATE_SHORT = 2e-3, 6e-4
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
console = Console(width=110)


def main() -> None:
    """Parse, then make all stages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--budget", type=float, default=FULL_BUDGET, help="minutes on two cores")
    parser.add_argument("--painted-only", action="store_true", help="without the data folder")
    parser.add_argument("--work", type=Path, default=ROOT / "work" / "models")
    parser.add_argument("--out", type=Path, default=MODELS, help="where the models go")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    plan = Plan(options.budget, options.painted_only, workers=options.workers)
    make(Run(plan, options.work, options.out))


def make(run: Run, *, until: str = "evaluation") -> None:
    """All stages that are not done yet, in order, as far as `until`.

    Raises:
        SystemExit: The working folder was begun with another plan.
    """
    _check_plan(run)
    console.print(f"on {device()}, {run.plan.scene_count} scenes, {run.plan.budget:g} minutes")
    for number, (name, stage) in enumerate(STAGES.items(), 1):
        console.rule(f"{number} of {len(STAGES)}: {name}", align="left")
        _once(run, name, partial(stage, run))
        if name == until:
            return


def _once(run: Run, name: str, work: Callable[[], None]) -> None:
    """Do a part of the run and mark it, unless it is marked as done."""
    mark = run.work / f"{name}.done"
    if mark.exists():
        console.print(f"{name}: done before")
        return
    started = time.monotonic()
    work()
    minutes = (time.monotonic() - started) / 60
    mark.write_text(json.dumps({"minutes": round(minutes, 1)}) + "\n")
    console.print(f"{name}: {minutes:.1f} minutes")


def _check_plan(run: Run) -> None:
    run.work.mkdir(parents=True, exist_ok=True)
    path, wanted = run.work / "plan.json", json.loads(json.dumps(asdict(run.plan)))
    if path.exists() and json.loads(path.read_text()) != wanted:
        raise SystemExit(
            f"{run.work} was begun with another plan ({path}): remove it or take another --work."
        )
    path.write_text(json.dumps(wanted, indent=2) + "\n")


def render_scenes(run: Run) -> None:
    """All scenes with their truth."""
    for recipe, share, seed in (*SCENES, CALIBRATION):
        count, plan = max(1, round(run.plan.scene_count * share)), run.plan
        steps = render(run.scenes(recipe), recipe, count, seed, data=run.data, workers=plan.workers)
        for done, missing in steps:
            if done % 100 == 0:
                print(f"{recipe}: {done} of {missing} scenes", flush=True)


def cut_patches(run: Run) -> None:
    """Patches that train, and patches of other decks that calibrate."""
    for name, recipes, data, copies in (
        ("train", [recipe for recipe, _, _ in SCENES], run.data, 14),
        ("calibration", [CALIBRATION[0]], None, 1),
    ):
        paths = sorted(p for r in recipes for p in run.scenes(r).glob("*.json"))
        patch_data.write(
            run.work / f"{name}.npz",
            paths,
            data,
            seed=31,
            copies=copies,
            workers=run.plan.workers,
        )


def train_classifier(run: Run) -> None:
    """The network that classifies squares: the mean of a training and of short ones from its end.

    Ends of trainings that began with one another lie in one valley, and their mean is right more
    often than any of them. Where it is not, on patches that train nothing, the first stays: one
    with a loss of 0.091 had 0.134 after 16 minutes more. Every training goes on where it was
    interrupted, and is marked when it is done.
    """
    patches, check = [run.work / "train.npz"], run.work / "calibration.npz"
    first, share = run.work / "squares-0.pt", CLASSIFIER_SHARE * FIRST_SHARE
    settings = replace(_classifier(run), budget=_budget(run, share), rate=RATE)
    _once(run, "squares-0", partial(train_squares.train, patches, check, first, settings))
    paths = [first]
    for number in range(1, TRAININGS + 1):
        paths.append(run.work / f"squares-{number}.pt")
        settings = replace(
            _classifier(run),
            budget=_budget(run, (CLASSIFIER_SHARE - share) / TRAININGS),
            seed=SHORT_SEED + number - 1,
            start=first,
        )
        train = partial(train_squares.train, patches, check, paths[-1], settings)
        _once(run, f"squares-{number}", train)
    network, base = train_squares.averaged(paths)
    console.print(f"mean of {len(paths)}: {train_squares.accuracy(network, check)}")
    started, _ = train_squares.averaged([first])
    if train_squares.held_back(network, check) > train_squares.held_back(started, check):
        console.print("the mean is worse than what the short trainings began with, which stays")
        network = started
    save(run.work / "squares.pt", network, base, Clock(Budget(0)))


def _classifier(run: Run) -> Settings:
    """Settings of the classifier's first training."""
    plan = run.plan
    trial = plan.steps is not None and plan.steps <= 50
    return Settings(
        Budget(0),
        RATE_SHORT,
        4 if trial else 128,
        plan.classifier_base,
        plan.workers,
        FIRST_SEED,
        half=has_bfloat16(),
    )


def _budget(run: Run, share: float) -> Budget:
    """A share of the run's budget, or the steps that every training shall take."""
    return Budget(run.plan.budget * share, run.plan.steps)


def train_detector(run: Run) -> None:
    """The network that finds squares."""
    settings = replace(
        _classifier(run),
        budget=_budget(run, DETECTOR_SHARE),
        rate=RATE,
        batch=min(16, _classifier(run).batch),
        base=run.plan.detector_base,
        seed=DETECTOR_SEED,
    )
    train_grid.train(
        [run.scenes(recipe) for recipe, _, _ in SCENES], run.work / "grid.pt", settings
    )


def export(run: Run) -> None:
    """Both networks quantized, with their manifest, in the working folder."""
    folder = run.work / "export"
    export_onnx.export("squares", run.work / "squares.pt", [run.work / "train.npz"], folder)
    scenes = [run.scenes(recipe) for recipe, _, _ in SCENES]
    export_onnx.export("grid", run.work / "grid.pt", scenes, folder)


def make_seams(run: Run) -> None:
    """The network that tells one domino from two, beside the others."""
    train_seams(run, [recipe for recipe, _, _ in SCENES])


def make_colours(run: Run) -> None:
    """The network that reads the colours of castles, beside the others."""
    scenes, steps = min(colours.SCENES, run.plan.scene_count), run.plan.steps or colours.STEPS
    colours.train_colours(run.work / "scenes", run.data, run.work / "export", scenes, steps)


def make_covers(run: Run) -> None:
    """The network that sees what covers kingdoms, beside the others."""
    scenes = min(SCENES_OF_COVERS, run.plan.scene_count)
    steps = run.plan.steps or COVER_STEPS
    train_covers(run.work / "scenes", run.data, run.work / "export", scenes, steps)


def calibrate_classifier(run: Run) -> None:
    """The classifier's temperature, on decks that neither train nor measure."""
    calibrate.calibrate(run.work / "calibration.npz", run.work / "export")


def publish(run: Run) -> None:
    """The files go where the program takes them from; what else is in the manifest stays."""
    folder = run.work / "export"
    run.out.mkdir(parents=True, exist_ok=True)
    for name in read_manifest(folder):
        copy_model(folder, name, run.out)


def fit_trust(run: Run) -> None:
    """The trust of totals, by the program's own script; needs the data folder."""
    if run.plan.painted_only or run.out.resolve() != MODELS:
        console.print("no trust is fitted: only for models/, and with the data folder")
        return
    workers = ("--workers", str(run.plan.workers))
    _python(run, "scripts.measuring.fit_trust", str(run.work / "trust"), *workers, "--write")


def evaluate(run: Run) -> None:
    """All figures, with the files that were published; on samples alone without a data folder."""
    only = ["--only", "samples"] if run.plan.painted_only else []
    _python(run, "scripts.measuring.evaluate", "--workers", str(run.plan.workers), *only)


def _python(run: Run, module: str, *arguments: str) -> None:
    """Run a script of this project with the models of this run."""
    environment = os.environ | {"KDVISION_MODELS": str(run.out.resolve())}
    subprocess.run([sys.executable, "-m", module, *arguments], check=True, env=environment)


STAGES: dict[str, Callable[[Run], None]] = {
    "scenes": render_scenes,
    "patches": cut_patches,
    "classifier": train_classifier,
    "detector": train_detector,
    "export": export,
    "seams": make_seams,
    "colours": make_colours,
    "covers": make_covers,
    "calibration": calibrate_classifier,
    "publication": publish,
    "trust": fit_trust,
    "evaluation": evaluate,
}

if __name__ == "__main__":
    main()
