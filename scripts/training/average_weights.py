"""Average the weights of two trainings of the classifier, the second begun with the first.

    python -m scripts.training.average_weights FIRST.pt SECOND.pt --share 0.6 --out squares.pt

Two ends of one training, each at the end of a cosine, lie in one wide valley: between them the
network is right more often than at either end, and less sure where it is wrong. The share was
chosen on the patches that calibrate, which train nothing.
"""

import argparse
from pathlib import Path

import torch
from torch import Tensor

from scripts.training.networks import SquareNet
from scripts.training.schedule import Budget, Clock, between, save

#: The last block of the classifier, which an older training may not have.
LAST_BLOCK = "features.6."


def main() -> None:
    """Load, average, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--share", type=float, default=0.6, help="of the second, 0 to 1")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    network, base = averaged(options.first, options.second, options.share)
    save(options.out, network, base, Clock(Budget(0)))


def averaged(first: Path, second: Path, share: float) -> tuple[SquareNet, int]:
    """The network between two checkpoints, and the channels of its first layer.

    A first training without the last block gets that of the second, in a way that changes nothing.

    Args:
        first: The checkpoint that the second training began with.
        second: Its own.
        share: Of the second, 0 to 1.
    """
    older, newer = (torch.load(path, weights_only=True) for path in (first, second))
    network = SquareNet(newer["base"])
    start = _with_last_block(older["weights"], newer["weights"])
    network.load_state_dict(between(start, newer["weights"], share))
    return network, int(newer["base"])


def _with_last_block(older: dict[str, Tensor], newer: dict[str, Tensor]) -> dict[str, Tensor]:
    """The older weights, with the last block of the newer ones adding nothing."""
    if any(name.startswith(LAST_BLOCK) for name in older):
        return older
    block = {name: value.clone() for name, value in newer.items() if name.startswith(LAST_BLOCK)}
    for name in (f"{LAST_BLOCK}second.1.weight", f"{LAST_BLOCK}second.1.bias"):
        block[name].zero_()
    return older | block


if __name__ == "__main__":
    main()
