"""axe-core, which finds what is not accessible on a page: fetched by npm, never ours to ship."""

import io
import json
import shutil
import subprocess
import tarfile
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.ci import skip_or_fail
from tests.support.waiting import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Page

PACKAGE = "axe-core@4.10.3"
_RUN = """
async () => {
  const {violations} = await axe.run(document, {resultTypes: ['violations']});
  return violations.map((one) =>
    `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`);
}
"""


@cache
def script() -> str:
    """Return its JavaScript; the test is skipped where npm is not there or has no network."""
    npm = shutil.which("npm")
    if npm is None:
        skip_or_fail("npm is not installed")
    with tempfile.TemporaryDirectory() as name:
        words = [npm, "pack", PACKAGE, "--json", "--silent"]
        try:
            packed = subprocess.run(
                words, cwd=name, check=True, capture_output=True, timeout=PATIENCE_S
            ).stdout
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            skip_or_fail(f"{PACKAGE} cannot be fetched")
        data = (Path(name) / json.loads(packed)[0]["filename"]).read_bytes()
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            member = archive.extractfile("package/axe.min.js")
            assert member is not None
            return member.read().decode()


def violations(page: "Page") -> list[str]:
    """Return what axe-core finds wrong on the page that is shown."""
    page.evaluate(script())
    return list(page.evaluate(_RUN))
