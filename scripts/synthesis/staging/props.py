"""Things beside the kingdoms: backs of dominoes, a pencil, a score pad, a mug."""

from collections.abc import Sequence

import cv2
import numpy as np

from scripts.synthesis.rendering.art import Image
from scripts.synthesis.rendering.camera import Camera
from scripts.synthesis.rendering.layout import Array
from scripts.synthesis.rendering.scene import draw_standing, paste

Colour = tuple[int, int, int]


def number_side(number: str, rng: np.random.Generator) -> Image:
    """The back of a domino: warm cardboard, a frame, its number in a ring; (256, 512, 3)."""
    picture = np.empty((256, 512, 3), np.float32)
    picture[:] = np.array([126, 92, 62], np.float32) + rng.normal(0, 3, 3)
    grain = rng.normal(0, 1, (128, 24)).astype(np.float32)
    picture += cv2.resize(grain, (512, 256), interpolation=cv2.INTER_CUBIC)[..., None] * 5
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    pale = (226, 204, 160)
    cv2.rectangle(picture, (18, 18), (493, 237), pale, 4, cv2.LINE_AA)
    cv2.circle(picture, (256, 128), 78, (92, 64, 42), -1, cv2.LINE_AA)
    cv2.circle(picture, (256, 128), 78, pale, 5, cv2.LINE_AA)
    for x in (92, 420):
        diamond = np.array([[x, 92], [x + 26, 128], [x, 164], [x - 26, 128]], np.int32)
        cv2.fillPoly(picture, [diamond], pale, cv2.LINE_AA)
    font, scale, thick = cv2.FONT_HERSHEY_TRIPLEX, 2.9, 5
    (width, height), _ = cv2.getTextSize(number, font, scale, thick)
    corner = (256 - width // 2, 128 + height // 2)
    cv2.putText(picture, number, corner, font, scale, pale, thick, cv2.LINE_AA)
    return np.asarray(picture, np.uint8)


def score_pad(lines: Sequence[str], rng: np.random.Generator) -> Image:
    """A sheet of ruled paper with names and points in handwriting; (640, 460, 3)."""
    picture = np.full((640, 460, 3), (247, 243, 230), np.uint8)
    for y in range(110, 640, 58):
        cv2.line(picture, (0, y), (459, y), (190, 205, 222), 2, cv2.LINE_AA)
    cv2.line(picture, (64, 0), (64, 639), (226, 160, 160), 2, cv2.LINE_AA)
    for row, line in enumerate(lines):
        y = 98 + 58 * row + int(rng.integers(-3, 4))
        font = cv2.FONT_HERSHEY_SCRIPT_COMPLEX
        cv2.putText(picture, line, (84, y), font, 1.5, (42, 52, 110), 2, cv2.LINE_AA)
    return picture


def pencil() -> Image:
    """A pencil from the side, RGBA, its point on the right; (24, 480, 4)."""
    picture = np.zeros((24, 480, 4), np.uint8)
    for row in range(24):
        light = (1.05, 1.2, 0.85)[row // 8]
        paint = np.clip(np.array([206, 74, 44]) * light, 0, 255)
        picture[row, 34:400] = (*paint, 255)
        picture[row, :22] = (*np.clip(np.array([226, 130, 126]) * light, 0, 255), 255)
        picture[row, 22:34] = (*np.clip(np.array([196, 192, 178]) * light, 0, 255), 255)
    cone = np.array([[400, 0], [478, 11], [478, 13], [400, 23]], np.int32)
    cv2.fillPoly(picture, [cone], (232, 198, 150, 255), cv2.LINE_AA)
    tip = np.array([[456, 8], [479, 11], [479, 13], [456, 15]], np.int32)
    cv2.fillPoly(picture, [tip], (52, 50, 54, 255), cv2.LINE_AA)
    return picture


def draw_king(
    image: Image, camera: Camera, sprite: Image, at: Array, width: float, turn: float
) -> None:
    """A king cut from thick wood: its outline many times, from the back to the front. In place."""
    out = np.array([-np.sin(turn), np.cos(turn)])
    wood = sprite.copy()
    wood[..., :3] = (sprite[..., :3] * 0.72).astype(np.uint8)
    behind = camera.matrix[2, :2] @ out > 0
    layers = np.linspace(-0.5, 0.5, 24) * 0.55 * width * (-1 if behind else 1)
    for layer in layers[:-1]:
        draw_standing(image, camera, wood, at + out * layer, width, turn)
    draw_standing(image, camera, sprite, at + out * layers[-1], width, turn)


def draw_lying_king(image: Image, camera: Camera, sprite: Image, quad: Array) -> None:
    """A king that lies on its back, from the table up. In place."""
    wood = sprite.copy()
    wood[..., :3] = (sprite[..., :3] * 0.66).astype(np.uint8)
    levels = np.linspace(0.05, 0.3, 16)
    for level in levels:
        top = level == levels[-1]
        paste(image, sprite if top else wood, camera.project(np.c_[quad, np.full(4, level)]))


def draw_pencil(image: Image, camera: Camera, quad: Array) -> None:
    """The pencil on four corners of the table. In place."""
    paste(image, pencil(), camera.project(np.c_[quad, np.full(4, 0.08)]))


def draw_mug(image: Image, camera: Camera, at: Array, colour: Colour) -> None:
    """A mug with coffee, 1.7 squares wide and high. In place."""
    radius, height = 0.85, 1.7
    foot, rim = (_circle(camera, at, radius, z) for z in (0.02, height))
    _handle(image, camera, at + np.array([radius, 0]), height, colour)
    body = cv2.convexHull(np.r_[foot, rim].astype(np.float32))
    _fill(image, body, colour)
    _shade_body(image, body)
    _fill(image, rim, _toned(colour, 1.12))
    _fill(image, _circle(camera, at, radius * 0.9, height), _toned(colour, 0.62))
    inside = _circle(camera, at, radius * 0.9, height)
    coffee = _circle(camera, at, radius * 0.88, height * 0.86)
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [_fixed(inside)], 255, cv2.LINE_AA, 4)
    top = image.copy()
    _fill(top, coffee, (72, 42, 24))
    _fill(
        top, _circle(camera, at + np.array([0.0, 0.04]), radius * 0.8, height * 0.86), (86, 52, 30)
    )
    image[mask > 127] = top[mask > 127]


def _handle(image: Image, camera: Camera, at: Array, height: float, colour: Colour) -> None:
    turns = np.linspace(-np.pi / 2, np.pi / 2, 24)
    out = 0.5 * np.cos(turns)
    arc = np.c_[at[0] - 0.06 + out, np.full(24, at[1]), height * (0.52 + 0.3 * np.sin(turns))]
    points = camera.project(arc)
    unit = float(np.linalg.norm(camera.project(np.array([[*at, 0], [at[0] + 1, at[1], 0.0]]))[0]
                 - camera.project(np.array([[at[0] + 1, at[1], 0.0]]))[0]))  # fmt: skip
    thick = max(2, round(0.2 * unit))
    cv2.polylines(image, [_fixed(points)], False, _toned(colour, 0.8), thick, cv2.LINE_AA, 4)


def _shade_body(image: Image, body: np.ndarray) -> None:
    """A round side is darker where it turns away from the light."""
    left, right = float(body[..., 0].min()), float(body[..., 0].max())
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [_fixed(body.reshape(-1, 2))], 255, cv2.LINE_AA, 4)
    across = np.clip((np.arange(image.shape[1]) - left) / (right - left), 0, 1)
    gain = 1.08 - 0.5 * (across - 0.3) ** 2 - 0.12 * across
    inside = mask > 127
    shaded = np.clip(image * gain[None, :, None], 0, 255).astype(np.uint8)
    image[inside] = shaded[inside]


def _circle(camera: Camera, at: Array, radius: float, z: float) -> Array:
    turns = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    ring = at + radius * np.c_[np.cos(turns), np.sin(turns)]
    return camera.project(np.c_[ring, np.full(len(turns), z)])


def _fill(image: Image, points: np.ndarray, colour: Colour) -> None:
    cv2.fillPoly(image, [_fixed(points.reshape(-1, 2))], colour, cv2.LINE_AA, 4)


def _fixed(points: np.ndarray) -> np.ndarray:
    return np.asarray(np.int32(np.round(points * 16)))


def _toned(colour: Colour, gain: float) -> Colour:
    r, g, b = (int(min(255, c * gain)) for c in colour)
    return r, g, b
