"""Turn trained weights into the model files of the package.

The files are quantized (`quantize.py`). The file's line in the manifest is written anew.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from kdvision.vision.grid.settings import GRID
from scripts.arrays import Image, Rng
from scripts.pictures import resized
from scripts.synthesis.rendering.art import read_rgb
from scripts.training.labels import CLASSIFIER_LABELS
from scripts.training.manifest import enter
from scripts.training.networks import GRID_CHANNELS, GridNet, SquareNet
from scripts.training.quantize import quantize, store_in_half, write_onnx

#: How many scenes of each folder set the ranges.
SCENES = 24
#: How many patches of each file do.
PATCHES = 1024
#: How many patches go together.
TOGETHER = 64


def export(network: GridNet | SquareNet, seen: list[Path], models: Path) -> None:
    """Write `grid.onnx` or `squares.onnx` and its line of the manifest.

    Args:
        network: What was trained; it is changed.
        seen: Folders of scenes or files of patches that set the ranges.
        models: The folder.
    """
    rng = np.random.default_rng(7)
    models.mkdir(exist_ok=True, parents=True)
    grid = isinstance(network, GridNet)
    name, output = ("grid", "fields") if grid else ("squares", "logits")
    examples = [example for place in seen for example in (scenes if grid else patches)(place, rng)]
    path = models / f"{name}.onnx"
    quantize(network, examples, output, path)
    enter(path, GRID_CHANNELS if grid else CLASSIFIER_LABELS)


def export_small(
    network: nn.Module,
    name: str,
    patch: tuple[int, int],
    labels: Sequence[str],
    temperature: float,
    models: Path,
    sides: tuple[str, str] | None = None,
) -> None:
    """Write a network that takes bytes (n, h, w, 3), and its line of the manifest.

    Its weights are stored in half precision. With `sides`, the names of height and width, it takes
    pictures of any size.
    """
    inputs, outputs = {0: "n"}, {0: "n"}
    if sides:
        inputs |= {1: sides[0], 2: sides[1]}
        outputs |= {2: "h", 3: "w"}
    models.mkdir(exist_ok=True, parents=True)
    path = models / f"{name}.onnx"
    example = torch.zeros(2, *patch, 3, dtype=torch.uint8)
    write_onnx(network, example, path, ("rgb", "logits"), (inputs, outputs))
    store_in_half(path)
    enter(path, labels, temperature)
    print(f"{path.name}: {path.stat().st_size:,} bytes, temperature {temperature:.3f}")


def scenes(folder: Path, rng: Rng) -> Iterator[Image]:
    """Yield some scenes of a folder (1, side, side, 3), as the detector first sees them."""
    side = GRID.view_px
    paths = sorted(folder.glob("*.jpg"))
    for index in sorted(rng.choice(len(paths), min(SCENES, len(paths)), replace=False)):
        picture = read_rgb(paths[index])
        picture = resized(picture, side / max(picture.shape[:2]))
        below, beside = (side - length for length in picture.shape[:2])
        whole = cv2.copyMakeBorder(picture, 0, below, 0, beside, cv2.BORDER_REPLICATE)
        yield np.asarray(whole, np.uint8)[None]


def patches(file: Path, rng: Rng) -> list[Image]:
    """Return some patches of a file (n, 64, 64, 3), several at a time."""
    every = np.load(file)["patches"]
    some = every[np.sort(rng.choice(len(every), min(PATCHES, len(every)), replace=False))]
    # All groups must be of one size: what is left over is not used.
    size = min(TOGETHER, len(some))
    return [some[start : start + size] for start in range(0, len(some) - size + 1, size)]
