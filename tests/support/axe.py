"""axe-core, which finds what is not accessible on a page: fetched by npm, never ours to ship."""

import io
import json
import shutil
import subprocess
import tarfile
import tempfile
from functools import cache
from pathlib import Path

from tests.support.browser import Browser
from tests.support.ci import skip_unless_ci

PACKAGE = "axe-core@4.10.3"
_RUN = """
axe.run(document, {resultTypes: ['violations']}).then(({violations}) => done(violations.map((one) =>
  `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`)))
"""


@cache
def script() -> str:
    """Return its JavaScript; the test is skipped where npm is not there or has no network."""
    npm = shutil.which("npm")
    if npm is None:
        skip_unless_ci("npm is not installed")
    with tempfile.TemporaryDirectory() as name:
        words = [npm, "pack", PACKAGE, "--json", "--silent"]
        try:
            packed = subprocess.run(
                words, cwd=name, check=True, capture_output=True, timeout=120
            ).stdout
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            skip_unless_ci(f"{PACKAGE} cannot be fetched")
        data = (Path(name) / json.loads(packed)[0]["filename"]).read_bytes()
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            member = archive.extractfile("package/axe.min.js")
            assert member is not None
            return member.read().decode()


def violations(browser: Browser) -> list[str]:
    """Return what axe-core finds wrong on the page that is shown."""
    browser.run(script() + ";window.axe = axe")
    return list(browser.run_async(_RUN))
