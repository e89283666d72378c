"""Move the tiles of a kingdom until none overlaps another, as real tiles cannot."""

import numpy as np

from scripts.synthesis.rendering.layout import Array, Piece, Spread

#: Tiles may overlap by so much, in squares: a third of a pixel.
_SLACK = 0.002
_ROUNDS = 200


def push_apart(spread: Spread) -> Spread:
    """Push the tiles of a kingdom apart until none overlaps another.

    Raises:
        ValueError: Some still overlap after the last round.
    """
    pieces = spread.pieces
    for _ in range(_ROUNDS):
        moved = False
        for number, one in enumerate(pieces):
            for other in pieces[:number]:
                push = overlap(one.quad, other.quad)
                if np.linalg.norm(push) > _SLACK:
                    _move(one, push / 2)
                    _move(other, -push / 2)
                    moved = True
        if not moved:
            castle = next(piece for piece in pieces if len(piece.squares) == 1)
            spread.castle_at = castle.quad.mean(axis=0)
            return spread
    raise ValueError("The tiles of a kingdom still overlap; leave a larger gap.")


def overlap(one: Array, other: Array) -> Array:
    """The shortest push (2,) that frees a convex quad (4, 2) from another; zero if it is free."""
    best, shortest = np.zeros(2), np.inf
    for quad in (one, other):
        sides = np.roll(quad, -1, axis=0) - quad
        for x, y in sides:
            normal = np.array([y, -x]) / np.hypot(x, y)
            mine, others = one @ normal, other @ normal
            depth = min(mine.max() - others.min(), others.max() - mine.min())
            if depth <= 0:
                return np.zeros(2)
            if depth < shortest:
                away = 1.0 if mine.mean() > others.mean() else -1.0
                best, shortest = normal * depth * away, depth
    return best


def _move(piece: Piece, by: Array) -> None:
    piece.quad = piece.quad + by
    piece.squares = [(quad + by, label) for quad, label in piece.squares]
