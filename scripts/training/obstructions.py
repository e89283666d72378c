"""Train the network that sees what lies on tiles; write `models/obstructions.onnx`.

It learns from windows of rendered scenes and of photographed squares as seen from above, over which
things are drawn anew for every step: hands, sleeves, dice, cards, glasses, phones, and the small
things of `rendering/things.py`, in skin, cloth, photographed ground, print, and plain colours like
those of terrains. Two things are true of a place: whether a tile lies there of which most is
hidden, and whether anything lies on the tile at all, as the smallest thing can hide a crown. Of a
thing that lies beside a kingdom the network has to see that no tile is below it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from kdvision.vision.models import OBSTRUCTION_LABELS
from kdvision.vision.squares.window import OBSTRUCTION_PX
from scripts.measuring.evaluation.covers import KINDS, over
from scripts.synthesis.rendering.things import THINGS
from scripts.training.augmentation import exposed, lit, recoloured
from scripts.training.export_onnx import export_small
from scripts.training.networks import CONTRAST, MIDDLE, OfBytes, Residual, conv
from scripts.training.plan import Run
from scripts.training.schedule import Batches, Rng, device, learn
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

Image = NDArray[np.uint8]
Array = NDArray[np.float64]
#: What is learnt of a place: that most of its tile is hidden, and that anything lies on it. The
#: first helps to learn the second, which alone is exported.
LEARNT = ("hidden", *OBSTRUCTION_LABELS)
#: Places along a side of a window that is kept of a kingdom.
KEPT = 15
#: Something lies on a tile where it takes at least this share of it: a crown takes about 0.02.
OBSTRUCTED_FROM = 0.02
#: Nothing does where at most this share is taken: edges and shadows of what lies beside.
FREE_BELOW = 0.004
#: How often something lies over a kingdom.
OVER = 0.55
#: How often something lies beside or over it; else nothing does.
ANYWHERE = 0.1
#: How often it is a small thing, of those of `rendering/things.py`.
SMALL = 0.65
#: How often there is print around the tiles.
PRINTED = 0.15
#: How often a shadow or a mirrored lamp lies over part of what is seen.
LIT = 0.35
#: Where a lamp takes more than this share of what a place shows, nothing is asked of it.
LOST_FROM = 0.35
#: How often what covers is of another stuff.
OTHER_STUFF = 0.3
#: Scenes that the published file was trained on.
SCENES = 500
#: Steps of its training.
STEPS = 12_000
#: Channels of its first layer.
BASE = 16
#: Seed of the scenes.
SCENE_SEED = 501
#: Seed of all else.
SEED = 71
#: So many scenes more of kingdoms in their first turns, as a share of all others.
FIRST_TURNS = 0.3
#: So many scenes more with castles, kings and cups, as a share of all others.
FURNISHED = 0.4
#: Kinds of stuff that things are made of.
STUFFS = 500
#: Kinds of plain colours that they are made of.
PLAIN_STUFFS = 100
#: Windows of photographed squares for each rendered one.
REAL_SHARE = 3.0
#: Pixels per square while photographed squares are laid.
LAID_PX = 48


class ObstructionNet(nn.Module):
    """What lies on tiles: (n, 3, 24 h, 24 w) in 0..1 to logits (n, 2, h, w) of places, as `LEARNT`.

    Of every place it first sees the pixels, then what is around it, and the whole window's mean.
    """

    def __init__(self, base: int) -> None:
        super().__init__()
        wide, wider, widest = base * 3 // 2, base * 2, base * 3
        self.pixels = nn.Sequential(
            conv(3, base, stride=2),
            conv(base, wide, stride=2),
            Residual(wide),
            conv(wide, wider, stride=2),
            conv(wider, wider),
        )
        self.place = nn.Sequential(
            nn.Conv2d(wider, widest, 3, stride=3, bias=False), nn.BatchNorm2d(widest), nn.ReLU()
        )
        self.window = nn.Conv2d(widest, widest, 1)
        self.around = nn.Sequential(Residual(widest), Residual(widest, 2))
        self.head = nn.Conv2d(2 * widest, len(LEARNT), 1)

    def forward(self, rgb: Tensor) -> Tensor:
        """Logits per place."""
        place = self.place(self.pixels((rgb - MIDDLE) * CONTRAST))
        place = place + self.window(place.mean(dim=(2, 3), keepdim=True))
        logits: Tensor = self.head(torch.cat([place, self.around(place)], dim=1))
        return logits


# ---------------------------------------------------------------------- views


@dataclass(frozen=True, slots=True)
class Views:
    """Random parts of windows over which things are drawn."""

    windows: list[Window]
    stuffs: list[Image]

    def draw(self, rng: Rng) -> tuple[Image, NDArray[np.float32]]:
        """Return a part of a window, turned, with print around its tiles and things over them.

        With it (2, places, places) of the labels: 1 true, 0 not, -1 not asked.
        """
        window = self.windows[rng.integers(len(self.windows))].part(rng)
        picture, seen = window.picture, window.seen
        if rng.random() < PRINTED:
            picture = window.printed(rng, edge_px=2)
        chance = rng.random()
        taken = np.zeros_like(seen)
        tiles = np.argwhere(~np.isnan(seen))
        if chance < OVER + ANYWHERE and len(tiles):
            places = tiles if chance < OVER else np.argwhere(np.ones_like(seen))
            for _ in range(int(rng.integers(1, 4))):
                at = places[rng.integers(len(places))][::-1] + rng.normal(0.5, 0.3, 2)
                picture, share = self._obstruct(picture, at * OBSTRUCTION_PX, rng)
                taken = 1 - (1 - taken) * (1 - share)
        labels = labels_of(seen, taken, window.start)
        if rng.random() < LIT:
            picture, lost = lit(picture, rng)
            labels[:, _by_place(lost).max(axis=(1, 3)) > LOST_FROM] = -1
        return exposed(picture, rng), labels

    def _obstruct(self, picture: Image, at: Array, rng: Rng) -> tuple[Image, Array]:
        """Return a picture with a thing over it, and the share of every place that it takes."""
        kinds = THINGS if rng.random() < SMALL else KINDS
        kind = kinds[str(rng.choice(list(kinds)))]
        layer, mask = kind(picture, rng, OBSTRUCTION_PX * np.exp(rng.normal(0, 0.2)), at)
        if rng.random() < OTHER_STUFF:
            stuff = self.stuffs[rng.integers(len(self.stuffs))]
            layer = recoloured(stuff, rng) if rng.random() < 0.5 else stuff
        edge, shadow = rng.uniform(0.3, 1.2), rng.uniform(0.5, 5.0)
        share = _by_place(mask).mean(axis=(1, 3)) / 255
        return over(picture, np.asarray(layer, np.uint8), mask, shadow, edge), share


def _by_place(pixels: NDArray[Any]) -> NDArray[Any]:
    """Return pixels (h, w) as (places, 24, places, 24)."""
    return pixels.reshape(SEEN, OBSTRUCTION_PX, SEEN, OBSTRUCTION_PX)


def labels_of(seen: Array, taken: Array, start: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return what is true of places: (2, places, places), 1 true, 0 not, -1 not asked.

    First whether most of a tile is hidden; of what lies apart from the tiles this is not asked.
    Then whether anything lies on a tile; of what else hides it in the scene this is not asked.

    Args:
        seen: How much of each tile the scene shows; NaN where none lies.
        taken: The share of each place that the things drawn over it take.
        start: Where the start tile is.
    """
    tile = ~np.isnan(seen)
    left = np.nan_to_num(seen * (1 - taken), nan=1.0)
    hidden = np.where(left < HIDDEN_BELOW, 1.0, np.where(left >= SHOWN_FROM, 0.0, -1.0))
    hidden = np.where(mark_asked(seen), hidden, -1.0)
    whole = np.nan_to_num(seen) >= 0.97
    obstructed = np.where(taken >= OBSTRUCTED_FROM, 1.0, -1.0)
    obstructed = np.where((taken < FREE_BELOW) & whole, 0.0, obstructed)
    obstructed = np.where(tile & ~start, obstructed, -1.0)
    return np.stack([hidden, obstructed]).astype(np.float32)


# ---------------------------------------------------------------------- training


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the mean loss of what is asked."""
    asked = labels >= 0
    return nn.functional.binary_cross_entropy_with_logits(logits[asked], labels[asked])


def measured(network: ObstructionNet, views: list[tuple[Tensor, Tensor]]) -> str:
    """Return the mean loss on views that train nothing, and how many windows are told."""
    logits = torch.cat([network(pictures.to(device())).cpu() for pictures, _ in views])
    labels = torch.cat([truth for _, truth in views])
    parts = [f"loss {float(loss_of(logits, labels)):.4f}"]
    for index, label in enumerate(LEARNT):
        most = logits[:, index].masked_fill(labels[:, index] < 0, -99.0).amax(dim=(1, 2))
        true = (labels[:, index] == 1).flatten(1).any(dim=1)
        limit = most[~true].quantile(0.98)
        told = (most[true] > limit).float().mean()
        parts.append(f"{label} {told:.1%} of {int(true.sum())} at 2 % of others at {limit:.2f}")
    return ", ".join(parts)


class _Exported(nn.Module):
    """What is exported of a network: the logits (n, 1, h, w) of the last label."""

    def __init__(self, network: ObstructionNet) -> None:
        super().__init__()
        self.network = network

    def forward(self, rgb: Tensor) -> Tensor:
        """Return the logits of pictures in 0..1."""
        logits: Tensor = self.network(rgb)[:, -1:]
        return logits


def make_obstructions(run: Run) -> None:
    """Render scenes, train on them, and write the model; one in ten only measures."""
    scenes = run.plan.scenes or SCENES
    side = SEEN * OBSTRUCTION_PX
    stuffs = make_stuffs(run.data, SEED, side=side, pictures=STUFFS, plain=PLAIN_STUFFS)
    parts: list[list[Window]] = [[], []]
    recipes = (("covers", 1.0), ("covers-first-turns", FIRST_TURNS), ("tables", FURNISHED))
    for recipe, share in recipes:
        for number, path in enumerate(run.render(recipe, round(scenes * share), SCENE_SEED)):
            windows = scene_windows(path, SEED, kept=KEPT, px=OBSTRUCTION_PX)
            parts[number % 10 == 0] += windows
    if run.data:
        rng = np.random.default_rng(SEED)
        chosen = rng.integers(len(parts[0]), size=round(REAL_SHARE * len(parts[0])))
        like = [parts[0][index] for index in chosen]
        parts[0] += real_windows(like, run.data, SEED, laid_px=LAID_PX)
    batches, unseen = (
        Batches(Views(windows, stuffs).draw, np.random.default_rng(SEED + number))
        for number, windows in enumerate(parts)
    )
    settings = run.settings(3e-3, 20, BASE, SEED, steps=STEPS)
    views = [unseen.draw(64) for _ in range(8 if settings.batch == 20 else 1)]
    network = learn(
        ObstructionNet,
        "obstructions",
        settings,
        draw=batches.draw,
        loss_of=loss_of,
        measure=lambda learnt: measured(learnt, views),
        decay=1e-2,
    )
    sides = (f"{OBSTRUCTION_PX}k", f"{OBSTRUCTION_PX}m")
    whole = OfBytes(_Exported(network))
    export_small(whole, "obstructions", (side, side), OBSTRUCTION_LABELS, 1.0, run.export, sides)
