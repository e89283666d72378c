"""Dense outputs of the grid network, made by hand."""

import numpy as np

from kdvision.vision.grid.voting import REFERENCE_PX, STRIDE
from kdvision.vision.models import CHANNELS


def fields_of(
    centres: list[tuple[float, float]],
    e1: tuple[float, float],
    e2: tuple[float, float],
    side: int = 80,
    *,
    tile: float = 8.0,
    castle: float = 8.0,
) -> np.ndarray:
    """The channels (len(CHANNELS), side, side) of a perfect detector for these squares.

    Args:
        centres: The middles of the squares (x, y), in pixels of the input; the first is a castle.
        e1: The vector from one square to the next in its row, in pixels.
        e2: The vector to the next in its column.
        side: Height and width of the output.
        tile: The logit of a tile where one lies.
        castle: The logit of a castle where one lies.
    """
    planes = np.zeros((len(CHANNELS), side, side), np.float32)
    planes[:2] = -8.0
    ys, xs = np.mgrid[0:side, 0:side] * STRIDE + (STRIDE - 1) / 2
    basis = np.array([e1, e2]).T
    scale = np.sqrt(abs(np.linalg.det(basis)))
    w1, w2 = complex(*e1) / scale, complex(*e2) / scale
    # Within a square all pixels say: a tile, how far its middle is, how large it is, how turned.
    for number, (x, y) in enumerate(centres):
        steps = np.linalg.inv(basis) @ np.stack([(xs - x).ravel(), (ys - y).ravel()])
        inside = (np.abs(steps) <= 0.5).all(axis=0).reshape(xs.shape)
        planes[0, inside] = tile
        planes[1, inside] = castle if number == 0 else -8.0
        planes[2, inside] = (x - xs[inside]) / scale
        planes[3, inside] = (y - ys[inside]) / scale
        planes[4, inside] = np.log(scale / REFERENCE_PX)
        product, total = (w1 * w2) ** 2, w1**2 + w2**2
        turn = np.array([product.real, product.imag, total.real, total.imag])
        planes[5:9, inside] = turn[:, None]
    return planes
