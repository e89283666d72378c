"""Fit the temperature that turns the classifier's scores into probabilities."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from kdvision.arrays import softmax
from kdvision.vision.models import Model, load_model
from kdvision.vision.squares.settings import SQUARES
from scripts.arrays import Array, Image, Ints
from scripts.training.labels import CLASSIFIER_LABELS
from scripts.training.manifest import set_temperature

#: Temperatures that are tried.
TEMPERATURES = np.round(np.geomspace(0.3, 4.0, 60), 3)
#: So much of the probability is shared by all labels alike, however unlikely they are.
FLOOR = 5e-5


def calibrate(patches: Path, models: Path) -> None:
    """Fit the temperature on a file of patches that train nothing, and write it into a manifest."""
    model = load_model("squares", models, threads=1)
    data = np.load(patches)
    logits = logits_of_views(data["patches"], model)
    labels = data["labels"].astype(np.int64)
    temperature = fit_temperature(lambda value: negative_log_likelihood(logits, labels, value))
    set_temperature(models, "squares", temperature)


def logits_of_views(patches: Image, model: Model) -> Array:
    """Return the logits (4, n, labels) of patches (n, 64, 64, 3) in four quarter turns."""
    turns = []
    for quarters in range(4):
        parts = []
        for part in np.array_split(patches, len(patches) // 512 + 1):
            turned = np.rot90(part, quarters, axes=(1, 2))
            logits = model.run(np.ascontiguousarray(turned))
            parts.append(logits[:, : len(CLASSIFIER_LABELS)])
        turns.append(np.concatenate(parts).astype(np.float64))
    return np.stack(turns)


def negative_log_likelihood(logits: Array, labels: Ints, temperature: float) -> float:
    """Return mean negative log-likelihood of the labels, with `FLOOR` shared by all.

    The probabilities are those of one view where it is sure, else the mean of four.
    """
    shares = softmax(logits, temperature)
    sure = shares[0].max(axis=1) >= SQUARES.sure_from_one_side
    chances = np.where(sure[:, None], shares[0], shares.mean(axis=0))
    said = chances[np.arange(len(labels)), labels]
    return float(-np.log((1 - FLOOR) * said + FLOOR / logits.shape[-1]).mean())


def fit_temperature(loss_of: Callable[[float], float]) -> float:
    """Return the temperature with the least loss."""
    return float(min(TEMPERATURES.tolist(), key=loss_of))
