"""What can be wrong with a photo: each kind of damage in growing strength.

Pictures are RGB (h, w, 3) uint8. `unit` is the side of a square in pixels, so that damage grows
with the squares and not with the picture.
"""

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from msgspec import Struct

from scripts.arrays import Image, Rng
from scripts.pictures import as_bytes, resized
from scripts.synthesis import lens


def defocus(image: Image, rng: Rng, strength: float, unit: float) -> Image:
    """Blur as out of focus; `strength` is the blur's sigma in squares."""
    return lens.defocused(image, max(strength * unit, 0.3))


def shake(image: Image, rng: Rng, strength: float, unit: float) -> Image:
    """Move the camera; `strength` is how far, in squares."""
    length = max(2, round(strength * unit))
    return lens.shaken(image, length, rng.uniform(0, np.pi))


def darkness(image: Image, rng: Rng, strength: float, unit: float) -> Image:
    """Take light away; `strength` is the share that is left, and noise rises as it falls."""
    linear = (image / np.float32(255)) ** 2 * np.float32(strength)
    dark = np.sqrt(linear) * 255 + rng.normal(0, 2.5, image.shape)
    return as_bytes(dark)


def colour_cast(image: Image, rng: Rng, strength: float, unit: float) -> Image:
    """Light it by a lamp of a strong colour; `strength` is the log of red over blue."""
    warm = 1 if rng.random() < 0.7 else -1
    gains = np.exp(np.array([warm, rng.normal(0, 0.3), -warm], np.float32) * strength / 2)
    linear = (image / np.float32(255)) ** 2 * gains / gains.max() ** 0.5
    return as_bytes(np.sqrt(linear) * 255)


def shadow(image: Image, rng: Rng, strength: float, unit: float) -> Image:
    """Cast a hard shadow across the picture; `strength` is the share of light left in it."""
    height, width = image.shape[:2]
    mask = np.zeros((height, width), np.float32)
    middle = np.array([width, height]) * rng.uniform(0.35, 0.65, 2)
    angle, half = rng.uniform(0, np.pi), rng.uniform(0.8, 2.5) * unit
    along = np.array([np.cos(angle), np.sin(angle)]) * (width + height)
    across = np.array([-np.sin(angle), np.cos(angle)]) * half
    corners = [middle - along - across, middle + along - across]
    corners += [middle + along + across, middle - along + across]
    cv2.fillPoly(mask, [np.array(corners).astype(np.int32)], 1.0)
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.04 * unit, 1.0))[..., None]
    linear = (image / np.float32(255)) ** 2 * (1 - soft * np.float32(1 - strength))
    return as_bytes(np.sqrt(linear) * 255)


def glare(image: Image, rng: Rng, strength: float, unit: float) -> Image:
    """Mirror lamps in the tiles; `strength` is the size of the spots in squares."""
    height, width = image.shape[:2]
    light = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(2, 5))):
        centre = (np.array([width, height]) * rng.uniform(0.3, 0.7, 2)).astype(int)
        axes = np.maximum(rng.uniform(0.5, 1.2, 2) * strength * unit, 2).astype(int)
        turn = float(rng.uniform(0, 180))
        spot = (tuple(map(int, centre)), tuple(map(int, axes)), turn, 0, 360)
        cv2.ellipse(light, *spot, float(rng.uniform(0.7, 1.3)), -1)
    soft = cv2.GaussianBlur(light, (0, 0), max(0.25 * strength * unit, 1.0))[..., None]
    return as_bytes(image + soft * 255)


def noise(image: Image, rng: Rng, strength: float, unit: float) -> Image:
    """Add grain of the sensor; `strength` is its sigma of 255."""
    return as_bytes(image + rng.normal(0, strength, image.shape))


def small(image: Image, rng: Rng, strength: float, unit: float) -> Image:
    """Take it from far away; `strength` is the side of a square that is left, in pixels."""
    factor = min(1.0, strength / unit)
    return resized(image, factor)


def as_jpeg(image: Image, quality: int = 92) -> bytes:
    """Return the bytes of a JPEG file."""
    _, data = cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    return bytes(data.tobytes())


def flipped(data: bytes, rng: Rng, count: int) -> bytes:
    """Return a file in whose middle so many bytes are wrong."""
    wrong = bytearray(data)
    for at in rng.integers(int(len(data) * 0.25), int(len(data) * 0.75), count):
        wrong[at] ^= int(rng.integers(1, 256))
    return bytes(wrong)


def truncated(data: bytes, share: float) -> bytes:
    """Return a file of which only the first part is there."""
    return data[: int(len(data) * share)]


class Damage(Struct, frozen=True):
    """A kind of damage.

    Attributes:
        apply: Does it to a picture, so strongly, where a square has so many pixels.
        weak: The least strength that counts.
        strong: The most.
        stress: The strengths of the stress set, other than those by which doubts were chosen.
    """

    apply: Callable[[Image, Rng, float, float], Image]
    weak: float
    strong: float
    stress: tuple[float, ...]

    def __call__(self, image: Image, rng: Rng, share: float, unit: float) -> Image:
        """Do it by how far, 0 to 1, it is from weak to strong, in equal ratios."""
        return self.apply(image, rng, self.weak * (self.strong / self.weak) ** share, unit)


KINDS: Mapping[str, Damage] = {
    "blur": Damage(defocus, 0.015, 0.12, (0.02, 0.04, 0.07, 0.1, 0.15)),
    "shake": Damage(shake, 0.05, 0.4, (0.06, 0.12, 0.2, 0.3, 0.45)),
    "darkness": Damage(darkness, 0.35, 0.01, (0.3, 0.12, 0.05, 0.02, 0.008)),
    "colour cast": Damage(colour_cast, 0.5, 2.4, (0.6, 1.0, 1.5, 2.0, 2.6)),
    "shadow": Damage(shadow, 0.45, 0.04, (0.4, 0.25, 0.12, 0.06, 0.03)),
    "glare": Damage(glare, 0.15, 1.0, (0.2, 0.35, 0.5, 0.8, 1.2)),
    "noise": Damage(noise, 8, 55, (10, 20, 30, 45, 60)),
    "small": Damage(small, 48, 18, (50, 40, 32, 26, 20)),
}
