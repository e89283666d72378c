"""The page where the network fails or is slow, and where the server cannot keep a photo."""

import io
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.support.night import Night
from tests.support.paths import SAMPLES
from tests.support.serving import photos_kept
from tests.support.waiting import wait_for

#: Answers uploads with a status, in the page: as often as `window.refusals` says.
REFUSE = """
window.refusals = arguments[1];
const send = XMLHttpRequest.prototype.send;
XMLHttpRequest.prototype.send = function (...words) {
  if (window.refusals-- <= 0) return send.apply(this, words);
  Object.defineProperty(this, 'status', {value: window.refusal});
  setTimeout(() => { this.onloadend?.(); this.onload(); });
};
window.refusal = arguments[0];
"""
PENDING = "return document.querySelectorAll('.pending').length"


@pytest.fixture
def phone(open_night: Callable[[str], Night]) -> Night:
    return open_night("phone")


def cards(phone: Night, count: int) -> None:
    """Wait until so many kingdoms are in the game."""
    phone.browser.until(
        "return document.querySelectorAll('.player:not(.waits), .whose').length === arguments[0]",
        count,
    )


def large_photo(path: Path) -> Path:
    """A photo of 20 MB: 24 megapixels of a kingdom under noise."""
    picture = cv2.resize(cv2.imread(str(SAMPLES / "meadow_5x5.jpg")), (5664, 4248))
    noise = np.random.default_rng(1).integers(-14, 15, (4248, 5664, 1), np.int16)
    noisy = np.clip(picture + noise, 0, 255).astype(np.uint8)
    for quality in range(90, 101):
        cv2.imwrite(str(path), noisy, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if path.stat().st_size > 18_000_000:
            break
    return path


def test_photos_wait_for_the_network_and_are_sent_once(phone: Night, tmp_path: Path) -> None:
    phone.browser.offline(True)
    phone.choose(SAMPLES / "plus.jpg")
    phone.until_said("1 photo waits for the network.")
    phone.browser.offline(False)
    cards(phone, 1)
    phone.load()
    assert (phone.totals(), photos_kept(tmp_path / "evening.sqlite")) == (["9"], 1)
    assert phone.run(PENDING) == 0


@pytest.mark.parametrize("status", [500, 502, 503, 507])
def test_a_photo_stays_on_the_phone_until_the_server_has_it(phone: Night, status: int) -> None:
    phone.run(REFUSE, status, 1)
    phone.choose(SAMPLES / "plus.jpg")
    phone.until_said("stays on this phone")
    assert phone.run(PENDING) == 1
    cards(phone, 1)
    assert phone.totals() == ["9"]


def test_a_reload_in_the_middle_loses_nothing(phone: Night, tmp_path: Path) -> None:
    photo = SAMPLES / "two_kingdoms.jpg"
    phone.browser.offline(False, upload=photo.stat().st_size // 4)
    phone.choose(photo)
    phone.browser.until("return document.querySelector('.pending progress')?.value > 0.05")
    phone.browser.reload()
    phone.browser.offline(False)
    cards(phone, 2)
    assert photos_kept(tmp_path / "evening.sqlite") == 1


def test_a_browser_that_keeps_nothing_says_so_and_sends_all_the_same(phone: Night) -> None:
    phone.run("IDBFactory.prototype.open = () => { throw new DOMException('no') }")
    said = phone.run(
        "window.said = []; new MutationObserver(() => window.said.push("
        "document.getElementById('status').textContent)).observe("
        "document.getElementById('status'), {childList: true}); return window.said"
    )
    assert said == []
    phone.choose(SAMPLES / "plus.jpg")
    cards(phone, 1)
    assert any("keeps no photos" in one for one in phone.run("return window.said"))


def test_a_photo_behind_one_that_fails_goes_first(phone: Night, tmp_path: Path) -> None:
    phone.run(REFUSE, 503, 1)
    phone.choose(SAMPLES / "plus.jpg")
    phone.until_said("stays on this phone")
    phone.run(REFUSE, 503, 0)
    phone.choose(SAMPLES / "corner.jpg")
    wait_for(lambda: photos_kept(tmp_path / "evening.sqlite") == 2)
    cards(phone, 2)


def test_a_photo_behind_one_that_is_stuck_goes_first(phone: Night, tmp_path: Path) -> None:
    """The first photo makes no progress for as long as the page waits: here a moment."""
    phone.run(
        "const later = window.setTimeout; window.setTimeout = (act, wait) =>"
        " later(act, wait === 30000 ? 600 : wait);"
        "const send = XMLHttpRequest.prototype.send; let first = true;"
        "XMLHttpRequest.prototype.send = function (form) {"
        "  if (!first) return send.call(this, form);"
        "  first = false; this.abort = () => { this.onloadend(); this.onabort(); } }"
    )
    phone.choose(SAMPLES / "plus.jpg")
    phone.choose(SAMPLES / "corner.jpg")
    cards(phone, 1)
    assert phone.totals() == ["28"]
    cards(phone, 2)
    assert photos_kept(tmp_path / "evening.sqlite") == 2


def test_a_photo_is_sent_upright_and_no_larger_than_it_must_be(
    phone: Night, tmp_path: Path
) -> None:
    """A photo of 24 megapixels that lies on its side, as phones store them."""
    large_photo(tmp_path / "large.jpg")
    with Image.open(tmp_path / "large.jpg") as photo:
        exif = Image.Exif()
        exif[0x0112] = 6
        photo.transpose(Image.Transpose.ROTATE_90).save(
            tmp_path / "turned.jpg", quality=95, exif=exif
        )
    assert phone.upload(tmp_path / "turned.jpg") == ["75"]
    with closing(sqlite3.connect(tmp_path / "evening.sqlite")) as database:
        (data,) = database.execute("SELECT picture FROM photos").fetchone()
    with Image.open(io.BytesIO(data)) as sent:
        assert (sent.format, sent.size) == ("JPEG", (2600, 1950))
        assert sent.getexif().get(0x0112, 1) == 1
    assert len(data) < 3_000_000


def test_twenty_megabytes_over_a_slow_network(phone: Night, tmp_path: Path) -> None:
    """90 kB/s: the phone shows its own picture at once, and the total within a minute."""
    photo = large_photo(tmp_path / "20mb.jpg")
    phone.browser.offline(False, upload=90_000)
    phone.run(
        "document.getElementById('file').addEventListener('change', () => {"
        "window.began = performance.now()}, {capture: true});"
        "new MutationObserver(() => { if (document.querySelector('.pending img'))"
        "window.shown ??= performance.now() }).observe(document.body,"
        "{childList: true, subtree: true})"
    )
    start = time.monotonic()
    phone.choose(photo)
    phone.browser.until("return window.shown")
    local = phone.run("return window.shown - window.began")
    phone.browser.until(
        "return document.querySelectorAll('.player:not(.waits)').length", seconds=60
    )
    total = time.monotonic() - start
    print(f"{photo.stat().st_size / 1e6:.0f} MB: picture {local:.0f} ms, total {total:.1f} s")
    assert local < 500 and total < 60
    # The picture itself never comes back: only what was read, and the kingdoms cut out of it.
    came = phone.run(
        "return performance.getEntriesByType('resource').filter(one => one.name.includes('/api/'))"
        ".map(one => [new URL(one.name).pathname.split('/').at(-1), one.transferSize])"
    )
    assert "picture" not in [name for name, _ in came]
    assert sum(size for _, size in came) < 100_000


def test_a_correction_without_network_changes_nothing_and_says_so(phone: Night) -> None:
    phone.upload(SAMPLES / "plus.jpg")
    phone.open_kingdom()
    phone.open_square("A.c1")
    phone.browser.offline(True)
    phone.tap('#faces [data-face="G1"]')
    phone.until_said("There is no network right now.")
    assert phone.total() == "9"
    phone.browser.offline(False)
    phone.settle("A.c1", "G1")
    assert phone.total() == "8"


def test_a_reload_without_network_shows_the_page(phone: Night) -> None:
    """On loopback a service worker is allowed; over plain http elsewhere it is not."""
    phone.browser.run_async("navigator.serviceWorker.ready.then(() => done(1))")
    phone.load()
    phone.browser.offline(True)
    phone.browser.reload()
    phone.ready()
    assert phone.run("return document.getElementById('tabs').checkVisibility()")
    assert "network" in phone.status()
    phone.browser.offline(False)
