"""Train the network that tells one domino from two.

    python -m scripts.training.seams.train --patches work/seams.npz --check work/seams-check.npz

What a picture shows of the terrains is for the deck to judge, not for this network: within each
pair of terrains one domino and two are drawn equally often. So a logit is the logarithm of a
likelihood ratio, and what the deck knows is not counted twice.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from scripts.training.augmentation import exposed
from scripts.training.networks import weights
from scripts.training.schedule import REPORT_EVERY, Budget, Clock, Settings, resume, save
from scripts.training.seams.data import SOURCES
from scripts.training.seams.network import SeamNet

Image = NDArray[np.uint8]
#: How much of a batch comes from real boards, which are few.
BOARD_SHARE = 0.3
#: How often a patch is made coarser, and to how few pixels per square of the picture.
COARSER, COARSEST = 0.35, 0.35
#: How it is trained where options say nothing else.
USUAL = Settings(Budget(10), rate=3e-3, batch=96, base=10, threads=1, seed=9)


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


def train(patches: list[Path], check: Path | None, out: Path, settings: Settings) -> None:
    """Train on patches and write the weights, goes on from what is there.

    Args:
        patches: Files of `data.py`.
        check: One whose figures are printed now and then.
        out: The file of the weights.
        settings: How long and how.
    """
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    cv2.setNumThreads(1)
    batches = Batches(patches, settings.seed)
    network = SeamNet(settings.base)
    if (clock := resume(out, network, settings.budget)) is None:
        clock = Clock(settings.budget)
    print(f"{len(batches.one):,} pairs, {weights(network):,} weights, from {clock.steps}")
    optimizer = torch.optim.AdamW(network.parameters(), lr=settings.rate, weight_decay=1e-3)
    running = 0.0
    while clock.share < 1:
        for group in optimizer.param_groups:
            group["lr"] = clock.rate(settings.rate)
        network.train()
        pictures, one = batches.draw(settings.batch)
        truth = 0.98 * one + 0.01
        loss = nn.functional.binary_cross_entropy_with_logits(network(pictures)[:, 0], truth)
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()
        clock.steps += 1
        now = float(loss.detach())
        running = 0.99 * running + 0.01 * now if running else now
        if clock.steps % REPORT_EVERY == 0:
            _report(network, check, clock, running)
            save(out, network, settings.base, clock)
    save(out, network, settings.base, clock)
    _report(network, check, clock, running)


def _report(network: SeamNet, check: Path | None, clock: Clock, running: float) -> None:
    head = f"seams: step {clock.steps} {clock.seconds:.0f} s ({min(clock.share, 1):.0%})"
    print(f"{head} train {running:.4f} {accuracy(network, check) if check else ''}", flush=True)


def accuracy(network: SeamNet, path: Path) -> str:
    """Right answers by source, both kinds weighed alike, and the mean loss."""
    data = np.load(path)
    network.eval()
    parts = []
    for number, name in enumerate(SOURCES):
        mine = np.nonzero(data["source"] == number)[0]
        mine = mine[:: max(1, len(mine) // 1500)]
        if len(mine) == 0:
            continue
        raw = torch.from_numpy(data["patches"][mine]).permute(0, 3, 1, 2).float() / 255
        with torch.no_grad():
            logits = network(raw)[:, 0]
        one = torch.from_numpy(data["one"][mine])
        right = ((logits > 0) == one).float()
        even = (right[one].mean() + right[~one].mean()) / 2
        loss = nn.functional.binary_cross_entropy_with_logits(logits, one.float())
        parts.append(f"{name} {100 * even:.2f} % of {len(mine)} (loss {loss:.4f})")
    return ", ".join(parts)


def main() -> None:
    """Load, train until the time is up, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--patches", type=Path, nargs="+", required=True)
    parser.add_argument("--check", type=Path)
    parser.add_argument("--out", type=Path, default=Path("work/seams.pt"))
    USUAL.add_options(parser)
    options = parser.parse_args()
    if options.half or options.start:
        parser.error("seams are trained in single precision, from nothing")
    settings = Settings.given(options)
    train(options.patches, options.check, options.out, settings)


if __name__ == "__main__":
    main()
