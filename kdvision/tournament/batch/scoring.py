"""Photos given to workers, and what they find written down as it comes."""

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, closing
from functools import partial

from msgspec import Struct

from kdvision.errors import UnreadablePhotoError
from kdvision.files import read_file
from kdvision.photo.settings import PHOTO
from kdvision.result import PhotoResult, Status
from kdvision.tournament.batch.executor import Engine
from kdvision.tournament.batch.journal import Journal
from kdvision.tournament.batch.picture_hash import photo_digest
from kdvision.tournament.batch.results import fingerprint, key_of
from kdvision.tournament.batch.worker import (
    Scored,
    ScorerFactory,
    Task,
    failed,
    one_thread_scorer,
    score_task,
)
from kdvision.tournament.lines import Job

#: Called for every photo that is done; None stands for one that was done before.
OnScored = Callable[[PhotoResult | None], None]


class Means(Struct, frozen=True):
    """How photos are scored.

    Attributes:
        executor: Any executor; None starts processes on this machine.
        workers: How many photos are scored at a time; None takes all cores.
        scorer: Makes the scorer of a worker; a function at the top of a module.
        version: Names what scores, so that results of another version are not taken for its own;
            None takes this program with its models.
        send_photos: Whether workers get the bytes of a photo instead of its path, as they must
            where they cannot see our files.
        lost: What an executor raises for a task that ended its workers.
        alive: How many workers an executor has; None where that is not asked.
        notes: What there is to know of the workers, a sentence each.
    """

    executor: Executor | None = None
    workers: int | None = None
    scorer: ScorerFactory = one_thread_scorer
    version: str | None = None
    send_photos: bool = False
    lost: tuple[type[Exception], ...] = ()
    alive: Callable[[], int] | None = None
    notes: tuple[str, ...] = ()


#: All cores of this machine.
MEANS = Means()


class Run(Struct, frozen=True):
    """How a batch ended.

    `keys` are those of the photos in `Journal`, empty for those that were not reached. `digests`
    are the SHA-256 of the photos in hex, empty where they are not known. `skipped` were done
    before.
    """

    keys: tuple[str, ...]
    digests: tuple[str, ...]
    skipped: int
    interrupted: bool


def engine_of(means: Means) -> AbstractContextManager[Engine]:
    """The engine that does it."""
    engine = Engine(
        means.executor,
        means.workers,
        send_photos=means.send_photos,
        lost=means.lost,
        alive=means.alive,
    )
    return closing(engine)


def score_all(
    jobs: Sequence[Job],
    records: Journal,
    engine: Engine,
    means: Means,
    progress: OnScored,
    done: Collection[str] = (),
) -> Run:
    """Score what is not yet in the records. Ctrl-C ends it early; what was done is kept.

    Args:
        jobs: The photos.
        records: Where the results go.
        engine: Scores them.
        means: How.
        progress: Called after every photo.
        done: Keys of photos that are done elsewhere.
    """
    version = means.version or fingerprint()
    queue = _Queue(jobs, records, means, version, progress, done)
    score = partial(score_task, factory=means.scorer)
    interrupted = False
    try:
        for task, scored in engine.run(score, queue.tasks(), _crashed):
            job = jobs[task.index]
            key = key_of(scored.digest, job.options, version, job.fixes)
            queue.digests[task.index] = scored.digest
            queue.keys[task.index] = records.add(key, task.index, job, scored)
            progress(scored.result)
    except KeyboardInterrupt:
        interrupted = True
    return Run(tuple(queue.keys), tuple(queue.digests), queue.skipped, interrupted)


class _Queue:
    """The photos that are still to be scored, found out one by one."""

    def __init__(
        self,
        jobs: Sequence[Job],
        records: Journal,
        means: Means,
        version: str,
        progress: OnScored,
        done: Collection[str],
    ) -> None:
        self.keys = [""] * len(jobs)
        self.digests = [""] * len(jobs)
        self.skipped = 0
        self._jobs, self._records = jobs, records
        self._means, self._version, self._progress = means, version, progress
        self._done = done
        # Without earlier records no photo need be read here.
        self._look = len(records) > 0 or len(done) > 0

    def tasks(self) -> Iterator[Task]:
        """A task per photo that is not in the records."""
        for index, job in enumerate(self._jobs):
            data = self._bytes(job) if self._look or self._means.send_photos else None
            if data is not None and self._look:
                digest = photo_digest(data)
                key = key_of(digest, job.options, self._version, job.fixes)
                if key in self._records or key in self._done:
                    self.keys[index], self.digests[index] = key, digest
                    self.skipped += 1
                    self._progress(None)
                    continue
            sent = data if data and self._means.send_photos else ()
            yield Task(index, job.name, tuple(map(str, job.paths)), job.options, sent, job.fixes)

    @staticmethod
    def _bytes(job: Job) -> tuple[bytes, ...] | None:
        try:
            return tuple(read_file(path, PHOTO.max_bytes) for path in job.paths)
        except UnreadablePhotoError:
            return None


def _crashed(task: Task) -> Scored:
    """The result of a photo on which the process that scored it died."""
    message = "The photo made the process that scored it die, as when memory runs out."
    return Scored(failed(task, Status.UNREADABLE, message))
