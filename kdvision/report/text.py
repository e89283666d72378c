"""Score sheets and tables as text, plain or in colour."""

import os
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from kdvision.report.palette import CASTLE_PAINT, DOUBT_COLOUR, PAINTS
from kdvision.report.wording import (
    KingdomSheet,
    Note,
    closing_line,
    column_names,
    kingdom_names,
    make_sheets,
    photo_notes,
    photo_repair,
    places_to_check,
    row_message,
    row_names,
    unplayed_text,
)
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.kingdom import Cell, cell_text
from kdvision.rules.terrain import Square
from kdvision.sentences import ENGLISH, sentence, text_of

if TYPE_CHECKING:
    from rich.text import Text

#: Characters per line where nothing says how many there is room for.
WIDTH = 100
#: The columns of `kdscore --csv`.
CSV_COLUMNS = ("photo", "kingdom", "colour", "score", "status", "counts", "explanation", "reading")
#: No line is made shorter than this, however narrow the terminal.
_NARROWEST = 20


def plain_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], numbers: Iterable[str] = ()
) -> str:
    """Return a table without colours or frame, as wide as the terminal that is written to.

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
        side: Literal["left", "right"] = "right" if column in flush_right else "left"
        table.add_column(column, justify=side, overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(str(cell))) for cell in row))
    out = StringIO()
    width = terminal_width(sys.stdout) or WIDTH
    Console(file=out, width=width, color_system=None, legacy_windows=False).print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip().splitlines())


def csv_lines(photo: PhotoResult, language: str = ENGLISH, *, head: bool = False) -> str:
    """Return the lines of one photo for `--csv`, with headings above or without.

    The columns are those of a sheet. There is no line break at the end.
    """
    import csv  # only here: most sheets are no tables

    out = StringIO()
    writer = csv.DictWriter(out, CSV_COLUMNS, lineterminator="\n")
    if head:
        writer.writeheader()
    if not photo.kingdoms:
        explanation = printable(photo.why(language))
        writer.writerow({"photo": photo.photo, "status": photo.status, "explanation": explanation})
    for letter, kingdom in zip(kingdom_names(photo), photo.kingdoms, strict=True):
        row: dict[str, object] = {"photo": photo.photo, "kingdom": letter}
        row |= {"colour": kingdom.colour, "status": kingdom.status}
        if kingdom.scored:
            row["score"] = kingdom.score
        if kingdom.status is Status.SURE:
            row["counts"] = kingdom.score
        row["explanation"] = printable(row_message(photo, kingdom, language))
        row["reading"] = kingdom.line
        writer.writerow(row)
    return out.getvalue().removesuffix("\n")


def printable(text: str) -> str:
    """Return text without what could move the cursor or change colours; all blanks are plain."""
    return "".join(filter(str.isprintable, re.sub(r"\s", " ", text)))


def terminal_width(stream: Any) -> int | None:
    """Return the columns of the terminal that a stream writes to; None where it is none."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError, AttributeError):  # a file, a pipe, or closed
        return None
    return max(columns, _NARROWEST) if columns else None


def wrap_lines(text: str, width: int | None) -> str:
    """Return text whose lines are no longer than a width, broken between words; None leaves it.

    What goes on in the next line is set in as far as the line that it belongs to. A word that is
    longer than a line, such as the name of a file, stays whole.
    """
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if width is not None and len(line) > width:
            lines[index] = textwrap.fill(
                line,
                width,
                subsequent_indent=line[: len(line) - len(line.lstrip())],
                break_long_words=False,
                break_on_hyphens=False,
                replace_whitespace=False,
            )
    return "\n".join(lines)


# ---------------------------------------------------------------------- the sheet

#: A text and its style, as rich writes it: `bold`, `#ffffff on #1d7a46`.
Span = tuple[str, str]

#: The style of titles.
_TITLE = "bold"
#: The style of what may be skipped.
_QUIET = "dim"
_STATUS_STYLES = {Status.SURE: "bold green", Status.DOUBTFUL: "bold yellow"}
_NOTE_STYLES = {
    "doubt": "yellow",
    "problem": "red",
    "warning": "yellow",
    "advice": "bold",
    "command": "bold cyan",
    "total": "bold",
    "quiet": _QUIET,
}


def text_report(result: PhotoResult, width: int | None = None, language: str = ENGLISH) -> str:
    """Return all sheets of one photo as plain text, without a line break at the end.

    No sentence is wider than `width` characters; None leaves them on a line each.
    """
    lines = []
    for line in _report_lines(result, width, language):
        lines.append("".join(text for text, _ in line).rstrip())
    return "\n".join(lines)


def styled_report(result: PhotoResult, width: int | None = None, language: str = ENGLISH) -> "Text":
    """Return the same in colour, to be printed with rich."""
    from rich.text import Text

    lines = [Text.assemble(*line) for line in _report_lines(result, width, language)]
    return Text("\n").join(lines)


def short_report(result: PhotoResult, language: str = ENGLISH) -> str:
    """Return a line per kingdom: `table.jpg A: blue, 75, sure`; a doubtful one has the reason."""
    if not result.kingdoms:
        return f"{result.photo}: {result.status.value}".strip(": ")
    lines = []
    for kingdom, letter in zip(result.kingdoms, kingdom_names(result), strict=True):
        name = " ".join(filter(None, (result.photo, letter)))
        # A typed kingdom has no name, and nothing to be sure of.
        line = str(kingdom.score)
        if name:
            colour = sentence(f"colour.{kingdom.colour}", language) if kingdom.colour else ""
            status = sentence(f"status.{kingdom.status}", language)
            line = f"{name}: {', '.join(filter(None, (colour, line, status)))}"
        message = row_message(result, kingdom, language)
        lines.append(". ".join(filter(None, (line, message))))
    return "\n".join(lines)


def _report_lines(result: PhotoResult, width: int | None, language: str) -> Iterator[list[Span]]:
    """Yield the lines of all sheets, and what is said of the photo below them."""
    for number, sheet in enumerate(make_sheets(result, language)):
        if number:
            yield []
        yield from _sheet_lines(sheet, width, has_key=not number)
    unplayed = [Note("quiet", unplayed_text(result, language))]
    doubts = [Note("doubt", text) for text in photo_notes(result, language)]
    doubts += photo_repair(result, language)
    closing = [Note("total", closing_line(result, language))]
    for group in (unplayed, doubts, closing):
        if any(note.text for note in group):
            yield []
            yield from _note_lines(group, width)


def _sheet_lines(sheet: KingdomSheet, width: int | None, *, has_key: bool) -> Iterator[list[Span]]:
    """Yield the lines of one kingdom; the first of a photo has a key of its letters."""
    if sheet.title:
        yield [(printable(sheet.title), _TITLE)]
        yield []
    yield from _grid_lines(sheet.result)
    if has_key:
        yield []
        key = sentence("score-sheet.key", sheet.language)
        if places_to_check(sheet.result):
            key += sentence("score-sheet.key-doubtful", sheet.language)
        yield [(wrap_lines(key, width), _QUIET)]
    yield []
    yield from _point_lines(sheet)
    if sheet.notes:
        yield []
    yield from _note_lines(sheet.notes, width)


def _note_lines(notes: Iterable[Note], width: int | None) -> Iterator[list[Span]]:
    """Yield a line per note; a command that is to be pasted is never broken."""
    for note in notes:
        text = note.text if note.kind == "command" else wrap_lines(note.text, width)
        yield [("\n".join(map(printable, text.split("\n"))), _NOTE_STYLES[note.kind])]


def _grid_lines(result: KingdomResult) -> Iterator[list[Span]]:
    """Yield the squares with column letters and row numbers; doubtful ones have a `?`."""
    names = row_names(result)
    doubtful = places_to_check(result)
    margin = max(map(len, names), default=0)
    heads = [f" {name:<3}" for name in column_names(result)]
    yield [(" " * (margin + 1) + "".join(heads), _QUIET)]
    for row, (name, cells) in enumerate(zip(names, result.kingdom.rows, strict=True)):
        line = [(f"{name:>{margin}} ", _QUIET)]
        for col, cell in enumerate(cells):
            mark = "?" if (row, col) in doubtful else ""
            line.append((f" {cell_text(cell) + mark:<3}", _cell_style(cell, mark)))
        yield line


def _cell_style(cell: Cell, mark: str) -> str:
    """Return the style of a square."""
    if mark:
        return f"bold #ffffff on {DOUBT_COLOUR}"
    if cell is None:
        return ""
    paint = PAINTS[cell.terrain] if isinstance(cell, Square) else CASTLE_PAINT
    return f"{paint.ink} on {paint.fill}"


# ---------------------------------------------------------------------- the sum

#: Characters that names of terrains and bonuses have room for, at least.
_NAME_WIDTH = 12


class _Columns(Struct, frozen=True):
    """Where the numbers of a sum stand: below the words of their headings.

    Attributes:
        name: Characters of the names.
        headings: The words above squares, crowns and points.
    """

    name: int
    headings: tuple[str, str, str]

    def head(self) -> str:
        """Return the line of the headings."""
        squares, crowns, points = self.headings
        return f"{'':<{self.name}}   {squares}   {crowns}   {points}"

    def product(self, squares: int, crowns: int, points: int) -> str:
        """Return squares times crowns, behind a name."""
        wide = [len(heading) for heading in self.headings]
        times = f"{squares:>{wide[0]}} x {crowns:>{wide[1]}}"
        return f"   {times} = {points:>{wide[2]}}"

    def points(self, points: str) -> str:
        """Return points alone, behind a name."""
        return f"{points:>{len(self.head()) - self.name}}"


def _point_lines(sheet: KingdomSheet) -> Iterator[list[Span]]:
    """Yield a line per territory that is worth something, per bonus in play, and the total."""
    # The names of all lines, and the columns of numbers behind them.
    language, result = sheet.language, sheet.result
    no_crowns = sentence("score-sheet.no-crowns", language)
    total = sentence("score-sheet.total", language)
    bonuses = [sentence(f"bonus.{bonus.code}", language) for bonus in sheet.bonuses]
    longest = max([no_crowns, total, *bonuses], key=len)
    columns = _Columns(
        max(_NAME_WIDTH, len(longest)),
        (
            sentence("score-sheet.squares", language),
            sentence("score-sheet.crowns", language),
            sentence("score-sheet.points", language),
        ),
    )
    yield [(columns.head(), _QUIET)]
    # Territories, first those that are worth something.
    for territory in sheet.scoring:
        name, paint = sentence(f"terrain.{territory.terrain}", language), PAINTS[territory.terrain]
        gap = " " * (columns.name - len(name))
        product = columns.product(territory.squares, territory.crowns, territory.points)
        colour = f"{paint.ink} on {paint.fill}"
        yield [(name, colour), (gap + product, ""), (f"   {sheet.place(territory)}", _QUIET)]
    squares, where = sheet.worthless
    if squares:
        product = columns.product(squares, 0, 0)
        yield [(f"{no_crowns:<{columns.name}}{product}   {where}", _QUIET)]
    # Bonuses, and the total.
    for bonus, name in zip(sheet.bonuses, bonuses, strict=True):
        points = columns.points(f"+{bonus.counted_points}")
        reason = text_of(bonus, language)
        yield [(f"{name:<{columns.name}}{points}", ""), (f"   {reason}", _QUIET)]
    style = _STATUS_STYLES.get(result.status, _TITLE)
    points = columns.points(str(result.score))
    yield [(f"{total:<{columns.name}}{points}", style), (f"   {sheet.status}", style)]
