"""Pictures made smaller or larger."""

import cv2
import numpy as np

from kdvision.arrays import Image


def block_means(pixels: Image, factor: int) -> Image:
    """Average a picture (h, w, 3) over its blocks of factor x factor pixels.

    What is left over at the right and at the bottom is dropped. By halves as long as that goes:
    OpenCV takes several times longer over blocks of other sizes than of 2 x 2.

    Returns:
        (h // factor, w // factor, 3), at least 1 x 1.
    """
    height, width = (max(side // factor, 1) for side in pixels.shape[:2])
    pixels = pixels[: height * factor, : width * factor]
    while factor > 1:
        factor = factor // 2 if factor % 2 == 0 else 1
        size = width * factor, height * factor
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    return pixels


def resize(pixels: Image, size: tuple[int, int]) -> Image:
    """Resize a picture (h, w, 3) to another size (width, height).

    Where more than half of its pixels would be skipped, by block means first.
    """
    block = min(pixels.shape[1] // max(size[0], 1), pixels.shape[0] // max(size[1], 1))
    if block > 1:
        pixels = block_means(pixels, block)
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR), np.uint8)
