"""Scenes cut close to one of their kingdoms, or into it: what trust learns borders from."""

from typing import Any

import cv2
import numpy as np

from kdvision.rules.kingdom import Kingdom
from kdvision.vision.geometry import project
from scripts.arrays import Array, Image, Rng

Truth = dict[str, list[dict[str, Any]]]

#: So many of the pictures that are cut close lose up to three squares of the kingdom.
_CUT_INTO = 1 / 3
#: So many are turned until a line of the lattice runs along the border, as photos are held: then
#: what is cut off leaves no trace.
_ALONG = 0.5


def cut_close(rng: Rng, picture: Image, truth: Truth) -> tuple[Image, Truth]:
    """Cut a picture close to one of its kingdoms, and one in three into it from one side."""
    chosen = int(rng.integers(max(len(truth["kingdoms"]), 1)))
    squares = [one for one in truth["squares"] if one["kingdom"] == chosen]
    if not squares:
        return picture, truth
    corners = np.array([one["corners"] for one in squares], float).reshape(-1, 2)
    unit = float(np.sqrt(cv2.contourArea(corners[:4].astype(np.float32))))
    if rng.random() < _ALONG:
        return _along_a_line(rng, picture, truth, chosen, unit)
    margins = rng.uniform(-0.25, 0.6, 4) * unit
    if rng.random() < _CUT_INTO:
        side = int(rng.integers(4))
        reach = np.ptp(corners, axis=0)[side % 2]
        margins[side] = -min(rng.uniform(0.3, 3.0) * unit, 0.6 * reach)
    low, high = corners.min(axis=0) - margins[:2], corners.max(axis=0) + margins[2:]
    return _part(picture, truth, low, high)


def _along_a_line(
    rng: Rng, picture: Image, truth: Truth, chosen: int, unit: float
) -> tuple[Image, Truth]:
    """Return the picture turned so that its border runs along a lattice line of a kingdom.

    It leaves up to three quarters of a square beyond the line, half of the time less than a
    twelfth, and half of the time cuts off up to three rows or columns.
    """
    kingdom = truth["kingdoms"][chosen]
    homography = np.array(kingdom["homography"], float)
    cells = [at for at, cell in Kingdom.parse(kingdom["line"]).cells() if cell is not None]
    low, high = np.min(cells, axis=0), np.max(cells, axis=0) + 1
    axis, end = int(rng.integers(2)), int(rng.integers(2))
    depth = int(rng.integers(1, 4)) if rng.random() < 0.5 else 0
    depth = min(depth, int(high[axis] - low[axis]) - 1)
    line = np.array([low, high], float)
    line[:, axis] = high[axis] - depth if end else low[axis] + depth
    box = np.array([[low[0], low[1]], [low[0], high[1]], [high[0], high[1]], [high[0], low[1]]])
    seen = project(homography, line[:, ::-1]) + 0.5
    outline = project(homography, box[:, ::-1].astype(float)) + 0.5
    turned, matrix = _turned(picture, seen, outline.mean(axis=0))
    line_at, box_at = (points @ matrix[:, :2].T + matrix[:, 2] for points in (seen, outline))
    margin = rng.uniform(-0.08, 0.08) if rng.random() < 0.5 else rng.uniform(0.0, 0.75)
    border = line_at[:, 0].max() + margin * unit
    wide = rng.uniform(0.6, 3.0, 4) * unit
    first, last = box_at.min(axis=0) - wide[:2], box_at.max(axis=0) + wide[2:]
    return _part(turned, _moved(truth, matrix), first, np.array([border, last[1]]))


def _turned(picture: Image, line: Array, middle: Array) -> tuple[Image, Array]:
    """Turn a picture until a line runs upright, right of a point; return (2, 3) how, too."""
    height, width = picture.shape[:2]
    along = line[1] - line[0]
    across = np.array([along[1], -along[0]])
    if across @ (line.mean(axis=0) - middle) < 0:
        across = -across
    angle = float(np.degrees(np.arctan2(across[1], across[0])))
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    there = corners @ matrix[:, :2].T + matrix[:, 2]
    matrix[:, 2] -= there.min(axis=0)
    size = tuple(np.ceil(np.ptp(there, axis=0)).astype(int).tolist())
    turned = cv2.warpAffine(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned, np.uint8), np.asarray(matrix, np.float64)


def _moved(truth: Truth, matrix: Array) -> Truth:
    """Return the truth where an affine map (2, 3) of the picture leaves it."""
    squares = []
    for square in truth["squares"]:
        corners = np.array(square["corners"]) @ matrix[:, :2].T + matrix[:, 2]
        squares.append(square | {"corners": corners.tolist()})
    return truth | {"squares": squares}


def _part(picture: Image, truth: Truth, low: Array, high: Array) -> tuple[Image, Truth]:
    """Return a part of a picture between two corners (x, y)."""
    left, top = np.maximum(np.floor(low), 0).astype(int)
    right, bottom = np.ceil(high).astype(int)
    shift = np.array([[1.0, 0.0, -left], [0.0, 1.0, -top]])
    return picture[top:bottom, left:right].copy(), _moved(truth, shift)
