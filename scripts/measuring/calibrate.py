"""Fit the temperature that turns the classifier's scores into probabilities.

    python -m scripts.training.patch_data check.npz --scenes SCENES --measuring
    python -m scripts.measuring.calibrate check.npz [--write]

It is fitted on one half of patches that were not trained on, and reported on the other half.
"""

import argparse
from pathlib import Path

import numpy as np
from rich.console import Console

from kdvision.vision.models import load_model
from scripts.measuring.evaluation.result_tables import table
from scripts.measuring.fitting import calibration_fit
from scripts.paths import MODELS
from scripts.training.manifest import set_temperature
from scripts.training.patch_data import SOURCES

#: Patches come scene by scene: so many in a row are in the same half.
_RUN = 400


def main() -> None:
    """Parse, fit, show, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("patches", type=Path)
    parser.add_argument("--models", type=Path, default=MODELS)
    parser.add_argument("--write", action="store_true", help="into the manifest")
    options = parser.parse_args()
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
    Console(width=130).print(table("Temperature", heads, rows))
    if options.write:
        set_temperature(options.models, "squares", fitted)


if __name__ == "__main__":
    main()
