"""Pictures as files, for every script: BGR (h, w, 3) uint8, as OpenCV has them."""

from pathlib import Path

import cv2
import numpy as np

from scripts.arrays import AnyArray, Image


def read_bgr(path: Path) -> Image:
    """Return the pixels of a picture.

    Raises:
        FileNotFoundError: It is not there, or it is no picture.
    """
    picture = cv2.imread(str(path))
    if picture is None:
        raise FileNotFoundError(f"{path} is no picture that can be read.")
    return np.asarray(picture, np.uint8)


def write_jpeg(path: Path, picture: Image, quality: int) -> None:
    """Write a picture; `quality` from 0 to 100."""
    if not cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, quality]):
        raise OSError(f"{path} cannot be written.")


def as_bytes(pixels: AnyArray) -> Image:
    """Return real numbers as pixels of a picture, cut off at black and white."""
    return np.clip(pixels, 0, 255).astype(np.uint8)


def resized(picture: Image, factor: float, interpolation: int = cv2.INTER_AREA) -> Image:
    """Resize a picture."""
    size = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=interpolation)
    return np.asarray(size, np.uint8)
