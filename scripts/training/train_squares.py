"""Train the network that classifies squares, on the patches of `patch_data.py`."""

from pathlib import Path
from typing import cast

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel

from kdvision.rules.terrain import CASTLE_LABEL, EMPTY_LABEL
from scripts.arrays import AnyArray, Array, Image, Rng
from scripts.synthesis import lens
from scripts.training.augmentation import printed, recoloured
from scripts.training.labels import CLASSIFIER_LABELS
from scripts.training.networks import SquareNet
from scripts.training.patch_data import SOURCES
from scripts.training.schedule import Batches, Settings, answers, learn

#: How often each source is drawn.
SHARES = {"scene": 0.5, "board": 0.2, "crop": 0.3}
#: So many times oftener than another label as rare castles are drawn: what stands on a start tile
#: can look like anything, and crowns in all colours look like small bricks.
CASTLES_OFTENER = 3.0


def sampling(labels: AnyArray, source: AnyArray) -> Array:
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
    """Return what else may happen to a square: low resolution, shake, things that cover a part."""
    if rng.random() < 0.35:
        across = rng.uniform(0.3, 0.9)
        # Seen from low down, a square has fewer pixels in one direction than in the other.
        along = across * rng.uniform(0.5, 1.0) if rng.random() < 0.4 else across
        small = cv2.resize(patch, None, fx=across, fy=max(along, 0.2), interpolation=cv2.INTER_AREA)
        patch = np.asarray(cv2.resize(small, patch.shape[1::-1]), np.uint8)
    if rng.random() < 0.12:
        patch = lens.defocused(patch, rng.uniform(0.5, 2.2))
    if rng.random() < 0.12:
        patch = lens.through_jpeg(patch, int(rng.integers(12, 60)))
    if rng.random() < 0.12:
        patch = patch.copy()
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        centre = tuple(int(v) for v in rng.integers(0, 64, 2))
        axes = tuple(int(v) for v in rng.integers(3, 16, 2))
        cv2.ellipse(patch, centre, axes, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)
    if rng.random() < 0.25:
        patch = mirror_sky(patch, rng)
    return np.rot90(patch, int(rng.integers(4)))


#: Rows and columns of a patch, from -0.5 to 0.5.
_ACROSS = np.mgrid[-0.5:0.5:64j, -0.5:0.5:64j].astype(np.float32)


def mirror_sky(patch: Image, rng: Rng) -> Image:
    """Return the reflection of the sky in a glossy tile: from one hue to another, with clouds.

    Mirrored light is added to that of the print; where much of it is, the print is washed out.
    """
    hues = rng.normal([[150, 185, 235], [215, 205, 215]], [[45, 35, 25], [35, 30, 30]])
    if rng.random() < 0.3:
        hues[:] = rng.normal([235, 230, 215], 25)  # a lamp or a white wall
    angle = rng.uniform(0, 2 * np.pi)
    y, x = _ACROSS
    along = np.clip(0.5 + (x * np.cos(angle) + y * np.sin(angle)) * rng.uniform(0.3, 1.4), 0, 1)
    colour = hues[0] + (hues[1] - hues[0]) * along[..., None]
    coarse = rng.random((4, 4)).astype(np.float32) ** rng.uniform(0.4, 2.5)
    clouds = cv2.resize(coarse, (64, 64), interpolation=cv2.INTER_CUBIC)
    weight = np.clip(clouds * (1.2 - rng.uniform(0, 1) * along), 0, 1) * rng.uniform(0.2, 0.9)
    reflected = np.clip(colour, 20, 255) / 255 * weight[..., None]
    light = patch / np.float32(255)
    if rng.random() < 0.6:
        light = 1 - (1 - light) * (1 - reflected)
    else:
        light = light * (1 - weight[..., None]) + reflected
    return np.asarray(np.clip(light * 255, 0, 255), np.uint8)


def light(pictures: Tensor, generator: torch.Generator) -> Tensor:
    """Change lamps and exposures, and add noise to half of them: (n, 3, h, w) in 0..1."""
    count = len(pictures)

    def draw(spread: float, channels: int = 1) -> Tensor:
        return torch.randn(count, channels, 1, 1, generator=generator) * spread

    grey = pictures.mean(dim=1, keepdim=True)
    pictures = grey + (pictures - grey).mul_(torch.exp(draw(0.2)))
    mean = pictures.mean(dim=(1, 2, 3), keepdim=True)
    gain = torch.exp(draw(0.22) + draw(0.09, 3))
    # Contrast about the mean, then exposure and tint, in one go.
    contrast = torch.exp(draw(0.15))
    pictures.mul_(contrast * gain).add_(mean * (1 - contrast) * gain + draw(0.02))
    noisy = pictures[: count // 2]
    noise = torch.randn(noisy.shape, generator=generator)
    noisy.add_(noise.mul_(draw(0.04).abs()[: count // 2]))
    return pictures.clamp_(0, 1)


class Patches:
    """Random patches of a file, damaged, in other light."""

    def __init__(self, path: Path, seed: int) -> None:
        file = np.load(path)
        self.patches, self.labels = file["patches"], file["labels"]
        self.cumulative = sampling(self.labels, file["source"])
        self.generator = torch.Generator().manual_seed(seed)
        self.batches = Batches(self._view, np.random.default_rng(seed))

    def draw(self, size: int) -> tuple[Tensor, Tensor]:
        """Return pictures (size, 3, 64, 64) in 0..1 and labels (size,)."""
        pictures, labels = self.batches.draw(size)
        return light(pictures, self.generator), labels

    def _view(self, rng: Rng) -> tuple[Image, np.int64]:
        """Damage a patch; ground and castles also get other colours, as they come in all.

        Ground also with other prints on it.
        """
        index = int(np.searchsorted(self.cumulative[:-1], rng.random()))
        patch, label = self.patches[index], np.int64(self.labels[index])
        if label == EMPTY_LABEL:
            kind = rng.random()
            if kind < 0.4:
                patch = recoloured(patch, rng)
            elif kind < 0.7:
                patch = self._like_a_tile(patch, rng)
            if rng.random() < 0.45:
                patch = printed(patch, rng)
        elif label == CASTLE_LABEL:
            kind = rng.random()
            if kind < 0.35:
                patch = np.ascontiguousarray(patch[..., rng.permutation(3)])
            elif kind < 0.55:
                patch = self._like_a_tile(patch, rng)
        return damage(patch, rng), label

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


def train(patches: Path, check: Path, settings: Settings) -> SquareNet:
    """Train on patches.

    Args:
        patches: A file of `patch_data.py`.
        check: One of patches that train nothing.
        settings: How long and how.
    """
    return learn(
        SquareNet,
        "squares",
        settings,
        draw=Patches(patches, settings.seed).draw,
        loss_of=nn.functional.cross_entropy,
        measure=lambda network: measured(network, check)[1],
        decay=5e-4,
    )


def averaged(networks: list[SquareNet]) -> SquareNet:
    """Return the network in the middle of networks.

    Ends of trainings that began with one another lie in one wide valley: between them the network
    is right more often than at any end, and less sure where it is wrong.
    """
    middle = AveragedModel(networks[0], use_buffers=True)
    for network in networks:
        middle.update_parameters(network)
    return cast(SquareNet, middle.module.eval())
