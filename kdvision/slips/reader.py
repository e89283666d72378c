"""Slips in a photo: their codes are found, their bubbles are measured.

The corners of the code give the homography of the slip, and its corner marks refine it. A bubble is
measured against the white of the paper around it and the black of the corner marks, so that light,
shadow and colour do not matter.
"""

from collections import Counter
from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from kdvision.arrays import Array, median
from kdvision.photo.photo import Photo
from kdvision.slips import layout
from kdvision.slips.codes import Gray, find_codes, place_among
from kdvision.slips.slip import TWO_PAPERS, Mark, Slip, SlipCode
from kdvision.vision.geometry import homography, inverse, on_decoded, project

Float = NDArray[np.float32]

#: px per mm of the slip as it is measured.
PX = 6
#: mm. Beyond the slip that is looked at: where the corner marks may lie by the code alone.
_MARGIN = 10
#: From mm of the slip (outer corners) to pixels of the view from above (centres), and its size.
_TO_VIEW = np.array([[PX, 0, PX * _MARGIN - 0.5], [0, PX, PX * _MARGIN - 0.5], [0, 0, 1]])
_VIEW_SIZE = tuple(round(PX * (side + 2 * _MARGIN)) for side in layout.SIZE)
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
#: px. A corner mark with its white border of 1.5 mm, as it should look.
_BORDER = round(1.5 * PX)
_MARK = np.pad(
    np.zeros((round(layout.CORNER_MARK_SIDE * PX),) * 2, np.float32), _BORDER, constant_values=1
)
#: Correlation (-1 to 1) of a corner mark with what it should look like.
LEAST_MARK = 0.6
#: Corner marks that must be found.
LEAST_MARKS = 3
#: mm. Radius inside the ring of a bubble that is measured, and the blur of fine lines.
_INSIDE, _BLUR = 1.2, 0.2
#: mm. The middles (n, 2) of the bubbles as printed, and how far they are apart (n, n).
_CENTERS = np.array(list(layout.BUBBLES.values()))
_APART = np.linalg.norm(_CENTERS[:, None] - _CENTERS[None], axis=2)
#: A printed ring less the paper around it, as a kernel, by the distance (mm) from its middle.
_FAR = np.hypot(*np.mgrid[-3 * PX : 3 * PX + 1, -3 * PX : 3 * PX + 1]) / PX
_LINE = np.abs(_FAR - layout.RING_RADIUS) <= layout.RING_LINE
_AROUND = np.abs(_FAR - layout.RING_RADIUS - 0.55) <= 0.2
_RING = (_LINE / _LINE.sum() - _AROUND / _AROUND.sum()).astype(np.float32)
#: Points. A kingdom has no more (RULES 2, 3): its 48 squares are of the terrains with most crowns,
#: each in one piece with all its crowns, and both bonuses are earned.
MOST_TOTAL = 327
#: Directions in which circles are sampled, and those in which a stroke is followed.
_DIRECTIONS, _FINE_DIRECTIONS = (
    np.c_[np.cos(turns), np.sin(turns)]
    for turns in (np.linspace(0, 2 * np.pi, count, endpoint=False) for count in (32, 64))
)
#: mm. Distances from the middle of a bubble at which a stroke is followed that leads on from it:
#: from its ring to where no mark reaches, not even a large tick that goes on in the next ring.
_ALONG_STROKE = np.arange(2.2, 7.1, 0.2)
#: mm. The rings around a mark whose darkness it is compared with.
_RINGS_WITHIN = 11.0
#: mm. How far bent paper may move a bubble, and over which distance neighbours move alike: first
#: many of them far, then fewer from there.
_BENDS = ((1.2, 7.0), (0.6, 3.5), (0.3, 1.75))
#: Shifts that are tried on each side of where a bubble was.
_SHIFTS = 6
#: Probability of a mark up to which a bubble is called blank.
_BLANK = 0.02


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
        stroke: Darkness as a share of that of the mark. One from which so dark a stroke leads on is
            a line that runs across its bubble: of 384 marks none had more than 0.98, of 14 lines
            through bubbles that would be taken for their marks none less than 1.08.
        least: Probability. A total is named from it on.
    """

    px_per_mm: float = 2.0
    residual: float = 1.0
    contrast: float = 0.12
    dark: float = 0.15
    middle: float = 0.583
    slope: float = 19.5
    stroke: float = 1.0
    least: float = 0.9


LIMITS = Limits()


def read_slips(photo: Photo, side: int) -> tuple[Slip, ...]:
    """Read every slip in a photo.

    Args:
        photo: The photo.
        side: The longer side in pixels of the picture to search. The whole photo is searched where
            a code is seen in it and cannot be read.
    """
    found: list[tuple[SlipCode, Array]] = []
    for longer in (side, max(photo.width, photo.height)):
        gray, scale = _gray(photo, longer)
        codes, unread = find_codes(gray)
        for code, corners in codes:
            at = place_among(found, code, corners * scale)
            found[at : at + 1] = [(code, corners * scale)]
        if not unread:
            break
    counts = Counter(code for code, _ in found)
    slips = (_read_slip(photo, code, corners) for code, corners in found)
    return tuple(
        _unclear_for(slip, TWO_PAPERS) if counts[slip.code] > 1 else slip for slip in slips
    )


def _unclear_for(slip: Slip, why: str) -> Slip:
    """A slip whose total is unclear for a reason, as the key of a sentence, that is no column's."""
    return replace(slip, claimed=None, unclear=why, place="", probability=0.0)


def _gray(photo: Photo, side: float) -> tuple[Gray, float]:
    """A photo in gray at a longer side of at least so many pixels, and its scale."""
    pixels, scale = photo.pixels(round(side))
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8), scale


def _read_slip(photo: Photo, code: SlipCode, corners: Array) -> Slip:
    """Read the marks of a slip by the corners (4, 2) of its code in pixels of the upright photo."""
    code_px = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    enough = min(1.0, PX * layout.CODE_SIDE / code_px)
    located = locate(*_gray(photo, enough * max(photo.width, photo.height)), corners)
    outline = project(located.to_photo, np.array(layout.SLIP_CORNERS))
    slip = Slip(code=code, corners=_points(outline), code_px=code_px)
    beyond = (outline < 0).any() or (outline > [photo.width, photo.height]).any()
    if len(located.marks) < LEAST_MARKS or beyond:
        return replace(slip, unclear="slip.cut-off")
    if located.residual > LIMITS.residual:
        return replace(slip, unclear="slip.bent")
    if code_px < LIMITS.px_per_mm * layout.CODE_SIDE:
        return replace(slip, unclear="slip.too-small")
    return judged(slip, measure_bubbles(located))


def _points(points: Array) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in points)


# Where the slip lies ------------------------------------------------------------------------


class Located(Struct, frozen=True, eq=False):
    """Where a slip lies in a photo.

    Attributes:
        to_photo: (3, 3) from mm of the slip to pixels of the photo.
        view: The slip from above, gray.
        marks: The corner marks that were found, by their indices.
        residual: Largest distance in mm between a corner mark or a corner of the code and where
            the homography puts it.
    """

    to_photo: Array
    view: Float
    marks: tuple[int, ...] = ()
    residual: float = 0.0


def locate(gray: Gray, scale: float, corners: Array) -> Located:
    """Find out where a slip lies, by the corners (4, 2) of its code in pixels of a photo.

    Args:
        gray: The photo, decoded at 1 / `scale`.
        scale: See there.
        corners: Clockwise from the top left.
    """
    to_photo = homography(layout.CODE_CORNERS, corners)
    located = Located(to_photo, _view(gray, scale, to_photo))
    for wanted, radius in _STEPS:
        seen = {
            index: at
            for index in wanted
            if (at := _corner_mark(located.view, layout.CORNER_MARKS[index], radius)) is not None
        }
        if len(seen) < 2:
            return replace(located, marks=tuple(seen))
        of_code = _FINDERS if len(seen) >= LEAST_MARKS else _GUESS
        printed = [layout.CODE_CORNERS[index] for index in of_code]
        printed += [layout.CORNER_MARKS[index] for index in seen]
        marks = project(located.to_photo, np.array(list(seen.values())))
        points = np.concatenate([corners[of_code], marks])
        to_photo = homography(printed, points)
        beside = np.linalg.norm(project(inverse(to_photo), points) - printed, axis=1)
        view = _view(gray, scale, to_photo)
        located = Located(to_photo, view, tuple(seen), float(beside.max()))
    return located


def _view(gray: Gray, scale: float, to_photo: Array) -> Float:
    """A slip as seen from above, with the margin around it."""
    matrix = on_decoded(to_photo, scale) @ inverse(_TO_VIEW)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = cv2.warpPerspective(gray, matrix, _VIEW_SIZE, flags=flags, borderValue=128)
    return np.asarray(view, np.float32)


def _corner_mark(view: Float, expected: layout.Point, radius: float) -> Array | None:
    """A corner mark (x, y) in mm within `radius` mm of where it should be; None if not there."""
    half = len(_MARK) / 2 + radius * PX
    left, top = np.round(project(_TO_VIEW, np.array([expected]))[0] - half).astype(int)
    window = view[top : top + round(2 * half), left : left + round(2 * half)]
    match = cv2.matchTemplate(window, _MARK, cv2.TM_CCOEFF_NORMED)
    _, best, _, corner = cv2.minMaxLoc(match)
    if best < LEAST_MARK:
        return None
    middle = np.add(corner, [left, top]) + (len(_MARK) - 1) / 2
    return np.asarray(project(inverse(_TO_VIEW), middle[None])[0])


# What is marked -----------------------------------------------------------------------------


class Bubble(Struct, frozen=True):
    """What was measured of a bubble, 0 being the white of the paper and 1 the black of the print.

    `dark` is how dark it is inside: the geometric mean of the mean and of the darkest line, as a
    mark is dark on the whole and has a dark line, what was rubbed out has none, a smudge neither.
    `ring` is the mean of its ring, `center` in pixels of the photo. `stroke` is how dark the
    darkest stroke is, at its faintest, that leads on from it to where no mark reaches.
    """

    dark: float
    ring: float
    center: layout.Point
    stroke: float = 0.0


def measure_bubbles(located: Located) -> list[Bubble]:
    """Measure every bubble of a slip, in the order of `layout.BUBBLES`."""
    white = _paper(located.view)
    spots = np.array([layout.CORNER_MARKS[index] for index in located.marks])
    blurred = np.asarray(cv2.blur(located.view, (2 * PX + 1,) * 2), np.float32)
    black = median(_sampled(blurred / white, spots))
    darkness = (1 - located.view / white) / max(1 - black, 0.05)
    soft = np.asarray(cv2.GaussianBlur(darkness, (0, 0), _BLUR * PX), np.float32)
    centers = _bubbles_found(darkness)
    radii = _INSIDE * np.sqrt((np.arange(6) + 0.5) / 6)  # as many samples as there is area
    inside = np.concatenate([_on_circles(soft, centers, radius) for radius in radii], axis=-1)
    dark = np.sqrt(np.maximum(inside.mean(axis=-1), 0) * np.maximum(inside.max(axis=-1), 0))
    ring = _on_circles(darkness, centers, layout.RING_RADIUS).mean(axis=-1)
    steps = _ALONG_STROKE[:, None, None] * _FINE_DIRECTIONS
    rays = _sampled(soft, centers[:, None, None] + steps)
    beside = np.maximum(np.roll(rays, 1, axis=-1), np.roll(rays, -1, axis=-1))
    stroke = np.maximum(rays, beside).min(axis=1).max(axis=-1)
    in_photo = _points(project(located.to_photo, centers))
    values = zip(dark.tolist(), ring.tolist(), in_photo, stroke.tolist(), strict=True)
    return [Bubble(*of_bubble) for of_bubble in values]


def _paper(view: Float) -> Float:
    """The white of the paper at every pixel: what is left when all that is printed is closed."""
    soft = cv2.GaussianBlur(view, (0, 0), 0.35 * PX)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(5.5 * PX),) * 2)
    closed = cv2.morphologyEx(soft, cv2.MORPH_CLOSE, kernel)
    return np.asarray(np.maximum(cv2.GaussianBlur(closed, (0, 0), PX), 1), np.float32)


def _bubbles_found(darkness: Float) -> Array:
    """The middles (n, 2) of the bubbles in mm, where bent paper has moved them to.

    Neighbours move alike: the shift of each is the one that shows most of the rings around it.
    """
    places = _CENTERS
    rings = np.asarray(np.clip(cv2.filter2D(darkness, cv2.CV_32F, _RING), 0, 1), np.float32)
    for bend, reach in _BENDS:
        steps = np.linspace(-bend, bend, 2 * _SHIFTS + 1)
        shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        tried = places[:, None] + shifts[None]
        response = np.exp(-0.5 * (_APART / reach) ** 2) @ _sampled(rings, tried)
        places = places + shifts[response.argmax(axis=1)]
    return places


def _on_circles(picture: Float, centers: Array, radius: float) -> Array:
    """The values (..., 32) of a view on circles around points (..., 2), in mm."""
    return _sampled(picture, centers[..., None, :] + radius * _DIRECTIONS)


def _sampled(picture: Float, points: Array) -> Array:
    """The values (...) of a view at points (..., 2) in mm."""
    at = project(_TO_VIEW, points.reshape(-1, 2)).reshape(len(points), -1, 2).astype(np.float32)
    values = cv2.remap(picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    return np.asarray(values, np.float64).reshape(points.shape[:-1])


def judged(slip: Slip, bubbles: Sequence[Bubble]) -> Slip:
    """Return a slip with what its bubbles say, or why that is unclear.

    Args:
        slip: The slip.
        bubbles: In the order of `layout.BUBBLES`.
    """
    likely = 1 / (1 + np.exp(LIMITS.slope * (LIMITS.middle - mark_shares(bubbles))))
    chances = dict(zip(layout.BUBBLES, likely.tolist(), strict=True))
    columns = {
        name: sorted(chance for (place, _), chance in chances.items() if place == name)
        for name in (*layout.PLACES, *layout.BONUSES)
    }
    sure = {place: _sureness(place, column) for place, column in columns.items()}
    marked = {
        at: bubble for at, bubble in zip(layout.BUBBLES, bubbles, strict=True) if chances[at] >= 0.5
    }
    for (place, _), bubble in marked.items():
        if bubble.stroke >= LIMITS.stroke * bubble.dark:
            sure[place] = 0.0
    digits = {place: str(digit) for place, digit in marked}
    total = int("".join(digits.get(place, "0") for place in layout.PLACES))
    if total > MOST_TOTAL:
        sure["hundreds"] = 0.0
    probability, unclear, place = float(np.prod(list(sure.values()))), "", ""
    if min(bubble.ring for bubble in bubbles) < LIMITS.contrast:
        unclear, probability = "slip.blurred", 0.0
    elif probability < LIMITS.least:
        place = min(sure, key=lambda name: sure[name])
        unclear = _unclear(place, columns[place])
    return replace(
        slip,
        claimed=None if unclear else total,
        bonuses=tuple(bonus for bonus in layout.BONUSES if bonus in digits),
        marks=tuple(Mark(*at, bubble.center) for at, bubble in marked.items()),
        unclear=unclear,
        place=place,
        probability=probability,
    )


def mark_shares(bubbles: Sequence[Bubble]) -> Array:
    """How dark each bubble is as a share of the person's marks.

    Blur draws the dark of the rings into bubbles, and into those of a column alike; glare takes
    from marks what it takes from the rings around them.
    """
    rings = np.array([bubble.ring for bubble in bubbles])
    # A mark darkens its own ring, and those of the bonuses are few: no more than is usual.
    usual_ring = max(median(rings), 0.05)
    around = np.array(
        [min(max(median(rings[row]), 0.05), usual_ring) for row in _APART < _RINGS_WITHIN]
    )
    values = np.array([bubble.dark for bubble in bubbles])
    columns = [np.array([place == name for place, _ in layout.BUBBLES]) for name in layout.PLACES]
    usual = [median(values[column]) for column in columns]
    values = values - np.select(columns, usual, median(np.array(usual)))
    values /= around
    marks = median(np.array([values[column].max() for column in columns]))
    return np.asarray(values / max(marks, LIMITS.dark))


def _sureness(place: str, chances: Sequence[float]) -> float:
    """The probability that the likeliest bubble of a column is marked and the next is not.

    Args:
        place: The column.
        chances: Of its bubbles, the largest last.
    """
    first = chances[-1]
    return max(first, 1 - first) if place in layout.BONUSES else first * (1 - chances[-2])


def _unclear(place: str, chances: Sequence[float]) -> str:
    """Why a column is unclear, as the key of a sentence; `chances` as for `_sureness`."""
    if place in layout.PLACES and chances[-2] >= 0.5:
        return "slip.two-marks"
    return "slip.blank" if place in layout.PLACES and chances[-1] < _BLANK else "slip.faint"
