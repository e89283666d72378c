"""Average the weights of several trainings of the classifier, each begun with one before.

    python -m scripts.training.average_weights A.pt B.pt [...] --shares 0.4 0.6 --out C.pt

Ends of trainings that began with one another lie in one wide valley: between them the network is
right more often than at any end, and less sure where it is wrong. Shares are chosen on patches that
train nothing.
"""

import argparse
from collections.abc import Sequence
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
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument(
        "--shares", type=float, nargs="+", required=True, help="of each; their sum is 1"
    )
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    if len(options.shares) != len(options.checkpoints) or abs(sum(options.shares) - 1) > 1e-6:
        parser.error("--shares needs a share for each checkpoint, and their sum is 1")
    network, base = averaged(options.checkpoints, options.shares)
    save(options.out, network, base, Clock(Budget(0)))


def averaged(checkpoints: Sequence[Path], shares: Sequence[float]) -> tuple[SquareNet, int]:
    """The network between checkpoints, and the channels of its first layer.

    A training without the last block gets that of the last one, in a way that changes nothing.

    Args:
        checkpoints: One or more, of one size.
        shares: Of each; their sum is 1.
    """
    stored = [torch.load(path, weights_only=True) for path in checkpoints]
    newest = stored[-1]["weights"]
    mean, weight = newest, shares[-1]
    for one, share in zip(stored[:-1], shares[:-1], strict=True):
        weight += share
        start = _with_last_block(one["weights"], newest)
        mean = between(mean, start, share / weight) if weight else mean
    network = SquareNet(stored[-1]["base"])
    network.load_state_dict(mean)
    return network, int(stored[-1]["base"])


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
