"""Many photos into one sheet: `batch` and `verify` are one run, with claims or without.

A sheet is read, its photos are read from the journal or by workers, every claim is judged, and the
sheet is written back. What people wrote into the output since the last run stays.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import FixPlace, kingdom_name
from kdvision.errors import UnreadablePhotoError, UsageError
from kdvision.files import (
    PathKind,
    find_kind,
    find_photos,
    is_special,
    read_file,
    shown,
    write_error,
)
from kdvision.photo.sources import LIMITS
from kdvision.result import PhotoResult
from kdvision.rules.rules import DEFAULT_RULES, Rules
from kdvision.sentences import ENGLISH, listed, sentence
from kdvision.tournament.columns import Decision, Line, drop_found
from kdvision.tournament.executors import (
    Task,
    Workers,
    is_lasting,
    read_version,
    score_photos,
)
from kdvision.tournament.journal import Journal, WrittenLine, lock_sheet
from kdvision.tournament.judging import Verdict, count_once, judge_lines
from kdvision.tournament.owners import Clue, Owner, assign, place_fixes
from kdvision.tournament.report import Outcome, write_page
from kdvision.tournament.sheet import (
    SHEET_SUFFIXES,
    WORKBOOK,
    Sheet,
    import_openpyxl,
    make_sheet,
    merge_inputs,
    read_sheet,
    recall_lines,
)

#: What photos showed, by what was asked of them.
Photos = dict[Task, PhotoResult]


class Request(Struct, frozen=True, kw_only=True):
    """What is asked of a run.

    Attributes:
        inputs: Folders, photos and sheets.
        output: Where the sheet goes; None for nowhere.
        html: Where a report to look at goes.
        needs_claims: Whether a sheet must have claims; then no line is added to it.
        options: The options of lines that say nothing of them.
        photos: A folder in which the photos of sheets are looked for as well.
        language: That of explanations.
    """

    inputs: tuple[Path, ...]
    output: Path | None = None
    html: Path | None = None
    needs_claims: bool = False
    options: Rules = DEFAULT_RULES
    photos: Path | None = None
    language: str = ENGLISH


def run(
    request: Request, workers: Workers, progress: Callable[[int, int], None] = lambda _, __: None
) -> Outcome:
    """Read the photos of sheets and folders, judge every line, and write the sheet and the report.

    Args:
        request: What is asked.
        workers: Who scores photos.
        progress: Called with the number of photos that are done, and of all.

    Raises:
        UsageError: A sheet cannot be read or written, or there is no photo.
        ModelError: The models are missing.
        KeyboardInterrupt: Ctrl-C; what was read by then stands in the journal.
    """
    check_request(request)
    output = request.output
    with ExitStack() as stack:
        # Nobody else writes this output, and what is read is kept in its journal.
        if output:
            stack.enter_context(lock_sheet(output))
        journal_path = locate_journal(output) if output else Path(":memory:")
        journal = stack.enter_context(closing(Journal(journal_path)))
        # What a person saves in the output meanwhile asks for another pass, with the journal.
        stamp: object = ()
        while stamp != _read_stamp(output):
            stamp = _read_stamp(output)
            table = _Table(request, journal)
            # A claim goes through these stages. A photo with a correction is scored once more, as
            # only the kingdom of its line tells which place is meant.
            photos = read_photos(table.tasks, journal, workers, progress)
            table.assign(photos)
            corrected = [task for task in table.tasks if task not in photos]
            photos |= read_photos(corrected, journal, workers, progress)
            verdicts = table.compare(photos)
            written_lines = table.write(verdicts)
        if output:
            journal.announce(written_lines)
            table.sheet.save(output)
            journal.settle()
        outcome = Outcome(table.sheet, tuple(verdicts), tuple(table.notes), table.paths)
        if request.html:
            write_page(request.html, outcome, request.language)
    return outcome


def locate_journal(output: Path) -> Path:
    """Return where the journal of a sheet is."""
    return output.with_name(f"{output.name}.journal")


def _read_stamp(path: Path | None) -> tuple[int, int] | None:
    """Time and size, which change when a file is written; None where there is none."""
    if path is None or find_kind(path) is not PathKind.FILE:
        return None
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size


def check_request(request: Request) -> None:
    """Check before the first photo what would fail after the last.

    Raises:
        UsageError: An output may not be written so, or a part that is needed is missing.
    """
    if any(path.suffix.lower() == WORKBOOK for path in (*request.inputs, request.output or Path())):
        import_openpyxl()
    if request.photos and find_kind(request.photos) is not PathKind.FOLDER:
        raise UsageError(f"{shown(request.photos)} is no folder.", "--photos takes a folder.")
    for path, suffixes in ((request.output, SHEET_SUFFIXES), (request.html, (".html", ".htm"))):
        if path is None:
            continue
        if path.suffix.lower() not in suffixes or is_special(path):
            advice = f"Give the name of a file that ends in {listed(suffixes, 'or')}."
            raise UsageError(f"The results cannot go into {shown(path)}.", advice)
        if not os.access(path.absolute().parent, os.W_OK):
            raise write_error(path, OSError("its folder is missing, or may not be written"))


# ---------------------------------------------------------------------- photos


def read_photos(
    tasks: Collection[Task],
    journal: Journal,
    workers: Workers,
    progress: Callable[[int, int], None],
) -> Photos:
    """Read photos from the journal or by workers; what is read is kept, whatever ends it."""
    version = read_version()
    photos: Photos = {}
    keys: dict[Task, str] = {}

    def keep(task: Task, photo: PhotoResult) -> None:
        photos[task] = photo
        progress(len(photos), len(tasks))

    def find_unread() -> Iterator[tuple[Task, bytes]]:
        """The tasks that the journal does not have."""
        for task in tasks:
            try:
                data = read_file(task.path, LIMITS.max_bytes)
            except UnreadablePhotoError as error:
                keep(task, PhotoResult.of_error(task.path.name, error))
                continue
            keys[task] = task.key(data, version)
            if photo := journal.find(keys[task]):
                keep(task, photo)
            else:
                yield task, data

    for task, photo in score_photos(workers, find_unread()):
        if is_lasting(photo):
            journal.add(keys[task], photo)
        keep(task, photo)
    return photos


def find_photo(name: str, folders: Iterable[Path]) -> Path | None:
    """Return where a photo is that a line names; None where it is not found.

    A path as Windows writes it is understood everywhere. One that cannot be looked at, or a link to
    nothing, is returned where no file is found: who reads it says why.

    Args:
        name: A path, or the name alone.
        folders: Where it may lie: in each the path counts, then the name.
    """
    path, unclear = PurePosixPath(name.replace("\\", "/")), None
    if not name:
        return None
    for folder in folders:
        for file in (folder / path, folder / path.name):
            kind = find_kind(file)
            if kind is PathKind.FILE:
                return file
            if kind in (PathKind.UNKNOWN, PathKind.DEAD_LINK):
                unclear = unclear or file
    return unclear


# ---------------------------------------------------------------------- the sheet of a run


class _Table:
    """The sheet of a run: the output as people left it, with what is new in the inputs.

    Attributes:
        sheet: The sheet.
        lines: Its lines by their numbers.
        paths: The photos of folders and those of lines, by the names that lines have.
        past: What the last run wrote of a line, and what the inputs say now, by its number.
        by_photo: The lines of every photo.
        owners: Which kingdom a line has, by its number.
        fixes: What people corrected in a photo.
        notes: Sentences on what the owner may not expect.
    """

    def __init__(self, request: Request, journal: Journal) -> None:
        self.request = request
        self.paths: dict[str, Path] = {}
        self.notes: list[str] = []
        self.owners = defaultdict[int, Owner](lambda: Owner(Clue.OPEN))
        self.fixes: dict[Path, tuple[tuple[FixPlace, str], ...]] = {}
        inputs, output = self._read_inputs(), request.output
        is_input = [*map(Path.absolute, request.inputs)] == [output and output.absolute()]
        has_output = output is not None and find_kind(output) is PathKind.FILE
        # The sheet is the output that is there, else the only input, else a new one.
        if output and has_output and not is_input:
            self.sheet = self._read_output(output)
        elif len(inputs) == 1:
            (self.sheet,) = inputs
        else:
            self.sheet = make_sheet(output or Path("results.csv"), request.options)
        self.past = recall_lines(self.sheet, journal.tables if has_output else [])
        conflicts = merge_inputs(self.sheet, inputs, self.past)
        if conflicts:
            self.notes.append(sentence("run.conflicts", request.language, n=conflicts))
        self.lines = {line.number: self._recall_decisions(line) for line in self.sheet.lines}
        # Its photos lie where sheets and output do, or where the names of lines begin.
        folders = [sheet.path.parent for sheet in inputs]
        folders += [Path(), (output or Path()).parent, request.photos or Path()]
        self.by_photo: dict[Path, list[Line]] = {path: [] for path in self.paths.values()}
        for line in self.lines.values():
            path = self.paths.get(line.photo) or find_photo(line.photo, folders)
            if path is not None:
                self.paths[line.photo] = path
                self.by_photo.setdefault(path, []).append(line)
        if not self.lines and not self.paths:
            where = ", ".join(map(shown, request.inputs))
            advice = "Name photos, a folder with photos, or a sheet with a column photo."
            raise UsageError(f"There are no photos in {where}.", advice)

    def _read_inputs(self) -> list[Sheet]:
        sheets = []
        for path in self.request.inputs:
            is_folder = find_kind(path) is PathKind.FOLDER
            is_sheet = path.suffix.lower() in SHEET_SUFFIXES and not is_folder
            if is_sheet or self.request.needs_claims:
                sheet = read_sheet(path, self.request.options)
                sheet.require(["photo"], *([["claimed"]] if self.request.needs_claims else []))
                sheets.append(sheet)
            else:
                photos = find_photos(path) if is_folder else [path]
                self.paths |= {shown(photo): photo for photo in photos}
        return sheets

    def _read_output(self, output: Path) -> Sheet:
        sheet = read_sheet(output, self.request.options)
        if not {"photo", "reading", "status"} <= {*sheet.columns}:
            raise UsageError(
                f"{shown(output)} is there already, and was not written by kdscore.",
                "Give another name with -o, or move the file away.",
            )
        return sheet

    def _recall_decisions(self, line: Line) -> Line:
        """Find what the decisions of a line were made for, as far as that is known.

        What is new was decided of what stood in the line. Who writes another letter or colour says
        that what was read before was another kingdom.
        """
        last, reading = self.past[line.number], line.cells.get("reading", "")
        score = line.cells.get("score", "")
        total = int(score) if score.isdecimal() else None
        decisions: dict[str, Decision] = {}
        for column in ("fix", "accept"):
            text, decision = line.cells.get(column, ""), last.decisions.get(column)
            if text and decision and decision.text == text:
                decisions[column] = decision
            elif text and reading:
                decisions[column] = Decision(text, reading, last.origin, total)
                # Who corrects and accepts the photo at once means the corrected photo.
                total = None
        names = {column: line.cells.get(column) for column in ("kingdom", "colour")}
        is_new = any(text and text != last.cells.get(column) for column, text in names.items())
        cells = {**line.cells, "reading": ""} if last.cells and is_new else line.cells
        return replace(line, cells=cells, decisions=decisions)

    # ------------------------------------------------------------------ stages

    @property
    def tasks(self) -> list[Task]:
        """The photos, each once for all options of its lines, with what is corrected by now."""
        return [
            Task(path, options, self.fixes.get(path, ()))
            for path, lines in self.by_photo.items()
            for options in dict.fromkeys([line.options for line in lines] or [self.request.options])
        ]

    def assign(self, photos: Photos) -> None:
        """Find whose kingdom it is, and what is corrected; add lines for kingdoms without any."""
        for path, lines in self.by_photo.items():
            readings = [photos[Task(path, line.options)] for line in lines]
            owners = assign(lines, readings)
            # A kingdom that was told by claims is no surer for what was read of it since.
            for n, line in enumerate(lines):
                if owners[n].clue is Clue.READING:
                    owners[n] = replace(owners[n], clue=self.past[line.number].clue)
            self.owners |= zip([line.number for line in lines], owners, strict=True)
            photo = readings[0] if lines else photos[Task(path, self.request.options)]
            fixes, lines_checked = place_fixes(lines, owners, photo)
            self.fixes[path] = tuple(fixes.items())
            self.lines |= {line.number: line for line in lines_checked}
            if not self.request.needs_claims:
                self._add_kingdoms(path, photo, owners)

    def _add_kingdoms(self, path: Path, photo: PhotoResult, owners: Sequence[Owner]) -> None:
        """Add a line for every kingdom of a photo that no line has, and for a photo without any.

        While it is open which kingdom one of its lines has, that may be any of them.
        """
        name = next(name for name, photo_path in self.paths.items() if photo_path == path)
        indices = {owner.index for owner in owners}
        for index, kingdom in enumerate(photo.kingdoms or [None]):
            if index in indices or None in indices:
                continue
            letter = kingdom_name(index) if len(photo.kingdoms) > 1 else ""
            cells = {"photo": name, "kingdom": letter, "reading": ""}
            if kingdom:
                cells |= {"colour": kingdom.colour or "", "reading": kingdom.line}
            number = self.sheet.add(cells)
            cells = self.sheet.cells(number)
            self.past[number] = WrittenLine({}, drop_found(cells))
            self.lines[number] = Line.of(cells, number, self.request.options)
            self.owners[number] = Owner(Clue.READING, index)

    def compare(self, photos: Photos) -> list[Verdict]:
        """Hold the lines against what their photos show, corrected."""
        readings: list[PhotoResult | None] = []
        for line in self.lines.values():
            path = self.paths.get(line.photo)
            task = path and Task(path, line.options, self.fixes[path])
            readings.append(photos[task] if task else None)
        owners = [self.owners[number] for number in self.lines]
        return count_once(judge_lines([*self.lines.values()], readings, owners))

    def write(self, verdicts: Sequence[Verdict]) -> list[WrittenLine]:
        """Write what was found into the sheet, and return what the journal is to keep of it."""
        lines = []
        for verdict in verdicts:
            line, last = verdict.line, self.past[verdict.line.number]
            cells = verdict.cells(self.request.language)
            if verdict.photo is None and line.photo:
                # The photo is gone: the last score stands.
                columns = ("score", "status", "reading", *(() if verdict.counts else ("counts",)))
                cells |= {column: line.cells.get(column, "") for column in columns}
            # A line that the program added, and nobody changed, follows the letter of its kingdom.
            source = dict(last.source)
            is_added = source.keys() <= {"photo", "kingdom", "colour"}
            has_letter = line.letter and line.letter == source.get("kingdom")
            if is_added and has_letter and verdict.index is not None:
                source["kingdom"] = cells["kingdom"] = kingdom_name(verdict.index)
            self.sheet.set(line.number, cells)
            cells = self.sheet.cells(line.number)
            origin, clue = last.origin, last.clue
            if verdict.kingdom:
                origin, clue = verdict.kingdom.origin, self.owners[line.number].clue
            lines.append(WrittenLine(cells, source, line.decisions, origin, clue))
        return lines
