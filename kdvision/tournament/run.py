"""Many photos and sheets into results: `batch` and `verify` are one run, with claims or without.

Sheets are read, their photos are read from the journal or by workers, every row is judged, and the
results are written whole.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import FixPlace
from kdvision.errors import UsageError
from kdvision.files import (
    PathKind,
    find_kind,
    find_photos,
    is_special,
    missing_file,
    replace_file,
    shown,
    write_error,
)
from kdvision.result import PhotoResult
from kdvision.rules.rules import DEFAULT_RULES, Rules
from kdvision.sentences import ENGLISH, Sentence, listed, sentence
from kdvision.tournament.counting import count_once
from kdvision.tournament.executors import Workers
from kdvision.tournament.fixes import place_fixes
from kdvision.tournament.journal import Journal, locate_journal, lock_results, make_digest
from kdvision.tournament.judging import Verdict, judge_rows
from kdvision.tournament.matching import Clue, Match, match_rows
from kdvision.tournament.photos import PhotoFinder
from kdvision.tournament.reader import PhotoReader
from kdvision.tournament.report import Outcome, write_page
from kdvision.tournament.results import (
    RESULT_SUFFIXES,
    WORKBOOK,
    check_writer,
    make_results,
    make_template_row,
)
from kdvision.tournament.rows import Row
from kdvision.tournament.scoring import Task
from kdvision.tournament.sheet import (
    PLAIN,
    SHEET_SUFFIXES,
    Sheet,
    describe_sheet,
    is_results,
    name_sheets,
    read_sheets,
)


class Request(Struct, frozen=True, kw_only=True):
    """What is asked of a run.

    Attributes:
        inputs: Folders, photos and sheets.
        output: Where the results go; None for nowhere.
        html: Where a report to look at goes.
        needs_claims: Whether a sheet must have claims; then no row is added to it.
        rules: The rules of rows that name none.
        photos: A folder in which the photos of sheets are looked for as well.
        language: That of explanations.
        overwrite: Whether results that somebody changed are written over.
    """

    inputs: tuple[Path, ...]
    output: Path | None = None
    html: Path | None = None
    needs_claims: bool = False
    rules: Rules = DEFAULT_RULES
    photos: Path | None = None
    language: str = ENGLISH
    overwrite: bool = False


def run(
    request: Request,
    workers: Workers,
    progress: Callable[[int, int], None] = lambda _, __: None,
    announce: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Read the photos of sheets and folders, judge every row, write the results and the report.

    Args:
        request: What is asked.
        workers: Who scores photos.
        progress: Called with the number of photos that are done, and of all.
        announce: Called with what was read as what, before the first photo is read.

    Raises:
        UsageError: A sheet cannot be read, results cannot be written, or there is no photo.
        UnreadablePhotoError: There is no photo or folder of a name.
        ModelError: The models are missing.
        KeyboardInterrupt: Ctrl-C; what was read by then stands in the journal.
    """
    check_request(request)
    day = _Day(request)
    output = request.output
    with ExitStack() as stack:
        # Nobody else writes this output, and what is read is kept in its journal.
        if output:
            stack.enter_context(lock_results(output))
            _check_unchanged(output, request)
        journal_path = locate_journal(output) if output else Path(":memory:")
        journal = stack.enter_context(closing(Journal(journal_path)))
        for sheet in day.sheets:
            announce(describe_sheet(sheet, request.language))
        # A photo with a correction is judged once more, as only the kingdom of its row tells which
        # place is meant.
        reader = PhotoReader(journal, workers, progress, is_drawn=request.html is not None)
        photos = reader.read(day.tasks)
        day.match(photos, reader)
        photos |= reader.read([task for task in day.tasks if task not in photos])
        verdicts = day.judge(photos)
        if output:
            form = day.sheets[0].form if day.sheets else PLAIN
            data = make_results(verdicts, output.suffix, request.language, form)
            _check_unchanged(output, request, data)
            journal.announce(make_digest(data))
            with replace_file(output) as file:
                file.write(data)
            journal.settle()
        title = shown((output or request.inputs[0]).name)
        outcome = Outcome(title, tuple(verdicts), tuple(day.notes))
        if request.html:
            find_picture = partial(day.find_picture, reader)
            write_page(request.html, outcome, request.language, find_picture)
    return outcome


# ---------------------------------------------------------------------- before the first photo


def check_request(request: Request) -> None:
    """Check before the first photo what would fail after the last.

    Raises:
        UsageError: An output may not be written so, or a part that is needed is missing.
    """
    if request.output and request.output.suffix.lower() == WORKBOOK:
        check_writer()
    if request.photos and find_kind(request.photos) is not PathKind.FOLDER:
        raise UsageError(f"{shown(request.photos)} is no folder.", "--photos takes a folder.")
    for path, suffixes in ((request.output, RESULT_SUFFIXES), (request.html, (".html", ".htm"))):
        if path is None:
            continue
        if path.suffix.lower() not in suffixes or is_special(path):
            advice = f"Give the name of a file that ends in {listed(suffixes, 'or')}."
            raise UsageError(f"The results cannot go into {shown(path)}.", advice)
        if any(_is_same_file(path, input_) for input_ in request.inputs):
            raise UsageError(
                f"{shown(path)} is one of the inputs, and no input is ever written.",
                "Give the results another name: -o results.csv",
            )
        if not os.access(path.absolute().parent, os.W_OK):
            raise write_error(path, OSError("its folder is missing, or may not be written"))


def _is_same_file(first: Path, second: Path) -> bool:
    if PathKind.MISSING in (find_kind(first), find_kind(second)):
        return first.absolute() == second.absolute()
    with suppress(OSError):  # it may not be looked at
        return first.samefile(second)
    return False


def _check_unchanged(output: Path, request: Request, data: bytes | None = None) -> None:
    """Refuse to write over results that somebody changed since they were written.

    Args:
        output: Where the results go.
        request: Says whether they are written over.
        data: What is about to be written; None before the first photo is read. Without a journal
            only that tells whether the results are as they were written.

    Raises:
        UsageError: They were changed, or are no results.
    """
    if request.overwrite or find_kind(output) is not PathKind.FILE:
        return
    path, digests = locate_journal(output), list[str]()
    if find_kind(path) is PathKind.FILE:
        with closing(Journal(path)) as journal:
            digests = journal.digests
    digest = make_digest(output.read_bytes())
    if data is not None and digest == make_digest(data):
        return
    if digest in digests or (data is None and not digests and is_results(output)):
        return
    name = shown(output)
    if not is_results(output):
        raise UsageError(
            f"{name} is there already, and was not written by kdscore.",
            "Give another name with -o, or move the file away.",
        )
    raise UsageError(
        f"{name} was changed since kdscore wrote it.",
        f"Use it as a sheet (kdscore verify {name} -o new.csv), give another -o, or --overwrite.",
    )


# ---------------------------------------------------------------------- rows and their photos


class _Day:
    """The rows and photos of a run, and what becomes of them.

    Attributes:
        sheets: The sheets.
        paths: The photos of folders and those of rows, by the names that rows have.
        notes: Sentences on what the owner may not expect.
    """

    def __init__(self, request: Request) -> None:
        self._request = request
        self.sheets: list[Sheet] = []
        self.paths: dict[str, Path] = {}
        self.notes: list[str] = []
        folders: list[Path] = []
        for path in request.inputs:
            kind = find_kind(path)
            is_sheet = path.suffix.lower() in SHEET_SUFFIXES and kind is not PathKind.FOLDER
            if is_sheet or request.needs_claims:
                needs = (("photo",), ("claimed",)) if request.needs_claims else (("photo",),)
                self.sheets += read_sheets(path, needs, request.rules)
                folders.append(path.parent)
            elif kind in (PathKind.MISSING, PathKind.DEAD_LINK):
                raise missing_file(path)
            elif kind is PathKind.FOLDER:
                self.paths |= {shown(photo): _normal(photo) for photo in find_photos(path)}
                folders.append(path)
            else:
                self.paths[shown(path)] = _normal(path)
        # The photos of rows lie where sheets and results do, or where their names begin.
        self._rows = name_sheets(self.sheets) if self.sheets else []
        folders += [Path(), (request.output or Path()).parent, request.photos or Path()]
        finder = PhotoFinder(folders)
        self._by_photo: dict[Path, list[int]] = {path: [] for path in self.paths.values()}
        self._matches = [Match(Clue.OPEN)] * len(self._rows)
        for n, row in enumerate(self._rows):
            found = self.paths.get(row.photo) or finder.find(row.photo)
            if found:
                path = self.paths[row.photo] = _normal(found)
                self._by_photo.setdefault(path, []).append(n)
            elif row.photo:
                missing = Sentence("verdict.photo-missing", {"photo": row.photo})
                if close := finder.suggest(row.photo):
                    missing = Sentence("verdict.photo-like", {"photo": row.photo, "name": close})
                self._matches[n] = Match(Clue.OPEN, doubt=missing)
        self._fixes: dict[Path, tuple[tuple[FixPlace, str], ...]] = {}
        if not self._rows and not self.paths:
            where = ", ".join(map(shown, request.inputs))
            advice = "Name photos, a folder with photos, or a sheet with a column photo."
            raise UsageError(f"There are no photos in {where}.", advice)

    @property
    def tasks(self) -> list[Task]:
        """The photos, each once for all rules of its rows, with what is corrected by now."""
        return [
            self._make_task(path, rules)
            for path, numbers in self._by_photo.items()
            for rules in self._list_rules(numbers)
        ]

    def _make_task(self, path: Path, rules: Rules) -> Task:
        """Return what is asked of a photo. Only a sheet of claims has a row for every kingdom."""
        rows = len(self._by_photo[path]) if self._request.needs_claims else 0
        return Task(path, rules, self._fixes.get(path, ()), rows)

    def _list_rules(self, numbers: Sequence[int]) -> list[Rules]:
        """Return the rules by which rows are scored, each once."""
        rules = [self._rows[n].rules for n in numbers]
        return [*dict.fromkeys(rules or [self._request.rules])]

    def match(self, photos: dict[Task, PhotoResult], reader: PhotoReader) -> None:
        """Find whose kingdom it is, and what is corrected; add rows for kingdoms without any."""
        named = {
            reader.digests[path]: path
            for path, numbers in self._by_photo.items()
            if numbers and path in reader.digests
        }
        for path, numbers in self._by_photo.items():
            rows = [self._rows[n] for n in numbers]
            readings = [photos[self._make_task(path, row.rules)] for row in rows]
            photo = photos[self._make_task(path, self._list_rules(numbers)[0])]
            fixes, rows, matches = place_fixes(rows, match_rows(rows, readings), photo)
            self._fixes[path] = tuple(fixes.items())
            for n, row, match in zip(numbers, rows, matches, strict=True):
                self._rows[n], self._matches[n] = row, match
            # Files with the same bytes are one photo: that which rows name, else the first.
            first = named.setdefault(reader.digests.get(path, str(path)), path)
            if not numbers and first != path:
                fields = {"copy": self._name(path), "photo": self._name(first)}
                self.notes.append(sentence("run.copy", self._request.language, **fields))
            elif not self._request.needs_claims:
                self._add_rows(path, photo, matches)

    def _add_rows(self, path: Path, photo: PhotoResult, matches: Sequence[Match]) -> None:
        """Add a row for every kingdom of a photo that no row has, and for a photo without any.

        While it is open which kingdom one of its rows has, that may be any of them.
        """
        indices = {match.index for match in matches}
        if None in indices:
            return
        for index in range(len(photo.kingdoms)) or [None]:
            if index in indices:
                continue
            row = make_template_row(self._name(path))
            if self.sheets:
                name = shown((self._request.output or path).name)
                row = Row.of({"photo": row.photo}, sheet=name)
            # The row of headings is the first one of the results.
            position = len(self._rows) + 2
            self._rows.append(replace(row, position=position, rules=self._request.rules))
            self._matches.append(Match(Clue.NEW, index))
            self._by_photo[path].append(position - 2)

    def _name(self, path: Path) -> str:
        """Return what rows call a photo, else what folders do."""
        for n in self._by_photo[path]:
            return self._rows[n].photo
        return next(name for name, other in self.paths.items() if other == path)

    def judge(self, photos: dict[Task, PhotoResult]) -> list[Verdict]:
        """Hold the rows against what their photos show, corrected."""
        readings: list[PhotoResult | None] = []
        for row in self._rows:
            path = self.paths.get(row.photo)
            task = path and self._make_task(path, row.rules)
            readings.append(photos[task] if task else None)
        return count_once(judge_rows(self._rows, readings, self._matches))

    def find_picture(self, reader: PhotoReader, verdict: Verdict) -> bytes:
        """Return the picture of a row for a report; empty where there is none."""
        path = self.paths.get(verdict.row.photo)
        if path is None:
            return b""
        return reader.find_picture(self._make_task(path, verdict.row.rules), verdict.index)


def _normal(path: Path) -> Path:
    """Return the absolute path of a photo, by which names of one file are one."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - links are not followed
