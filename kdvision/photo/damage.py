"""Damage that shows in the pixels of a photo that was decoded without complaint.

Three kinds can be recognised. Where data are missing, decoders fill the rest with plain mid grey.
And a wrong byte in a JPEG often shifts the colour of everything after it: JPEG stores the mean of a
block as the difference to the block before. The shift starts at one block and leaves a step of
constant height along one row of blocks: to the right of that block at the row's upper edge, to
the left of it at the lower edge. No edge of a thing in a photo is that straight and constant.
Third, a part of the photo may have slipped to the side (`has_seam`).
"""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from kdvision.arrays import Image
from kdvision.photo.headers import Header
from kdvision.photo.resize import block_means, column_means
from kdvision.photo.settings import PHOTO
from kdvision.sentences import Sentence

#: What decoders fill in where data are missing: mid grey.
_FILL = 128

_Lines = npt.NDArray[np.float32]


def damage_in(pixels: Image, reduction: int, header: Header | None) -> Sentence | None:
    """Look for damage in the pixels of an upright photo.

    Args:
        pixels: (h, w, 3) RGB.
        reduction: How many pixels of the photo one of these stands for, along a side.
        header: Of the file; None for a picture that comes from no file.

    Returns:
        What is wrong; None where nothing is found.
    """
    missing = _missing_share(pixels)
    if missing > PHOTO.min_missing:
        return Sentence("damage.grey", {"percent": f"{100 * missing:.0f}"})
    if header and header.block and max(header.width, header.height) >= PHOTO.min_damage_side:
        width, height = (side // reduction for side in header.block)
        stored = _as_stored(pixels, header)
        if height >= 2 and width >= 1 and _has_step(stored, width, height):
            return Sentence("damage.colours")
    if max(pixels.shape[:2]) * reduction >= PHOTO.min_damage_side and has_seam(pixels):
        return Sentence("damage.slipped")
    return None


def _missing_share(pixels: Image) -> float:
    """The part of the picture that is plain mid grey, from one side on but not from all."""
    shares = [_grey_rows(np.rot90(pixels, quarters)) for quarters in range(4)]
    return max(shares) if min(shares) == 0 else 0.0


def _grey_rows(pixels: Image) -> float:
    """The share of rows, from the first on, that are nothing but mid grey."""
    for rows, row in enumerate(pixels):
        if np.abs(row.astype(np.int16) - _FILL).max() > PHOTO.fill_noise:
            return rows / len(pixels)
    return 1.0


def _as_stored(pixels: Image, header: Header) -> Image:
    """An upright picture turned back, without what is left over at the stored right and bottom."""
    back = pixels[:: -1 if header.orientation in (3, 4, 7, 8) else 1]
    back = back[:, :: -1 if header.orientation in (2, 3, 6, 7) else 1]
    return back.transpose(1, 0, 2) if header.orientation >= 5 else back


def _has_step(stored: Image, width: int, height: int) -> bool:
    """Whether colour jumps from one block of that width and height (at least 2) on."""
    rows, cols = stored.shape[0] // height, stored.shape[1] // width
    if rows < 3 or cols < 3:
        return False
    whole = np.ascontiguousarray(stored[: rows * height, : cols * width])
    colours = np.asarray(cv2.cvtColor(column_means(whole, width), cv2.COLOR_RGB2YCrCb), np.uint8)
    lines = colours.reshape(rows, height, cols, 3).transpose(3, 0, 1, 2)
    # The step from a row of blocks to the next, less what the slopes beside it explain. Steps are
    # halves, so twice as much are whole numbers, which add up several times faster.
    above, below = lines[:, :-1, -1].astype(np.int16), lines[:, 1:, 0].astype(np.int16)
    doubled = 2 * (below - above)
    if height > 2:
        doubled -= above - lines[:, :-1, -2] + lines[:, 1:, 1] - below
    spread = (side[0].astype(np.float32).std(axis=1) for side in (above, below))
    doubled[:, np.minimum(*spread) < PHOTO.plain_spread] = 0
    # Row by row in one line: the step that starts at a block is a window of `cols` values.
    np.clip(doubled, -2 * PHOTO.max_step, 2 * PHOTO.max_step, out=doubled)
    sequence = doubled.reshape(3, -1)
    mean = _window_sum(sequence, cols) / (2 * cols)
    high = np.abs(mean) > PHOTO.min_step
    if not high.any():
        return False
    square = _window_sum(sequence.astype(np.int32) ** 2, cols) / (4 * cols)
    deviation = np.sqrt(np.maximum(square - mean**2, 0))
    return bool((high & (np.abs(mean) > PHOTO.min_step_steadiness * (deviation + 1))).any())


def _window_sum(values: npt.NDArray[Any], length: int) -> npt.NDArray[np.int64]:
    """The sum over each window of a length along the second axis."""
    total = np.zeros((len(values), values.shape[1] + 1), np.int64)
    np.cumsum(values, axis=1, out=total[:, 1:])
    return np.asarray(total[:, length:] - total[:, :-length])


# ---------------------------------------------------------------------- seams


def has_seam(pixels: Image) -> bool:
    """Whether a part of a picture (h, w, 3) has slipped to the side, or up or down."""
    factor = -(-max(pixels.shape[:2]) // PHOTO.seam_side)
    height, width = (side // factor for side in pixels.shape[:2])
    if min(height, width) < 8 * PHOTO.min_shift:
        return False
    grey = cv2.cvtColor(block_means(pixels, factor), cv2.COLOR_RGB2GRAY).astype(np.float32)
    return any(0 < _seams(lines) <= PHOTO.max_seams for lines in (grey, grey.T))


def _seams(lines: _Lines) -> int:
    """How many rows do not fit the next one but fit it moved. A seam within a row counts too."""
    found: list[int] = []
    for gap in (1, 2):
        step = np.abs(lines[gap:] - lines[:-gap]).mean(axis=1)
        usual = np.maximum(step[: -2 * gap], step[2 * gap :])
        ratio = step[gap:-gap] / (usual + PHOTO.seam_ratio_offset)
        ratio[step[gap:-gap] < PHOTO.min_seam_step] = 0
        for at in np.argsort(-ratio)[: PHOTO.max_seam_candidates]:
            row = int(at) + gap
            if ratio[at] < PHOTO.min_seam_ratio:
                break
            if all(abs(row - other) > PHOTO.seam_distance for other in found) and _fits_moved(
                lines[row], lines[row + gap], float(usual[at])
            ):
                found.append(row)
    return len(found)


def _fits_moved(above: _Lines, below: _Lines, usual: float) -> bool:
    """Whether one row resembles the other when it is moved, as much as rows usually do."""
    width = len(above)
    turns = np.lib.stride_tricks.sliding_window_view(np.concatenate([below, below[:-1]]), width)
    gaps = np.abs(turns - above).mean(axis=1)
    best = float(gaps[PHOTO.min_shift : width - PHOTO.min_shift].min())
    if best >= PHOTO.max_moved_share * gaps[0]:
        return False
    return best < PHOTO.max_moved_ratio * usual + PHOTO.moved_offset
