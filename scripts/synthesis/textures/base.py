"""What all surfaces are made of: noise, colour ramps, relief and light.

Pictures are uint8 (h, w, 3) RGB; maps are float32 (h, w).
"""

import colorsys
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from scripts.arrays import Rng

Colour = tuple[int, int, int]

#: Paints a random surface of a height and a width.
Painter = Callable[[Rng, int, int], np.ndarray]


def soft(rng: Rng, height: int, width: int, tall: float, wide: float | None = None) -> np.ndarray:
    """Soft noise, float32 (height, width), mean 0 and deviation about 0.7.

    Args:
        rng: Random numbers.
        height: Height in pixels.
        width: Width in pixels.
        tall: Height of a patch in pixels.
        wide: Width of a patch; `tall` where it is not given.
    """
    rows = max(2, round(height / max(tall, 1.0)) + 1)
    cols = max(2, round(width / max(tall if wide is None else wide, 1.0)) + 1)
    if rows * cols > 1 << 16:
        # In fine noise uniform values look the same as Gaussian ones, and are much quicker.
        even = np.frombuffer(rng.bytes(rows * cols), np.uint8).reshape(rows, cols)
        small = (even.astype(np.float32) - 127.5) * np.float32(1.73 / 127.5)
    else:
        small = rng.standard_normal((rows, cols), dtype=np.float32)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)


def layers(rng: Rng, height: int, width: int, cell: float, count: int = 4) -> np.ndarray:
    """Noise of several sizes, each half as large and half as strong as the one before."""
    total = soft(rng, height, width, cell)
    for step in range(1, count):
        total += soft(rng, height, width, cell / 2**step) * np.float32(0.5**step)
    return total


def ramp(values: np.ndarray, colours: Sequence[Colour]) -> np.ndarray:
    """Paints a map with a row of colours: 0 is the first, 1 the last; uint8 (h, w, 3)."""
    stops = np.linspace(0, 255, len(colours))
    table = np.stack(
        [np.interp(np.arange(256), stops, [c[i] for c in colours]) for i in range(3)], 1
    )
    index = cv2.convertScaleAbs(np.clip(values, 0, 1), alpha=255)
    return cv2.applyColorMap(index, table.astype(np.uint8)[:, None])


def tint(colour: Colour, hue: float = 0.0, saturation: float = 1.0, value: float = 1.0) -> Colour:
    """Return the colour turned by `hue` (in turns), with saturation and value multiplied."""
    h, s, v = colorsys.rgb_to_hsv(*(c / 255 for c in colour))
    r, g, b = colorsys.hsv_to_rgb((h + hue) % 1, min(1.0, s * saturation), min(1.0, v * value))
    return int(r * 255), int(g * 255), int(b * 255)


def any_colour(
    rng: Rng,
    saturation: tuple[float, float] = (0.2, 0.8),
    value: tuple[float, float] = (0.25, 0.95),
) -> Colour:
    """Return a colour of any hue."""
    r, g, b = colorsys.hsv_to_rgb(rng.random(), rng.uniform(*saturation), rng.uniform(*value))
    return int(r * 255), int(g * 255), int(b * 255)


def vary(rng: Rng, colour: Colour, reach: float = 0.08) -> Colour:
    """Return the colour a little lighter or darker, warmer or cooler, greyer or purer."""
    return tint(
        colour,
        rng.uniform(-0.15, 0.15) * reach,
        1 + rng.uniform(-2, 2) * reach,
        1 + rng.uniform(-1, 1) * reach,
    )


def plain(height: int, width: int, colour: Colour) -> np.ndarray:
    """Return a picture of one colour."""
    line = np.empty((1, width, 3), np.uint8)
    line[:] = colour
    return np.repeat(line, height, 0)


def shaded(image: np.ndarray, gain: np.ndarray) -> np.ndarray:
    """Return the picture with every pixel multiplied by the map."""
    return cv2.multiply(image, cv2.merge([gain, gain, gain]), dtype=cv2.CV_8U)


def added(image: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Return the picture with the map, in grey levels, added to every pixel."""
    return cv2.add(image, cv2.merge([change, change, change]), dtype=cv2.CV_8U)


def blended(image: np.ndarray, other: np.ndarray, share: np.ndarray) -> np.ndarray:
    """From the picture (share 0) to the other (share 1), pixel by pixel."""
    share = np.clip(share, 0, 1).astype(np.float32, copy=False)
    return cv2.blendLinear(image, other, 1 - share, share)


def relief(rng: Rng, height_map: np.ndarray, strength: float) -> np.ndarray:
    """Return the gain of light from one side on a relief; 1 where it is flat."""
    turn = rng.uniform(0, 2 * np.pi)
    slope = cv2.Sobel(height_map, cv2.CV_32F, 1, 0) * np.float32(np.cos(turn))
    slope += cv2.Sobel(height_map, cv2.CV_32F, 0, 1) * np.float32(np.sin(turn))
    return np.asarray(np.clip(1 + slope * np.float32(strength), 0.35, 1.5))


def lit(rng: Rng, image: np.ndarray, strength: float = 0.12) -> np.ndarray:
    """Return the surface under a lamp: a gradient of light, a soft spot, uneven patches."""
    height, width = image.shape[:2]
    y, x = np.mgrid[0:24, 0:32].astype(np.float32) / (24, 32)[0]
    turn = rng.uniform(0, 2 * np.pi)
    gain = 1 + strength * (np.cos(turn) * (x - 0.66) + np.sin(turn) * (y - 0.5)) * 1.5
    spot = np.exp(-((x - rng.uniform(0, 1.3)) ** 2 + (y - rng.uniform(0, 1)) ** 2) * 3)
    gain += strength * rng.uniform(0, 1) * (spot - 0.3)
    gain += strength * 0.2 * soft(rng, 24, 32, 8)
    # A pale table may shine, but it is not all white.
    gain *= min(1.0, 268 / float(gain.max() * image[::16, ::16].max()))
    gain = cv2.resize(gain.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    return shaded(image, gain)


def cells(rng: Rng, height: int, width: int, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Cells around scattered points.

    Returns:
        The distance to the nearest point as a share of `size`, float32 (h, w), and the
        number of that point, int32 (h, w).
    """
    step = max(3.0, size)
    rows, cols = int(height / step) + 2, int(width / step) + 2
    y, x = np.mgrid[0:rows, 0:cols].astype(np.float32)
    y = ((y + rng.random(y.shape)) * step).astype(int).ravel()
    x = ((x + rng.random(x.shape)) * step).astype(int).ravel()
    inside = (y < height) & (x < width)
    ground = np.full((height, width), 255, np.uint8)
    ground[y[inside], x[inside]] = 0
    distance, labels = cv2.distanceTransformWithLabels(
        ground, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    return distance / np.float32(size), labels


def sometimes_turned(rng: Rng, paint: Painter, height: int, width: int) -> np.ndarray:
    """Return a picture painted upright, or lying on its side."""
    if rng.random() < 0.5:
        return paint(rng, height, width)
    return np.ascontiguousarray(paint(rng, width, height).transpose(1, 0, 2))
