"""Many photos: scored at once, written down as they come, continued where a run stopped."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kdvision.errors import ExitCode, UnreadablePhotoError, worst
from kdvision.files import read_file
from kdvision.photo.settings import PHOTO
from kdvision.result import PhotoResult, Status
from kdvision.tournament.batch.csv_rows import fingerprint, key_of
from kdvision.tournament.batch.executor import Engine
from kdvision.tournament.batch.html import write_batch_page
from kdvision.tournament.batch.jobs import Job
from kdvision.tournament.batch.store import Records
from kdvision.tournament.batch.worker import (
    Scored,
    ScorerFactory,
    Task,
    failed,
    one_thread_scorer,
    score_task,
)

#: Told of every photo that is done; None stands for one that was done before.
Progress = Callable[[PhotoResult | None], None]


@dataclass(frozen=True, slots=True)
class Means:
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
    """

    executor: Executor | None = None
    workers: int | None = None
    scorer: ScorerFactory = one_thread_scorer
    version: str | None = None
    send_photos: bool = False
    lost: tuple[type[Exception], ...] = ()


#: All cores of this machine.
MEANS = Means()


@dataclass(frozen=True, slots=True)
class Run:
    """How a batch ended.

    `keys` are those of the photos in `Records`, empty for those that were not reached. `digests`
    are the SHA-256 of the photos in hex, empty where they are not known. `skipped` were done
    before.
    """

    keys: tuple[str, ...]
    digests: tuple[str, ...]
    skipped: int
    interrupted: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """What a batch came to: photos by status, how many were skipped, and what is not done.

    `others` are records of photos that this batch does not name; they are no longer in the file.
    """

    statuses: Mapping[Status, int]
    skipped: int
    missing: int
    others: int
    interrupted: bool

    @property
    def exit_code(self) -> ExitCode:
        """The code that asks most for a person."""
        if self.interrupted:
            return ExitCode.INTERRUPTED
        return worst([status.exit_code for status, count in self.statuses.items() if count])


def batch(
    jobs: Sequence[Job],
    output: Path,
    *,
    jsonl: Path | None = None,
    html: Path | None = None,
    means: Means = MEANS,
    progress: Progress = lambda _: None,
) -> Summary:
    """Score many photos into a CSV.

    Lines are written as they come, and put in the order of the photos at the end. A run that was
    stopped, however, is continued by the same call: photos are known by their bytes.

    Args:
        jobs: The photos; see `collect_jobs`.
        output: The CSV; its columns are `rows.COLUMNS`.
        jsonl: Where to keep the full results, one JSON object per line.
        html: Where to write a report to look at; not written by a run that is interrupted.
        means: How to score.
        progress: Told of every photo.

    Raises:
        UsageError: A file of that name is there and is none of ours, or cannot be written.
        ModelError: The models are missing.
    """
    passing = output.with_name(f"{output.name}.part.jsonl") if html and not jsonl else None
    with closing(Records(output, jsonl or passing)) as records, engine_of(means) as engine:
        run = score_all(jobs, records, engine, means, progress)
        others = records.arrange(jobs, run.keys, keep_others=run.interrupted)
        if html and not run.interrupted:
            write_batch_page(html, output, jobs, run.keys, records, engine)
        found = summary(run, others, records)
    if passing and not run.interrupted:
        passing.unlink(missing_ok=True)
    return found


def engine_of(means: Means) -> AbstractContextManager[Engine]:
    """The engine that does it."""
    return closing(
        Engine(means.executor, means.workers, send_photos=means.send_photos, lost=means.lost)
    )


def score_all(
    jobs: Sequence[Job], records: Records, engine: Engine, means: Means, progress: Progress
) -> Run:
    """Score what is not yet in the records. Ctrl-C ends it early; what was done is kept."""
    version = means.version or fingerprint()
    queue = _Queue(jobs, records, means, version, progress)
    score = partial(score_task, factory=means.scorer)
    interrupted = False
    try:
        for task, scored in engine.run(score, queue.tasks(), _crashed):
            job = jobs[task.index]
            key = key_of(scored.digest, job.options, version)
            queue.digests[task.index] = scored.digest
            queue.keys[task.index] = records.add(key, task.index, job, scored.result)
            progress(scored.result)
    except KeyboardInterrupt:
        interrupted = True
    return Run(tuple(queue.keys), tuple(queue.digests), queue.skipped, interrupted)


class _Queue:
    """The photos that are still to be scored, found out one by one."""

    def __init__(
        self,
        jobs: Sequence[Job],
        records: Records,
        means: Means,
        version: str,
        progress: Progress,
    ) -> None:
        self.keys = [""] * len(jobs)
        self.digests = [""] * len(jobs)
        self.skipped = 0
        self._jobs, self._records = jobs, records
        self._means, self._version, self._progress = means, version, progress
        # Without earlier records no photo need be read here.
        self._look = len(records) > 0

    def tasks(self) -> Iterator[Task]:
        """A task per photo that is not in the records."""
        for index, job in enumerate(self._jobs):
            data = self._bytes(job) if self._look or self._means.send_photos else None
            if data is not None and self._look:
                digest = hashlib.sha256(data).hexdigest()
                key = key_of(digest, job.options, self._version)
                if key in self._records:
                    self.keys[index], self.digests[index] = key, digest
                    self.skipped += 1
                    self._progress(None)
                    continue
            sent = data if self._means.send_photos else None
            yield Task(index, job.name, str(job.path), job.options, sent)

    @staticmethod
    def _bytes(job: Job) -> bytes | None:
        try:
            return read_file(job.path, PHOTO.max_bytes)
        except UnreadablePhotoError:
            return None


def _crashed(task: Task) -> Scored:
    """The result of a photo on which the process that scored it died."""
    message = "The photo made the process that scored it die, as when memory runs out."
    return Scored(failed(task, Status.UNREADABLE, message))


def summary(run: Run, others: int, records: Records) -> Summary:
    """Count how all photos ended, those done before included."""
    statuses: Counter[Status] = Counter()
    for key in filter(None, run.keys):
        statuses[records.status(key)] += 1
    return Summary(statuses, run.skipped, run.keys.count(""), others, run.interrupted)
