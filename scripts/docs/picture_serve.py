"""Take the picture of the server's page, at the width of a phone, for the README.

    python -m scripts.docs.picture_serve

Starts a server on loopback, sends it a sample, and writes docs/serve.jpg with Chromium.
"""

import subprocess
import tempfile
from pathlib import Path

from scripts.docs.picture_report import browser_command
from scripts.measuring.serve_load import server, upload
from scripts.paths import ROOT
from scripts.pictures import read_bgr, write_jpeg

SAMPLE = "two_kingdoms.jpg"
SIZE = (500, 940)


def main() -> None:
    """Serve, send, take the picture."""
    with tempfile.TemporaryDirectory() as name, server(Path(name)) as (port, _):
        folder = Path(name)
        id_, _ = upload(port, SAMPLE)
        page = f"http://127.0.0.1:{port}/#{id_}"
        target = folder / "page.png"
        words = [*browser_command(folder, SIZE, target), "--virtual-time-budget=15000", page]
        subprocess.run(words, check=True, capture_output=True, timeout=120)
        write_jpeg(ROOT / "docs" / "serve.jpg", read_bgr(target), 82)


if __name__ == "__main__":
    main()
