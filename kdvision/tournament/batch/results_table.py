"""The table of results that grows from run to run: a CSV or a workbook that people edit.

What people write into it is kept: whose kingdoms they are, corrections, what they accepted, notes,
and columns of their own. What the program found out is written anew when a photo is scored again.
"""

from collections.abc import Iterable, Mapping, Sequence
from errno import ENOENT
from itertools import chain
from os import strerror
from pathlib import Path

from msgspec.structs import replace

from kdvision.columns import (
    ENTRY_COLUMNS,
    FOUND_COLUMNS,
    RESULT_COLUMNS,
    RESULT_NAMES,
    ColumnNames,
    Row,
    fixes_of,
)
from kdvision.errors import UsageError
from kdvision.files import unwritable, whole_file
from kdvision.tournament.batch.jobs import Entry, Job, LineProblem, entry_of
from kdvision.tournament.batch.result_rows import (
    BAD_LINE,
    OPEN,
    is_whole,
)
from kdvision.tournament.sheets.sheet import read_sheet
from kdvision.tournament.sheets.table import WORKBOOK, Sheet
from kdvision.tournament.sheets.written import Style, table_bytes


class ResultsTable:
    """The rows of results by the name of their photo, in the order of the file.

    Args:
        path: The file; it need not be there.
        fresh: Whether to start anew; what is there is kept beside it, under another name.

    `backup` is that other name, None where there is none. `others` are columns that are not ours.

    Raises:
        UsageError: A file is there that holds no results of this program, or cannot be read.
    """

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        self.path = path
        self.backup: Path | None = None
        self.others: tuple[str, ...] = ()
        self.rows: dict[str, list[Row]] = {}
        self._style = Style(path.suffix.lower() == WORKBOOK)
        if not path.parent.is_dir():
            raise unwritable(path, FileNotFoundError(ENOENT, strerror(ENOENT)))
        if fresh and path.exists():
            self.backup = _set_aside(path)
        if path.exists() and path.stat().st_size:
            self._load(read_sheet(path, ColumnNames(RESULT_NAMES)))

    def _load(self, sheet: Sheet) -> None:
        if not {"photo", "key", "status"} <= {*sheet.columns}:
            raise UsageError(
                f"{self.path} is there already, and was not written by kdscore batch.",
                "Give another name, or remove the file.",
            )
        self._style = replace(
            self._style, delimiter=sheet.delimiter, encoding=sheet.encoding, start=sheet.preamble
        )
        self.others = tuple(name for name in sheet.columns if name and name not in RESULT_COLUMNS)
        for row in sheet.rows:
            if row.problem:
                raise UsageError(f"{sheet.where(row)}: {row.problem}", "Correct the line.")
            fields = {name: text for name, text in row.fields.items() if text}
            self.rows.setdefault(fields.get("photo", ""), []).append(fields)

    # ------------------------------------------------------------------ what is known

    @property
    def done(self) -> dict[str, list[Row]]:
        """What was found of photos by their keys, where all of it is there."""
        found: dict[str, list[Row]] = {}
        for rows in self.rows.values():
            kingdoms = [row for row in rows if row.get("status") not in (OPEN, BAD_LINE)]
            key = kingdoms[0].get("key", "") if kingdoms else ""
            if key and is_whole(kingdoms):
                hand = {*ENTRY_COLUMNS, *self.others} - {"kingdom"}
                found[key] = [
                    {name: text for name, text in row.items() if name not in hand}
                    for row in kingdoms
                ]
        return found

    def with_what_is_known(self, job: Job) -> tuple[Job, list[LineProblem]]:
        """A job with what was written into the table of its photo.

        What a table says that is read now goes before what was written here.

        Returns:
            The job, and the lines of this table that cannot be used.
        """
        entries = list(job.entries)
        fixes, problems = dict(job.fixes), []
        for row in self.rows.get(job.name, ()):
            if row.get("status") == BAD_LINE:
                continue
            try:
                old = self._entry(row)
                fixes = {**fixes_of(row, old.letter), **fixes}
            except ValueError as error:
                problems.append(LineProblem(f"{self.path}, {job.name}", str(error), row))
                continue
            if {*old.fields} - {"kingdom"}:
                _merge(entries, old)
        return replace(job, entries=tuple(entries), fixes=fixes), problems

    def _entry(self, row: Row) -> Entry:
        """What a row says, columns of other people included."""
        entry = entry_of(row)
        more = {name: row[name] for name in self.others if row.get(name)}
        return replace(entry, fields={**entry.fields, **more})

    # ------------------------------------------------------------------ what is new

    def put(self, named: Mapping[str, Sequence[Row]]) -> None:
        """Put the rows of photos in: in place of their old ones, else behind the one before."""
        names = list(self.rows)
        at = len(names)
        for name in named:
            if name in self.rows:
                at = names.index(name) + 1
            else:
                names.insert(at, name)
                at += 1
        rows = {**self.rows, **{name: list(rows) for name, rows in named.items()}}
        self.rows = {name: rows[name] for name in names}

    def drop_renamed(self, named: Mapping[str, Sequence[Row]]) -> dict[str, str]:
        """Forget photos that are not there any more and have come back under another name.

        Returns:
            Their new names by their old ones.
        """
        new = {row["key"]: name for name, rows in named.items() for row in rows if row.get("key")}
        gone = {
            name: new[rows[0]["key"]]
            for name, rows in self.rows.items()
            if name not in named and rows[0].get("key") in new and not Path(name).exists()
        }
        self.rows = {name: rows for name, rows in self.rows.items() if name not in gone}
        return gone

    def write(self, links: Mapping[str, str] | None = None) -> None:
        """Write the file in one step, in the form that it had.

        Args:
            links: In a workbook, what the name of a photo leads to.

        Raises:
            UsageError: It cannot be written; then the old file stands.
        """
        columns = (*RESULT_COLUMNS[: -len(FOUND_COLUMNS)], *self.others, *FOUND_COLUMNS)
        rows = [[row.get(column, "") for column in columns] for row in chain(*self.rows.values())]
        data = table_bytes(columns, rows, self._style, links or {})
        with whole_file(self.path) as file:
            file.write(data)


def bad_rows(problems: Iterable[LineProblem]) -> dict[str, list[Row]]:
    """Rows for lines that cannot be used, by their photos, so that they are not lost."""
    found: dict[str, list[Row]] = {}
    for problem in problems:
        said = {name: problem.fields[name] for name in ENTRY_COLUMNS if problem.fields.get(name)}
        name = problem.fields.get("photo", "")
        row = {**said, "photo": name, "status": BAD_LINE, "message": str(problem)}
        found.setdefault(name, []).append(row)
    return found


def _merge(entries: list[Entry], old: Entry) -> None:
    """Add what was written before of a kingdom to what is said of it now."""
    for index, new in enumerate(entries):
        same_player = new.fields.get("player") == old.fields.get("player")
        alone = len(entries) == 1 and not old.fields.get("player")
        other_letter = new.letter and old.letter and new.letter != old.letter
        if (same_player or alone or (new.letter and new.letter == old.letter)) and not other_letter:
            said = {**old.fields, **new.fields}
            claimed = old.claimed if new.claimed is None else new.claimed
            entries[index] = Entry(new.letter or old.letter, said, claimed)
            return
    entries.append(old)


def _set_aside(path: Path) -> Path:
    """Rename a file to one that is not there: `results.csv.1.bak`."""
    numbers = (path.with_name(f"{path.name}.{number}.bak") for number in range(1, 10_000))
    free = next(name for name in numbers if not name.exists())
    try:
        path.rename(free)
    except OSError as error:
        raise unwritable(path, error) from None
    return free
