"""A decoded kingdom becomes a result: cut to its box, scored, judged, with its doubts in words."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kdvision.result import KingdomResult, ReadSquare, Status
from kdvision.rules.kingdom import Kingdom, Position, cell_text
from kdvision.rules.legality import problems
from kdvision.rules.scoring import ScoreSheet, natural_size, score
from kdvision.vision.decode import decode
from kdvision.vision.grid import Grid
from kdvision.vision.lattice import project
from kdvision.vision.reading import Alternative, Decoded, Reading

#: A total is called sure from this probability on; measured, see models/README.md.
SURE_FROM = 0.99


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The rules that a kingdom is scored by: size 5, 7 or None for what fits, and bonuses."""

    size: int | None = None
    harmony: bool = False
    middle_kingdom: bool = False

    def decode(self, reading: Reading, fixes: Mapping[Position, str] | None = None) -> Decoded:
        """The likeliest kingdom of a reading; `fixes` count positions in its kingdom's box."""
        decoded = self._decode(reading, {})
        return self._decode(reading, _on_grid(fixes, decoded.kingdom)) if fixes else decoded

    def _decode(self, reading: Reading, fixes: Mapping[Position, str]) -> Decoded:
        return decode(
            reading,
            size=self.size,
            harmony=self.harmony,
            middle_kingdom=self.middle_kingdom,
            fixes=fixes,
        )

    def score(self, kingdom: Kingdom) -> ScoreSheet:
        """The score sheet of a kingdom."""
        return score(
            kingdom,
            self.size or natural_size(kingdom),
            harmony=self.harmony,
            middle_kingdom=self.middle_kingdom,
        )


def _on_grid(fixes: Mapping[Position, str], kingdom: Kingdom) -> dict[Position, str]:
    """Positions in the reported kingdom become positions in the grid."""
    top, left, _, _ = kingdom.box() or (0, 0, 0, 0)
    return {(row + top, col + left): text for (row, col), text in fixes.items()}


def kingdom_result(
    grid: Grid, reading: Reading, decoded: Decoded, options: GameOptions
) -> KingdomResult:
    """Everything that is told of one kingdom; positions are counted in its own box."""
    trimmed = decoded.kingdom.trimmed()
    top, left, bottom, right = decoded.kingdom.box() or (0, 0, 0, 0)
    sheet = options.score(trimmed)
    squares = tuple(
        ReadSquare(
            (row - top, col - left),
            cell_text(cell),
            decoded.certainty[row][col],
            reading.places[row][col].center,
        )
        for (row, col), cell in decoded.kingdom.cells()
        if top <= row <= bottom and left <= col <= right
    )
    box = np.array([[left, top], [right + 1, top], [right + 1, bottom + 1], [left, bottom + 1]])
    sure = decoded.probability >= SURE_FROM
    seen = decoded.seen.trimmed()
    return KingdomResult(
        sheet,
        Status.SURE if sure else Status.DOUBTFUL,
        decoded.probability,
        squares,
        tuple((float(x), float(y)) for x, y in project(grid.homography, box.astype(float))),
        tuple(_shifted(alternative, top, left) for alternative in decoded.alternatives),
        (*decoded.warnings, *(doubt.message for doubt in reading.doubts)),
        None if seen == trimmed else str(seen),
        problems(trimmed, sheet.size),
    )


def _shifted(alternative: Alternative, top: int, left: int) -> Alternative:
    """An alternative with its positions counted in the kingdom's own box."""
    squares = tuple(((row - top, col - left), text) for (row, col), text in alternative.squares)
    return Alternative(alternative.score, alternative.probability, squares)


def reason(result: KingdomResult) -> str:
    """Why a result is doubtful, in a sentence; nothing when it is sure."""
    if result.status is Status.SURE:
        return ""
    if result.warnings:
        return result.warnings[0]
    return "Some squares could not be read with certainty."
