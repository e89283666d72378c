"""`kdscore` with the scorer of `fakes`, as a program of its own that can be stopped and killed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from kdvision.cli import main, tournament
from kdvision.tournament.executors import Workers
from tests.support.fakes import fake_workers


@contextmanager
def workers(count: int | None, dask: str | None) -> Iterator[Workers]:
    """What `--workers` and `--dask` come to here."""
    yield fake_workers()


if __name__ == "__main__":
    tournament.open_workers = workers
    sys.exit(main.run(sys.argv[1:]))
