"""The workers of a Dask scheduler as an executor (`pip install kdvision[dask]`)."""

from collections.abc import Iterator
from contextlib import contextmanager

from kdvision.errors import UsageError
from kdvision.tournament.batch.result_rows import fingerprint
from kdvision.tournament.batch.scoring import Means

#: Seconds to wait for a scheduler.
PATIENCE = 10


@contextmanager
def dask_means(address: str, *, check: bool = True) -> Iterator[Means]:
    """How to score on the workers of a scheduler.

    Photos are sent to them, so they need not see our files. They need kdvision of our version.

    Args:
        address: Such as `tcp://host:8786`.
        check: Whether to ask every worker for its version first.

    Raises:
        UsageError: Dask is not installed, nobody answers, or the workers cannot do it.
    """
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise UsageError(
            "Dask is not installed.", "Install it with: pip install 'kdvision[dask]'"
        ) from None
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(
            f"No Dask scheduler answers at {address[:200]} ({type(error).__name__}).",
            "Start one with: dask scheduler; its address begins with tcp://",
        ) from None
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise UsageError(
                f"The Dask scheduler at {address} has no workers.",
                f"Start some with: dask worker {address}",
            )
        if check:
            _check_versions(client.run(fingerprint, on_error="return"))
        yield Means(
            client.get_executor(pure=False),
            threads,
            send_photos=True,
            lost=(KilledWorker,),
        )
    finally:
        client.close()


def _check_versions(answers: dict[str, object]) -> None:
    """See that all workers have our version and our models."""
    ours = fingerprint()
    for worker, answer in answers.items():
        if answer != ours:
            what = "another kdvision, or other models, than this machine"
            if isinstance(answer, Exception):
                what = f"no kdvision that can be used ({type(answer).__name__})"
            raise UsageError(
                f"The Dask worker {worker} has {what}.", "Install the same version everywhere."
            )
