"""The truth of a scene: where its kingdoms and squares lie, and how much of each can be seen."""

import numpy as np

from kdvision.rules.terrain import CASTLE_LABEL
from scripts.synthesis.rendering.camera import Camera
from scripts.synthesis.rendering.cover import NO_CASTLE, Cover, visible_places
from scripts.synthesis.rendering.layout import Piece, Spread
from scripts.synthesis.rendering.scene import KingdomTruth, SquareTruth


def truth(
    spreads: list[Spread], loose: list[Piece], camera: Camera, cover: Cover
) -> tuple[list[KingdomTruth], list[SquareTruth]]:
    """Where the kingdoms and all squares lie in the picture, and their visible shares."""
    kingdoms, squares = [], []
    for number, spread in enumerate(spreads):
        height = spread.pieces[0].thickness
        visible = visible_places(cover, camera, spread, number)
        homography = camera.plane(height) @ spread.pose
        kingdoms.append(KingdomTruth(str(spread.kingdom), homography, visible))
        for piece in spread.pieces:
            squares.extend(_projected(piece, camera, number, cover))
    for piece in loose:
        squares.extend(_projected(piece, camera, -1, cover))
    return kingdoms, squares


def _projected(piece: Piece, camera: Camera, kingdom: int, cover: Cover) -> list[SquareTruth]:
    found = []
    for quad, label in piece.squares:
        corners = camera.project(np.c_[quad, np.full(4, piece.thickness)])
        own = kingdom if label == CASTLE_LABEL else NO_CASTLE
        found.append(SquareTruth(corners, label, kingdom, cover.visible(corners, own)))
    return found
