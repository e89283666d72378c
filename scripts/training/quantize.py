"""A quantized network: 8 bit in, 8 bit between its layers, several times faster.

Weights have 7 bits: then sums of products never leave the 16 bits that older processors have for
them, and every processor gets the same. What ranges values have between layers is seen on examples.
The file takes pixels as they are in a picture, RGB bytes with the channels last.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import ModelProto, TensorProto, helper
from onnxruntime import quantization
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import Tensor, nn

from scripts.arrays import Floats, Image
from scripts.training.networks import CONTRAST, MIDDLE, GridNet, SquareNet

#: The version of ONNX's operators that the files are made of.
OPSET = 17
#: Tensors of fewer values are not stored in half precision.
_SMALL = 1024
#: A byte stands for (byte - zero) * step in the normalised input.
STEP = np.float32(CONTRAST / 255)
ZERO = round(255 * MIDDLE)
#: A range holds so many percent of the values that were seen; what lies beyond is cut off.
WITHIN = 99.999
#: The operators that are quantized; all else, the last layer among it, stays as it is.
WHOLE = ("Conv", "Add", "Relu", "Resize")


def quantize(
    network: GridNet | SquareNet, examples: Sequence[Image], output: str, path: Path
) -> None:
    """Write a network as a quantized ONNX file.

    Args:
        network: The trained network. It is changed: it takes its input as normalised about a whole
            byte, and its first layer makes up for what the rounding moves.
        examples: Pictures (n, h, w, 3) RGB like those that it will see, all of one shape.
        output: Name of the output.
        path: Of the file. Its input is `rgb`, (n, h, w, 3) uint8.
    """
    # A plain file, in which inputs are normalised already.
    _move_middle(network)
    network.normalise = nn.Identity()
    with tempfile.TemporaryDirectory() as folder:
        plain, ready, whole = (Path(folder) / f"{name}.onnx" for name in ("a", "b", "c"))
        grid = isinstance(network, GridNet)
        inputs = {0: "n", 2: "16k", 3: "16m"} if grid else {0: "n"}
        outputs = {0: "n", 2: "4k", 3: "4m"} if grid else {0: "n"}
        write_onnx(network, normalised(examples[0]), plain, ("x", output), (inputs, outputs))
        quant_pre_process(plain, ready, skip_symbolic_shape=True)
        zero = np.array(ZERO, np.uint8)
        layers = [node.name for node in onnx.load(ready).graph.node if node.op_type == "Conv"]
        # Quantized: ranges are those of the examples.
        quantization.quantize_static(
            ready,
            whole,
            _Examples(examples),
            quant_format=quantization.QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
            calibrate_method=quantization.CalibrationMethod.Percentile,
            op_types_to_quantize=list(WHOLE),
            # The few outputs of the grid need full precision.
            nodes_to_exclude=layers[-1:] if grid else [],
            extra_options={
                "TensorQuantOverrides": {"x": [{"scale": np.array(STEP), "zero_point": zero}]},
                "CalibPercentile": WITHIN,
            },
        )
        model = onnx.load(whole)
    # It takes bytes as they are.
    _take_bytes(model)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def normalised(pictures: Image) -> Tensor:
    """Return pictures (n, h, w, 3) as the network's normalised input (n, 3, h, w)."""
    values = (pictures.astype(np.float32) - ZERO) * STEP
    return torch.from_numpy(np.ascontiguousarray(values.transpose(0, 3, 1, 2)))


class _Examples(quantization.CalibrationDataReader):
    """Examples one by one, as the quantizer asks for them."""

    def __init__(self, examples: Sequence[Image]) -> None:
        self.inputs = ({"x": normalised(example).numpy()} for example in examples)

    def get_next(self) -> dict[str, Floats] | None:
        return next(self.inputs, None)


def _move_middle(network: GridNet | SquareNet) -> None:
    first = network.stem if isinstance(network, GridNet) else network.features[0]
    layer, norm, _ = first.children()
    rest = (ZERO / 255 - MIDDLE) * CONTRAST
    assert isinstance(layer, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d)
    assert norm.running_mean is not None
    with torch.no_grad():
        norm.running_mean -= rest * layer.weight.sum(dim=(1, 2, 3))


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
        opset_version=OPSET,
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


def _take_bytes(model: ModelProto) -> None:
    """Have the graph begin with bytes, channels last, instead of making them from floats."""
    graph = model.graph
    first = next(n for n in graph.node if n.op_type == "QuantizeLinear" and n.input[0] == "x")
    graph.node.remove(first)
    turn = helper.make_node("Transpose", ["rgb"], [first.output[0]], perm=[0, 3, 1, 2])
    graph.node.insert(0, turn)
    sides = graph.input[0].type.tensor_type.shape.dim
    count, _, height, width = (side.dim_param or side.dim_value for side in sides)
    del graph.input[:]
    shape = [count, height, width, 3]
    graph.input.append(helper.make_tensor_value_info("rgb", TensorProto.UINT8, shape))
