"""Slips of paper as people hand them in: printed, marked by pens, smudged, folded, bent."""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from kdvision.slips import layout
from kdvision.slips.slip import SlipCode

Image = NDArray[np.uint8]
Float = NDArray[np.float32]
Rng = np.random.Generator

#: Pixels of a drawn slip per mm.
PX_PER_MM = 14
_SHIFT = 4
#: What people mark with: colour, width of the line in mm, how much of the paper it covers.
PENS: dict[str, tuple[tuple[int, int, int], float, float]] = {
    "ballpoint": ((35, 45, 120), 0.45, 0.9),
    "black felt": ((25, 25, 28), 0.9, 0.97),
    "red pen": ((175, 40, 45), 0.6, 0.92),
    "pencil": ((95, 95, 100), 0.6, 0.75),
    "green felt": ((30, 110, 60), 0.8, 0.92),
}
STYLES = ("filled", "scribbled", "tick", "cross")
#: What may be wrong with the mark of a column.
FAULTS = ("blank", "two", "faint", "erased", "corrected")


@dataclass
class MarkedSlip:
    """A slip that a person filled in.

    Attributes:
        code: Whose it is.
        total: The total that the person meant.
        bonuses: Those that are marked.
        pen: One of `PENS`.
        style: One of `STYLES`.
        fault: One of `FAULTS`, in the column `fault_place`; empty for a clean slip. Of a slip that
            is blank, marked twice or erased nobody can tell the total.
        damage: What happened to the paper: smudge, fold, line, bent; empty for none.
    """

    code: SlipCode
    total: int
    bonuses: tuple[str, ...] = ()
    pen: str = "ballpoint"
    style: str = "filled"
    fault: str = ""
    fault_place: str = "units"
    damage: tuple[str, ...] = field(default_factory=tuple)

    @property
    def readable(self) -> bool:
        """Whether a person could tell the total."""
        return self.fault in ("", "faint", "corrected")

    def fault_in(self, place: str) -> str:
        """What is wrong with the mark of a column; empty for nothing."""
        return self.fault if place == self.fault_place else ""


def random_slip(rng: Rng, code: SlipCode, faulty: float = 0.25) -> MarkedSlip:
    """A slip as people may hand it in; `faulty` is how often a mark is not clean."""
    bonuses = tuple(bonus for bonus in layout.BONUSES if rng.random() < 0.3)
    fault = str(rng.choice(FAULTS)) if rng.random() < faulty else ""
    chances = {"smudge": 0.12, "fold": 0.15, "line": 0.06, "bent": 0.3}
    return MarkedSlip(
        code,
        int(rng.integers(0, 130) if rng.random() < 0.9 else rng.integers(130, 280)),
        bonuses,
        str(rng.choice(list(PENS))),
        str(rng.choice(STYLES, p=[0.35, 0.25, 0.2, 0.2])),
        fault,
        str(rng.choice(list(layout.PLACES))),
        tuple(name for name, chance in chances.items() if rng.random() < chance),
    )


def draw_slip(slip: MarkedSlip, rng: Rng) -> Image:
    """The slip as a scan (h, w, 3) RGB with `PX_PER_MM` pixels per mm."""
    page = Page(rng)
    page.printed(slip.code)
    digits = dict(zip(layout.PLACES, f"{slip.total:03}", strict=True))
    for place, digit in digits.items():
        if rng.random() < 0.8:
            page.written(digit, place, slip.pen)
        _column(page, slip, place, int(digit))
    for bonus in slip.bonuses:
        page.mark(layout.BONUSES[bonus], slip.pen, slip.style)
    for damage in slip.damage:
        getattr(page, damage)()
    return np.asarray(np.clip(page.picture, 0, 255).astype(np.uint8))


def _column(page: "Page", slip: MarkedSlip, place: str, digit: int) -> None:
    at = layout.BUBBLES[place, digit]
    others = [other for other in range(10) if other != digit]
    other = layout.BUBBLES[place, int(page.rng.choice(others))]
    fault = slip.fault_in(place)
    if fault == "blank":
        return
    if fault == "erased":
        page.mark(at, "pencil", slip.style, strength=page.rng.uniform(0.1, 0.35))
        return
    if fault == "faint":
        page.mark(at, slip.pen, slip.style, strength=page.rng.uniform(0.12, 0.4))
        return
    page.mark(at, slip.pen, slip.style)
    if fault == "two":
        page.mark(other, slip.pen, slip.style)
    if fault == "corrected":
        page.mark(other, "pencil", slip.style, strength=page.rng.uniform(0.05, 0.3))


class Page:
    """The paper while it is printed and written on; `picture` is float, of 255."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        width, height = (round(side * PX_PER_MM) for side in layout.SIZE)
        paper = rng.uniform(215, 252) + rng.normal(0, 5, 3)
        self.picture: Float = np.full((height, width, 3), paper, np.float32)
        grain = rng.normal(0, 1.5, (height // 8, width // 8)).astype(np.float32)
        self.picture += cv2.resize(grain, (width, height))[..., None]
        ink = rng.uniform(12, 70)
        self.ink = np.full(3, ink, np.float32)

    def printed(self, code: SlipCode) -> None:
        """What the printer prints, as `kdvision.slips.page` lays it out."""
        size = self.picture.shape[:2]
        mask = np.zeros(size, np.uint8)
        side = layout.CORNER_MARK_SIDE
        for x, y in layout.CORNER_MARKS:
            _box(mask, x - side / 2, y - side / 2, side, side)
        modules = code.modules()
        step = layout.CODE_SIDE / len(modules)
        for row, line in enumerate(modules):
            for col, dark in enumerate(line):
                if dark:
                    x, y = layout.CODE_AT[0] + col * step, layout.CODE_AT[1] + row * step
                    _box(mask, x, y, step, step)
        for at in layout.BUBBLES.values():
            _ring(mask, at)
        for (place, digit), (x, y) in layout.BUBBLES.items():
            if place in layout.PLACES:
                _text(mask, str(digit), (x - 3.9, y + 0.9), 2.2)
        for x in layout.PLACES.values():
            left, width, height = x - layout.BOX_WIDTH / 2, layout.BOX_WIDTH, layout.BOX_HEIGHT
            corners = layout.rectangle(left, layout.BOX_TOP, width, height)
            _lines(mask, [*corners, corners[0]], 0.25)
        name = "".join(self.rng.choice(list("ABCDEFGHKLMNORSTUaeimnorstu"), 9))
        _text(mask, name, (9, 11), 6)
        _text(mask, f"Round {code.round}  Table {code.table}", (9, 17), 3.6)
        self.over(mask, self.ink, 1.0)

    def mark(self, at: tuple[float, float], pen: str, style: str, *, strength: float = 1.0) -> None:
        """Mark a bubble, never quite where it should be."""
        colour, _, cover = PENS[pen]
        x, y = np.array(at) + self.rng.normal(0, 0.2, 2)
        r = layout.RING_RADIUS
        rng = self.rng
        if style == "filled":
            turns = np.linspace(0, 2 * np.pi, 24)
            radii = r * rng.uniform(0.75, 1.05) * (1 + rng.normal(0, 0.06, 24))
            outline = np.c_[x + radii * np.cos(turns), y + radii * np.sin(turns)]
            mask = np.zeros(self.picture.shape[:2], np.uint8)
            cv2.fillPoly(mask, [_px(outline)], 255, cv2.LINE_AA, _SHIFT)
            self.over(mask, np.array(colour, np.float32), cover * strength)
            return
        if style == "scribbled":
            count = int(rng.integers(7, 13))
            ys = np.linspace(-0.9, 0.9, count) * r
            half = np.sqrt(np.maximum(r**2 - ys**2, 0)) * rng.uniform(0.7, 1.15, count)
            xs = half * np.where(np.arange(count) % 2, 1, -1)
            strokes = [np.c_[x + xs, y + ys]]
        elif style == "tick":
            size = rng.uniform(0.9, 1.4)
            corner = np.array([-0.3, 0.8]) * size
            points = np.array([[-1.2, -0.2], [0, 0], [2.0, -3.2]]) * size * [1, 0.8]
            points[1] = [0, 0]
            strokes = [np.array([x, y]) + corner + points]
        else:
            reach = r * rng.uniform(0.8, 1.25)
            strokes = [
                np.array([[x - reach, y - reach], [x + reach, y + reach]]),
                np.array([[x + reach, y - reach], [x - reach, y + reach]]),
            ]
        for stroke in strokes:
            self.stroke(stroke + rng.normal(0, 0.12, stroke.shape), pen, strength)

    def stroke(self, points: NDArray[np.float64], pen: str, strength: float = 1.0) -> None:
        """A line of a pen through points in mm."""
        colour, width, cover = PENS[pen]
        mask = np.zeros(self.picture.shape[:2], np.uint8)
        _lines(mask, points, width * float(self.rng.uniform(0.8, 1.2)))
        self.over(mask, np.array(colour, np.float32), cover * strength)

    def written(self, digit: str, place: str, pen: str) -> None:
        """A digit in the box above its column."""
        mask = np.zeros(self.picture.shape[:2], np.uint8)
        x = layout.PLACES[place] - 2 + self.rng.normal(0, 0.5)
        y = layout.BOX_TOP + 7 + self.rng.normal(0, 0.5)
        _text(mask, digit, (x, y), 6.5, PENS[pen][1])
        self.over(mask, np.array(PENS[pen][0], np.float32), PENS[pen][2])

    def over(self, mask: Image, colour: Float, strength: float) -> None:
        """Cover the paper with a colour where the mask says."""
        left, top, width, height = cv2.boundingRect(mask)
        box = np.s_[top : top + height, left : left + width]
        weight = (mask[box].astype(np.float32) * np.float32(strength / 255))[..., None]
        self.picture[box] += (colour - self.picture[box]) * weight

    def smudge(self) -> None:
        """A finger drew ink or coffee over the paper."""
        mask = np.zeros(self.picture.shape[:2], np.uint8)
        at = self.rng.uniform([5, 5], [91, 59])
        axes = self.rng.uniform(1.5, 9, 2)
        turn = float(self.rng.uniform(0, 180))
        centre = tuple(int(v) for v in at * PX_PER_MM)
        cv2.ellipse(mask, centre, tuple(int(v * PX_PER_MM) for v in axes), turn, 0, 360, 255, -1)
        soft = cv2.GaussianBlur(mask, (0, 0), float(self.rng.uniform(0.3, 2)) * PX_PER_MM)
        colour = self.rng.uniform([60, 50, 40], [150, 120, 110]).astype(np.float32)
        self.over(np.asarray(soft, np.uint8), colour, float(self.rng.uniform(0.05, 0.4)))

    def fold(self) -> None:
        """A fold across the paper: a dark or light line, one side of it darker."""
        height, width = self.picture.shape[:2]
        y, x = np.mgrid[0:height, 0:width].astype(np.float32) / PX_PER_MM
        turn = self.rng.uniform(0, np.pi)
        at = self.rng.uniform([15, 10], [81, 54])
        far = (x - at[0]) * np.float32(np.cos(turn)) + (y - at[1]) * np.float32(np.sin(turn))
        line = np.exp(-0.5 * (far / np.float32(0.35)) ** 2) * self.rng.uniform(-0.35, 0.1)
        side = np.where(far > 0, 1.0, 1 - self.rng.uniform(0, 0.25))
        self.picture *= ((1 + line) * side)[..., None].astype(np.float32)

    def line(self) -> None:
        """A stray line of a pen."""
        points = self.rng.uniform([8, 8], [88, 56], (2, 2))
        self.stroke(points, str(self.rng.choice(list(PENS))))

    def bent(self) -> None:
        """Paper that does not lie flat: what is printed moves by up to a millimetre."""
        height, width = self.picture.shape[:2]
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        turn = self.rng.uniform(0, np.pi)
        along = (x / width - 0.5) * np.cos(turn) + (y / height - 0.5) * np.sin(turn)
        rise = self.rng.uniform(0.2, 1.0) * PX_PER_MM
        wave = (np.cos(along * np.pi * self.rng.uniform(0.6, 1.5)) - 1) * rise
        toward = self.rng.uniform(0, 2 * np.pi)
        dx, dy = wave * np.cos(toward), wave * np.sin(toward)
        moved = cv2.remap(
            self.picture,
            (x + dx).astype(np.float32),
            (y + dy).astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        shade = (1 + along * self.rng.normal(0, 0.15)).astype(np.float32)
        self.picture = np.asarray(moved * shade[..., None], np.float32)


def _px(points: NDArray[np.float64] | list[tuple[float, float]]) -> NDArray[np.int32]:
    """Points in mm as OpenCV takes them, with fractions of a pixel."""
    exact = (np.asarray(points, float) * PX_PER_MM - 0.5) * (1 << _SHIFT)
    return np.round(exact).astype(np.int32)


def _box(mask: Image, left: float, top: float, width: float, height: float) -> None:
    low = [round(left * PX_PER_MM), round(top * PX_PER_MM)]
    high = [round((left + width) * PX_PER_MM), round((top + height) * PX_PER_MM)]
    mask[low[1] : high[1], low[0] : high[0]] = 255


def _ring(mask: Image, at: tuple[float, float]) -> None:
    centre = tuple(int(v) for v in _px([at])[0])
    radius = round(layout.RING_RADIUS * PX_PER_MM * (1 << _SHIFT))
    width = max(1, round(layout.RING_LINE * PX_PER_MM))
    cv2.circle(mask, centre, radius, 255, width, cv2.LINE_AA, _SHIFT)


def _lines(mask: Image, points: NDArray[np.float64] | list[tuple[float, float]], mm: float) -> None:
    width = max(1, round(mm * PX_PER_MM))
    cv2.polylines(mask, [_px(points)], False, 255, width, cv2.LINE_AA, _SHIFT)


def _text(
    mask: Image, text: str, at: tuple[float, float], mm: float, line: float | None = None
) -> None:
    """Text whose capitals are about 0.7 x `mm` high, its baseline at a point."""
    scale = mm * 0.7 * PX_PER_MM / 21
    width = max(1, round((line or mm * 0.12) * PX_PER_MM))
    where = (round(at[0] * PX_PER_MM), round(at[1] * PX_PER_MM))
    cv2.putText(mask, text, where, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, width, cv2.LINE_AA)
