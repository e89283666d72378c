"""Train the network that sees where something covers a kingdom; write `models/covers.onnx`.

It learns from windows of rendered scenes and of photographed squares as seen from above, over which
things are drawn anew for every step: hands, sleeves, dice, cards, glasses, phones, in skin, cloth,
photographed ground, print, and plain colours like those of terrains. What is true of a place is
whether a tile lies there and most of it is covered: of a thing that lies beside a kingdom the
network has to see that no tile is below it.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from kdvision.vision.models import COVER_LABELS
from kdvision.vision.squares.window import AROUND_PX
from scripts.arrays import Array, Image, Rng
from scripts.measuring.evaluation.covers import KINDS, over
from scripts.training.augmentation import exposed, recoloured
from scripts.training.export_onnx import export_small
from scripts.training.networks import CONTRAST, MIDDLE, OfBytes, Residual, conv
from scripts.training.plan import Run
from scripts.training.schedule import Batches, device, learn
from scripts.training.windows import (
    HIDDEN_BELOW,
    SEEN,
    SHOWN_FROM,
    Window,
    make_stuffs,
    mark_asked,
    real_windows,
    scene_windows,
)

#: Places along a side of a window that is kept of a kingdom.
KEPT = 17
#: How often something lies over a kingdom.
OVER = 0.55
#: How often something lies beside or over it; else nothing does.
ANYWHERE = 0.15
#: How often there is print around the tiles.
PRINTED = 0.15
#: How often what covers is of another stuff.
OTHER_STUFF = 0.4
#: Scenes that the published file was trained on.
SCENES = 2600
#: Steps of its training.
STEPS = 12_000
#: Channels of its first layer.
BASE = 16
#: Seed of the scenes.
SCENE_SEED = 501
#: Seed of all else.
SEED = 71
#: So many scenes more of kingdoms in their first turns, as a share of all others.
FIRST_TURNS = 0.5
#: Kinds of stuff that things are made of.
STUFFS = 600
#: Kinds of plain colours that they are made of.
PLAIN_STUFFS = 100
#: Windows of photographed squares for each rendered one.
REAL_SHARE = 0.4
#: Pixels per square while photographed squares are laid.
LAID_PX = 36


class CoverNet(nn.Module):
    """Where tiles are covered: (n, 3, 12 h, 12 w) in 0..1 to logits (n, 1, h, w) of places.

    Of every place it first sees the pixels, then what is around it, and the whole window's mean.
    """

    def __init__(self, base: int) -> None:
        super().__init__()
        wide, widest = base * 3 // 2, base * 2
        self.pixels = nn.Sequential(
            conv(3, base, stride=2), conv(base, wide, stride=2), conv(wide, wide)
        )
        self.place = nn.Sequential(
            nn.Conv2d(wide, widest, 3, stride=3, bias=False), nn.BatchNorm2d(widest), nn.ReLU()
        )
        self.window = nn.Conv2d(widest, widest, 1)
        self.around = nn.Sequential(Residual(widest), Residual(widest, 2))
        self.head = nn.Conv2d(widest, len(COVER_LABELS), 1)

    def forward(self, rgb: Tensor) -> Tensor:
        """Logits per place."""
        x = self.place(self.pixels((rgb - MIDDLE) * CONTRAST))
        x = x + self.window(x.mean(dim=(2, 3), keepdim=True))
        logits: Tensor = self.head(self.around(x))
        return logits


# ---------------------------------------------------------------------- views


@dataclass(frozen=True, slots=True)
class Views:
    """Random parts of windows over which things are drawn."""

    windows: list[Window]
    stuffs: list[Image]

    def draw(self, rng: Rng) -> tuple[Image, NDArray[np.float32]]:
        """Return a part of a window, turned, with print around its tiles and things over them.

        With it (places, places) 1 covered, 0 not, -1 not asked.
        """
        window = self.windows[rng.integers(len(self.windows))].part(rng)
        picture, seen = window.picture, window.seen
        if rng.random() < PRINTED:
            picture = window.printed(rng, edge_px=1)
        chance = rng.random()
        tiles = np.argwhere(~np.isnan(seen))
        if chance < OVER + ANYWHERE and len(tiles):
            places = tiles if chance < OVER else np.argwhere(np.ones_like(seen))
            for _ in range(int(rng.integers(1, 3))):
                at = places[rng.integers(len(places))][::-1] + rng.normal(0.5, 0.3, 2)
                picture, share = self._covered(picture, at * AROUND_PX, rng)
                seen = seen * (1 - share)
        return exposed(picture, rng), labels_of(seen)

    def _covered(self, picture: Image, at: Array, rng: Rng) -> tuple[Image, Array]:
        """Return a picture with a thing over it, and the share of every place that this covers."""
        kind = KINDS[str(rng.choice(list(KINDS)))]
        layer, mask = kind(picture, rng, AROUND_PX * np.exp(rng.normal(0, 0.25)), at)
        if rng.random() < OTHER_STUFF:
            stuff = self.stuffs[rng.integers(len(self.stuffs))]
            layer = recoloured(stuff, rng) if rng.random() < 0.5 else stuff
        edge, shadow = rng.uniform(0.3, 1.5), rng.uniform(0.5, 4.0)
        share = mask.reshape(SEEN, AROUND_PX, SEEN, AROUND_PX).mean(axis=(1, 3)) / 255
        return over(picture, layer, mask, shadow, edge), share


def labels_of(seen: Array) -> NDArray[np.float32]:
    """Return what is true of places: 1 covered, 0 not, -1 not asked: apart, or half seen."""
    shares = np.nan_to_num(seen, nan=1.0)
    labels = np.where(shares < HIDDEN_BELOW, 1.0, np.where(shares >= SHOWN_FROM, 0.0, -1.0))
    return np.where(mark_asked(seen), labels, -1.0).astype(np.float32)


# ---------------------------------------------------------------------- training


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the mean loss of the places that are asked."""
    asked = labels >= 0
    return nn.functional.binary_cross_entropy_with_logits(logits[:, 0][asked], labels[asked])


def measured(network: CoverNet, views: list[tuple[Tensor, Tensor]]) -> str:
    """Return the mean loss on views that train nothing, and how many covered windows are told."""
    logits = torch.cat([network(pictures.to(device())).cpu() for pictures, _ in views])
    labels = torch.cat([truth for _, truth in views])
    most = logits[:, 0].masked_fill(labels < 0, -99.0).amax(dim=(1, 2))
    covered = (labels == 1).flatten(1).any(dim=1)
    limit = most[~covered].quantile(0.98)
    told = (most[covered] > limit).float().mean()
    return (
        f"{told:.1%} of {int(covered.sum())} covered windows told at 2 % of others at {limit:.2f} "
        f"(loss {float(loss_of(logits, labels)):.4f})"
    )


def make_covers(run: Run) -> None:
    """Render scenes, train on them, and write the model; one in ten only measures."""
    scenes = run.plan.scenes or SCENES
    side = SEEN * AROUND_PX
    stuffs = make_stuffs(run.data, SEED, side=side, pictures=STUFFS, plain=PLAIN_STUFFS)
    parts: list[list[Window]] = [[], []]
    for recipe, share in (("covers", 1.0), ("covers-first-turns", FIRST_TURNS)):
        for number, path in enumerate(run.render(recipe, round(scenes * share), SCENE_SEED)):
            parts[number % 10 == 0] += scene_windows(path, SEED, kept=KEPT, px=AROUND_PX)
    if run.data:
        like = parts[0][: round(REAL_SHARE * len(parts[0]))]
        parts[0] += real_windows(like, run.data, SEED, laid_px=LAID_PX)
    batches, unseen = (
        Batches(Views(windows, stuffs).draw, np.random.default_rng(SEED + number))
        for number, windows in enumerate(parts)
    )
    settings = run.settings(3e-3, 20, BASE, SEED, steps=STEPS)
    views = [unseen.draw(64) for _ in range(8 if settings.batch == 20 else 1)]
    network = learn(
        CoverNet,
        "covers",
        settings,
        draw=batches.draw,
        loss_of=loss_of,
        measure=lambda learnt: measured(learnt, views),
        decay=1e-2,
    )
    sides = (f"{AROUND_PX}k", f"{AROUND_PX}m")
    export_small(OfBytes(network), "covers", (side, side), COVER_LABELS, 1.0, run.export, sides)
