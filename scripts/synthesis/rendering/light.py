"""Light, lens and file: exposure, blur, noise and compression of a rendered picture."""

import cv2
import numpy as np

from scripts.arrays import Array, Floats, Image, Rng
from scripts.pictures import as_bytes
from scripts.synthesis import lens

#: Six lights as gains of red, green and blue in linear light.
LAMPS = {
    "daylight": (1.0, 1.0, 1.0),
    "clouds": (0.82, 1.0, 1.2),
    "shade": (0.7, 0.95, 1.35),
    "evening sun": (1.3, 1.0, 0.72),
    "bulb": (1.5, 1.0, 0.55),
    "tube": (0.92, 1.15, 0.9),
}


def expose(image: Image, rng: Rng, lamp: str = "") -> Image:
    """Light a picture unevenly, by a coloured lamp, with shadows, glare and tone mapping.

    `lamp` is one of `LAMPS`; empty takes any.
    """
    height, width = image.shape[:2]
    picture = image.astype(np.float32) * np.float32(1 / 255)
    # Work in roughly linear light, where lamps multiply.
    picture *= picture
    field = _gradient(height, width, rng) * _shadow(height, width, rng)
    gains = np.array(LAMPS[lamp], np.float32) if lamp else _lamp(rng)
    picture *= field[..., None] * gains
    if rng.random() < 0.3:
        picture += _glare(height, width, rng)[..., None]
    if rng.random() < 0.15:
        picture += np.float32(rng.uniform(0, 0.04))
    np.sqrt(np.clip(picture, 0, None), out=picture)
    return _develop(picture, rng)


def _enlarged(height: int, width: int, coarse: cv2.typing.MatLike) -> Floats:
    """Return a map of light that varies slowly, and was drawn small."""
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR))


def _gradient(height: int, width: int, rng: Rng) -> Floats:
    y, x = np.mgrid[0:1:24j, 0:1:32j].astype(np.float32)
    angle, depth = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.55)
    slope = (x - 0.5) * np.cos(angle) + (y - 0.5) * np.sin(angle)
    field = 1 + depth * 1.6 * slope
    falloff = rng.uniform(0, 0.5) * ((x - rng.uniform(0.3, 0.7)) ** 2 + (y - 0.5) ** 2)
    level = np.exp(rng.normal(0.0, 0.28))
    coarse = np.clip(field - falloff, 0.15, None) * level
    return _enlarged(height, width, coarse.astype(np.float32))


def _shadow(height: int, width: int, rng: Rng) -> Floats:
    """Return soft or hard shadows of hands, phones and window frames."""
    coarse = np.ones((96, 128), np.float32)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.6, 0.3, 0.1]))):
        centre = rng.uniform([-20, -20], [148, 116])
        radius = rng.uniform(15, 80)
        angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 8))))
        spread = rng.uniform(0.5, 1.2, len(angles)) * radius
        points = centre + np.c_[np.cos(angles), np.sin(angles)] * spread[:, None]
        mask = np.zeros_like(coarse)
        cv2.fillPoly(mask, [np.array(points, np.int32)], 1.0)
        if rng.random() < 0.3:
            _phone(mask, centre, rng)
        sigma = float(rng.choice([0.8, 3.0, 8.0]))
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.float32)
        coarse *= 1 - mask * np.float32(rng.uniform(0.2, 0.75))
    return _enlarged(height, width, coarse)


def _phone(mask: Floats, centre: Array, rng: Rng) -> None:
    """Draw the shadow of a phone and the arms that hold it, instead of what is there. In place."""
    mask[:] = 0
    long, turn = rng.uniform(20, 60), float(rng.uniform(0, 180))
    at = (float(centre[0]), float(centre[1]))
    phone = cv2.boxPoints((at, (long, long * 0.5), turn))
    cv2.fillPoly(mask, [np.array(phone, np.int32)], 1.0)
    for corner in phone[:2]:
        far = corner + (corner - centre) * 20 + rng.normal(0, 30, 2)
        ends = [tuple(map(int, point)) for point in (corner, far)]
        cv2.line(mask, ends[0], ends[1], 1.0, int(rng.integers(4, 12)))


def _lamp(rng: Rng) -> Floats:
    """Return gains of red, green and blue: from blue sky to an orange bulb."""
    warmth = rng.normal(0.05, 0.16) if rng.random() < 0.8 else rng.uniform(0.25, 0.7)
    tint = rng.normal(0, 0.05)
    blue = -warmth * rng.uniform(0.8, 1.5)
    return np.exp(np.array([warmth, tint, blue], np.float32))


def _glare(height: int, width: int, rng: Rng) -> Floats:
    coarse = np.zeros((96, 128), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        centre = tuple(int(v) for v in rng.uniform([0, 0], [128, 96]))
        axes = tuple(int(v) for v in rng.uniform(2, 26, 2))
        turn, bright = rng.uniform(0, 180), rng.uniform(0.1, 0.8)
        cv2.ellipse(coarse, centre, axes, turn, 0, 360, bright, -1)
    return _enlarged(height, width, cv2.GaussianBlur(coarse, (0, 0), rng.uniform(1.0, 7.0)))


def _develop(picture: Floats, rng: Rng) -> Image:
    """Apply a contrast curve and saturation, as phones do."""
    saturation = np.float32(np.exp(rng.normal(0.0, 0.22)))
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)[..., None]
    picture = grey + (picture - grey) * saturation
    contrast = np.float32(np.exp(rng.normal(0.03, 0.15)))
    picture = (picture - 0.5) * contrast + np.float32(0.5 + rng.normal(0, 0.03))
    return np.clip(picture * 255, 0, 255).astype(np.uint8)


def photograph(image: Image, rng: Rng) -> Image:
    """Apply lens blur, shake, sensor noise, sharpening and JPEG."""
    if rng.random() < 0.45:
        image = lens.defocused(image, rng.uniform(0.4, 1.6))
    if rng.random() < 0.12:
        image = lens.shaken(image, int(rng.integers(3, 8)), rng.uniform(0, np.pi))
    if rng.random() < 0.6:
        image = _noise(image, rng)
    if rng.random() < 0.35:
        amount = rng.uniform(0.3, 1.2)
        soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 2.0))
        image = np.asarray(cv2.addWeighted(image, 1 + amount, soft, -amount, 0), np.uint8)
    quality = int(rng.choice([95, 85, 70, 50, 35], p=[0.3, 0.3, 0.2, 0.15, 0.05]))
    return lens.through_jpeg(image, quality)


def _noise(image: Image, rng: Rng) -> Image:
    sigma = rng.uniform(1, 9)
    grain = rng.normal(0, sigma, (image.shape[0] // 2, image.shape[1] // 2, 3)).astype(np.float32)
    way = cv2.INTER_LINEAR if rng.random() < 0.5 else cv2.INTER_NEAREST
    return as_bytes(image + cv2.resize(grain, image.shape[1::-1], interpolation=way))
