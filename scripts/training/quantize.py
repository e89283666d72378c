"""A quantized network: 8 bit in, 8 bit between its layers, several times faster.

Weights have 7 bits: then sums of products never leave the 16 bits that older processors have for
them, and every processor gets the same. What ranges values have between layers is seen on examples.
The file takes pixels as they are in a picture, RGB bytes with the channels last.
"""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper
from onnxruntime.quantization import (
    CalibrationDataReader,
    CalibrationMethod,
    QuantFormat,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import Tensor, nn

from scripts.arrays import Image
from scripts.training.networks import CONTRAST, MIDDLE, GridNet, SquareNet

#: Tensors of fewer values are not stored in half precision.
_SMALL = 1024
#: A range holds so many percent of the values that were seen; what lies beyond is cut off.
WITHIN = 99.999
#: The operators that are quantized; all else, the last layer among it, stays as it is.
WHOLE = ("Conv", "Add", "Relu", "Resize")


def quantize(
    network: GridNet | SquareNet, examples: Sequence[Image], output: str, path: Path
) -> None:
    """Write a network as a quantized ONNX file.

    Args:
        network: The trained network.
        examples: Pictures (n, h, w, 3) RGB like those that it will see, all of one shape.
        output: Name of the output.
        path: Of the file. Its input is `rgb`, (n, h, w, 3) uint8.
    """
    with tempfile.TemporaryDirectory() as folder:
        plain, ready, whole = (Path(folder) / f"{name}.onnx" for name in ("a", "b", "c"))
        grid = isinstance(network, GridNet)
        inputs = {0: "n", 2: "16k", 3: "16m"} if grid else {0: "n"}
        outputs = {0: "n", 2: "4k", 3: "4m"} if grid else {0: "n"}
        write_onnx(network, _inputs(examples[0]), plain, ("x", output), (inputs, outputs))
        quant_pre_process(plain, ready, skip_symbolic_shape=True)
        layers = [node for node in onnx.load(ready).graph.node if node.op_type == "Conv"]
        # Ranges are those of the examples; what the first layer takes has those of bytes.
        normalised = layers[0].input[0]
        quantize_static(
            ready,
            whole,
            _Examples(examples),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            calibrate_method=CalibrationMethod.Percentile,
            op_types_to_quantize=list(WHOLE),
            # The few outputs of the grid need full precision.
            nodes_to_exclude=[layers[-1].name] if grid else [],
            extra_options={
                "TensorQuantOverrides": {normalised: [_of_bytes()]},
                "CalibPercentile": WITHIN,
            },
        )
        model = onnx.load(whole)
    _take_bytes(model, normalised)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def _inputs(pictures: Image) -> Tensor:
    """Return pictures (n, h, w, 3) as a network takes them, (n, 3, h, w) in 0..1."""
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255


class _Examples(CalibrationDataReader):
    """Examples one by one, as the quantizer asks for them."""

    def __init__(self, examples: Sequence[Image]) -> None:
        self.left: Iterator[Image] = iter(examples)

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        example = next(self.left, None)
        return None if example is None else {"x": _inputs(example).numpy()}


def write_onnx(
    network: nn.Module,
    example: Tensor,
    path: Path,
    names: tuple[str, str],
    axes: tuple[dict[int, str], dict[int, str]],
) -> None:
    """Write a network; of its input and of its output the names, and the axes that vary."""
    torch.onnx.export(
        network.eval(),
        (example,),
        str(path),
        input_names=[names[0]],
        output_names=[names[1]],
        dynamic_axes=dict(zip(names, axes, strict=True)),
        opset_version=17,
        dynamo=False,
    )


def store_in_half(path: Path) -> None:
    """Store the weights of a model file in half precision; it still computes in single precision.

    What is smaller than `_SMALL` stays as it is: it weighs nothing, and biases may be large.
    """
    model = onnx.load(path)
    graph = model.graph
    casts = []
    for weights in [each for each in graph.initializer if np.prod(each.dims) >= _SMALL]:
        values = onnx.numpy_helper.to_array(weights)
        if values.dtype != np.float32:
            continue
        name = f"{weights.name}_half"
        graph.initializer.remove(weights)
        graph.initializer.append(onnx.numpy_helper.from_array(values.astype(np.float16), name))
        casts.append(helper.make_node("Cast", [name], [weights.name], to=TensorProto.FLOAT))
    for cast in reversed(casts):
        graph.node.insert(0, cast)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def _of_bytes() -> dict[str, NDArray[np.generic]]:
    """Return what a byte stands for in the normalised input: (byte - zero) * scale."""
    zero = np.array(round(255 * MIDDLE), np.uint8)
    return {"scale": np.array(CONTRAST / 255, np.float32), "zero_point": zero}


def _take_bytes(model: ModelProto, normalised: str) -> None:
    """Have the graph begin with bytes, channels last, instead of normalising floats to them."""
    graph = model.graph
    makers = {node.output[0]: node for node in graph.node}
    takers = [node for node in graph.node if normalised in node.input]
    name = next(node.output[0] for node in takers if node.op_type == "QuantizeLinear")
    turn = helper.make_node("Transpose", ["rgb"], [name], perm=[0, 3, 1, 2])
    while name in makers:
        graph.node.remove(makers[name])
        name = makers[name].input[0]
    graph.node.insert(0, turn)
    sides = graph.input[0].type.tensor_type.shape.dim
    count, _, height, width = (side.dim_param or side.dim_value for side in sides)
    del graph.input[:]
    shape = [count, height, width, 3]
    graph.input.append(helper.make_tensor_value_info("rgb", TensorProto.UINT8, shape))
