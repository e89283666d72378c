"""The photos of `samples/` that show one kingdom."""

from scripts.synthesis.staging.lights import DAY, EVENING, LAMP, WINDOW
from scripts.synthesis.staging.shot import Kind, Lay, Light, Mat, Prop, Shot

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
        light=DAY,
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
        light=WINDOW,
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
        light=DAY,
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
        light=WINDOW,
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
        light=DAY,
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
        light=EVENING,
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
        light=WINDOW,
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
        light=DAY,
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
        light=LAMP,
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
        light=DAY,
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
