"""Tables and long lines as plain text, alike on a screen, in a file and in a test."""

import os
import sys
import textwrap
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Any

#: Characters per line where nothing says how many there is room for.
WIDTH = 100
#: No line is made shorter than this, however narrow the terminal.
_NARROWEST = 20


def plain_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], numbers: Iterable[str] = ()
) -> str:
    """A table without colours or frame, as wide as a terminal that is written to has room for.

    Names longer than their column are folded.

    Args:
        columns: The headings.
        rows: The cells, as many per row as there are columns.
        numbers: The headings of columns that are set flush right.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE, pad_edge=False, show_edge=False)
    flush_right = set(numbers)
    for column in columns:
        table.add_column(
            column, justify="right" if column in flush_right else "left", overflow="fold"
        )
    for row in rows:
        table.add_row(*(Text(printable(str(cell))) for cell in row))
    out = StringIO()
    Console(
        file=out, width=terminal_width(sys.stdout) or WIDTH, color_system=None, legacy_windows=False
    ).print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip().splitlines())


def printable(text: str) -> str:
    """Text without what could move the cursor or change colours."""
    return "".join(character if character.isprintable() else "?" for character in text)


def terminal_width(stream: Any) -> int | None:
    """The columns of the terminal that a stream writes to; None where it is none."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError, AttributeError):  # a file, a pipe, or closed
        return None
    return max(columns, _NARROWEST) if columns else None


def wrapped(text: str, width: int | None) -> str:
    """Text whose lines are no longer than a width, broken between words; None leaves it.

    What goes on in the next line is set in as far as the line that it belongs to. A word that is
    longer than a line, such as the name of a file, stays whole.
    """
    if width is None:
        return text
    return "\n".join(
        _wrapped_line(line, width) if len(line) > width else line for line in text.split("\n")
    )


def _wrapped_line(line: str, width: int) -> str:
    inset = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(
        line,
        width,
        subsequent_indent=inset,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )
