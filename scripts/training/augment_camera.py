"""What a camera does to a training view: exposure, tint, blur, noise and compression."""

import cv2
import numpy as np
from numpy.typing import NDArray

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
        view = _compressed(view, rng)
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
        return np.asarray(cv2.GaussianBlur(view, (0, 0), rng.uniform(0.4, 1.6)), np.uint8)
    length, angle = int(rng.integers(2, 7)), rng.uniform(0, np.pi)
    kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
    way = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    ends = [tuple(map(int, np.round((length + sign * way) * 16))) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(view, -1, kernel / max(float(kernel.sum()), 1e-6)), np.uint8)


def _noisy(view: Image, rng: np.random.Generator) -> Image:
    """Noise of a sensor, the same in all colours or not."""
    height, width = view.shape[:2]
    channels = 1 if rng.random() < 0.4 else 3
    noise = rng.standard_normal((height, width, channels), np.float32)
    return np.clip(view + noise * np.float32(rng.uniform(2, 16)), 0, 255).astype(np.uint8)


def _compressed(view: Image, rng: np.random.Generator) -> Image:
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(20, 70))]
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", view, quality)[1], cv2.IMREAD_COLOR))
