"""Train the network that tells one domino from two.

What a picture shows of the terrains is for the deck to judge, not for this network: within each
pair of terrains one domino and two are drawn equally often. So a logit is the logarithm of a
likelihood ratio, and what the deck knows is not counted twice.
"""

from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from scripts.arrays import AnyArray, Array, Image, Mask, Rng
from scripts.training.augmentation import exposed
from scripts.training.networks import CONTRAST, MIDDLE, conv
from scripts.training.patch_data import SOURCES
from scripts.training.schedule import Batches, Settings, answers, learn

#: How much of a batch comes from real boards, which are few.
BOARD_SHARE = 0.3
#: How often a patch is made coarser.
COARSER = 0.35
#: To how few pixels, as a share of its own.
COARSEST = 0.35


class SeamNet(nn.Module):
    """Whether a patch of a pair shows one domino: (n, 3, 64, 48) to logits (n, 1).

    What is seen is pooled along the line between the two places and not across it, since a seam
    lies in the middle. In use the answer is the mean of a patch and of the same turned by half, so
    that no order of the two places matters.
    """

    def __init__(self, base: int = 10) -> None:
        super().__init__()
        c1, c2, c3 = base, base * 2, base * 3
        self.features = nn.Sequential(
            conv(3, c1, kernel=5, stride=2),
            conv(c1, c2, stride=2),
            conv(c2, c3, stride=2),
            conv(c3, c3),
        )
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(c3 * 2 * 6, 1))

    def forward(self, rgb: Tensor) -> Tensor:
        """Return logits of patches in 0..1, seen from one side."""
        x = self.features((rgb - MIDDLE) * CONTRAST)
        pooled = torch.cat([x.mean(dim=2), x.amax(dim=2)], dim=1)
        logits: Tensor = self.head(pooled.flatten(1))
        return logits


class Pairs:
    """Random patches that other cameras might have taken, either way round."""

    def __init__(self, path: Path) -> None:
        file = np.load(path)
        self.patches, labels = file["patches"], file["labels"]
        self.is_domino = labels[:, 0].astype(bool)
        chances = balanced(self.is_domino, labels[:, 1], file["source"])
        self.cumulative = np.cumsum(chances)

    def view(self, rng: Rng) -> tuple[Image, np.float32]:
        """Turn and mirror a patch, coarser, in another light. Seams know no left and right."""
        index = int(np.searchsorted(self.cumulative[:-1], rng.random()))
        patch = self.patches[index][:: rng.choice([1, -1]), :: rng.choice([1, -1])]
        if rng.random() < COARSER:
            height, width = patch.shape[:2]
            share = rng.uniform(COARSEST, 0.9)
            small = (max(8, round(width * share)), max(8, round(height * share)))
            coarse = cv2.resize(patch, small, interpolation=cv2.INTER_AREA)
            patch = np.asarray(cv2.resize(coarse, (width, height)), np.uint8)
        return exposed(np.ascontiguousarray(patch), rng), np.float32(self.is_domino[index])


def balanced(one: Mask, terrains: AnyArray, source: AnyArray) -> Array:
    """Return how likely each patch is drawn, (n,) summing to 1.

    Within each pair of terrains as many of one domino as of two; terrains that come in one kind
    only are not drawn at all, as nothing but the terrains would be learnt from them.
    """
    chances = np.zeros(len(one))
    for number in range(len(SOURCES)):
        for pair in np.unique(terrains):
            mine = (source == number) & (terrains == pair)
            singles, doubles = mine & one, mine & ~one
            if singles.any() and doubles.any():
                # A rare pair of terrains is not drawn over and over.
                amount = float(np.sqrt(min(singles.sum(), doubles.sum())))
                chances[singles] = amount / singles.sum()
                chances[doubles] = amount / doubles.sum()
        total = chances[source == number].sum()
        if total:
            share = BOARD_SHARE if SOURCES[number] == "board" else 1 - BOARD_SHARE
            chances[source == number] *= share / total
    return np.asarray(chances / chances.sum())


def train(patches: Path, check: Path, settings: Settings) -> SeamNet:
    """Train on patches.

    Args:
        patches: A file of pairs.
        check: One of pairs that train nothing.
        settings: How long and how.
    """
    return learn(
        SeamNet,
        "seams",
        settings,
        draw=Batches(Pairs(patches).view, np.random.default_rng(settings.seed)).draw,
        loss_of=lambda logits, truth: _loss(logits, 0.98 * truth + 0.01),
        measure=lambda network: measured(network, check),
        decay=1e-3,
        averaged=False,
    )


def _loss(logits: Tensor, truth: Tensor) -> Tensor:
    return nn.functional.binary_cross_entropy_with_logits(logits[:, 0], truth)


def measured(network: SeamNet, path: Path) -> str:
    """Return the mean loss on patches, and the share of right answers, both kinds weighed alike."""
    data = np.load(path)
    every = slice(None, None, max(1, len(data["labels"]) // 3000))
    truth = torch.from_numpy(data["labels"][every, 0]) > 0
    logits = answers(network, data["patches"][every])
    right = ((logits[:, 0] > 0) == truth).float()
    even = float(right[truth].mean() + right[~truth].mean()) / 2
    loss = float(_loss(logits, truth.float()))
    return f"{100 * even:.2f} % of {len(truth)} (loss {loss:.4f})"
