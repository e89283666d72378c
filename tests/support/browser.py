"""A real browser, driven by the WebDriver protocol: no package, only Chromium and its driver."""

import base64
import contextlib
import json
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.ci import skip_unless_ci

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


class Browser:
    """One window of a size in pixels; `phone` has touch and a dense screen."""

    def __init__(self, port: int, profile: Path, width: int, height: int, *, phone: bool) -> None:
        self._root = f"http://127.0.0.1:{port}"
        options: dict[str, Any] = {
            "binary": browser_path(),
            "args": [*FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}"],
        }
        if phone:
            metrics = {"width": width, "height": height, "pixelRatio": 2, "touch": True}
            options["mobileEmulation"] = {"deviceMetrics": metrics}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        session = self._post("/session", {"capabilities": {"alwaysMatch": wanted}})
        self._root += f"/session/{session['sessionId']}"

    def open(self, path: Path) -> None:
        """Load a file."""
        self._post("/url", {"url": path.resolve().as_uri()})

    def prefer(self, scheme: str, *, motion: str = "no-preference") -> None:
        """Let pages think that the reader prefers `light` or `dark`, and motion or `reduce`."""
        wishes = {"prefers-color-scheme": scheme, "prefers-reduced-motion": motion}
        features = [{"name": name, "value": value} for name, value in wishes.items()]
        self._cdp("Emulation.setEmulatedMedia", {"features": features})

    def accessible(self) -> list[tuple[str, str]]:
        """Role and name of everything that assistive technology is given."""
        nodes = self._cdp("Accessibility.getFullAXTree", {})["nodes"]
        return [
            (one["role"]["value"], one.get("name", {}).get("value", ""))
            for one in nodes
            if not one["ignored"]
        ]

    def press(self, *keys: str) -> None:
        """Press keys one after the other, by their codes in WebDriver or as letters."""
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._post("/actions", {"actions": [{"type": "key", "id": "keys", "actions": steps}]})

    def resize(self, width: int, height: int) -> None:
        """Give the page another size in pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._cdp("Emulation.setDeviceMetricsOverride", size)

    def speak(self, language: str) -> None:
        """Let pages think that the reader speaks a language, such as `de-DE`."""
        agent = self.run("return navigator.userAgent")
        self._cdp("Network.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": language})

    def _cdp(self, command: str, parameters: dict[str, Any]) -> Any:
        return self._post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def visit(self, address: str) -> None:
        """Load a page of a server."""
        self._post("/url", {"url": address})

    def until(self, script: str, seconds: float = 30) -> Any:
        """Wait until JavaScript returns something that is true, and give it."""
        end = time.monotonic() + seconds
        while True:
            found = self.run(script)
            if found:
                return found
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.05)

    def give_file(self, selector: str, path: Path) -> None:
        """Choose a file in a file field."""
        found = self._post("/element", {"using": "css selector", "value": selector})
        (element,) = found.values()
        self._post(f"/element/{element}/value", {"text": str(path.resolve())})

    def offline(self, off: bool, *, upload: int = -1) -> None:
        """Cut the network of the page off, or let it back, with so many bytes up in a second."""
        conditions = {"offline": off, "latency": 0, "download_throughput": -1}
        self._post(
            "/chromium/network_conditions",
            {"network_conditions": {**conditions, "upload_throughput": upload}},
        )

    def run(self, script: str, *words: object) -> Any:
        """Run JavaScript and give what it returns."""
        return self._post("/execute/sync", {"script": script, "args": list(words)})

    def run_async(self, script: str) -> Any:
        """Run JavaScript that hands its result to the function `done`."""
        whole = f"const done = arguments[arguments.length - 1]; {script}"
        return self._post("/execute/async", {"script": whole, "args": []})

    def console(self) -> list[str]:
        """What was written to the console since the last call."""
        return [entry["message"] for entry in self._post("/se/log", {"type": "browser"})]

    def picture(self, path: Path) -> None:
        """Save what is seen as PNG."""
        path.write_bytes(base64.b64decode(self._call("GET", "/screenshot")))

    def close(self) -> None:
        """Close the window."""
        self._call("DELETE", "")

    def _post(self, path: str, data: dict[str, Any]) -> Any:
        return self._call("POST", path, json.dumps(data).encode())

    def _call(self, method: str, path: str, data: bytes | None = None) -> Any:
        head = {"Content-Type": "application/json"}
        request = urllib.request.Request(self._root + path, data, head, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]


def browser_path() -> str | None:
    """Where the browser is."""
    return next(filter(None, map(shutil.which, _BROWSERS)), None)


@contextlib.contextmanager
def driver() -> Iterator[int]:
    """The driver, running; gives its port. The test is skipped where there is no browser."""
    program = shutil.which("chromedriver")
    if browser_path() is None or program is None:
        skip_unless_ci("Chromium and chromedriver are not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [program, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int) -> None:
    end = time.monotonic() + 30
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        assert time.monotonic() < end, "the driver does not answer"
        time.sleep(0.05)
