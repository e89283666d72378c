"""`kdscore` with the scorer of `fakes`, as a program of its own that can be stopped and killed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from kdvision.cli import main, tournament
from kdvision.tournament.batch.scoring import Means
from tests.support.fakes import fake_means


@contextmanager
def means(workers: int | None, dask: str | None) -> Iterator[Means]:
    """What `--workers` and `--dask` come to here."""
    yield fake_means()


if __name__ == "__main__":
    tournament.scoring_means = means
    sys.exit(main.run(sys.argv[1:]))
