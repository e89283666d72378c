"""`kdscore serve` that reads fake photos: the page and its server without models."""

import os
import shutil
import sys
from types import SimpleNamespace
from typing import Any

from kdvision.cli import main
from kdvision.serve import running
from kdvision.serve.store import Store
from tests.support.fakes import FakeScorer

#: In the environment: bytes that are free on the disk, and bytes that the data file may have.
FREE = "KDVISION_FAKE_FREE"
ROOM = "KDVISION_FAKE_ROOM"
_PAGE_BYTES = 4096


class FullStore(Store):
    """A store on a disk that has room for so many bytes."""

    def __init__(self, path: Any) -> None:
        super().__init__(path)
        self._db.execute(f"PRAGMA max_page_count = {int(os.environ[ROOM]) // _PAGE_BYTES}")


if __name__ == "__main__":
    real: Any = running
    real.Scorer = lambda **_: FakeScorer()
    if free := os.environ.get(FREE):
        shutil.disk_usage = lambda path: SimpleNamespace(free=int(free))  # type: ignore
    if os.environ.get(ROOM):
        real.Store = FullStore
    sys.exit(main.run(sys.argv[1:]))
