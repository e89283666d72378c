"""Train the network that tells one domino from two.

What a picture shows of the terrains is for the deck to judge, not for this network: within each
pair of terrains one domino and two are drawn equally often. So a logit is the logarithm of a
likelihood ratio, and what the deck knows is not counted twice.
"""

from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from scripts.training.augmentation import exposed
from scripts.training.schedule import Settings, device, learn
from scripts.training.seams.data import SOURCES
from scripts.training.seams.network import SeamNet

Image = NDArray[np.uint8]
#: How much of a batch comes from real boards, which are few.
BOARD_SHARE = 0.3
#: How often a patch is made coarser, and to how few pixels per square of the picture.
COARSER, COARSEST = 0.35, 0.35


class Batches:
    """Batches of patches that other cameras might have taken, either way round."""

    def __init__(self, files: list[Path], seed: int) -> None:
        parts = [np.load(file) for file in files]
        self.patches = np.concatenate([part["patches"] for part in parts])
        self.one = np.concatenate([part["one"] for part in parts])
        source = np.concatenate([part["source"] for part in parts])
        terrains = np.concatenate([part["terrains"] for part in parts])
        self.chances = balanced(self.one, terrains, source)
        self.rng = np.random.default_rng(seed)

    def draw(self, count: int) -> tuple[Tensor, Tensor]:
        """Patches (n, 3, 64, 48) in 0..1 and whether each is one domino, (n,)."""
        chosen = self.rng.choice(len(self.one), count, p=self.chances)
        views = np.stack([self._view(self.patches[index]) for index in chosen])
        pictures = torch.from_numpy(views).permute(0, 3, 1, 2).float() / 255
        return pictures, torch.from_numpy(self.one[chosen]).float()

    def _view(self, patch: Image) -> Image:
        """The patch turned, mirrored, coarser, in another light. Seams know no left and right."""
        rng = self.rng
        patch = patch[:: rng.choice([1, -1]), :: rng.choice([1, -1])]
        if rng.random() < COARSER:
            height, width = patch.shape[:2]
            share = rng.uniform(COARSEST, 0.9)
            small = (max(8, round(width * share)), max(8, round(height * share)))
            coarse = cv2.resize(patch, small, interpolation=cv2.INTER_AREA)
            finer = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
            patch = np.asarray(finer, np.uint8)
        return exposed(np.ascontiguousarray(patch), rng)


def balanced(
    one: NDArray[np.bool_], terrains: NDArray[np.int16], source: NDArray[np.int8]
) -> NDArray[np.float64]:
    """How likely each patch is drawn, (n,) summing to 1.

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


def train(patches: list[Path], check: Path, out: Path, settings: Settings) -> None:
    """Train on patches and write the weights, goes on from what is there.

    Args:
        patches: Files of `data.py`.
        check: One of patches that train nothing.
        out: The file of the weights.
        settings: How long and how.
    """
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    cv2.setNumThreads(1)
    learn(
        SeamNet(settings.base),
        out,
        settings,
        draw=Batches(patches, settings.seed).draw,
        loss_of=lambda logits, one: _loss(logits, 0.98 * one + 0.01),
        measure=lambda network: measured(network, check),
        decay=1e-3,
        averaged=False,
    )


def _loss(logits: Tensor, one: Tensor) -> Tensor:
    return nn.functional.binary_cross_entropy_with_logits(logits[:, 0], one)


def measured(network: SeamNet, path: Path) -> str:
    """The mean loss on patches, and the share of right answers, both kinds weighed alike."""
    data, place = np.load(path), device()
    mine = np.arange(0, len(data["one"]), max(1, len(data["one"]) // 3000))
    raw = torch.from_numpy(data["patches"][mine]).permute(0, 3, 1, 2).float() / 255
    one = torch.from_numpy(data["one"][mine])
    network.eval()
    with torch.no_grad():
        logits = network(raw.to(place)).cpu()
    right = ((logits[:, 0] > 0) == one).float()
    even = float(right[one].mean() + right[~one].mean()) / 2
    loss = float(_loss(logits, one.float()))
    return f"{100 * even:.2f} % of {len(mine)} (loss {loss:.4f})"
