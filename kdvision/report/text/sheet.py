"""The sheet as plain text: what is printed into a file or a pipe, and without colour."""

from collections.abc import Iterator

from kdvision.report.photo_wording import closing_line, message_of, photo_notes
from kdvision.report.wording import (
    bonus_lines,
    column_names,
    kingdom_names,
    notes,
    row_names,
    scoring_lines,
    status_text,
    total_text,
    worthless_line,
)
from kdvision.result import KingdomResult, PhotoResult
from kdvision.rules.kingdom import cell_text

#: Between the columns of the grid.
_GAP = "  "


def text_report(result: PhotoResult) -> str:
    """All sheets of one photo, without a line break at the end."""
    sheets = [
        "\n".join(_sheet(result, kingdom, name, message_of(result, kingdom)))
        for kingdom, name in zip(result.kingdoms, kingdom_names(result), strict=True)
    ]
    sheets += [text for text in ("\n".join(photo_notes(result)), closing_line(result)) if text]
    return "\n\n".join(sheets)


def short_report(result: PhotoResult) -> str:
    """A line per kingdom: `table.jpg A: 75, sure`."""
    if not result.kingdoms:
        return f"{result.photo}: {result.status.value}".strip(": ")
    return "\n".join(
        _short(one, " ".join(filter(None, (result.photo, name))))
        for one, name in zip(result.kingdoms, kingdom_names(result), strict=True)
    )


def _short(kingdom: KingdomResult, name: str) -> str:
    """A typed kingdom has no name, and nothing to be sure of."""
    total = total_text(kingdom)
    return f"{name}: {total}, {kingdom.status.value}" if name else total


def text_grid(result: KingdomResult) -> list[str]:
    """The grid with its column letters and row numbers, one string per row."""
    numbers = row_names(result)
    margin = max(map(len, numbers), default=0)
    rows = [(" " * margin, column_names(result))]
    for number, row in zip(numbers, result.kingdom.rows, strict=True):
        rows.append((f"{number:>{margin}}", [cell_text(cell) for cell in row]))
    return [_GAP.join([head, *(f"{text:<2}" for text in texts)]).rstrip() for head, texts in rows]


def title(result: PhotoResult, name: str) -> str:
    """The photo, and which of its kingdoms."""
    return ", ".join(part for part in (result.photo, f"kingdom {name}" if name else "") if part)


def _sheet(photo: PhotoResult, result: KingdomResult, name: str, message: str) -> Iterator[str]:
    head = title(photo, name)
    if head:
        yield head
        yield ""
    yield from text_grid(result)
    yield ""
    worthless = worthless_line(result)
    for line in (*scoring_lines(result), *([worthless] if worthless else [])):
        yield (
            f"{line.terrain:<15}{line.squares:>3} x {line.crowns:<2} = {line.points:>3}   {line.at}"
        )
    for bonus in bonus_lines(result):
        value = f"{bonus.value:>11}" if bonus.counted else bonus.value
        yield f"{bonus.name:<15}{value} ({bonus.note})"
    status = status_text(result)
    sheet = f"{result.sheet.size}x{result.sheet.size}"
    yield f"{'Total':<15}{total_text(result):>11}   {', '.join(filter(None, (sheet, status)))}"
    said = [note.text for note in notes(result, message, name)]
    if said:
        yield ""
        yield from said
