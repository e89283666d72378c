"""Score sheets and tables as text, plain or in colour."""

import os
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from kdvision.report.palette import CASTLE_PAINT, DOUBT_COLOUR, PAINTS
from kdvision.report.wording import (
    KingdomSheet,
    Note,
    closing_line,
    column_names,
    doubtful_cells,
    kingdom_names,
    make_sheets,
    photo_notes,
    photo_repair,
    row_message,
    row_names,
    status_text,
)
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.kingdom import Cell, cell_text
from kdvision.rules.terrain import Square
from kdvision.sentences import text_of

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


def csv_lines(photo: PhotoResult, *, head: bool = False) -> str:
    """The lines of one photo for `--csv`, with headings above or without, and no break at the end.

    The columns are those of a sheet.
    """
    import csv  # only here: most sheets are no tables

    out = StringIO()
    writer = csv.DictWriter(out, CSV_COLUMNS, lineterminator="\n")
    if head:
        writer.writeheader()
    if not photo.kingdoms:
        about = {"status": photo.status, "explanation": printable(photo.message)}
        writer.writerow({"photo": photo.photo, **about})
    for letter, kingdom in zip(kingdom_names(photo), photo.kingdoms, strict=True):
        score = kingdom.score if kingdom.scored else None
        row = {"photo": photo.photo, "kingdom": letter, "score": score}
        row |= {"colour": kingdom.colour, "status": kingdom.status}
        row["reading"] = kingdom.line
        row["counts"] = score if kingdom.status is Status.SURE else None
        row["explanation"] = printable(row_message(photo, kingdom))
        writer.writerow(row)
    return out.getvalue().removesuffix("\n")


def printable(text: str) -> str:
    """Text without what could move the cursor or change colours; any blank is a plain one."""
    return "".join(letter for letter in re.sub(r"\s", " ", text) if letter.isprintable())


def terminal_width(stream: Any) -> int | None:
    """The columns of the terminal that a stream writes to; None where it is none."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError, AttributeError):  # a file, a pipe, or closed
        return None
    return max(columns, _NARROWEST) if columns else None


def wrap_lines(text: str, width: int | None) -> str:
    """Text whose lines are no longer than a width, broken between words; None leaves it.

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
}


def text_report(result: PhotoResult, width: int | None = None) -> str:
    """All sheets of one photo as plain text, without a line break at the end.

    No sentence is wider than `width` characters; None leaves them on a line each.
    """
    report = _report_lines(result, width)
    lines = ("".join(text for text, _ in line).rstrip() for line in report)
    return "\n".join(lines)


def styled_report(result: PhotoResult, width: int | None = None) -> "Text":
    """The same in colour, to be printed with rich."""
    from rich.text import Text

    lines = _report_lines(result, width)
    return Text("\n").join([Text.assemble(*line) for line in lines])


def short_report(result: PhotoResult) -> str:
    """A line per kingdom: `table.jpg A: blue, 75, sure`, of a doubtful one with the reason."""
    if not result.kingdoms:
        return f"{result.photo}: {result.status.value}".strip(": ")
    lines = []
    for kingdom, letter in zip(result.kingdoms, kingdom_names(result), strict=True):
        # A typed kingdom has no name, and nothing to be sure of.
        name = " ".join(filter(None, (result.photo, letter)))
        total = str(kingdom.score)
        state = ", ".join(filter(None, (kingdom.colour, total, kingdom.status.value)))
        line = f"{name}: {state}" if name else total
        line = ". ".join(filter(None, (line, row_message(result, kingdom))))
        lines.append(line)
    return "\n".join(lines)


def _report_lines(result: PhotoResult, width: int | None) -> Iterator[list[Span]]:
    """The lines of all sheets, and what is said of the photo below them."""
    for number, sheet in enumerate(make_sheets(result)):
        if number:
            yield []
        yield from _sheet_lines(sheet, width)
    below = [Note("doubt", text) for text in photo_notes(result)] + photo_repair(result)
    for group in (below, [Note("total", closing_line(result))]):
        if any(note.text for note in group):
            yield []
            yield from _note_lines(group, width)


def _sheet_lines(sheet: KingdomSheet, width: int | None) -> Iterator[list[Span]]:
    if sheet.title:
        yield [(printable(sheet.title), _TITLE)]
        yield []
    yield from _grid_lines(sheet.result)
    yield []
    yield from _point_lines(sheet)
    if sheet.unplayed or sheet.notes:
        yield []
    if sheet.unplayed:
        yield [(wrap_lines(sheet.unplayed, width), _QUIET)]
    yield from _note_lines(sheet.notes, width)


def _note_lines(notes: Iterable[Note], width: int | None) -> Iterator[list[Span]]:
    """A line per note; a command that is to be pasted is never broken."""
    for note in notes:
        text = note.text if note.kind == "command" else wrap_lines(note.text, width)
        yield [("\n".join(map(printable, text.split("\n"))), _NOTE_STYLES[note.kind])]


def _grid_lines(result: KingdomResult) -> Iterator[list[Span]]:
    """The squares with column letters and row numbers, and a question mark at doubtful ones."""
    names = row_names(result)
    doubtful = doubtful_cells(result)
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
    if mark:
        return f"bold #ffffff on {DOUBT_COLOUR}"
    if cell is None:
        return ""
    paint = PAINTS[cell.terrain] if isinstance(cell, Square) else CASTLE_PAINT
    return f"{paint.ink} on {paint.fill}"


def _point_lines(sheet: KingdomSheet) -> Iterator[list[Span]]:
    """A line per territory that is worth something, per bonus in play, and the total."""
    for territory in sheet.scoring:
        count = f"{territory.squares:>3} x {territory.crowns:<2} = {territory.points:>3}"
        paint = PAINTS[territory.terrain]
        name = (f"{territory.terrain.value}", f"{paint.ink} on {paint.fill}")
        gap = " " * (15 - len(territory.terrain.value))
        yield [name, (gap + count, ""), (f"   {sheet.place(territory)}", _QUIET)]
    squares, where = sheet.worthless
    if squares:
        yield [(f"{'no crowns':<15}{squares:>3} x 0  =   0   {where}", _QUIET)]
    for bonus in sheet.bonuses:
        points = f"{bonus.name:<15}{f'+{bonus.counted_points}':>11}"
        yield [(points, ""), (f"   {text_of(bonus)}", _QUIET)]
    style = _STATUS_STYLES.get(sheet.result.status, _TITLE)
    size = f"{sheet.result.size}x{sheet.result.size}"
    yield [
        (f"{'Total':<15}{sheet.result.score:>11}", style),
        (f"   {', '.join(filter(None, (size, status_text(sheet.result))))}", style),
    ]
