"""What a kingdom breaks: every problem, with the squares that it concerns (RULES 5 and 6).

A kingdom without problems can be laid by the rules, and `legal_cutting` shows how. Nothing can show
that it was: discards, the order of play and the end of the game leave no trace.
"""

from collections.abc import Collection, Iterator
from enum import StrEnum
from itertools import islice

from kdvision.rules.cutting import SquareBits, board, cuttings
from kdvision.rules.cuttings.breaks import breaks_of, order_problem
from kdvision.rules.cuttings.pairs import listed_cuttings
from kdvision.rules.dominoes import square_counts
from kdvision.rules.kingdom import Kingdom, Position
from kdvision.rules.problem import Code, Names, Problem, problem, verdict
from kdvision.rules.scoring import MOST_SQUARES, checked_size
from kdvision.rules.shape import colour_counts, components, outside, uncoverable
from kdvision.rules.terrain import Square

#: No more cuttings than this are compared to name the squares of a kingdom without an order.
_COMPARED = 200


def is_legal(kingdom: Kingdom, size: int | None = None) -> bool | None:
    """Whether a kingdom can come out of a game by the rules; None where that cannot be known.

    The same as `verdict` of its problems, but quicker, as nothing needs a name.

    Raises:
        ValueError: The size is neither 5 nor 7.
    """
    limit, names = checked_size(kingdom, size), Names()
    found = [*_of_outline(kingdom, limit, names, guessed=size is None), *_of_kinds(kingdom, names)]
    if verdict(found) is False:
        return False
    squares = board(kingdom)
    if next(cuttings(squares, squares.whole), None) is not None:
        return verdict(found)
    if next(cuttings(squares), None) is not None:
        return False
    free = board(kingdom, any_face=True)
    return False if next(cuttings(free, free.whole), None) is None else None


def problems(
    kingdom: Kingdom, size: int | None = None, *, origin: Position = (0, 0)
) -> tuple[Problem, ...]:
    """Every problem of a kingdom, in the order of `Code`.

    A check that cannot say more than an earlier problem is left out: squares that do not connect
    are not also without an order of laying. Where the deck does not fit, the order is judged with
    dominoes of any two squares.

    Args:
        kingdom: What lies on the table.
        size: 5, or 7 for a Mighty Duel; None takes `natural_size`, and says so where the squares
            could be those of a game of 5x5 as well.
        origin: The position by which messages name the top left place. Positions of problems
            count from that place all the same.

    Raises:
        ValueError: The size is neither 5 nor 7.
    """
    limit, names = checked_size(kingdom, size), Names(origin)
    found = [*_of_outline(kingdom, limit, names, guessed=size is None), *_of_kinds(kingdom, names)]
    codes = {one.code for one in found}
    if not codes & _NO_CUT:
        found.extend(_of_cutting(kingdom, codes, names))
    return tuple(found)


#: Problems that leave nothing to say about cuttings into dominoes.
_NO_CUT = {Code.TOO_MANY_SQUARES, Code.ODD_SQUARES, Code.CHESSBOARD, Code.NO_CUTTING}
#: Problems that leave nothing to say about dominoes of the deck.
_NOT_OF_DECK = {Code.UNKNOWN_SQUARE, Code.TOO_MANY_OF_A_KIND}
#: Problems that leave nothing to say about the order of laying.
_NO_START = {Code.NO_CASTLE, Code.SEVERAL_CASTLES, Code.NOT_CONNECTED}


def _of_outline(kingdom: Kingdom, size: int, names: Names, *, guessed: bool) -> Iterator[Problem]:
    """What castle and outline break, whatever the squares show.

    `guessed` says whether the size was taken from the kingdom.
    """
    castles = kingdom.castles()
    squares = kingdom.squares()
    cells = (*castles, *squares)
    if not castles:
        yield problem(Code.NO_CASTLE, "There is no castle; every kingdom has one.")
    elif len(castles) > 1:
        yield problem(
            Code.SEVERAL_CASTLES,
            f"There are {len(castles)} castles ({names.of(castles)}); a kingdom has one.",
            castles,
        )
    if apart := _apart(castles, cells):
        yield problem(
            Code.NOT_CONNECTED,
            f"{names.are(apart)} not joined to the {'castle' if castles else 'rest'} by edges.",
            apart,
        )
    if max(kingdom.height, kingdom.width) > size and (wide := outside(cells, size)):
        yield problem(
            Code.TOO_WIDE,
            f"The kingdom is larger than {size}x{size}: {names.are(wide)} outside.",
            wide,
        )
    if guessed and size > 5 and len(squares) <= MOST_SQUARES[5]:
        wide = outside(cells, 5)
        yield problem(
            Code.MIGHTY_DUEL_GUESSED,
            f"It is taken for a Mighty Duel (7x7), as it is larger than 5x5; "
            f"in a game of 5x5, {names.are(wide)} outside.",
            wide,
        )
    yield from _of_number(squares, size, names)


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


def _of_number(squares: Collection[Position], size: int, names: Names) -> Iterator[Problem]:
    """What keeps dominoes of any kind from covering the squares (RULES 6)."""
    most = MOST_SQUARES[size]
    light, dark = colour_counts(squares)
    if len(squares) > most:
        yield problem(
            Code.TOO_MANY_SQUARES,
            f"There are {len(squares)} squares; a player lays at most {most // 2} dominoes, "
            f"which are {most} squares.",
        )
    elif len(squares) % 2:
        yield problem(
            Code.ODD_SQUARES,
            f"The number of squares is odd, {len(squares)}; dominoes have two each.",
            uncoverable(squares),
        )
    elif light != dark:
        yield problem(
            Code.CHESSBOARD,
            f"On a chessboard {light} squares would be light and {dark} dark; "
            f"every domino covers one of each.",
            uncoverable(squares),
        )
    elif alone := uncoverable(squares):
        yield problem(
            Code.NO_CUTTING,
            f"Dominoes cannot cover the squares: some of {names.of(alone)} always stay single.",
            alone,
        )


def _of_kinds(kingdom: Kingdom, names: Names) -> Iterator[Problem]:
    """Squares that the deck does not have, or not so often (RULES 1, 1.4)."""
    held = square_counts()
    lying: dict[Square, list[Position]] = {}
    for at, square in kingdom.squares().items():
        lying.setdefault(square, []).append(at)
    over = [kind for kind, cells in sorted(lying.items()) if len(cells) > held.get(kind, 0)]
    for kind in over:
        if kind not in held:
            cells = lying[kind]
            yield problem(
                Code.UNKNOWN_SQUARE, f"No domino has a square {kind} ({names.of(cells)}).", cells
            )
    for kind in over:
        if kind in held:
            cells = lying[kind]
            yield problem(
                Code.TOO_MANY_OF_A_KIND,
                f"There are {len(cells)} squares {kind} ({names.of(cells)}); "
                f"the deck has {held[kind]}.",
                cells,
            )


def _of_cutting(kingdom: Kingdom, codes: Collection[StrEnum], names: Names) -> Iterator[Problem]:
    """Whether dominoes of the deck fit, and whether an order of laying joins the dominoes."""
    squares = board(kingdom)
    ordered = not _NO_START.intersection(codes)
    if next(cuttings(squares, squares.whole if ordered else 0), None) is not None:
        return
    fits = ordered and next(cuttings(squares), None) is not None
    if not fits and not _NOT_OF_DECK.intersection(codes):
        yield _not_in_deck(squares, kingdom, names)
    if not fits:
        squares = board(kingdom, any_face=True)
    if ordered and (fits or next(cuttings(squares, squares.whole), None) is None):
        if (one := _broken_dominoes(squares, kingdom, names)) is not None:
            yield one
            return
        # With any faces a full 7x7 has too many cuttings to try each territory on all of them.
        few = fits or len(squares.places) <= MOST_SQUARES[5]
        lost = (few and _unreached(squares)) or _least_unreached(squares)
        yield problem(
            Code.NO_ORDER,
            f"No order of laying follows the rules: however it is cut into dominoes"
            f"{'' if fits else ', of this deck or another'}, "
            f"{names.of(lost)} cannot all be joined to the castle by matching terrain.",
            lost,
        )


def _broken_dominoes(squares: SquareBits, kingdom: Kingdom, names: Names) -> Problem | None:
    """The dominoes that break the joining rule; None where no domino can be named."""
    listed = listed_cuttings(squares)
    if listed is None:
        return None
    breaks = breaks_of(squares, ((one.pairs, one.ways) for one in listed))
    return order_problem(kingdom, breaks, names)


def _not_in_deck(squares: SquareBits, kingdom: Kingdom, names: Names) -> Problem:
    doubtful = _in_the_way(squares, kingdom)
    explained = f"; one foreign domino among {names.of(doubtful)} would explain it"
    return problem(
        Code.NOT_IN_DECK,
        f"The squares cannot be cut into dominoes of the deck{explained if doubtful else ''}.",
        doubtful,
    )


def _in_the_way(squares: SquareBits, kingdom: Kingdom) -> frozenset[Position]:
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


def _unreached(squares: SquareBits) -> frozenset[Position]:
    """The squares that no cutting joins to the castle; none when each is joined by some."""
    reached = squares.reach()
    for index in range(len(squares.cells)):
        if not reached >> index & 1:
            cutting = next(cuttings(squares, 1 | 1 << index), None)
            if cutting is not None:
                reached |= squares.reach(cutting)
    return squares.cells_of(squares.whole & ~reached)


def _least_unreached(squares: SquareBits) -> frozenset[Position]:
    """The squares that the cuttings with the longest reach leave out."""
    left_out = [
        squares.cells_of(squares.whole & ~squares.reach(cutting))
        for cutting in islice(cuttings(squares), _COMPARED)
    ]
    fewest = min(map(len, left_out))
    return frozenset().union(*(cells for cells in left_out if len(cells) == fewest))
