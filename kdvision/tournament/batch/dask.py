"""The workers of a Dask scheduler as an executor (`pip install kdvision[dask]`)."""

import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

from kdvision.errors import UsageError
from kdvision.tournament.batch.results import fingerprint
from kdvision.tournament.batch.scoring import Means

#: Seconds to wait for a scheduler: long enough for a busy one, short enough for a person.
TIMEOUT_S = 10
_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss)://)?(\[[0-9A-Fa-f:]+\]|[^\s:/\[\]]+):([0-9]{1,5})/?")


@contextmanager
def dask_means(address: str, *, check: bool = True) -> Iterator[Means]:
    """How to score on the workers of a scheduler.

    Photos are sent to them, so they need not see our files. Workers that have no kdvision of our
    version with our models are left out and named in `Means.notes`.

    Args:
        address: Such as `tcp://host:8786`.
        check: Whether to ask every worker for its version first.

    Raises:
        UsageError: Dask is not installed, nobody answers, or no worker can do it.
    """
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise UsageError(
            "Dask is not installed.", "Install it with: pip install 'kdvision[dask]'"
        ) from None
    _check_listening(address)
    try:
        client = Client(address, timeout=TIMEOUT_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise _no_scheduler(address, type(error).__name__) from None
    with closing(client):
        threads = dict(client.nthreads())
        if not threads:
            raise UsageError(
                f"The Dask scheduler at {address} has no workers.",
                f"Start some with: dask worker {address}",
            )
        unfit = unfit_workers(client.run(fingerprint, on_error="return")) if check else {}
        fit = [worker for worker in threads if worker not in unfit]
        if not fit:
            worker, reason = next(iter(unfit.items()))
            raise UsageError(
                f"The Dask worker {worker} has {reason}.", "Install the same version everywhere."
            )
        yield Means(
            client.get_executor(pure=False, **({"workers": fit} if unfit else {})),
            sum(threads[worker] for worker in fit),
            send_photos=True,
            lost=(KilledWorker,),
            alive=lambda: _alive(client, fit if unfit else None),
            notes=tuple(
                f"The Dask worker {worker} is not used: it has {reason}."
                for worker, reason in unfit.items()
            ),
        )


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
    """Why workers cannot be used, by their addresses: their answers are not our version."""
    ours = fingerprint()
    unfit = {}
    for worker, answer in answers.items():
        if isinstance(answer, Exception):
            unfit[worker] = f"no kdvision that can be used ({type(answer).__name__})"
        elif answer != ours:
            unfit[worker] = "another kdvision, or other models, than this machine"
    return unfit


def _alive(client: Any, fit: list[str] | None) -> int:
    """How many workers there are to score; none where the scheduler does not answer."""
    try:
        there = client.nthreads()
    except Exception:
        return 0
    return len(there) if fit is None else len({*there} & {*fit})
