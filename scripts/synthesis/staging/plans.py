"""A kingdom written by its dominoes.

A *plan* has the shape of a kingdom line, but names the domino on every place: ``48 48'`` are the
left and the right half of domino 48, ``C`` is the start tile, ``-`` an empty place. It says what a
kingdom line cannot: which dominoes lie, and how.
"""

from dataclasses import dataclass

from kdvision.rules.dominoes import deck
from kdvision.rules.kingdom import CASTLE, Cell, Kingdom, Position, neighbours
from kdvision.rules.terrain import CASTLE_MARK, EMPTY_MARK

_RIGHT = "'"


@dataclass(frozen=True, slots=True)
class Plan:
    """A kingdom and its dominoes: number, place of the left half, place of the right half."""

    kingdom: Kingdom
    dominoes: tuple[tuple[int, Position, Position], ...]


def read_plan(text: str) -> Plan:
    """Read a plan.

    Raises:
        ValueError: A half is missing, lies twice, or lies away from its other half.
    """
    box = {domino.number: domino for domino in deck()}
    lefts: dict[int, Position] = {}
    rights: dict[int, Position] = {}
    rows: list[tuple[Cell, ...]] = []
    for row, words in enumerate(text.split("/")):
        cells: list[Cell] = []
        for col, word in enumerate(words.split()):
            if word in (CASTLE_MARK, EMPTY_MARK):
                cells.append(CASTLE if word == CASTLE_MARK else None)
                continue
            domino, right = box[int(word.rstrip(_RIGHT))], word.endswith(_RIGHT)
            half = rights if right else lefts
            if domino.number in half:
                raise ValueError(f"{word} lies twice in the plan {text!r}.")
            half[domino.number] = (row, col)
            cells.append(domino.right if right else domino.left)
        rows.append(tuple(cells))
    for number in lefts.keys() | rights.keys():
        if rights.get(number) not in neighbours(lefts.get(number, (-9, -9))):
            raise ValueError(f"The halves of domino {number} do not touch in the plan {text!r}.")
    dominoes = tuple((number, lefts[number], rights[number]) for number in sorted(lefts))
    return Plan(Kingdom(tuple(rows)), dominoes)
