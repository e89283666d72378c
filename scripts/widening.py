"""A trained square reader made wider, so that training can go on with more channels.

Every new channel is a copy of an old one, and what reads the two shares their weight between them
unevenly. So the wider network says the same as the old one, and its copies drift apart in training.
"""

import numpy as np
import torch
from networks import SquareNet
from torch import Tensor

#: How unevenly a channel and its copies share what they are read with.
_UNEVEN = 0.3


def widened(weights: dict[str, Tensor], base: int, seed: int = 0) -> dict[str, Tensor]:
    """The state of a `SquareNet(base)` that says what the one of these weights says.

    Args:
        weights: State of a `SquareNet` with fewer channels.
        base: Channels of the wider network's first layer.
        seed: Chooses the channels that are copied.
    """
    rng = np.random.default_rng(seed)
    state = {name: value.clone() for name, value in weights.items()}
    wide = SquareNet(base).state_dict()

    def copies(name: str) -> Tensor:
        old, new = weights[f"{name}.0.weight"].shape[0], wide[f"{name}.0.weight"].shape[0]
        return torch.from_numpy(np.r_[np.arange(old), rng.integers(0, old, new - old)])

    def make(name: str, inputs: Tensor | None, outputs: Tensor) -> None:
        kernel = state[f"{name}.0.weight"]
        kernel = kernel if inputs is None else _shared(kernel, inputs, rng)
        state[f"{name}.0.weight"] = kernel[outputs]
        for part in ("weight", "bias", "running_mean", "running_var"):
            state[f"{name}.1.{part}"] = state[f"{name}.1.{part}"][outputs]

    read = None
    for layer in ("0", "1", "2", "3", "4", "5"):
        name = f"features.{layer}"
        if f"{name}.first.0.weight" in weights:  # around a shortcut channels stay in their order
            inner = copies(f"{name}.first")
            make(f"{name}.first", read, inner)
            make(f"{name}.second", inner, read)
        else:
            made = copies(name)
            make(name, read, made)
            read = made
    pooled = torch.cat([read, read + weights["features.5.0.weight"].shape[0]])
    state["head.1.weight"] = _shared(state["head.1.weight"], pooled, rng)
    return state


def _shared(kernel: Tensor, inputs: Tensor, rng: np.random.Generator) -> Tensor:
    """Weights (outputs, inputs, ...) whose inputs were copied: each reads its share."""
    shares = torch.from_numpy(1 + _UNEVEN * rng.uniform(-1, 1, len(inputs))).float()
    together = torch.zeros(kernel.shape[1]).index_add_(0, inputs, shares)
    shares = shares / together[inputs]
    return kernel[:, inputs] * shares.reshape(1, -1, *[1] * (kernel.ndim - 2))
