"""The light on a staged photo, and what the camera makes of it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from scripts.synthesis.rendering.art import Image
from scripts.synthesis.staging.shot import Light


def apply_light(image: Image, light: Light, rng: np.random.Generator) -> Image:
    """The colour of the light, its gradient over the table, a soft shadow, and sensor noise.

    Args:
        image: The scene in even white light, (h, w, 3) RGB.
        light: Its light.
        rng: Random numbers, for the noise.
    """
    height, width = image.shape[:2]
    y, x = np.mgrid[0:1:48j, 0:1:64j].astype(np.float32) - np.float32(0.5)
    turn = np.radians(light.slope_from)
    field = 1 + light.slope * (x * np.cos(turn) + y * np.sin(turn))
    field = field * (1 - light.vignette * 2 * (x * x + y * y))
    field = cv2.resize(field.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    if light.shade:
        field *= 1 - _shade(light, width, height) * np.float32(light.shade_depth)
    linear: NDArray[np.float32] = (image.astype(np.float32) / np.float32(255)) ** 2
    linear *= field[..., None] * np.array(light.gains, np.float32)
    picture = _shoulder(np.sqrt(linear)) * 255
    grain = rng.normal(0, 0.9, (height // 2, width // 2)).astype(np.float32)
    picture += cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR)[..., None]
    return np.asarray(np.clip(picture + 0.5, 0, 255).astype(np.uint8), np.uint8)


def _shade(light: Light, width: int, height: int) -> NDArray[np.float32]:
    mask = np.zeros((height // 4, width // 4), np.float32)
    corners = np.array(light.shade) * [width / 4, height / 4]
    cv2.fillPoly(mask, [np.array(corners).astype(np.int32)], 1.0)
    soft = cv2.GaussianBlur(mask, (0, 0), light.shade_blur * width / 4)
    return np.asarray(cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR))


def _shoulder(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """A tone curve with a shoulder: bright values are compressed so that none is clipped."""
    knee = np.float32(0.85)
    over = np.maximum(values - knee, 0)
    return np.asarray(np.minimum(values, knee) + over / (1 + over * np.float32(3.0)))
