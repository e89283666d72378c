"""Take the pictures of the server's page, view by view, for the docs.

    python -m scripts.docs.picture_serve

Starts a server on loopback, plays a game with samples, and writes docs/serve.jpg with Chromium: the
game, one of its kingdoms, and the evening, beside each other.
"""

import http.client
import json
import subprocess
import tempfile
from pathlib import Path

import cv2
import numpy as np

from scripts.docs.picture_report import browser_command
from scripts.measuring.serve_load import server, upload
from scripts.paths import ROOT
from scripts.pictures import read_bgr, write_jpeg

SAMPLE = "four_kingdoms.jpg"
NAMES = ("Ada", "Ben", "Cleo", "Dan")
SIZE = (500, 940)
#: Pixels of the width of a view in the docs.
_WIDTH = 360


def main() -> None:
    """Serve, play, take the pictures."""
    with tempfile.TemporaryDirectory() as name, server(Path(name)) as (port, _):
        folder = Path(name)
        id_, _ = upload(port, SAMPLE)
        fields: dict[str, object] = {f"name.{seat}": who for seat, who in enumerate(NAMES, 1)}
        fields |= {f"kingdom.{id_}.{letter}": seat for seat, letter in enumerate("ABCD", 1)}
        _write(port, fields)
        views = [
            _picture(folder, f"http://127.0.0.1:{port}/#{view}")
            for view in ("game", f"kingdom/{id_}/B", "evening")
        ]
        write_jpeg(ROOT / "docs" / "serve.jpg", np.hstack(views), 82)


def _write(port: int, fields: dict[str, object]) -> None:
    """Write fields of the first game."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    head = {"Content-Type": "application/json"}
    connection.request("PATCH", "/api/games/1", json.dumps(fields), head)
    assert connection.getresponse().status == 200
    connection.close()


def _picture(folder: Path, page: str) -> np.ndarray:
    """Take the picture of a view, at the width that it has in the docs."""
    target = folder / "page.png"
    words = [*browser_command(folder, SIZE, target), "--virtual-time-budget=8000", page]
    subprocess.run(words, check=True, capture_output=True, timeout=120)
    picture = read_bgr(target)
    height = round(picture.shape[0] * _WIDTH / picture.shape[1])
    return cv2.resize(picture, (_WIDTH, height), interpolation=cv2.INTER_AREA)


if __name__ == "__main__":
    main()
