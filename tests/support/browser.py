"""A real browser, driven by the WebDriver protocol: no package, only Chromium and its driver."""

import base64
import contextlib
import json
import re
import shutil
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.ci import skip_unless_ci
from tests.support.waiting import PATIENCE_S

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
#: Keeps answers to `fetch` of addresses with a part back until they are let go.
_HOLD = """
const part = arguments[0];
window.held = [];
window.fetchNow ??= window.fetch;
window.fetch = async (address, ...more) => {
  const answer = await window.fetchNow(address, ...more);
  if (window.held && `${address}`.includes(part)) {
    await new Promise((letGo) => window.held.push(letGo));
  }
  return answer;
};
"""
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


class BrowserError(Exception):
    """What the browser says of a command that failed."""


class Browser:
    """One window of a size in pixels; `phone` has touch and a dense screen."""

    def __init__(self, port: int, profile: Path, width: int, height: int, *, phone: bool) -> None:
        self._root, self.profile = f"http://127.0.0.1:{port}", profile
        options: dict[str, Any] = {
            "binary": browser_path(),
            "args": [*FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}"],
        }
        if phone:
            metrics = {"width": width, "height": height, "pixelRatio": 2, "touch": True}
            options["mobileEmulation"] = {"deviceMetrics": metrics}
        limit = int(1000 * PATIENCE_S)
        wanted = {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
            "timeouts": {"script": limit, "pageLoad": limit},
        }
        #: Whether what it prefers, speaks or runs was set, which stays so until it is closed.
        self.is_set = False
        session = self._post("/session", {"capabilities": {"alwaysMatch": wanted}})
        self._root += f"/session/{session['sessionId']}"

    def open(self, path: Path) -> None:
        """Load a file."""
        self._post("/url", {"url": path.resolve().as_uri()})

    def prefer(self, scheme: str) -> None:
        """Let pages think that the reader prefers `light` or `dark`."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self._cdp("Emulation.setEmulatedMedia", {"features": [feature]})

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

    def switch_scripts_off(self) -> None:
        """Load pages from now on as where JavaScript is switched off."""
        self._cdp("Emulation.setScriptExecutionDisabled", {"value": True})

    def _cdp(self, command: str, parameters: dict[str, Any]) -> Any:
        self.is_set = True
        return self._post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def visit(self, address: str) -> None:
        """Load a page of a server."""
        self._post("/url", {"url": address})

    def reload(self) -> None:
        """Load the page again, and wait until it is loaded."""
        self._post("/refresh", {})

    def until(self, script: str, *words: object) -> Any:
        """Wait until JavaScript returns something that is true, and give it.

        An element that is not there yet, or a page that is just being left, is waited for as well.

        Raises:
            AssertionError: It is never true.
        """
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                value = self.run(script, *words)
            except BrowserError as error:
                value, why = None, f" ({error})"
            else:
                why = ""
            if value:
                return value
            assert time.monotonic() < end, f"never true: {script}{why}"
            time.sleep(0.05)

    def give_file(self, selector: str, path: Path) -> None:
        """Choose a file in a file field."""
        elements = self._post("/element", {"using": "css selector", "value": selector})
        (element,) = elements.values()
        self._post(f"/element/{element}/value", {"text": str(path.resolve())})

    def offline(self, off: bool) -> None:
        """Cut the network of the page off, or let it back."""
        speeds = {"latency": 0, "download_throughput": -1, "upload_throughput": -1}
        conditions = {"network_conditions": {"offline": off, **speeds}}
        self._post("/chromium/network_conditions", conditions)

    def run(self, script: str, *words: object) -> Any:
        """Run JavaScript and give what it returns."""
        return self._post("/execute/sync", {"script": script, "args": list(words)})

    def hold(self, part: str) -> None:
        """Keep the answers back that the page gets from addresses with this part."""
        self.run(_HOLD, part)

    def let_go(self) -> None:
        """Let all answers that were kept back go to the page, and keep no more of them."""
        self.run("const all = window.held; window.held = null; for (const one of all) one()")

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

    def clear(self) -> None:
        """Leave the page, its cookies and what it wrote to the console."""
        self._call("DELETE", "/cookie")
        self.visit("about:blank")
        self.console()

    def close(self) -> None:
        """Close the window."""
        self._call("DELETE", "")

    def _post(self, path: str, data: dict[str, Any]) -> Any:
        return self._call("POST", path, json.dumps(data).encode())

    def _call(self, method: str, path: str, data: bytes | None = None) -> Any:
        head = {"Content-Type": "application/json"}
        request = urllib.request.Request(self._root + path, data, head, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S + 30) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            with error:
                raise BrowserError(json.load(error)["value"]["message"]) from None


def browser_path() -> str | None:
    """Where the browser is."""
    return next(filter(None, map(shutil.which, _BROWSERS)), None)


@contextlib.contextmanager
def driver() -> Iterator[int]:
    """The driver, running; gives its port. The test is skipped where there is no browser."""
    program = shutil.which("chromedriver")
    if browser_path() is None or program is None:
        skip_unless_ci("Chromium and chromedriver are not installed")
    words = [program, "--port=0"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            yield _port_of(process)
        finally:
            process.terminate()


def _port_of(process: subprocess.Popen[str]) -> int:
    """The port that the driver has taken, and says once it listens."""
    assert process.stdout is not None
    timer = threading.Timer(PATIENCE_S, process.kill)
    timer.start()
    try:
        for line in process.stdout:
            if match := re.search(r"started successfully on port (\d+)", line):
                return int(match[1])
    finally:
        timer.cancel()
    raise AssertionError("the driver does not start")
