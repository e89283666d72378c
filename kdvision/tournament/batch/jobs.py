"""What is to be scored: photos from folders, from the command line, or from a table."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kdvision.columns import (
    ENTRY_COLUMNS,
    RULES,
    WHO,
    ColumnNames,
    acceptance,
    fixes_of,
    game_options,
    letter,
    number,
)
from kdvision.corrections import FixPlace, fix_name
from kdvision.errors import UsageError
from kdvision.files import shown
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.report.text.table import printable
from kdvision.tournament.sheets.fields import find_photo
from kdvision.tournament.sheets.sheet import CLAIM_NAMES, read_sheet
from kdvision.tournament.sheets.table import SHEET_SUFFIXES, Row, Sheet

#: Files of a folder that are taken for photos. What is named by itself is always tried.
PHOTO_SUFFIXES = (".jpg", ".jpeg", ".jfif", ".png", ".webp", ".heic", ".heif", ".avif")

_NUMBERS = re.compile(r"(\d+)")


class Entry(Struct, frozen=True):
    """What one line of a table says of one kingdom of a photo.

    Attributes:
        letter: The kingdom of the photo; empty where the line does not say.
        fields: What it says, by the columns `ENTRY_COLUMNS` and by others, which are kept.
        claimed: The total that was counted by hand, None where none was.
    """

    letter: str = ""
    fields: Mapping[str, str] = msgspec.field(default_factory=dict)
    claimed: int | None = None

    @property
    def who(self) -> dict[str, str]:
        """Whose kingdom it is, by the columns `WHO` that are known."""
        return {column: self.fields[column] for column in WHO if self.fields.get(column)}


class Job(Struct, frozen=True):
    """One photo to be scored.

    Attributes:
        path: Where it is.
        name: What the results call it.
        options: The rules that its kingdoms are scored by.
        entries: What tables say of its kingdoms.
        fixes: What a person said of its squares.
    """

    path: Path
    name: str
    options: GameOptions
    entries: tuple[Entry, ...] = ()
    fixes: Mapping[FixPlace, str] = msgspec.field(default_factory=dict)

    @property
    def who(self) -> dict[str, str]:
        """Whose photo it is, where one line names it."""
        return self.entries[0].who if len(self.entries) == 1 else {}


class LineProblem(Struct, frozen=True):
    """A line of a table that cannot be used, and why, in a sentence."""

    where: str
    message: str
    fields: Mapping[str, str] = msgspec.field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


def collect_jobs(
    paths: Iterable[str | os.PathLike[str]],
    options: GameOptions = DEFAULT_OPTIONS,
    names: ColumnNames = CLAIM_NAMES,
    say: Callable[[str], None] = lambda _: None,
) -> tuple[list[Job], list[LineProblem]]:
    """The photos of folders (with the folders in them), files and tables, in a stable order.

    Folders give their photos as people sort them, `2.jpg` before `10.jpg`. A photo that is named
    twice is scored once; the lines of a table all count.

    Args:
        paths: Folders, photos and tables.
        options: The rules where a table says nothing of them.
        names: How the columns of tables may be called.
        say: Takes sentences on what was made of a table that its owner may not expect.

    Returns:
        The photos, and the lines of tables that cannot be used.

    Raises:
        UsageError: A table cannot be read, or there is no photo at all.
    """
    jobs: list[Job] = []
    problems: list[LineProblem] = []
    named: set[str] = set()
    given = [Path(path) for path in paths]
    for path in given:
        if path.suffix.lower() in SHEET_SUFFIXES and not path.is_dir():
            sheet = read_sheet(path, names)
            for note in sheet.notes:
                say(f"{path}: {note}")
            more, wrong = table_jobs(sheet, options)
            jobs += more
            problems += wrong
            continue
        for photo in photos_in(path) if path.is_dir() else [path]:
            if os.path.normcase(photo) not in named:
                named.add(os.path.normcase(photo))
                jobs.append(Job(photo, shown(photo), options))
    if not jobs and not problems:
        where = ", ".join(map(shown, given)) or "what was named"
        raise UsageError(f"There are no photos in {where}.", "Name a folder with photos, or files.")
    return jobs, problems


def table_jobs(sheet: Sheet, options: GameOptions) -> tuple[list[Job], list[LineProblem]]:
    """The photos of a table with the column `photo`, and the lines that cannot be used.

    Raises:
        UsageError: There is no such column.
    """
    sheet.require(("photo",), known=(*ENTRY_COLUMNS, *RULES))
    jobs: list[Job] = []
    problems = []
    for row in sheet.rows:
        try:
            jobs.append(row_job(sheet, row, options))
        except ValueError as error:
            fields = {name: printable(text) for name, text in row.fields.items()}
            problems.append(LineProblem(sheet.where(row), str(error), fields))
    together, wrong = by_photo(jobs)
    return together, [*problems, *wrong]


def by_photo(jobs: Sequence[Job]) -> tuple[list[Job], list[LineProblem]]:
    """Jobs with those of one photo and one set of rules made one.

    What lines say of squares holds for the photo, by whatever rules it is scored. Where two lines
    say different things of one square, it is left as it was read, and said.
    """
    fixes: dict[Path, dict[FixPlace, str]] = {}
    problems = []
    for job in jobs:
        known = fixes.setdefault(job.path, {})
        for place, cell in job.fixes.items():
            if known.setdefault(place, cell) != cell:
                text = f"{fix_name(place)} is corrected twice, to {known[place]} and to {cell}."
                problems.append(LineProblem(job.name, text))
    together: dict[tuple[Path, GameOptions], Job] = {}
    for job in jobs:
        key = job.path, job.options
        first = together.setdefault(key, replace(job, entries=(), fixes=fixes[job.path]))
        together[key] = replace(first, entries=(*first.entries, *job.entries))
    return list(together.values()), problems


def row_job(sheet: Sheet, row: Row, options: GameOptions) -> Job:
    """The photo of one line. Where it is not there, its scoring will say so.

    Raises:
        ValueError: The line cannot be used.
    """
    if row.problem:
        raise ValueError(row.problem)
    name = row.fields.get("photo", "")
    try:
        path = find_photo(name, sheet.path.parent)
    except ValueError:
        if not name:
            raise
        path = sheet.path.parent / name.replace("\\", "/")
    entry = entry_of(row.fields)
    fixes = fixes_of(row.fields, entry.letter)
    return Job(path, shown(name), game_options(row.fields, options), (entry,), fixes)


def entry_of(fields: Mapping[str, str]) -> Entry:
    """What a line says of its kingdom.

    Raises:
        ValueError: A field is wrong.
    """
    known = {column: printable(fields[column]) for column in ENTRY_COLUMNS if fields.get(column)}
    acceptance(fields)
    return Entry(letter(fields), known, number(fields, "claimed"))


def photos_in(folder: Path, *, recursive: bool = True) -> Iterator[Path]:
    """The photos of a folder and of the folders in it, or of it alone; none is hidden."""
    for where, folders, files in os.walk(folder):
        folders[:] = sorted((name for name in folders if not name.startswith(".")), key=_natural)
        for name in sorted(files, key=_natural):
            if PurePath(name).suffix.lower() in PHOTO_SUFFIXES and not name.startswith("."):
                yield Path(where) / name
        if not recursive:
            return


def _natural(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    """A key that sorts the numbers in names by value, and before letters."""
    parts = filter(None, _NUMBERS.split(name.casefold()))
    return [(False, int(part), "") if part.isdecimal() else (True, 0, part) for part in parts], name
