"""The workers of a Dask scheduler as an executor (`pip install kdvision[dask]`)."""

import logging
import re
import socket
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

from kdvision.errors import UsageError, install_command
from kdvision.tournament.batch.identity import scorer_version
from kdvision.tournament.batch.scoring import Means

#: Seconds to wait for a scheduler: long enough for a busy one, short enough for a person.
TIMEOUT_S = 10
#: Seconds without any worker after which a run ends: a worker that restarts takes less.
NO_WORKER_S = 30
#: Seconds between two looks for workers.
LOOK_EVERY_S = 2.0
_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss)://)?(\[[0-9A-Fa-f:]+\]|[^\s:/\[\]]+):([0-9]{1,5})/?")


@contextmanager
def dask_means(
    address: str, say: Callable[[str], None] = lambda _: None, *, check: bool = True
) -> Iterator[Means]:
    """Connect to a scheduler, whose workers score photos as any other executor does.

    Photos are sent to them, so they need not see our files. Workers that have no kdvision of our
    version with our models are left out. Where the scheduler or all workers go, what was given to
    them is cancelled.

    Args:
        address: Such as `tcp://host:8786`.
        say: Takes a sentence for each worker that is left out.
        check: Whether to ask every worker for its version first.

    Raises:
        UsageError: Dask is not installed, nobody answers, or no worker can do it.
    """
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise UsageError(
            "Dask is not installed.", f"Install it with: {install_command('dask')}"
        ) from None
    _check_listening(address)
    try:
        client = Client(address, timeout=TIMEOUT_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise _no_scheduler(address, type(error).__name__) from None
    with _quiet("distributed.client"), closing(client):
        threads = dict(client.nthreads())
        if not threads:
            raise UsageError(
                f"The Dask scheduler at {address} has no workers.",
                f"Start some with: dask worker {address}",
            )
        unfit = unfit_workers(client.run(scorer_version, on_error="return")) if check else {}
        fit = [worker for worker in threads if worker not in unfit]
        for worker, reason in unfit.items():
            if not fit:
                raise UsageError(
                    f"The Dask worker {worker} has {reason}.",
                    "Install the same version everywhere.",
                )
            say(f"The Dask worker {worker} is not used: it has {reason}.")
        chosen = {"workers": fit} if unfit else {}
        over = threading.Event()
        words = client, chosen.get("workers"), over
        threading.Thread(target=_close_without_workers, args=words, daemon=True).start()
        try:
            yield Means(
                client.get_executor(pure=False, **chosen),
                sum(threads[worker] for worker in fit),
                send_photos=True,
                lost=(KilledWorker,),
            )
        finally:
            over.set()


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """Keep a logger of Dask from printing traces of what is said in a sentence."""
    logger = logging.getLogger(name)
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)


def _close_without_workers(
    client: Any, chosen: Collection[str] | None, over: threading.Event
) -> None:
    """Close a client that has had no worker for `NO_WORKER_S` seconds; that cancels its tasks.

    Only workers at the addresses `chosen` count, unless it is None; `over` ends the watch.
    """
    last_seen = time.monotonic()
    while not over.wait(LOOK_EVERY_S):
        try:
            workers = {*client.nthreads()}
        except Exception:  # the scheduler is not there at the moment
            workers = set()
        if workers if chosen is None else workers.intersection(chosen):
            last_seen = time.monotonic()
        elif time.monotonic() - last_seen >= NO_WORKER_S:
            client.close()
            return


def _check_listening(address: str) -> None:
    """Check that something listens, before Dask tries for long and leaves a trace of it.

    Raises:
        UsageError: It is no address, or nothing listens.
    """
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise UsageError(
            f"--dask is {address[:60]!r}.", "Write the address of a scheduler: tcp://host:8786"
        )
    try:
        place = match[1].strip("[]"), int(match[2])
        with socket.create_connection(place, timeout=TIMEOUT_S):
            pass
    except (OSError, OverflowError, UnicodeError) as error:
        raise _no_scheduler(address, type(error).__name__) from None


def _no_scheduler(address: str, reason: str) -> UsageError:
    return UsageError(
        f"No Dask scheduler answers at {address[:200]} ({reason}).",
        "Start one with: dask scheduler; its address begins with tcp://",
    )


def unfit_workers(answers: Mapping[str, object]) -> dict[str, str]:
    """Reasons not to use workers, by address: their answers are not our version."""
    ours = scorer_version()
    unfit = {}
    for worker, answer in answers.items():
        if isinstance(answer, Exception):
            unfit[worker] = f"no kdvision that can be used ({type(answer).__name__})"
        elif answer != ours:
            unfit[worker] = "another kdvision, or other models, than this machine"
    return unfit
