"""The two networks: one finds squares in a photo, one classifies a square.

In training both take RGB as float32 in 0..1, channels first, and normalise it themselves. The
exported files take bytes; see `quantize.py`.
"""

import torch
from torch import Tensor, nn

from scripts.training.labels import CLASSIFIER_LABELS

#: Output channels of `GridNet`, in order; see `kdvision.vision.grid.detector`.
GRID_CHANNELS = ("tile", "castle", "dx", "dy", "log_scale", "p_re", "p_im", "s_re", "s_im")
#: One output pixel per so many input pixels.
GRID_STRIDE = 4
#: What a network subtracts from RGB in 0..1.
MIDDLE = 0.45
#: What it multiplies the rest by.
CONTRAST = 4.0


def conv(
    inputs: int, outputs: int, *, kernel: int = 3, stride: int = 1, dilation: int = 1
) -> nn.Sequential:
    """Return convolution, batch normalisation and ReLU; the same size for stride 1."""
    padding = dilation * (kernel // 2)
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, padding, dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two convolutions around a shortcut."""

    def __init__(self, channels: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = conv(channels, channels, dilation=dilation)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, dilation, dilation, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return (n, c, h, w) to the same shape."""
        return torch.relu(x + self.second(self.first(x)))


class Normalise(nn.Module):
    """RGB in 0..1 as the first layer takes it."""

    def forward(self, rgb: Tensor) -> Tensor:
        """Return (n, 3, h, w) to the same shape."""
        return (rgb - MIDDLE) * CONTRAST


class GridNet(nn.Module):
    """Dense fields of squares: (n, 3, h, w) to (n, 9, h/4, w/4); h and w are multiples of 16."""

    def __init__(self, base: int = 16) -> None:
        super().__init__()
        c1, c2, c3, c4 = base, base + base // 2, base * 3, base * 4
        self.normalise: nn.Module = Normalise()
        self.stem = conv(3, c1, stride=2)
        self.down4 = nn.Sequential(conv(c1, c2, stride=2), Residual(c2))
        self.down8 = nn.Sequential(conv(c2, c3, stride=2), Residual(c3))
        self.down16 = nn.Sequential(
            conv(c3, c4, stride=2), Residual(c4), Residual(c4, 2), Residual(c4, 4), Residual(c4)
        )
        self.side8 = conv(c4, c3, kernel=1)
        self.up8 = conv(c3, c3)
        self.side4 = conv(c3, c2, kernel=1)
        self.up4 = conv(c2, c2 + 8)
        self.head = nn.Conv2d(c2 + 8, len(GRID_CHANNELS), 1)

    def forward(self, rgb: Tensor) -> Tensor:
        """Return fields in the order of `GRID_CHANNELS`; tile and castle are logits."""
        at4 = self.down4(self.stem(self.normalise(rgb)))
        at8 = self.down8(at4)
        at16 = self.down16(at8)
        at8 = self.up8(at8 + double(self.side8(at16)))
        at4 = self.up4(at4 + double(self.side4(at8)))
        fields: Tensor = self.head(at4)
        return fields


def double(x: Tensor) -> Tensor:
    """Return twice the height and width."""
    return nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")


class SquareNet(nn.Module):
    """Classifies a patch: (n, 3, 64, 64) to logits (n, 19) in the order of `CLASSIFIER_LABELS`."""

    def __init__(self, base: int = 20) -> None:
        super().__init__()
        c1, c2, c3, c4 = base, base * 2, base * 3, base * 5
        self.normalise: nn.Module = Normalise()
        self.features = nn.Sequential(
            conv(3, c1, kernel=5, stride=2),
            conv(c1, c2, stride=2),
            Residual(c2),
            conv(c2, c3, stride=2),
            Residual(c3),
            conv(c3, c4, stride=2),
            Residual(c4),
        )
        self.head = nn.Sequential(nn.Dropout(0.15), nn.Linear(c4 * 2, len(CLASSIFIER_LABELS)))

    def forward(self, rgb: Tensor) -> Tensor:
        """Return logits per label."""
        x = self.features(self.normalise(rgb))
        pooled = torch.cat([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1)
        logits: Tensor = self.head(pooled)
        return logits


class OfBytes(nn.Module):
    """Bytes (n, h, w, 3) to the logits of a network: what is exported.

    Where the truth is the same of a mirrored picture, the answer is the mean of both: `mirrored`
    are axes of (n, 3, h, w).
    """

    def __init__(self, network: nn.Module, mirrored: tuple[int, ...] = ()) -> None:
        super().__init__()
        self.network, self.mirrored = network, mirrored

    def forward(self, rgb: Tensor) -> Tensor:
        """Return logits of pictures as the program cuts them."""
        pictures = rgb.permute(0, 3, 1, 2).float() / 255
        logits: Tensor = self.network(pictures)
        if self.mirrored:
            logits = (logits + self.network(pictures.flip(self.mirrored))) / 2
        return logits
