"""Tables as CSV of any kind, read so that every line can be written again as it was.

Commas, semicolons or tabs separate columns: those by which the headings make most sense, or what a
line `sep=;` before them says. Text is UTF-8, with or without a byte-order mark, UTF-16 with one, or
else one of the code pages that Excel writes: of Windows, of a Mac, or of MS-DOS (`code_pages`).
"""

import codecs
import csv
from collections.abc import Iterator
from io import StringIO
from itertools import islice
from pathlib import Path

from kdvision.columns import ColumnNames, plain
from kdvision.errors import UsageError
from kdvision.tournament.sheets.code_pages import code_pages
from kdvision.tournament.sheets.table import (
    MAX_ROWS,
    MOST_TITLES,
    Row,
    Sheet,
    empty,
    heading_index,
    row_of,
    too_long,
)

_DELIMITERS = ",;\t"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_csv(path: Path, data: bytes, names: ColumnNames) -> Sheet:
    """Read a CSV.

    Args:
        path: Its name.
        data: Its bytes.
        names: How its columns may be called.

    Raises:
        UsageError: It is no text, is too long, or has no headings.
    """
    text, encoding = _decoded(path, data)
    lines = list(StringIO(text, newline=""))
    if len(lines) > MAX_ROWS:
        raise too_long(path)
    has_mark = bool(lines) and lines[0].strip().lower()[:4] == "sep="
    start = int(has_mark)
    delimiter = (lines[0].strip()[4:5] if has_mark else "") or _delimiter(lines[start:], names)
    records = list(_records(lines, start, delimiter))
    at = heading_index((fields for _, _, fields, _ in records), names)
    broken = next((index for index, record in enumerate(records[: at + 1]) if record[3]), None)
    if at < 0 and records and broken is None:
        broken = next((index for index, record in enumerate(records) if record[3]), None)
    if broken is not None:
        line, _, _, problem = records[broken]
        raise UsageError(f"{path}, line {line}: {problem}", "It must name the columns.")
    if at < 0:
        raise empty(path)
    line, raw, fields, _ = records[at]
    columns = names.read(fields)
    rows = tuple(
        Row(number, {}, text, len(cells), problem)
        if problem
        else row_of(number, columns, cells, text)
        for number, text, cells, problem in records[at + 1 :]
    )
    preamble = "".join([*lines[:start], *(record[1] for record in records[:at])])
    titles = sum(any(map(str.strip, record[2])) for record in records[:at])
    heading = Row(line, {}, raw, len(fields))
    return Sheet(path, columns, heading, rows, preamble, delimiter, encoding, titles)


def split_line(text: str, delimiter: str) -> list[str]:
    """The fields of a record that is whole, blanks around them included."""
    return next(csv.reader(StringIO(text, newline=""), delimiter=delimiter), [])


def _delimiter(lines: list[str], names: ColumnNames) -> str:
    """What separates columns: by it one of the first lines has most names that we know."""
    first = [line for line in lines[: 5 * MOST_TITLES] if line.strip()][:MOST_TITLES]

    def worth(delimiter: str) -> tuple[int, int]:
        known = [
            len({plain(field.strip().strip('"')) for field in line.split(delimiter)} & names.known)
            for line in first
        ]
        if not known or max(known) == 0:
            return 0, first[0].count(delimiter) if first else 0
        best = first[known.index(max(known))]
        return max(known), best.count(delimiter)

    return max(_DELIMITERS, key=worth)


def _decoded(path: Path, data: bytes) -> tuple[str, str]:
    """The text, and the name of its encoding."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    for name in (encoding, *code_pages(data)):
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, name
    raise UsageError(f"{path} is no text.", "Save it as CSV in UTF-8.")


def _records(
    lines: list[str], start: int, delimiter: str
) -> Iterator[tuple[int, str, list[str], str]]:
    """Each record: the number of its line, its text, its fields, and what is wrong with it.

    A quote that is never closed costs its own line only.
    """
    while start < len(lines):
        reader = csv.reader(islice(lines, start, None), delimiter=delimiter, strict=True)
        done = 0
        try:
            for fields in reader:
                end = reader.line_num
                yield start + done + 1, "".join(lines[start + done : start + end]), fields, ""
                done = end
            return
        except csv.Error as error:
            start += done + 1
            reason = "a quote is not closed" if "end of data" in str(error) else str(error)
            yield start, lines[start - 1], [], f"{reason}."
