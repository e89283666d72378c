"""Photos judged from the journal or by workers; what is read is kept, whatever ends the run."""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from kdvision.errors import UnreadablePhotoError
from kdvision.files import read_file
from kdvision.photo.sources import LIMITS
from kdvision.result import PhotoResult
from kdvision.tournament.executors import Workers, score_photos
from kdvision.tournament.journal import Journal, make_digest
from kdvision.tournament.scoring import (
    Answer,
    Job,
    Judged,
    Task,
    is_lasting,
    make_key,
    read_version,
)


class PhotoReader:
    """Has photos read, each once, whatever rules and corrections its rows have.

    Args:
        journal: Knows what was read before, and is told what is read.
        workers: Read and judge what it does not know.
        progress: Called with the number of tasks that are done, and of all.
        is_drawn: Whether pictures of the photos are wanted.

    Attributes:
        photos: What each task came to.
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
        self.photos: dict[Task, PhotoResult] = {}
        self.digests: dict[Path, str] = {}
        self._journal, self._workers, self._progress = journal, workers, progress
        self._is_drawn = is_drawn
        self._version = read_version()
        self._total = 0

    def read(self, tasks: Collection[Task]) -> None:
        """Read and judge photos; what they show stands in `photos` then.

        Raises:
            KdvisionError: Nothing can be scored, or no worker is left.
        """
        left = [task for task in tasks if task not in self.photos]
        self._total = len(self.photos) + len(left)
        while left:
            for job, answer in score_photos(self._workers, self._find_jobs(left)):
                self._write_down(job, answer)
            # What has the same bytes as another photo waited for that one.
            left = [task for task in left if task not in self.photos]

    def find_picture(self, task: Task, kingdom: int | None) -> bytes:
        """Return the picture of a kingdom, or of the whole photo; empty where there is none."""
        judged = self._recall(task)
        return judged.find_picture(kingdom) if judged else b""

    def _find_jobs(self, tasks: Collection[Task]) -> Iterator[Job]:
        """Yield what the journal does not know, each photo once."""
        by_path: dict[Path, list[Task]] = {}
        for task in tasks:
            by_path.setdefault(task.path, []).append(task)
        under_way: set[str] = set()
        for path, own in by_path.items():
            try:
                data = read_file(path, LIMITS.max_bytes)
            except UnreadablePhotoError as error:
                for task in own:
                    self._keep(task, PhotoResult.of_error(path.name, error))
                continue
            self.digests[path] = make_digest(data)
            unknown = [task for task in own if not self._take_from_journal(task)]
            key = self._make_key(path)
            if unknown and key not in under_way:
                under_way.add(key)
                reading = self._journal.find_reading(key)
                needs_data = self._is_drawn or not reading
                yield Job(tuple(unknown), data if needs_data else b"", reading, self._is_drawn)

    def _take_from_journal(self, task: Task) -> bool:
        """Keep what the journal knows of a task; tell whether that is all that is wanted."""
        judged = self._recall(task)
        if judged is None or (self._is_drawn and judged.lacks_pictures):
            return False
        self._keep(task, judged.photo)
        return True

    def _recall(self, task: Task) -> Judged | None:
        """Return what the journal knows of a task."""
        if task.path not in self.digests:
            return None
        return self._journal.find(task.key(self._make_key(task.path)))

    def _write_down(self, job: Job, answer: Answer) -> None:
        """Keep what a worker found, in the journal too where another try would find the same."""
        key = self._make_key(job.tasks[0].path)
        if answer.reading and not job.reading:
            self._journal.add_reading(key, answer.reading)
        for task, judged in zip(job.tasks, answer.judged, strict=True):
            if is_lasting(judged.photo):
                self._journal.add(task.key(key), judged)
            self._keep(task, judged.photo)

    def _keep(self, task: Task, photo: PhotoResult) -> None:
        self.photos[task] = photo
        self._progress(len(self.photos), self._total)

    def _make_key(self, path: Path) -> str:
        """Return the key of what is read in a photo by this version."""
        return make_key(self.digests[path], self._version)
