"""Tables of measurements, on the terminal and in Markdown."""

from collections.abc import Sequence

from rich.table import Table


def markdown(script: str, tables: Sequence[Table]) -> str:
    """Tables as Markdown, with the script that wrote them."""
    parts = [f"Written by `{script}`.\n"]
    for table in tables:
        cells = [list(column.cells) for column in table.columns]
        heads = " | ".join(str(column.header) for column in table.columns)
        parts.append(f"\n### {table.title}\n\n| {heads} |\n|{'---|' * len(cells)}\n")
        rows = zip(*cells, strict=True)
        parts.extend(f"| {' | '.join(map(str, row))} |\n" for row in rows)
    return "".join(parts)
