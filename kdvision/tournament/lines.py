"""Lines of tables, and the scoring jobs that are made of them.

`SheetLine` is the one record of what people say of a kingdom, for `batch`, `verify`, `standings`,
the desk. A `Job` is a photo to be scored, with all lines that name it.
"""

import os
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kdvision.columns import (
    ENTRY_COLUMNS,
    RULES,
    WHO,
    Acceptance,
    ColumnNames,
    Fields,
    acceptance,
    fixes_of,
    game_options,
    letter,
    number,
)
from kdvision.corrections import FixPlace
from kdvision.errors import UsageError
from kdvision.files import is_drawn, natural_key, shown
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.report.text import printable
from kdvision.tournament.sheets import SHEET_SUFFIXES, Sheet, read_sheet

#: Files of a folder that are taken for photos. What is named by itself is always tried.
PHOTO_SUFFIXES = (".jpg", ".jpeg", ".jfif", ".png", ".webp", ".heic", ".heif", ".avif")

_QUOTES = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u00b4`\u2032\u02bc\uff07", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe58\uff0d", "-"),
    }
)
_T = TypeVar("_T")


def name_key(name: str) -> str:
    """Normalise a name: Unicode form, case, blanks, quotes and dashes."""
    text = unicodedata.normalize("NFKC", name).translate(_QUOTES)
    text = unicodedata.normalize("NFKC", text.casefold())
    text = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    return re.sub(r"\s*([-'])\s*", r"\1", " ".join(text.split()))


class SheetLine(Struct, frozen=True, kw_only=True):
    """One line of a table: what people say of one kingdom of one photo.

    Attributes:
        number: The number of the line in its table, from 1; 0 where there is no table.
        where: The table and the number of the line, for messages.
        player: Whose kingdom it is; empty where the line does not say.
        game: The table at which it was played, by its name.
        round: The round, by its name.
        claimed: The total that was counted by hand; None where none was, or none can be read.
        photo: The name of the photo, or of several, as the line has it.
        letter: The kingdom of the photo; empty where the line names none.
        accepted: The total that a person chose; None where nobody did.
        fixes: The squares that a person corrected.
        options: The options that it is scored by.
        problem: What is wrong with the line, in a sentence; empty where nothing is.
        said: The fields that people wrote, by column.
    """

    number: int = 0
    where: str = ""
    player: str = ""
    game: str = ""
    round: str = ""
    claimed: int | None = None
    photo: str = ""
    letter: str = ""
    accepted: Acceptance | None = None
    fixes: Mapping[FixPlace, str] = msgspec.field(default_factory=dict)
    options: GameOptions = DEFAULT_OPTIONS
    problem: str = ""
    said: Mapping[str, str] = msgspec.field(default_factory=dict)

    @property
    def place(self) -> tuple[str, str]:
        """The round and the game, whichever way they are written."""
        return name_key(self.round), name_key(self.game)

    @property
    def complaint(self) -> str:
        """The problem of the line with its place in the table."""
        return f"{self.where}: {self.problem}" if self.where else self.problem

    @property
    def who(self) -> dict[str, str]:
        """Player, game and round, by the columns of `WHO` that are known."""
        return {column: self.said[column] for column in WHO if self.said.get(column)}


def line_from_fields(
    fields: Fields,
    line_number: int = 0,
    options: GameOptions = DEFAULT_OPTIONS,
    where: str = "",
    others: Iterable[str] = (),
) -> SheetLine:
    """Read a line. What is wrong with it stands in `problem`, and the rest is read.

    Args:
        fields: The texts by column.
        line_number: Its number in the table.
        options: The options where the line names none.
        where: The table and the number of the line.
        others: Columns of people that are not ours, which are carried as well.
    """
    problems: list[str] = []

    def read(reader: Callable[[], _T], default: Any = None) -> _T:
        try:
            return reader()
        except UsageError as error:
            problems.append(str(error))
            return default  # type: ignore[no-any-return]

    columns = (*ENTRY_COLUMNS, *others)
    given = {name: map(printable, fields[name].splitlines()) for name in columns if name in fields}
    lines = {name: (" " if name in WHO else "\n").join(given[name]) for name in given}
    said = {name: text for name, text in lines.items() if text}
    named = read(lambda: letter(fields), "")
    fixes = read(lambda: fixes_of(fields, named), {})
    of_fixes = {place[0] for place in fixes if isinstance(place[0], str)}
    return SheetLine(
        number=line_number,
        where=where,
        player=said.get("player", ""),
        game=said.get("game", ""),
        round=said.get("round", ""),
        claimed=read(lambda: number(fields, "claimed")),
        photo=fields.get("photo", ""),
        letter=named or (min(of_fixes) if len(of_fixes) == 1 else ""),
        accepted=read(lambda: acceptance(fields)),
        fixes=fixes,
        options=read(lambda: game_options(fields, options), options),
        problem=problems[0] if problems else "",
        said=said,
    )


def valid_line(fields: Fields) -> SheetLine:
    """Read a line that must be right.

    Raises:
        UsageError: A field is wrong.
    """
    line = line_from_fields(fields)
    if line.problem:
        raise UsageError(line.problem)
    return line


class Job(Struct, frozen=True):
    """A photo to be scored.

    Attributes:
        path: Where it is.
        name: What the results call it.
        options: The options that its kingdoms are scored by.
        entries: The lines of tables that name it.
        fixes: What a person said of its squares.
    """

    path: Path
    name: str
    options: GameOptions
    entries: tuple[SheetLine, ...] = ()
    fixes: Mapping[FixPlace, str] = msgspec.field(default_factory=dict)

    @property
    def who(self) -> dict[str, str]:
        """Player, game and round of the photo, where one line names it."""
        return self.entries[0].who if len(self.entries) == 1 else {}


# ---------------------------------------------------------------------- jobs


def collect_jobs(
    paths: Iterable[str | os.PathLike[str]],
    options: GameOptions = DEFAULT_OPTIONS,
    names: ColumnNames | None = None,
    say: Callable[[str], None] = lambda _: None,
    photos: Path | None = None,
    worksheet: str | None = None,
) -> tuple[list[Job], list[SheetLine]]:
    """Collect the photos of folders, of those in them, of files and tables, in a stable order.

    Folders give their photos as people sort them, `2.jpg` before `10.jpg`. A photo that is named
    twice is scored once; the lines of a table all count.

    Args:
        paths: Folders, photos and tables.
        options: The options where a table says nothing of them.
        names: How the columns of tables may be called.
        say: Takes sentences on what was made of a table that its owner may not expect.
        photos: See `PhotoFinder`.
        worksheet: See `read_sheet`.

    Returns:
        The photos, and the lines of tables that cannot be used.

    Raises:
        UsageError: A table cannot be read, or there is no photo at all.
    """
    asked: list[Job] = []
    problems: list[SheetLine] = []
    given = [Path(path) for path in paths]
    for path in given:
        if path.suffix.lower() in SHEET_SUFFIXES and not path.is_dir():
            sheet = read_sheet(path, names or ColumnNames(), worksheet)
            for note in sheet.notes:
                say(f"{path}: {note}")
            finder = PhotoFinder(sheet.path.parent, photos)
            lines = read_lines(sheet, options)
            asked += [finder.job(line) for line in lines if not line.problem]
            problems += [line for line in lines if line.problem]
        else:
            found = photos_in(path) if path.is_dir() else [path]
            asked += [Job(photo, shown(photo), options) for photo in found]
    jobs, wrong = merge_by_photo(asked)
    problems += wrong
    photos_named = Counter(name for name, _ in {(job.name, job.path) for job in jobs})
    for index, job in enumerate(jobs):
        if photos_named[job.name] > 1:
            jobs[index] = replace(job, name=shown(job.path))
    if not jobs and not problems:
        where = ", ".join(map(shown, given)) or "what was named"
        raise UsageError(f"There are no photos in {where}.", "Name a folder with photos, or files.")
    return jobs, problems


def read_lines(
    sheet: Sheet, options: GameOptions = DEFAULT_OPTIONS, *, needed: Iterable[str] = ("photo",)
) -> list[SheetLine]:
    """Read the lines of a sheet, those that cannot be used included.

    Raises:
        UsageError: A column that is needed is missing.
    """
    sheet.require(*((column,) for column in needed), known=(*ENTRY_COLUMNS, *RULES))
    lines = []
    for row in sheet.rows:
        line = line_from_fields(row.fields, row.line, options, sheet.where(row))
        problem = row.problem or line.problem or ("" if line.photo else "the photo is missing.")
        lines.append(replace(line, problem=problem))
    return lines


def merge_by_photo(jobs: Sequence[Job]) -> tuple[list[Job], list[SheetLine]]:
    """Merge jobs that ask for the same photo under the same options.

    What lines say of squares holds for the photo, by whatever options it is scored. Where two lines
    say different things of one square, it is left as it was read, and said. Where lines name a
    photo, they say by which options.
    """
    of_photo: defaultdict[str, list[Job]] = defaultdict(list)
    for job in jobs:
        of_photo[_as_one(os.path.normcase(job.path.absolute()))].append(job)
    merged: list[Job] = []
    problems: list[SheetLine] = []
    for every in of_photo.values():
        same = [job for job in every if job.entries] or every
        fixes, twice = agreed_fixes(same[0].name, [job.fixes for job in same])
        problems += twice
        for options in dict.fromkeys(job.options for job in same):
            alike = [job for job in same if job.options == options]
            entries = tuple(line for job in alike for line in job.entries)
            merged.append(replace(alike[0], entries=entries, fixes=fixes))
    return merged, problems


def agreed_fixes(
    photo: str, fixes: Iterable[Mapping[FixPlace, str]]
) -> tuple[dict[FixPlace, str], list[SheetLine]]:
    """Return the corrections of a photo that nobody contradicts, and a line for each other one."""
    said: defaultdict[FixPlace, dict[str, None]] = defaultdict(dict)
    for place, cell in chain.from_iterable(one.items() for one in fixes):
        said[place][cell] = None
    agreed = {place: min(cells) for place, cells in said.items() if len(cells) == 1}
    texts = (
        f"{place} is corrected twice, to {' and to '.join(cells)}."
        for place, cells in said.items()
        if len(cells) > 1
    )
    return agreed, [SheetLine(where=photo, photo=photo, problem=text) for text in texts]


# ---------------------------------------------------------------------- where photos are


class PhotoFinder:
    """Finds the photos that the lines of a table name.

    Args:
        folder: That of the table.
        photos: A folder in which they are looked for as well, with the folders in it.
    """

    def __init__(self, folder: Path, photos: Path | None = None) -> None:
        self._folder = folder
        self._by_name: dict[str, list[Path]] = {}
        if photos is not None:
            if not photos.is_dir():
                raise UsageError(f"{shown(photos)} is no folder.", "--photos takes a folder.")
            for path in photos_in(photos):
                self._by_name.setdefault(_as_one(path.name).casefold(), []).append(path)

    def job(self, line: SheetLine) -> Job:
        """Make the job of one line; that its photo is missing is said when it is scored."""
        path = self.path(line.photo)
        return Job(path, shown(line.photo), line.options, (line,), line.fixes)

    def path(self, name: str) -> Path:
        """Return where a photo is, or where it should be.

        A path as Windows writes it is understood everywhere. A photo that is not there is looked
        for under its name beside the table, then in the folder of photos, where its name is the
        only one of its kind.
        """
        windows = PureWindowsPath(name)
        tries = [self._folder / name, self._folder / PurePosixPath(name.replace("\\", "/"))]
        if windows.is_absolute() or windows.drive or Path(name).is_absolute():
            tries.append(self._folder / windows.name)
        found = next(filter(_is_file, tries), None)
        named = self._by_name.get(_as_one(windows.name).casefold(), [])
        if found is None and named:
            ends = PurePosixPath(_as_one(name).replace("\\", "/")).parts
            exact = [path for path in named if Path(_as_one(str(path))).parts[-len(ends) :] == ends]
            found = exact[0] if len(exact) == 1 else named[0] if len(named) == 1 else None
        return found or tries[1]


def _as_one(name: str) -> str:
    """A name whose letters with marks are written as one, as macOS does not in names of files."""
    return unicodedata.normalize("NFC", name)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def photos_in(folder: Path, *, recursive: bool = True) -> Iterator[Path]:
    """Yield the photos of a folder, with those of the folders in it or without.

    None is hidden, and none is an overlay that we have drawn of another.
    """
    for where, folders, files in os.walk(folder):
        folders[:] = sorted((name for name in folders if not name.startswith(".")), key=natural_key)
        for name in sorted(files, key=natural_key):
            path = Path(where) / name
            if path.suffix.lower() not in PHOTO_SUFFIXES or name.startswith("."):
                continue
            with suppress(OSError):  # who scores it says why
                if is_drawn(path):
                    continue
            yield path
        if not recursive:
            return
