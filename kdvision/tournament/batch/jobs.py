"""What is to be scored: photos from folders, from the command line, or from a table."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from kdvision.errors import UsageError
from kdvision.files import shown
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.report.text.table import printable
from kdvision.tournament.sheets.fields import RULES, WHO, find_photo, game_options
from kdvision.tournament.sheets.sheet import SUFFIXES, Row, Sheet, read_sheet

#: Files of a folder that are taken for photos. What is named by itself is always tried.
PHOTO_SUFFIXES = (".jpg", ".jpeg", ".jfif", ".png", ".webp", ".heic", ".heif", ".avif")

_NUMBERS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Job:
    """One photo to be scored.

    `name` is what the results call it, `who` has the columns of `WHO` that are known.
    """

    path: Path
    name: str
    options: GameOptions
    who: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LineProblem:
    """A line of a table that cannot be used, and why, in a sentence."""

    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


def collect_jobs(
    paths: Iterable[str | os.PathLike[str]], options: GameOptions = DEFAULT_OPTIONS
) -> tuple[list[Job], list[LineProblem]]:
    """The photos of folders (with the folders in them), files and tables, in a stable order.

    Folders give their photos as people sort them, `2.jpg` before `10.jpg`. A photo that is named
    twice is scored once; the lines of a table all count.

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
        if path.suffix.lower() in SUFFIXES and not path.is_dir():
            more, wrong = table_jobs(read_sheet(path), options)
            jobs += more
            problems += wrong
            continue
        for photo in _photos(path) if path.is_dir() else [path]:
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
    sheet.require(("photo",), known=(*WHO, *RULES))
    jobs, problems = [], []
    for row in sheet.rows:
        try:
            jobs.append(row_job(sheet, row, options))
        except ValueError as error:
            problems.append(LineProblem(sheet.where(row), str(error)))
    return jobs, problems


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
    who = {column: printable(row.fields[column]) for column in WHO if row.fields.get(column)}
    return Job(path, shown(name), game_options(row.fields, options), who)


def _photos(folder: Path) -> Iterator[Path]:
    """The photos of a folder and of the folders in it, without hidden ones."""
    for where, folders, files in os.walk(folder):
        folders[:] = sorted((name for name in folders if not name.startswith(".")), key=_natural)
        for name in sorted(files, key=_natural):
            if PurePath(name).suffix.lower() in PHOTO_SUFFIXES and not name.startswith("."):
                yield Path(where) / name


def _natural(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    """A key that sorts the numbers in names by value, and before letters."""
    parts = filter(None, _NUMBERS.split(name.casefold()))
    return [(False, int(part), "") if part.isdecimal() else (True, 0, part) for part in parts], name
