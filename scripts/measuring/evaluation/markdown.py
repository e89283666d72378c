"""Tables of measurements as Markdown, between the marks of a page."""

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table


def markdown(tables: Sequence[Table]) -> str:
    """Return tables as Markdown, each with its title in bold."""
    parts = []
    for table in tables:
        head = " | ".join(str(column.header) for column in table.columns)
        lines = [f"**{table.title}**\n", f"| {head} |", f"|{'---|' * len(table.columns)}"]
        cells = [list(column.cells) for column in table.columns]
        for row in zip(*cells, strict=True):
            lines.append(f"| {' | '.join(map(str, row))} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def fill(page: Path, name: str, text: str) -> None:
    """Replace what stands in a page between `<!-- name -->` and `<!-- /name -->`."""
    first, last = f"<!-- {name} -->\n", f"\n<!-- /{name} -->"
    before, rest = page.read_text("utf-8").split(first)
    page.write_text(f"{before}{first}{text}{last}{rest.split(last)[1]}", "utf-8")
