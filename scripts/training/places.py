"""Train the networks that see what lies on places; write `covers.onnx` and `obstructions.onnx`.

Both learn from windows of rendered scenes and of photographed squares as seen from above, over
which things are drawn anew for every step: hands, sleeves, dice, cards, glasses, phones, in skin,
cloth, photographed ground, print, and plain colours like those of terrains. Of a thing that lies
beside a kingdom a network has to see that no tile is below it.

What is true of a place: whether a tile lies there of which most is hidden, and whether anything
lies on the tile at all, as the smallest thing can hide a crown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from kdvision.vision.models import COVER_LABELS, OBSTRUCTION_LABELS
from kdvision.vision.squares.window import AROUND_PX, OBSTRUCTION_PX
from scripts.arrays import Array, Image, Rng
from scripts.measuring.evaluation.covers import KINDS, over
from scripts.synthesis.rendering.things import THINGS
from scripts.training.augmentation import exposed, lit, recoloured
from scripts.training.export_onnx import export_small
from scripts.training.networks import CONTRAST, MIDDLE, OfBytes, Residual, conv
from scripts.training.plan import Run
from scripts.training.schedule import Batches, device, learn
from scripts.training.windows import (
    SEEN,
    Window,
    make_stuffs,
    mark_asked,
    real_windows,
    scene_windows,
)

Labels = NDArray[np.float32]
#: A place is hidden where less than so much of its tile can be seen.
HIDDEN_BELOW = 0.5
#: It is not hidden where at least so much can be seen; what lies between teaches nothing.
SHOWN_FROM = 0.85
#: Something lies on a tile where it takes at least this share of it: a crown takes about 0.02.
OBSTRUCTED_FROM = 0.02
#: Nothing does where at most this share is taken: edges and shadows of what lies beside.
FREE_BELOW = 0.004
#: That nothing lies on a tile is learnt where so much of it can be seen.
WHOLE_FROM = 0.97
#: How often something lies over a kingdom.
OVER = 0.55
#: How often things lie anywhere, beside a kingdom or over it, beyond that.
ANYWHERE = 0.1
#: How many things lie there at most.
MOST_THINGS = 3
#: Spread of the logarithm of their size.
SIZES = 0.2
#: How often a thing is of another stuff.
OTHER_STUFF = 0.3
#: Over how many places the edge of a thing is blurred, at most.
SOFTEST_EDGE = 0.08
#: Over how many its shadow is, at most.
SOFTEST_SHADOW = 0.25
#: How often another ground lies around the tiles.
OTHER_TABLE = 0.15
#: How often a shadow or a mirrored lamp lies over part of what is seen.
LIT = 0.35
#: Where a lamp takes more than this share of what a place shows, nothing is asked of it.
LOST_FROM = 0.35
#: Steps of a training.
STEPS = 12_000
#: Seed of the scenes.
SCENE_SEED = 501
#: Seed of all else.
SEED = 71


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one of the networks learns, and from what.

    Attributes:
        name: Of its model.
        labels: What is learnt of a place, of `hidden` and `obstructed`; the last is exported.
        exported: The label of the model.
        px: Pixels along a side of a place.
        base: Channels of the first layer.
        scenes: How many scenes of the first recipe are rendered.
        recipes: Recipes of scenes, each with how many there are of it for one of the first.
        real_share: Windows of photographed squares for each rendered one.
        small: How often a thing is a small one, of those of `rendering/things.py`.
    """

    name: str
    labels: Sequence[str]
    exported: Sequence[str]
    px: int
    base: int
    scenes: int
    recipes: Sequence[tuple[str, float]]
    real_share: float
    small: float


COVERS = Lesson(
    name="covers",
    labels=("hidden",),
    exported=COVER_LABELS,
    px=AROUND_PX,
    base=12,
    scenes=2600,
    recipes=(("covers", 1.0), ("covers-first-turns", 0.5)),
    real_share=0.4,
    small=0.0,
)
OBSTRUCTIONS = Lesson(
    name="obstructions",
    # The first label helps to learn the second.
    labels=("hidden", "obstructed"),
    exported=OBSTRUCTION_LABELS,
    px=OBSTRUCTION_PX,
    base=16,
    scenes=500,
    # Of kingdoms in their first turns, and with castles, kings and cups.
    recipes=(("covers", 1.0), ("covers-first-turns", 0.3), ("tables", 0.4)),
    real_share=3.0,
    small=0.65,
)


class PlaceNet(nn.Module):
    """What lies on places: (n, 3, px h, px w) in 0..1 to logits (n, labels, h, w).

    Of every place it first sees the pixels, then what is around it, and the whole window's mean.
    """

    def __init__(self, base: int, lesson: Lesson) -> None:
        super().__init__()
        wide, widest = base * 2, base * 3
        layers = [conv(3, base, stride=2), conv(base, wide, stride=2), Residual(wide)]
        if lesson.px > AROUND_PX:
            layers += [conv(wide, wide, stride=2), conv(wide, wide)]
        self.pixels = nn.Sequential(*layers)
        self.place = nn.Sequential(
            nn.Conv2d(wide, widest, 3, stride=3, bias=False), nn.BatchNorm2d(widest), nn.ReLU()
        )
        self.window = nn.Conv2d(widest, widest, 1)
        self.around = nn.Sequential(Residual(widest), Residual(widest, 2))
        self.head = nn.Conv2d(2 * widest, len(lesson.labels), 1)

    def forward(self, rgb: Tensor) -> Tensor:
        """Return logits per place."""
        place = self.place(self.pixels((rgb - MIDDLE) * CONTRAST))
        place = place + self.window(place.mean(dim=(2, 3), keepdim=True))
        logits: Tensor = self.head(torch.cat([place, self.around(place)], dim=1))
        return logits


# ---------------------------------------------------------------------- views


@dataclass(frozen=True, slots=True)
class Views:
    """Random parts of windows over which things are drawn."""

    lesson: Lesson
    windows: list[Window]
    stuffs: list[Image]

    def draw(self, rng: Rng) -> tuple[Image, Labels]:
        """Return a part of a window, turned, on any table, with things over its tiles.

        With it the labels (labels, places, places): 1 true, 0 not, -1 not asked.
        """
        px = self.lesson.px
        window = self.windows[rng.integers(len(self.windows))].part(rng)
        picture = window.picture
        if rng.random() < OTHER_TABLE:
            picture = window.on_another_table(rng)
        # Things over tiles, or anywhere.
        chance = rng.random()
        taken = np.zeros_like(window.seen)
        tiles = np.argwhere(~np.isnan(window.seen))
        if chance < OVER + ANYWHERE and len(tiles):
            places = tiles if chance < OVER else np.argwhere(np.ones_like(taken))
            for _ in range(int(rng.integers(1, MOST_THINGS + 1))):
                at = places[rng.integers(len(places))][::-1] + rng.normal(0.5, 0.3, 2)
                picture, share = self._obstruct(picture, at * px, rng)
                taken = 1 - (1 - taken) * (1 - share)
        labels = labels_of(window, taken)[: len(self.lesson.labels)]
        # Another light, and another camera.
        if rng.random() < LIT:
            picture, lost = lit(picture, rng)
            labels[:, self._by_place(lost).max(axis=(1, 3)) > LOST_FROM] = -1
        return exposed(picture, rng), labels

    def _obstruct(self, picture: Image, at: Array, rng: Rng) -> tuple[Image, Array]:
        """Return a picture with a thing over it, and the share of every place that it takes."""
        px = self.lesson.px
        kinds = THINGS if rng.random() < self.lesson.small else KINDS
        kind = kinds[str(rng.choice(list(kinds)))]
        layer, mask = kind(picture, rng, px * np.exp(rng.normal(0, SIZES)), at)
        if rng.random() < OTHER_STUFF:
            stuff = self.stuffs[rng.integers(len(self.stuffs))]
            layer = recoloured(stuff, rng) if rng.random() < 0.5 else stuff
        edge = rng.uniform(0.3, SOFTEST_EDGE * px)
        shadow = rng.uniform(0.5, SOFTEST_SHADOW * px)
        share = self._by_place(mask).mean(axis=(1, 3)) / 255
        return over(picture, np.asarray(layer, np.uint8), mask, shadow, edge), share

    def _by_place(self, pixels: NDArray[Any]) -> NDArray[Any]:
        """Return pixels (h, w) as (places, px, places, px)."""
        return pixels.reshape(SEEN, self.lesson.px, SEEN, self.lesson.px)


def labels_of(window: Window, taken: Array) -> Labels:
    """Return (2, places, places) whether tiles are hidden, and whether anything lies on them.

    1 is true, 0 not, -1 not asked: what lies apart from the tiles, and what is half hidden. Whether
    anything lies on a tile is not asked of what else hides it in the scene.

    Args:
        window: What is seen before things lie on it.
        taken: (places, places) the share of each place that things take.
    """
    left = np.nan_to_num(window.seen * (1 - taken), nan=1.0)
    hidden = np.full(left.shape, -1.0)
    hidden[left < HIDDEN_BELOW] = 1.0
    hidden[left >= SHOWN_FROM] = 0.0
    hidden[~mark_asked(window.seen)] = -1.0
    whole = np.nan_to_num(window.seen) >= WHOLE_FROM
    obstructed = np.full(taken.shape, -1.0)
    obstructed[taken >= OBSTRUCTED_FROM] = 1.0
    obstructed[(taken < FREE_BELOW) & whole] = 0.0
    obstructed[np.isnan(window.seen) | window.start] = -1.0
    return np.stack([hidden, obstructed]).astype(np.float32)


# ---------------------------------------------------------------------- training


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the mean loss of what is asked."""
    asked = labels >= 0
    return nn.functional.binary_cross_entropy_with_logits(logits[asked], labels[asked])


def measured(network: nn.Module, names: Sequence[str], views: list[tuple[Tensor, Tensor]]) -> str:
    """Return the mean loss on views that train nothing, and how many windows are told."""
    logits = torch.cat([network(pictures.to(device())).cpu() for pictures, _ in views])
    labels = torch.cat([truth for _, truth in views])
    parts = [f"loss {float(loss_of(logits, labels)):.4f}"]
    for index, name in enumerate(names):
        most = logits[:, index].masked_fill(labels[:, index] < 0, -99.0).amax(dim=(1, 2))
        true = (labels[:, index] == 1).flatten(1).any(dim=1)
        limit = most[~true].quantile(0.98)
        told = (most[true] > limit).float().mean()
        parts.append(f"{name} {told:.1%} of {int(true.sum())} at 2 % of others at {limit:.2f}")
    return ", ".join(parts)


class _LastLabel(nn.Module):
    """What is exported of a network: the logits (n, 1, h, w) of the last label."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, rgb: Tensor) -> Tensor:
        """Return the logits of pictures in 0..1."""
        logits: Tensor = self.network(rgb)[:, -1:]
        return logits


def make_model(lesson: Lesson, run: Run) -> None:
    """Render scenes, train a network on them, and write the model of its last label.

    One scene in ten only measures.
    """
    # Windows of scenes, and of photographed squares on the places of some of these.
    scenes = run.plan.scenes or lesson.scenes
    training: list[Window] = []
    checking: list[Window] = []
    for recipe, share in lesson.recipes:
        for number, path in enumerate(run.render(recipe, round(scenes * share), SCENE_SEED)):
            part = training if number % 10 else checking
            part += scene_windows(path, SEED, px=lesson.px)
    if run.data:
        count = round(lesson.real_share * len(training))
        chosen = np.random.default_rng(SEED).integers(len(training), size=count)
        training += real_windows([training[index] for index in chosen], run.data, SEED)
    # Views of these, without end.
    side = SEEN * lesson.px
    stuffs = make_stuffs(run.data, SEED, side)
    views = Batches(Views(lesson, training, stuffs).draw, np.random.default_rng(SEED))
    unseen = Batches(Views(lesson, checking, stuffs).draw, np.random.default_rng(SEED + 1))
    checks = [unseen.draw(64) for _ in range(8)]
    network = learn(
        partial(PlaceNet, lesson=lesson),
        lesson.name,
        run.settings(3e-3, 20, lesson.base, SEED, steps=STEPS),
        draw=views.draw,
        loss_of=loss_of,
        measure=lambda learnt: measured(learnt, lesson.labels, checks),
        decay=1e-2,
    )
    sides = (f"{lesson.px}k", f"{lesson.px}m")
    whole = OfBytes(_LastLabel(network))
    export_small(whole, lesson.name, (side, side), lesson.exported, 1.0, run.export, sides)
