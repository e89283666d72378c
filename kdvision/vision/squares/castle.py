"""Where the castle of a kingdom is by its look, and what is joined to it."""

from collections.abc import Mapping

from msgspec.structs import replace

from kdvision.reading import Place, Reading
from kdvision.rules.cover import uncoverable
from kdvision.rules.kingdom import Position, connected_components
from kdvision.rules.terrain import CASTLE_LABEL, CASTLE_MARK, EMPTY_LABEL, EMPTY_MARK, LABELS
from kdvision.vision.settings import SQUARES

_NOTHING = tuple(float(label == EMPTY_LABEL) for label in range(len(LABELS)))


def groups(reading: Reading) -> list[Reading]:
    """What a reading shows, group by group: tiles that are joined by edges, the largest first.

    In each the places of all others are background.
    """
    pieces = sorted(connected_components(reading.taken), key=lambda piece: -len(piece))
    return [only(reading, piece) for piece in pieces]


def only(reading: Reading, places: frozenset[Position]) -> Reading:
    """The reading with nothing on all other places."""
    rows = tuple(
        tuple(
            replace(place, probabilities=_NOTHING, hidden=0.0)
            if place.label != EMPTY_MARK and (row, col) not in places
            else place
            for col, place in enumerate(line)
        )
        for row, line in enumerate(reading.places)
    )
    return replace(reading, places=rows)


def without_strays(reading: Reading) -> Reading | None:
    """The reading with only what is joined to the castle by edges; None when there is no castle.

    Of several castles the likeliest one counts. What is not joined to it was laid beside the
    kingdom and becomes background.
    """
    castle = likeliest_castle(reading)
    if castle is None:
        return None
    return only(
        reading, next(piece for piece in connected_components(reading.taken) if castle in piece)
    )


def likeliest_castle(reading: Reading) -> Position | None:
    """The place that is most surely the castle; None when none looks like it.

    The squares of dominoes pair up, so those of a kingdom are odd in number. Where they are not,
    and no more than in a draft row, what looks a little like a castle is none. And where they are
    odd and more, one that looks far more like a castle than any other is taken, likely or not, if
    the others are whole dominoes without it: glare or a standing castle can hide the start tile.
    """
    shares = {at: place_at(reading, at).probabilities[CASTLE_LABEL] for at in reading.taken}
    castles = [at for at in shares if place_at(reading, at).label == CASTLE_MARK]
    if len(shares) <= SQUARES.draft_squares and len(shares) % 2 == 0:
        castles = [at for at in castles if shares[at] >= SQUARES.draft_castle]
    elif not castles and len(shares) > SQUARES.draft_squares and len(shares) % 2:
        return _faint_castle(shares)
    return max(castles, key=shares.__getitem__, default=None)


def _faint_castle(shares: Mapping[Position, float]) -> Position | None:
    """The castle of odd squares none of which looks most like one, if one stands out."""
    first, second = sorted(shares, key=lambda at: -shares[at])[:2]
    stands_out = shares[first] >= SQUARES.stands_out * shares[second]
    whole = not uncoverable(shares.keys() - {first})
    return first if shares[first] >= SQUARES.least_castle and stands_out and whole else None


def with_place(reading: Reading, at: Position, place: Place) -> Reading:
    """The reading with another place at a position."""
    rows = [list(line) for line in reading.places]
    rows[at[0]][at[1]] = place
    return replace(reading, places=tuple(map(tuple, rows)))


def as_castle(place: Place, share: float) -> Place:
    """The place with at least this probability of a castle."""
    seen = place.probabilities[CASTLE_LABEL]
    share, rest = max(seen, share), max(1 - seen, 1e-9)
    values = tuple(
        share if label == CASTLE_LABEL else value * (1 - share) / rest
        for label, value in enumerate(place.probabilities)
    )
    return replace(place, probabilities=values)


def castle_center(reading: Reading) -> tuple[float, float]:
    """Where the castle lies, in pixels (x, y) of the upright photo."""
    castle = likeliest_castle(reading)
    center = place_at(reading, castle).center if castle else None
    return center or (0.0, 0.0)


def castle_likeness(reading: Reading) -> float:
    """How surely there is a castle: the probability at the place that looks most like one."""
    places = (place for row in reading.places for place in row)
    return max((place.probabilities[CASTLE_LABEL] for place in places), default=0.0)


def place_at(reading: Reading, at: Position) -> Place:
    """The place at a position (row, col)."""
    return reading.places[at[0]][at[1]]
