"""What a camera does to a training view: exposure, tint, blur, noise and compression."""

import cv2
import numpy as np
from numpy.typing import NDArray

from scripts.synthesis import lens

Image = NDArray[np.uint8]


def exposed(view: Image, rng: np.random.Generator) -> Image:
    """The view (h, w, 3) RGB as another camera might have taken it."""
    if rng.random() < 0.5:
        view = _toned(view, rng)
    if rng.random() < 0.3:
        view = _blurred(view, rng)
    if rng.random() < 0.25:
        view = _noisy(view, rng)
    if rng.random() < 0.15:
        view = lens.through_jpeg(view, int(rng.integers(20, 70)))
    return view


def _toned(view: Image, rng: np.random.Generator) -> Image:
    """Another colour of light, exposure, contrast and curve: one table of values per channel."""
    gain = np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.2))
    curve, lift = np.exp(rng.normal(0, 0.22)), rng.normal(0, 0.03)
    values = (np.arange(256) / 255) ** curve
    table = np.clip(values[:, None] * gain + lift, 0, 1) * 255
    return np.asarray(cv2.LUT(view, table[None].astype(np.uint8)), np.uint8)


def _blurred(view: Image, rng: np.random.Generator) -> Image:
    """Out of focus, or shaken along a line."""
    if rng.random() < 0.6:
        return lens.defocused(view, rng.uniform(0.4, 1.6))
    return lens.shaken(view, int(rng.integers(3, 8)), rng.uniform(0, np.pi))


def _noisy(view: Image, rng: np.random.Generator) -> Image:
    """Noise of a sensor, the same in all colours or not."""
    height, width = view.shape[:2]
    channels = 1 if rng.random() < 0.4 else 3
    noise = rng.standard_normal((height, width, channels), np.float32)
    return lens.grainy(view, noise * np.float32(rng.uniform(2, 16)))
