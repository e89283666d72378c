"""The kingdoms on one grid: groups of tiles around a castle."""

from msgspec.structs import replace

from kdvision.reading import Reading
from kdvision.rules.kingdom import Position, connected_components
from kdvision.rules.terrain import EMPTY_LABEL, EMPTY_MARK, LABELS
from kdvision.vision.grid.grid import Grid
from kdvision.vision.grid.settings import GRID
from kdvision.vision.squares.castle import likeliest_castle, open_hidden_places

#: Probabilities of a place on which nothing lies.
NOTHING = tuple(float(label == EMPTY_LABEL) for label in range(len(LABELS)))


def kingdoms_on(reading: Reading, grid: Grid) -> list[Reading]:
    """The kingdoms of a reading, each without all others; the one with most squares first.

    Args:
        reading: All that was read on the grid.
        grid: The grid.
    """
    pieces = [group for group in groups(reading) if len(group.taken) >= GRID.least_squares]
    return [open_hidden_places(group, grid) for group in pieces if likeliest_castle(group)]


def groups(reading: Reading) -> list[Reading]:
    """What a reading shows, group by group: tiles that are joined by edges, the largest first.

    In each the places of all others are background.
    """
    pieces = sorted(connected_components(reading.taken), key=lambda piece: -len(piece))
    return [keep_places(reading, piece) for piece in pieces]


def keep_places(reading: Reading, places: frozenset[Position]) -> Reading:
    """The reading with nothing on all other places."""
    rows = tuple(
        tuple(
            replace(place, probabilities=NOTHING, hidden=0.0)
            if place.label != EMPTY_MARK and (row, col) not in places
            else place
            for col, place in enumerate(line)
        )
        for row, line in enumerate(reading.places)
    )
    return replace(reading, places=rows)
