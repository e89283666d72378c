"""Networks that see what lies on places: what covers and obstructions have in common.

Both learn from windows of rendered scenes and of photographed squares as seen from above, over
which things are drawn anew for every step: hands, sleeves, dice, cards, glasses, phones, in skin,
cloth, photographed ground, print, and plain colours like those of terrains. Of a thing that lies
beside a kingdom a network has to see that no tile is below it.
"""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from msgspec import Struct
from torch import Tensor, nn

from scripts.arrays import AnyArray, Array, Floats, Image, Rng
from scripts.measuring.evaluation.covers import KINDS, SHADE, over
from scripts.synthesis.rendering.cover import HIDDEN_BELOW
from scripts.synthesis.rendering.things import THINGS
from scripts.training import windows
from scripts.training.augmentation import exposed, lit, recoloured
from scripts.training.export_onnx import export_small
from scripts.training.networks import OfBytes
from scripts.training.plan import Run
from scripts.training.schedule import Batches, device, learn
from scripts.training.windows import SEEN, SHOWN_FROM, Window, mark_asked

#: How often something lies over a kingdom.
OVER = 0.55
#: How often there is print around the tiles.
PRINTED = 0.15
#: Where a lamp takes more than this share of what a place shows, nothing is asked of it.
LOST_FROM = 0.35
#: How many shadows and mirrored lamps lie over what is seen at most.
MOST_LIGHTS = 3
#: Steps of a training.
STEPS = 12_000
#: Channels of the first layer.
BASE = 16
#: Seed of the scenes.
SCENE_SEED = 501
#: Seed of all else.
SEED = 71
#: Kinds of plain colours that things are made of.
PLAIN_STUFFS = 100


class Lesson(Struct, frozen=True, eq=False):
    """What one of the networks learns, and from what.

    Attributes:
        name: Of its model.
        labels: What is true or not of a place, in the order of its outputs.
        labels_of: Returns the labels (labels, places, places) of a window of which things take a
            share (places, places): 1 true, 0 not, -1 not asked.
        px: Pixels along a side of a place.
        kept: Places along a side of a window that is kept of a kingdom.
        scenes: How many scenes of the first recipe are rendered.
        recipes: Recipes of scenes, each with how many there are of it for one of the first.
        real_share: Windows of photographed squares for each rendered one.
        laid_px: Pixels per square while photographed squares are laid.
        stuffs: Kinds of stuff that things are made of, beside plain colours.
        anywhere: How often things lie anywhere, beside a kingdom or over it, beyond `OVER`.
        most_things: How many things lie there at most.
        sizes: Spread of the logarithm of their size.
        other_stuff: How often a thing is of another stuff.
        softest_edge: Pixels over which the edge of a thing is blurred, at most.
        softest_shadow: Pixels over which its shadow is blurred, at most.
        print_edge_px: Pixels around tiles without print.
        small: How often a thing is a small one, of those of `rendering/things.py`.
        flat: How often it casts no shadow, as a sticker.
        lit: How often shadows or mirrored lamps lie over part of what is seen.
    """

    name: str
    labels: Sequence[str]
    labels_of: Callable[[Window, Array], Floats]
    px: int
    kept: int
    scenes: int
    recipes: Sequence[tuple[str, float]]
    real_share: float
    laid_px: int
    stuffs: int
    anywhere: float
    most_things: int
    sizes: float
    other_stuff: float
    softest_edge: float
    softest_shadow: float
    print_edge_px: int
    small: float = 0.0
    flat: float = 0.0
    lit: float = 0.0


class Views(Struct, frozen=True, eq=False):
    """Random parts of windows over which things are drawn."""

    lesson: Lesson
    windows: list[Window]
    stuffs: list[Image]

    def draw(self, rng: Rng) -> tuple[Image, Floats]:
        """Return a part of a window, turned, with print around its tiles and things over them.

        With it the labels (labels, places, places): 1 true, 0 not, -1 not asked.
        """
        lesson = self.lesson
        window = self.windows[rng.integers(len(self.windows))].part(rng)
        picture = window.picture
        if rng.random() < PRINTED:
            picture = window.printed(rng, lesson.print_edge_px)
        # Things over tiles, or anywhere.
        chance = rng.random()
        taken = np.zeros_like(window.seen)
        tiles = np.argwhere(~np.isnan(window.seen))
        if chance < OVER + lesson.anywhere and len(tiles):
            places = tiles if chance < OVER else np.argwhere(np.ones_like(taken))
            for _ in range(int(rng.integers(1, lesson.most_things + 1))):
                at = places[rng.integers(len(places))][::-1] + rng.normal(0.5, 0.3, 2)
                picture, share = self._obstruct(picture, at * lesson.px, rng)
                taken = 1 - (1 - taken) * (1 - share)
        labels = lesson.labels_of(window, taken)
        # Another light, and another camera.
        if lesson.lit and rng.random() < lesson.lit:
            for _ in range(int(rng.integers(1, MOST_LIGHTS + 1))):
                picture, lost = lit(picture, rng)
                labels[:, self._by_place(lost).max(axis=(1, 3)) > LOST_FROM] = -1
        return exposed(picture, rng), labels

    def _obstruct(self, picture: Image, at: Array, rng: Rng) -> tuple[Image, Array]:
        """Return a picture with a thing over it, and the share of every place that it takes."""
        lesson = self.lesson
        is_small = lesson.small and rng.random() < lesson.small
        kinds = THINGS if is_small else KINDS
        kind = kinds[str(rng.choice(list(kinds)))]
        layer, mask = kind(picture, rng, lesson.px * np.exp(rng.normal(0, lesson.sizes)), at)
        if rng.random() < lesson.other_stuff:
            stuff = self.stuffs[rng.integers(len(self.stuffs))]
            layer = recoloured(stuff, rng) if rng.random() < 0.5 else stuff
        edge = rng.uniform(0.3, lesson.softest_edge)
        shadow = rng.uniform(0.5, lesson.softest_shadow)
        shade = 0.0 if lesson.flat and rng.random() < lesson.flat else SHADE
        share = self._by_place(mask).mean(axis=(1, 3)) / 255
        return over(picture, np.asarray(layer, np.uint8), mask, shadow, edge, shade), share

    def _by_place(self, pixels: AnyArray) -> AnyArray:
        """Return pixels (h, w) as (places, px, places, px)."""
        return pixels.reshape(SEEN, self.lesson.px, SEEN, self.lesson.px)


def hidden_labels(window: Window, taken: Array) -> Array:
    """Return (places, places) where most of a tile is hidden: 1 true, 0 not, -1 not asked.

    Of what lies apart from the tiles this is not asked, nor of what is half hidden.
    """
    left = np.nan_to_num(window.seen * (1 - taken), nan=1.0)
    hidden = np.full(left.shape, -1.0)
    hidden[left < HIDDEN_BELOW] = 1.0
    hidden[left >= SHOWN_FROM] = 0.0
    return np.where(mark_asked(window.seen), hidden, -1.0)


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


def make_model(run: Run, make: Callable[[int], nn.Module], lesson: Lesson) -> None:
    """Render scenes, train a network on them, and write the model of its last label.

    One scene in ten only measures.
    """
    # Windows of scenes, and of photographed squares on the places of some of these.
    scenes = run.plan.share_of(lesson.scenes)
    training: list[Window] = []
    checking: list[Window] = []
    for recipe, share in lesson.recipes:
        for number, path in enumerate(run.render(recipe, round(scenes * share), SCENE_SEED)):
            part = training if number % 10 else checking
            part += windows.scene_windows(path, SEED, kept=lesson.kept, px=lesson.px)
    if run.data:
        count = round(lesson.real_share * len(training))
        like = training[:count]
        if count > len(training):
            # More than there are: any of them, many several times.
            chosen = np.random.default_rng(SEED).integers(len(training), size=count)
            like = [training[index] for index in chosen]
        training += windows.real_windows(like, run.data, SEED, laid_px=lesson.laid_px)
    # Views of these, without end.
    side = SEEN * lesson.px
    stuffs = windows.make_stuffs(
        run.data, SEED, side=side, pictures=lesson.stuffs, plain=PLAIN_STUFFS
    )
    views = Views(lesson, training, stuffs), Views(lesson, checking, stuffs)
    batches = Batches(views[0].draw, np.random.default_rng(SEED))
    unseen = Batches(views[1].draw, np.random.default_rng(SEED + 1))
    settings = run.settings(3e-3, 20, BASE, SEED, STEPS)
    checks = [unseen.draw(64) for _ in range(8 if settings.batch == 20 else 1)]
    network = learn(
        make,
        lesson.name,
        settings,
        draw=batches.draw,
        loss_of=loss_of,
        measure=lambda learnt: measured(learnt, lesson.labels, checks),
        decay=1e-2,
    )
    whole = OfBytes(_LastLabel(network) if len(lesson.labels) > 1 else network)
    sides = (f"{lesson.px}k", f"{lesson.px}m")
    labels = lesson.labels[-1:]
    export_small(whole, lesson.name, (side, side), labels, 1.0, run.export, sides)
