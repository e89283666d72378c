"""`kdscore serve` that reads fake photos: the page and its server without models."""

import sys
from typing import Any

from kdvision.cli import main
from kdvision.serve import app
from tests.support.fakes import FakeReader

if __name__ == "__main__":
    real: Any = app
    real.Scorer = lambda **_: FakeReader()
    sys.exit(main.run(sys.argv[1:]))
