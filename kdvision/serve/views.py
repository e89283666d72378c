"""What the page shows of a kingdom: its board, squares, sum, and what each square may be.

A board is a picture of one kingdom, cut out of the photo and rectified, with a ring of one square
around it. Everything that is a matter of the game or of reading is said here; the page draws it.
"""

from collections.abc import Collection
from typing import Any

import cv2
import numpy as np

from kdvision.corrections import FixPlace
from kdvision.photo.photo import open_photo
from kdvision.report.overlay import encode_picture
from kdvision.report.totals import likely_totals
from kdvision.report.wording import places_to_check
from kdvision.result import OVERLAY_SIDE, KingdomResult, PhotoResult
from kdvision.rules.kingdom import Position, cell_text, position_name
from kdvision.rules.terrain import EMPTY_MARK
from kdvision.sentences import text_of

#: The number of faces that are named as the likeliest.
MOST_LIKELY = 3
#: Pixels of a square of a board: on a card, and as wide as a dense screen of a phone.
BOARD_CELLS = (28, 104)
#: The longer side in pixels, at least, of the decoded photo that a board is cut from: squares are
#: larger in it than on the board.
_BOARD_SIDE = 2600
_QUALITY = 84


def make_views(
    photo: PhotoResult, language: str, corrected: Collection[str] = ()
) -> list[dict[str, Any]]:
    """Describe the kingdoms of a photo for the page.

    Args:
        photo: What was read of it.
        language: Of what is said.
        corrected: The places that people corrected (`A.b3`), of which there is no doubt any more.

    Returns:
        Per kingdom `letter`, `rows`, `cols`, `cells` (places that can be tapped, with their names;
        `likely` faces; those around it that may be added are not `inside`), `fixes` (the squares
        that settle it), `others` (totals that it may have as well), `doubt` (the sentence why it is
        doubtful, or nothing) and `problems`, the rules that it breaks.
    """
    views = []
    for letter, kingdom in photo.named.items():
        views.append(
            {
                "letter": letter,
                "rows": kingdom.kingdom.height,
                "cols": kingdom.kingdom.width,
                "cells": _list_cells(kingdom, letter, corrected),
                "fixes": {
                    str(FixPlace(letter, kingdom.on_sheet(at))): text for at, text in kingdom.fixes
                },
                "others": [alternative.score for alternative in likely_totals(kingdom)],
                "doubt": kingdom.doubt.text(language) if kingdom.doubt else "",
                "problems": [text_of(problem, language) for problem in kingdom.problems],
            }
        )
    return views


def _list_cells(
    kingdom: KingdomResult, letter: str, corrected: Collection[str]
) -> list[dict[str, Any]]:
    """List the squares of a kingdom, and the places around it."""
    grid = kingdom.kingdom
    doubtful = places_to_check(kingdom) | {*(kingdom.doubt.places if kingdom.doubt else ())}
    cells = []
    for row in range(-1, grid.height + 1):
        for col in range(-1, grid.width + 1):
            inside = (row, col) in grid
            if not 0 <= row < grid.height and not 0 <= col < grid.width:
                continue  # a corner of the ring
            at = kingdom.on_sheet((row, col))
            place = str(FixPlace(letter, at))
            cells.append(
                {
                    "row": row,
                    "col": col,
                    "place": place,
                    "name": position_name(at),
                    "face": cell_text(grid[row, col]) if inside else EMPTY_MARK,
                    "inside": inside,
                    "doubtful": (row, col) in doubtful and place not in corrected,
                    "likely": _likely_faces(kingdom, (row, col)),
                }
            )
    return cells


def cut_board(picture: bytes, photo: PhotoResult, letter: str, cell: int) -> bytes | None:
    """Cut one kingdom out of its photo, rectified, with a ring of one square around it.

    Args:
        picture: The bytes of the photo.
        photo: What was read of it.
        letter: The name of the kingdom.
        cell: Pixels of a square of the board.

    Returns:
        A JPEG; None where the photo shows no such kingdom.
    """
    kingdom = photo.named.get(letter)
    if kingdom is None or not kingdom.corners:
        return None
    rgb, scale = open_photo(picture).pixels(_BOARD_SIDE)
    rows, cols = kingdom.kingdom.height, kingdom.kingdom.width
    corners = np.asarray(kingdom.corners, np.float32) / scale
    box = np.asarray([[0, 0], [cols, 0], [cols, rows], [0, rows]], np.float32) + 1
    to_board = cv2.getPerspectiveTransform(corners, box * cell)
    size = (cols + 2) * cell, (rows + 2) * cell
    board = cv2.warpPerspective(rgb, to_board, size, flags=cv2.INTER_AREA)
    return encode_picture(np.asarray(board, np.uint8), quality=_QUALITY)


def turn_upright(picture: bytes) -> bytes:
    """Turn a photo upright, as a JPEG of the size of a page."""
    rgb, _ = open_photo(picture).pixels(OVERLAY_SIDE)
    return encode_picture(rgb, quality=_QUALITY)


def _likely_faces(kingdom: KingdomResult, at: Position) -> list[str]:
    """Return the likeliest faces: what was read, what makes another total, what else it may be."""
    squares = [square for square in kingdom.squares if square.at == at]
    changes = [square for alternative in likely_totals(kingdom) for square in alternative.squares]
    faces = [square.text for square in squares]
    faces += [cell for where, cell in changes if where == at]
    faces += [face for square in squares for face in square.candidates]
    return list(dict.fromkeys(faces))[:MOST_LIKELY]
