"""Several networks that answer together, in one model file no larger than one of them was.

What one of them mistakes another may not: the mean of their logits is right more often.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import ModelProto, NodeProto, TensorProto, compose, helper, numpy_helper

#: The largest whole number that stands for a weight.
MOST = 127


def average(parts: Sequence[Path], path: Path) -> None:
    """Write a model whose logits are the mean of those of others.

    Args:
        parts: Model files that take the same pictures, as `export_small` writes them.
        path: Of the model. Weights that are in half precision in the others are whole numbers of 8
            bits in it, with a scale for each channel that they make.
    """
    whole, *others = (_part(file, f"{number}/") for number, file in enumerate(parts))
    graph = whole.graph
    answers = [graph.output[0].name, *(other.graph.output[0].name for other in others)]
    for other in others:
        graph.node.extend(other.graph.node)
        graph.initializer.extend(other.graph.initializer)
    graph.node.append(helper.make_node("Mean", answers, ["logits"]))
    graph.output[0].name = "logits"
    onnx.checker.check_model(whole)
    onnx.save(whole, path)


def _part(file: Path, prefix: str) -> ModelProto:
    """Return a model whose names begin with a prefix, all but that of its input."""
    model = onnx.load(file)
    del model.graph.value_info[:]
    part = compose.add_prefix(model, prefix, rename_inputs=False)
    _store_in_bytes(part)
    return part


def _store_in_bytes(model: ModelProto) -> None:
    """Store weights that are in half precision in bytes, with a scale for each channel."""
    graph = model.graph
    nodes: list[NodeProto] = []
    for node in graph.node:
        nodes.append(node)
        weights = next((each for each in graph.initializer if each.name in node.input), None)
        if node.op_type == "Cast" and weights and weights.data_type == TensorProto.FLOAT16:
            values = numpy_helper.to_array(weights).astype(np.float32)
            channels = tuple(range(1, values.ndim))
            scale = np.abs(values).max(axis=channels, keepdims=True) / MOST
            scale[scale == 0] = 1.0
            whole = np.round(values / scale).astype(np.int8)
            weights.CopyFrom(numpy_helper.from_array(whole, weights.name))
            scaled, name = f"{weights.name}/scale", node.output[0]
            graph.initializer.append(numpy_helper.from_array(scale.astype(np.float32), scaled))
            node.output[0] = f"{name}/whole"
            nodes.append(helper.make_node("Mul", [node.output[0], scaled], [name]))
    del graph.node[:]
    graph.node.extend(nodes)
