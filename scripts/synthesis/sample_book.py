"""The photos of `samples/`: every shot of the book becomes one file.

A *plan* has the shape of a kingdom line, but names the domino on every place: ``48 48'`` are the
left and the right half of domino 48, ``C`` is the start tile, ``-`` an empty place. It says what a
kingdom line cannot: which dominoes lie, and how.
"""

from dataclasses import dataclass

from kdvision.rules.dominoes import deck
from kdvision.rules.kingdom import CASTLE, Cell, Kingdom, Position, neighbours
from kdvision.rules.terrain import CASTLE_MARK, EMPTY_MARK

_RIGHT = "'"
#: (x, y) on the table, in squares; x to the right and y towards the photographer.
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Lay:
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


@dataclass(frozen=True, slots=True)
class Thing:
    """What lies beside kingdoms: a "domino" or its "back", by number, or a "king", by colour."""

    kind: str
    at: Point
    turn: float
    what: str


@dataclass(frozen=True, slots=True)
class Shot:
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
    kingdoms: tuple[Lay, ...]
    deck: int
    table: tuple[str, int]
    light: int
    table_squares: float = 16.0
    square: float = 120.0
    tilt: float = 10.0
    target: Point = (0.0, 0.0)
    portrait: bool = False
    sideways: bool = False
    things: tuple[Thing, ...] = ()


def read_plan(text: str) -> tuple[Kingdom, tuple[tuple[int, Position, Position], ...]]:
    """The kingdom of a plan and its dominoes: number, place of the left half, of the right half.

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
    return Kingdom(tuple(rows)), tuple((one, lefts[one], rights[one]) for one in sorted(lefts))


#: Every photo, in the order of the table in `samples/README.md`.
BOOK: tuple[Shot, ...] = (
    Shot(
        "meadow_5x5.jpg",
        "full 5x5, oak table, from above",
        (
            Lay(
                "42 42' C 1' 1/41 36' 36 37 39'/41' 10' 10 37' 39/15' 29' 11 11' 27'/15 29 6' 6 27",
                turn=2.0,
                colour="blue",
            ),
        ),
        deck=505,
        table=("oak", 2),
        square=150,
        tilt=6,
        light=5,
    ),
    Shot(
        "mighty_duel_7x7.jpg",
        "full 7x7 of a Mighty Duel, beech table, tilted by 22 degrees",
        (
            Lay(
                "37 37' 21' 10 10' 44 44'/23' 23 21 18' 41' 11' 42'/45 45' C 18 41 11 42"
                "/19 31' 24' 24 6' 25' 34/19' 31 1' 1 6 25 34'/43' 2' 22 22' 29 29' 13"
                "/43 2 38 38' 4' 4 13'",
                turn=-3.0,
                colour="yellow",
                loose=0.008,
            ),
        ),
        deck=509,
        table=("beech", 3),
        table_squares=20,
        square=122,
        tilt=22,
        light=3,
    ),
    Shot(
        "gaps_5x5.jpg",
        "5x5 with four gaps, pale table, straight from above, portrait",
        (
            Lay(
                "- - 41' 41 45'/- 44' 44 47' 45/12 39' 11 47 6/12' 39 11' C 6'/33' 33 20' 20 -",
                turn=-1.0,
                colour="green",
                loose=0.016,
            ),
        ),
        deck=503,
        table=("marble", 6),
        table_squares=14,
        square=150,
        tilt=0,
        portrait=True,
        light=1,
    ),
    Shot(
        "gaps_7x7.jpg",
        "7x7 with gaps, cutting mat, turned by 30 degrees",
        (
            Lay(
                "- 10' 18 - 38' 40 46'/34' 10 18' 37 38 40' 46/34 33 29' 37' 41' 41 -"
                "/14' 33' 29 - 24' 20 15/14 C 4' 4 24 20' 15'/- 39' 39 35' 17 21 21'"
                "/12' 12 - 35 17' 28' 28",
                turn=30.0,
                colour="pink",
                loose=0.014,
            ),
        ),
        deck=507,
        table=("cutting_mat", 1),
        square=102,
        tilt=14,
        light=12,
    ),
    Shot(
        "first_domino.jpg",
        "castle and one domino, dark cloth",
        (Lay("37 37' C", turn=8.0, colour="green"),),
        deck=508,
        table=("crumpled", 2),
        table_squares=13,
        square=150,
        tilt=24,
        target=(0.6, 0.3),
        light=7,
        things=(Thing("king", (-2.1, 1.9), 10, "green"), Thing("back", (4.2, -1.6), 76, "31")),
    ),
    Shot(
        "plus.jpg",
        "four dominoes as a plus, play mat, turned by 40 degrees",
        (
            Lay(
                "- - 42' - -/- - 42 - -/48 48' C 43' 43/- - 46' - -/- - 46 - -",
                turn=40.0,
                colour="pink",
            ),
        ),
        deck=501,
        table=("night_sky", 6),
        square=150,
        tilt=12,
        portrait=True,
        light=7,
    ),
    Shot(
        "corner.jpg",
        "six dominoes as an L, green hexes, castle in the corner",
        (
            Lay(
                "39' 39 - - -/44' 44 - - -/46 48 - - -/46' 48' - - -/C 40 40' 27' 27",
                turn=-14.0,
                colour="blue",
                loose=0.02,
            ),
        ),
        deck=515,
        table=("hexes", 6),
        table_squares=14,
        square=138,
        tilt=28,
        light=5,
        things=(Thing("king", (1.2, -1.0), -20, "blue"),),
    ),
    Shot(
        "broken_rule_5x5.jpg",
        "full 5x5 with a domino that touches nothing of its terrain, checked cloth",
        (
            Lay(
                "4' 28 28' 19 19'/4 33' 33 31 47/3' 29 29' 31' 47'/3 C 45' 45 46'/2 2' 40' 40 46",
                turn=5.0,
                colour="yellow",
                loose=0.02,
            ),
        ),
        deck=517,
        table=("checked", 1),
        table_squares=14,
        square=150,
        tilt=16,
        portrait=True,
        light=3,
    ),
    Shot(
        "lamp_castle_5x5.jpg",
        "full 5x5 with the castle standing in the middle, warm lamp",
        (
            Lay(
                "32 32' 25' 25 24/7' 30 34 34' 24'/7 30' C 29 29'/8' 8 27' 27 4/35' 35 33 33' 4'",
                turn=-7.0,
                colour="pink",
                castle=True,
            ),
        ),
        deck=510,
        table=("walnut", 2),
        square=144,
        tilt=26,
        light=2,
    ),
    Shot(
        "low_angle_5x5.jpg",
        "full 5x5 from a chair: tilted by 35 degrees, soft shadow",
        (
            Lay(
                "23' 21' 21 45' 45/23 24' 26' 20 27'/1' 24 26 20' 27/1 4 28' 29' 6'/C 4' 28 29 6",
                turn=18.0,
                colour="green",
                loose=0.014,
            ),
        ),
        deck=512,
        table=("boards", 5),
        square=134,
        tilt=35,
        light=17,
    ),
    Shot(
        "sideways_draft.jpg",
        "growing 5x5 beside a draft row; the file lies on its side and its EXIF tag says so",
        (
            Lay(
                "- 30 30' 41' 41/7' 7 11 11' -/C 37 37' 18' -/32' 32 42' 18 -/28 28' 42 - -",
                at=(0.0, 1.2),
                turn=-4.0,
                colour="blue",
                loose=0.02,
            ),
        ),
        deck=514,
        table=("oak", 5),
        table_squares=15,
        square=132,
        tilt=20,
        portrait=True,
        sideways=True,
        light=1,
        things=(
            Thing("domino", (-2.4, -4.4), 3, "8"),
            Thing("domino", (-2.5, -3.3), 1, "17"),
            Thing("domino", (0.4, -4.5), -2, "25"),
            Thing("domino", (0.3, -3.4), 2, "44"),
            Thing("king", (-2.9, -4.4), 4, "blue"),
            Thing("king", (-0.2, -3.4), 15, "yellow"),
            Thing("back", (3.1, -3.7), 84, "12"),
            Thing("domino", (2.8, 4.0), 62, "19"),
        ),
    ),
    Shot(
        "two_kingdoms.jpg",
        "two players, laminate table",
        (
            Lay(
                "2 - 29' 29 5/2' 42 42' 18 5'/21 41 41' 18' 10'/21' 11' 11 C 10/43 43' 12 12' -",
                at=(-3.4, 0.4),
                turn=6.0,
                colour="green",
                loose=0.014,
            ),
            Lay(
                "15' 15 C 34' 14/37' 37 31 34 14'/35' 35 31' 40' 40/33' 33 19 19' 46'"
                "/17 17' 16 16' 46",
                at=(3.5, -0.2),
                turn=186.0,
                colour="pink",
                loose=0.014,
            ),
        ),
        deck=511,
        table=("laminate", 3),
        table_squares=20,
        square=112,
        tilt=18,
        light=5,
        things=(Thing("king", (0.1, -3.6), 190, "pink"), Thing("king", (-0.6, 3.3), -12, "blue")),
    ),
    Shot(
        "three_kingdoms.jpg",
        "three players round a table, one castle standing, portrait",
        (
            Lay(
                "- 47 47' 46 -/19 40' 40 46' 16/19' 3 45 45' 16'/28 3' 48' 48 44'/28' 13' 13 C 44",
                at=(-2.9, -3.6),
                turn=95.0,
                colour="yellow",
                loose=0.012,
            ),
            Lay(
                "14' 23' 23 27' 27/14 31' 20 21 34'/33' 31 20' 21' 34/33 30 35 17' 32"
                "/C 30' 35' 17 32'",
                at=(3.2, -2.6),
                turn=-80.0,
                colour="green",
                loose=0.012,
                castle=True,
            ),
            Lay(
                "11 37' 37 22 22'/11' 10' 10 39 39'/42 36' 36 C 26/42' 41' 38 38' 26'"
                "/- 41 43 43' -",
                at=(-0.6, 3.6),
                turn=3.0,
                colour="pink",
                loose=0.012,
            ),
        ),
        deck=504,
        table=("boards", 3),
        table_squares=20,
        square=96,
        tilt=16,
        target=(0.0, 0.5),
        portrait=True,
        light=3,
    ),
    Shot(
        "four_kingdoms.jpg",
        "four players, green felt, end of a game",
        (
            Lay(
                "19 24 24' 48 48'/19' 35' 35 C 32'/17 17' 42 42' 32/27 34' 34 8 8'/27' 4' 4 14' 14",
                at=(-4.2, -3.3),
                turn=-6.0,
                colour="yellow",
            ),
            Lay(
                "18' 10' 10 11 11'/18 37 37' 21' 36'/1' 41 41' 21 36/1 C 16' 16 22"
                "/23 23' 43' 43 22'",
                at=(3.7, -3.0),
                turn=5.0,
                colour="pink",
            ),
            Lay(
                "25' 3' 29 29' 45/25 3 28 28' 45'/- 6 5 5' 15/- 6' 38 C 15'/44 44' 38' 39' 39",
                at=(-3.9, 3.0),
                turn=175.0,
                colour="blue",
            ),
            Lay(
                "2' 33' 33 30 7/2 31' 31 30' 7'/13 C 9 9' -/13' 47' 47 20' 20/40' 40 46' 46 -",
                at=(3.9, 3.3),
                turn=188.0,
                colour="green",
            ),
        ),
        deck=502,
        table=("felt", 6),
        table_squares=24,
        square=88,
        tilt=12,
        light=3,
        things=(
            Thing("king", (-0.3, -0.5), 154, "green"),
            Thing("king", (0.4, 0.3), -18, "yellow"),
        ),
    ),
    Shot(
        "not_a_kingdom.jpg",
        "no kingdom: a draft row, backs of dominoes and two kings",
        (),
        deck=506,
        table=("oak", 3),
        square=120,
        tilt=24,
        light=5,
        things=(
            Thing("domino", (-2.6, -2.2), 1, "2"),
            Thing("domino", (-2.5, -1.0), -2, "15"),
            Thing("domino", (-2.6, 0.2), 2, "33"),
            Thing("domino", (-2.5, 1.4), 0, "46"),
            Thing("king", (-3.0, -1.0), 5, "pink"),
            Thing("king", (-3.0, 1.4), -8, "blue"),
            Thing("back", (0.4, -1.6), 86, "27"),
        ),
    ),
)
