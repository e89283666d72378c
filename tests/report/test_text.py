"""The sheet as text, plain and in colour."""

import io
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from rich.console import Console

from kdvision.reading import Colour, Doubt, DoubtCode
from kdvision.report.palette import DOUBT_COLOUR, PAINTS, rgb
from kdvision.report.text import (
    WIDTH,
    csv_lines,
    plain_table,
    printable,
    short_report,
    styled_report,
    terminal_width,
    text_report,
    wrap_lines,
)
from kdvision.result import PhotoResult, Status
from tests.support.results import (
    DARK,
    DOUBTFUL,
    DOUBTFUL_PHOTO,
    EXAMPLE,
    FULL,
    NOTHING,
    PHOTO,
    TWO_KINGDOMS,
    read_kingdom,
)

TERRITORIES = """\
               squares   crowns   points
lake                 5 x      2 =     10   b3
grassland            4 x      2 =      8   c1
wheat                3 x      1 =      3   b1
mine                 1 x      2 =      2   a5
no crowns            3 x      0 =      0   swamp a3; forest d3
Total                                 23 """
SHEET = f"""\
table.jpg

   a   b   c   d   e
1  C   W1  G   G   G
2  W   W   G2  -   -
3  S   L1  L   F   -
4  S   L   L   L1  -
5  M2  -   -   -   -

W wheat, F forest, L lake, G grassland, S swamp, M mine, C castle, - empty; 1, 2, 3 crowns

{TERRITORIES}  sure"""

FIXES = (((2, 1), "L1"), ((4, 0), "M2"))
SETTLED = replace(DOUBTFUL_PHOTO.kingdoms[0], fixes=FIXES)
DOUBTFUL_SHEET = f"""\
evening 1/dark.jpg

   a   b   c   d   e
1  C   W1  G   G   G
2  W   W   G2  -   -
3  S   L1? L   F   -
4  S   L   L   L1  -
5  M2? -   -   -   -

W wheat, F forest, L lake, G grassland, S swamp, M mine, C castle, - empty; 1, 2, 3 crowns; ? check

{TERRITORIES}  doubtful

The photo is too dark. Take it again with more light.
Most likely 23; 28 if b3 has two crowns; 22 if d3 is empty and a5 has one crown; \
1 other is less likely.

Check b3 and a5 on the table. Change a value below if it differs, then run:
kdscore 'evening 1/dark.jpg' --fix b3=L1 --fix a5=M2"""


def test_sheet_of_the_publishers_example():
    assert text_report(PHOTO) == SHEET


def test_row_numbers_stay_aligned():
    photo = replace(PHOTO, kingdoms=(read_kingdom("C W/- F/- F/- W", origin=(8, 0)),))
    lines = text_report(photo).splitlines()
    assert {line.find("C") for line in lines if line.startswith(" 9 ")} == {4}
    assert [line[:4] for line in lines if line.startswith("1")] == ["10  ", "11  ", "12  "]


def test_doubtful_sheet_ends_with_its_line():
    photo = replace(DOUBTFUL_PHOTO, photo="evening 1/dark.jpg", kingdoms=(SETTLED,))
    assert text_report(photo) == DOUBTFUL_SHEET
    narrow = text_report(photo, 40).splitlines()
    assert narrow[-1] == DOUBTFUL_SHEET.splitlines()[-1]  # what is pasted is never broken
    assert max(map(len, narrow[-7:-1])) <= 40
    assert "W wheat, F forest, L lake, G grassland," in narrow


HARMONY = read_kingdom("C F1", harmony=True)
SEVEN = replace(SETTLED, size=7)
BLUE = replace(read_kingdom(), colour=Colour.BLUE)
TYPED = replace(read_kingdom(EXAMPLE, probability=1.0), corners=(), squares=())
UNSETTLED = PhotoResult("two.jpg", Status.DOUBTFUL, (), (read_kingdom("C F1 W"), SETTLED))


@pytest.mark.parametrize(
    ("photo", "line"),
    [
        (replace(PHOTO, kingdoms=(HARMONY,)), "Harmony" + " " * 31 + "+0   2 of 25 places"),
        (replace(PHOTO, kingdoms=(read_kingdom(FULL),)), "Not counted: Harmony (+5) and Middle"
         " Kingdom (+10). Add --harmony and --middle-kingdom if you play with them."),
        (replace(PHOTO, kingdoms=(BLUE,)), "table.jpg, blue\n"),
        (replace(PHOTO, photo="", kingdoms=(TYPED,)), "Total                                 23"),
        (TWO_KINGDOMS, "two.jpg, kingdom B\n"),
        (TWO_KINGDOMS, "a different side.\n\nTotals: A 1, B 23 (doubtful). B leads, but"),
        (UNSETTLED, "\nkdscore two.jpg --fix B.b3=L1 --fix B.a5=M2\n"),
        (replace(DOUBTFUL_PHOTO, kingdoms=(SEVEN,)), "kdscore dark.jpg --size 7 --fix b3=L1 "),
        (replace(PHOTO, photo="a\x1b[31m.jpg"), "a[31m.jpg\n"),
    ],
)  # fmt: skip
def test_lines_of_a_sheet(photo, line):
    assert line in text_report(photo)


def test_points_end_in_one_column():
    """However long the name of a bonus is."""
    kingdom = read_kingdom(FULL, harmony=True, middle_kingdom=True)
    text = text_report(replace(PHOTO, kingdoms=(kingdom,)))
    points = re.compile(r"(?:\+|= *|^Total +)\d+")
    ends = [found.end() for line in text.splitlines() if (found := points.search(line))]
    assert len(ends) > 6 and len(set(ends)) == 1


def test_warnings_stand_with_their_kingdom():
    blurred, glare = Doubt(DoubtCode.BLURRED), Doubt(DoubtCode.GLARE)
    left_out = Doubt(DoubtCode.CUT_OFF_LEFT_OUT, fields={"number": 6, "where": "where.top"})
    kingdoms = [read_kingdom("C F1 W"), replace(DOUBTFUL, doubts=(blurred, glare))]
    text = text_report(PhotoResult.of_kingdoms("two.jpg", kingdoms, left_out=[left_out]))
    first, second = text.split("two.jpg, kingdom B")
    for doubt in (blurred, glare, left_out):
        assert (first.count(doubt.message), second.count(doubt.message)) == (0, 1)
    alone = text_report(PhotoResult.of_kingdoms("one.jpg", kingdoms[1:], left_out=[left_out]))
    assert [alone.count(doubt.message) for doubt in (blurred, glare, left_out)] == [1, 1, 1]


@pytest.mark.parametrize(
    ("photo", "text"),
    [
        (PHOTO, "table.jpg: 23, sure"),
        (TWO_KINGDOMS, "two.jpg A: 1, sure\ntwo.jpg B: 23, doubtful. Some squares are unclear."),
        (
            DOUBTFUL_PHOTO,
            f"dark.jpg: 23, doubtful. {DARK.message}",
        ),
        (replace(PHOTO, photo=""), "23"),
        (NOTHING, "empty.jpg: no-kingdom"),
    ],
)
def test_line_per_kingdom(photo, text):
    assert short_report(photo) == text


# ---------------------------------------------------------------------- in colour


def printed(result: PhotoResult, colours: str | None = None) -> str:
    stream = io.StringIO()
    options: dict[str, Any] = {"force_terminal": colours is not None, "color_system": colours}
    Console(file=stream, width=80, **options).print(styled_report(result, 80), soft_wrap=True)
    return stream.getvalue()


@pytest.mark.parametrize("result", [PHOTO, DOUBTFUL_PHOTO, TWO_KINGDOMS, UNSETTLED])
def test_coloured_sheet_says_the_same(result):
    lines = [line.rstrip() for line in printed(result).rstrip().splitlines()]
    assert lines == text_report(result, 80).splitlines()


def light(colour: str) -> float:
    """The luminance of a colour, as WCAG 2 counts it, and a little of the room."""
    parts = [part / 255 for part in rgb(colour)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05


@pytest.mark.parametrize("terrain", PAINTS)
def test_terrains_have_readable_colours(terrain):
    paint = PAINTS[terrain]
    photo = replace(PHOTO, kingdoms=(read_kingdom(f"C {terrain.letter}"),))
    assert "48;2;{};{};{}".format(*rgb(paint.fill)) in printed(photo, "truecolor")
    dark, bright = sorted((light(paint.fill), light(paint.ink)))
    assert bright / dark >= 3.5


def test_doubtful_squares_are_coloured():
    fill = "48;2;{};{};{}".format(*rgb(DOUBT_COLOUR))
    photo = replace(DOUBTFUL_PHOTO, kingdoms=(SETTLED,))
    assert printed(photo, "truecolor").count(f"{fill}m") == len(FIXES)
    assert fill not in printed(PHOTO, "truecolor")


# ---------------------------------------------------------------------- tables and lines


def test_table():
    assert plain_table(("Who", "Points"), [("Ann", 7), ("Bob", 10)], numbers=("Points",)) == (
        "Who   Points\n────────────\nAnn        7\nBob       10"
    )
    table = plain_table(("Who",), [("[red]x[/]",), ("\x1b[31m:smile:\n",)])
    assert table.splitlines()[2:] == ["[red]x[/]", "[31m:smile:"]


def test_long_names_are_folded():
    lines = plain_table(("Who", "Points"), [("a" * 150, 7)], numbers=("Points",)).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert "".join(lines).count("a") == 150


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Zoë 7\t\x07", "Zoë 7 "),
        ("\u202eadA", "adA"),
        ("Zoë\xa0O\u202fHara\u200e\xad", "Zoë O Hara"),
    ],
)
def test_names_cannot_move_the_cursor(name, shown):
    assert printable(name) == shown


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("short", 20, "short"),
        ("one two three four five", 13, "one two three\nfour five"),
        ("    one two three four", 13, "    one two\n    three\n    four"),
        ("a first line\n\nb", 5, "a\nfirst\nline\n\nb"),
        ("see photos/of/the/evening.jpg now", 10, "see\nphotos/of/the/evening.jpg\nnow"),
        ("well-known rules", 12, "well-known\nrules"),
        ("one two three four five", None, "one two three four five"),
    ],
)
def test_lines_break_between_words(text, width, lines):
    assert wrap_lines(text, width) == lines


@pytest.mark.parametrize(("columns", "width"), [(80, 80), (200, 200), (3, 20), (0, None)])
def test_width_of_a_terminal(columns, width, monkeypatch):
    monkeypatch.setattr(os, "get_terminal_size", lambda number: os.terminal_size((columns, 24)))
    assert terminal_width(sys.__stdout__) == width


def test_output_without_terminal_has_no_width():
    assert terminal_width(io.StringIO()) is None
    with Path(os.devnull).open("w") as nothing:
        assert terminal_width(nothing) is None


def test_csv_has_a_line_per_kingdom():
    lines = f"{csv_lines(TWO_KINGDOMS, head=True)}\n{csv_lines(NOTHING)}".splitlines()
    assert lines == [
        "photo,kingdom,colour,score,status,counts,explanation,reading",
        "two.jpg,A,,1,sure,1,,C F1 W",
        f"two.jpg,B,,23,doubtful,,Some squares are unclear.,{EXAMPLE}",
        "empty.jpg,,,,no-kingdom,,No kingdom was found.,",
    ]
