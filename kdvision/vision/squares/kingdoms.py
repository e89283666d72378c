"""The kingdoms on one grid: groups of tiles around a castle, seen or inferred."""

from kdvision.reading import Reading
from kdvision.vision.grid.grid import Grid
from kdvision.vision.settings import GRID
from kdvision.vision.squares.castle import groups, likeliest_castle, only
from kdvision.vision.squares.inferred import with_inferred_castle
from kdvision.vision.squares.standing import with_hidden_places


def kingdoms_on(reading: Reading, grid: Grid) -> list[Reading]:
    """The kingdoms of a reading, each without all others; the one with most squares first.

    Args:
        reading: All that was read on the grid.
        grid: The grid.
    """
    found = [
        with_hidden_places(group, grid)
        for group in groups(reading)
        if len(group.taken) >= GRID.least_squares and likeliest_castle(group) is not None
    ]
    inferred = with_inferred_castle(without(reading, found), grid)
    return [*found, inferred] if inferred else found


def without(reading: Reading, kingdoms: list[Reading]) -> Reading:
    """What is left of a reading beside its kingdoms."""
    theirs = {at for kingdom in kingdoms for at in kingdom.taken}
    return only(reading, frozenset(reading.taken) - theirs)
