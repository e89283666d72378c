"""The photos of `samples/`: every shot of the book becomes one file."""

from staging.shot import Kind, Lay, Light, Mat, Prop, Shot

_DAY = Light(gains=(1.0, 1.0, 1.02), sun=(0.5, 0.7), slope=0.22, slope_from=205)
_WINDOW = Light(gains=(0.98, 1.0, 1.06), sun=(0.9, 0.3), slope=0.3, slope_from=180)
_EVENING = Light(gains=(1.1, 1.0, 0.86), sun=(-0.5, 0.6), slope=0.24, slope_from=-40)
_LAMP = Light(
    gains=(1.3, 1.0, 0.62), sun=(-0.7, 0.35), shadow=0.45, slope=0.5, slope_from=-35, vignette=0.4
)

SINGLE = (
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
        light=_DAY,
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
        light=_WINDOW,
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
        light=_DAY,
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
        table=("beech", 2),
        mat=Mat(("cutting_mat", 1), 14.0, (0.3, 0.2), -2.0),
        square=102,
        tilt=14,
        light=_WINDOW,
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
        light=_DAY,
        props=(
            Prop(Kind.LYING_KING, (-2.1, 1.9), 10, "green"),
            Prop(Kind.PILE, (4.2, -1.6), 76, "31"),
        ),
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
        table=("boards", 2),
        mat=Mat(("night_sky", 6), 11.0, (0.0, 0.0), 88.0),
        square=150,
        tilt=12,
        portrait=True,
        light=_EVENING,
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
        light=_WINDOW,
        props=(Prop(Kind.KING, (1.2, -1.0), -20, "blue"),),
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
        light=_DAY,
        portrait=True,
        quality=80,
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
        light=_LAMP,
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
        square=138,
        tilt=35,
        light=Light(
            gains=(1.02, 1.0, 0.97),
            sun=(0.6, -0.3),
            slope=0.25,
            slope_from=-60,
            shade=((-0.1, 0.55), (0.42, 0.72), (0.62, 1.1), (-0.1, 1.1)),
            shade_depth=0.42,
            shade_blur=0.035,
        ),
        props=(Prop(Kind.MUG, (4.5, -3.0), 0, "70,112,150"),),
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
        table=("planks", 2),
        table_squares=17,
        square=132,
        tilt=20,
        portrait=True,
        sideways=True,
        light=_DAY,
        props=(
            Prop(Kind.DOMINO, (-2.4, -4.4), 3, "8"),
            Prop(Kind.DOMINO, (-2.5, -3.3), 1, "17"),
            Prop(Kind.DOMINO, (0.4, -4.5), -2, "25"),
            Prop(Kind.DOMINO, (0.3, -3.4), 2, "44"),
            Prop(Kind.LYING_KING, (-2.9, -4.4), 4, "blue"),
            Prop(Kind.LYING_KING, (-0.2, -3.4), 15, "yellow"),
            Prop(Kind.PILE, (3.1, -3.7), 84, "12"),
            Prop(Kind.DOMINO, (2.8, 4.0), 62, "19"),
        ),
    ),
)

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
        light=_WINDOW,
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
        light=_EVENING,
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
        light=_DAY,
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
        light=_DAY,
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
