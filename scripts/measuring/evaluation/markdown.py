"""Tables of measurements as Markdown, between the marks of a page."""

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table


def markdown(tables: Sequence[Table]) -> str:
    """Tables as Markdown, each with its title in bold."""
    parts = []
    for table in tables:
        rows = [[column.header for column in table.columns], ["---"] * len(table.columns)]
        rows += zip(*(column.cells for column in table.columns), strict=True)
        lines = [f"| {' | '.join(map(str, row))} |" for row in rows]
        parts.append("\n".join([f"**{table.title}**\n", *lines]))
    return "\n\n".join(parts)


def fill(page: Path, name: str, text: str) -> None:
    """Replace what stands in a page between `<!-- name -->` and `<!-- /name -->`."""
    first, last = f"<!-- {name} -->\n", f"\n<!-- /{name} -->"
    before, rest = page.read_text("utf-8").split(first)
    page.write_text(f"{before}{first}{text}{last}{rest.split(last)[1]}", "utf-8")
