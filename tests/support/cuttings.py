"""Cuttings into dominoes, found without any cleverness."""

from collections import Counter
from collections.abc import Iterator

from kdvision.rules.dominoes import Face, face, face_counts
from kdvision.rules.kingdom import Kingdom, Position, neighbours
from kdvision.rules.terrain import Square

Pair = tuple[Position, Position]


def every_cutting(squares: dict[Position, Square]) -> Iterator[tuple[Pair, ...]]:
    """Every cutting into dominoes of the deck, found without any cleverness."""

    def cut(open_: list[Position], used: Counter[Face]) -> Iterator[tuple[Pair, ...]]:
        if not open_:
            yield ()
            return
        row, col = at = open_[0]
        for other in ((row, col + 1), (row + 1, col)):
            if other in open_:
                shown = face(squares[at], squares[other])
                if used[shown] < face_counts().get(shown, 0):
                    rest = [one for one in open_ if one not in (at, other)]
                    for more in cut(rest, used + Counter([shown])):
                        yield ((at, other), *more)

    yield from cut(sorted(squares), Counter())


def lays(cutting: tuple[Pair, ...], kingdom: Kingdom) -> frozenset[Position]:
    """The squares that can be laid when every domino goes down as soon as it may."""
    castles = set(kingdom.castles())
    squares = kingdom.squares()
    lying: set[Position] = set()
    while True:
        fitting = [
            pair
            for pair in cutting
            if pair[0] not in lying
            and any(
                near in castles or (near in lying and squares[near].terrain is squares[at].terrain)
                for at in pair
                for near in neighbours(at)
            )
        ]
        if not fitting:
            return frozenset(lying)
        for pair in fitting:
            lying.update(pair)
