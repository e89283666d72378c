"""What a lens and a file do to a picture, for everything that renders, trains or measures.

OpenCV, not scikit-image: it computes in bytes, in a tenth of the time.
"""

import cv2
import numpy as np

from scripts.arrays import Image


def shaken(image: Image, length: int, angle: float) -> Image:
    """Return a picture (h, w, 3) with motion blur.

    The camera moved by `length` pixels at an angle (radians): the kernel is that line, its sum 1.
    """
    kernel = np.zeros((length, length), np.float32)
    middle = length / 2
    reach = np.array([np.cos(angle), np.sin(angle)]) * middle
    ends = [(int(point[0]), int(point[1])) for point in (middle - reach, middle + reach)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    kernel = np.asarray(kernel / max(float(kernel.sum()), 1e-6), np.float32)
    return np.asarray(cv2.filter2D(image, -1, kernel), np.uint8)


def defocused(image: Image, sigma: float) -> Image:
    """Return a picture out of focus; `sigma` in pixels."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)


def through_jpeg(image: Image, quality: int) -> Image:
    """Put a picture, RGB (h, w, 3), through a JPEG file and back."""
    _, data = cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR_RGB), np.uint8)
