"""Where things are in a checkout."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
TESTS = ROOT / "tests"
#: Real pictures, where there are some.
DATA = Path(os.environ.get("KDVISION_DATA", ROOT.parent / "shared" / "data"))
