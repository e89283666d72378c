"""The temperature of the classifier: what turns its scores into probabilities."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kdvision.vision.settings import SQUARES

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

#: Temperatures that are tried.
TEMPERATURES = np.round(np.geomspace(0.3, 4.0, 60), 3)


@dataclass(frozen=True, slots=True)
class Views:
    """Logits (4, n, 18) of patches in four quarter turns, and their labels (n,)."""

    logits: Array
    labels: NDArray[np.int64]

    def pick(self, which: NDArray[np.bool_]) -> "Views":
        """Some of the patches."""
        return Views(self.logits[:, which], self.labels[which])


def views_of(
    patches: Image, labels: NDArray[np.integer[Any]], session: Any, batch: int = 512
) -> Views:
    """Show patches (n, 64, 64, 3) to the network, each in four quarter turns."""
    turns = []
    for quarters in range(4):
        parts = []
        for start in range(0, len(patches), batch):
            part = np.rot90(patches[start : start + batch], quarters, axes=(1, 2))
            parts.append(session.run(None, {"rgb": np.ascontiguousarray(part)})[0])
        turns.append(np.concatenate(parts).astype(np.float64))
    return Views(np.stack(turns), labels.astype(np.int64))


def probabilities(views: Views, temperature: float) -> Array:
    """The probabilities of the classifier: of one view where it is sure, else the mean of four."""
    scaled = views.logits / temperature
    powers = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    each = powers / powers.sum(axis=-1, keepdims=True)
    first = each[0]
    sure = first.max(axis=1) >= SQUARES.sure_from_one_side
    return np.asarray(np.where(sure[:, None], first, each.mean(axis=0)))


def negative_log_likelihood(views: Views, temperature: float, floor: float = 5e-5) -> float:
    """Mean negative log-likelihood of the labels, with a share `floor` for every label."""
    said = probabilities(views, temperature)[np.arange(len(views.labels)), views.labels]
    return float(-np.log((1 - floor) * said + floor / views.logits.shape[-1]).mean())


def fit_temperature(views: Views) -> float:
    """The temperature under which the labels are likeliest."""
    return float(min(TEMPERATURES, key=lambda one: negative_log_likelihood(views, float(one))))


def wrong_when_sure(views: Views, temperature: float, least: float) -> tuple[int, int]:
    """Of the patches that are read with at least that probability: how many are wrong, and all."""
    said = probabilities(views, temperature)
    sure = said.max(axis=1) >= least
    wrong = said.argmax(axis=1) != views.labels
    return int((sure & wrong).sum()), int(sure.sum())
