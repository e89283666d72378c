"""Tables as plain text, alike on a screen, in a file and in a test."""

import sys
from collections.abc import Iterable, Sequence
from io import StringIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kdvision.report.text.width import WIDTH, terminal_width


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
