import pytest
from hypothesis import given

from kdvision.rules import Rules, is_legal, problems, score
from kdvision.rules.errors import NotationError, RulesError
from kdvision.rules.kingdom import CASTLE, Kingdom, position_name, position_names, split_kingdoms
from kdvision.rules.terrain import Square, Terrain
from tests.support.played import any_kingdoms

LINE = "C W1 G/- F2 -"


@given(any_kingdoms())
def test_kingdom_round_trips(kingdom):
    assert Kingdom.parse(str(kingdom)) == kingdom
    assert Kingdom.parse(str(kingdom).lower().replace("/", " \n ")) == kingdom


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  c  W1 G / -\tf2 - ", LINE),
        ("C W1 G\r\n- F2 -\n", LINE),
        ("/C W1 G/\n- F2 -/", LINE),
        ("\n\rC W1 G\n/ - F2 -\n\n", LINE),
        # A blank row between others is a row.
        ("C W//- F", "C W/- -/- F"),
        ("C W\r\n \r\n\r\n- F\r\n", "C W/- -/- -/- F"),
        ("\n/\nC W\n\n", "C W"),
        ("", ""),
        (" /\n/ ", ""),
        # As long and as wide as can be.
        ("C" + " " * 9_999, "C"),
        ("W " * 64, " ".join("W" * 64)),
    ],
)
def test_accepted_kingdom_lines(text, line):
    assert str(Kingdom.parse(text)) == line


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("C W1 G/- F2", "Row 2 has 2 places, but row 1 has 3"),
        ("C W1 G/- F2 - W", "Row 2 has 4 places, but row 1 has 3"),
        ("C W1 G/- FW -", "Row 2, place 2: 'FW' is no square"),
        ("C W12 G", "Row 1, place 2: 'W12' is no square"),
        ("C W\u0661 G", "Row 1, place 2: 'W\u0661' is no square"),
        ("C X G", "Row 1, place 2: 'X' is no square"),
        ("C \u017f G", "Row 1, place 2: '\u017f' is no square"),  # the long s
        ("C W\n\n- X", "Row 3, place 2: 'X'"),
        ("C W//-", "Row 3 has 1 place"),
        ("C " + "W" * 50, "Row 1, place 2: 'WWWWWWWWWWWW...' is no square"),
        ("W" + " " * 10_000, "10,001 characters are too long"),
    ],
)
def test_bad_text_names_its_place(text, place):
    with pytest.raises(NotationError) as caught:
        Kingdom.parse(text)
    assert place in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("text", "kingdoms"),
    [
        ("C W/- F", ["C W/- F"]),
        ("C W\n- F", ["C W\n- F"]),
        ("C W/\n- F\n/G G", ["C W/- F/G G"]),
        ("C W/- F\nC L/- L\r\n", ["C W/- F", "C L/- L"]),
        ("C W/- F\n\n\nW W\n", ["C W/- F", "W W"]),
        ("", [""]),
    ],
)
def test_split_kingdoms(text, kingdoms):
    assert list(split_kingdoms(text)) == kingdoms


def test_second_kingdom_on_next_line_is_refused():
    with pytest.raises(NotationError, match="Line 2 begins another kingdom"):
        Kingdom.parse("C W/- F\nL L/L L")


def test_kingdom_has_places_and_squares():
    kingdom = Kingdom.parse(LINE)
    assert (kingdom.height, kingdom.width) == (2, 3)
    assert kingdom[0, 0] is CASTLE and kingdom[1, 1] == Square(Terrain.FOREST, 2)
    squares = [f"{position_name(at)} {square}" for at, square in kingdom.squares().items()]
    assert squares == ["b1 W1", "c1 G", "b2 F2"]
    assert Kingdom(()).width == 0
    assert Kingdom.of_cells({}) == Kingdom(()) == eval(repr(Kingdom(())))


@pytest.mark.parametrize(
    ("line", "trimmed", "box"),
    [
        ("- - -/- C W/- - -", "C W", (1, 1, 1, 2)),
        ("C W/- -", "C W", (0, 0, 0, 1)),
        ("- -/- -", "", None),
    ],
)
def test_bounding_box(line, trimmed, box):
    kingdom = Kingdom.parse(line)
    assert str(kingdom.trimmed()) == trimmed
    assert kingdom.box() == box


def test_turned_kingdom():
    kingdom = Kingdom.parse(LINE)
    assert str(kingdom.turned()) == "- C/F2 W1/- G"
    assert str(kingdom.turned(2)) == "- F2 -/G W1 C"
    assert kingdom.turned(-1).turned(5) == kingdom


@pytest.mark.parametrize(
    ("positions", "names"),
    [
        ([(0, 0), (11, 25), (0, 26), (0, 63)], "a1, aa1, bl1, z12"),
        ([(0, 0), (0, -1), (-1, 0), (-2, -6)], "u-1, a0, z1, a1"),
        ([(1, 1), (0, 2)], "c1, b2"),
    ],
)
def test_names_of_positions(positions, names):
    assert position_names(positions) == names


@given(any_kingdoms())
def test_repr_makes_the_kingdom_again(kingdom):
    assert eval(repr(kingdom)) == kingdom
    assert "\n" not in repr(kingdom)


def test_rules_take_a_kingdom_or_its_line():
    line = "F L1 W M3 S/W L1 W1 M M2/W W C W W/W1 W L1 L G2/F S2 W - -"
    kingdom = Kingdom.parse(line)
    for judge in (score, problems, is_legal):
        assert judge(line) == judge(kingdom)
        with pytest.raises(NotationError):
            judge("no kingdom")


def test_notebook_shows_kingdom_and_sheet():
    kingdom = Kingdom.parse("C W1 G2")
    assert ">W1<" in kingdom._repr_html_() and kingdom._repr_html_().count("<td") == 3
    shown = score(kingdom, Rules(harmony=True))._repr_html_()
    assert "<td>wheat</td><td>1 x 1</td><td>1</td>" in shown
    assert "<td>Harmony</td><td></td><td>0</td>" in shown and "<td>3</td>" in shown


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(None,)], "tuple of tuples"),
        (((None,), [None]), "tuple of tuples"),
        (((None,), (None, None)), "equally long"),
        ((("W1",),), "a Square, CASTLE or None"),
        (((None,) * 300,) * 300, "at most 64 rows and columns"),
    ],
)
def test_malformed_rows_are_refused(rows, message):
    with pytest.raises(RulesError, match=message):
        Kingdom(rows)


def test_line_has_at_most_64_squares():
    with pytest.raises(RulesError, match="at most 64 rows and columns"):
        Kingdom.parse("W " * 65)


def test_square_has_up_to_nine_crowns():
    assert str(Kingdom.parse("W9")) == str(Square(Terrain.WHEAT, 9)) == "W9"
    for crowns in (-1, 10, True, 1.0):
        with pytest.raises(RulesError, match="0 to 9 crowns"):
            Square(Terrain.WHEAT, crowns)  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="str is no terrain; give such as"):
        Square("wheat")  # type: ignore[arg-type]


@pytest.mark.parametrize("at", [(-1, 0), (0, -1), (2, 0), (0, 3)])
def test_places_outside_are_refused(at):
    kingdom = Kingdom.parse(LINE)
    assert at not in kingdom and (1, 2) in kingdom
    with pytest.raises(RulesError, match=r"is no \(row, col\) of the 2x3 grid"):
        kingdom[at]
