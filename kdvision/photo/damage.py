"""Damage that shows in the pixels of a photo that was decoded without complaint.

Three kinds can be told. Where data are missing, decoders fill the rest with plain mid grey. And a
wrong byte in a JPEG often shifts the colour of everything after it: JPEG stores the mean of a
block as the difference to the block before. The shift starts at one block and leaves a step of
constant height along one row of blocks: to the right of that block at the row's upper edge, to
the left of it at the lower edge. No edge of a thing in a photo is that straight and constant.
Third, a part of the photo may have slipped to the side (`seams`).
"""

import cv2
import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from kdvision.photo.headers import Header
from kdvision.photo.resize import block_means, column_means

#: Mid grey, as decoders fill in, and how far JPEG noise may lead away from it.
_FILL, _FILL_NOISE = 128, 8
#: A smaller part than this without a picture is let pass.
_LEAST_MISSING = 0.02
#: A step in colour counts when it is that high (of 255) and that many times its own spread.
#: Measured on real photos: at most 1.5 times where nothing is damaged.
_LEAST_STEP, _LEAST_STEADY = 6.0, 2.0
#: Below this size a picture is a crop, whose edges can be as straight as those of blocks.
_LEAST_SIDE = 800
#: A row that varies less than this is a black bar or the like, not a picture.
_PLAIN = 4.0

_Pixels = npt.NDArray[np.uint8]


def damage_in(pixels: _Pixels, reduction: int, header: Header | None) -> str | None:
    """Look for damage in the pixels of an upright photo.

    Args:
        pixels: (h, w, 3) RGB.
        reduction: How many pixels of the photo one of these stands for, along a side.
        header: Of the file; None for a picture that comes from no file.

    Returns:
        What is wrong, to be put behind the name of the photo; None for nothing.
    """
    missing = _missing_share(pixels)
    if missing > _LEAST_MISSING:
        return f"is damaged: {missing:.0%} of it is plain grey where a picture should be"
    if header and header.block and max(header.width, header.height) >= _LEAST_SIDE:
        width, height = (side // reduction for side in header.block)
        stored = _as_stored(pixels, header)
        if height >= 2 and width >= 1 and _has_step(stored, width, height):
            return "is damaged: its colours jump along a row of JPEG blocks"
    if max(pixels.shape[:2]) * reduction >= _LEAST_SIDE and has_seam(pixels):
        return "is damaged: a part of it has slipped along a straight line"
    return None


def _missing_share(pixels: _Pixels) -> float:
    """The part of the picture that is plain mid grey, from one side on but not from all."""
    shares = [_grey_rows(side) for side in (pixels, pixels[::-1])]
    shares += [_grey_rows(side.transpose(1, 0, 2)) for side in (pixels, pixels[:, ::-1])]
    return max(shares) if min(shares) == 0 else 0.0


def _grey_rows(pixels: _Pixels) -> float:
    """The share of rows, from the first on, that are nothing but mid grey."""
    rows = 0
    for row in pixels:
        if np.abs(row.astype(np.int16) - _FILL).max() > _FILL_NOISE:
            break
        rows += 1
    return rows / len(pixels)


def _as_stored(pixels: _Pixels, header: Header) -> _Pixels:
    """An upright picture turned back, without what is left over at the stored right and bottom."""
    back = pixels[:: -1 if header.orientation in (3, 4, 7, 8) else 1]
    back = back[:, :: -1 if header.orientation in (2, 3, 6, 7) else 1]
    return back.transpose(1, 0, 2) if header.orientation >= 5 else back


def _has_step(stored: _Pixels, width: int, height: int) -> bool:
    """Whether colour jumps from one block on.

    Args:
        stored: (h, w, 3) RGB, as stored.
        width: Of a block, in pixels of the array.
        height: Likewise; at least 2.
    """
    rows, cols = stored.shape[0] // height, stored.shape[1] // width
    if rows < 3 or cols < 3:
        return False
    whole = np.ascontiguousarray(stored[: rows * height, : cols * width])
    lines = cv2.cvtColor(column_means(whole, width), cv2.COLOR_RGB2YCrCb).astype(np.float32)
    lines = lines.reshape(rows, height, cols, 3)
    # The step from a row of blocks to the next, less what the slopes beside it explain.
    above, below = lines[:-1, -1], lines[1:, 0]
    step = below - above
    if height > 2:
        step -= (above - lines[:-1, -2] + lines[1:, 1] - below) / 2
    step[np.minimum(above[..., 0].std(axis=1), below[..., 0].std(axis=1)) < _PLAIN] = 0
    # Row by row in one line: the step that starts at a block is a window of `cols` values.
    # Steps are halves, so twice as much are whole numbers, which add up several times faster.
    doubled = (2 * np.clip(step, -60, 60)).astype(np.int64).reshape(-1, 3)
    sequence = np.ascontiguousarray(doubled.T)
    mean = _window_sum(sequence, cols) / (2 * cols)
    high = np.abs(mean) > _LEAST_STEP
    if not high.any():
        return False
    square = _window_sum(sequence**2, cols) / (4 * cols)
    spread = np.sqrt(np.maximum(square - mean**2, 0))
    return bool((high & (np.abs(mean) > _LEAST_STEADY * (spread + 1))).any())


def _window_sum(values: npt.NDArray[np.int64], length: int) -> npt.NDArray[np.int64]:
    """The sum over each window of a length along the second axis."""
    total = np.zeros((len(values), values.shape[1] + 1), np.int64)
    np.cumsum(values, axis=1, out=total[:, 1:])
    return np.asarray(total[:, length:] - total[:, :-length])


_Lines = NDArray[np.float32]


#: The longer side of the picture that is looked at.
_SLIP_SIDE = 640


#: A step from row to row counts when it is that high (of 255) and so many times its neighbours.
_LEAST_SLIP_STEP, _LEAST_SLIP_RATIO = 2.5, 1.7


#: Rows fit when moving one leaves that share of the step, and it moves by so many pixels. On 80
#: pictures that are whole moving left at least 0.51, on slipped ones at most 0.41 from a slip of
#: half a tile on.
_LEFT_OVER, _LEAST_SHIFT = 0.45, 3


#: A pattern has more seams than this.
_MOST_SEAMS = 2
#: So many steps are looked at, the steepest first.
_MOST_SLIP_STEPS = 4


def has_seam(pixels: NDArray[np.uint8]) -> bool:
    """Whether a part of a picture (h, w, 3) has slipped to the side, or up or down."""
    factor = -(-max(pixels.shape[:2]) // _SLIP_SIDE)
    height, width = (side // factor for side in pixels.shape[:2])
    if min(height, width) < 8 * _LEAST_SHIFT:
        return False
    grey = cv2.cvtColor(block_means(pixels, factor), cv2.COLOR_RGB2GRAY).astype(np.float32)
    return any(0 < _seams(lines) <= _MOST_SEAMS for lines in (grey, grey.T))


def _seams(lines: _Lines) -> int:
    """How many rows do not fit the next one but fit it moved. A seam within a row counts too."""
    found: list[int] = []
    for gap in (1, 2):
        step = np.abs(lines[gap:] - lines[:-gap]).mean(axis=1)
        usual = np.maximum(step[: -2 * gap], step[2 * gap :])
        ratio = step[gap:-gap] / (usual + 0.5)
        ratio[step[gap:-gap] < _LEAST_SLIP_STEP] = 0
        for at in np.argsort(-ratio)[:_MOST_SLIP_STEPS]:
            row = int(at) + gap
            if ratio[at] < _LEAST_SLIP_RATIO:
                break
            if all(abs(row - other) > 3 for other in found) and _fits_moved(
                lines[row], lines[row + gap], float(usual[at])
            ):
                found.append(row)
    return len(found)


def _fits_moved(above: NDArray[np.float32], below: NDArray[np.float32], usual: float) -> bool:
    """Whether one row resembles the other when it is moved, as much as rows usually do."""
    width = len(above)
    turns = np.lib.stride_tricks.sliding_window_view(np.concatenate([below, below[:-1]]), width)
    gaps = np.abs(turns - above).mean(axis=1)
    best = float(gaps[_LEAST_SHIFT : width - _LEAST_SHIFT].min())
    return best < _LEFT_OVER * gaps[0] and best < 1.6 * usual + 1.0
