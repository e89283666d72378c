"""Photos read from the journal or by workers; what is read is kept, whatever ends the run."""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from kdvision.errors import UnreadablePhotoError
from kdvision.files import read_file
from kdvision.photo.sources import LIMITS
from kdvision.result import PhotoResult
from kdvision.tournament.executors import Workers, score_photos
from kdvision.tournament.journal import Journal, make_digest
from kdvision.tournament.scoring import Task, is_lasting, read_version


class PhotoReader:
    """Reads photos, each of the same bytes once.

    Args:
        journal: Knows what was read before, and is told what is read.
        workers: Score what it does not know.
        progress: Called with the number of photos that are done, and of all.

    Attributes:
        digests: The digests of the photos that could be opened, by their paths.
    """

    def __init__(
        self, journal: Journal, workers: Workers, progress: Callable[[int, int], None]
    ) -> None:
        self.digests: dict[Path, str] = {}
        self._journal, self._workers, self._progress = journal, workers, progress
        self._version = read_version()

    def read(self, tasks: Collection[Task]) -> dict[Task, PhotoResult]:
        """Return what each photo shows.

        Raises:
            KdvisionError: Nothing can be scored, or no worker is left.
        """
        photos: dict[Task, PhotoResult] = {}
        keys: dict[Task, str] = {}
        waiting: dict[str, list[Task]] = {}

        def keep(task: Task, photo: PhotoResult) -> None:
            for copy in (task, *waiting.pop(keys.get(task, ""), ())):
                photos[copy] = photo
            self._progress(len(photos), len(tasks))

        def find_unread() -> Iterator[tuple[Task, bytes]]:
            """Yield the tasks that the journal does not have."""
            for task in tasks:
                try:
                    data = read_file(task.path, LIMITS.max_bytes)
                except UnreadablePhotoError as error:
                    keep(task, PhotoResult.of_error(task.path.name, error))
                    continue
                self.digests[task.path] = make_digest(data)
                keys[task] = task.key(self.digests[task.path], self._version)
                if keys[task] in waiting:
                    waiting[keys[task]].append(task)
                elif photo := self._journal.find(keys[task]):
                    keep(task, photo)
                else:
                    waiting[keys[task]] = []
                    yield task, data

        for task, photo in score_photos(self._workers, find_unread()):
            if is_lasting(photo):
                self._journal.add(keys[task], photo)
            keep(task, photo)
        return photos
