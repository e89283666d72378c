"""Where photos are scored: in threads of this process, in processes, or on the workers of Dask.

Whatever it is, it takes the bytes of a photo and gives its `kdscore/1` object. A worker elsewhere
needs this module and the models, and nothing of the server.
"""

import multiprocessing
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from typing import Protocol

from msgspec import Struct

from kdvision.errors import KdvisionError, NoKingdomError, UnreadablePhotoError
from kdvision.options import GameOptions
from kdvision.pipeline.scorer import Scorer
from kdvision.report.json import Json, to_object
from kdvision.result import PhotoResult, Status
from kdvision.tournament.batch.worker import start_worker

#: Bytes of a photo, its name, the rules, the corrections; gives the `kdscore/1` object.
Score = Callable[[bytes, str, GameOptions, Mapping[str, str]], Json]


class BytesScorer(Protocol):
    """What scores the bytes of a photo; `Scorer` does."""

    def score(
        self, source: bytes, options: GameOptions, *, name: str, fixes: Mapping[str, str]
    ) -> PhotoResult:
        """The result of a photo."""


class Workers(Struct, frozen=True):
    """An executor that can score.

    Attributes:
        start: Makes the executor; called again when it is broken.
        score: What it runs. For other processes it is a function at the top of a module.
        count: How many photos it scores at a time.
        lost: What a task raises whose worker has died.
    """

    start: Callable[[], Executor]
    score: Score
    count: int
    lost: tuple[type[Exception], ...] = (BrokenExecutor,)


def scored_object(
    scorer: BytesScorer, data: bytes, name: str, options: GameOptions, fixes: Mapping[str, str]
) -> Json:
    """The object of a photo; of one that cannot be scored, with the reason.

    Raises:
        UsageError: A fix is none.
    """
    try:
        return to_object(scorer.score(data, options, name=name, fixes=fixes))
    except (UnreadablePhotoError, NoKingdomError) as error:
        return to_object(PhotoResult(name, _status_of(error), error.unnamed))


def scored_here(data: bytes, name: str, options: GameOptions, fixes: Mapping[str, str]) -> Json:
    """The same with the one scorer of this process, whichever process it is."""
    return scored_object(_scorer_here(), data, name, options, fixes)


@cache
def _scorer_here() -> Scorer:
    """The scorer of this process, for one photo per thread."""
    return Scorer(threads=1)


def dead_object(name: str) -> Json:
    """The object of a photo on which its worker died twice."""
    why = "The photo made the process that scored it die, as when memory runs out."
    return to_object(PhotoResult(name, Status.UNREADABLE, why))


def thread_workers(scorer: BytesScorer, count: int) -> Workers:
    """Threads of this process, which share one scorer."""
    start = partial(ThreadPoolExecutor, count, "scoring")
    return Workers(start, partial(scored_object, scorer), count)


def process_workers(count: int) -> Workers:
    """Processes of this machine, each with a scorer of its own."""
    context = multiprocessing.get_context("spawn")

    def start() -> Executor:
        turns = context.Lock()
        return ProcessPoolExecutor(count, context, initializer=start_worker, initargs=(turns,))

    return Workers(start, scored_here, count)


@contextmanager
def dask_workers(address: str) -> Iterator[Workers]:
    """The workers of a Dask scheduler, as `kdscore batch --dask` uses them.

    Args:
        address: Such as `tcp://host:8786`.

    Raises:
        UsageError: Dask is not installed, nobody answers, or no worker can do it.
    """
    from kdvision.tournament.batch.dask import dask_means

    with dask_means(address) as means:
        executor = means.executor
        assert executor is not None and means.workers is not None
        yield Workers(lambda: executor, scored_here, means.workers, means.lost)


def _status_of(error: KdvisionError) -> Status:
    return Status.NO_KINGDOM if isinstance(error, NoKingdomError) else Status.UNREADABLE
