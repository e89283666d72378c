"""Slips in a photo: their codes are found, their bubbles are measured.

The corners of the code give the homography of the slip, and its corner marks refine it. A bubble is
measured against the white of the paper around it and the black of the corner marks, so that light,
shadow and colour do not matter.
"""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from kdvision.arrays import Array, Image, median
from kdvision.photo.photo import Photo
from kdvision.slips import layout
from kdvision.slips.codes import Gray, Points, find_codes, homography
from kdvision.slips.slip import Mark, Slip, SlipCode
from kdvision.vision.geometry import project

Float = NDArray[np.float32]

#: mm. Beyond the slip that is looked at: where the corner marks may lie by the code alone.
_MARGIN = 10.0
#: The corner marks that are looked for, step by step, and how far (mm) from where they should be:
#: those beside the code first, whose places do not hang on its slant.
_STEPS = (
    ((0, 3), 4.0),
    ((0, 1, 3), 6.0),
    ((0, 1, 2, 3), 9.0),
    ((0, 1, 2, 3), 4.0),
    ((0, 1, 2, 3), 2.0),
)
#: The corners of a code with a finder pattern, whose places are exact; the fourth is a guess, which
#: is dropped for better ones.
_FINDERS, _GUESS = [0, 1, 3], [0, 1, 3, 2]
#: Correlation (-1 to 1) of a corner mark with what it should look like.
LEAST_MARK = 0.6
#: Corner marks that must be found.
LEAST_MARKS = 3
#: px per mm of the slip as it is measured, at least and at most, and of the decoding of the photo
#: that is asked for.
_LEAST_PX_PER_MM, _PX_PER_MM = 4.0, 10.0
_WANTED_PX_PER_MM = 6.0
#: mm. How far from the middle of a bubble its darkest line is looked for, and how fine it may be.
_PEAK_RADIUS, _PEAK_BLUR = 1.0, 0.2
#: mm. The rings around a mark whose darkness it is compared with.
_RINGS_WITHIN = 11.0
#: Probability of a mark up to which a bubble is called blank.
_BLANK = 0.02
#: mm. How far bent paper may move a bubble, and over which distance neighbours move alike: first
#: many of them far, then fewer from there.
_BENDS = ((1.2, 7.0), (0.6, 3.5), (0.3, 1.75))
#: Shifts that are tried on each side of where a bubble was.
_SHIFTS = 6


class Limits(Struct, frozen=True):
    """What decides whether a mark is clear. Fitted by `scripts.measuring.slips`.

    Attributes:
        px_per_mm: px per mm of the photo. A smaller slip is not measured.
        residual: mm. A slip whose corner marks lie further from a plane is not measured.
        contrast: Darkness. Every printed ring must be at least so dark, 1 being the black of the
            corner marks: less is out of focus, covered, or under glare.
        dark: Darkness as a share of the rings. Marks of a person that are fainter are not told
            from what is left of marks that were rubbed out.
        middle: Darkness as a share of the person's marks at which a bubble is as likely marked as
            not: a person marks alike, and what was rubbed out is fainter.
        slope: Per share. How fast that grows.
        least: Probability. A total is named from it on.
    """

    px_per_mm: float = 2.0
    residual: float = 1.0
    contrast: float = 0.12
    dark: float = 0.15
    middle: float = 0.583
    slope: float = 19.5
    least: float = 0.9


LIMITS = Limits()


def read_slips(photo: Photo, side: int) -> tuple[Slip, ...]:
    """Read every slip in a photo.

    Args:
        photo: The photo.
        side: The longer side in pixels of the picture to search. The whole photo is searched where
            something like a code is seen in it and cannot be read.
    """
    pixels, scale = photo.pixels(side)
    found, unread = find_codes(_gray(pixels))
    if unread and scale > 1:
        pixels, scale = photo.pixels(max(photo.width, photo.height))
        found, _ = find_codes(_gray(pixels))
    return tuple(read_slip(photo, one.code, one.corners * scale) for one in found)


def slips_of_all(photo: Photo, photos: Sequence[Photo], *, alone: bool) -> tuple[Slip, ...]:
    """Read the slips of photos that are scored together, each once.

    Args:
        photo: The photo that places are counted in; slips of others have no places.
        photos: All photos.
        alone: Whether they show one kingdom, beside which all slips then lie.
    """
    slips = list(read_slips(photo, photo.decoded_side))
    for other in photos:
        known = {slip.code for slip in slips}
        if other is not photo:
            slips += [
                replace(slip, corners=(), marks=(), kingdom=0 if alone else None)
                for slip in read_slips(other, other.decoded_side)
                if slip.code not in known
            ]
    return tuple(slips)


def _gray(pixels: Image) -> Gray:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)


# Where the slip lies ------------------------------------------------------------------------


def _inverse(matrix: Array) -> Array:
    return np.asarray(np.linalg.inv(matrix), np.float64)


class _View(Struct, frozen=True, eq=False):
    """A slip as seen from above: gray values (h, w), `px` of them per mm, from the margin on."""

    gray: Float
    px: float

    def at(self, points: Points) -> Array:
        """Points of the slip (n, 2) in mm as indices (x, y) of `gray`, which may be broken."""
        return (np.asarray(points, float) + _MARGIN) * self.px - 0.5


def _view(gray: Gray, to_photo: Array, px: float) -> _View:
    """The slip from above; `to_photo` maps mm to pixels of `gray`. Beyond the photo it is gray."""
    width, height = (round((side + 2 * _MARGIN) * px) for side in layout.SIZE)
    shift = 0.5 / px - _MARGIN
    to_mm = np.array([[1 / px, 0, shift], [0, 1 / px, shift], [0, 0, 1]])
    centre = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    flat = cv2.warpPerspective(
        gray,
        centre @ to_photo @ to_mm,
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderValue=128,
    )
    return _View(np.asarray(flat, np.float32), px)


def _corner_marks(view: _View, wanted: Sequence[int], radius: float) -> tuple[list[int], Array]:
    """The corner marks within `radius` mm of where they should be: their indices, and (n, 2) mm."""
    border = 1.5
    side = round((layout.CORNER_MARK_SIDE + 2 * border) * view.px)
    template = np.full((side, side), 1.0, np.float32)
    low, high = round(border * view.px), side - round(border * view.px)
    template[low:high, low:high] = 0.0
    indices, points = [], []
    for index in wanted:
        mark = layout.CORNER_MARKS[index]
        x, y = (int(v) for v in np.round(view.at([mark])[0] - side / 2 - radius * view.px))
        size = side + round(2 * radius * view.px)
        window = view.gray[max(y, 0) : y + size, max(x, 0) : x + size]
        if min(window.shape) < side or float(np.ptp(window)) < 1:
            continue
        match = cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED)
        score = np.asarray(match, np.float32)
        _, best, _, (col, row) = cv2.minMaxLoc(score)
        if best < LEAST_MARK:
            continue
        middle = np.array([max(x, 0) + col, max(y, 0) + row]) + _peak(score, row, col) + side / 2
        indices.append(index)
        points.append(middle / view.px - _MARGIN)
    return indices, np.array(points).reshape(-1, 2)


def _peak(score: Float, row: int, col: int) -> Array:
    """Where the top of a parabola through a peak and its neighbours lies, from the peak (x, y)."""
    offset = np.zeros(2)
    for axis, (step_row, step_col) in enumerate(((0, 1), (1, 0))):
        before, after = (row - step_row, col - step_col), (row + step_row, col + step_col)
        if min(before) < 0 or after[0] >= score.shape[0] or after[1] >= score.shape[1]:
            continue
        low, top, high = float(score[before]), float(score[row, col]), float(score[after])
        bend = low - 2 * top + high
        offset[axis] = 0.5 * (low - high) / bend if bend < 0 else 0.0
    return offset


class Located(Struct, frozen=True, eq=False):
    """Where a slip lies in a picture.

    Attributes:
        to_photo: (3, 3) from mm of the slip to pixels of the picture.
        view: The slip from above.
        marks: The corner marks that were found, by their indices.
        residual: Largest distance in mm between a corner mark or a corner of the code and where
            the homography puts it.
    """

    to_photo: Array
    view: _View
    marks: tuple[int, ...]
    residual: float


def locate(gray: Gray, corners: Array) -> Located:
    """Find out where a slip lies, by the corners (4, 2) of its code in pixels of a picture."""
    to_photo = homography(layout.CODE_CORNERS, corners)
    px = float(np.clip(_side(corners) / layout.CODE_SIDE, _LEAST_PX_PER_MM, _PX_PER_MM))
    known: tuple[int, ...] = ()
    residual = 0.0
    for wanted, radius in _STEPS:
        indices, points = _corner_marks(_view(gray, to_photo, px), wanted, radius)
        known = tuple(indices)
        if len(known) < 2:
            break
        of_code = _FINDERS if len(known) >= LEAST_MARKS else _GUESS
        printed = np.array(
            [layout.CODE_CORNERS[index] for index in of_code]
            + [layout.CORNER_MARKS[index] for index in known]
        )
        seen = np.concatenate([corners[of_code], project(to_photo, points)])
        to_photo = homography(printed, seen)
        beside = project(_inverse(to_photo), seen) - printed
        residual = float(np.linalg.norm(beside, axis=1).max())
    return Located(to_photo, _view(gray, to_photo, px), known, residual)


def _side(corners: Array) -> float:
    """The mean side of a quadrilateral (4, 2)."""
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())


# What is marked -----------------------------------------------------------------------------


class Bubble(Struct, frozen=True):
    """What was measured of a bubble, 0 being the white of the paper and 1 the black of the print.

    `dark` is the mean inside of the ring, `peak` the darkest line in its middle, `ring` the mean of
    the ring, `center` in mm of the slip.
    """

    dark: float
    peak: float
    ring: float
    center: tuple[float, float]


def measure_bubbles(located: Located) -> list[Bubble]:
    """Measure every bubble of a slip, in the order of `layout.BUBBLES`."""
    view, marks = located.view, located.marks
    white = _paper(view)
    spots = view.at([layout.CORNER_MARKS[index] for index in marks])
    black = _sampled(cv2.blur(view.gray, (_odd(2 * view.px),) * 2) / white, spots)
    darkness = (1 - view.gray / white) / max(1 - median(black), 0.05)
    darkness = np.asarray(darkness, np.float32)
    centers = _rings_found(view, darkness)
    inner = layout.RING_RADIUS - layout.RING_LINE / 2 - 0.25
    inside = _sampled(_filtered(darkness, _disc(view.px, 0.0, inner)), view.at(centers))
    size = _odd(2 * _PEAK_RADIUS * view.px)
    middle = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    soft = cv2.GaussianBlur(darkness, (0, 0), _PEAK_BLUR * view.px)
    peak = _sampled(np.asarray(cv2.dilate(soft, middle), np.float32), view.at(centers))
    line = layout.RING_LINE / 2
    around = _disc(view.px, layout.RING_RADIUS - line, layout.RING_RADIUS + line)
    ring = _sampled(_filtered(darkness, around), view.at(centers))
    return [
        Bubble(float(dark), float(dark_line), float(dark_ring), (float(x), float(y)))
        for dark, dark_line, dark_ring, (x, y) in zip(inside, peak, ring, centers, strict=True)
    ]


def _paper(view: _View) -> Float:
    """The white of the paper at every pixel: what is left when all that is printed is closed."""
    soft = cv2.GaussianBlur(view.gray, (0, 0), 0.35 * view.px)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_odd(5.5 * view.px),) * 2)
    closed = cv2.morphologyEx(soft, cv2.MORPH_CLOSE, kernel)
    return np.asarray(np.maximum(cv2.GaussianBlur(closed, (0, 0), view.px), 1), np.float32)


def _rings_found(view: _View, darkness: Float) -> Array:
    """The middles (n, 2) of the bubbles in mm, where bent paper has moved them to.

    Neighbours move alike: the shift of each is the one that shows most of the rings around it.
    """
    radius, line = layout.RING_RADIUS, layout.RING_LINE
    ring = _disc(view.px, radius - line / 2, radius + line / 2)
    outside = _disc(view.px, radius + 0.35, radius + 0.75, ring.shape[0])
    size = max(ring.shape[0], outside.shape[0])
    shown = _filtered(darkness, _padded(ring, size) - _padded(outside, size))
    places = np.array(list(layout.BUBBLES.values()))
    near = np.linalg.norm(places[:, None] - places[None], axis=2)
    for bend, reach in _BENDS:
        steps = np.linspace(-bend, bend, 2 * _SHIFTS + 1)
        shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        points = (places[:, None] + shifts[None]).reshape(-1, 2)
        response = np.clip(_sampled(shown, view.at(points)), 0, 1).reshape(len(places), -1)
        response = np.exp(-0.5 * (near / reach) ** 2) @ response
        places = places + shifts[response.argmax(axis=1)]
    return np.asarray(places)


@cache
def _disc(px: float, inner: float, outer: float, size: int = 0) -> Float:
    """The mean over a ring from `inner` to `outer` mm as a kernel, at `px` pixels per mm."""
    reach = max(int(np.ceil(outer * px)), size // 2)
    finer = 4
    ticks = (np.arange((2 * reach + 1) * finer) + 0.5) / finer - reach - 0.5
    far = np.hypot(ticks[:, None], ticks[None]) / px
    fine = ((far >= inner) & (far <= outer)).astype(np.float32)
    side = 2 * reach + 1
    kernel = fine.reshape(side, finer, side, finer).mean(axis=(1, 3))
    return np.asarray(kernel / max(float(kernel.sum()), 1e-6), np.float32)


def _padded(kernel: Float, size: int) -> Float:
    border = (size - kernel.shape[0]) // 2
    return np.pad(kernel, border)


def _filtered(picture: Float, kernel: Float) -> Float:
    return np.asarray(cv2.filter2D(picture, cv2.CV_32F, kernel), np.float32)


def _sampled(picture: NDArray[np.floating], points: Array) -> Array:
    """The values (n,) of a picture at points (n, 2)."""
    x, y = np.asarray(points, np.float32).T
    values = cv2.remap(np.asarray(picture, np.float32), x, y, cv2.INTER_LINEAR)
    return np.asarray(values, np.float64).reshape(-1)


def _odd(length: float) -> int:
    return 2 * int(length / 2) + 1


# A slip -------------------------------------------------------------------------------------


def read_slip(photo: Photo, code: SlipCode, corners: Array, limits: Limits = LIMITS) -> Slip:
    """Read the marks of a slip whose code is known.

    Args:
        photo: The photo.
        code: Its code.
        corners: (4, 2) of the code, clockwise from its top left, in pixels of the upright photo.
        limits: What is clear.
    """
    longer, side = max(photo.width, photo.height), _side(corners)
    wanted = longer * min(1.0, _WANTED_PX_PER_MM * layout.CODE_SIDE / side)
    pixels, scale = photo.pixels(round(wanted))
    located = locate(_gray(pixels), corners / scale)
    to_photo = np.diag([scale, scale, 1.0]) @ located.to_photo
    outline = _points(project(to_photo, np.array(layout.SLIP_CORNERS)))
    reason = _unmeasured(side, located, outline, photo, limits)
    if reason:
        judged = MarkJudgement(unclear=reason)
        bubbles = []
    else:
        bubbles = measure_bubbles(located)
        judged = judge_bubbles(bubbles, limits)
    centers = project(to_photo, np.array([bubble.center for bubble in bubbles]).reshape(-1, 2))
    at = dict(zip(layout.BUBBLES, _points(centers), strict=False))
    return Slip(
        code=code,
        claimed=judged.claimed,
        bonuses=judged.bonuses,
        marks=tuple(Mark(*marked, at[marked]) for marked in judged.marked),
        unclear=judged.unclear,
        place=judged.place,
        probability=judged.probability,
        corners=outline,
        code_px=side,
    )


def _unmeasured(
    side: float,
    located: Located,
    outline: Sequence[tuple[float, float]],
    photo: Photo,
    limits: Limits,
) -> str:
    """Why the bubbles of a slip cannot be measured at all; empty where they can."""
    inside = all(0 <= x <= photo.width and 0 <= y <= photo.height for x, y in outline)
    if len(located.marks) < LEAST_MARKS or not inside:
        return "slip.cut-off"
    if located.residual > limits.residual:
        return "slip.bent"
    return "slip.too-small" if side < limits.px_per_mm * layout.CODE_SIDE else ""


def _points(points: Array) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in points)


class MarkJudgement(Struct, frozen=True, kw_only=True):
    """What the marks of a slip say; the fields of `Slip`. `marked` are places and digits."""

    claimed: int | None = None
    bonuses: tuple[str, ...] = ()
    marked: tuple[tuple[str, int], ...] = ()
    unclear: str = ""
    place: str = ""
    probability: float = 0.0


def judge_bubbles(bubbles: Sequence[Bubble], limits: Limits = LIMITS) -> MarkJudgement:
    """Say what is marked on a slip, or why that is unclear.

    Args:
        bubbles: In the order of `layout.BUBBLES`.
        limits: What is clear.
    """
    chances = _chances(bubbles, limits)
    marked = tuple(at for at, chance in chances.items() if chance >= 0.5)
    columns = {
        name: {at[1]: chance for at, chance in chances.items() if at[0] == name}
        for name in (*layout.PLACES, *layout.BONUSES)
    }
    sure = {name: _sureness(name, column) for name, column in columns.items()}
    probability = float(np.prod(list(sure.values())))
    unclear, place = "", ""
    if min(bubble.ring for bubble in bubbles) < limits.contrast:
        unclear, probability = "slip.blurred", 0.0
    elif probability < limits.least:
        place = min(sure, key=lambda name: sure[name])
        unclear = _unclear(place, columns[place])
    digits = {name: digit for name, digit in marked if name in layout.PLACES}
    return MarkJudgement(
        claimed=None if unclear else int("".join(str(digits[name]) for name in layout.PLACES)),
        bonuses=tuple(name for name in layout.BONUSES if (name, 1) in marked),
        marked=marked,
        unclear=unclear,
        place=place,
        probability=probability,
    )


def mark_shares(bubbles: Sequence[Bubble], dark: float) -> dict[tuple[str, int], float]:
    """How dark each bubble is as a share of the person's marks, by its place and digit.

    A mark is dark on the whole and has a dark line; what was rubbed out has none, a smudge neither.
    Blur draws the dark of the rings into bubbles, and into those of a column alike; glare takes
    from marks what it takes from the rings around them.

    Args:
        bubbles: In the order of `layout.BUBBLES`.
        dark: The least darkness of a person's marks, as a share of the rings.
    """
    centers = np.array([bubble.center for bubble in bubbles])
    rings = np.array([bubble.ring for bubble in bubbles])
    near = np.linalg.norm(centers[:, None] - centers[None], axis=2) < _RINGS_WITHIN
    # A mark darkens its own ring, and those of the bonuses are few: no more than is usual.
    usual_ring = max(median(rings), 0.05)
    around = np.array([min(max(median(rings[row]), 0.05), usual_ring) for row in near])
    values = np.array([np.sqrt(max(one.dark, 0.0) * max(one.peak, 0.0)) for one in bubbles])
    places = np.array([place for place, _ in layout.BUBBLES])
    usual = {name: median(values[places == name]) for name in layout.PLACES}
    elsewhere = median(np.array(list(usual.values())))
    values = (values - [usual.get(place, elsewhere) for place in places]) / around
    marks = median(np.array([values[places == name].max() for name in layout.PLACES]))
    return dict(zip(layout.BUBBLES, (values / max(marks, dark)).tolist(), strict=True))


def _chances(bubbles: Sequence[Bubble], limits: Limits) -> dict[tuple[str, int], float]:
    """The probability that each bubble is marked."""
    return {
        at: 1 / (1 + float(np.exp(limits.slope * (limits.middle - share))))
        for at, share in mark_shares(bubbles, limits.dark).items()
    }


def _sureness(place: str, chances: dict[int, float]) -> float:
    """The probability that the likeliest bubble of a column is marked and the next is not."""
    first, second = sorted((*chances.values(), 0.0), reverse=True)[:2]
    return max(first, 1 - first) if place in layout.BONUSES else first * (1 - second)


def _unclear(place: str, chances: dict[int, float]) -> str:
    """Why a column is unclear, as the key of a sentence."""
    first, second = sorted((*chances.values(), 0.0), reverse=True)[:2]
    if second >= 0.5:
        return "slip.two-marks"
    return "slip.blank" if first < _BLANK and place in layout.PLACES else "slip.faint"
