"""Fit what turns the networks' scores into probabilities.

    python -m scripts.training.patch_data check.npz --scenes SCENES --measuring
    python -m scripts.measuring.calibrate temperature check.npz [--write]
    python -m scripts.measuring.evaluate --only photos boards stress tables --keep kept
    python -m scripts.measuring.calibrate totals kept [kept ...]
    python -m scripts.measuring.calibrate ground SCENES

Everything is fitted on one half of pictures that were not trained on, and reported on the other
half. Pictures made from one kingdom are in the same half.
"""

import argparse
import hashlib
import pickle
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console

from kdvision.vision.models import load_model
from scripts.measuring.evaluation.result_tables import table
from scripts.measuring.evaluation.scoring import Scored
from scripts.measuring.fitting import calibration_fit
from scripts.measuring.fitting.ground import ground_table
from scripts.paths import MODELS
from scripts.training.manifest import set_temperature
from scripts.training.patch_data import SOURCES

FLOORS = (1e-5, 5e-5, 2e-4, 1e-3)
#: Patches come scene by scene: so many in a row are in the same half.
_RUN = 400
console = Console(width=130)


def main() -> None:
    """Parse, and fit or measure one of the three."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("temperature", help="of the squares model")
    one.add_argument("patches", type=Path)
    one.add_argument("--models", type=Path, default=MODELS)
    one.add_argument("--write", action="store_true", help="into the manifest")
    other = commands.add_parser("totals", help="the floor of every place")
    other.add_argument("kept", type=Path, nargs="+", help="files of evaluate.py --keep")
    ground = commands.add_parser("ground", help="how like it bare places and squares are")
    ground.add_argument("scenes", type=Path, help="a folder that was rendered with --measuring")
    options = parser.parse_args()
    if options.command == "temperature":
        temperature(options)
    elif options.command == "totals":
        totals(options)
    else:
        session, _ = load_model("grid", threads=1)
        console.print(ground_table(sorted(options.scenes.glob("*.json")), session))


def temperature(options: argparse.Namespace) -> None:
    """Fit the temperature of the classifier."""
    session, entry = load_model("squares", options.models, threads=1)
    data = np.load(options.patches)
    views = calibration_fit.views_of(data["patches"], data["labels"], session)
    half = np.arange(len(views.labels)) // _RUN % 2 == 0
    fitted = calibration_fit.fit_temperature(views.pick(half))
    rows = []
    for index, name in enumerate((*SOURCES, "all")):
        mine = views.pick(~half & ((data["source"] == index) | (name == "all")))
        if len(mine.labels):
            best = calibration_fit.fit_temperature(mine)
            tried = [
                f"{calibration_fit.negative_log_likelihood(mine, t):.4f}"
                for t in (1.0, entry.temperature, fitted)
            ]
            sure = "{} of {}".format(*calibration_fit.wrong_when_sure(mine, fitted, 0.999))
            rows.append([name, len(mine.labels), *tried, f"{best:.2f}", sure])
    heads = ["half not fitted on", "patches", "NLL at 1", f"at {entry.temperature:g} (now)"]
    heads += [f"at {fitted:g} (fitted)", "its own best", "wrong from 99.9 %"]
    console.print(table("Temperature", heads, rows))
    if options.write:
        set_temperature(options.models, "squares", fitted)


def totals(options: argparse.Namespace) -> None:
    """Measure the floor. Where sure begins is fitted by `fit_trust`, on scenes of its own."""
    sets = [pickle.loads(path.read_bytes()) for path in options.kept]
    scored = [one for kept in sets for mine in kept.values() for one in mine]
    fit, report = ([one for one in scored if _half(one) == half] for half in (0, 1))
    console.print(_floors(fit, report))


def _half(scored: Scored) -> int:
    return hashlib.sha256(scored.family.encode()).digest()[0] % 2


def _floors(fit: Sequence[Scored], report: Sequence[Scored]) -> object:
    rows = []
    for floor in FLOORS:
        cells: list[object] = [f"{floor:g}"]
        for half in (fit, report):
            said = calibration_fit.totals(half, floor)
            cells += [
                f"{calibration_fit.log_loss(said):.4f}",
                f"{calibration_fit.highest_wrong(said):.5f}",
            ]
        rows.append(cells)
    heads = ("floor", "fitted: log loss", "highest wrong", "other half: log loss", "highest wrong")
    return table("Share of every place that goes to the prior", heads, rows)


if __name__ == "__main__":
    main()
