"""The scripts of pages in node, without a browser: what waits, what is asked again, their types."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from kdvision.serve import app
from tests.support.paths import ROOT, TESTS
from tests.support.waiting import PATIENCE_S

NODE = shutil.which("node")
STATIC = Path(app.__file__).parent / "static"

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")


def run_case(tmp_path: Path, cases: str, *words: str) -> None:
    """Run a case, a function of that name; it fails for what was lost or stayed old."""
    static = tmp_path / "static"
    shutil.copytree(STATIC, static)
    (static / "package.json").write_text('{"type": "module"}')
    command = [str(NODE), str(TESTS / "support" / cases), str(static), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "case",
    [
        "a phone that says late that it is full has the photo in memory",
        "a photo is kept while it is scaled down",
        "a photo waits, is sent, is read, and is there",
        "only what is refused for good is dropped",
        "photos that are chosen together go in their order",
        "an answer that never comes is not waited for",
        "a phone that keeps no page shows the one of the server",
        "what could not be shown is asked for again",
    ],
)
def test_outbox_and_watching(case: str, tmp_path: Path) -> None:
    run_case(tmp_path, "net_cases.mjs", case)


@pytest.mark.slow
def test_types_of_the_scripts(tmp_path: Path) -> None:
    """TypeScript is what `make check` takes; it is fetched by npm, and never ours to ship."""
    package = re.findall(r"TYPESCRIPT = (\S+)", (ROOT / "Makefile").read_text())
    fetch = [
        shutil.which("npm") or "npm",
        "install",
        "--silent",
        "--no-audit",
        "--no-fund",
        "--prefix",
        str(tmp_path),
        *package,
    ]
    try:
        subprocess.run(fetch, check=True, capture_output=True, timeout=PATIENCE_S)
    except (OSError, subprocess.SubprocessError):
        pytest.skip(f"{package[0]} cannot be fetched by npm")
    compiler = tmp_path / "node_modules" / "typescript" / "bin" / "tsc"
    command = [str(NODE), str(compiler), "--project", str(ROOT / "jsconfig.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
