"""How wide text for people may be, and its lines broken between words."""

import os
import textwrap
from typing import Any

#: Characters per line where nothing says how many there is room for.
WIDTH = 100
#: No line is made shorter than this, however narrow the terminal.
_NARROWEST = 20


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
