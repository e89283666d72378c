"""The page where answers overtake one another, and where fingers are quicker than the network."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kdvision.options import GameOptions
from kdvision.pipeline.scorer import Scorer
from tests.support.night import Night
from tests.support.paths import SAMPLES
from tests.support.serving import photos_kept
from tests.support.waiting import wait_for

KEEP = "return document.getElementById('keep').textContent"


@pytest.fixture
def phone(open_night: Callable[[str], Night]) -> Night:
    return open_night("phone")


def test_a_new_photo_never_takes_the_game_of_the_one_before(phone: Night) -> None:
    phone.upload(SAMPLES / "plus.jpg")
    phone.name_players("Ada")
    phone.tap("#keep")
    phone.until_said("Game 1 is kept.")
    assert phone.run(KEEP) == "Update game 1"
    phone.browser.hold("/api/games")
    phone.upload(SAMPLES / "meadow_5x5.jpg")
    assert phone.run(KEEP) == "Add to the evening"
    phone.name_players("Ben")
    phone.tap("#keep")
    phone.browser.held(2)
    phone.browser.let_go()
    phone.until_said("Game 2 is kept.")
    assert len(phone.games()) == 2


def test_a_double_tap_keeps_one_game(phone: Night) -> None:
    phone.upload(SAMPLES / "plus.jpg")
    phone.name_players("Ada")
    phone.run("for (let n = 0; n < 2; n += 1) document.getElementById('keep').click()")
    phone.until_said("Game 1 is kept.")
    phone.load()
    assert len(phone.games()) == 1


def test_rules_that_are_switched_quickly_all_count(phone: Night, scorer: Scorer) -> None:
    photo = SAMPLES / "lamp_castle_5x5.jpg"
    phone.upload(photo)
    phone.browser.hold("/options")
    phone.tap("#harmony")
    phone.browser.held(1)
    phone.tap("#middle")
    switched = "return ['harmony', 'middle'].map(id => document.getElementById(id).checked)"
    assert phone.run(switched) == [True, True]
    # The second is asked for when the first has been answered: no answer overtakes the other.
    phone.browser.settle()
    assert phone.run("return window.held.length") == 1
    phone.changes(phone.browser.let_go)
    both = scorer.score(photo, GameOptions(harmony=True, middle_kingdom=True))
    assert phone.totals() == [str(both.kingdoms[0].score)]
    assert phone.run(switched) == [True, True]


def test_two_corrections_are_taken_back_by_two_quick_taps(phone: Night) -> None:
    phone.upload(SAMPLES / "plus.jpg")
    totals = phone.totals()
    for place, face in (("A.c1", "G1"), ("A.b3", "M2")):
        phone.settle(place, face)
    assert phone.totals() != totals
    phone.changes(
        lambda: phone.run("for (let n = 0; n < 2; n += 1) document.getElementById('undo').click()")
    )
    assert phone.totals() == totals
    assert phone.run("return document.getElementById('undo').disabled")


def test_a_late_correction_does_not_bring_the_photo_before_back(phone: Night) -> None:
    phone.upload(SAMPLES / "plus.jpg")
    phone.open_square("A.c1")
    phone.browser.hold("/fixes")
    phone.tap('#faces [data-face="G1"]')
    phone.browser.held(1)
    totals = phone.upload(SAMPLES / "two_kingdoms.jpg")
    phone.browser.let_go()
    phone.browser.until("return !document.querySelector('[aria-busy]')")
    phone.browser.settle()
    assert phone.totals() == totals and len(totals) == 2


def test_the_square_that_was_tapped_last_is_shown(phone: Night) -> None:
    phone.upload(SAMPLES / "plus.jpg")
    phone.browser.hold("/squares/")
    for number, place in enumerate(("A.c1", "A.b3"), 1):
        phone.tap(f'[data-place="{place}"]')
        phone.browser.held(number)
        phone.run("document.getElementById('square').close()")
    phone.tap('[data-place="A.b3"]')
    phone.browser.held(3)
    phone.browser.let_go(2, 0, 1)
    phone.browser.until("return document.getElementById('square').dataset.ready === 'A.b3'")
    assert phone.run("return document.querySelector('#likely .face').dataset.face")[0] == "M"


def test_a_photo_beside_one_that_is_on_its_way_is_sent_as_well(
    phone: Night, tmp_path: Path
) -> None:
    first = SAMPLES / "two_kingdoms.jpg"
    phone.browser.offline(False, upload=first.stat().st_size // 4)
    phone.browser.give_file("#file", first)
    phone.browser.until("return document.getElementById('progress').value > 0.05")
    phone.browser.give_file("#file", SAMPLES / "plus.jpg")
    phone.browser.offline(False)
    wait_for(lambda: photos_kept(tmp_path / "evening.sqlite") == 2)
