"""What waits on a phone, and what is asked for again: `net.js` in node, without a browser."""

import shutil
import subprocess
from pathlib import Path

import pytest

from kdvision.serve import app
from tests.support.paths import TESTS

NODE = shutil.which("node")
STATIC = Path(app.__file__).parent / "static"
#: Seconds in which a case ends; it takes a tenth of one on an idle machine.
PATIENCE_S = 60


@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.parametrize(
    "case",
    [
        "a phone that says late that it is full has the photo in memory",
        "a photo is kept while it is scaled down",
        "only what is refused for good is dropped",
        "what was written at a table goes with the code of that table",
        "what could not be shown is asked for again",
    ],
)
def test_outbox_and_watching(case: str, tmp_path: Path) -> None:
    """Each case is a function of the same name; it fails for what was lost or stayed old."""
    for name in ("net.js", "dom.js"):
        shutil.copy(STATIC / name, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    words = [str(NODE), str(TESTS / "support" / "net_cases.mjs"), str(tmp_path), case]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
