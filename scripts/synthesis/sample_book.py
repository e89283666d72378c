"""The photos of `samples/`: every shot of `sample_book.toml` becomes one file.

A *plan* has the shape of a kingdom line, but names the domino on every place: ``48 48'`` are the
left and the right half of domino 48, ``C`` is the start tile, ``-`` an empty place. It says what a
kingdom line cannot: which dominoes lie, and how.
"""

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from kdvision.rules.dominoes import standard_deck
from kdvision.rules.kingdom import CASTLE, Cell, Kingdom, Position
from kdvision.rules.terrain import CASTLE_MARK, EMPTY_MARK

_RIGHT = "'"
#: (x, y) on the table, in squares; x to the right and y towards the photographer.
Point = tuple[float, float]


class Lay(Struct, frozen=True):
    """A kingdom on the table.

    Attributes:
        plan: Its dominoes.
        at: Where its middle lies.
        turn: How far it is turned clockwise, degrees.
        colour: Its player's.
        loose: How far tiles lie off their places, in squares.
        castle: Whether the castle stands on the start tile.
    """

    plan: str
    at: Point = (0.0, 0.0)
    turn: float = 0.0
    colour: str = "blue"
    loose: float = 0.01
    castle: bool = False


class Thing(Struct, frozen=True):
    """What lies beside kingdoms: a "domino" or its "back", by number, or a "king", by colour."""

    kind: str
    at: Point
    turn: float
    what: str


class Shot(Struct, frozen=True):
    """A photo.

    Attributes:
        file: Its name.
        note: What it shows, for `truth.csv`.
        kingdoms: What lies in the middle of it.
        deck: Seed of the artwork; those from 1000 on train the models.
        table: Name of a surface of `textures`, and its seed.
        light: Seed of the light.
        table_squares: How many squares one width of the surface covers.
        square: Side in pixels of a square in the middle of the photo, seen from above.
        tilt: Angle between the view and the vertical, degrees.
        target: What lies in the middle of the photo.
        portrait: Whether the photo is higher than wide.
        sideways: Whether the file is stored lying, with a tag that says so.
        things: What else lies about.
    """

    file: str
    note: str
    deck: int
    table: tuple[str, int]
    light: int
    kingdoms: tuple[Lay, ...] = ()
    table_squares: float = 16.0
    square: float = 120.0
    tilt: float = 10.0
    target: Point = (0.0, 0.0)
    portrait: bool = False
    sideways: bool = False
    things: tuple[Thing, ...] = ()


def read_plan(text: str) -> tuple[Kingdom, tuple[tuple[int, Position, Position], ...]]:
    """Return the kingdom of a plan and its dominoes: number, places of the left and right half."""
    box = standard_deck().by_number
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
            (rights if right else lefts)[domino.number] = (row, col)
            cells.append(domino.right if right else domino.left)
        rows.append(tuple(cells))
    dominoes = [(number, lefts[number], rights[number]) for number in sorted(lefts)]
    return Kingdom(tuple(rows)), tuple(dominoes)


@cache
def book() -> tuple[Shot, ...]:
    """Return every photo, in the order of the table in `samples/README.md`."""
    text = Path(__file__).with_suffix(".toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=dict[str, tuple[Shot, ...]])["shots"]
