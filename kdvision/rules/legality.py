"""What a kingdom breaks: every problem, with the squares that it concerns (RULES 5 and 6).

A kingdom without problems can be laid by the rules, and `proof.legal_cutting` shows how. Nothing
can show that it was: discards, the order of play and the end of the game leave no trace.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from kdvision.rules.cutting import Board, board, cuttings
from kdvision.rules.dominoes import square_counts
from kdvision.rules.kingdom import Kingdom, Position, position_names
from kdvision.rules.scoring import natural_size
from kdvision.rules.shape import colour_counts, components, outside, uncoverable
from kdvision.rules.terrain import Square

#: No more cuttings than this are compared to name the squares of a kingdom without an order.
_COMPARED = 1_000
#: A message names no more squares than this; `Problem.cells` has them all.
_NAMED = 8


class Severity(StrEnum):
    """What a problem is about."""

    #: A rule of laying is broken: real players do that.
    ERROR = "error"
    #: No box can hold this: a square was misread or mistyped, or a tile is no domino.
    MISREAD = "misread"
    #: The deck of 48 cannot show this; another official deck may (RULES 1.4).
    WARNING = "warning"


class Code(StrEnum):
    """The kinds of problem, in the order in which they are looked for."""

    NO_CASTLE = "no-castle"
    SEVERAL_CASTLES = "several-castles"
    NOT_CONNECTED = "not-connected"
    TOO_WIDE = "too-wide"
    TOO_MANY_SQUARES = "too-many-squares"
    ODD_SQUARES = "odd-squares"
    CHESSBOARD = "chessboard"
    NO_CUTTING = "no-cutting"
    UNKNOWN_SQUARE = "unknown-square"
    TOO_MANY_OF_A_KIND = "too-many-of-a-kind"
    NOT_IN_DECK = "not-in-deck"
    NO_ORDER = "no-order"


_SEVERITIES = {
    Code.NO_CASTLE: Severity.MISREAD,
    Code.SEVERAL_CASTLES: Severity.MISREAD,
    Code.NOT_CONNECTED: Severity.ERROR,
    Code.TOO_WIDE: Severity.ERROR,
    Code.TOO_MANY_SQUARES: Severity.ERROR,
    Code.ODD_SQUARES: Severity.MISREAD,
    Code.CHESSBOARD: Severity.MISREAD,
    Code.NO_CUTTING: Severity.MISREAD,
    Code.UNKNOWN_SQUARE: Severity.MISREAD,
    Code.TOO_MANY_OF_A_KIND: Severity.WARNING,
    Code.NOT_IN_DECK: Severity.WARNING,
    Code.NO_ORDER: Severity.ERROR,
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that a kingdom breaks.

    `code` is a `Code`, or a `DuelCode` for a Duel map. `cells` are the positions it concerns,
    sorted; none when it concerns the whole kingdom.
    `message` is a sentence for a player.
    """

    code: StrEnum
    severity: Severity
    message: str
    cells: tuple[Position, ...] = ()


def is_legal(kingdom: Kingdom, size: int | None = None) -> bool:
    """Whether a kingdom can come out of a game by the rules: whether it has no problem.

    Quicker than `problems`, as nothing needs a name.
    """
    size = size or natural_size(kingdom)
    if any(True for found in (_of_outline(kingdom, size), _of_kinds(kingdom)) for _ in found):
        return False
    squares = board(kingdom)
    return next(cuttings(squares, squares.whole), None) is not None


def problems(kingdom: Kingdom, size: int | None = None) -> tuple[Problem, ...]:
    """Every problem of a kingdom, in the order of `Code`.

    A check that cannot say more than an earlier problem is left out: squares that do not connect
    are not also without an order of laying.

    Args:
        kingdom: What lies on the table.
        size: 5, or 7 for a Mighty Duel; None takes `natural_size`.
    """
    found = list(_of_outline(kingdom, size or natural_size(kingdom)))
    kinds = list(_of_kinds(kingdom))
    codes = {problem.code for problem in (*found, *kinds)}
    if not codes & _NO_CUT:
        kinds.extend(_of_cutting(kingdom, codes))
    return (*found, *kinds)


#: Problems that leave nothing to say about cuttings into dominoes of the deck.
_NO_CUT = {
    Code.TOO_MANY_SQUARES,
    Code.ODD_SQUARES,
    Code.CHESSBOARD,
    Code.NO_CUTTING,
    Code.UNKNOWN_SQUARE,
    Code.TOO_MANY_OF_A_KIND,
}
#: Problems that leave nothing to say about the order of laying.
_NO_START = {Code.NO_CASTLE, Code.SEVERAL_CASTLES, Code.NOT_CONNECTED}


def _problem(code: Code, message: str, cells: Collection[Position] = ()) -> Problem:
    return Problem(code, _SEVERITIES[code], message, tuple(sorted(cells)))


def _of_outline(kingdom: Kingdom, size: int) -> Iterator[Problem]:
    """What castle and outline break, whatever the squares show."""
    castles = kingdom.castles()
    squares = kingdom.squares()
    cells = (*castles, *squares)
    if not castles:
        yield _problem(Code.NO_CASTLE, "There is no castle; every kingdom has one.")
    elif len(castles) > 1:
        yield _problem(
            Code.SEVERAL_CASTLES,
            f"There are {len(castles)} castles ({_named(castles)}); a kingdom has one.",
            castles,
        )
    if apart := _apart(castles, cells):
        yield _problem(
            Code.NOT_CONNECTED,
            f"{_squares(apart)} not joined to the {'castle' if castles else 'rest'} by edges.",
            apart,
        )
    if max(kingdom.height, kingdom.width) > size and (wide := outside(cells, size)):
        yield _problem(
            Code.TOO_WIDE,
            f"The kingdom is larger than {size}x{size}: {_squares(wide)} outside.",
            wide,
        )
    yield from _of_number(squares, size)


def _apart(castles: Collection[Position], cells: Collection[Position]) -> frozenset[Position]:
    """The squares that no chain of edges joins to a castle; without one, to the largest piece."""
    pieces = components(cells)
    if len(pieces) < 2:
        return frozenset()
    if castles:
        lost = [piece for piece in pieces if piece.isdisjoint(castles)]
    else:
        largest = max(len(piece) for piece in pieces)
        lost = [piece for piece in pieces if len(piece) < largest] or pieces
    return frozenset().union(*lost)


def _of_number(squares: Collection[Position], size: int) -> Iterator[Problem]:
    """What keeps dominoes of any kind from covering the squares (RULES 6)."""
    most = 48 if size > 5 else 24
    light, dark = colour_counts(squares)
    if len(squares) > most:
        yield _problem(
            Code.TOO_MANY_SQUARES,
            f"There are {len(squares)} squares; a player lays at most {most // 2} dominoes, "
            f"which are {most} squares.",
        )
    elif len(squares) % 2:
        yield _problem(
            Code.ODD_SQUARES,
            f"The number of squares is odd, {len(squares)}; dominoes have two each.",
            uncoverable(squares),
        )
    elif light != dark:
        yield _problem(
            Code.CHESSBOARD,
            f"On a chessboard {light} squares would be light and {dark} dark; "
            f"every domino covers one of each.",
            uncoverable(squares),
        )
    elif alone := uncoverable(squares):
        yield _problem(
            Code.NO_CUTTING,
            f"Dominoes cannot cover the squares: some of {_named(alone)} always stay single.",
            alone,
        )


def _of_kinds(kingdom: Kingdom) -> Iterator[Problem]:
    """Squares that the deck does not have, or not so often (RULES 1, 1.4)."""
    held = square_counts()
    lying: dict[Square, list[Position]] = {}
    for at, square in kingdom.squares().items():
        lying.setdefault(square, []).append(at)
    over = [kind for kind, cells in sorted(lying.items()) if len(cells) > held.get(kind, 0)]
    for kind in over:
        if kind not in held:
            cells = lying[kind]
            yield _problem(
                Code.UNKNOWN_SQUARE, f"No domino has a square {kind} ({_named(cells)}).", cells
            )
    for kind in over:
        if kind in held:
            cells = lying[kind]
            yield _problem(
                Code.TOO_MANY_OF_A_KIND,
                f"There are {len(cells)} squares {kind} ({_named(cells)}); "
                f"the deck has {held[kind]}.",
                cells,
            )


def _of_cutting(kingdom: Kingdom, codes: Collection[StrEnum]) -> Iterator[Problem]:
    """Whether dominoes of the deck fit, and whether an order of laying joins them."""
    squares = board(kingdom)
    ordered = not _NO_START.intersection(codes)
    if next(cuttings(squares, squares.whole if ordered else 0), None) is not None:
        return
    if not ordered or next(cuttings(squares), None) is None:
        doubtful = _in_the_way(squares, kingdom)
        yield _problem(
            Code.NOT_IN_DECK,
            "The squares cannot be cut into dominoes of the deck"
            + (
                f"; one foreign domino among {_named(doubtful)} would explain it."
                if doubtful
                else "."
            ),
            doubtful,
        )
    else:
        lost = _unreached(squares) or _least_unreached(squares)
        yield _problem(
            Code.NO_ORDER,
            f"No order of laying follows the rules: however it is cut into dominoes, "
            f"{_named(lost)} cannot all be joined to the castle by matching terrain.",
            lost,
        )


def _in_the_way(squares: Board, kingdom: Kingdom) -> frozenset[Position]:
    """The squares of every domino-shaped pair without which the rest can be cut."""
    found: set[Position] = set()
    places = kingdom.squares()
    # A square without any partner must be in the pair.
    stuck = sum(square for square, pairs in squares.around.items() if not pairs)
    for row, col in places:
        for other in ((row, col + 1), (row + 1, col)):
            if other in places:
                pair = squares.squares_of(((row, col), other))
                if not stuck & ~pair and next(cuttings(squares, without=pair), None) is not None:
                    found.update(((row, col), other))
    return frozenset(found)


def _unreached(squares: Board) -> frozenset[Position]:
    """The squares that no cutting joins to the castle; none when each is joined by some."""
    reached = squares.reach()
    for index in range(len(squares.cells)):
        if not reached >> index & 1:
            cutting = next(cuttings(squares, 1 | 1 << index), None)
            if cutting is not None:
                reached |= squares.reach(cutting)
    return squares.cells_of(squares.whole & ~reached)


def _least_unreached(squares: Board) -> frozenset[Position]:
    """The squares that the cuttings with the longest reach leave out."""
    left_out = [
        squares.cells_of(squares.whole & ~squares.reach(cutting))
        for cutting in islice(cuttings(squares), _COMPARED)
    ]
    fewest = min(map(len, left_out))
    return frozenset().union(*(cells for cells in left_out if len(cells) == fewest))


def _named(cells: Collection[Position]) -> str:
    """The names of the first squares: a message is no list."""
    names = position_names(sorted(cells)[:_NAMED])
    return names if len(cells) <= _NAMED else f"{names} and {len(cells) - _NAMED} more"


def _squares(cells: Collection[Position]) -> str:
    """`b3 is` or `b3, b4 are`, to go on with."""
    return f"{_named(cells)} {'is' if len(cells) == 1 else 'are'}"
