"""Photos judged from the journal or by workers; what is read is kept, whatever ends the run."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from kdvision.errors import UnreadablePhotoError
from kdvision.files import read_file
from kdvision.photo.sources import LIMITS
from kdvision.result import PhotoResult
from kdvision.tournament.executors import Workers, score_photos
from kdvision.tournament.journal import Journal, make_digest
from kdvision.tournament.scoring import Job, Judged, Task, is_lasting, make_key, read_version


class PhotoReader:
    """Has photos read, each once, whatever rules and corrections its rows have.

    Args:
        journal: Knows what was read before, and is told what is read.
        workers: Read and judge what it does not know.
        progress: Called with the number of tasks that are done, and of all.
        is_drawn: Whether pictures of the photos are wanted.

    Attributes:
        digests: The digests of the photos that could be opened, by their paths.
    """

    def __init__(
        self,
        journal: Journal,
        workers: Workers,
        progress: Callable[[int, int], None],
        *,
        is_drawn: bool = False,
    ) -> None:
        self.digests: dict[Path, str] = {}
        self._journal, self._workers, self._progress = journal, workers, progress
        self._is_drawn = is_drawn
        self._version = read_version()

    def read(self, tasks: Collection[Task]) -> dict[Task, PhotoResult]:
        """Return what each photo shows.

        Raises:
            KdvisionError: Nothing can be scored, or no worker is left.
        """
        photos: dict[Task, PhotoResult] = {}
        copies: list[Task] = []

        def keep(task: Task, photo: PhotoResult) -> None:
            photos[task] = photo
            self._progress(len(photos), len(tasks))

        def find_jobs() -> Iterator[Job]:
            """Yield what the journal does not know."""
            under_way: set[str] = set()
            for path, asked in _group_by_path(tasks).items():
                try:
                    data = read_file(path, LIMITS.max_bytes)
                except UnreadablePhotoError as error:
                    for task in asked:
                        keep(task, PhotoResult.of_error(path.name, error))
                    continue
                self.digests[path] = make_digest(data)
                left = self._find_known(asked, keep)
                key = self._make_key(path)
                if key in under_way:
                    copies.extend(left)
                elif left:
                    under_way.add(key)
                    reading = self._journal.find_reading(key)
                    needs_data = self._is_drawn or not reading
                    yield Job(tuple(left), data if needs_data else b"", reading, self._is_drawn)

        for job, answer in score_photos(self._workers, find_jobs()):
            key = self._make_key(job.tasks[0].path)
            if answer.reading and not job.reading:
                self._journal.add_reading(key, answer.reading)
            for task, judged in zip(job.tasks, answer.judged, strict=True):
                if is_lasting(judged.photo):
                    self._journal.add(task.key(key), judged)
                keep(task, judged.photo)
        # What has the same bytes as another photo of the run is known by now.
        return photos | (self.read(copies) if copies else {})

    def find_picture(self, task: Task, kingdom: int | None) -> bytes:
        """Return the picture of a kingdom, or of the whole photo; empty where there is none."""
        judged = self._find(task)
        return judged.find_picture(kingdom) if judged else b""

    def _find(self, task: Task) -> Judged | None:
        """Return what the journal knows of a task."""
        if task.path not in self.digests:
            return None
        return self._journal.find(task.key(self._make_key(task.path)))

    def _find_known(
        self, tasks: Collection[Task], keep: Callable[[Task, PhotoResult], None]
    ) -> list[Task]:
        """Keep what the journal knows, and return the other tasks."""
        left = []
        for task in tasks:
            judged = self._find(task)
            if judged is None or (self._is_drawn and judged.lacks_pictures):
                left.append(task)
            else:
                keep(task, judged.photo)
        return left

    def _make_key(self, path: Path) -> str:
        """Return the key of what is read in a photo by this version."""
        return make_key(self.digests[path], self._version)


def _group_by_path(tasks: Collection[Task]) -> dict[Path, list[Task]]:
    groups: defaultdict[Path, list[Task]] = defaultdict(list)
    for task in tasks:
        groups[task.path].append(task)
    return groups
