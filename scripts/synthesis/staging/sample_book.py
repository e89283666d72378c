"""The photos of `samples/`: every shot of the book becomes one file."""

from scripts.synthesis.staging.lights import DAY, EVENING, WINDOW
from scripts.synthesis.staging.shot import Kind, Lay, Prop, Shot
from scripts.synthesis.staging.singles import SINGLE

TABLES = (
    Shot(
        "two_kingdoms.jpg",
        "two players, laminate table, score pad",
        (
            Lay(
                "2 - 29' 29 5/2' 42 42' 18 5'/21 41 41' 18' 10'/21' 11' 11 C 10/43 43' 12 12' -",
                at=(-3.4, 0.4),
                turn=6.0,
                colour="blue",
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
        light=WINDOW,
        props=(
            Prop(Kind.PENCIL, (0.3, 4.4), -8),
            Prop(Kind.LYING_KING, (0.1, -3.6), 190, "pink"),
            Prop(Kind.LYING_KING, (-0.6, 3.3), -12, "blue"),
        ),
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
        target=(0.0, 0.5),
        tilt=16,
        portrait=True,
        light=EVENING,
        props=(Prop(Kind.PAD, (4.1, 4.0), 12, "Ada|Ben|Cleo"), Prop(Kind.PENCIL, (3.3, 6.4), -6)),
    ),
    Shot(
        "four_kingdoms.jpg",
        "four players, green felt, end of a game",
        (
            Lay(
                "19 24 24' 48 48'/19' 35' 35 C 32'/17 17' 42 42' 32/27 34' 34 8 8'/27' 4' 4 14' 14",
                at=(-4.2, -3.3),
                turn=-6.0,
                colour="blue",
            ),
            Lay(
                "18' 10' 10 11 11'/18 37 37' 21' 36'/1' 41 41' 21 36/1 C 16' 16 22"
                "/23 23' 43' 43 22'",
                at=(3.7, -3.0),
                turn=5.0,
                colour="green",
            ),
            Lay(
                "25' 3' 29 29' 45/25 3 28 28' 45'/- 6 5 5' 15/- 6' 38 C 15'/44 44' 38' 39' 39",
                at=(-3.9, 3.0),
                turn=175.0,
                colour="pink",
            ),
            Lay(
                "2' 33' 33 30 7/2 31' 31 30' 7'/13 C 9 9' -/13' 47' 47 20' 20/40' 40 46' 46 -",
                at=(3.9, 3.3),
                turn=188.0,
                colour="yellow",
            ),
        ),
        deck=502,
        table=("felt", 6),
        table_squares=24,
        square=88,
        tilt=12,
        light=DAY,
        props=(
            Prop(Kind.LYING_KING, (-0.3, -0.5), 154, "green"),
            Prop(Kind.LYING_KING, (0.4, 0.3), -18, "yellow"),
        ),
    ),
)

EMPTY = (
    Shot(
        "not_a_kingdom.jpg",
        "no kingdom: a draft row, a pile, a score pad and coffee",
        (),
        deck=506,
        table=("oak", 3),
        square=120,
        tilt=24,
        light=DAY,
        props=(
            Prop(Kind.DOMINO, (-2.6, -2.2), 1, "2"),
            Prop(Kind.DOMINO, (-2.5, -1.0), -2, "15"),
            Prop(Kind.DOMINO, (-2.6, 0.2), 2, "33"),
            Prop(Kind.DOMINO, (-2.5, 1.4), 0, "46"),
            Prop(Kind.LYING_KING, (-3.0, -1.0), 5, "pink"),
            Prop(Kind.LYING_KING, (-3.0, 1.4), -8, "blue"),
            Prop(Kind.PILE, (0.4, -1.6), 86, "27"),
            Prop(Kind.PAD, (3.6, 1.2), 9, "Ada  61|Ben  47|Cleo 68"),
            Prop(Kind.PENCIL, (1.0, 3.0), -28),
            Prop(Kind.MUG, (4.3, -3.0), 0, "150,62,54"),
        ),
    ),
)

#: Every photo, in the order of the table in `samples/README.md`.
BOOK: tuple[Shot, ...] = (*SINGLE, *TABLES, *EMPTY)
