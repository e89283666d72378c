"""The network that tells one domino from two."""

import torch
from torch import Tensor, nn

from scripts.training.networks import CONTRAST, MIDDLE, conv


class SeamNet(nn.Module):
    """Whether a patch of a pair shows one domino: (n, 3, 64, 48) to logits (n, 1).

    What is seen is pooled along the line between the two places and not across it, since a seam
    lies in the middle. In use the answer is the mean of a patch and of the same turned by half, so
    that no order of the two places matters.
    """

    def __init__(self, base: int = 10) -> None:
        super().__init__()
        c1, c2, c3 = base, base * 2, base * 3
        self.features = nn.Sequential(
            conv(3, c1, kernel=5, stride=2),
            conv(c1, c2, stride=2),
            conv(c2, c3, stride=2),
            conv(c3, c3),
        )
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(c3 * 2 * 6, 1))

    def forward(self, rgb: Tensor) -> Tensor:
        """Logits of patches in 0..1, seen from one side."""
        x = self.features((rgb - MIDDLE) * CONTRAST)
        pooled = torch.cat([x.mean(dim=2), x.amax(dim=2)], dim=1)
        logits: Tensor = self.head(pooled.flatten(1))
        return logits


class FromBothSides(nn.Module):
    """Bytes (n, 64, 48, 3) to logits (n, 1), the mean of both ways round: what is exported."""

    def __init__(self, network: SeamNet) -> None:
        super().__init__()
        self.network = network

    def forward(self, rgb: Tensor) -> Tensor:
        """Logits of patches as the program cuts them."""
        x = rgb.permute(0, 3, 1, 2).float() / 255
        logits: Tensor = (self.network(x) + self.network(x.flip((2, 3)))) / 2
        return logits
