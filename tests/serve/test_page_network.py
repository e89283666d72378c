"""The page where the network fails, is slow, or is shared by several phones."""

from collections.abc import Callable
from pathlib import Path

from tests.support.night import Night
from tests.support.paths import SAMPLES
from tests.support.serving import photos_kept


def test_photos_wait_for_the_network_and_are_sent_once(night: Night, tmp_path: Path) -> None:
    night.browser.offline(True)
    night.browser.give_file("#file", SAMPLES / "plus.jpg")
    night.until_said("1 photo(s) wait for the network.")
    night.browser.offline(False)
    night.wait_for_photo("")
    assert night.totals() == ["9"]
    night.load()
    assert (night.totals(), photos_kept(tmp_path / "evening.sqlite")) == (["9"], 1)
    night.browser.console()


def test_a_correction_without_network_changes_nothing_and_says_so(night: Night) -> None:
    night.upload(SAMPLES / "plus.jpg")
    night.open_square("A.c1")
    night.browser.offline(True)
    night.tap('#faces [data-face="G1"]')
    night.until_said("There is no network right now.")
    assert night.totals() == ["9"]
    assert night.run("return document.getElementById('undo').disabled")
    night.tap('[data-place="A.c1"]')
    night.browser.until("return !document.getElementById('square').open")
    night.browser.offline(False)
    night.settle("A.c1", "G1")
    assert night.totals() == ["8"]
    night.browser.console()


def test_a_reload_in_the_middle_loses_nothing(night: Night, tmp_path: Path) -> None:
    photo = SAMPLES / "two_kingdoms.jpg"
    night.browser.offline(False, upload=photo.stat().st_size // 4)
    night.browser.give_file("#file", photo)
    night.browser.until("return document.getElementById('progress').value > 0.05")
    assert not night.run("return document.getElementById('progress').hidden")
    night.browser.reload()
    night.browser.offline(False)
    night.ready()
    night.wait_for_photo("")
    totals = night.totals()
    assert (len(totals), photos_kept(tmp_path / "evening.sqlite")) == (2, 1)
    # Corrections, names and what can be taken back are there again as well.
    night.settle("A.c1", "G1")
    night.name_players("Ada", "Ben")
    changed = night.totals()
    assert changed != totals
    night.load()
    assert night.totals() == changed
    fields = "return [...document.querySelectorAll('#kingdoms input')].map(one => one.value)"
    assert night.run(fields) == ["Ada", "Ben"]
    night.changes(lambda: night.tap("#undo"))
    assert night.totals() == totals
    night.browser.console()


def test_two_browsers_at_once(open_night: Callable[[str], Night]) -> None:
    phone, desk = open_night("phone"), open_night("desk")
    phone.browser.give_file("#file", SAMPLES / "plus.jpg")
    desk.browser.give_file("#file", SAMPLES / "two_kingdoms.jpg")
    for one in (phone, desk):
        one.wait_for_photo("")
    assert (phone.totals(), len(desk.totals())) == (["9"], 2)
    phone.name_players("Ada")
    desk.name_players("Ben", "Cleo")
    for one in (phone, desk):
        one.run("document.getElementById('keep').click()")
    for one in (phone, desk):
        one.until_said("is kept")
    for one in (phone, desk):
        one.load()
        assert len(one.games()) == 2
        assert {line[1] for line in one.ranking()} == {"Ada", "Ben", "Cleo"}
    # Both correct the photo of one of them.
    desk.load(f"#{phone.photo()}")
    assert desk.totals() == ["9"]
    phone.settle("A.c1", "G1")
    desk.settle("A.e3", "W1")
    phone.load()
    assert phone.totals() == desk.totals()
    fixes = phone.browser.run_async(
        f"fetch('/api/photos/{phone.photo()}').then(one => one.json()).then(one => done(one.fixes))"
    )
    assert fixes == {"A.c1": "G1", "A.e3": "W1"}
    for one in (phone, desk):
        assert one.browser.console() == []
