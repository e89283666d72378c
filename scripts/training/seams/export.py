"""Turn trained weights into `models/seams.onnx`, with its temperature and its line of the manifest.

    python -m scripts.training.seams.export work/seams.pt --check work/seams-check.npz

The file is so small that it stays in single precision. Its temperature is fitted on pairs in looks
that did not train, so that a likelihood ratio means what it says.
"""

import argparse
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from numpy.typing import NDArray

from kdvision.vision.models import SEAM_LABELS
from kdvision.vision.seams.patches import ACROSS_PX, ALONG_PX
from scripts.paths import MODELS
from scripts.training.manifest import enter, set_temperature
from scripts.training.seams.network import FromBothSides, SeamNet
from scripts.training.seams.train import balanced

Array = NDArray[np.float64]
SHAPE = ("n", ALONG_PX, ACROSS_PX, 3)
#: Temperatures that are tried: evenly by their logarithm.
TEMPERATURES = np.exp(np.linspace(np.log(0.4), np.log(4.0), 93))


def export(weights: Path, models: Path, *, check: Path | None) -> None:
    """Write `seams.onnx` and its line of the manifest.

    Args:
        weights: The file of the training.
        models: The folder.
        check: Patches of looks that did not train; without them the temperature is 1.
    """
    stored = torch.load(weights, weights_only=True, map_location="cpu")
    network = SeamNet(stored["base"])
    network.load_state_dict(stored["weights"])
    models.mkdir(exist_ok=True, parents=True)
    path = models / "seams.onnx"
    torch.onnx.export(
        FromBothSides(network).eval(),
        (torch.zeros(2, ALONG_PX, ACROSS_PX, 3, dtype=torch.uint8),),
        str(path),
        input_names=["rgb"],
        output_names=["one"],
        dynamic_axes={"rgb": {0: "n"}, "one": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    enter(path, "seams", SHAPE, SEAM_LABELS, 1.0)
    temperature = fitted_temperature(path, check) if check else 1.0
    set_temperature(models, "seams", temperature)
    print(f"{path.name}: {path.stat().st_size:,} bytes, temperature {temperature:.3f}")


def fitted_temperature(path: Path, check: Path) -> float:
    """The temperature under which a file's answers are likeliest, one domino and two alike."""
    session = onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    data = np.load(check)
    patches, one = data["patches"], data["one"]
    logits = np.concatenate(
        [session.run(None, {"rgb": patches[s : s + 64]})[0][:, 0] for s in range(0, len(one), 64)]
    ).astype(np.float64)
    chances = balanced(one, data["terrains"], np.zeros(len(one), np.int8))
    losses = [_loss(logits / temperature, one, chances) for temperature in TEMPERATURES]
    return round(float(TEMPERATURES[int(np.argmin(losses))]), 3)


def _loss(logits: Array, one: NDArray[np.bool_], chances: Array) -> float:
    """The mean of minus the logarithm of what was true, weighed by `chances`."""
    wrong = np.where(one, -logits, logits)
    return float((chances * np.logaddexp(0, wrong)).sum())


def main() -> None:
    """Parse and export."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", type=Path)
    parser.add_argument("--check", type=Path)
    parser.add_argument("--models", type=Path, default=MODELS)
    options = parser.parse_args()
    export(options.weights, options.models, check=options.check)


if __name__ == "__main__":
    main()
