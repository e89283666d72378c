"""Begin a training from weights or from published model files instead of from nothing.

Published files are quantized and their batch normalisation is part of their convolutions. Both
is undone: weights become floats again, and normalisation gets the means and spreads that it sees
on examples, so that it changes nothing at first.
"""

from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, numpy_helper
from torch import Tensor, nn

from scripts.training.networks import SquareNet

Float = NDArray[np.float32]


def start_from(path: Path, network: nn.Module, examples: Tensor) -> None:
    """Give a network the weights of a training or of a published file. In place.

    A classifier may have more labels than the file: they begin with no evidence for them.

    Args:
        path: A .pt file of a training, or an .onnx file that `quantize.py` wrote.
        network: A new network of the same size.
        examples: (n, 3, h, w) RGB in 0..1, like those of the training.

    Raises:
        ValueError: The file's layers are not those of the network.
    """
    if path.suffix == ".pt":
        network.load_state_dict(torch.load(path, weights_only=True)["weights"])
        return
    model = onnx.load(path)
    pairs = _convolutions(network, examples[:1])
    stored = [_weights(model, node) for node in model.graph.node if node.op_type == "Conv"]
    if [w.shape for w, _ in stored] != [tuple(one.weight.shape) for one, _ in pairs]:
        raise ValueError(f"the layers of {path} are not those of the network")
    with torch.no_grad():
        for (layer, norm), (weight, bias) in zip(pairs, stored, strict=True):
            layer.weight.copy_(torch.from_numpy(weight))
            if norm is None:
                assert layer.bias is not None
                layer.bias.copy_(torch.from_numpy(bias))
                continue
            _means(norm).zero_()
            _spreads(norm).fill_(1 - norm.eps)
            norm.weight.fill_(1)
            norm.bias.copy_(torch.from_numpy(bias))
    if isinstance(network, SquareNet):
        _start_head(model, network)
    _normalise(network, pairs, examples)


Pair = tuple[nn.Conv2d, nn.BatchNorm2d | None]


def _means(norm: nn.BatchNorm2d) -> Tensor:
    assert norm.running_mean is not None
    return norm.running_mean


def _spreads(norm: nn.BatchNorm2d) -> Tensor:
    assert norm.running_var is not None
    return norm.running_var


def _convolutions(network: nn.Module, example: Tensor) -> list[Pair]:
    """The convolutions in the order in which they are used, each with its normalisation."""
    order: list[nn.Module] = []
    kinds = (nn.Conv2d, nn.BatchNorm2d)
    hooks = [
        module.register_forward_hook(lambda module, *_: order.append(module))
        for module in network.modules()
        if isinstance(module, kinds)
    ]
    network.eval()
    with torch.no_grad():
        network(example)
    for hook in hooks:
        hook.remove()
    pairs: list[Pair] = []
    for index, module in enumerate(order):
        if isinstance(module, nn.Conv2d):
            after = order[index + 1] if index + 1 < len(order) else None
            pairs.append((module, after if isinstance(after, nn.BatchNorm2d) else None))
    return pairs


def _weights(model: ModelProto, node: NodeProto) -> tuple[Float, Float]:
    """Weights and bias of a convolution, as floats."""
    return _values(model, node.input[1]), _values(model, node.input[2])


def _values(model: ModelProto, name: str) -> Float:
    """An initializer, or what a DequantizeLinear makes of one."""
    found = {one.name: one for one in model.graph.initializer}
    if name in found:
        return np.array(numpy_helper.to_array(found[name]), np.float32)
    node = next(one for one in model.graph.node if name in one.output)
    whole, scale = (numpy_helper.to_array(found[one]) for one in node.input[:2])
    shape = [-1] + [1] * (whole.ndim - 1) if scale.ndim else []
    return np.array(whole.astype(np.float32) * scale.reshape(shape), np.float32)


def _start_head(model: ModelProto, network: SquareNet) -> None:
    """The last layer; labels that the file does not know get a low, flat score."""
    node = next(one for one in model.graph.node if one.op_type in ("Gemm", "MatMul"))
    weight = _values(model, node.input[1])
    bias = _values(model, node.input[2])
    head = network.head[-1]
    assert isinstance(head, nn.Linear)
    if weight.shape[1] != head.in_features:
        weight = weight.T
    with torch.no_grad():
        head.weight.zero_()
        head.weight[: len(weight)] = torch.from_numpy(weight.copy())
        head.bias.fill_(float(bias.min()) - 2)
        head.bias[: len(bias)] = torch.from_numpy(bias)


def _normalise(network: nn.Module, pairs: list[Pair], examples: Tensor) -> None:
    """Means and spreads of what every convolution gives, for its normalisation."""
    seen: dict[nn.Module, tuple[Tensor, Tensor]] = {}

    def look(module: nn.Module, _: object, output: Tensor) -> None:
        seen[module] = output.mean(dim=(0, 2, 3)), output.var(dim=(0, 2, 3))

    hooks = [layer.register_forward_hook(look) for layer, norm in pairs if norm is not None]
    network.eval()
    with torch.no_grad():
        network(examples)
        for layer, norm in pairs:
            if norm is None:
                continue
            mean, spread = seen[layer]
            _means(norm).copy_(mean)
            _spreads(norm).copy_(spread)
            norm.weight.copy_((spread + norm.eps).sqrt())
            norm.bias.add_(mean)
    for hook in hooks:
        hook.remove()
