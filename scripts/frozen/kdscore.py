"""Where `kdscore` begins when it is a folder of its own; a double click opens the page."""

import multiprocessing
import sys
import threading
import time
import urllib.request
import webbrowser
from pathlib import Path

from kdvision.cli.main import main

PAGE = "http://127.0.0.1:8000"
#: Where the games of those who click are kept: a double click starts in any folder.
EVENING = Path.home() / "kdscore_evening.sqlite"
#: Seconds in which the page is there; an idle machine needs three.
PATIENCE_S = 60


def begin() -> None:
    """Run the command that was typed; without one, the page in the browser."""
    multiprocessing.freeze_support()
    if len(sys.argv) > 1:
        main()
    elif is_served():
        webbrowser.open(PAGE)
    else:
        threading.Thread(target=open_when_served, daemon=True).start()
        sys.argv += ["serve", "--data", str(EVENING)]
        main()


def is_served() -> bool:
    """Return whether the page answers, also that of an earlier click."""
    try:
        with urllib.request.urlopen(f"{PAGE}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def open_when_served() -> None:
    """Open the page in the browser as soon as it answers."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if is_served():
            webbrowser.open(PAGE)
            return
        time.sleep(0.2)


if __name__ == "__main__":
    begin()
