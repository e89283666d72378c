"""Kingdoms and score sheets as notebooks show them."""

from collections.abc import Iterable

from kdvision.rules.terrain import Square, Terrain

_COLOURS = {
    Terrain.WHEAT: "#f2cf4a",
    Terrain.FOREST: "#4f8f4b",
    Terrain.LAKE: "#6aa9e0",
    Terrain.GRASSLAND: "#b5d96a",
    Terrain.SWAMP: "#b7a98a",
    Terrain.MINE: "#9a9a9a",
}


def grid_html(rows: Iterable[Iterable[object]]) -> str:
    """Return the rows of a kingdom as a table: each terrain in its colour, with its crowns."""
    lines = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table>{lines}</table>"


def table_html(lines: Iterable[Iterable[object]]) -> str:
    """Return lines of words and numbers as a table."""
    rows = (f"<tr>{''.join(f'<td>{word}</td>' for word in line)}</tr>" for line in lines)
    return f"<table>{''.join(rows)}</table>"


def _cell(cell: object) -> str:
    colour = _COLOURS[cell.terrain] if isinstance(cell, Square) else "none"
    text = "" if cell is None else str(cell)
    style = f"background:{colour};color:#000;text-align:center;width:2em;height:2em"
    return f'<td style="{style}">{text}</td>'
