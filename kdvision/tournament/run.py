"""Many photos into one sheet: `batch` and `verify` are one run, with claims or without.

A sheet is read, its photos are read from the journal or by workers, every claim is judged, and the
sheet is written back. What people wrote into the output since the last run stays.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import FixPlace, kingdom_name
from kdvision.errors import UnreadablePhotoError, UsageError
from kdvision.files import find_photos, is_special, read_file, shown, write_error
from kdvision.options import DEFAULTS, GameOptions
from kdvision.photo.photo import PHOTO
from kdvision.result import PhotoResult
from kdvision.sentences import ENGLISH, listed, sentence
from kdvision.tournament.columns import Decision, Line, identity, people
from kdvision.tournament.executors import (
    Task,
    Workers,
    follows_from_bytes,
    score_photos,
    scorer_version,
)
from kdvision.tournament.journal import Journal, WrittenLine, locked
from kdvision.tournament.judging import Verdict, count_once, judge_lines
from kdvision.tournament.owners import Clue, Owned, assign, place_fixes
from kdvision.tournament.report import Outcome, write_page
from kdvision.tournament.sheet import (
    SHEET_SUFFIXES,
    WORKBOOK,
    Sheet,
    import_openpyxl,
    match_rows,
    merge_words,
    new_sheet,
    read_sheet,
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
    options: GameOptions = DEFAULTS
    photos: Path | None = None
    language: str = ENGLISH


def run(
    request: Request,
    workers: Workers,
    progress: Callable[[int, int], None] = lambda _, __: None,
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
            stack.enter_context(locked(output))
        journal_path = journal_of(output) if output else Path(":memory:")
        journal = stack.enter_context(closing(Journal(journal_path)))
        # What a person saves in the output meanwhile asks for another pass, with the journal.
        stamp: object = ()
        while stamp != _stamp(output):
            stamp = _stamp(output)
            table = _Table(request, journal)
            # A claim goes through these stages, each once.
            photos = read_photos(table.tasks, journal, workers, progress)
            table.assign(photos)
            corrected = [task for task in table.tasks if task not in photos]
            photos |= read_photos(corrected, journal, workers, progress)
            verdicts = table.judge(photos)
            written = table.write(verdicts)
        if output:
            journal.announce(written)
            table.sheet.save(output)
            journal.settle()
        outcome = Outcome(table.sheet, tuple(verdicts), tuple(table.notes), table.paths)
        if request.html:
            write_page(request.html, outcome, request.language)
    return outcome


def journal_of(output: Path) -> Path:
    """Return where the journal of a sheet is."""
    return output.with_name(f"{output.name}.journal")


def _stamp(path: Path | None) -> tuple[int, int] | None:
    """Time and size, which change when a file is written; None where there is none."""
    about = path.stat() if path and path.exists() else None
    return about and (about.st_mtime_ns, about.st_size)


def check_request(request: Request) -> None:
    """Check before the first photo what would fail after the last.

    Raises:
        UsageError: An output may not be written so, or a part that is needed is missing.
    """
    if any(path.suffix.lower() == WORKBOOK for path in (*request.inputs, request.output or Path())):
        import_openpyxl()
    if request.photos and not request.photos.is_dir():
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
    version = scorer_version()
    photos: Photos = {}
    keys: dict[Task, str] = {}

    def keep(task: Task, photo: PhotoResult) -> None:
        photos[task] = photo
        progress(len(photos), len(tasks))

    def waiting() -> Iterator[tuple[Task, bytes]]:
        """The tasks that the journal does not have."""
        for task in tasks:
            try:
                data = read_file(task.path, PHOTO.max_bytes)
            except UnreadablePhotoError as error:
                keep(task, PhotoResult.of_error(task.path.name, error))
                continue
            keys[task] = task.key(data, version)
            if photo := journal.find(keys[task]):
                keep(task, photo)
            else:
                yield task, data

    for task, photo in score_photos(workers, waiting()):
        if follows_from_bytes(photo):
            journal.add(keys[task], photo)
        keep(task, photo)
    return photos


def find_photo(name: str, folders: Iterable[Path]) -> Path | None:
    """Return where a photo is that a line names; None where it is not found.

    A path as Windows writes it is understood everywhere.

    Args:
        name: A path, or the name alone.
        folders: Where it may lie: in each the path counts, then the name.
    """
    path = PurePosixPath(name.replace("\\", "/"))
    for folder in folders:
        for place in (folder / path, folder / path.name):
            if name and os.path.isfile(place):  # noqa: PTH113 - it never raises
                return place
    return None


# ---------------------------------------------------------------------- the sheet of a run


class _Table:
    """The sheet of a run: the output as people left it, with what is new in the inputs.

    Attributes:
        sheet: The sheet.
        lines: Its lines by their numbers.
        paths: The photos of folders and those of lines, by the names that lines have.
        words: What the inputs say of a line, by its number.
        past: What the last run wrote of a line, by its number.
        by_photo: The lines of every photo.
        owners: The kingdom of a line, by its number.
        fixes: What people corrected in a photo.
        notes: Sentences on what the owner may not expect.
    """

    def __init__(self, request: Request, journal: Journal) -> None:
        self.request = request
        self.paths: dict[str, Path] = {}
        self.words: dict[int, dict[str, str]] = {}
        self.past: defaultdict[int, WrittenLine] = defaultdict(lambda: WrittenLine({}))
        self.notes: list[str] = []
        self.owners: dict[int, Owned] = {}
        self.fixes: dict[Path, tuple[tuple[FixPlace, str], ...]] = {}
        inputs, output = self._read_inputs(), request.output
        is_input = [*map(Path.absolute, request.inputs)] == [output and output.absolute()]
        has_output = output is not None and output.exists()
        # The sheet is the output that is there, else the only input, else a new one.
        if output and has_output and not is_input:
            self.sheet = self._read_output(output)
        elif len(inputs) == 1:
            (self.sheet,) = inputs
        else:
            self.sheet = new_sheet(output or Path("results.csv"), request.options)
        if has_output:
            self._recall(journal)
        if self.sheet in inputs:
            self.words |= {line.number: people(line.cells) for line in self.sheet.lines}
        else:
            self._merge(inputs)
        self.lines = {line.number: self._with_decisions(line) for line in self.sheet.lines}
        # Its photos lie where sheets and output do, or where the names of lines begin.
        folders = [sheet.path.parent for sheet in inputs]
        folders += [Path(), (output or Path()).parent, request.photos or Path()]
        self.by_photo: dict[Path, list[Line]] = {path: [] for path in self.paths.values()}
        for line in self.lines.values():
            place = self.paths.get(line.photo) or find_photo(line.photo, folders)
            if place is not None:
                self.paths[line.photo] = place
                self.by_photo.setdefault(place, []).append(line)
        if not self.lines and not self.paths:
            where = ", ".join(map(shown, request.inputs))
            advice = "Name photos, a folder with photos, or a sheet with a column photo."
            raise UsageError(f"There are no photos in {where}.", advice)

    def _read_inputs(self) -> list[Sheet]:
        sheets = []
        for path in self.request.inputs:
            is_sheet = path.suffix.lower() in SHEET_SUFFIXES and not path.is_dir()
            if is_sheet or self.request.needs_claims:
                sheet = read_sheet(path, self.request.options)
                sheet.require(["photo"], *([["claimed"]] if self.request.needs_claims else []))
                sheets.append(sheet)
            else:
                photos = find_photos(path) if path.is_dir() else [path]
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

    def _recall(self, journal: Journal) -> None:
        """Find what the last run wrote of each line, wherever it stands now."""
        lines = self.sheet.lines
        now = Counter(cell for line in lines for cell in line.cells.items())

        def changes_since(table: Sequence[WrittenLine]) -> int:
            before = Counter(cell for written in table for cell in written.cells.items())
            return (before - now).total() + (now - before).total()

        # A run that was killed may have announced what it did not write.
        table = min(reversed(journal.tables), key=changes_since, default=())
        before = [identity(written.cells) for written in table]
        for index, past in match_rows([identity(line.cells) for line in lines], before).items():
            number, written = lines[index].number, table[past]
            self.past[number] = written
            self.words[number] = dict(written.word)
            # A workbook that was saved by a program has formulas without their values.
            formulas = [name for name, text in lines[index].cells.items() if text.startswith("=")]
            self.sheet.know(number, {name: written.cells.get(name, "") for name in formulas})

    def _merge(self, inputs: Sequence[Sheet]) -> None:
        """Put what is new in the inputs into the lines of the output; add lines that are new."""
        words = [people(line.cells) for sheet in inputs for line in sheet.lines]
        # A line of an input is that of which the last run heard these words, else says them now.
        lines = {line.number: people(line.cells) for line in self.sheet.lines}
        heard = [self.past[number].word or cells for number, cells in lines.items()]
        numbers, pairs = [*lines], match_rows(words, heard)
        conflicts = 0
        for index, word in enumerate(words):
            if index not in pairs:
                self.words[self.sheet.add(word)] = word
                continue
            number = numbers[pairs[index]]
            merged, count = merge_words(lines[number], word, self.past[number])
            conflicts += count
            self.sheet.set(number, merged)
            self.words[number] = word
        if conflicts:
            self.notes.append(sentence("run.conflicts", self.request.language, n=conflicts))

    def _with_decisions(self, line: Line) -> Line:
        """Find what the decisions of a line were made for, as far as that is known.

        What is new was decided of what stood in the line. Who writes another letter or colour says
        that what was read before was another kingdom.
        """
        past, reading = self.past[line.number], line.cells.get("reading", "")
        score = line.cells.get("score", "")
        total = int(score) if score.isdecimal() else None
        made: dict[str, Decision] = {}
        for column in ("fix", "accept"):
            text, before = line.cells.get(column, ""), past.decisions.get(column)
            if text and before and before.text == text:
                made[column] = before
            elif text and reading:
                made[column] = Decision(text, reading, past.origin, total)
                # Who corrects and accepts the photo at once means the corrected photo.
                total = None
        named = {column: line.cells.get(column) for column in ("kingdom", "colour")}
        is_new = any(text and text != past.cells.get(column) for column, text in named.items())
        cells = {**line.cells, "reading": ""} if past.cells and is_new else line.cells
        return replace(line, cells=cells, decisions=made)

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
            shown_to = [photos[Task(path, line.options)] for line in lines]
            owners = assign(lines, shown_to)
            self.owners |= {line.number: owner for line, owner in zip(lines, owners, strict=True)}
            photo = shown_to[0] if lines else photos[Task(path, self.request.options)]
            fixes, checked = place_fixes(lines, owners, photo)
            self.fixes[path] = tuple(fixes.items())
            self.lines |= {line.number: line for line in checked}
            if not self.request.needs_claims:
                self._add_kingdoms(path, photo, owners)

    def _add_kingdoms(self, path: Path, photo: PhotoResult, owners: Sequence[Owned]) -> None:
        """Add a line for every kingdom of a photo that no line has, and for a photo without any.

        While it is open which kingdom one of its lines has, that may be any of them.
        """
        name = next(name for name, place in self.paths.items() if place == path)
        owned = {owner.index for owner in owners}
        for index, kingdom in enumerate(photo.kingdoms or [None]):
            if index in owned or None in owned:
                continue
            letter = kingdom_name(index) if len(photo.kingdoms) > 1 else ""
            cells = {"photo": name, "kingdom": letter, "reading": ""}
            if kingdom:
                cells |= {"colour": kingdom.colour or "", "reading": kingdom.line}
            number = self.sheet.add(cells)
            self.words[number] = people(self.sheet.cells(number))
            cells = self.sheet.cells(number)
            self.lines[number] = Line.of(cells, number, self.request.options)
            self.owners[number] = Owned(Clue.READING, index)

    def judge(self, photos: Photos) -> list[Verdict]:
        """Judge the lines by what photos show, corrected."""
        judged = [
            photos[Task(self.paths[line.photo], line.options, self.fixes[self.paths[line.photo]])]
            if line.photo in self.paths
            else None
            for line in self.lines.values()
        ]
        owners = [self.owners.get(number, Owned(Clue.OPEN)) for number in self.lines]
        return count_once(judge_lines([*self.lines.values()], judged, owners))

    def write(self, verdicts: Sequence[Verdict]) -> list[WrittenLine]:
        """Write what was found into the sheet, and return what the journal is to keep of it."""
        written = []
        for verdict in verdicts:
            line = verdict.line
            word, origin = self.words.get(line.number, {}), self.past[line.number].origin
            cells = verdict.cells(self.request.language)
            if verdict.photo is None and line.photo:
                # The photo is gone: the last score stands.
                kept = ("score", "status", "reading", *(() if verdict.counts else ("counts",)))
                cells |= {column: line.cells.get(column, "") for column in kept}
            # A line that the program added, and nobody changed, follows the letter of its kingdom.
            is_added = word.keys() <= {"photo", "kingdom", "colour"}
            has_letter = line.letter and line.letter == word.get("kingdom")
            if is_added and has_letter and verdict.index is not None:
                word["kingdom"] = cells["kingdom"] = kingdom_name(verdict.index)
            self.sheet.set(line.number, cells)
            origin = verdict.kingdom.origin if verdict.kingdom else origin
            found = self.sheet.cells(line.number)
            written.append(WrittenLine(found, word, line.decisions, origin))
        return written
