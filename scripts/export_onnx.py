"""Turn trained weights into the model files of the package.

    python scripts/export_onnx.py grid work/grid.pt
    python scripts/export_onnx.py squares work/squares.pt --temperature 1.3

Weights are stored as half floats, which halves the file and changes nothing that can be measured;
the arithmetic stays in single precision. The file's line in models/manifest.json is written anew.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).parent))
from manifest import MODELS, enter
from networks import GRID_CHANNELS, GridNet, SquareNet

from kdvision.rules.terrain import LABELS


def main() -> None:
    """Load, export, shrink, check, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=["grid", "squares"])
    parser.add_argument("weights", type=Path)
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--models", type=Path, default=MODELS)
    options = parser.parse_args()
    stored = torch.load(options.weights, weights_only=True)
    network = (GridNet if options.name == "grid" else SquareNet)(stored["base"])
    network.load_state_dict(stored["weights"])
    network.eval()
    path = options.models / f"{options.name}.onnx"
    options.models.mkdir(exist_ok=True)
    example = torch.rand(1, 3, 96, 128) if options.name == "grid" else torch.rand(3, 3, 64, 64)
    _export(network, example, options.name, path)
    _halve(path)
    _compare(network, example, path)
    grid = options.name == "grid"
    shape = ("n", 3, "16k", "16m") if grid else ("n", 3, 64, 64)
    enter(path, options.name, shape, GRID_CHANNELS if grid else LABELS, options.temperature)


def _export(network: torch.nn.Module, example: torch.Tensor, name: str, path: Path) -> None:
    axes = {0: "n", 2: "h", 3: "w"} if name == "grid" else {0: "n"}
    output = "fields" if name == "grid" else "logits"
    torch.onnx.export(
        network,
        (example,),
        str(path),
        input_names=["rgb"],
        output_names=[output],
        dynamic_axes={"rgb": axes, output: axes},
        opset_version=17,
        dynamo=False,
    )


def _halve(path: Path) -> None:
    """Store large weights as float16, with a cast that the runtime folds away when it loads."""
    model = onnx.load(path)
    graph = model.graph
    casts = []
    for tensor in graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or np.prod(tensor.dims) < 64:
            continue
        values, name = numpy_helper.to_array(tensor), tensor.name
        half = numpy_helper.from_array(values.astype(np.float16), name + "_half")
        tensor.CopyFrom(half)
        casts.append(helper.make_node("Cast", [name + "_half"], [name], to=TensorProto.FLOAT))
    for node in reversed(casts):
        graph.node.insert(0, node)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def _compare(network: torch.nn.Module, example: torch.Tensor, path: Path) -> None:
    """Print how far the file is from the network it was made from."""
    import onnxruntime

    session = onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    said = session.run(None, {"rgb": example.numpy()})[0]
    with torch.no_grad():
        gap = np.abs(said - network(example).numpy()).max()
    print(f"{path.name}: {path.stat().st_size:,} bytes, largest difference {gap:.4f}")


if __name__ == "__main__":
    main()
