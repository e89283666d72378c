"""What a kingdom breaks: every problem, with the squares that it concerns (RULES 5 and 6).

A kingdom without problems can be laid by the rules. Nothing can show that it was: discards, the
order of play and the end of the game leave no trace. A problem has no words of its own: `key` names
its sentence in a catalogue, `fields` fill it.

    >>> is_legal("C W F F L")
    True
    >>> [(problem.key, problem.severity.value) for problem in problems("C W F W1 F")]
    [('problem.no-order', 'error')]
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain, islice
from typing import Self

from kdvision.rules.breaks import BREAKS, Breaks, find_breaks
from kdvision.rules.cutting import (
    SquareBits,
    UndecidedError,
    can_be_cut,
    cuttings,
    list_cuttings,
    square_bits,
    step_budget,
)
from kdvision.rules.dominoes import Deck
from kdvision.rules.kingdom import (
    Kingdom,
    Pair,
    Position,
    box_side,
    check_position,
    connected_components,
    list_pairs,
    position_name,
    shift,
)
from kdvision.rules.matching import find_unmatched
from kdvision.rules.rules import MAX_SQUARES
from kdvision.rules.scoring import choose_size
from kdvision.rules.terrain import Square

#: Maximum number of squares that a sentence names; `Problem.cells` has them all.
_MAX_SQUARES_NAMED = 8
#: Maximum number of dominoes that a sentence names.
_MAX_DOMINOES_NAMED = 3
#: No more cuttings than this are compared to name the squares of a kingdom without an order.
_COMPARED = 200


class Severity(StrEnum):
    """What a problem is about."""

    #: A rule of laying is broken: real players do that.
    ERROR = "error"
    #: No box can hold this: a square was misread or mistyped, or a tile is no domino.
    MISREAD = "misread"
    #: Within the rules or not, depending on what the kingdom does not show: whether another
    #: official deck was used (RULES 1.4), or whether the game was a Mighty Duel.
    WARNING = "warning"


class Code(StrEnum):
    """The kinds of problem, in the order in which they are looked for; those of a Duel map last."""

    severity: Severity

    def __new__(cls, value: str, severity: Severity = Severity.ERROR) -> Self:
        """Make a member; its value is the code alone."""
        code = str.__new__(cls, value)
        code._value_, code.severity = value, severity
        return code

    NO_CASTLE = "no-castle", Severity.MISREAD
    SEVERAL_CASTLES = "several-castles", Severity.MISREAD
    NOT_CONNECTED = "not-connected"
    TOO_WIDE = "too-wide"
    MIGHTY_DUEL_GUESSED = "mighty-duel-guessed", Severity.WARNING
    TOO_MANY_SQUARES = "too-many-squares"
    ODD_SQUARES = "odd-squares", Severity.MISREAD
    CHESSBOARD = "chessboard", Severity.MISREAD
    NO_CUTTING = "no-cutting", Severity.MISREAD
    UNKNOWN_SQUARE = "unknown-square", Severity.WARNING
    TOO_MANY_OF_A_KIND = "too-many-of-a-kind", Severity.WARNING
    NOT_IN_DECK = "not-in-deck", Severity.WARNING
    NO_ORDER = "no-order"
    NO_ORDER_IN_DECK = "no-order-in-deck", Severity.WARNING
    BROKEN_DOMINO = "broken-domino"
    ORDER_OPEN = "order-open", Severity.WARNING
    NOT_CHECKED = "not-checked", Severity.WARNING
    DUEL_NOT_CONNECTED = "duel.not-connected"
    DUEL_NO_CUTTING = "duel.no-cutting"
    DUEL_NOT_CHECKED = "duel.not-checked", Severity.WARNING
    DUEL_NEEDS_POWER = "duel.needs-power", Severity.WARNING
    DUEL_TOO_MANY_CROSSES = "duel.too-many-crosses", Severity.MISREAD
    DUEL_CROSS_NEEDS_POWER = "duel.cross-needs-power", Severity.WARNING


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that a kingdom breaks.

    Attributes:
        code: What it breaks.
        cells: The positions it concerns, sorted; none when it concerns the whole kingdom.
        fields: What its sentence is filled with: numbers, names of places, keys of sentences.
        variant: The last part of the key of its sentence; empty for the plain one.
    """

    code: Code
    cells: tuple[Position, ...] = ()
    fields: Mapping[str, str | int] = field(default_factory=dict, hash=False)
    variant: str = ""

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return self.code.severity

    @property
    def key(self) -> str:
        """The key of its sentence in the catalogues."""
        prefix = "" if self.code.startswith("duel.") else "problem."
        key = f"{prefix}{self.code.value}"
        return f"{key}.{self.variant}" if self.variant else key


def problem(
    code: Code, cells: Collection[Position] = (), variant: str = "", /, **fields: str | int
) -> Problem:
    """Make a problem of cells in any order."""
    return Problem(code, tuple(sorted(cells)), fields, variant)


def keeps_rules(problems: Iterable[Problem]) -> bool | None:
    """Return whether a kingdom with these problems keeps the rules, None where nobody can know.

    A kingdom that only has warnings follows the rules of laying; whether its dominoes are those
    of the game that was played, the kingdom does not show (RULES 1.4).

        >>> keeps_rules(()), keeps_rules([problem(Code.NOT_IN_DECK)])
        (True, None)
        >>> keeps_rules([problem(Code.NO_CASTLE)])
        False
    """
    severities = {problem.severity for problem in problems}
    if severities == {Severity.WARNING}:
        return None
    return not severities


@dataclass(frozen=True, slots=True)
class Names:
    """How sentences name places.

    Attributes:
        origin: The position by whose name the top left place of a kingdom goes.
    """

    origin: Position = (0, 0)

    def name(self, at: Position) -> str:
        """Return the name of a square: `c3`."""
        return position_name(shift(at, self.origin))

    def of(self, cells: Collection[Position]) -> str:
        """Return the names of the first squares, and how many more there are."""
        first = sorted(cells)[:_MAX_SQUARES_NAMED]
        names = ", ".join(map(self.name, first))
        more = len(cells) - len(first)
        return f"{names}, \u2026 (+{more})" if more else names

    def domino(self, kingdom: Kingdom, pair: Pair, chance: float) -> str:
        """Return a domino with its squares as in a kingdom line: `c3-c4 (W1 S)`.

        `chance` is named where it is below 1: `c3-c4 (W1 S, 60 %)`.
        """
        places = "-".join(map(self.name, pair))
        squares = " ".join(str(kingdom[at]) for at in pair)
        if chance == 1:
            return f"{places} ({squares})"
        return f"{places} ({squares}, {100 * chance:.0f} %)"

    def dominoes(self, kingdom: Kingdom, chances: Mapping[Pair, float]) -> str:
        """Return the names of the first dominoes, see `domino`."""
        names = [self.domino(kingdom, *domino) for domino in chances.items()]
        first = ", ".join(names[:_MAX_DOMINOES_NAMED])
        more = len(names) - _MAX_DOMINOES_NAMED
        return f"{first}, \u2026 (+{more})" if more > 0 else first


# ---------------------------------------------------------------------- checks


def is_legal(
    kingdom: Kingdom | str, size: int | None = None, *, deck: Deck | None = None
) -> bool | None:
    """Return whether a kingdom can come out of a game by the rules, None where nobody can know.

    Its `problems` say why.

    Args:
        kingdom: What lies on the table, or its kingdom line.
        size: 5, or 7 for a Mighty Duel; None takes `natural_size`.
        deck: The dominoes of the game; None for those of the box.

    Raises:
        NotationError: The text is no kingdom line.
        RulesError: The size is neither 5 nor 7.

        >>> is_legal("C W F W1 F"), is_legal("C F M2")
        (False, None)
        >>> is_legal("C F M2", deck=Deck.parse("1 F M2"))
        True
    """
    return keeps_rules(problems(kingdom, size, deck=deck))


def problems(
    kingdom: Kingdom | str,
    size: int | None = None,
    *,
    origin: Position = (0, 0),
    deck: Deck | None = None,
) -> tuple[Problem, ...]:
    """Return every problem of a kingdom, in the order of `Code`.

    A check that cannot say more than an earlier problem is left out: squares that do not connect
    are not also without an order of laying. Where the deck does not fit, the order is judged with
    dominoes of any two squares. Where there are too many ways to cut the squares, a warning says
    that dominoes and order are not checked.

    Args:
        kingdom: What lies on the table, or its kingdom line.
        size: 5, or 7 for a Mighty Duel; None takes `natural_size`, and says so where the squares
            could be those of a game of 5x5 as well.
        origin: The position by which messages name the top left place. Positions of problems
            count from that place all the same.
        deck: The dominoes of the game; None for those of the box.

    Raises:
        NotationError: The text is no kingdom line.
        RulesError: The size is neither 5 nor 7.
    """
    kingdom, names, deck = Kingdom.of(kingdom), Names(check_position(origin)), Deck.of(deck)
    outline = _check_shape(kingdom, choose_size(kingdom, size), names, guessed=size is None)
    broken = (*outline, *_check_kinds(kingdom, names, deck))
    return (*broken, *_check_cutting(kingdom, {item.code for item in broken}, names, deck))


#: Problems after which nothing is said about cuttings into dominoes.
_NO_CUT = {Code.TOO_MANY_SQUARES, Code.ODD_SQUARES, Code.CHESSBOARD, Code.NO_CUTTING}
#: Problems after which nothing is said about dominoes of the deck.
_NOT_OF_DECK = {Code.UNKNOWN_SQUARE, Code.TOO_MANY_OF_A_KIND}
#: Problems after which nothing is said about the order of laying.
_NO_START = {Code.NO_CASTLE, Code.SEVERAL_CASTLES, Code.NOT_CONNECTED}


def _check_shape(kingdom: Kingdom, size: int, names: Names, *, guessed: bool) -> Iterator[Problem]:
    """Judge castle and outline, whatever the squares show.

    Args:
        kingdom: The kingdom.
        size: The size that it is judged by.
        names: Names its places.
        guessed: Whether the size was guessed from the squares.
    """
    castles, squares = kingdom.castles(), kingdom.squares()
    cells = (*castles, *squares)
    if not castles:
        yield problem(Code.NO_CASTLE)
    elif len(castles) > 1:
        yield problem(Code.SEVERAL_CASTLES, castles, number=len(castles), squares=names.of(castles))
    if unjoined := _find_loose(castles, cells):
        yield _name_squares(Code.NOT_CONNECTED, unjoined, names)
    if cells and (side := box_side(cells)) > size:
        yield _name_squares(Code.TOO_WIDE, find_outside(cells, size), names, size=size, side=side)
    if guessed and size > 5 and len(squares) <= MAX_SQUARES[5]:
        yield _name_squares(Code.MIGHTY_DUEL_GUESSED, find_outside(cells, 5), names)
    yield from _check_count(squares, size, names)


def _name_squares(
    code: Code, cells: Collection[Position], names: Names, variant: str = "", /, **fields: str | int
) -> Problem:
    """Make a problem whose sentence names squares, and their number."""
    fields = {"squares": names.of(cells), "number": len(cells), **fields}
    return problem(code, cells, variant, **fields)


def _find_loose(castles: Collection[Position], cells: Collection[Position]) -> frozenset[Position]:
    """Return the squares that no edges join to a castle; none where there is no castle."""
    loose: set[Position] = set()
    if castles:
        for piece in connected_components(cells):
            if piece.isdisjoint(castles):
                loose |= piece
    return frozenset(loose)


def find_outside(cells: Collection[Position], size: int) -> frozenset[Position]:
    """Return the cells outside the size x size box that holds the most of them.

    Rows and columns are judged apart. Where several boxes hold as many, what is outside of any of
    them counts.
    """
    beyond: set[Position] = set()
    for axis in (0, 1):
        lines = [at[axis] for at in cells]
        first, last = min(lines, default=0), max(lines, default=0)
        # The cells of each box, by the line where it begins.
        inside: dict[int, int] = {}
        for start in range(first, max(first, last - size + 1) + 1):
            inside[start] = len([line for line in lines if start <= line < start + size])
        for start, number in inside.items():
            if number == max(inside.values()):
                beyond.update(at for at in cells if not start <= at[axis] < start + size)
    return frozenset(beyond)


def _check_count(squares: Collection[Position], size: int, names: Names) -> Iterator[Problem]:
    """Judge whether the squares can be cut into dominoes of any kind (RULES 6)."""
    most = MAX_SQUARES[size]
    dark = sum((row + col) % 2 for row, col in squares)
    if len(squares) > most:
        numbers = {"number": len(squares), "most_dominoes": most // 2, "most": most}
        yield problem(Code.TOO_MANY_SQUARES, **numbers)
    elif len(squares) % 2:
        yield problem(Code.ODD_SQUARES, find_unmatched(squares), number=len(squares))
    elif dark != (light := len(squares) - dark):
        yield problem(Code.CHESSBOARD, find_unmatched(squares), light=light, dark=dark)
    elif alone := find_unmatched(squares):
        yield _name_squares(Code.NO_CUTTING, alone, names)


def _check_kinds(kingdom: Kingdom, names: Names, deck: Deck) -> Iterator[Problem]:
    """Name squares that the deck does not have, then those not so often (RULES 1, 1.4)."""
    counts = deck.square_counts
    lying: dict[Square, list[Position]] = {}
    for at, square in kingdom.squares().items():
        lying.setdefault(square, []).append(at)
    for kind, cells in sorted(lying.items(), key=lambda entry: (entry[0] in counts, entry[0])):
        if kind not in counts:
            yield _name_squares(Code.UNKNOWN_SQUARE, cells, names, kind=str(kind))
        elif len(cells) > counts[kind]:
            kind_text, most = str(kind), counts[kind]
            yield _name_squares(Code.TOO_MANY_OF_A_KIND, cells, names, kind=kind_text, held=most)


def _check_cutting(
    kingdom: Kingdom, broken: Collection[Code], names: Names, deck: Deck
) -> Iterator[Problem]:
    """Judge dominoes and their order, unless what is `broken` says enough."""
    if _NO_CUT.intersection(broken):
        return
    try:
        yield from _judge_cutting(kingdom, broken, names, deck)
    except UndecidedError:
        yield problem(Code.NOT_CHECKED)


def _judge_cutting(
    kingdom: Kingdom, broken: Collection[Code], names: Names, deck: Deck
) -> Iterator[Problem]:
    """Judge dominoes and their order.

    Raises:
        UndecidedError: There are too many ways to cut the kingdom.
    """
    squares, steps = square_bits(kingdom, deck=deck), step_budget()
    judges_order = _NO_START.isdisjoint(broken)
    judges_deck = _NOT_OF_DECK.isdisjoint(broken)
    # Dominoes of the deck: in an order of laying, else in none.
    of_deck = False
    if judges_deck:
        if judges_order and can_be_cut(squares, squares.whole, steps=steps):
            return
        of_deck = can_be_cut(squares, steps=steps)
        if not of_deck:
            blocking = _find_blocking(squares, kingdom)
            yield _name_squares(Code.NOT_IN_DECK, blocking, names, "at" if blocking else "")
    if not judges_order:
        return
    # Dominoes of any two squares may have an order where those of the deck have none.
    any_two = square_bits(kingdom, any_face=True)
    has_order = can_be_cut(any_two, any_two.whole, steps=steps)
    if of_deck:
        code = Code.NO_ORDER_IN_DECK if has_order else Code.NO_ORDER
        yield _explain_no_order(code, squares, kingdom, names)
    elif not has_order:
        yield _explain_no_order(Code.NO_ORDER, any_two, kingdom, names)


def _explain_no_order(code: Code, squares: SquareBits, kingdom: Kingdom, names: Names) -> Problem:
    """Name the dominoes that break the joining rule, or else the squares that are left out.

    Raises:
        UndecidedError: It takes too many steps to find any.
    """
    cuts = list_cuttings(squares)
    if cuts is not None:
        breaks = find_breaks(squares, ((cutting, squares.count_ways(cutting)) for cutting in cuts))
        named = order_problem(kingdom, breaks, names, code)
        if named is not None:
            return named
    # The squares that nothing joins to the castle, in the cuttings that leave the fewest so.
    left_out: list[frozenset[Position]] = []
    with suppress(UndecidedError):
        for cutting in islice(cuttings(squares), _COMPARED):
            dominoes = chain.from_iterable(squares.find_apart(cutting))
            left_out.append(frozenset(chain.from_iterable(dominoes)))
    if not left_out:
        raise UndecidedError
    fewest = min(map(len, left_out))
    lost: set[Position] = set()
    for cells in left_out:
        if len(cells) == fewest:
            lost |= cells
    return _name_squares(code, lost, names, reason="laying.squares")


def _find_blocking(squares: SquareBits, kingdom: Kingdom) -> frozenset[Position]:
    """Return the squares of every pair that keeps the rest from being cut.

    None where that takes too many steps to tell.
    """
    blocking: set[Position] = set()
    places, steps = kingdom.squares(), step_budget()
    # A square without any partner must be in the pair.
    stuck = sum(square for square, pairs in squares.around.items() if not pairs)
    for ends in list_pairs(places):
        pair = squares.squares_of(ends)
        if stuck & ~pair:
            continue
        try:
            if can_be_cut(squares, without=pair, steps=steps):
                blocking.update(ends)
        except UndecidedError:
            return frozenset()
    return frozenset(blocking)


# ---------------------------------------------------------------------- breaks of the joining rule


def order_problem(
    kingdom: Kingdom, breaks: Breaks, names: Names, code: Code = Code.NO_ORDER
) -> Problem | None:
    """Return the problem of a kingdom in which dominoes break the joining rule.

    Args:
        kingdom: The kingdom.
        breaks: The dominoes that may break the rule.
        names: Names places.
        code: What kind of problem that is.

    Returns:
        None where no domino is likely enough to be named.
    """
    # Dominoes that break it in all likelihood, and those that perhaps do.
    certain: dict[Pair, float] = {}
    maybe: dict[Pair, float] = {}
    cells: set[Position] = set()
    for pair, chance in breaks.dominoes:
        if chance >= BREAKS.named_from:
            cells.update(pair)
            if chance >= BREAKS.known_from:
                certain[pair] = 1.0
            else:
                maybe[pair] = chance
    if not cells:
        return None
    # The sentence names both kinds.
    fields: dict[str, str | int] = {}
    if certain:
        fields |= {"dominoes": names.dominoes(kingdom, certain), "number": len(certain)}
    if maybe:
        fields |= {"perhaps": names.dominoes(kingdom, maybe)}
    reason = "both"
    if not maybe:
        reason = "dominoes"
    elif not certain:
        reason = "perhaps"
    return problem(code, cells, reason=f"laying.{reason}", **fields)
