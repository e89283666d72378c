"""The sheet as plain text."""

import io
import os
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from kdvision.reading import Doubt, DoubtCode
from kdvision.report.text import WIDTH, plain_table, printable, terminal_width, text_report, wrapped
from kdvision.result import PhotoResult, Status
from tests.support.results import (
    DOUBTFUL,
    DOUBTFUL_PHOTO,
    EXAMPLE,
    PHOTO,
    TWO_KINGDOMS,
    plain,
    read_kingdom,
)

SHEET = """\
table.jpg

   a   b   c   d   e
1  C   W1  G   G   G
2  W   W   G2  -   -
3  S   L1  L   F   -
4  S   L   L   L1  -
5  M2  -   -   -   -

lake             5 x 2  =  10   b3
grassland        4 x 2  =   8   c1
wheat            3 x 1  =   3   b1
mine             1 x 2  =   2   a5
no crowns        3 x 0  =   0   swamp a3; forest d3
Total                   23   5x5, sure"""


def test_the_sheet_of_the_publishers_example():
    assert text_report(PHOTO) == SHEET


def test_a_doubtful_total_says_so_beside_the_number():
    text = text_report(DOUBTFUL_PHOTO)
    assert "Total                   23   5x5, not sure\n\nIt is too dark" in text
    assert "23, or 28 if b3 has two crowns (12 %)\n" in text


def test_bonuses_in_play_stand_with_the_points():
    text = text_report(replace(PHOTO, kingdoms=(read_kingdom("C F1", harmony=True),)))
    assert "Harmony                 +0   2 of 25 places" in text
    assert "Middle Kingdom" not in text


def test_several_kingdoms_come_one_after_the_other():
    text = text_report(TWO_KINGDOMS)
    assert text.index("two.jpg, kingdom A") < text.index("two.jpg, kingdom B")
    assert text.endswith("be sure.\n\nTotals: A 1, B 23 (not sure). B leads, not sure.")


def test_warnings_stand_with_their_kingdom_and_no_sentence_twice():
    blurred, glare = Doubt(DoubtCode.BLURRED), Doubt(DoubtCode.GLARE)
    left_out = Doubt(DoubtCode.CUT_OFF_LEFT_OUT)
    kingdoms = [
        read_kingdom("C F1 W", warnings=(left_out,)),
        replace(DOUBTFUL, warnings=(blurred, glare, left_out)),
    ]
    reasons = blurred.sentence, left_out.sentence
    text = text_report(PhotoResult("two.jpg", Status.DOUBTFUL, reasons, tuple(kingdoms)))
    first, rest = text.split("two.jpg, kingdom B")
    second, end = rest.split(left_out.message)
    for said in (blurred.message, glare.message, left_out.message):
        assert text.count(said) == 1
    assert blurred.message in second
    assert glare.message in second
    assert end == "\n\nTotals: A 1, B 23 (not sure). B leads, not sure."
    assert "blurred" not in first
    alone = text_report(PhotoResult("one.jpg", Status.DOUBTFUL, reasons, (kingdoms[1],)))
    assert all(alone.count(one.message) == 1 for one in (blurred, glare, left_out))


def test_a_kingdom_without_a_sensible_total_says_why():
    message = "It is too dark to be sure."
    unknown = replace(DOUBTFUL, probability=0.008, scored=False)
    text = text_report(PhotoResult("dark.jpg", Status.DOUBTFUL, plain(message), (unknown,)))
    assert (
        "Total                    -   5x5, cannot be scored\n\nIt cannot be scored. It is" in text
    )
    assert "23" not in text
    assert "28" not in text
    two = PhotoResult("two.jpg", Status.DOUBTFUL, plain(message), (read_kingdom("C F1 W"), unknown))
    assert text_report(two).endswith("\n\nTotals: A 1, B cannot be scored. Who won is open.")


def test_a_typed_kingdom_has_no_photo_and_no_probability():
    typed = replace(read_kingdom(EXAMPLE, probability=1.0), corners=(), squares=())
    text = text_report(PhotoResult("", Status.SURE, (), (typed,)))
    assert text.startswith("   a   b")
    assert text.endswith("Total                   23   5x5")


def test_a_table() -> None:
    assert plain_table(("Who", "Points"), [("Ann", 7), ("Bob", 10)], numbers=("Points",)) == (
        "Who   Points\n────────────\nAnn        7\nBob       10"
    )


def test_markup_and_control_characters_stay_text() -> None:
    table = plain_table(("Who",), [("[red]x[/]",), ("\x1b[31m:smile:\n",)])
    assert table.splitlines()[2:] == ["[red]x[/]", "?[31m:smile:?"]


def test_long_names_are_folded_and_not_cut() -> None:
    lines = plain_table(("Who", "Points"), [("a" * 150, 7)], numbers=("Points",)).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert "".join(lines).count("a") == 150


def test_printable() -> None:
    assert printable("Zoë 7\t\x07") == "Zoë 7??"
    assert printable("\u202eadA") == "?adA"
    for name in ("علی\u200cرضا", "👩\u200d👧"):
        assert printable(name) == name
    assert printable("Zoë\xa0O\u202fHara\u200e\xad") == "Zoë O Hara"


LINES = [
    ("short", 20, "short"),
    ("", 20, ""),
    ("one two three four five", 13, "one two three\nfour five"),
    ("    one two three four", 13, "    one two\n    three\n    four"),
    ("a first line\n\nb", 5, "a\nfirst\nline\n\nb"),
    ("see photos/of/the/evening.jpg now", 10, "see\nphotos/of/the/evening.jpg\nnow"),
    ("well-known rules", 12, "well-known\nrules"),
    ("one two three four five", None, "one two three four five"),
]


@pytest.mark.parametrize(("text", "width", "lines"), LINES)
def test_lines_break_between_words(text: str, width: int | None, lines: str) -> None:
    assert wrapped(text, width) == lines


@pytest.mark.parametrize(("columns", "width"), [(80, 80), (200, 200), (3, 20), (0, None)])
def test_the_width_of_a_terminal(
    columns: int, width: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = os.terminal_size((columns, 24))
    monkeypatch.setattr(os, "get_terminal_size", lambda number: size)
    assert terminal_width(sys.__stdout__) == width


def test_what_is_no_terminal_has_no_width() -> None:
    assert terminal_width(io.StringIO()) is None
    with Path(os.devnull).open("w") as nothing:
        assert terminal_width(nothing) is None
