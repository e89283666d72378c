"""Score sheets and tables as plain text: for files, pipes, and terminals without colour.

Besides the sheet itself its dominoes (which are forced, which are open) and what the kingdom could
still reach.
"""

import os
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from kdvision.report.wording import (
    KingdomSheet,
    closing_line,
    column_names,
    kingdom_names,
    listed,
    percent,
    photo_notes,
    place_names,
    row_names,
    sheets_of,
    total_text,
)
from kdvision.result import KingdomResult, PhotoResult
from kdvision.rules.kingdom import cell_text
from kdvision.rules.legality import BREAKS
from kdvision.sentences import text_of

#: Characters per line where nothing says how many there is room for.
WIDTH = 100
#: No line is made shorter than this, however narrow the terminal.
_NARROWEST = 20
#: They join letters of Persian and Indian names, and the parts of an emoji; nothing else moves.
_JOINERS = "\u200c\u200d"
#: Blanks of other widths, as web pages have them, are blanks; marks without a width are left out.
_PLAIN = str.maketrans(
    {
        **dict.fromkeys(["\xa0", *map(chr, range(0x2000, 0x200B)), "\u202f", "\u3000"], " "),
        **dict.fromkeys("\xad\u200b\u200e\u200f\u2060\ufeff"),
    }
)


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


def csv_text(
    columns: Sequence[str], rows: Iterable[Mapping[str, object]], *, head: bool = True
) -> str:
    """Objects as CSV, without a line break at the end.

    Args:
        columns: The fields that are written; where an object has none of that name the cell stays
            empty, as for None. Truth is yes or no.
        rows: The objects.
        head: Whether the names of the columns stand above.
    """
    import csv  # only here: most sheets are no tables

    out = StringIO()
    writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
    if head:
        writer.writeheader()
    for row in rows:
        truth = {name: value for name, value in row.items() if isinstance(value, bool)}
        writer.writerow({**row, **{name: "yes" if truth[name] else "no" for name in truth}})
    return out.getvalue().removesuffix("\n")


def printable(text: str) -> str:
    """Text without what could move the cursor or change colours."""
    plain = text.translate(_PLAIN)
    return "".join(one if one.isprintable() or one in _JOINERS else "?" for one in plain)


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


#: Between the columns of the grid.
_GAP = "  "
#: probability. Pairs that are hardly one domino are left out of the text; JSON has them.
_LEAST_SHOWN = 0.01
#: Names the form of the JSON; it changes when a field changes its meaning.
BEST_SCHEMA = "kdscore-best/1"


def text_report(result: PhotoResult) -> str:
    """All sheets of one photo, without a line break at the end."""
    sheets = ["\n".join(_lines(sheet)) for sheet in sheets_of(result)]
    said = "\n".join(photo_notes(result))
    return "\n\n".join(filter(None, (*sheets, said, closing_line(result))))


def short_report(result: PhotoResult) -> str:
    """A line per kingdom: `table.jpg A: 75, sure`."""
    if not result.kingdoms:
        return f"{result.photo}: {result.status.value}".strip(": ")
    lines = []
    for one, letter in zip(result.kingdoms, kingdom_names(result), strict=True):
        # A typed kingdom has no name, and nothing to be sure of.
        name, total = " ".join(filter(None, (result.photo, letter))), total_text(one)
        lines.append(f"{name}: {total}, {one.status.value}" if name else total)
    return "\n".join(lines)


def text_grid(result: KingdomResult) -> list[str]:
    """The grid with its column letters and row numbers, one string per row."""
    numbers = row_names(result)
    margin = max(map(len, numbers), default=0)
    rows = [(" " * margin, column_names(result))]
    for number, row in zip(numbers, result.kingdom.rows, strict=True):
        rows.append((f"{number:>{margin}}", [cell_text(cell) for cell in row]))
    return [_GAP.join([head, *(f"{text:<2}" for text in texts)]).rstrip() for head, texts in rows]


def _lines(sheet: KingdomSheet) -> Iterator[str]:
    if sheet.title:
        yield f"{sheet.title}\n"
    yield from text_grid(sheet.result)
    yield ""
    lines = [
        (one.terrain.value, one.squares, one.crowns, one.points, sheet.place(one))
        for one in sheet.scoring
    ]
    squares, where = sheet.worthless
    lines += [("no crowns", squares, 0, 0, where)] if squares else []
    for name, squares, crowns, points, where in lines:
        yield f"{name:<15}{squares:>3} x {crowns:<2} = {points:>3}   {where}"
    for bonus in sheet.bonuses:
        yield f"{bonus.name:<15}{f'+{bonus.counted_points}':>11}   {text_of(bonus)}"
    yield f"{'Total':<15}{sheet.total:>11}   {', '.join(filter(None, (sheet.size, sheet.status)))}"
    said = [*filter(None, [sheet.unplayed]), *(note.text for note in sheet.notes)]
    if said:
        yield ""
        yield from said


def domino_report(result: PhotoResult) -> str:
    """The dominoes of all kingdoms of a photo, without a line break at the end."""
    parts = []
    for kingdom, name in zip(result.kingdoms, kingdom_names(result), strict=True):
        head = f"Dominoes of kingdom {name}" if name else "Dominoes"
        parts.append("\n".join([f"{head}: {_domino_count(kingdom)}", *_domino_lines(kingdom)]))
    return "\n\n".join(parts)


def _domino_count(result: KingdomResult) -> str:
    """`10 of 12 are certain`, or why nothing can be said."""
    whole = len(result.kingdom.squares()) // 2
    known = sum(one.probability >= BREAKS.known_from for one in result.dominoes)
    if not result.dominoes:
        return "nothing can be said of them"
    return f"{known} of {whole} {'is' if known == 1 else 'are'} certain"


def _domino_lines(result: KingdomResult) -> Iterator[str]:
    """A line per domino: its squares, what lies on them, its numbers, and what is doubtful."""
    kingdom = result.kingdom
    for domino in result.dominoes:
        if domino.probability < _LEAST_SHOWN:
            continue
        cells = " ".join(cell_text(kingdom[at]) for at in domino.cells)
        notes = []
        if domino.probability < BREAKS.known_from:
            notes.append(percent(domino.probability))
        if domino.broken >= BREAKS.named_from:
            maybe = "" if domino.broken >= BREAKS.known_from else "perhaps "
            notes.append(f"{maybe}touched nothing that fitted when laid")
        places, numbers = place_names(result, domino.cells), numbers_text(domino.numbers)
        yield f"  {places:<8} {cells:<6} {numbers:<20} {', '.join(notes)}".rstrip()


def numbers_text(numbers: Sequence[int]) -> str:
    """`no. 24, 25, 26 or 27`."""
    return f"no. {listed([*map(str, numbers)], 'or')}" if numbers else "not in the deck"
