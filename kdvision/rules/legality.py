"""What a kingdom breaks: every problem, with the squares that it concerns (RULES 5 and 6).

A kingdom without problems can be laid by the rules. Nothing can show that it was: discards, the
order of play and the end of the game leave no trace.

    >>> is_legal(Kingdom.parse("C W F F L"))
    True
    >>> [problem.code.value for problem in problems(Kingdom.parse("C W F W1 F"))]
    ['no-order']
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Annotated

from kdvision.rules.cover import (
    SquareBits,
    can_be_cut,
    cuttings,
    listed_cuttings,
    square_bits,
    uncoverable,
)
from kdvision.rules.dominoes import Deck, standard_deck
from kdvision.rules.kingdom import Kingdom, Pair, Position, connected_components, neighbours
from kdvision.rules.problem import Code, Names, Problem, problem, verdict
from kdvision.rules.scoring import MOST_SQUARES, checked_size
from kdvision.rules.terrain import Square

#: No more cuttings than this are compared to name the squares of a kingdom without an order.
_COMPARED = 200
#: Maximum number of dominoes that a sentence names; `Problem.cells` has them all.
_MOST_NAMED = 3
_BY_PLACE = Names()


def is_legal(
    kingdom: Kingdom | str, size: int | None = None, *, deck: Deck | None = None
) -> bool | None:
    """Return whether a kingdom can come out of a game by the rules, None where nobody can know.

    The same as `verdict` of its problems, but quicker, as nothing needs a name.

    Args:
        kingdom: What lies on the table, or its kingdom line.
        size: 5, or 7 for a Mighty Duel; None takes `natural_size`.
        deck: The dominoes of the game; None for those of the box.

    Raises:
        NotationError: The text is no kingdom line.
        ValueError: The size is neither 5 nor 7.

        >>> is_legal("C W F W1 F"), is_legal("C F M2")
        (False, None)
        >>> is_legal("C F M2", deck=Deck.parse("1 F M2"))
        True
    """
    kingdom = Kingdom.parse(kingdom) if isinstance(kingdom, str) else kingdom
    limit, names, held = checked_size(kingdom, size), Names(), deck or standard_deck()
    found = [
        *_of_outline(kingdom, limit, names, guessed=size is None),
        *_of_kinds(kingdom, names, held),
    ]
    if verdict(found) is False:
        return False
    squares = square_bits(kingdom, deck=deck)
    if can_be_cut(squares, squares.whole):
        return verdict(found)
    free = square_bits(kingdom, any_face=True)
    return None if can_be_cut(free, free.whole) else False


def problems(
    kingdom: Kingdom,
    size: int | None = None,
    *,
    origin: Position = (0, 0),
    deck: Deck | None = None,
) -> tuple[Problem, ...]:
    """Return every problem of a kingdom, in the order of `Code`.

    A check that cannot say more than an earlier problem is left out: squares that do not connect
    are not also without an order of laying. Where the deck does not fit, the order is judged with
    dominoes of any two squares.

    Args:
        kingdom: What lies on the table.
        size: 5, or 7 for a Mighty Duel; None takes `natural_size`, and says so where the squares
            could be those of a game of 5x5 as well.
        origin: The position by which messages name the top left place. Positions of problems
            count from that place all the same.
        deck: The dominoes of the game; None for those of the box.

    Raises:
        ValueError: The size is neither 5 nor 7.
    """
    limit, names, held = checked_size(kingdom, size), Names(origin), deck or standard_deck()
    found = [
        *_of_outline(kingdom, limit, names, guessed=size is None),
        *_of_kinds(kingdom, names, held),
    ]
    codes = {one.code for one in found}
    if not codes & _NO_CUT:
        found.extend(_of_cutting(kingdom, codes, names, held))
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
        yield problem(Code.NO_CASTLE)
    elif len(castles) > 1:
        yield problem(Code.SEVERAL_CASTLES, castles, number=len(castles), squares=names.of(castles))
    if apart := _apart(castles, cells):
        variant = "" if castles else "no-castle"
        yield _of_squares(Code.NOT_CONNECTED, apart, names, variant)
    if max(kingdom.height, kingdom.width) > size and (wide := outside(cells, size)):
        side = max(kingdom.height, kingdom.width)
        yield _of_squares(Code.TOO_WIDE, wide, names, size=size, side=side)
    if guessed and size > 5 and len(squares) <= MOST_SQUARES[5]:
        yield _of_squares(Code.MIGHTY_DUEL_GUESSED, outside(cells, 5), names)
    yield from _of_number(squares, size, names)


def _of_squares(
    code: Code, cells: Collection[Position], names: Names, variant: str = "", /, **fields: str | int
) -> Problem:
    """A problem whose sentence names squares, and their number."""
    squares = names.of(cells)
    return problem(code, cells, variant, squares=squares, number=len(cells), **fields)


def _apart(castles: Collection[Position], cells: Collection[Position]) -> frozenset[Position]:
    """The squares that no chain of edges joins to a castle; without one, to the largest piece."""
    pieces = connected_components(cells)
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
        numbers = {"number": len(squares), "most_dominoes": most // 2, "most": most}
        yield problem(Code.TOO_MANY_SQUARES, **numbers)
    elif len(squares) % 2:
        yield problem(Code.ODD_SQUARES, uncoverable(squares), number=len(squares))
    elif light != dark:
        yield problem(Code.CHESSBOARD, uncoverable(squares), light=light, dark=dark)
    elif alone := uncoverable(squares):
        yield _of_squares(Code.NO_CUTTING, alone, names)


def _of_kinds(kingdom: Kingdom, names: Names, deck: Deck) -> Iterator[Problem]:
    """Squares that the deck does not have, or not so often (RULES 1, 1.4)."""
    held = deck.square_counts
    lying: dict[Square, list[Position]] = {}
    for at, square in kingdom.squares().items():
        lying.setdefault(square, []).append(at)
    over = [kind for kind, cells in sorted(lying.items()) if len(cells) > held.get(kind, 0)]
    for kind in over:
        if kind not in held:
            yield _of_squares(Code.UNKNOWN_SQUARE, lying[kind], names, kind=str(kind))
    for kind in over:
        if kind in held:
            code, cells = Code.TOO_MANY_OF_A_KIND, lying[kind]
            yield _of_squares(code, cells, names, kind=str(kind), held=held[kind])


def _of_cutting(
    kingdom: Kingdom, codes: Collection[StrEnum], names: Names, deck: Deck
) -> Iterator[Problem]:
    """Whether dominoes of the deck fit, and whether an order of laying joins the dominoes."""
    squares = square_bits(kingdom, deck=deck)
    ordered = not _NO_START.intersection(codes)
    if can_be_cut(squares, squares.whole if ordered else 0):
        return
    of_deck = ordered and can_be_cut(squares)
    if not of_deck and not _NOT_OF_DECK.intersection(codes):
        yield _not_in_deck(squares, kingdom, names)
    if not ordered:
        return
    any_two = square_bits(kingdom, any_face=True)
    elsewhere = can_be_cut(any_two, any_two.whole)
    if of_deck or not elsewhere:
        code = Code.NO_ORDER_IN_DECK if elsewhere else Code.NO_ORDER
        yield _no_order(code, squares if of_deck else any_two, kingdom, names)


def _no_order(code: Code, squares: SquareBits, kingdom: Kingdom, names: Names) -> Problem:
    """What keeps every cutting from having an order of laying."""
    listed = listed_cuttings(squares)
    if listed is not None:
        breaks = breaks_of(squares, ((one.pairs, one.ways) for one in listed))
        named = order_problem(kingdom, breaks, names, code)
        if named is not None:
            return named
    lost = _least_unreached(squares)
    return _of_squares(code, lost, names, reason="laying.squares")


def _not_in_deck(squares: SquareBits, kingdom: Kingdom, names: Names) -> Problem:
    doubtful = _in_the_way(squares, kingdom)
    return _of_squares(Code.NOT_IN_DECK, doubtful, names, "at" if doubtful else "")


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
                if not stuck & ~pair and can_be_cut(squares, without=pair):
                    found.update(((row, col), other))
    return frozenset(found)


def _least_unreached(squares: SquareBits) -> frozenset[Position]:
    """The squares that the cuttings with the longest reach leave out."""
    left_out = [
        squares.cells_of(squares.whole & ~squares.reach(cutting))
        for cutting in islice(cuttings(squares), _COMPARED)
    ]
    fewest = min(map(len, left_out))
    return frozenset().union(*(cells for cells in left_out if len(cells) == fewest))


# ---------------------------------------------------------------------- outline


def outside(cells: Collection[Position], size: int) -> frozenset[Position]:
    """The cells that lie outside the size x size box which holds the most of them.

    Rows and columns are judged apart. Where several boxes hold as many, what lies outside any of
    them is named.
    """
    found: set[Position] = set()
    for axis in (0, 1):
        lines = [at[axis] for at in cells]
        first, last = min(lines, default=0), max(lines, default=0)
        starts = range(first, max(first, last - size + 1) + 1)
        held = {start: sum(start <= line < start + size for line in lines) for start in starts}
        for start in starts:
            if held[start] == max(held.values()):
                found.update(at for at in cells if not start <= at[axis] < start + size)
    return frozenset(found)


def colour_counts(cells: Iterable[Position]) -> tuple[int, int]:
    """How many cells a chessboard would colour light, and how many dark."""
    dark = [(row + col) % 2 for row, col in cells]
    return len(dark) - sum(dark), sum(dark)


# ---------------------------------------------------------------------- breaks of the joining rule


@dataclass(frozen=True, slots=True)
class BreakSettings:
    """How often the joining rule is broken, and from when on that is said.

    Attributes:
        rate: probability that a player lays a domino against the rule: 4 of 36 real kingdoms of
            twelve dominoes each had one (RULES 6).
        known_from: probability. What is as likely as this is said as if it were known. Set by hand:
            one mistake in twenty, where a number beside every domino would be read by nobody.
        named_from: probability. A domino that breaks the rule less likely than this is not named:
            of a dozen that may, none is worth a look.
    """

    rate: Annotated[float, "legal"] = 0.01
    known_from: Annotated[float, "legal"] = 0.95
    named_from: float = 0.1


BREAKS = BreakSettings()


@dataclass(frozen=True, slots=True)
class Breaks:
    """How likely the joining rule is broken, and by which dominoes.

    `probability` is that some domino breaks it; `dominoes` are pairs of squares with the
    probability that they are one domino and that it breaks the rule, likeliest first.
    """

    probability: float
    dominoes: tuple[tuple[Pair, float], ...]


def breaks_of(squares: SquareBits, weighted: Iterable[tuple[tuple[int, ...], float]]) -> Breaks:
    """Judge a kingdom by its cuttings.

    Args:
        squares: The board that was cut, with one castle.
        weighted: All cuttings that are likely, with weights above 0: how likely each is by all
            that is known but the joining rule, times any common factor.
    """
    whole = broken = 0.0
    by_pair: dict[Pair, float] = {}
    for pairs, given in weighted:
        groups = squares.apart(pairs)
        weight = given * BREAKS.rate ** len(groups)
        whole += weight
        broken += weight if groups else 0.0
        for group in groups:
            halves = [squares.halves(pair) for pair in group]
            first = list(_may_be_first(halves, squares.places))
            for pair in first:
                by_pair[pair] = by_pair.get(pair, 0.0) + weight / len(first)
    ranked = sorted(by_pair.items(), key=lambda one: (-one[1], one[0]))
    return Breaks(broken / whole, tuple((pair, weight / whole) for pair, weight in ranked))


def _may_be_first(group: list[Pair], places: Iterable[Position]) -> Iterator[Pair]:
    """The dominoes of a group that touch others by an edge; all where none does."""
    own = {at for pair in group for at in pair}
    others = set(places) - own
    touching = [pair for pair in group if not others.isdisjoint(_around(pair))]
    yield from touching or group


def _around(pair: Pair) -> tuple[Position, ...]:
    """The places around a domino, its own two among them."""
    one, other = pair
    return *neighbours(one), *neighbours(other)


def order_problem(
    kingdom: Kingdom, breaks: Breaks, names: Names = _BY_PLACE, code: Code = Code.NO_ORDER
) -> Problem | None:
    """Return the dominoes that break the joining rule; None where none is likely enough.

    Args:
        kingdom: What lies on the table.
        breaks: Its breaks, where the rule is broken in all likelihood.
        names: How squares are named.
        code: What the dominoes make of the kingdom.
    """
    known = {pair: 1.0 for pair, chance in breaks.dominoes if chance >= BREAKS.known_from}
    maybe = {
        pair: chance
        for pair, chance in breaks.dominoes
        if BREAKS.named_from <= chance < BREAKS.known_from
    }
    if not known and not maybe:
        return None
    fields: dict[str, str | int] = {}
    if known:
        fields |= {"dominoes": _listed(kingdom, known, names), "number": len(known)}
    if maybe:
        fields |= {"perhaps": _listed(kingdom, maybe, names)}
    reason = "both" if known and maybe else "dominoes" if known else "perhaps"
    cells = {at for pair in (*known, *maybe) for at in pair}
    return problem(code, cells, reason=f"laying.{reason}", **fields)


def _listed(kingdom: Kingdom, dominoes: Mapping[Pair, float], names: Names) -> str:
    """Name the first dominoes: a sentence is no list."""
    named = [names.domino(kingdom, *domino) for domino in dominoes.items()]
    more = f", \u2026 (+{len(named) - _MOST_NAMED})" if len(named) > _MOST_NAMED else ""
    return ", ".join(named[:_MOST_NAMED]) + more
