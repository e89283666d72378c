"""Train the network that reads the colour of a castle, and write `models/colours.onnx`.

    python -m scripts.training.colours

Castles come from rendered scenes of the recipe `colours`, and from real boards and crops whose
colours `castle_colours.csv` names, by eye. The temperature is fitted on scenes in artwork that does
not train.
"""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from msgspec.structs import replace
from torch import Tensor, nn

from kdvision.reading import Colour
from kdvision.rules.kingdom import Kingdom
from kdvision.vision.colours import PATCH_PX, cut_castle
from kdvision.vision.geometry import local_axes
from kdvision.vision.models import COLOUR_LABELS
from scripts.arrays import Array, Image, Ints, Rng
from scripts.data_split import boards, crops, read_rows
from scripts.measuring.calibrate import fit_temperature
from scripts.synthesis.rendering.art import read_rgb
from scripts.synthesis.rendering.layout import plain_start
from scripts.training.augmentation import exposed
from scripts.training.export_onnx import export_small
from scripts.training.networks import CONTRAST, MIDDLE, OfBytes, Residual, conv
from scripts.training.patch_data import Shown, jittered, joined, read_scene
from scripts.training.plan import Run
from scripts.training.schedule import Batches, answers, learn

#: The colours of the castles of boards, by group, and of crops, by file, as eyes saw them.
COLOURS_BY_EYE = Path(__file__).with_name("castle_colours.csv")
NONE = COLOUR_LABELS.index("none")
#: Of a start tile that is covered by more than this share nothing is learnt.
MOST_COVERED = 0.7
#: A colour shows where so many pixels have it, as a share of those of a square.
SHOWN = 0.02
#: Below this share none shows; what lies between teaches nothing.
UNSHOWN = 0.004
#: How often a castle of a scene is cut, from grids that are a little off.
COPIES = 3
#: How often a castle of a real picture is.
REAL_COPIES = 16
#: So many times more a real castle is cut with a start tile without a colour over it.
PLAIN_COPIES = 4
#: How much of a batch comes from real pictures, which are few.
REAL_SHARE = 0.2
#: How far lamps are from white: the spread of the logarithm of red, and of blue the other way.
WARMTH = 0.15
#: How often a patch is made coarser.
COARSER = 0.15
#: To how few pixels along a side.
COARSEST = 28
#: The network takes the logarithm of light that is brighter than this share.
DARKEST = 0.05
#: It multiplies the distance of that from the mean of the patch by this.
RELATIVE_CONTRAST = 1.5
#: A castle has the colour that its mirror image has, left and right.
MIRRORED = (3,)
#: Scenes that train.
SCENES = 48_000
#: Steps of the training.
STEPS = 28_000
#: Channels of the first layer.
BASE = 24
#: Of all random numbers.
SEED = 42


class ColourNet(nn.Module):
    """The colour of a castle: (n, 3, 48, 48) in 0..1 to logits (n, 5) of `COLOUR_LABELS`.

    It sees every pixel as it is, and against the mean of its patch, which takes the colour of the
    light away; then what colours there are, and where.
    """

    def __init__(self, base: int) -> None:
        super().__init__()
        wide, widest, hidden, first = base * 2, base * 7 // 3, base * 4 // 3, base * 2 // 3
        self.pixels = nn.Sequential(conv(6, first, stride=2), conv(first, hidden))
        self.places = nn.Sequential(
            conv(hidden * 2, wide),
            conv(wide, widest, stride=2),
            Residual(widest),
            conv(widest, hidden, kernel=1),
            nn.Flatten(),
            nn.Dropout(0.25),
            nn.Linear(hidden * (PATCH_PX // 8) ** 2, base),
            nn.ReLU(),
            nn.Linear(base, len(COLOUR_LABELS)),
        )

    def forward(self, rgb: Tensor) -> Tensor:
        """Return logits per label."""
        light = torch.log(rgb + DARKEST)
        relative = (light - light.mean(dim=(2, 3), keepdim=True)) * RELATIVE_CONTRAST
        x = self.pixels(torch.cat([(rgb - MIDDLE) * CONTRAST, relative], dim=1))
        pooled = [nn.functional.avg_pool2d(x, 2), nn.functional.max_pool2d(x, 2)]
        logits: Tensor = self.places(torch.cat(pooled, dim=1))
        return logits


# ---------------------------------------------------------------------- castles


def scene_castles(paths: list[Path], copies: int, seed: int) -> tuple[Image, Ints]:
    """Return patches (n, 48, 48, 3) of the castles of rendered scenes, and their labels (n,)."""
    patches, labels = [], []
    for path in paths:
        rng = np.random.default_rng([seed, int(path.stem)])
        picture, truth = read_scene(path)
        for kingdom in truth["kingdoms"]:
            whole = Kingdom.parse(kingdom["line"])
            ((row, col),) = whole.castles()
            if kingdom["visible"][row + 1][col + 1] < 1 - MOST_COVERED:
                continue
            homography = np.array(kingdom["homography"])
            colour_px = kingdom["colour_px"] / square_px(homography, (row, col)) ** 2
            if UNSHOWN < colour_px < SHOWN:
                continue
            colour = kingdom["colour"] if colour_px >= SHOWN else "none"
            shown = Shown(picture, homography, whole, np.zeros((0, 2)))
            for _ in range(copies):
                patches.append(_cut(shown, rng))
                labels.append(COLOUR_LABELS.index(colour))
    return np.stack(patches), np.array(labels)


def square_px(homography: Array, place: tuple[int, int]) -> float:
    """Return the side of a place (row, column) in pixels: the root of its area."""
    middle = np.array([[place[1] + 0.5, place[0] + 0.5]])
    return float(abs(np.linalg.det(local_axes(homography, middle)[0])) ** 0.5)


def real_castles(data: Path, seed: int, *, measuring: bool) -> tuple[Image, Ints]:
    """Return the same of boards, and of crops, which get other crops of their photo around them.

    All of them have a colour; to some a start tile without one is given.
    """
    by_eye = {row["name"]: Colour(row["colour"]) for row in read_rows(COLOURS_BY_EYE)}
    rng = np.random.default_rng(seed)
    patches, labels = [], []
    for name, views in _real_views(data, rng, measuring=measuring):
        for copy, shown in enumerate(views):
            is_plain = copy >= REAL_COPIES
            patches.append(_cut(_with_plain_tile(shown, rng) if is_plain else shown, rng))
            labels.append(NONE if is_plain else COLOUR_LABELS.index(by_eye[name]))
    return np.stack(patches), np.array(labels)


def _real_views(data: Path, rng: Rng, *, measuring: bool) -> Iterator[tuple[str, list[Shown]]]:
    """Return every real castle by its name, as often as it is cut."""
    count = REAL_COPIES + PLAIN_COPIES
    for board in boards(data, measuring=measuring):
        yield board.group, [Shown.of(board)] * count
    squares = crops(data, measuring=measuring)
    for crop in squares:
        if crop.label == "C":
            same = [square for square in squares if square.source == crop.source]
            beside = [square.path for square in same if square.label != "-"]
            yield crop.path.stem, [_mosaic(crop.path, beside, rng) for _ in range(count)]


def _mosaic(path: Path, beside: list[Path], rng: Rng) -> Shown:
    """Return the crop of a castle with other crops around it."""
    around = [read_rgb(beside[index]) for index in rng.integers(len(beside), size=9)]
    around[4] = read_rgb(path)
    parts = [cv2.resize(picture, (64, 64)) for picture in around]
    whole = np.vstack([np.hstack(parts[at : at + 3]) for at in (0, 3, 6)])
    castle = Kingdom.parse("- - -/- C -/- - -")
    return Shown(np.asarray(whole, np.uint8), np.diag([64.0, 64, 1]), castle, np.zeros((0, 2)))


def _with_plain_tile(shown: Shown, rng: Rng) -> Shown:
    """Return a kingdom seen from above with a start tile of no colour over its castle."""
    scale = shown.homography
    ((row, col),) = shown.kingdom.castles()
    left, right = round(col * scale[0, 0]), round((col + 1) * scale[0, 0])
    top, bottom = round(row * scale[1, 1]), round((row + 1) * scale[1, 1])
    tile = cv2.resize(plain_start(rng), (right - left, bottom - top), interpolation=cv2.INTER_AREA)
    light = rng.uniform(0.5, 1.05)
    picture = shown.picture.copy()
    picture[top:bottom, left:right] = (tile * light).astype(np.uint8)
    return replace(shown, picture=picture)


def _cut(shown: Shown, rng: Rng) -> Image:
    """Return a patch of a castle from a grid that is a little off."""
    ((row, col),) = shown.kingdom.castles()
    centre = np.array([col + 0.5, row + 0.5]) + rng.normal(0, 0.03, 2)
    return cut_castle(shown.picture, jittered(shown.homography, 5, 5, rng), centre)


# ---------------------------------------------------------------------- training


class Castles:
    """Random castles that other cameras might have taken."""

    def __init__(self, parts: list[tuple[float, tuple[Image, Ints]]]) -> None:
        self.patches, self.labels = joined([castles for _, castles in parts])
        shares = [np.full(len(labels), share / len(labels)) for share, (_, labels) in parts]
        self.cumulative = np.cumsum(np.concatenate(shares) / sum(share for share, _ in parts))

    def view(self, rng: Rng) -> tuple[Image, np.int64]:
        """Mirror, move and coarsen a patch, in other light; return its label too."""
        index = int(np.searchsorted(self.cumulative[:-1], rng.random()))
        patch, size, edge = self.patches[index], (PATCH_PX, PATCH_PX), cv2.BORDER_REPLICATE
        patch = np.asarray(cv2.warpAffine(patch, _moved(rng), size, borderMode=edge), np.uint8)
        if rng.random() < COARSER:
            side = int(rng.integers(COARSEST, PATCH_PX))
            coarse = cv2.resize(patch, (side, side), interpolation=cv2.INTER_AREA)
            patch = np.asarray(cv2.resize(coarse, (PATCH_PX, PATCH_PX)), np.uint8)
        warmth = rng.normal(0, WARMTH) * np.array([1, 0, -1])
        patch = np.clip(patch * np.exp(warmth), 0, 255).astype(np.uint8)
        return exposed(patch, rng), self.labels[index]


def _moved(rng: Rng) -> Array:
    """Return an affine map (2, 3): mirrored or not, turned, stretched and shifted a little."""
    turn, scale = rng.normal(0, 0.12), np.exp(rng.normal(0, 0.1, 2))
    cos, sin = np.cos(turn), np.sin(turn)
    matrix = np.array([[cos, -sin], [sin, cos]]) * scale * [rng.choice([1, -1]), 1]
    middle = (PATCH_PX - 1) / 2
    shift = middle + rng.normal(0, 1.5, 2) - matrix @ [middle, middle]
    return np.column_stack([matrix, shift])


def measured(network: ColourNet, castles: tuple[Image, Ints]) -> str:
    """Return the share of castles that is right, and the mean loss."""
    logits, labels = answers(network, castles[0], MIRRORED), torch.from_numpy(castles[1])
    right = float((logits.argmax(1) == labels).float().mean())
    loss = float(nn.functional.cross_entropy(logits, labels))
    return f"{right:.1%} of {len(labels)} right (loss {loss:.4f})"


def make_colours(run: Run) -> None:
    """Render scenes, train on them and on real castles, and write the model."""
    data, count = run.data, run.plan.share_of(SCENES)
    paths = run.render("colours", count, 401)
    unseen = run.render("colours-calibration", max(2, count // 24), 402)
    parts = [(1 - REAL_SHARE, scene_castles(paths, COPIES, SEED))]
    if data:
        parts.append((REAL_SHARE, real_castles(data, SEED, measuring=False)))
    check = scene_castles(unseen, 1, SEED)
    settings = run.settings(4e-3, 128, BASE, SEED, STEPS)
    network = learn(
        ColourNet,
        "colours",
        settings,
        draw=Batches(Castles(parts).view, np.random.default_rng(SEED)).draw,
        loss_of=nn.functional.cross_entropy,
        measure=lambda learnt: measured(learnt, check),
        decay=3e-2,
    )
    if data:
        print(f"real: {measured(network, real_castles(data, SEED, measuring=True))}")
    logits, labels = answers(network, check[0], MIRRORED), torch.from_numpy(check[1])
    temperature = fit_temperature(lambda t: float(nn.functional.cross_entropy(logits / t, labels)))
    patch = PATCH_PX, PATCH_PX
    export_small(OfBytes(network), "colours", patch, COLOUR_LABELS, temperature, run.export)
