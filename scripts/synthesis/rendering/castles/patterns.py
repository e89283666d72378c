"""Castles in a pattern of many colours: painted, glued together, a box with a print, a toy."""

import cv2
import numpy as np
from msgspec.structs import replace

from scripts.arrays import Array, Image, Rng
from scripts.synthesis.rendering.camera import Camera
from scripts.synthesis.rendering.castles.solids import Face, draw_faces

#: What a face is drawn in before its pattern: its shading is then applied to the pattern.
_WHITE = 225.0


def bleached(faces: list[Face]) -> list[Face]:
    """Return the same parts in white: only their shading is left."""
    shades = [float(np.clip(face.colour.max() / 235, 0.45, 1.0)) for face in faces]
    white = [np.full(3, _WHITE * shade) for shade in shades]
    return [replace(face, colour=colour) for face, colour in zip(faces, white, strict=True)]


def pattern(rng: Rng, side: int = 96) -> Image:
    """Return a pattern (side, side, 3): cells, stripes or blots in two to six colours."""
    colours = rng.uniform(10, 245, (int(rng.integers(2, 7)), 3))
    across, down = rng.integers(2, 16, 2)
    if rng.random() < 0.2:
        across = 1
    cells = colours[rng.integers(len(colours), size=(down, across))].astype(np.float32)
    way = cv2.INTER_NEAREST if rng.random() < 0.55 else cv2.INTER_CUBIC
    whole = cv2.resize(cells, (side, side), interpolation=way)
    whole += rng.normal(0, rng.uniform(0, 14), (side, side, 1)).astype(np.float32)
    return np.asarray(np.clip(whole, 0, 255), np.uint8)


def draw_patterned(
    faces: list[Face], print_: Image, turn: float, at: Array, image: Image, camera: Camera
) -> None:
    """Draw bleached faces, then colour them with a pattern. In place.

    Args:
        faces: As `bleached` gives them.
        print_: As `pattern` gives it; it is about two squares wide.
        turn: How it lies in the picture, radians.
        at: (2,) the castle's middle on the table.
        image: The picture (h, w, 3).
        camera: Its camera.
    """
    before = image.copy()
    draw_faces(image, camera, faces)
    gap = np.asarray(cv2.absdiff(before, image), np.uint8).max(axis=2)
    ends = camera.project(np.array([[*at, 0.3], [at[0] + 1.0, at[1], 0.3]]))
    scale = 2 * max(float(np.linalg.norm(ends[1] - ends[0])), 4.0) / print_.shape[0]
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    middle = print_.shape[0] / 2
    shift = ends[0] - np.array([cos * middle - sin * middle, sin * middle + cos * middle])
    matrix = np.array([[cos, -sin, shift[0]], [sin, cos, shift[1]]])
    size = (image.shape[1], image.shape[0])
    laid = cv2.warpAffine(print_, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_WRAP)
    covered = gap > 3
    shade = image[covered].astype(np.float32) / _WHITE
    image[covered] = np.clip(laid[covered] * shade, 0, 255).astype(np.uint8)
