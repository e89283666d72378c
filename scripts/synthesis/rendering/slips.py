"""Slips of paper on the table."""

import numpy as np

from scripts.synthesis.rendering.art import pyramid
from scripts.synthesis.rendering.layout import Array, Piece
from scripts.synthesis.slips import MarkedSlip, draw_slip

_THICKNESS = 0.004


def piece_of(slip: MarkedSlip, quad: Array, rng: np.random.Generator) -> Piece:
    """The slip as a thing on the table; `quad` (4, 2) are its corners from above its name on."""
    return Piece(pyramid(draw_slip(slip, rng)), quad, [], _THICKNESS)
