"""Readings made by hand and at random, for the tests of decoding."""

import math
from collections.abc import Mapping
from random import Random

from msgspec.structs import replace

from kdvision.decoding.decoder import explore, share_box
from kdvision.decoding.posterior import Decoded
from kdvision.reading import Doubt, Place, Reading
from kdvision.rules.dominoes import Deck, standard_deck
from kdvision.rules.kingdom import CASTLE, Cell, Kingdom, Pair, Position, cell_text, neighbours
from kdvision.rules.rules import DEFAULT_RULES, Rules
from kdvision.rules.terrain import LABELS


def place_of(shares: Mapping[str, float]) -> Place:
    """A place with these probabilities; what is left over is spread evenly."""
    left = (1 - sum(shares.values())) / (len(LABELS) - len(shares))
    return Place(tuple(shares.get(label, left) for label in LABELS))


def reading_of(
    line: str,
    unsure: Mapping[str, Mapping[str, float]] | None = None,
    *,
    sure: float = 0.9999,
    doubts: tuple[Doubt, ...] = (),
) -> Reading:
    """A reading that shows a kingdom line, but for the places in `unsure` (`b3`)."""
    kingdom = Kingdom.parse(line)
    places = []
    for cells in kingdom.rows:
        places.append([place_of({cell_text(cell): sure}) for cell in cells])
    for name, shares in (unsure or {}).items():
        row, col = at(name)
        places[row][col] = place_of(shares)
    return Reading(tuple(map(tuple, places)), doubts=doubts)


def padded(reading: Reading, rows: int = 1, cols: int = 1) -> Reading:
    """A reading with so many rows and columns of background added on either side."""
    moved = reading.move_places((rows, cols))
    empty = place_of({"-": 1.0})
    line = (empty,) * (reading.width + 2 * cols)
    middle = tuple((empty,) * cols + row + (empty,) * cols for row in reading.places)
    return replace(moved, places=(line,) * rows + middle + (line,) * rows)


def likeliest_kingdom(
    reading: Reading,
    rules: Rules = DEFAULT_RULES,
    *,
    fixes: Mapping[Position, str] | None = None,
    deck: Deck | None = None,
) -> Decoded:
    """The likeliest kingdom of a reading that is decoded by itself."""
    alone = explore(reading, rules, given=fixes or {}, deck=deck)
    (decoded,) = share_box([alone], rules, deck=deck)
    return decoded


def at(name: str) -> Position:
    """The position that people call `b3`."""
    return int(name[1:]) - 1, ord(name[0]) - ord("a")


def random_kingdom(
    rng: Random, side: int, gaps: int = 0, castle: Position | None = None
) -> Kingdom:
    """Random dominoes of the deck on a random cutting of side x side, the castle in the middle.

    It fits the box and need not be legal. `gaps` dominoes are left out.
    """
    castle = castle or (side // 2, side // 2)
    pairs = random_pairs(rng, side, castle)
    rng.shuffle(pairs)
    pairs = pairs[gaps:]
    cells: dict[Position, Cell] = {castle: CASTLE}
    for pair, domino in zip(pairs, rng.sample(standard_deck().dominoes, len(pairs)), strict=True):
        squares = [domino.left, domino.right]
        rng.shuffle(squares)
        cells.update(zip(pair, squares, strict=True))
    return kingdom_of(cells, side)


def random_table(rng: Random, kingdoms: int) -> list[Kingdom]:
    """Full 5x5 kingdoms of one box, dealt at random; four use it up. They need not be legal."""
    left = list(standard_deck().dominoes)
    rng.shuffle(left)
    table = []
    for _ in range(kingdoms):
        cells: dict[Position, Cell] = {(2, 2): CASTLE}
        for pair in random_pairs(rng, 5, (2, 2)):
            domino = left.pop()
            cells.update(zip(pair, rng.sample([domino.left, domino.right], 2), strict=True))
        table.append(kingdom_of(cells, 5))
    return table


def kingdom_of(cells: Mapping[Position, Cell], side: int) -> Kingdom:
    """A kingdom of side x side places; those without a cell are empty."""
    rows = []
    for row in range(side):
        rows.append(tuple(cells.get((row, col)) for col in range(side)))
    return Kingdom(tuple(rows))


def random_pairs(rng: Random, side: int, castle: Position) -> list[Pair]:
    """A random cutting of side x side places, but for the castle, into pairs of neighbours."""
    free = {(row, col) for row in range(side) for col in range(side)} - {castle}
    pairs: list[Pair] = []
    while not _pair(free, pairs, rng):
        pairs.clear()
    return pairs


def _pair(free: set[Position], pairs: list[Pair], rng: Random) -> bool:
    """Cut `free` into random pairs of neighbours, beginning where fewest neighbours are left."""
    if not free:
        return True

    def ways(place: Position) -> list[Position]:
        return [near for near in neighbours(place) if near in free]

    def few_ways(place: Position) -> tuple[int, float]:
        return len(ways(place)), rng.random()

    at = min(free, key=few_ways)
    for near in rng.sample(ways(at), len(ways(at))):
        pairs.append((at, near))
        if _pair(free - {at, near}, pairs, rng):
            return True
        pairs.pop()
    return False


def noisy_reading(rng: Random, kingdom: Kingdom, blurred: float) -> Reading:
    """What an honest reader says of a noisy picture: its probabilities are true ones.

    Every label has a signal of Gaussian noise, higher by `clear` for what lies there. A share of
    the places is blurred, which makes about one of them in three be misread.
    """

    def place(cell: Cell) -> Place:
        clear = 3.0 if rng.random() < blurred else 6.0
        truth = cell_text(cell)
        logits = [clear * (rng.gauss(0, 1) + (clear if label == truth else 0)) for label in LABELS]
        values = [math.exp(logit - max(logits)) for logit in logits]
        return Place(tuple(value / sum(values) for value in values))

    return Reading(tuple(tuple(map(place, row)) for row in kingdom.rows))
