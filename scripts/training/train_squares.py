"""Train the network that classifies squares, on the patches of `patch_data.py`."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from kdvision.rules.terrain import CASTLE_LABEL, EMPTY_LABEL
from scripts.arrays import Array, Image, Rng
from scripts.training.augmentation import coarser, exposed, lit, printed, recoloured
from scripts.training.labels import CLASSIFIER_LABELS
from scripts.training.networks import SquareNet
from scripts.training.patch_data import SOURCES
from scripts.training.schedule import Batches, Settings, answers, learn

#: How often each source is drawn.
SHARES = {"scene": 0.5, "board": 0.2, "crop": 0.3}
#: So many times oftener than another label as rare castles are drawn: what stands on a start tile
#: can look like anything, and crowns in all colours look like small bricks.
CASTLES_OFTENER = 3.0


def sampling(labels: NDArray[np.uint8], source: NDArray[np.uint8]) -> Array:
    """Return cumulative weights: fixed shares of the sources, rare labels oftener."""
    weight = np.zeros(len(labels))
    for number, name in enumerate(SOURCES):
        mine = source == number
        if not mine.any():
            continue
        counts = np.bincount(labels[mine], minlength=len(CLASSIFIER_LABELS)).clip(1)
        rarity = counts[labels[mine]] ** -0.6
        rarity[labels[mine] == CASTLE_LABEL] *= CASTLES_OFTENER
        weight[mine] = SHARES[name] * rarity / rarity.sum()
    return np.cumsum(weight / weight.sum())


def damage(patch: Image, rng: Rng) -> Image:
    """Return what else may happen to a square: low resolution, a thing on it, glare, a turn."""
    if rng.random() < 0.35:
        across = rng.uniform(0.3, 0.9)
        # Seen from low down, a square has fewer pixels in one direction than in the other.
        along = across * rng.uniform(0.5, 1.0) if rng.random() < 0.4 else across
        patch = coarser(patch, across, max(along, 0.2))
    if rng.random() < 0.12:
        patch = patch.copy()
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        centre = tuple(int(v) for v in rng.integers(0, 64, 2))
        axes = tuple(int(v) for v in rng.integers(3, 16, 2))
        cv2.ellipse(patch, centre, axes, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)
    if rng.random() < 0.25:
        patch, _ = lit(patch, rng)
    return np.rot90(patch, int(rng.integers(4)))


class Patches:
    """Random patches of a file, damaged, as other cameras might have taken them."""

    def __init__(self, path: Path) -> None:
        file = np.load(path)
        self.patches, self.labels = file["patches"], file["labels"]
        self.cumulative = sampling(self.labels, file["source"])

    def view(self, rng: Rng) -> tuple[Image, np.int64]:
        """Return a patch and its label."""
        index = int(np.searchsorted(self.cumulative[:-1], rng.random()))
        patch = np.ascontiguousarray(damage(self._picture(index, rng), rng))
        return exposed(patch, rng), np.int64(self.labels[index])

    def _picture(self, index: int, rng: Rng) -> Image:
        """Return a patch; ground and castles also in other colours, as they come in all.

        Ground also with other prints on it.
        """
        patch: Image = self.patches[index]
        if self.labels[index] == EMPTY_LABEL:
            kind = rng.random()
            if kind < 0.4:
                patch = recoloured(patch, rng)
            elif kind < 0.7:
                patch = self._like_a_tile(patch, rng)
            if rng.random() < 0.45:
                patch = printed(patch, rng)
        elif self.labels[index] == CASTLE_LABEL:
            kind = rng.random()
            if kind < 0.35:
                patch = np.ascontiguousarray(patch[..., rng.permutation(3)])
            elif kind < 0.55:
                patch = self._like_a_tile(patch, rng)
        return patch

    def _like_a_tile(self, patch: Image, rng: Rng) -> Image:
        """Return a patch in the mean colour of some tile, darker or lighter.

        A blue mat is no lake, and a castle of yellow bricks no wheat.
        """
        other = self.patches[rng.integers(len(self.patches))]
        colour = other.mean(axis=(0, 1)) * rng.uniform(0.2, 1.2)
        detail = (patch - patch.mean(axis=(0, 1))) * rng.uniform(0.3, 1.2)
        return np.asarray(np.clip(colour + detail, 0, 255), np.uint8)


def measured(network: SquareNet, path: Path) -> tuple[float, str]:
    """Return the mean loss on held back patches, every source alike; and right ones of each."""
    data, losses, texts = np.load(path), [], []
    for number, name in enumerate(SOURCES):
        mine = np.nonzero(data["source"] == number)[0][:3000]
        if len(mine) == 0:
            continue
        logits = answers(network, data["patches"][mine])
        truth = torch.from_numpy(data["labels"][mine]).long()
        right = float((logits.argmax(1) == truth).float().mean())
        losses.append(float(nn.functional.cross_entropy(logits, truth)))
        texts.append(f"{name} {right:.2%} of {len(mine)} (loss {losses[-1]:.4f})")
    return sum(losses) / len(losses), ", ".join(texts)


def train(
    patches: Path,
    check: Path,
    settings: Settings,
    make: Callable[[int], SquareNet] = SquareNet,
) -> SquareNet:
    """Train on patches.

    Args:
        patches: A file of `patch_data.py`.
        check: One of patches that train nothing.
        settings: How long and how.
        make: Makes the network that it begins with.
    """
    return learn(
        make,
        "squares",
        settings,
        draw=Batches(Patches(patches).view, np.random.default_rng(settings.seed)).draw,
        loss_of=nn.functional.cross_entropy,
        measure=lambda network: measured(network, check)[1],
        decay=5e-4,
    )
