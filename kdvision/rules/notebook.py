"""Tables as notebooks show them."""

from collections.abc import Iterable
from html import escape


def cell_html(text: str, colour: str = "none") -> str:
    """Return a square cell of a table, on a colour of CSS."""
    style = f"background:{colour};color:#000;text-align:center;width:2em;height:2em"
    return f'<td style="{style}">{escape(text)}</td>'


def table_html(rows: Iterable[Iterable[str]]) -> str:
    """Return a table of rows of cells, each cell as HTML."""
    lines = [f"<tr>{''.join(row)}</tr>" for row in rows]
    return f"<table>{''.join(lines)}</table>"
