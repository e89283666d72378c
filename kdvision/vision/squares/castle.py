"""Where the castle of a kingdom is, and what is joined to it."""

from dataclasses import replace

from kdvision.reading import Reading
from kdvision.rules.kingdom import Position
from kdvision.rules.terrain import CASTLE_LABEL, CASTLE_MARK, EMPTY_LABEL, EMPTY_MARK, LABELS
from kdvision.vision.settings import SQUARES


def without_strays(reading: Reading) -> Reading | None:
    """The reading with only what is joined to the castle by edges; None when there is no castle.

    Of several castles the likeliest one counts. What is not joined to it was laid beside the
    kingdom and becomes background.
    """
    labels = {
        (row, col): place.label
        for row, places in enumerate(reading.places)
        for col, place in enumerate(places)
    }
    castle = likeliest_castle(reading)
    if castle is None:
        return None
    joined = {castle}
    frontier = list(joined)
    while frontier:
        row, col = frontier.pop()
        for at in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if at not in joined and labels.get(at, EMPTY_MARK) != EMPTY_MARK:
                joined.add(at)
                frontier.append(at)
    nothing = tuple(float(label == EMPTY_LABEL) for label in range(len(LABELS)))
    rows = tuple(
        tuple(
            replace(place, probabilities=nothing)
            if place.label != EMPTY_MARK and (row, col) not in joined
            else place
            for col, place in enumerate(places)
        )
        for row, places in enumerate(reading.places)
    )
    return replace(reading, places=rows)


def likeliest_castle(reading: Reading) -> Position | None:
    """The place that is most surely the castle; None when none looks like it.

    The squares of dominoes pair up, so those of a kingdom are odd in number. Where they are not,
    and no more than in a draft row, what looks a little like a castle is none. And where they are
    odd and more, the one that looks most like a castle is taken, likely or not: glare or a standing
    castle can hide the start tile.
    """
    shares = {
        (row, col): place.probabilities[CASTLE_LABEL]
        for row, places in enumerate(reading.places)
        for col, place in enumerate(places)
        if place.label != EMPTY_MARK
    }
    castles = [at for at in shares if reading.places[at[0]][at[1]].label == CASTLE_MARK]
    if len(shares) <= SQUARES.draft_squares and len(shares) % 2 == 0:
        castles = [at for at in castles if shares[at] >= SQUARES.draft_castle]
    elif not castles and len(shares) > SQUARES.draft_squares and len(shares) % 2:
        castles = [at for at, share in shares.items() if share >= SQUARES.least_castle]
    return max(castles, key=shares.__getitem__, default=None)


def castle_center(reading: Reading) -> tuple[float, float]:
    """Where the castle lies, in pixels (x, y) of the upright photo."""
    castle = likeliest_castle(reading)
    center = reading.places[castle[0]][castle[1]].center if castle else None
    return center or (0.0, 0.0)


def castle_likeness(reading: Reading) -> float:
    """How surely there is a castle: the probability at the place that looks most like one."""
    places = (place for row in reading.places for place in row)
    return max((place.probabilities[CASTLE_LABEL] for place in places), default=0.0)
