"""Photos of single slips on a table, to fit on and for tests: any angle, light, lens and file."""

from dataclasses import dataclass

import numpy as np

from kdvision.slips import layout
from scripts.synthesis import slips
from scripts.synthesis.rendering import table_textures
from scripts.synthesis.rendering.camera import look_at
from scripts.synthesis.rendering.layout import Array
from scripts.synthesis.rendering.light import expose, photograph
from scripts.synthesis.rendering.scene import cast_shadows, draw_piece, draw_table
from scripts.synthesis.rendering.slips import piece_of


@dataclass
class SlipPhoto:
    """A photo (h, w, 3) RGB of a slip; `to_photo` maps mm of the slip to its pixels."""

    image: slips.Image
    slip: slips.MarkedSlip
    to_photo: Array
    code_px: float
    above: float


def slip_photo(
    rng: np.random.Generator, slip: slips.MarkedSlip, *, code_px: float, above: float
) -> SlipPhoto:
    """Photograph a slip.

    Args:
        rng: Of light, lens, table and what people do to paper.
        slip: What is on it.
        code_px: About how many pixels wide its code is.
        above: From how many degrees above the table.
    """
    mm = 1.0 / layout.CODE_SIDE
    size = (round(code_px * 5.2), round(code_px * 4.8))
    camera = look_at(
        (0.0, 0.0), size=size, square_px=code_px, tilt=np.radians(90 - above),
        turn=rng.uniform(0, 2 * np.pi), roll=rng.uniform(0, 2 * np.pi),
        focal=float(np.exp(rng.uniform(np.log(0.9), np.log(3.5)))),
    )  # fmt: skip
    texture = table_textures.any_table(rng, [], 512, 384)
    image = draw_table(camera, texture, float(rng.uniform(8, 20)), float(rng.uniform(0, 6.28)))
    quad = (np.array(layout.SLIP_CORNERS) - np.array(layout.SIZE) / 2) * mm
    piece = piece_of(slip, quad, rng)
    cast_shadows(image, camera, [piece], (0.5, 0.7), rng.uniform(0.1, 0.5))
    draw_piece(image, camera, piece, (200, 200, 200))
    shift = np.array([[mm, 0, quad[0, 0]], [0, mm, quad[0, 1]], [0, 0, 1]])
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    to_photo = half @ camera.plane(piece.thickness) @ shift
    corners = np.c_[np.array(layout.CODE_CORNERS), np.ones(4)] @ to_photo.T
    corners = corners[:, :2] / corners[:, 2:]
    side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    return SlipPhoto(photograph(expose(image, rng), rng), slip, to_photo, side, above)
