"""The Chromium that is installed, driven by Playwright; a page is a phone's or a screen's."""

import contextlib
import shutil
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from tests.support.ci import skip_or_fail
from tests.support.waiting import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
#: Width and height in pixels of a page on a phone, and on a screen.
PHONE = (360, 740)
SCREEN = (1280, 800)
#: What a page offers for some seconds stays for minutes, and so long it waits for answers: a busy
#: machine needs as long for a tap.
_LONGER = """
const wait = window.setTimeout;
const limit = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => limit(20 * ms);
window.setTimeout = (act, ms = 0, ...words) => wait(act, ms < 10_000 ? ms : 20 * ms, ...words);
"""


@contextlib.contextmanager
def launch_chromium() -> Iterator["Browser"]:
    """Run the browser; the test is skipped where it, or Playwright, is not installed."""
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        skip_or_fail("Playwright is not installed (the extra `browser`)")
    if program is None:
        skip_or_fail("Chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, chromium_sandbox=False, timeout=1000 * PATIENCE_S
        )
        yield browser
        browser.close()


def open_page(
    browser: "Browser",
    size: tuple[int, int] = PHONE,
    *,
    touch: bool = True,
    language: str = "en-US",
    scheme: Literal["light", "dark"] = "light",
    scripts: bool = True,
) -> "Page":
    """Open an empty page in a profile of its own, which `page.context.close()` ends.

    Args:
        browser: Where it is opened.
        size: Width and height in pixels.
        touch: Whether it is touched, and its screen dense, as a phone's.
        language: What its reader speaks.
        scheme: The colours that its reader prefers.
        scripts: Whether JavaScript runs.
    """
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=2 if touch else 1,
        has_touch=touch,
        is_mobile=touch,
        locale=language,
        color_scheme=scheme,
        java_script_enabled=scripts,
    )
    context.set_default_timeout(1000 * PATIENCE_S)
    context.add_init_script(_LONGER)
    return context.new_page()


def wait_until(page: "Page", script: str, word: object = None) -> Any:
    """Wait until JavaScript gives something that is true, and return it.

    Playwright's own `wait_for_function` makes functions of words, which pages of ours forbid.

    Raises:
        AssertionError: It is never true.
    """
    from playwright.sync_api import Error

    end, value = time.monotonic() + PATIENCE_S, None
    while not value:
        assert time.monotonic() < end, f"never true: {script}"
        page.wait_for_timeout(50)
        try:
            value = page.evaluate(script, word)
        except Error as error:
            # The page is just being left for another one.
            if "context was destroyed" not in str(error):
                raise
    return value


def console_of(page: "Page") -> list[str]:
    """Return a list to which is added what the page writes to its console from now on."""
    lines: list[str] = []
    page.on("console", lambda message: lines.append(message.text))
    page.on("pageerror", lambda error: lines.append(str(error)))
    return lines
