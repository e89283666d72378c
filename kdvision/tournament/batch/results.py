"""The table of results, which grows from run to run: a CSV or a workbook that people edit.

What people write into it is theirs: whose kingdoms they are, corrections, what they accepted,
notes, and columns of their own. The program carries it with the picture, whatever the photo is
called, and writes only what it finds out itself. Every write reads the file as it is now, merges,
and takes the place of the old file in one step; where words would be lost, the old file is kept
beside it.

What was scored stands in the journal; a row ends with the key by which it stands there.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, product, starmap
from pathlib import Path

from msgspec.structs import replace

from kdvision.columns import (
    BAD_LINE,
    ENTRY_COLUMNS,
    FOUND_COLUMNS,
    OPEN,
    RESULT_COLUMNS,
    RESULT_NAMES,
    VERDICT_COLUMNS,
    ColumnNames,
    Row,
    game_options,
    number,
)
from kdvision.errors import UsageError
from kdvision.files import shown, unwritable, whole_file
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.result import PhotoResult
from kdvision.tournament.lines import Job, SheetLine, agreed_fixes, line_from_fields, name_key
from kdvision.tournament.sheets import WORKBOOK, Style, read_sheet, table_bytes
from kdvision.tournament.verify.judging import kingdoms_of

#: A person saves a table once in some seconds; who writes more often is a program.
_MOST_TRIES = 20
#: What a `verify` that was written into the results found: it is of the totals before this run.
_STALE = {*VERDICT_COLUMNS} - {*RESULT_COLUMNS}


class ResultsTable:
    """The rows of results by the name of their photo, in the order of the file.

    Args:
        path: The file; it need not be there.
        is_new: Whether it is begun anew, whatever the file holds.

    Attributes:
        rows: The rows.
        others: The columns of other people: the names that rows have for them, and their headings.
        replaced: Names of photos that were put in with another picture than before, or with none.
        overwritten: Names of photos whose total or rules people had changed by hand.
        worksheet: That of the results, in a workbook that was there.

    Raises:
        UsageError: A file is there that holds no results of this program, or cannot be read.
    """

    def __init__(self, path: Path, *, is_new: bool = False) -> None:
        self.path = path
        self.others: dict[str, str] = {}
        self.rows: dict[str, list[Row]] = {}
        self.replaced: list[str] = []
        self.overwritten: list[str] = []
        self._style = Style(path.suffix.lower() == WORKBOOK)
        self.worksheet: str | None = None
        self._has_formulas = False
        self._stamp = _stamp(path)
        if not is_new and self._stamp and path.stat().st_size:
            self._load()
        self._words_read = self._words()

    def _load(self) -> None:
        if self._style.workbook:
            from kdvision.tournament.workbook import worksheet_with

            self.worksheet, self._has_formulas = worksheet_with(self.path, "digest")
        sheet = read_sheet(self.path, ColumnNames(RESULT_NAMES), self.worksheet)
        sheet.require(known={*filter(None, sheet.columns)})
        if not {"photo", "key", "status"} <= {*sheet.columns}:
            raise UsageError(
                f"{self.path} is there already, and was not written by kdscore batch.",
                "Give another name with -o, or move the file away.",
            )
        self._style = sheet.style
        headings = dict(zip(sheet.columns, sheet.headings, strict=False))
        for row in sheet.rows:
            if row.problem:
                raise UsageError(f"{sheet.where(row)}: {row.problem}", "Correct the line.")
            kept = row.fields.keys() - _STALE
            fields = {name: text for name, text in row.fields.items() if text and name in kept}
            self.rows.setdefault(fields.get("photo", ""), []).append(fields)
        names = filter(None, chain(sheet.columns, *self.every_row))
        self.others = {
            name: headings.get(name, "") for name in names if name not in {*RESULT_COLUMNS, *_STALE}
        }

    @property
    def every_row(self) -> Iterator[Row]:
        """All rows in the order of the file."""
        return chain.from_iterable(self.rows.values())

    # ------------------------------------------------------------------ what people wrote

    def _words_of(self, row: Row) -> Row:
        """The fields of a row that people wrote; letters are the program's as well."""
        columns = {*ENTRY_COLUMNS, *self.others} - {"kingdom"}
        return {name: text for name, text in row.items() if name in columns and text}

    def _words(self) -> Counter[tuple[str, str]]:
        """All fields that people wrote, by column."""
        return Counter(word for row in self.every_row for word in self._words_of(row).items())

    def edited_since(self, before: "ResultsTable") -> int:
        """The number of rows in which people have written since an earlier reading."""
        columns = ("photo", *ENTRY_COLUMNS, *self.others)
        now, then = (
            Counter(tuple(row.get(column, "") for column in columns) for row in table.every_row)
            for table in (self, before)
        )
        return (now - then).total()

    def moved_photos(self, jobs: Sequence[Job], digests: Sequence[str]) -> dict[str, str]:
        """Photos that have another name now, by their old names.

        A photo is known by its bytes. It has moved where its name is gone, holds another picture or
        is the file of a job that calls it otherwise, and its bytes are under a name that is new for
        them. Where it was deleted and a copy of it was there already, the copy is the photo. The
        digest of one that cannot be read is empty.
        """
        files = {job.path.absolute() for job in jobs}
        now = {job.name: f"d{digest[:16]}" for job, digest in zip(jobs, digests, strict=True)}
        then = {
            name: row["digest"]
            for name, rows in self.rows.items()
            for row in rows
            if name and row.get("digest")
        }
        left = {
            digest: name
            for name, digest in then.items()
            if (
                now[name] not in (digest, "d")
                if name in now
                else Path(name).absolute() in files or not Path(name).exists()
            )
        }
        moved: dict[str, str] = {}
        for name, digest in now.items():
            if digest in left and (then.get(name) != digest or left[digest] not in now):
                moved[left.pop(digest)] = name
        return moved

    def rename(self, moved: Mapping[str, str]) -> None:
        """Give the rows of photos their new names, with all that people wrote.

        Where there are rows of the new name, those without words take the words of the old ones;
        what finds no place stays under the old name.
        """
        renamed: dict[str, list[Row]] = {}
        for name, rows in self.rows.items():
            new = moved.get(name, name)
            if new == name or new not in self.rows or new in moved:
                for row in rows:
                    row["photo"] = new
                renamed.setdefault(new, []).extend(rows)
                continue
            for row in rows:
                words, letter = self._words_of(row), row.get("kingdom", "")
                same = [other for other in self.rows[new] if other.get("kingdom", "") == letter]
                if len(same) == 1 and not words.keys() & self._words_of(same[0]).keys():
                    same[0].update(words)
                elif words:
                    renamed.setdefault(name, []).append(row)
        self.rows = renamed

    def with_what_is_known(
        self, job: Job, lines: Collection[SheetLine] = ()
    ) -> tuple[Job, list[SheetLine]]:
        """A job with what was written into the table of its photo.

        What a table says that is read now goes before what was written here.

        Args:
            job: The job.
            lines: All lines of tables that are read now: what one of them says of another photo is
                no second line of this one.

        Returns:
            The job, and the lines of this table that cannot be used.
        """
        entries, problems = list(job.entries), []
        new = dict.fromkeys(range(len(entries)))
        for row in self.rows.get(job.name, ()):
            line = line_from_fields(row, where=f"{self.path}, {job.name}", others=self.others)
            words = self._words_of(row)
            index = _entry_of(entries, line)
            merged = line if index is None else _merged(entries[index], line, self.others)
            if merged.problem:
                problems.append(replace(line, problem=merged.problem))
            elif index is not None:
                entries[index] = merged
                new.pop(index, None)
            elif words and not (job.entries and _are_said(words, lines)):
                entries.append(line)
        named = {name_key(line.player) for line in lines}
        gone = [line for line in entries[len(job.entries) :] if name_key(line.player) not in named]
        for index in new if len(new) == len(gone) == 1 else ():
            if entries[index].place == gone[0].place:  # the sheet calls the player otherwise now
                entries[index] = _merged(entries[index], gone[0], self.others)
                entries.remove(gone[0])
        own = {place for line in job.entries for place in line.fixes}
        others = {place: cell for place, cell in job.fixes.items() if place not in own}
        fixes, twice = agreed_fixes(job.name, [others, *(line.fixes for line in entries)])
        return replace(job, entries=tuple(entries), fixes=fixes), [*problems, *twice]

    def drop_repeated(self, lines: Collection[SheetLine]) -> None:
        """Drop bad lines that are repeated, right or wrong, by a line that is read now."""
        for rows in self.rows.values():
            bad = (row for row in rows if row.get("status") == BAD_LINE)
            said = [row for row in bad if _are_said(self._words_of(row), lines)]
            rows[:] = (row for row in rows if row not in said)

    # ------------------------------------------------------------------ what is new

    def put(self, named: Mapping[str, Sequence[Row]]) -> None:
        """Put the rows of photos in: in place of their old ones, else behind the one before."""
        names = list(self.rows)
        at = len(names)
        for name, new in named.items():
            if name in self.rows:
                before, now = (
                    {row.get("digest", "") for row in one} for one in (self.rows[name], new)
                )
                self.replaced += [name] if before - now - {""} else []
                changed = any(starmap(_is_changed, product(self.rows[name], new)))
                self.overwritten += [name] if changed else []
                at = names.index(name) + 1
            else:
                names.insert(at, name)
                at += 1
        rows = {**self.rows, **named}
        self.rows = {name: list(rows[name]) for name in names}

    def write(self, links: Mapping[str, str] | None = None) -> Path | None:
        """Write the file in one step, in the form that it had, in a workbook with links.

        Returns:
            Where the old file is kept, as some words, formulas or results of it are not in the
            new one; None where all are.

        Raises:
            _ChangedError: The file has changed since it was read; then nothing is written.
            UsageError: It cannot be written; then the old file stands.
        """
        own = RESULT_COLUMNS[: -len(FOUND_COLUMNS)]
        columns = (*own, *self.others, *FOUND_COLUMNS)
        headings = (*own, *self.others.values(), *FOUND_COLUMNS)
        rows = [[row.get(column, "") for column in columns] for row in self.every_row]
        replaced = (self.path, self.worksheet) if self.worksheet else None
        data = table_bytes(headings, rows, self._style, links or {}, replaced)
        gone = self._has_formulas or self.replaced or self.overwritten
        lost = gone or self._words_read - self._words()
        with whole_file(self.path) as file:
            file.write(data)
            if _stamp(self.path) != self._stamp:
                raise _ChangedError
            return set_aside(self.path, copy=True) if lost else None


def _is_changed(old: Row, new: Row) -> bool:
    """Return whether a row has another total, or other rules, than what was found of the same."""
    key, letter = (old.get(name, "") for name in ("key", "kingdom"))
    if not key or (key, letter) != (new.get("key"), new.get("kingdom", "")):
        return False
    with suppress(UsageError):  # what a spreadsheet spoiled is no decision
        then, now = (game_options(row, DEFAULT_OPTIONS) for row in (old, new))
        return then != now or number(old, "score") != number(new, "score")
    return False


class _ChangedError(Exception):
    """A file was written by somebody else since it was read."""


def update_table(
    path: Path, moved: Mapping[str, str], merge: Callable[[ResultsTable], Mapping[str, str] | None]
) -> tuple[ResultsTable, Path | None]:
    """Read a table as it is now, merge into it, and write it; again where somebody else writes.

    `moved` are the new names of photos by their old ones; `merge` gives the links of photos, too.

    Returns:
        The table as it was written, and where the old file is kept where words would be lost.
    """
    for _ in range(_MOST_TRIES):
        table = ResultsTable(path)
        table.rename(moved)
        links = merge(table)
        try:
            return table, table.write(links)
        except _ChangedError:
            continue
    raise UsageError(
        f"{shown(path)} is being written by another program.",
        "Close it there, and give the same command again: what was scored is kept.",
    )


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """Time, size and inode, which change when a file is written; None where there is none."""
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size, about.st_ino


def set_aside(path: Path, *, copy: bool = False) -> Path:
    """Keep a file under a name that is not there, `results.csv.1.bak`, or a copy of it.

    Raises:
        UsageError: It cannot be written.
    """
    numbers = (path.with_name(f"{path.name}.{number}.bak") for number in range(1, 10_000))
    free = next(name for name in numbers if not name.exists())
    try:
        if copy:
            free.write_bytes(path.read_bytes())
        else:
            path.rename(free)
    except OSError as error:
        raise unwritable(free, error) from None
    return free


def _are_said(words: Row, lines: Iterable[SheetLine]) -> bool:
    """Return whether one line says all words of a row."""
    return any(words.items() <= line.said.items() for line in lines)


def _entry_of(entries: Sequence[SheetLine], old: SheetLine) -> int | None:
    """Return the index of the line that says now what was written before of a kingdom."""
    for index, new in enumerate(entries):
        same_player = name_key(new.player) == name_key(old.player)
        alone = len(entries) == 1 and not old.player
        both_lettered = new.letter and old.letter
        if (new.letter == old.letter) if both_lettered else (same_player or alone):
            return index
    return None


def _merged(new: SheetLine, old: SheetLine, others: Iterable[str]) -> SheetLine:
    """Add what was written before of a kingdom to what is said of it now."""
    said = {**old.said, **new.said, "photo": new.photo}
    named = {(place.kingdom or old.letter, place.at) for place in new.fixes}
    left = [place for place in old.fixes if (place.kingdom or new.letter, place.at) not in named]
    if new.fixes and left:
        kept = (f"{place}={old.fixes[place]}" for place in left)
        said["fix"] = " ".join([new.said["fix"], *kept])
    return line_from_fields(said, new.number, new.options, new.where, others)


# ---------------------------------------------------------------------- rows


def owned_rows(
    read: Mapping[GameOptions, tuple[PhotoResult, Sequence[Row]]], entries: Sequence[SheetLine]
) -> list[Row]:
    """The rows of a photo with what lines of tables say of its kingdoms.

    A line whose kingdom is not known has a row of its own, which is open, as has one with a
    problem; see `judge_photo` for whose kingdom is whose.

    Args:
        read: What was read of it, with the rows of its kingdoms, by the rules of lines.
        entries: The lines.
    """
    first = photo, kingdoms = next(iter(read.values()))
    wrong = [line_row(line, photo.photo, OPEN, line.problem) for line in entries if line.problem]
    entries = [line for line in entries if not line.problem]
    if not photo.kingdoms:
        rows = [{**kingdoms[0], **entry.said} for entry in entries] or [dict(kingdoms[0])]
        return [*rows, *wrong]
    same = {rules: one for rules, one in read.items() if len(one[1]) == len(kingdoms)}
    of_lines = [same.get(entry.options, first) for entry in entries]
    owns = kingdoms_of(entries, [photo for photo, _ in of_lines])
    rows = [dict(row) for row in kingdoms]
    for own, entry, (_, theirs) in zip(owns, entries, of_lines, strict=True):
        if own is not None:
            rows[own] = {**theirs[own], **entry.said, "kingdom": theirs[own].get("kingdom", "")}
    shows = "1 kingdom" if len(kingdoms) == 1 else f"{len(kingdoms)} kingdoms"
    names = "1 line names" if len(entries) == 1 else f"{len(entries)} lines name"
    remedy = (
        "Correct the photo of the others, or remove their lines."
        if len(kingdoms) == 1 < len(entries)
        else "Write the letter of the kingdom of this line in the column kingdom."
    )
    message = f"{names} this photo, which shows {shows}. {remedy}"
    left = [entry for own, entry in zip(owns, entries, strict=True) if own is None]
    return [*rows, *(line_row(line, photo.photo, OPEN, message) for line in left), *wrong]


def line_row(line: SheetLine, photo: str, status: str, message: str) -> Row:
    """The row of a line that owns no kingdom, and why, so that it is not lost."""
    return {**line.said, "photo": photo, "status": status, "message": message}


def bad_rows(problems: Iterable[SheetLine]) -> dict[str, list[Row]]:
    """Rows for lines that cannot be used, by their photos."""
    rows: dict[str, list[Row]] = {}
    for line in problems:
        row = line_row(line, line.photo, BAD_LINE, line.complaint)
        rows.setdefault(line.photo, []).append(row)
    return rows
