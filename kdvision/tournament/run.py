"""Many photos into one sheet: `batch` and `verify` are one run, with claims or without.

A sheet is read, its photos are read from the journal or by workers, every claim is judged, and the
sheet is written back. What people wrote into the output since the last run stays.
"""

import errno
import os
import tempfile
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path, PurePosixPath, PureWindowsPath

import msgspec
from msgspec import Struct

from kdvision.errors import ExitCode, UnreadablePhotoError, UsageError, worst
from kdvision.files import (
    PHOTO_SUFFIXES,
    is_no_file,
    photos_in,
    read_file,
    shown,
    unwritable,
)
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.photo.photo import PHOTO
from kdvision.sentences import DEFAULT_LANGUAGE, sentence
from kdvision.tournament.columns import FOUND, Line
from kdvision.tournament.executors import (
    ALL_CORES,
    Engine,
    Task,
    Workers,
    photo_digest,
    scorer_version,
)
from kdvision.tournament.journal import Decision, Journal, PhotoReading, WrittenLine, locked
from kdvision.tournament.judging import Verdict, Word, count_once, judge_claim, judge_lines
from kdvision.tournament.owners import Correction
from kdvision.tournament.sheet import (
    SHEET_SUFFIXES,
    WORKBOOK,
    Sheet,
    check_workbooks,
    match_rows,
    merge_words,
    new_sheet,
    people,
    read_sheet,
)

#: Endings of files that are no sheets; anything else is written as CSV.
_NO_SHEETS = (
    ".html",
    ".htm",
    ".pdf",
    ".json",
    ".jsonl",
    ".md",
    ".doc",
    ".docx",
    ".xls",
    ".ods",
    ".numbers",
)
#: A person saves a sheet once in some seconds; who writes more often is a program.
_MOST_TRIES = 20


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
    options: GameOptions = DEFAULT_OPTIONS
    photos: Path | None = None
    language: str = DEFAULT_LANGUAGE


class Outcome(Struct, frozen=True):
    """What a run came to.

    Attributes:
        sheet: The sheet as it was written.
        verdicts: What was found of its lines, in their order, as far as they were reached.
        notes: Sentences for the owner of the sheet.
        paths: Where the photos of the verdicts are, by their names.
        skipped: The number of photos that an earlier run had read.
        interrupted: Whether Ctrl-C ended it.
    """

    sheet: Sheet
    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...] = ()
    paths: Mapping[str, Path] = {}
    skipped: int = 0
    interrupted: bool = False

    @property
    def exit_code(self) -> ExitCode:
        """The exit code: that something differs goes first, then what asks most for a person."""
        if self.interrupted:
            return ExitCode.INTERRUPTED
        if any(verdict.word is Word.DIFFERS for verdict in self.verdicts):
            return ExitCode.DIFFERENT
        return worst([verdict.exit_code for verdict in self.verdicts])


def run(
    request: Request,
    workers: Workers = ALL_CORES,
    progress: Callable[[int, int], None] = lambda _, __: None,
    finish: Callable[[Outcome, Engine], None] = lambda _, __: None,
) -> Outcome:
    """Read the photos of sheets and folders, judge every line, and write the sheet.

    Args:
        request: What is asked.
        workers: How photos are scored.
        progress: Called with the number of photos that are done, and of all.
        finish: Called at the end, while there are workers to draw pictures.

    Raises:
        UsageError: A sheet cannot be read or written, or there is no photo.
        ModelError: The models are missing.
    """
    check_request(request)
    with ExitStack() as stack:
        # Nobody else writes this output, and what is read is kept in its journal.
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if request.output:
            stack.enter_context(locked(request.output))
        journal_path = journal_of(request.output) if request.output else folder / "journal"
        journal = stack.enter_context(closing(Journal(journal_path)))
        engine = stack.enter_context(Engine(workers))
        # Photos first, as they take long; then the sheet as it is by then.
        readings = _Readings(journal, engine, progress)
        readings.read(_tasks(_Table(request, journal)).values())
        for _ in range(_MOST_TRIES):
            stamp = _stamp(request.output)
            table = _Table(request, journal)
            verdicts = _judge(table, readings)
            data = _write_cells(table, verdicts, readings)
            if request.output is None or stamp == _stamp(request.output):
                break
        else:
            raise UsageError(
                f"{shown(request.output or Path())} is being written by another program.",
                "Close it there, and give the same command again: what was read is kept.",
            )
        if request.output:
            journal.announce(data)
            table.sheet.save(request.output)
            journal.tidy()
        outcome = Outcome(
            table.sheet,
            tuple(verdicts),
            tuple(table.notes),
            {**table.photos, **table.paths},
            readings.skipped,
            readings.is_interrupted,
        )
        finish(outcome, engine)
    return outcome


def journal_of(output: Path) -> Path:
    """Return where the journal of a sheet is."""
    return output.with_name(f"{output.name}.journal")


def _stamp(path: Path | None) -> tuple[int, int, int] | None:
    """Time, size and inode, which change when a file is written; None where there is none."""
    with suppress(OSError):
        if path is not None:
            about = path.stat()
            return about.st_mtime_ns, about.st_size, about.st_ino
    return None


def check_request(request: Request) -> None:
    """Check before the first photo what would fail after the last.

    Raises:
        UsageError: An output may not be written so, or a part that is needed is missing.
    """
    inputs = {path.absolute() for path in request.inputs}
    sheets = [path for path in request.inputs if is_sheet(path)]
    if any(path.suffix.lower() == WORKBOOK for path in (*sheets, request.output or Path())):
        check_workbooks()
    for option, path in (("--output", request.output), ("--html", request.html)):
        if path is None:
            continue
        suffix = path.suffix.lower()
        if is_no_file(path):
            raise UsageError(f"{option} {shown(path)} is no file.", "Give another name.")
        if suffix in PHOTO_SUFFIXES or (option == "--html" and path.absolute() in inputs):
            raise UsageError(f"{option} {shown(path)} would be written over.", "Give another name.")
        if option == "--output" and suffix in _NO_SHEETS:
            advice = "Give a name that ends in .xlsx or .csv."
            raise UsageError(f"--output {shown(path)} is named like no sheet.", advice)
        if option == "--html" and path.exists() and not _is_page(path):
            advice = "Give another name, or move the file away."
            raise UsageError(f"--html {shown(path)} is there, and holds something else.", advice)
        parent = path.absolute().parent
        if not os.access(parent, os.W_OK):
            reason = errno.EACCES if parent.is_dir() else errno.ENOENT
            raise unwritable(path, OSError(reason, os.strerror(reason)))
    if request.output and request.html and request.output.absolute() == request.html.absolute():
        raise UsageError("Two outputs have one name.", "Give each a name of its own.")


def _is_page(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(64).lstrip()[:1] in (b"", b"<")


def is_sheet(path: Path) -> bool:
    """Tell whether a name is that of a sheet."""
    return path.suffix.lower() in SHEET_SUFFIXES and not path.is_dir()


# ---------------------------------------------------------------------- the sheet of a run


class _Table:
    """The sheet of a run: the output as people left it, with what is new in the inputs.

    Attributes:
        sheet: The sheet.
        photos: The photos of folders and those that were named, by the names that lines have.
        words: What the inputs say of a line, by its number.
        written: What the last run wrote of a line, by its number.
        notes: Sentences on what the owner may not expect.
    """

    def __init__(self, request: Request, journal: Journal) -> None:
        self.request = request
        self.photos: dict[str, Path] = {}
        self.words: dict[int, dict[str, str]] = {}
        self.written: dict[int, WrittenLine] = {}
        self.notes: list[str] = []
        self.paths: dict[str, Path] = {}
        sheets = self._read_inputs()
        self._finder = PhotoFinder(
            [*(sheet.path.parent for sheet in sheets), Path(), (request.output or Path()).parent],
            request.photos,
        )
        output = request.output
        names = [path.absolute() for path in request.inputs]
        is_input = output is not None and names == [output.absolute()]
        if output is not None and output.exists() and not is_input:
            self.sheet = self._read_output(output)
            self._recall(journal)
            self._merge(sheets)
        elif len(sheets) == 1:
            (self.sheet,) = sheets
            if is_input:
                self._recall(journal)
            self.words = {line.number: people(line.cells) for line in self.sheet.lines}
        else:
            self.sheet = new_sheet(output or Path("results.csv"), request.options)
            self._merge(sheets)
        if not self.sheet.lines and not self.photos:
            where = ", ".join(map(shown, request.inputs))
            advice = "Name a folder with photos, photos, or a sheet with a column photo."
            raise UsageError(f"There are no photos in {where}.", advice)
        self.lines = self.sheet.lines

    def _read_inputs(self) -> list[Sheet]:
        sheets = []
        for path in self.request.inputs:
            if is_sheet(path) or self.request.needs_claims:
                sheet = read_sheet(path, self.request.options)
                sheet.require(["photo"], *([["claimed"]] if self.request.needs_claims else []))
                sheets.append(sheet)
            else:
                paths = photos_in(path) if path.is_dir() else [path]
                self.photos |= {shown(photo): photo for photo in paths}
        return sheets

    def _read_output(self, output: Path) -> Sheet:
        sheet = read_sheet(output, self.request.options)
        if not {"photo", "reading", "status"} <= {*sheet.columns}:
            raise UsageError(
                f"{shown(output)} is there already, and was not written by kdscore.",
                "Give another name with -o, or move the file away.",
            )
        return sheet

    def _recall(self, journal: Journal) -> None:
        """Find what the last run wrote of each line, wherever it stands now."""
        lines = self.sheet.lines
        cells = {frozenset(line.cells.items()) for line in lines}

        def equal_lines(table: Sequence[WrittenLine]) -> int:
            return sum(frozenset(line.cells.items()) in cells for line in table)

        # A run that was killed may have announced what it did not write.
        table = max(reversed(journal.tables), key=equal_lines, default=())
        now = [_identity(line.cells) for line in lines]
        then = [_identity(line.cells) for line in table]
        for index, before in match_rows(now, then).items():
            self._recall_line(lines[index], table[before])

    def _recall_line(self, line: Line, written: WrittenLine) -> None:
        self.written[line.number] = written
        self.words[line.number] = dict(written.word)
        # A workbook that was saved by a program has formulas without their values.
        values = {
            column: written.cells.get(column, "")
            for column, text in line.cells.items()
            if text.startswith("=")
        }
        self.sheet.know(line.number, values)

    def _merge(self, sheets: Sequence[Sheet]) -> None:
        """Put what is new in the inputs into the lines of the output; add lines that are new."""
        words = [people(line.cells) for sheet in sheets for line in sheet.lines]
        # A line of an input is that of which the last run heard these words, else that which says
        # most of them now.
        heard = [number for number in self.written if self.written[number].word]
        pairs = match_rows(words, [self.written[number].word for number in heard])
        numbers = {index: heard[at] for index, at in pairs.items()}
        lines = {line.number: line for line in self.sheet.lines}
        left = [number for number in lines if number not in numbers.values()]
        new = [index for index in range(len(words)) if index not in numbers]
        more = match_rows([words[n] for n in new], [people(lines[n].cells) for n in left])
        numbers |= {new[index]: left[at] for index, at in more.items()}
        conflicts = 0
        for index, word in enumerate(words):
            number = numbers.get(index)
            if number is None:
                self.words[self.sheet.add(word)] = word
                continue
            written = self.written.get(number, WrittenLine({}))
            cells = people(lines[number].cells)
            columns = dict.fromkeys((*cells, *word, *written.word))
            merged, count = merge_words(cells, word, written.cells, written.word, columns)
            conflicts += count
            self.sheet.set(number, merged)
            self.words[number] = word
        if conflicts:
            self.notes.append(sentence("run.conflicts", self.request.language, n=conflicts))

    def path_of(self, line: Line) -> Path | None:
        """Return where the photo of a line is; None where it is not there."""
        path = self.photos.get(line.photo) or self._finder.find(line.photo)
        if path is not None:
            self.paths[line.photo] = path
        return path

    def decisions(self, line: Line) -> dict[str, Decision]:
        """Return what the decisions of a line were made for, as far as that is known.

        What is new was decided of what stood in the line.
        """
        written = self.written.get(line.number, WrittenLine({}))
        made: dict[str, Decision] = {}
        for column in ("fix", "accept"):
            text, before = line.cells.get(column, ""), written.decisions.get(column)
            if text and before and before.text == text:
                made[column] = before
            elif text and line.cells.get("reading"):
                # Who corrects and accepts the photo at once means the corrected photo.
                score = (
                    None
                    if "fix" in made and "fix" not in written.decisions
                    else (line.cells.get("score", ""))
                )
                total = int(score) if score and score.isdecimal() else None
                made[column] = Decision(text, line.cells["reading"], written.origin, total)
        return made


def _identity(cells: Mapping[str, str]) -> dict[str, str]:
    """What a line is known by: the words of people, and its kingdom."""
    return {**people(cells), "reading": cells.get("reading", "")}


# ---------------------------------------------------------------------- reading photos

#: A photo by its path, and the options that it is scored by.
_Key = tuple[str, GameOptions]


class _Readings:
    """What photos showed, from the journal or by workers.

    Args:
        journal: The journal.
        engine: The workers.
        progress: See `run`.
    """

    def __init__(
        self, journal: Journal, engine: Engine, progress: Callable[[int, int], None]
    ) -> None:
        self._journal = journal
        self._engine = engine
        self._progress = progress
        self._readings: dict[_Key, tuple[Task, PhotoReading]] = {}
        self.skipped = 0
        self.is_interrupted = False

    def read(self, tasks: Collection[Task]) -> None:
        """Read all photos. Ctrl-C ends it early; what was read is kept."""
        workers = self._engine.workers
        version = workers.version or scorer_version()
        done = 0

        def waiting() -> Iterator[Task]:
            """The tasks that the journal does not have."""
            nonlocal done
            for task in tasks:
                data = b""
                with suppress(UnreadablePhotoError):
                    data = read_file(task.path, PHOTO.max_bytes)
                key = task.key(photo_digest(data), version)
                if key and key in self._journal:
                    self._readings[_key(task)] = task, self._journal.reading(key, task.name)
                    self.skipped += 1
                    done += 1
                    self._progress(done, len(tasks))
                else:
                    yield msgspec.structs.replace(task, data=data if workers.send_photos else b"")

        try:
            for task, reading in self._engine.score(waiting()):
                key = task.key(reading.digest, version)
                if key:
                    self._journal.add(key, reading)
                self._readings[_key(task)] = task, reading
                done += 1
                self._progress(done, len(tasks))
        except KeyboardInterrupt:
            self.is_interrupted = True

    def of(self, task: Task | None) -> PhotoReading | None:
        """Return what a photo showed; None where it was not reached, or is corrected since."""
        if task is None or _key(task) not in self._readings:
            return None
        read, reading = self._readings[_key(task)]
        return reading if read.corrections == task.corrections else None


def _key(task: Task) -> _Key:
    return _normal(task.path), task.options


def _normal(path: Path) -> str:
    return _as_one(os.path.normcase(path.absolute()))


def _tasks(table: _Table) -> dict[_Key, Task]:
    """The photos of a table, each once for all options that its lines ask for."""
    tasks: dict[_Key, Task] = {}
    corrections: dict[str, list[Correction]] = {}
    for line in table.lines:
        path = table.path_of(line)
        if path is not None:
            task = Task(path, line.photo, line.options)
            tasks.setdefault(_key(task), task)
            corrections.setdefault(_normal(path), [])
            if line.fixes:
                corrections[_normal(path)].append(_correction(line, table))
    for name, path in table.photos.items():
        if _normal(path) not in corrections:
            task = Task(path, name, table.request.options)
            tasks[_key(task)] = task
    return {
        key: msgspec.structs.replace(task, corrections=tuple(corrections.get(key[0], ())))
        for key, task in tasks.items()
    }


def _correction(line: Line, table: _Table) -> Correction:
    made = table.decisions(line).get("fix", Decision(""))
    cells = tuple((place.at, text) for place, text in line.fixes.items())
    return Correction(made.reading, made.origin, line.letter, line.colour, cells)


# ---------------------------------------------------------------------- judging and writing


def _judge(table: _Table, readings: _Readings) -> list[Verdict]:
    """Judge the lines that were reached; add lines for kingdoms that have none."""
    reached: list[tuple[Line, PhotoReading | None]] = []
    tasks = _tasks(table)
    for line in table.lines:
        path = table.path_of(line)
        reading = readings.of(tasks.get((_normal(path), line.options))) if path else None
        if path is None or reading is not None:
            reached.append((line, reading))
    lines = [line for line, _ in reached]
    verdicts = judge_lines(
        lines, [reading for _, reading in reached], [table.decisions(line) for line in lines]
    )
    if not table.request.needs_claims:
        verdicts += _add_kingdoms(table, tasks, readings, verdicts)
    return count_once(verdicts)


def _add_kingdoms(
    table: _Table,
    tasks: Mapping[_Key, Task],
    readings: _Readings,
    verdicts: Sequence[Verdict],
) -> list[Verdict]:
    """Add a line for every kingdom of a photo that no line has, and for a photo without any.

    While it is open which kingdom one of its lines has, that may be any of them.
    """
    added = []
    by_photo: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        by_photo.setdefault(verdict.line.photo, []).append(verdict)
    for name, path in {**table.photos, **table.paths}.items():
        claimed_by = by_photo.get(name, [])
        options = claimed_by[0].line.options if claimed_by else table.request.options
        reading = readings.of(tasks.get((_normal(path), options)))
        if reading is None or any(verdict.kingdom is None for verdict in claimed_by):
            continue
        letters = {verdict.letter for verdict in claimed_by}
        kingdoms = [*reading.result.named.items()]
        for letter, kingdom in kingdoms:
            letter = letter if len(kingdoms) > 1 else ""
            if letter not in letters:
                cells = {"photo": name, "kingdom": letter, "colour": kingdom.colour or ""}
                line = _add_line(table, cells)
                added.append(judge_claim(line, kingdom, reading.result))
        if not kingdoms and not claimed_by:
            line = _add_line(table, {"photo": name})
            added.append(judge_claim(line, None, reading.result))
    return added


def _add_line(table: _Table, cells: Mapping[str, str]) -> Line:
    number = table.sheet.add(cells)
    table.words[number] = {column: text for column, text in cells.items() if text}
    return Line.of(table.words[number], number, table.request.options)


def _write_cells(
    table: _Table, verdicts: Sequence[Verdict], readings: _Readings
) -> list[WrittenLine]:
    """Write what was found into the sheet, and return what the journal is to keep of it."""
    by_number = {verdict.line.number: verdict for verdict in verdicts}
    for number, verdict in by_number.items():
        cells = verdict.cells(table.request.language)
        if verdict.photo is None and verdict.line.photo:
            # The photo is gone: the last score stands.
            last = {column: verdict.line.cells.get(column, "") for column in FOUND}
            kept = ("score", "status", "reading", *(() if verdict.counts else ("counts",)))
            cells |= {column: last[column] for column in kept}
        table.sheet.set(number, {**_own_words(table, verdict), **cells})
    written = []
    for row in table.sheet.rows:
        before = table.written.get(row.number, WrittenLine({}))
        verdict_of_row = by_number.get(row.number)
        kingdom = verdict_of_row.kingdom if verdict_of_row else None
        decisions = verdict_of_row.decisions if verdict_of_row else before.decisions
        origin = kingdom.origin if kingdom else before.origin
        word = table.words.get(row.number, {})
        written.append(WrittenLine(table.sheet.cells(row), word, decisions, origin))
    return written


def _own_words(table: _Table, verdict: Verdict) -> dict[str, str]:
    """The letter that a kingdom has now, in a line that the program added and nobody changed."""
    word = table.words.get(verdict.line.number, {})
    is_ours = word.keys() <= {"photo", "kingdom", "colour"} and word.get("kingdom")
    if not is_ours or not verdict.letter or verdict.line.letter != word["kingdom"]:
        return {}
    table.words[verdict.line.number] = {**word, "kingdom": verdict.letter}
    return {"kingdom": verdict.letter}


# ---------------------------------------------------------------------- where photos are


class PhotoFinder:
    """Finds the photos that the lines of a sheet name.

    Args:
        folders: Those of the sheets, and others from which names may count.
        photos: A folder in which they are looked for as well, with the folders in it.
    """

    def __init__(self, folders: Sequence[Path], photos: Path | None = None) -> None:
        self._folders = list(dict.fromkeys(folders))
        self._by_name: dict[str, list[Path]] = {}
        if photos is not None:
            if not photos.is_dir():
                raise UsageError(f"{shown(photos)} is no folder.", "--photos takes a folder.")
            for path in photos_in(photos):
                self._by_name.setdefault(_as_one(path.name).casefold(), []).append(path)

    def find(self, name: str) -> Path | None:
        """Return where a photo is; None where it is not found.

        A path as Windows writes it is understood everywhere. A photo that is not there is looked
        for under its name beside the sheet, then in the folder of photos, where its name is the
        only one of its kind.
        """
        if not name:
            return None
        windows = PureWindowsPath(name)
        for folder in self._folders:
            for path in (name, PurePosixPath(name.replace("\\", "/")), windows.name):
                if _is_file(folder / path):
                    return folder / path
        named = self._by_name.get(_as_one(windows.name).casefold(), [])
        ends = PurePosixPath(_as_one(name).replace("\\", "/")).parts
        exact = [path for path in named if Path(_as_one(str(path))).parts[-len(ends) :] == ends]
        for paths in (exact, named):
            if len(paths) == 1:
                return paths[0]
        return None


def _as_one(name: str) -> str:
    """A name whose letters with marks are written as one, as macOS does not in names of files."""
    return unicodedata.normalize("NFC", name)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
