"""What all surfaces are made of: noise, colour ramps, relief and light.

Pictures are uint8 (h, w, 3) RGB; maps are float32 (h, w).
"""

import colorsys
from collections.abc import Callable, Sequence
from typing import TypeVar

import cv2
import numpy as np
from msgspec import Struct

from scripts.arrays import Rng
from scripts.synthesis.artwork.style import Colour, tint

T = TypeVar("T")


class Surface(Struct, frozen=True, eq=False):
    """A surface while it is painted.

    Attributes:
        rng: Random numbers.
        height: In pixels.
        width: In pixels.
    """

    rng: Rng
    height: int
    width: int

    @property
    def longer(self) -> int:
        """The longer side in pixels."""
        return max(self.height, self.width)

    def soft(self, tall: float, wide: float | None = None) -> np.ndarray:
        """Return soft noise, float32 (height, width), mean 0 and deviation about 0.7.

        Args:
            tall: Height of a patch in pixels.
            wide: Width of a patch; `tall` where it is not given.
        """
        rows = max(2, round(self.height / max(tall, 1.0)) + 1)
        cols = max(2, round(self.width / max(tall if wide is None else wide, 1.0)) + 1)
        if rows * cols > 1 << 16:
            # In fine noise uniform values look the same as Gaussian ones, and are much quicker.
            even = np.frombuffer(self.rng.bytes(rows * cols), np.uint8).reshape(rows, cols)
            small = (even.astype(np.float32) - 127.5) * np.float32(1.73 / 127.5)
        else:
            small = self.rng.standard_normal((rows, cols), dtype=np.float32)
        return cv2.resize(small, (self.width, self.height), interpolation=cv2.INTER_CUBIC)

    def layers(self, cell: float, count: int = 4) -> np.ndarray:
        """Return noise of several sizes, each half as large and as strong as the one before."""
        total = self.soft(cell)
        for step in range(1, count):
            total += self.soft(cell / 2**step) * 0.5**step
        return total

    def cells(self, size: float) -> tuple[np.ndarray, np.ndarray]:
        """Return cells around scattered points.

        They are the distance to the nearest point as a share of `size`, float32 (h, w), and the
        number of that point, int32 (h, w).
        """
        step = max(3.0, size)
        rows, cols = int(self.height / step) + 2, int(self.width / step) + 2
        y, x = np.mgrid[0:rows, 0:cols].astype(np.float32)
        y = ((y + self.rng.random(y.shape)) * step).astype(int).ravel()
        x = ((x + self.rng.random(x.shape)) * step).astype(int).ravel()
        inside = (y < self.height) & (x < self.width)
        ground = np.full((self.height, self.width), 255, np.uint8)
        ground[y[inside], x[inside]] = 0
        kind = cv2.DIST_LABEL_PIXEL
        distance, labels = cv2.distanceTransformWithLabels(ground, cv2.DIST_L2, 5, labelType=kind)
        return distance / np.float32(size), labels

    def choose(self, things: Sequence[T]) -> T:
        """Return one of some things."""
        return things[int(self.rng.integers(len(things)))]

    def any_colour(
        self,
        saturation: tuple[float, float] = (0.2, 0.8),
        value: tuple[float, float] = (0.25, 0.95),
    ) -> Colour:
        """Return a colour of any hue."""
        hue = self.rng.random()
        r, g, b = colorsys.hsv_to_rgb(hue, self.rng.uniform(*saturation), self.rng.uniform(*value))
        return int(r * 255), int(g * 255), int(b * 255)

    def vary(self, colour: Colour, reach: float = 0.08) -> Colour:
        """Return the colour a little lighter or darker, warmer or cooler, greyer or purer."""
        hue = self.rng.uniform(-0.15, 0.15) * reach
        saturation = 1 + self.rng.uniform(-2, 2) * reach
        return tint(colour, hue, saturation, 1 + self.rng.uniform(-1, 1) * reach)

    def plain(self, colour: Colour) -> np.ndarray:
        """Return a picture of one colour."""
        return np.full((self.height, self.width, 3), colour, np.uint8)

    def relief(self, height_map: np.ndarray, strength: float) -> np.ndarray:
        """Return the gain of light from one side on a relief; 1 where it is flat."""
        turn = self.rng.uniform(0, 2 * np.pi)
        slope = cv2.Sobel(height_map, cv2.CV_32F, 1, 0) * np.float32(np.cos(turn))
        slope += cv2.Sobel(height_map, cv2.CV_32F, 0, 1) * np.float32(np.sin(turn))
        return np.asarray(np.clip(1 + slope * np.float32(strength), 0.35, 1.5))

    def lit(self, image: np.ndarray, strength: float = 0.12) -> np.ndarray:
        """Return its picture under a lamp: a gradient of light, a soft spot, uneven patches."""
        y, x = np.mgrid[0:24, 0:32].astype(np.float32) / 24
        turn = self.rng.uniform(0, 2 * np.pi)
        gain = 1 + strength * (np.cos(turn) * (x - 0.66) + np.sin(turn) * (y - 0.5)) * 1.5
        right, down = x - self.rng.uniform(0, 1.3), y - self.rng.uniform(0, 1)
        spot = np.exp(-(right**2 + down**2) * 3)
        gain += strength * self.rng.uniform(0, 1) * (spot - 0.3)
        gain += strength * 0.2 * Surface(self.rng, 24, 32).soft(8)
        # A pale table may shine, but it is not all white.
        gain *= min(1.0, 268 / float(gain.max() * image[::16, ::16].max()))
        return shaded(image, cv2.resize(gain.astype(np.float32), (self.width, self.height)))

    def sometimes_turned(self, paint: "Painter") -> np.ndarray:
        """Return a picture painted upright, or lying on its side."""
        if self.rng.random() < 0.5:
            return paint(self)
        lying = Surface(self.rng, self.width, self.height)
        return np.ascontiguousarray(paint(lying).transpose(1, 0, 2))


#: Paints a surface.
Painter = Callable[[Surface], np.ndarray]


def ramp(values: np.ndarray, colours: Sequence[Colour]) -> np.ndarray:
    """Paint a map with a row of colours: 0 is the first, 1 the last; uint8 (h, w, 3)."""
    stops = np.linspace(0, 255, len(colours))
    channels = [np.interp(np.arange(256), stops, channel) for channel in zip(*colours, strict=True)]
    index = cv2.convertScaleAbs(np.clip(values, 0, 1), alpha=255)
    return cv2.applyColorMap(index, np.stack(channels, 1).astype(np.uint8)[:, None])


def shaded(image: np.ndarray, gain: np.ndarray) -> np.ndarray:
    """Return the picture with every pixel multiplied by the map."""
    return cv2.multiply(image, cv2.merge([gain, gain, gain]), dtype=cv2.CV_8U)


def added(image: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Return the picture with the map, in grey levels, added to every pixel."""
    return cv2.add(image, cv2.merge([change, change, change]), dtype=cv2.CV_8U)


def blended(image: np.ndarray, other: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return a mixture of the picture (share 0) and the other (share 1), pixel by pixel."""
    share = np.clip(share, 0, 1).astype(np.float32, copy=False)
    return cv2.blendLinear(image, other, 1 - share, share)
