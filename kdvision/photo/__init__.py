"""Bytes of unknown origin become upright RGB pixels: formats, limits, decoders, damage.

Raises:
    UsageError: OpenCV cannot be imported.
"""

from kdvision.errors import broken_library

try:
    import cv2 as cv2
except ImportError as error:
    error.name = "cv2"
    raise broken_library(error) from error
