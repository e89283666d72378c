"""Train the network that sees what lies on tiles; write `models/obstructions.onnx`.

Two things are true of a place: whether a tile lies there of which most is hidden, and whether
anything lies on the tile at all, as the smallest thing can hide a crown. The first helps to learn
the second, which alone is exported.
"""

import numpy as np
import torch
from torch import Tensor, nn

from kdvision.vision.models import OBSTRUCTION_LABELS
from kdvision.vision.squares.window import OBSTRUCTION_PX
from scripts.arrays import Array, Floats
from scripts.training.networks import CONTRAST, MIDDLE, Residual, conv
from scripts.training.places import Lesson, hidden_labels, make_model
from scripts.training.plan import Run
from scripts.training.windows import Window

#: What is learnt of a place: that most of its tile is hidden, and that anything lies on it.
LEARNT = ("hidden", *OBSTRUCTION_LABELS)
#: Something lies on a tile where it takes at least this share of it: a crown takes about 0.02.
OBSTRUCTED_FROM = 0.02
#: Nothing does where at most this share is taken: edges and shadows of what lies beside.
FREE_BELOW = 0.004
#: That nothing lies on a tile is learnt where so much of it can be seen.
WHOLE_FROM = 0.97


class ObstructionNet(nn.Module):
    """What lies on tiles: (n, 3, 24 h, 24 w) in 0..1 to logits (n, 2, h, w) of places, as `LEARNT`.

    Of every place it first sees the pixels, then what is around it, and the whole window's mean.
    """

    def __init__(self, base: int) -> None:
        super().__init__()
        wide, wider, widest = base * 3 // 2, base * 2, base * 3
        self.pixels = nn.Sequential(
            conv(3, base, stride=2),
            conv(base, wide, stride=2),
            Residual(wide),
            conv(wide, wider, stride=2),
            conv(wider, wider),
        )
        self.place = nn.Sequential(
            nn.Conv2d(wider, widest, 3, stride=3, bias=False), nn.BatchNorm2d(widest), nn.ReLU()
        )
        self.window = nn.Conv2d(widest, widest, 1)
        self.around = nn.Sequential(Residual(widest), Residual(widest, 2))
        self.head = nn.Conv2d(2 * widest, len(LEARNT), 1)

    def forward(self, rgb: Tensor) -> Tensor:
        """Return logits per place."""
        place = self.place(self.pixels((rgb - MIDDLE) * CONTRAST))
        place = place + self.window(place.mean(dim=(2, 3), keepdim=True))
        logits: Tensor = self.head(torch.cat([place, self.around(place)], dim=1))
        return logits


def labels_of(window: Window, taken: Array) -> Floats:
    """Return (2, places, places) of `LEARNT`: 1 true, 0 not, -1 not asked.

    Whether anything lies on a tile is not asked of what else hides it in the scene.
    """
    whole = np.nan_to_num(window.seen) >= WHOLE_FROM
    obstructed = np.full(taken.shape, -1.0)
    obstructed[taken >= OBSTRUCTED_FROM] = 1.0
    obstructed[(taken < FREE_BELOW) & whole] = 0.0
    obstructed[np.isnan(window.seen) | window.start] = -1.0
    return np.stack([hidden_labels(window, taken), obstructed]).astype(np.float32)


OBSTRUCTIONS = Lesson(
    name="obstructions",
    labels=LEARNT,
    labels_of=labels_of,
    px=OBSTRUCTION_PX,
    kept=15,
    scenes=500,
    # Of kingdoms in their first turns, and with castles, kings and cups.
    recipes=(("covers", 1.0), ("covers-first-turns", 0.3), ("tables", 0.4)),
    real_share=3.0,
    laid_px=48,
    stuffs=500,
    anywhere=0.1,
    small=0.65,
    most_things=3,
    sizes=0.2,
    other_stuff=0.3,
    softest_edge=1.2,
    softest_shadow=5.0,
    flat=0.5,
    print_edge_px=2,
    lit=0.5,
)


def make_obstructions(run: Run) -> None:
    """Make `obstructions.onnx` in the folder of the run's files."""
    make_model(run, ObstructionNet, OBSTRUCTIONS)
