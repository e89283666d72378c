"""CSV files as spreadsheets and hands write them.

A CSV is UTF-8, UTF-16 with a byte-order mark, or in a code page of Windows; commas, semicolons or
tabs separate its columns.
"""

import codecs
import csv
import re
from contextlib import suppress
from io import StringIO
from pathlib import Path

from msgspec import Struct

from kdvision.errors import UsageError
from kdvision.files import shown
from kdvision.sentences import Sentence
from kdvision.tournament.cells import Value
from kdvision.tournament.columns import MOST_TITLES, count_headings

_DELIMITERS = ",;\t"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: The code pages of Windows that are guessed, Western Europe before Central Europe.
_CODE_PAGES = ("cp1252", "cp1250")
#: A cell with a letter beyond ASCII.
_FOREIGN = re.compile(r"[^,;\t\r\n\"]*[^\x00-\x7f][^,;\t\r\n\"]*")


class Form(Struct, frozen=True):
    """The form of a CSV.

    Attributes:
        delimiter: What separates its columns.
        is_marked: Whether it begins with a byte-order mark, without which spreadsheets do not take
            it for UTF-8.
    """

    delimiter: str = ","
    is_marked: bool = False


#: The form of what programs write.
PLAIN = Form()


def read_csv(path: Path, data: bytes) -> tuple[list[list[Value]], Form, Sentence | None]:
    """Return the cells of a CSV, its form, and a note where its code page was guessed.

    Args:
        path: What messages call it.
        data: Its bytes.

    Raises:
        UsageError: It is no text, or a quote in it is not closed.
    """
    text, is_plain, note = _decode(path, data)
    form = Form(_find_delimiter(text), not is_plain)
    rows: list[list[Value]] = []
    reader = csv.reader(StringIO(text, newline=""), delimiter=form.delimiter, strict=True)
    try:
        for cells in reader:
            rows.append(list(cells))
    except csv.Error:
        raise UsageError(
            f"A quote is not closed in row {len(rows) + 1} of {shown(path)}.",
            "Close it, or take it out.",
        ) from None
    return rows, form, note


def _find_delimiter(text: str) -> str:
    """Return the delimiter that separates most headings that we know."""
    lines = text.splitlines()[:MOST_TITLES] or [""]

    def count(delimiter: str) -> int:
        return max(count_headings(line.split(delimiter)) for line in lines)

    return max(_DELIMITERS, key=count)


def _decode(path: Path, data: bytes) -> tuple[str, bool, Sentence | None]:
    """Return the text, whether it is UTF-8 without a mark, and a note where that was guessed."""
    encoding = "utf-8"
    for mark, name in _MARKS:
        if data.startswith(mark):
            encoding = name
    with suppress(UnicodeDecodeError):
        text = data.decode(encoding)
        if "\0" not in text:
            return text, encoding == "utf-8", None
    texts: dict[str, str] = {}
    for page in _CODE_PAGES:
        with suppress(UnicodeDecodeError):
            texts[page] = data.decode(page)
    if not texts or b"\0" in data:
        advice = f"Give a CSV or a workbook. To score a photo: kdscore {shown(path)}"
        raise UsageError(f"{shown(path)} is no table.", advice)
    # The page in which most characters are letters; the note shows the first cell that hangs on it.
    page = min(texts, key=lambda page: _count_symbols(texts[page]))
    (word, *_) = _FOREIGN.findall(texts[page])
    fields = {"path": shown(path.name), "page": page.removeprefix("cp"), "word": word[:30]}
    return texts[page], False, Sentence("sheet.code-page", fields)


def _count_symbols(text: str) -> int:
    """Return how many characters are no letters: names have few."""
    return sum(not letter.isalpha() for letter in text)
