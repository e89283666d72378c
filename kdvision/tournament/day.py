"""The rows and photos of a run: which photo a row has, which kingdom, and what that shows."""

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from kdvision.corrections import FixPlace
from kdvision.errors import UsageError
from kdvision.files import PathKind, find_kind, find_photos, missing_file, shown
from kdvision.result import PhotoResult
from kdvision.rules.rules import Rules
from kdvision.sentences import Sentence, sentence
from kdvision.tournament.counting import count_once
from kdvision.tournament.fixes import place_fixes
from kdvision.tournament.judging import Verdict, judge_rows
from kdvision.tournament.matching import Clue, Match, match_rows
from kdvision.tournament.photos import PhotoFinder
from kdvision.tournament.reader import PhotoReader
from kdvision.tournament.request import Request
from kdvision.tournament.results import make_template_row
from kdvision.tournament.rows import Row
from kdvision.tournament.scoring import Task
from kdvision.tournament.sheet import SHEET_SUFFIXES, Sheet, name_sheets, read_sheets


class Day:
    """The rows and photos of a run, and what becomes of them.

    Args:
        request: What is asked.

    Attributes:
        sheets: The sheets.
        notes: Sentences on what the owner may not expect.

    Raises:
        UsageError: A sheet cannot be read, or there is no photo.
        UnreadablePhotoError: There is no photo or folder of a name.
    """

    def __init__(self, request: Request) -> None:
        self.sheets: list[Sheet] = []
        self.notes: list[str] = []
        self._request = request
        #: The photos by the names that folders and rows give them, and their rows.
        self._paths: dict[str, Path] = {}
        folders = self._read_inputs(request.inputs)
        self._rows = name_sheets(self.sheets)
        self._by_photo: dict[Path, list[int]] = {path: [] for path in self._paths.values()}
        self._matches = [Match(Clue.OPEN)] * len(self._rows)
        self._fixes: dict[Path, tuple[tuple[FixPlace, str], ...]] = {}
        # The photos of rows lie where sheets and results do, or where their names begin.
        folders += [Path(), (request.output or Path()).parent, request.photos or Path()]
        self._find_photos(PhotoFinder(folders))
        if not self._rows and not self._paths:
            where = ", ".join(map(shown, request.inputs))
            advice = "Name photos, a folder with photos, or a sheet with a column photo."
            raise UsageError(f"There are no photos in {where}.", advice)

    def _read_inputs(self, inputs: Sequence[Path]) -> list[Path]:
        """Read the sheets, find the photos, and return the folders of both."""
        needs = [("photo",)]
        if self._request.needs_claims:
            needs.append(("claimed",))
        folders: list[Path] = []
        for path in inputs:
            kind = find_kind(path)
            is_sheet = path.suffix.lower() in SHEET_SUFFIXES and kind is not PathKind.FOLDER
            if is_sheet or self._request.needs_claims:
                self.sheets += read_sheets(path, needs, self._request.rules)
                folders.append(path.parent)
            elif kind in (PathKind.MISSING, PathKind.DEAD_LINK):
                raise missing_file(path)
            elif kind is PathKind.FOLDER:
                for photo in find_photos(path):
                    self._paths[shown(photo)] = _normal(photo)
                folders.append(path)
            else:
                self._paths[shown(path)] = _normal(path)
        return folders

    def _find_photos(self, finder: PhotoFinder) -> None:
        """Find the photos that rows name; a row whose photo is missing says so."""
        for n, row in enumerate(self._rows):
            found = self._paths.get(row.photo) or finder.find(row.photo)
            if found:
                path = self._paths[row.photo] = _normal(found)
                self._by_photo.setdefault(path, []).append(n)
            elif row.photo:
                missing = Sentence("verdict.photo-missing", {"photo": row.photo})
                if close := finder.suggest(row.photo):
                    missing = Sentence("verdict.photo-like", {"photo": row.photo, "name": close})
                self._matches[n] = Match(Clue.OPEN, doubt=missing)

    @property
    def tasks(self) -> list[Task]:
        """The photos, each once for all rules of its rows, with what is corrected by now."""
        tasks: dict[Task, None] = {}
        for path in self._by_photo:
            for rules in self._list_rules(path):
                tasks[self._make_task(path, rules)] = None
        return list(tasks)

    def _list_rules(self, path: Path) -> list[Rules]:
        """Return the rules of the rows of a photo; where there are none, those of the run."""
        return [self._rows[n].rules for n in self._by_photo[path]] or [self._request.rules]

    def _make_task(self, path: Path, rules: Rules) -> Task:
        """Return what is asked of a photo. Only a sheet of claims has a row for every kingdom."""
        rows = len(self._by_photo[path]) if self._request.needs_claims else 0
        return Task(path, rules, self._fixes.get(path, ()), rows)

    def match(self, reader: PhotoReader) -> None:
        """Find whose kingdom it is, and what is corrected; add rows for kingdoms without any."""
        # Files with the same bytes are one photo: that which rows name, else the first.
        originals: dict[str, Path] = {}
        for path, numbers in self._by_photo.items():
            if numbers and path in reader.digests:
                originals[reader.digests[path]] = path
        for path, numbers in self._by_photo.items():
            tasks = [self._make_task(path, rules) for rules in self._list_rules(path)]
            photos = [reader.photos[task] for task in tasks]
            matches = self._match_photo(path, photos)
            original = originals.setdefault(reader.digests.get(path, str(path)), path)
            if not numbers and original != path:
                fields = {"copy": self._name(path), "photo": self._name(original)}
                self.notes.append(sentence("run.copy", self._request.language, **fields))
            elif not self._request.needs_claims:
                self._add_rows(path, photos[0], matches)

    def _match_photo(self, path: Path, photos: Sequence[PhotoResult]) -> list[Match]:
        """Find the kingdoms of the rows of a photo, and what these correct.

        Args:
            path: The photo.
            photos: What was read of it by the rules of each row.
        """
        numbers = self._by_photo[path]
        rows = [self._rows[n] for n in numbers]
        matches = match_rows(rows, photos[: len(rows)])
        fixes, rows, matches = place_fixes(rows, matches, photos[0])
        self._fixes[path] = tuple(fixes.items())
        for n, row, match in zip(numbers, rows, matches, strict=True):
            self._rows[n], self._matches[n] = row, match
        return matches

    def _add_rows(self, path: Path, photo: PhotoResult, matches: Sequence[Match]) -> None:
        """Add a row for every kingdom of a photo that no row has, and for a photo without any.

        While it is open which kingdom one of its rows has, that may be any of them.
        """
        taken = {match.index for match in matches}
        if None in taken:
            return
        for index in range(len(photo.kingdoms)) or [None]:
            if index in taken:
                continue
            row = make_template_row(self._name(path))
            if self.sheets:
                name = shown((self._request.output or path).name)
                row = Row.of({"photo": row.photo}, sheet=name)
            # The row of headings is the first one of the results.
            position = len(self._rows) + 2
            self._by_photo[path].append(len(self._rows))
            self._rows.append(replace(row, position=position, rules=self._request.rules))
            self._matches.append(Match(Clue.NEW, index))

    def _name(self, path: Path) -> str:
        """Return what rows call a photo, else what folders do."""
        for n in self._by_photo[path]:
            return self._rows[n].photo
        return next(name for name, other in self._paths.items() if other == path)

    def judge(self, reader: PhotoReader) -> list[Verdict]:
        """Hold the rows against what their photos show, corrected."""
        photos: list[PhotoResult | None] = []
        for row in self._rows:
            task = self._find_task(row)
            photos.append(reader.photos[task] if task else None)
        return count_once(judge_rows(self._rows, photos, self._matches))

    def find_picture(self, reader: PhotoReader, verdict: Verdict) -> bytes:
        """Return the picture of a row for a report; empty where there is none."""
        task = self._find_task(verdict.row)
        return reader.find_picture(task, verdict.index) if task else b""

    def _find_task(self, row: Row) -> Task | None:
        """Return what is asked of the photo of a row; None where there is no photo."""
        path = self._paths.get(row.photo)
        return self._make_task(path, row.rules) if path else None


def _normal(path: Path) -> Path:
    """Return the absolute path of a photo, by which names of one file are one."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - links are not followed
