"""The workers of a Dask scheduler, which score photos as any other executor does."""

import logging
import re
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from kdvision.errors import UsageError, missing_extra
from kdvision.tournament.executors import Workers
from kdvision.tournament.scoring import read_version, version_error

#: Seconds to wait for a scheduler: long enough for a busy one, short enough for a person.
TIMEOUT_S = 10
#: Seconds without any worker after which a run ends: a worker that restarts takes less.
NO_WORKER_S = 30
_ADDRESS = re.compile(r"(?:(?:tcp|tls|wss?)://)?[^\s/]+:[0-9]{1,5}/?")


@contextmanager
def dask_workers(address: str) -> Iterator[Workers]:
    """Connect to a scheduler, whose workers score photos as any other executor does.

    Photos are sent to them, so they need not see our files.

    Args:
        address: Such as `tcp://host:8786`.

    Raises:
        UsageError: Dask is not installed, nobody answers, or a worker is missing or unfit.
    """
    # What can be said before anything is connected.
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise missing_extra("Scoring on Dask", "dask") from None
    if not _ADDRESS.fullmatch(address):
        advice = "Write the address of a scheduler: tcp://host:8786"
        raise UsageError(f"--dask is {address[:60]!r}.", advice)
    # Connect, without the warnings of Dask itself.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL + 1)
    try:
        client = Client(address, timeout=TIMEOUT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"No Dask scheduler answers at {address[:200]} ({type(error).__name__}).",
            "Start one with: dask scheduler; its address begins with tcp://",
        ) from None
    # All workers must be there, and of this version.
    with closing(client):
        threads = client.nthreads()
        if not threads:
            raise UsageError(
                f"The Dask scheduler at {address} has no workers.",
                f"Start some with: dask worker {address}",
            )
        # Those that join later say so themselves.
        versions = client.run(read_version, on_error="return")
        if {*versions.values()} != {read_version()}:
            raise version_error()
        last_seen = time.monotonic()

        def are_gone() -> bool:
            nonlocal last_seen
            with suppress(Exception):  # the scheduler is not there at the moment
                if client.nthreads():
                    last_seen = time.monotonic()
            return time.monotonic() - last_seen >= NO_WORKER_S

        yield Workers(
            client.get_executor(pure=False),
            sum(threads.values()),
            crashes=(KilledWorker,),
            are_gone=are_gone,
        )
