"""A table of a ranking: its columns by name, its cells as they are shown."""

from itertools import compress

from msgspec import Struct

from kdvision.report.text import plain_table
from kdvision.sentences import ENGLISH, sentence

#: The columns that hold numbers, which are set flush right.
NUMBERS = ("rank", "victories", "place-points", "best", "total", "largest", "crowns")


class Table(Struct, frozen=True):
    """A table of a ranking.

    Attributes:
        title: What it is called.
        columns: The names of its columns, whose headings are sentences.
        rows: The cells of every row.
    """

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]

    @property
    def used(self) -> "Table":
        """The table without columns that are empty in every row."""
        is_filled = [any(map(str, cells)) for cells in zip(*self.rows, strict=True)]
        columns = tuple(compress(self.columns, is_filled))
        rows = [tuple(compress(row, is_filled)) for row in self.rows]
        return Table(self.title, columns, rows)

    def headings(self, language: str = ENGLISH) -> list[str]:
        """Return what stands above its columns."""
        return [sentence(f"html.head.{column}", language) for column in self.columns]

    def text(self, language: str = ENGLISH) -> str:
        """Return it as text below its title; headings of numbers have a word on each line."""
        headings = []
        numbers = []
        for column, heading in zip(self.columns, self.headings(language), strict=True):
            if column in NUMBERS:
                heading = heading.replace(" ", "\n")
                numbers.append(heading)
            headings.append(heading)
        return f"{self.title}\n{plain_table(headings, self.rows, numbers=numbers)}"
