"""Grids, the deck, totals by labels, and the numbers that decide.

Places are numbered row by row, labels by their index in `LABELS`; a set of labels is a bit mask
(`1 << label`).
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import Annotated

from msgspec import Struct

from kdvision.errors import UsageError
from kdvision.rules.dominoes import Deck, face, standard_deck
from kdvision.rules.kingdom import CASTLE, Cell, Kingdom
from kdvision.rules.rules import Rules
from kdvision.rules.scoring import score
from kdvision.rules.terrain import KINDS, LABELS, SQUARE_KINDS


class DecodingSettings(Struct, frozen=True):
    """Penalties of hypotheses, how many kingdoms are tried, and what is reported of them.

    Penalties are natural logarithms of a likelihood ratio: a hypothesis with a penalty of 6 is
    believed where it explains what was seen e^6 = 400 times better.

    Attributes:
        other_deck_penalty: log-likelihood that may be lost for a kingdom of the deck before the
            squares are believed to be of another deck (RULES 1.4). Set by hand, as are all
            penalties: odds of what is seldom met, held by examples in the tests.
        other_deck_penalty_per_square: log-likelihood per square, on top: the more squares there are
            the less would random ones happen to fit the deck.
        no_kingdom_penalty: log-likelihood that may be lost before not even one castle and whole
            dominoes in a box are believed in.
        wrong_grid_penalty: log-likelihood of a grid that is wrong or a kingdom that the photo cuts
            off. It supports no total, and competes with every kingdom that differs from what was
            seen.
        second_box_penalty: log-likelihood that may be lost for kingdoms of one box before dominoes
            of a second box are believed to lie in the photo.
        clear_probability: probability. Totals as likely as this need no joint search where one box
            can hold the kingdoms.
        tolerance: share of the probability that may stay unexplored. It counts against the total,
            and is half of the 1 % by which a sure total may fall short of certainty.
        max_labellings: count. So many labellings (a label for every place) are checked at most;
            what is left counts against the total. Set by hand, for the time it takes.
        other_labellings_share: ratio. The hypotheses of another deck and of no kingdom get this
            share of `max_labellings`: they only have to be weighed against the first.
        max_cutting_steps: count. So many steps the cuttings of one search may take together, about
            5 microseconds each, so that a search has an end. What cannot be decided then counts as
            unexplored. A kingdom of the deck takes less than a hundred; of 4,033 readings of
            rendered and real kingdoms none took half of it.
        unexplored_warning: share of the probability. From so much on a warning says that not
            every possible kingdom was tried.
        max_alternatives: count of further totals that are handed on.
        max_alternatives_hidden: the same count where places are hidden.
        min_alternative: probability below which a further total is not handed on.
        min_alternative_hidden: the same probability where places are hidden.
    """

    other_deck_penalty: Annotated[float, "kingdom"] = 6.0
    other_deck_penalty_per_square: Annotated[float, "kingdom"] = 0.1
    no_kingdom_penalty: Annotated[float, "kingdom"] = 16.0
    wrong_grid_penalty: Annotated[float, "sure"] = 7.0
    second_box_penalty: Annotated[float, "sure"] = 8.0
    clear_probability: Annotated[float, "sure"] = 0.99
    tolerance: Annotated[float, "sure"] = 5e-3
    max_labellings: Annotated[int, "sure"] = 200
    other_labellings_share: Annotated[float, "sure"] = 0.25
    max_cutting_steps: Annotated[int, "sure"] = 5000
    unexplored_warning: float = 0.05
    max_alternatives: int = 4
    max_alternatives_hidden: int = 30
    min_alternative: float = 0.002
    min_alternative_hidden: float = 1e-4


DECODING = DecodingSettings()

#: The set of all labels.
ANY_LABEL = (1 << len(LABELS)) - 1
#: The labels of squares.
ANY_KIND = (1 << KINDS) - 1
#: The labels of the castle and of nothing.
NO_KIND = ANY_LABEL ^ ANY_KIND

#: Of every place the places that share an edge with it.
Neighbours = tuple[tuple[int, ...], ...]


class Board(Struct, frozen=True):
    """The places of a grid, numbered row by row.

    Attributes:
        height: The number of rows.
        width: The number of columns.
        neighbours: Of every place those that share an edge with it.
    """

    height: int
    width: int
    neighbours: Neighbours


@cache
def make_board(height: int, width: int) -> Board:
    """Return the grid of this height and width."""
    neighbours = []
    for row, col in product(range(height), range(width)):
        inside = []
        for r, c in ((row, col - 1), (row - 1, col), (row, col + 1), (row + 1, col)):
            if 0 <= r < height and 0 <= c < width:
                inside.append(r * width + c)
        neighbours.append(tuple(inside))
    return Board(height, width, tuple(neighbours))


def join_boards(boards: Sequence[Board]) -> tuple[list[slice], Neighbours]:
    """Join grids in one row of places, none a neighbour of a place of another grid.

    Returns:
        Where the places of each grid are in that row, and the neighbours of every place.
    """
    parts: list[slice] = []
    neighbours: list[tuple[int, ...]] = []
    for board in boards:
        start = len(neighbours)
        for places in board.neighbours:
            neighbours.append(tuple(start + place for place in places))
        parts.append(slice(start, len(neighbours)))
    return parts, tuple(neighbours)


class DeckFaces(Struct, frozen=True):
    """A deck by labels.

    Attributes:
        face: `face[a][b]` numbers the face that two labels make, -1 when the deck has none such.
        limits: How often the deck holds each face.
        squares: How often it holds each kind.
        partners: `partners[a]` is the mask of kinds that share a domino with kind `a`.
    """

    face: tuple[tuple[int, ...], ...]
    limits: tuple[int, ...]
    squares: tuple[int, ...]
    partners: tuple[int, ...]


@cache
def deck_faces(deck: Deck | None = None) -> DeckFaces:
    """Return the faces of a deck by labels; without one, of the 48 dominoes.

    Raises:
        UsageError: The deck has a square of none of the sixteen kinds, which no photo is read for.
    """
    # How often the deck has each kind of square.
    counts = (deck or standard_deck()).face_counts
    squares = dict.fromkeys(SQUARE_KINDS, 0)
    unknown = set()
    for shown, count in counts.items():
        for square in shown:
            if square in squares:
                squares[square] += count
            else:
                unknown.add(square)
    if unknown:
        names = ", ".join(map(str, sorted(unknown)))
        raise UsageError(f"The deck has squares that are not read in photos: {names}.")
    # Faces by the labels of their two squares; the castle and nothing make no face with anything.
    numbers = {shown: number for number, shown in enumerate(counts)}
    faces = [[-1] * len(LABELS) for _ in LABELS]
    partners = [0] * KINDS
    for kind, partner in product(range(KINDS), repeat=2):
        number = numbers.get(face(SQUARE_KINDS[kind], SQUARE_KINDS[partner]), -1)
        faces[kind][partner] = number
        if number >= 0:
            partners[kind] |= 1 << partner
    return DeckFaces(
        face=tuple(map(tuple, faces)),
        limits=tuple(counts.values()),
        squares=tuple(squares.values()),
        partners=tuple(partners),
    )


# ---------------------------------------------------------------------- totals

_CELLS: tuple[Cell, ...] = (*SQUARE_KINDS, CASTLE, None)


def make_kingdom(labels: Sequence[int], board: Board) -> Kingdom:
    """Return the kingdom of labels given row by row."""
    cells = [_CELLS[label] for label in labels]
    rows = []
    for row in range(board.height):
        start = row * board.width
        rows.append(tuple(cells[start : start + board.width]))
    return Kingdom(tuple(rows))


def make_totals(board: Board, rules: Rules) -> Callable[[bytes], int]:
    """Return what counts the total of a kingdom, labels row by row; each is counted once."""
    return cache(lambda labels: score(make_kingdom(labels, board), rules).total)
