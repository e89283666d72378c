"""Train the network that sees where something covers a kingdom; write `models/covers.onnx`.

It learns from windows of rendered scenes and of photographed squares as seen from above, over which
things are drawn anew for every step: hands, sleeves, dice, cards, glasses, phones, in skin, cloth,
photographed ground, print, and plain colours like those of terrains. What is true of a place is
whether a tile lies there and most of it is covered: of a thing that lies beside a kingdom the
network has to see that no tile is below it.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from kdvision.rules.kingdom import Kingdom
from kdvision.vision.geometry import project, shift_origin
from kdvision.vision.models import COVER_LABELS
from kdvision.vision.squares.window import AROUND_PX, PATCH_PX, PX_PER_SQUARE, around
from scripts.data_split import boards, crops
from scripts.measuring.evaluation.covers import KINDS, over
from scripts.synthesis.rendering import table_textures
from scripts.synthesis.rendering.art import read_rgb
from scripts.training.augmentation import exposed, printed, recoloured
from scripts.training.export_onnx import export_small
from scripts.training.labels import CLASSIFIER_LABELS
from scripts.training.networks import CONTRAST, MIDDLE, OfBytes, Residual, conv
from scripts.training.patch_data import board_patches, jittered
from scripts.training.plan import Run
from scripts.training.schedule import Batches, Rng, device, learn

Image = NDArray[np.uint8]
Array = NDArray[np.float64]
#: Places along a side of a window that is kept of a kingdom, and of the part that a step sees.
KEPT, SEEN = 17, 9
#: A place is covered where less than so much of its tile can be seen, and is not from the other
#: share on; what lies between teaches nothing.
COVERED_BELOW, CLEAR_FROM = 0.5, 0.85
_UNASKED = (COVERED_BELOW + CLEAR_FROM) / 2
_CORNERS = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
#: How often something lies over a kingdom, and how often beside or over it; else nothing does.
OVER, ANYWHERE = 0.55, 0.15
#: How often there is print around the tiles, and how often what covers is of another stuff.
PRINTED, OTHER_STUFF = 0.15, 0.4
#: Of the published file: scenes, steps, channels of the first layer, seeds of scenes and the rest.
SCENES, STEPS, BASE, SCENE_SEED, SEED = 2600, 12_000, 16, 501, 71
#: So many scenes more of kingdoms in their first turns, as a share of all others.
FIRST_TURNS = 0.5
#: Kinds of stuff that things are made of, and of plain colours.
STUFFS, PLAIN_STUFFS = 600, 100
#: Windows of photographed squares for each rendered one, and the squares that a photo needs.
REAL_SHARE, LEAST_SQUARES = 0.4, 8
#: Pixels per square while photographed squares are laid, and how loosely they lie, in squares.
_LAID_PX, _LOOSE = 36, 0.03


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


# ---------------------------------------------------------------------- windows


def scene_windows(path: Path, seed: int) -> Iterator[tuple[Image, Array]]:
    """The windows of a scene's kingdoms, and (17, 17) how much is seen of the tiles there.

    NaN where no tile of the kingdom lies. Of tiles that the border cuts nothing is asked.
    """
    rng = np.random.default_rng([seed, int(path.stem)])
    truth, picture = json.loads(path.read_text()), read_rgb(path.with_suffix(".jpg"))
    for about in truth["kingdoms"]:
        kingdom, visible = Kingdom.parse(about["line"]), np.array(about["visible"])
        rows, cols = kingdom.height, kingdom.width
        top, left = (KEPT - rows) // 2, (KEPT - cols) // 2
        seen = np.full((KEPT, KEPT), np.nan)
        homography = np.array(about["homography"])
        for row, col in (*kingdom.squares(), *kingdom.castles()):
            corners = project(homography, np.array([col, row]) + _CORNERS)
            inside = ((corners >= 0) & (corners < picture.shape[1::-1])).all()
            seen[row + top, col + left] = visible[row + 1, col + 1] if inside else _UNASKED
        homography = jittered(homography, rows, cols, rng)
        yield around(picture, shift_origin(homography, -left, -top), KEPT, KEPT), seen


def real_windows(
    shapes: Iterable[NDArray[np.intp]], data: Path, seed: int
) -> Iterator[tuple[Image, Array]]:
    """Windows of kingdoms of such places (n, 2), each of the squares of one photo, on a table."""
    rng, px = np.random.default_rng(seed), _LAID_PX
    every = crops(data, measuring=False)
    ground = [crop for crop in every if crop.label == "-"]
    photos: dict[str, list[Image]] = defaultdict(list)
    for crop in every:
        if crop.label != "-":
            photos[crop.source].append(read_rgb(crop.path))
    edge = (PATCH_PX - PX_PER_SQUARE) // 2
    for board in boards(data, measuring=False):
        patches, labels = board_patches(board, seed, 1)
        patches = patches[labels != CLASSIFIER_LABELS.index("-")]
        photos[board.group] += list(patches[:, edge:-edge, edge:-edge])
    decks = [squares for squares in photos.values() if len(squares) >= LEAST_SQUARES]
    for places in shapes:
        squares = decks[rng.integers(len(decks))]
        table = table_textures.any_table(rng, ground, KEPT * px, KEPT * px).copy()
        seen = np.full((KEPT, KEPT), np.nan)
        seen[tuple(places.T)] = 1.0
        for row, col in np.round((places + rng.normal(0, _LOOSE, places.shape)) * px).astype(int):
            square = cv2.resize(squares[rng.integers(len(squares))], (px, px))
            table[row : row + px, col : col + px] = np.rot90(square, int(rng.integers(4)))
        homography = jittered(np.diag([px, px, 1.0]), KEPT, KEPT, rng)
        yield around(table, homography, KEPT, KEPT), seen


def cover_stuffs(data: Path | None, seed: int) -> list[Image]:
    """Pictures of what things may be made of, as large as what a step sees."""
    rng = np.random.default_rng(seed)
    ground = [crop for crop in crops(data, measuring=False) if crop.label == "-"] if data else []
    side = SEEN * AROUND_PX
    pictures = [table_textures.flat_picture(rng, ground) for _ in range(STUFFS)]
    pictures += [table_textures.plain_cloth(rng, side, side) for _ in range(PLAIN_STUFFS)]
    return [np.asarray(cv2.resize(picture, (side, side)), np.uint8) for picture in pictures]


@dataclass(frozen=True, slots=True)
class Views:
    """Random parts of windows over which things are drawn."""

    windows: list[tuple[Image, Array]]
    stuffs: list[Image]

    def draw(self, rng: Rng) -> tuple[Image, NDArray[np.float32]]:
        """A part of a window, turned, with print around its tiles and things over them.

        With it (places, places) 1 covered, 0 not, -1 not asked.
        """
        px = AROUND_PX
        whole, seen = self.windows[rng.integers(len(self.windows))]
        row, col = rng.integers(0, KEPT - SEEN + 1, 2)
        picture = whole[row * px : (row + SEEN) * px, col * px : (col + SEEN) * px]
        seen = seen[row : row + SEEN, col : col + SEEN]
        quarters, step = int(rng.integers(4)), int(rng.choice([1, -1]))
        picture = np.ascontiguousarray(np.rot90(picture, quarters)[:, ::step])
        seen = np.rot90(seen, quarters)[:, ::step]
        if rng.random() < PRINTED:
            table = printed(picture, rng)
            is_tile = np.kron(~np.isnan(seen), np.ones((px, px))).astype(np.uint8)
            is_tile = np.asarray(cv2.dilate(is_tile, np.ones((3, 3), np.uint8)), np.uint8)
            picture = np.where(is_tile[..., None] > 0, picture, table)
        chance = rng.random()
        tiles = np.argwhere(~np.isnan(seen))
        if chance < OVER + ANYWHERE and len(tiles):
            places = tiles if chance < OVER else np.argwhere(np.ones_like(seen))
            for _ in range(int(rng.integers(1, 3))):
                at = (places[rng.integers(len(places))][::-1] + rng.normal(0.5, 0.3, 2)) * px
                picture, share = self._covered(picture, at, rng)
                seen = seen * (1 - share)
        return exposed(picture, rng), labels_of(seen)

    def _covered(self, picture: Image, at: Array, rng: Rng) -> tuple[Image, Array]:
        """A picture with a thing over it, and the share of every place that this covers."""
        kind = KINDS[str(rng.choice(list(KINDS)))]
        layer, mask = kind(picture, rng, AROUND_PX * np.exp(rng.normal(0, 0.25)), at)
        if rng.random() < OTHER_STUFF:
            stuff = self.stuffs[rng.integers(len(self.stuffs))]
            layer = recoloured(stuff, rng) if rng.random() < 0.5 else stuff
        edge, shadow = rng.uniform(0.3, 1.5), rng.uniform(0.5, 4.0)
        share = mask.reshape(SEEN, AROUND_PX, SEEN, AROUND_PX).mean(axis=(1, 3)) / 255
        return over(picture, layer, mask, shadow, edge), share


def labels_of(seen: Array) -> NDArray[np.float32]:
    """What is true of places: 1 covered, 0 not, -1 not asked, as it lies apart or is half seen."""
    tile = ~np.isnan(seen)
    padded = np.pad(tile, 1)
    beside = padded[:-2, 1:-1] | padded[2:, 1:-1] | padded[1:-1, :-2] | padded[1:-1, 2:]
    shares = np.nan_to_num(seen, nan=1.0)
    labels = np.where(shares < COVERED_BELOW, 1.0, np.where(shares >= CLEAR_FROM, 0.0, -1.0))
    return np.where(tile | beside, labels, -1.0).astype(np.float32)


# ---------------------------------------------------------------------- training


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """The mean loss of the places that are asked."""
    asked = labels >= 0
    return nn.functional.binary_cross_entropy_with_logits(logits[:, 0][asked], labels[asked])


def measured(network: CoverNet, views: list[tuple[Tensor, Tensor]]) -> str:
    """The mean loss on views that train nothing, and how many covered windows are told."""
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
    scenes, stuffs = run.plan.scenes or SCENES, cover_stuffs(run.data, SEED)
    parts: list[list[tuple[Image, Array]]] = [[], []]
    for recipe, share in (("covers", 1.0), ("covers-first-turns", FIRST_TURNS)):
        for number, path in enumerate(run.render(recipe, round(scenes * share), SCENE_SEED)):
            parts[number % 10 == 0] += scene_windows(path, SEED)
    if run.data:
        of_real = parts[0][: round(REAL_SHARE * len(parts[0]))]
        shapes = [np.argwhere(~np.isnan(seen)) for _, seen in of_real]
        parts[0] += real_windows(shapes, run.data, SEED)
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
    side = SEEN * AROUND_PX
    sides = (f"{AROUND_PX}k", f"{AROUND_PX}m")
    export_small(OfBytes(network), "covers", (side, side), COVER_LABELS, 1.0, run.export, sides)
