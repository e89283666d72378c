"""How many ways there are to cut a kingdom into dominoes (RULES 6).

Squares are covered line by line. What matters for the rest is only which later squares are
covered already and which faces are used up, so equal states are counted together: a full 7x7
has 75,272 cuttings, but never more than some hundred states.
"""

from collections import Counter
from collections.abc import Callable

from kdvision.rules.dominoes import face, face_counts
from kdvision.rules.kingdom import Kingdom, Position
from kdvision.rules.terrain import Square

#: More squares than the whole deck can lay are not counted: it could take for ever.
MAX_SQUARES = 48

#: Faces used so far, as a sorted tuple; empty while faces are free.
_Used = tuple[tuple[Square, Square], ...]


def count_cuttings(kingdom: Kingdom, *, of_deck: bool = False) -> int:
    """The number of ways to cover every square with dominoes, castle and gaps left free.

    Args:
        kingdom: What to cut. Several castles or none are no hindrance.
        of_deck: Whether every face must be in the deck, no more often than the deck has it;
            otherwise any two squares make a domino. The connection rule is not asked for.

    Raises:
        ValueError: The kingdom has more than `MAX_SQUARES` squares.
    """
    squares = kingdom.squares()
    if len(squares) > MAX_SQUARES:
        raise ValueError(f"A kingdom has at most {MAX_SQUARES} squares, not {len(squares)}.")
    if kingdom.width > kingdom.height:  # Short lines keep the states few.
        squares = dict(sorted(squares.items(), key=lambda item: item[0][::-1]))
    use = _use_deck if of_deck else _use_any
    states: Counter[tuple[frozenset[Position], _Used]] = Counter({(frozenset(), ()): 1})
    for at, square in squares.items():
        states = _cover(at, square, squares, states, use)
    return sum(states.values())


def _cover(
    at: Position,
    square: Square,
    squares: dict[Position, Square],
    states: Counter[tuple[frozenset[Position], _Used]],
    use: Callable[[_Used, Square, Square], _Used | None],
) -> Counter[tuple[frozenset[Position], _Used]]:
    """Cover one square, to the right or downwards where it is still open."""
    after: Counter[tuple[frozenset[Position], _Used]] = Counter()
    row, col = at
    for (covered, used), ways in states.items():
        if at in covered:
            after[covered - {at}, used] += ways
            continue
        for other in ((row, col + 1), (row + 1, col)):
            if other in squares and other not in covered:
                still = use(used, square, squares[other])
                if still is not None:
                    after[covered | {other}, still] += ways
    return after


def _use_any(used: _Used, one: Square, other: Square) -> _Used:
    """Every face is free."""
    return used


def _use_deck(used: _Used, one: Square, other: Square) -> _Used | None:
    """Take one face more from the deck; None when it is used up."""
    shown = face(one, other)
    if used.count(shown) == face_counts().get(shown, 0):
        return None
    return tuple(sorted((*used, shown)))
