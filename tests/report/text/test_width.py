"""Text that fits a terminal, without a word broken at its edge."""

import io
import os
import sys
from pathlib import Path

import pytest

from kdvision.report.text.table import terminal_width, wrapped

FACTS = [
    ("short", 20, "short"),
    ("", 20, ""),
    ("one two three four five", 13, "one two three\nfour five"),
    ("    one two three four", 13, "    one two\n    three\n    four"),
    ("a first line\n\nb", 5, "a\nfirst\nline\n\nb"),
    ("see photos/of/the/evening.jpg now", 10, "see\nphotos/of/the/evening.jpg\nnow"),
    ("well-known rules", 12, "well-known\nrules"),
    ("one two three four five", None, "one two three four five"),
]


@pytest.mark.parametrize(("text", "width", "lines"), FACTS)
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
