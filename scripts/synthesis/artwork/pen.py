"""Drawing in units of a square: anti-aliased shapes, outlines, shadows and noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from scripts.arrays import Rng
from scripts.synthesis.artwork.style import Colour, Style, mix

Point = tuple[float, float]
Points = Sequence[Sequence[float] | np.ndarray] | np.ndarray

_SHIFT = 4
_ONE = 1 << _SHIFT


class Pen:
    """Draws on a picture, in a frame of its own that can be moved, scaled and turned.

    Args:
        image: The picture, uint8 (h, w, 3) RGB or (h, w, 4) RGBA; drawn on in place.
        style: The look of the deck.
        rng: The random numbers.
        matrix: The frame: float (2, 3), from the pen's units to pixels. x grows to the
            right, y downwards.
    """

    def __init__(self, image: np.ndarray, style: Style, rng: Rng, matrix: np.ndarray) -> None:
        self.image = image
        self.style = style
        self.rng = rng
        self.matrix = matrix
        self.scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))

    @classmethod
    def over(cls, image: np.ndarray, style: Style, rng: Rng, side: float, x: float = 0.0) -> Pen:
        """Return a pen whose unit is `side` pixels and whose origin is `x` units from the left."""
        return cls(image, style, rng, np.array([[side, 0, x * side], [0, side, 0]], float))

    def at(
        self, x: float, y: float, scale: float = 1.0, turn: float = 0.0, flip: bool = False
    ) -> Pen:
        """Return a pen with its origin at (x, y), scaled, turned by `turn` radians, or mirrored."""
        c, s = np.cos(turn) * scale, np.sin(turn) * scale
        f = -1 if flip else 1
        inner = np.array([[c * f, -s, x], [s * f, c, y], [0, 0, 1]])
        return Pen(self.image, self.style, self.rng, self.matrix @ inner)

    # Shapes -------------------------------------------------------------------------

    def fill(self, points: Points, colour: Colour, ink: float = 1.0) -> None:
        """Draw a filled polygon with an outline of `ink` times the usual width, in its dark colour.

        There is no outline where the style has no ink.
        """
        cv2.fillPoly(self.image, [self._fixed(points)], self._paint(colour), cv2.LINE_AA, _SHIFT)
        width = self.style.ink * ink * 0.01 * float(self.image.shape[0])
        if width >= 0.6:
            dark = mix((20, 14, 8), colour, self.style.ink_tone)
            self._stroke(points, dark, width, closed=True)

    def line(self, points: Points, colour: Colour, width: float) -> None:
        """Draw an open line, `width` units wide."""
        self._stroke(points, colour, width * self.scale, closed=False)

    def disc(
        self,
        x: float,
        y: float,
        r: float,
        colour: Colour,
        ry: float | None = None,
        ink: float = 0.0,
    ) -> None:
        """Draw a filled circle, or an ellipse with the half axes `r` and `ry`."""
        self.fill(ring(x, y, r, r if ry is None else ry), colour, ink)

    def shade(
        self, points: Points, colour: Colour = (0, 0, 0), alpha: float = 0.3, soft: float = 0.0
    ) -> None:
        """Draw a semi-transparent polygon, its edge blurred over `soft` units."""
        fixed = self._fixed(points)
        blur = soft * self.scale
        pad = int(3 * blur) + 2
        low = np.maximum(fixed.min(0) // _ONE - pad, 0)
        high = np.minimum(fixed.max(0) // _ONE + pad + 1, self.image.shape[1::-1])
        if (high <= low).any():
            return
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        shifted = (fixed - low * _ONE).astype(np.int32)
        cv2.fillPoly(mask, [shifted], 255, cv2.LINE_AA, _SHIFT)
        if blur > 0.4:
            mask = cv2.stackBlur(mask, (2 * round(2 * blur) + 1,) * 2)
        part = self.image[low[1] : high[1], low[0] : high[0], :3]
        share = mask * np.float32(alpha / 255)
        part[:] = cv2.blendLinear(np.full_like(part, colour), part.copy(), share, 1 - share)

    def shadow(self, points: Points, reach: float = 0.05, soft: float = 0.012) -> None:
        """Draw the shadow that a thing of this outline casts on the ground."""
        dx, dy = self.style.light
        sign = -1 if np.linalg.det(self.matrix[:, :2]) < 0 else 1
        fallen = moved(points, sign * dx * reach, dy * reach)
        self.shade(fallen, (10, 10, 20), self.style.shadow, soft)

    # Random numbers -----------------------------------------------------------------

    def rand(self, low: float, high: float) -> float:
        """Return a random number between the two."""
        return float(self.rng.uniform(low, high))

    def chance(self, probability: float) -> bool:
        """Return true with this probability."""
        return bool(self.rng.random() < probability)

    def count(self, mean: float) -> int:
        """Return how many small things: about `mean` times the detail of the style."""
        return int(self.rng.poisson(mean * self.style.detail))

    def spots(self, mean: float, wide: float) -> Iterator[Point]:
        """Yield about so many points for each square of a strip `wide` squares wide."""
        for _ in range(self.count(mean * wide)):
            yield self.rand(0, wide), self.rand(0, 1)

    def vary(self, colour: Colour, reach: float = 0.06) -> Colour:
        """Return the colour a little lighter or darker, and a little shifted."""
        light = 1 + self.rand(-reach, reach)
        r, g, b = (int(np.clip(c * light + self.rand(-60, 60) * reach, 0, 255)) for c in colour)
        return r, g, b

    # Inside -------------------------------------------------------------------------

    def _fixed(self, points: Points) -> np.ndarray:
        array = np.asarray(points, float)
        pixels = array @ self.matrix[:, :2].T + self.matrix[:, 2]
        return np.asarray(np.round(pixels * _ONE).astype(np.int32))

    def _stroke(self, points: Points, colour: Colour, px: float, *, closed: bool) -> None:
        """Draw a line that is `px` pixels wide."""
        line, paint, width = [self._fixed(points)], self._paint(colour), max(1, round(px))
        cv2.polylines(self.image, line, closed, paint, width, cv2.LINE_AA, _SHIFT)

    def _paint(self, colour: Colour) -> tuple[int, ...]:
        return (*colour, 255) if self.image.shape[2] == 4 else colour


# Outlines -------------------------------------------------------------------------------

_TURNS = {n: np.linspace(0, 2 * np.pi, n, endpoint=False) for n in (8, 12, 16, 20, 24, 32)}


def ring(x: float, y: float, rx: float, ry: float, n: int = 20) -> np.ndarray:
    """Return an ellipse as a polygon, float (n, 2)."""
    turn = _TURNS[n]
    return np.stack([x + rx * np.cos(turn), y + ry * np.sin(turn)], 1)


def blob(
    rng: Rng, x: float, y: float, rx: float, ry: float, rough: float = 0.2, n: int = 24
) -> np.ndarray:
    """Return a rounded irregular outline, float (n, 2): an ellipse with a few slow waves."""
    turn = _TURNS[n]
    radius = np.ones(n)
    for wave in (2, 3, 5):
        radius += rough / wave * rng.uniform(-1, 1) * np.cos(wave * turn + rng.uniform(0, 6.3))
    return np.stack([x + rx * radius * np.cos(turn), y + ry * radius * np.sin(turn)], 1)


def rock(rng: Rng, x: float, y: float, rx: float, ry: float, n: int = 8) -> np.ndarray:
    """Return an angular outline, float (n, 2)."""
    turn = np.sort(np.linspace(0, 2 * np.pi, n, endpoint=False) + rng.uniform(-0.3, 0.3, n))
    radius = rng.uniform(0.78, 1.08, n)
    return np.stack([x + rx * radius * np.cos(turn), y + ry * radius * np.sin(turn)], 1)


def box(x0: float, y0: float, x1: float, y1: float) -> list[Point]:
    """Return a rectangle as a polygon."""
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def moved(points: Points, x: float, y: float) -> np.ndarray:
    """Return the same outline, moved by (x, y): float (n, 2)."""
    shifted: np.ndarray = np.asarray(points, float) + np.array((x, y))
    return shifted


def rounded(points: np.ndarray) -> np.ndarray:
    """Return the closed outline with its corners cut: float (2 * n, 2)."""
    after = np.roll(points, -1, 0)
    cut = np.stack([0.75 * points + 0.25 * after, 0.25 * points + 0.75 * after], 1)
    return cut.reshape(-1, 2)


def along(a: Sequence[float] | np.ndarray, b: Sequence[float] | np.ndarray, share: float) -> Point:
    """Return the point `share` of the way from a to b."""
    return float(a[0] + (b[0] - a[0]) * share), float(a[1] + (b[1] - a[1]) * share)


def noise(rng: Rng, height: int, width: int, cells: Sequence[float], unit: float) -> np.ndarray:
    """Return soft noise of several sizes, float32 (height, width), about -1 to 1.

    Args:
        rng: Random numbers.
        height: Height in pixels.
        width: Width in pixels.
        cells: Sizes of the patches, in units.
        unit: Pixels in a unit.
    """
    total = np.zeros((height, width), np.float32)
    for cell in cells:
        step = max(cell * unit, 1.0)
        size = (int(height / step) + 3, int(width / step) + 3)
        small = rng.standard_normal(size, dtype=np.float32)
        total += cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(total / len(cells) ** 0.5)


def scatter(rng: Rng, n: int, gap: float, edge: float = 0.05, tries: int = 12) -> list[Point]:
    """Return up to n points of the unit square, at least `gap` apart and `edge` from its sides."""
    points: list[Point] = []
    for _ in range(n * tries):
        if len(points) == n:
            break
        x, y = rng.uniform(edge, 1 - edge, 2)
        if all((x - a) ** 2 + (y - b) ** 2 > gap * gap for a, b in points):
            points.append((float(x), float(y)))
    return points
