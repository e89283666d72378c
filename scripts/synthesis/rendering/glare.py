"""Light that takes the print of tiles away: windows over rows of tiles, lamps on single crowns.

Glossy cardboard mirrors what is bright. Each tile lies at another angle, so a window often fills
a tile whole and leaves its neighbour as it is.
"""

import cv2
import numpy as np

from scripts.synthesis.rendering.art import Image
from scripts.synthesis.rendering.camera import Camera
from scripts.synthesis.rendering.cover import Cover
from scripts.synthesis.rendering.layout import Array, Spread
from scripts.synthesis.rendering.placement import outline
from scripts.synthesis.rendering.scene import Float

#: Share of the light that a window's reflection makes of a pixel, from faint to all of it.
WINDOW_OPACITY = (0.6, 1.0)
#: Width of the band that a window fills, in squares.
BAND = (0.6, 2.4)
#: Radius of a lamp's spot, in squares.
SPOT = (0.1, 0.42)


def wash_out(
    rng: np.random.Generator, image: Image, camera: Camera, spreads: list[Spread], cover: Cover
) -> None:
    """Let windows or lamps mirror in the tiles; what is lost in them counts as covered. In place.

    Args:
        rng: Source of all choices.
        image: The picture (h, w, 3) before light and lens.
        camera: Its camera.
        spreads: The kingdoms.
        cover: Remembers the pixels of which nothing is left.
    """
    opacity = np.zeros(image.shape[:2], np.float32)
    spread = spreads[int(rng.integers(len(spreads)))]
    kind = rng.random()
    if kind < 0.65:
        _window(rng, camera, spread, opacity)
    if kind > 0.5:
        for _ in range(int(rng.integers(1, 6))):
            _lamp_spot(rng, camera, spread, opacity)
    colour = np.clip(rng.normal([232, 238, 246], [16, 10, 10]), 150, 255).astype(np.float32)
    if rng.random() < 0.3:
        colour = np.array([255, 246, 224], np.float32)
    share = opacity[..., None]
    image[:] = np.clip(image * (1 - share) + colour * share, 0, 255).astype(np.uint8)
    cover.wash_out(opacity)


def _window(rng: np.random.Generator, camera: Camera, spread: Spread, opacity: Float) -> None:
    """A band across the kingdom in which tiles mirror the window, each as it lies. In place."""
    every = outline(spread)
    middle = every[int(rng.integers(len(every)))]
    angle = rng.uniform(0, np.pi)
    if rng.random() < 0.6:  # along the horizon: what is far mirrors the window first
        depths = np.c_[every, np.zeros(len(every)), np.ones(len(every))] @ camera.matrix[2]
        middle = every[int(np.argsort(depths)[int(len(every) * rng.uniform(0.5, 0.99))])]
        way = camera.matrix[2, :2]
        angle = float(np.arctan2(way[1], way[0]))
    normal = np.array([np.cos(angle), np.sin(angle)])
    width, strength = rng.uniform(*BAND), rng.uniform(*WINDOW_OPACITY)
    broken = rng.uniform(0, 0.5)
    for piece in spread.pieces:
        distance = abs(float((piece.quad.mean(axis=0) - middle) @ normal))
        if distance > width or rng.random() < broken:
            continue
        quad = camera.project(np.c_[piece.quad, np.full(4, piece.thickness)])
        if np.isfinite(quad).all() and np.abs(quad).max() < 20_000:
            _mirror(rng, quad, min(1.0, strength * rng.uniform(0.8, 1.15)), opacity)


def _mirror(rng: np.random.Generator, quad: Array, strength: float, opacity: Float) -> None:
    """A window in one tile: nearly even, or ending somewhere on it, now and then with a bar."""
    picture = np.full((32, 64), strength, np.float32)
    across, along = np.mgrid[-1:1:32j, -1:1:64j].astype(np.float32)
    if rng.random() < 0.6:
        turn = rng.uniform(0, 2 * np.pi)
        ramp = across * np.float32(np.cos(turn)) + along * np.float32(np.sin(turn))
        picture *= np.clip(0.5 + (ramp + rng.uniform(-0.3, 1.2)) * rng.uniform(0.5, 6), 0, 1)
    if rng.random() < 0.25:
        picture[:, int(rng.integers(4, 56)) :][:, :5] *= 0.4
    corners = np.array([[0, 0], [64, 0], [64, 32], [0, 32]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    warped = cv2.warpPerspective(picture, matrix, opacity.shape[1::-1], flags=cv2.INTER_LINEAR)
    np.maximum(opacity, warped, out=opacity)


def _lamp_spot(rng: np.random.Generator, camera: Camera, spread: Spread, opacity: Float) -> None:
    """A lamp's bright spot near a corner of a square, where crowns are printed. In place."""
    every = outline(spread).reshape(-1, 4, 2)
    quad = every[int(rng.integers(len(every)))]
    corner = quad[int(rng.integers(4))]
    at = quad.mean(axis=0) + (corner - quad.mean(axis=0)) * rng.uniform(0.1, 0.75)
    radius = rng.uniform(*SPOT)
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = at + np.c_[np.cos(turns), np.sin(turns)] * radius
    pixels = camera.project(np.c_[ring, np.full(len(ring), 0.05)])
    if not np.isfinite(pixels).all() or np.abs(pixels).max() > 20_000:
        return
    mask = np.zeros(opacity.shape, np.float32)
    cv2.fillConvexPoly(mask, np.array(np.round(pixels * 16), np.int32), 1.0, cv2.LINE_AA, 4)
    size = float(np.ptp(pixels, axis=0).mean())
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.8, size * rng.uniform(0.03, 0.2)))
    np.maximum(opacity, soft * np.float32(rng.uniform(0.7, 1.0)), out=opacity)
