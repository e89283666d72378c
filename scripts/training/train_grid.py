"""Train the network that finds squares, on rendered scenes."""

import json
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from kdvision.rules.terrain import CASTLE_LABEL
from scripts.arrays import AnyArray, Array, Floats, Image, Ints, Rng
from scripts.synthesis.rendering.cover import HIDDEN_BELOW
from scripts.training.augmentation import exposed, printed, recoloured
from scripts.training.labels import HIDDEN_LABEL
from scripts.training.networks import GRID_CHANNELS, GRID_STRIDE, GridNet
from scripts.training.schedule import Batches, Settings, device, learn

SIDE = 320
REFERENCE_PX = 32.0
#: Sides that the square in the middle of a view may have, before it is seen from lower down.
SIDES_PX = (12.0, 68.0)
Scene = tuple[Image, Floats, Ints]


def load_scenes(folders: list[Path]) -> list[Scene]:
    """Return scenes at half size: picture, corners (n, 4, 2), labels (n,) with `HIDDEN_LABEL`."""
    scenes = []
    for path in sorted(path for folder in folders for path in folder.glob("*.json")):
        truth = json.loads(path.read_text())["squares"]
        half = cv2.imread(str(path.with_suffix(".jpg")), cv2.IMREAD_REDUCED_COLOR_2)
        picture = np.asarray(half, np.uint8)[..., ::-1].copy()
        corners = np.array([square["corners"] for square in truth], np.float32).reshape(-1, 4, 2)
        labels = np.array([square["label"] for square in truth], np.int64)
        labels[[square["visible"] < HIDDEN_BELOW for square in truth]] = HIDDEN_LABEL
        halved = ((corners + 0.5) / 2 - 0.5).astype(np.float32)
        scenes.append((picture, halved, labels))
    return scenes


def sample(scene: Scene, rng: Rng) -> tuple[Image, Floats]:
    """Turn, scale and crop a view (SIDE, SIDE, 3), with its target (10, SIDE/4, SIDE/4)."""
    picture, corners, labels = scene
    matrix = _view(picture, corners, rng)
    # Beyond the picture lies one colour: mirrored tiles would not be in the target.
    beyond = tuple(int(value) for value in rng.integers(0, 256, 3))
    moved_view = cv2.warpAffine(picture, matrix, (SIDE, SIDE), borderValue=beyond)
    view = np.asarray(moved_view, np.uint8)
    moved = (corners @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32)
    if rng.random() < 0.6:
        view = other_table(view, moved, rng)
    return exposed(view, rng), target(moved, labels)


def other_table(view: Image, corners: Floats, rng: Rng) -> Image:
    """Return the same view on another table: in other colours, with other things printed on it."""
    mask = np.zeros(view.shape[:2], np.uint8)
    for quad in corners:
        cv2.fillConvexPoly(mask, np.array(np.round(quad * 16), np.int32), 255, cv2.LINE_8, 4)
    mask = np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.uint8)
    table = recoloured(view, rng) if rng.random() < 0.7 else view
    if rng.random() < 0.6:
        table = printed(table, rng)
    return np.where(mask[..., None] > 0, view, table)


def _view(picture: Image, corners: Floats, rng: Rng) -> Array:
    """Return an affine map: mostly around a square, now and then anywhere."""
    height, width = picture.shape[:2]
    focus, side = rng.uniform([0, 0], [width, height]), REFERENCE_PX
    if len(corners) and rng.random() < 0.9:
        quad = corners[rng.integers(len(corners))]
        focus, side = quad.mean(axis=0), float(np.sqrt(cv2.contourArea(quad)))
    scale = float(np.exp(rng.uniform(*np.log(SIDES_PX)))) / max(side, 1.0)
    scale = min(max(scale, 0.4), 2.0)
    angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.integers(4) * np.pi / 2
    flip = rng.choice([-1, 1])
    linear = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    linear[:, 0] *= flip
    if rng.random() < 0.35:
        linear = _squashed(rng) @ linear
    to = rng.uniform(0.15, 0.85, 2) * SIDE
    return np.asarray(np.c_[linear, to - linear @ focus], np.float64)


def _squashed(rng: Rng) -> Array:
    """Return the map of a view from lower down: shorter along one direction."""
    angle = rng.normal(np.pi / 2, 0.4)
    way = np.array([np.cos(angle), np.sin(angle)])
    return np.eye(2) - rng.uniform(0.1, 0.5) * np.outer(way, way)


def target(corners: Floats, labels: Ints) -> Floats:
    """Return the target planes (10, side / 4, side / 4); the last weighs the others in the loss.

    Whether a hidden square is a tile cannot be seen: there the tile plane is 0.5, and the others
    have no weight. See `kdvision.vision.grid.detector` for the meaning of the planes.
    """
    # Which square lies on each output pixel.
    side = SIDE // GRID_STRIDE
    index = np.zeros((side, side), np.int32)
    small = (corners + 0.5) / GRID_STRIDE - 0.5
    for number, quad in enumerate(small, 1):
        cv2.fillConvexPoly(index, np.array(np.round(quad * 16), np.int32), number, cv2.LINE_8, 4)
    planes = np.zeros((len(GRID_CHANNELS) + 1, side, side), np.float32)
    ys, xs = np.nonzero(index)
    if len(ys) == 0:
        return planes
    # Its middle, and the vectors along its sides.
    which = index[ys, xs] - 1
    centre = corners.mean(axis=1)[which]
    e1 = ((corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2)[which]
    e2 = ((corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2)[which]
    scale = np.sqrt(np.abs(e1[:, 0] * e2[:, 1] - e1[:, 1] * e2[:, 0])) + 1e-3
    # The sides as complex numbers, in a form that is the same for all four quarter turns.
    w1, w2 = (e1[:, 0] + 1j * e1[:, 1]) / scale, (e2[:, 0] + 1j * e2[:, 1]) / scale
    product = _limited(np.asarray((w1 * w2) ** 2, np.complex128), 3.0)
    total = _limited(np.asarray(w1**2 + w2**2, np.complex128), 4.0)
    # How far its middle is from the pixel, in squares.
    at = np.c_[xs, ys] * GRID_STRIDE + (GRID_STRIDE - 1) / 2
    offset = (centre - at) / scale[:, None]
    seen = np.where(labels[which] == HIDDEN_LABEL, 0.0, 1.0)
    planes[:, ys, xs] = (
        0.5 + 0.5 * seen,
        labels[which] == CASTLE_LABEL,
        offset[:, 0],
        offset[:, 1],
        np.log(scale / REFERENCE_PX),
        product.real,
        product.imag,
        total.real,
        total.imag,
        seen,
    )
    return planes


def _limited(values: AnyArray, most: float) -> AnyArray:
    """Limit complex values to a length `most`: else grazing views would dominate the loss."""
    return values * np.minimum(1.0, most / np.maximum(np.abs(values), 1e-9))


def loss_of(output: Tensor, wanted: Tensor) -> Tensor:
    """Return the weighted loss."""
    inside = wanted[:, -1]
    count = inside.sum().clamp(min=1)
    tile = nn.functional.binary_cross_entropy_with_logits(output[:, 0], wanted[:, 0])
    castle = nn.functional.binary_cross_entropy_with_logits(
        output[:, 1],
        wanted[:, 1],
        pos_weight=torch.tensor(4.0, device=output.device),
        reduction="none",
    )
    castle = (castle * inside).sum() / count
    error = nn.functional.smooth_l1_loss(output[:, 2:], wanted[:, 2:-1], reduction="none", beta=0.1)
    fields = (error * inside[:, None]).sum(dim=(0, 2, 3)) / count
    offset, scale, product, total = fields[:2].sum(), fields[2], fields[3:5].sum(), fields[5:].sum()
    loss: Tensor = 2 * tile + castle + 2 * offset + scale + product + 0.5 * total
    return loss


def train(folders: list[Path], settings: Settings) -> GridNet:
    """Train on scenes.

    Args:
        folders: Of rendered scenes; one in forty is held back.
        settings: How long and how.
    """
    scenes = load_scenes(folders)
    kept = scenes[::40]
    train_on = [scene for index, scene in enumerate(scenes) if index % 40] or scenes
    unseen = Batches(partial(random_view, kept), np.random.default_rng(99))
    checks = [unseen.draw(16) for _ in range(3)]
    batches = Batches(partial(random_view, train_on), np.random.default_rng(settings.seed))
    return learn(
        GridNet,
        "grid",
        settings,
        draw=batches.draw,
        loss_of=loss_of,
        measure=lambda network: _held_back(network, checks),
        decay=1e-4,
    )


def random_view(scenes: list[Scene], rng: Rng) -> tuple[Image, Floats]:
    """Return a view of one of the scenes with its target."""
    return sample(scenes[int(rng.integers(len(scenes)))], rng)


def _held_back(network: GridNet, checks: list[tuple[Tensor, Tensor]]) -> str:
    """Return the mean loss on views that were held back."""
    place = device()
    losses = [loss_of(network(x.to(place)), wanted.to(place)) for x, wanted in checks]
    return f"held back {torch.stack(losses).mean():.4f}"
