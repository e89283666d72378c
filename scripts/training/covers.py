"""Train the network that sees where something covers a kingdom; write `models/covers.onnx`.

What is true of a place is whether a tile lies there of which most is hidden.
"""

import numpy as np
from torch import Tensor, nn

from kdvision.vision.models import COVER_LABELS
from kdvision.vision.squares.window import AROUND_PX
from scripts.arrays import Array, Floats
from scripts.training.networks import CONTRAST, MIDDLE, Residual, conv
from scripts.training.places import Lesson, hidden_labels, make_model
from scripts.training.plan import Run
from scripts.training.windows import Window


class CoverNet(nn.Module):
    """Where tiles are covered: (n, 3, 12 h, 12 w) in 0..1 to logits (n, 1, h, w) of places.

    Of every place it first sees the pixels, then what is around it, and the whole window's mean.
    """

    def __init__(self, base: int) -> None:
        super().__init__()
        wide, widest = base * 3 // 2, base * 2
        self.pixels = nn.Sequential(
            conv(3, base, stride=2), conv(base, wide, stride=2), conv(wide, wide)
        )
        self.place = nn.Sequential(
            nn.Conv2d(wide, widest, 3, stride=3, bias=False), nn.BatchNorm2d(widest), nn.ReLU()
        )
        self.window = nn.Conv2d(widest, widest, 1)
        self.around = nn.Sequential(Residual(widest), Residual(widest, 2))
        self.head = nn.Conv2d(widest, len(COVER_LABELS), 1)

    def forward(self, rgb: Tensor) -> Tensor:
        """Return logits per place."""
        x = self.place(self.pixels((rgb - MIDDLE) * CONTRAST))
        x = x + self.window(x.mean(dim=(2, 3), keepdim=True))
        logits: Tensor = self.head(self.around(x))
        return logits


def labels_of(window: Window, taken: Array) -> Floats:
    """Return (1, places, places) where most of a tile is hidden."""
    return hidden_labels(window, taken)[None].astype(np.float32)


COVERS = Lesson(
    name="covers",
    labels=COVER_LABELS,
    labels_of=labels_of,
    px=AROUND_PX,
    kept=17,
    scenes=2600,
    recipes=(("covers", 1.0), ("covers-first-turns", 0.5)),
    real_share=0.4,
    laid_px=36,
    stuffs=600,
    anywhere=0.15,
    most_things=2,
    sizes=0.25,
    other_stuff=0.4,
    softest_edge=1.5,
    softest_shadow=4.0,
    print_edge_px=1,
)


def make_covers(run: Run) -> None:
    """Make `covers.onnx` in the folder of the run's files."""
    make_model(run, CoverNet, COVERS)
