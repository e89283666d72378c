"""An evening on the page in a real browser: photos, names, corrections, games, the ranking."""

import contextlib
import csv
import io
import os
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest

from kdvision.options import GameOptions
from kdvision.pipeline.scorer import Scorer
from kdvision.result import Status
from tests.support.night import Night
from tests.support.paths import SAMPLES
from tests.support.table_of_two import table_of_two

SINGLE = ("plus.jpg", "corner.jpg", "meadow_5x5.jpg", "first_domino.jpg")
NAMES = ("Ada", "Ben", "Cleo", "Dan")
#: Seconds from choosing 12 megapixels to their total: 0.6 on two cores that do nothing else.
MOST_PHOTO_S = 1.0
#: Seconds until a change is seen on every phone.
MOST_NEWS_S = 2.0
#: A busy machine is given so many tries; the quickest counts, and each has a minute.
PHOTO_TRIES = 8
#: The lesser side of every square that can be tapped, in pixels.
SMALLEST = """
return Math.min(...[...document.querySelectorAll('.cell')].map((cell) => {
  const box = cell.getBoundingClientRect();
  return Math.min(box.width, box.height);
}))
"""


@pytest.fixture
def phone(open_night: Callable[[str], Night]) -> Night:
    return open_night("phone")


def expected(scorer: Scorer, path: Path, fixes: dict[str, str], **options: object) -> list[str]:
    """The totals of a photo as the command line has them, best first, with ? where doubtful."""
    found = scorer.score(path, GameOptions(**options), fixes=fixes)  # type: ignore[arg-type]
    kingdoms = sorted(found.kingdoms, key=lambda one: -one.score)
    return [f"{one.score}{'' if one.status is Status.SURE else '?'}" for one in kingdoms]


def family(process: int) -> list[int]:
    """A process and all below it."""
    found = [process]
    for one in found:
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{one}/task").iterdir():
                found.extend(map(int, (thread / "children").read_text().split()))
    return found


def cores_s() -> float:
    """Seconds of cores that the server, the browser and its driver have taken."""
    ticks = 0
    for process in family(os.getpid())[1:]:
        with contextlib.suppress(OSError):
            about = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += int(about[11]) + int(about[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def test_a_photo_of_the_table_is_named_and_kept_in_eight_taps(phone: Night, scorer: Scorer) -> None:
    photo = SAMPLES / "four_kingdoms.jpg"
    assert phone.screens() <= 1
    totals = phone.upload(photo, 4)
    phone.name(*NAMES)
    assert totals == expected(scorer, photo, {})
    phone.browser.until("return document.querySelectorAll('.crown').length === 1")
    assert phone.taps <= 8 and phone.screens() <= 1.5
    assert sorted(name for name, _ in phone.cards()) == list(NAMES)
    assert phone.cards()[0][1].startswith("♛ ")
    phone.load()
    assert sorted(name for name, _ in phone.cards()) == list(NAMES)


def test_four_photos_of_one_kingdom_each_are_one_game(phone: Night) -> None:
    phone.name(*NAMES)
    for number, photo in enumerate(SINGLE, 1):
        assert phone.run("return document.querySelectorAll('.crown').length") == 0
        phone.choose(SAMPLES / photo)
        if number < 4:
            phone.browser.until("return document.querySelectorAll('.whose').length === 1")
            name = phone.run(
                "return document.querySelector('.whose button:not(.taken)').textContent"
            )
            assert name == NAMES[number - 1]
            phone.tap(".whose button:not(.taken)")
        phone.browser.until(
            "return document.querySelectorAll('.player:not(.waits)').length === arguments[0]",
            number,
        )
    phone.browser.until("return document.querySelectorAll('.crown').length === 1")
    games = phone.browser.run_async("fetch('/api/games').then(one => one.json()).then(done)")[
        "games"
    ]
    assert [len(game["players"]) for game in games] == [4]
    assert phone.screens() <= 2.5


def test_a_whole_evening(phone: Night) -> None:
    """Two games with names that are markup, corrections, everything taken back, rank, export."""
    wild = "<script>alert(1)</script>"
    assert phone.upload(SAMPLES / "plus.jpg") == ["9"]
    phone.name(wild)
    phone.open_kingdom()
    for place, face, total in (("A.c1", "G1", "8"), ("A.b3", "M2", "7")):
        phone.settle(place, face)
        assert phone.total().rstrip("?") == total
    # A domino on the left: the "+" are there while squares are added.
    assert not any("z" in place for place in phone.places())
    phone.tap("#edges")
    phone.browser.until("return document.querySelector('[data-place=\"A.z3\"]')")
    for place, face in (("A.z3", "W"), ("A.z4", "F")):
        phone.settle(place, face)
    assert {"A.z3", "A.a3", "A.b3"} <= set(phone.places())
    for _ in range(4):
        phone.changes(lambda: phone.tap("#undo"))
    assert phone.total() == "9"
    phone.back()
    phone.tap("#new")
    phone.until_said("Game 2 begins.")
    totals = phone.upload(table_of_two(), 2)
    assert totals == [] and len(phone.kingdoms()) == 2
    phone.tap(".whose button")
    phone.browser.until("return document.querySelectorAll('.player:not(.waits)').length === 1")
    phone.tap('#tabs [data-view="evening"]')
    phone.browser.until("return document.querySelectorAll('#games a').length === 2")
    assert [line[1] for line in phone.ranking()] == [wild]
    exported = phone.browser.run_async(
        "fetch(document.querySelector('a[href$=csv]').href).then(one => one.text()).then(done)"
    )
    rows = list(csv.DictReader(io.StringIO(exported)))
    assert [(row["game"], row["player"]) for row in rows] == [("1", wild), ("2", wild)]
    # What is forgotten comes back.
    phone.tap("#games button")
    phone.until_said("Game 2 is forgotten.")
    assert phone.run("return document.querySelectorAll('#games a').length") == 1
    phone.changes(lambda: phone.tap("#undo"))
    phone.browser.until("return document.querySelectorAll('#games a').length === 2")


def test_the_game_has_four_players_and_one_large_button(phone: Night) -> None:
    assert phone.run("return document.querySelectorAll('#players input').length") == 4
    assert phone.run("return document.getElementById('camera').getAttribute('capture')")
    areas = phone.run(
        "return ['label[for=camera]', '.quiet'].map((kind) => Math.max("
        "...[...document.querySelectorAll(kind)].filter(one => one.checkVisibility())"
        ".map(one => one.getBoundingClientRect()).map(one => one.width * one.height)))"
    )
    assert areas[0] > 1.2 * areas[1]


def test_the_next_game_has_the_names_and_offers_those_of_the_evening(phone: Night) -> None:
    phone.upload(SAMPLES / "two_kingdoms.jpg", 2)
    phone.name("Ada", "Ben")
    phone.tap("#new")
    phone.until_said("Game 2 begins.")
    names = "return [...document.querySelectorAll('#players input')].map(one => one.value)"
    assert phone.run(names) == ["Ada", "Ben", "", ""]
    phone.name("Cleo")
    offered = "return [...document.getElementById('names').children].map(one => one.value)"
    phone.browser.until(f"{offered}.includes('Cleo')")
    assert set(phone.run(offered)) == {"Ada", "Ben", "Cleo"}


def test_everything_is_taken_back_in_turn(phone: Night) -> None:
    """A photo, a name, an owner, a rule, a kingdom that was taken out, and a new game."""
    shown = (
        "return [...document.querySelectorAll('.player')].map(one => one.dataset.seat"
        " + one.querySelector('input').value + one.querySelector('.total').textContent)"
        ".concat(document.getElementById('title').textContent,"
        " document.getElementById('harmony').checked)"
    )
    states = [phone.run(shown)]

    def changed(act: Callable[[], object]) -> None:
        act()
        phone.browser.until(f"{shown.removesuffix(')')}).join() !== arguments[0]", joined())
        states.append(phone.run(shown))

    def joined() -> str:
        return ",".join(str(one).lower() if one in (True, False) else one for one in states[-1])

    def owner() -> None:
        phone.open_kingdom()
        phone.run(
            "const owner = document.getElementById('whose'); owner.value = 3;"
            "owner.dispatchEvent(new Event('change'))"
        )
        phone.browser.until("return document.getElementById('title').textContent === 'Pink'")
        phone.back()

    def out() -> None:
        phone.open_kingdom()
        phone.tap("#remove")
        phone.until_said("no longer in the game")

    def taken_back() -> None:
        states.pop()
        phone.tap("#undo")
        phone.browser.until(f"{shown}.every((one, at) => one === arguments[0][at])", states[-1])

    phone.tap("#rules summary")
    changed(lambda: phone.upload(SAMPLES / "plus.jpg"))
    changed(lambda: phone.name("Ada"))
    changed(owner)
    changed(lambda: phone.tap("#harmony"))
    changed(lambda: phone.tap("#new"))
    taken_back()
    changed(out)
    while len(states) > 1:
        taken_back()
    assert phone.run("return document.getElementById('undo').disabled")


def test_a_kingdom_is_as_wide_as_the_screen_with_its_own_squares_alone(phone: Night) -> None:
    phone.upload(SAMPLES / "four_kingdoms.jpg", 4)
    letters = set()
    for index in range(4):
        phone.open_kingdom(index)
        (letter,) = {place.split(".")[0] for place in phone.places()}
        letters.add(letter)
        box = "return document.getElementById('board').getBoundingClientRect()"
        assert phone.run(f"{box}.width") == phone.run("return innerWidth") == 360
        assert phone.run(SMALLEST) >= 64
        phone.back()
    assert letters == set("ABCD")


def test_a_kingdom_has_a_line_per_territory_that_counts_and_one_for_all_others(
    phone: Night, scorer: Scorer
) -> None:
    photo = SAMPLES / "four_kingdoms.jpg"
    phone.upload(photo, 4)
    kingdoms = sorted(scorer.score(photo).kingdoms, key=lambda one: -one.score)
    for index, kingdom in enumerate(kingdoms):
        phone.open_kingdom(index)
        lines = phone.run(
            "return [...document.getElementById('territories').children].map(one =>"
            " [one.textContent, one.getBoundingClientRect().height])"
        )
        worth = [one for one in kingdom.sheet.territories if one.points]
        assert len(lines) == len(worth) + (len(worth) < len(kingdom.sheet.territories))
        assert sum(int(line.rpartition("= ")[2]) for line, _ in lines[: len(worth)]) == int(
            phone.total()
        )
        assert not any(line.endswith("= 0") for line, _ in lines)
        assert all(height < 60 for _, height in lines)
        phone.back()


def test_a_game_of_before_is_corrected_from_the_evening(phone: Night) -> None:
    phone.upload(SAMPLES / "plus.jpg")
    phone.tap("#new")
    phone.until_said("Game 2 begins.")
    phone.tap('#tabs [data-view="evening"]')
    phone.browser.until("return document.querySelector('#games a')?.checkVisibility()")
    # Nobody has a name: the kingdom stands all the same.
    assert [line[1:] for line in phone.ranking()] == [["Blue", "9"]]
    phone.tap("#games li:last-child a")
    phone.browser.until("return document.getElementById('title').textContent === 'Game 1'")
    phone.open_kingdom()
    phone.settle("A.c1", "G1")
    phone.tap('#tabs [data-view="evening"]')
    phone.browser.until("return document.querySelector('#ranking tr')?.checkVisibility()")
    assert [line[1:] for line in phone.ranking()] == [["Blue", "8"]]


def test_other_phones_see_a_change_within_two_seconds(open_night: Callable[[str], Night]) -> None:
    """The quicker of a few: a machine under test may be busy."""
    phone, other = open_night("phone"), open_night("desk")
    waits = []
    while len(waits) < 5 and min(waits, default=MOST_NEWS_S) >= MOST_NEWS_S:
        name = f"Ada {len(waits)}"
        start = time.monotonic()
        phone.name(name)
        other.browser.until(
            "return document.querySelector('[data-seat=\"1\"] input').value === arguments[0]", name
        )
        waits.append(time.monotonic() - start)
    assert min(waits) < MOST_NEWS_S


def test_a_second_phone_that_types_a_name_erases_no_other(
    open_night: Callable[[str], Night],
) -> None:
    phone, other = open_night("phone"), open_night("desk")
    phone.upload(SAMPLES / "four_kingdoms.jpg", 4)
    other.browser.until("return document.querySelectorAll('.player:not(.waits)').length === 4")
    phone.name(*NAMES[:3])
    other.run(
        "const field = document.querySelector('[data-seat=\"4\"] input');"
        "field.value = 'Dan'; field.dispatchEvent(new Event('change'))"
    )
    for one in (phone, other):
        one.browser.until(
            "return [...document.querySelectorAll('.player input')].map(one => one.value)"
            ".sort().join() === 'Ada,Ben,Cleo,Dan'",
            seconds=20,
        )
    # A correction on one is seen on the other, and both that are made count.
    phone.open_kingdom()
    (photo, letter) = phone.run("return location.hash.split('/').slice(1)")
    other.run("location.hash = arguments[0]", f"#kingdom/{photo}/{letter}")
    other.board_ready()
    square = phone.run("return document.querySelector('.cell').dataset.place")
    before = other.total()
    phone.settle(square, "L")
    other.browser.until(
        "return document.getElementById('kingdom-total').textContent !== arguments[0]", before
    )
    assert other.total() == phone.total()


def test_a_name_that_is_being_typed_stays_when_others_change(phone: Night) -> None:
    phone.run(
        "const field = document.querySelector('[data-seat=\"2\"] input');"
        "field.focus(); field.value = 'Be'"
    )
    phone.browser.run_async(
        "fetch('/api/games/1', {method: 'PATCH', headers: {'Content-Type': 'application/json'},"
        "body: JSON.stringify({'name.1': 'Ada'})}).then(done)"
    )
    phone.browser.until("return document.querySelector('[data-seat=\"1\"] input').value === 'Ada'")
    now = "return [document.activeElement.value, document.activeElement.closest('li').dataset.seat]"
    assert phone.run(now) == ["Be", "2"]


def test_squares_of_a_large_kingdom_are_large_enough_for_thumbs(phone: Night) -> None:
    phone.upload(SAMPLES / "gaps_7x7.jpg")
    phone.open_kingdom()
    assert len(phone.places()) == 49
    assert phone.run(SMALLEST) >= 44
    phone.run("location.hash = ''")
    phone.upload(SAMPLES / "meadow_5x5.jpg")
    phone.open_kingdom(1 if "gaps" in phone.kingdoms()[0] else 0)
    phone.tap("#edges")
    phone.browser.until("return document.querySelector('.cell.add')")
    assert phone.run(SMALLEST) >= 44
    assert phone.screens() <= 2.5


def test_the_box_cannot_hold_it_and_says_why(phone: Night) -> None:
    phone.upload(SAMPLES / "plus.jpg")
    phone.open_kingdom()
    phone.open_square("A.c1")
    assert phone.run("return document.querySelector('#likely .face').dataset.face") == "G2"
    greyed = '#faces [data-face="M3"]'
    assert phone.run("return document.querySelector(arguments[0]).ariaDisabled", greyed) == "true"
    phone.tap(greyed)
    reason = phone.run("return document.getElementById('reason').firstChild.textContent")
    assert reason == "mine, 3 crowns: the box has 1, and all of them lie elsewhere (b3)."
    phone.changes(lambda: phone.tap("#reason button"))
    # Forced, it keeps some total, marked.
    assert phone.total().endswith("?") and phone.total() != "–?"


def test_rules_are_those_of_the_game(phone: Night, scorer: Scorer) -> None:
    photo = SAMPLES / "lamp_castle_5x5.jpg"
    phone.upload(photo)
    phone.tap("#rules summary")
    phone.tap("#harmony")
    phone.tap("#middle_kingdom")
    both = expected(scorer, photo, {}, harmony=True, middle_kingdom=True)
    phone.browser.until(
        "return document.querySelector('.total').textContent === arguments[0]", both[0]
    )
    phone.tap("#new")
    phone.until_said("Game 2 begins.")
    other = SAMPLES / "meadow_5x5.jpg"
    assert phone.upload(other) == expected(scorer, other, {}, harmony=True, middle_kingdom=True)


def test_two_corrections_are_taken_back_by_two_quick_taps(phone: Night) -> None:
    phone.upload(SAMPLES / "plus.jpg")
    phone.open_kingdom()
    for place, face in (("A.c1", "G1"), ("A.b3", "M2")):
        phone.settle(place, face)
    phone.run("for (let n = 0; n < 2; n += 1) document.getElementById('undo').click()")
    phone.browser.until("return document.getElementById('kingdom-total').textContent === '9'")


def test_the_square_that_was_tapped_last_is_shown(phone: Night) -> None:
    phone.upload(SAMPLES / "plus.jpg")
    phone.open_kingdom()
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


def test_what_cannot_be_scored_says_why_and_shows_nothing_else(
    phone: Night, tmp_path: Path
) -> None:
    """No kingdom and no total of the photo before stands below the error."""
    (tmp_path / "notes.txt").write_text("no photo")
    for number, path in enumerate((SAMPLES / "not_a_kingdom.jpg", tmp_path / "notes.txt"), 1):
        phone.choose(path)
        phone.browser.until(
            "return document.querySelectorAll('.pending button').length === arguments[0]", number
        )
        said = phone.run("return [...document.querySelectorAll('.pending p')].at(-1).textContent")
        assert len(said) > 30
        assert phone.run("return document.body.innerText").count(said) == 1
    assert phone.cards() == []
    phone.tap(".pending button")
    assert phone.run("return document.querySelectorAll('.pending').length") == 1
    assert any("422" in line for line in phone.browser.console())


def test_a_german_page_says_in_german_why_a_photo_cannot_be_scored(
    phone: Night, tmp_path: Path
) -> None:
    phone.browser.speak("de-DE")
    phone.load()
    (tmp_path / "half.jpg").write_bytes((SAMPLES / "plus.jpg").read_bytes()[:60_000])
    for path, why in (
        (SAMPLES / "not_a_kingdom.jpg", "Kein Königreich wurde gefunden"),
        (SAMPLES / "truth.csv", "ist Text, kein Foto"),
        (tmp_path / "half.jpg", "ist abgeschnitten"),
    ):
        phone.choose(path)
        phone.browser.until(
            "return [...document.querySelectorAll('.pending p')].at(-1)?.textContent"
            ".includes(arguments[0])",
            why,
        )
    assert any("422" in line for line in phone.browser.console())


@pytest.mark.parametrize("shares", [True, False])
def test_the_picture_to_share_has_every_letter(phone: Night, shares: bool) -> None:
    """Drawn with the phone's own fonts: the boxes that stand for missing letters are all alike."""
    phone.upload(table_of_two(), 2)
    phone.name("Jürgen ß Łukasz", "Ben")
    phone.tap('#tabs [data-view="evening"]')
    phone.run(
        "window.given = []; window.written = [];"
        "const write = CanvasRenderingContext2D.prototype.fillText;"
        "CanvasRenderingContext2D.prototype.fillText = function (words, ...more) {"
        "  window.written.push(words); return write.call(this, words, ...more) };"
        "navigator.canShare = () => arguments[0];"
        "navigator.share = async ({files}) => { window.given.push(files[0]) };"
        "HTMLAnchorElement.prototype.click = function () { window.given.push(this) }",
        shares,
    )
    phone.tap("#share")
    phone.browser.until("return window.given.length")
    assert {"Jürgen ß Łukasz", "Ben"} <= set(phone.run("return window.written"))
    if shares:
        assert phone.run("return [window.given[0].name, window.given[0].type]") == [
            "kingdoms.png", "image/png",
        ]  # fmt: skip
        assert phone.run("return window.given[0].size") > 50_000
    else:
        assert phone.run("return window.given[0].download") == "kingdoms.png"
        phone.until_said("The picture is saved.")


def doubtful_photo(scorer: Scorer, path: Path) -> Path:
    """Blur the plus until it is not sure; how much that takes hangs on the models."""
    picture = cv2.imread(str(SAMPLES / "plus.jpg"))
    for sigma in range(10, 60, 4):
        cv2.imwrite(str(path), cv2.GaussianBlur(picture, (0, 0), sigma))
        if scorer.score(path).status is Status.DOUBTFUL:
            return path
    raise AssertionError("no blur makes the plus doubtful")


@pytest.mark.slow
def test_a_photo_of_twelve_megapixels_takes_a_second(phone: Night, tmp_path: Path) -> None:
    """From choosing it to its total on the page, the quickest of several tries.

    Where other work takes the cores, the time of cores counts that server and browser take
    together: with the cores for themselves they need no longer than that.
    """
    picture = cv2.imread(str(SAMPLES / "meadow_5x5.jpg"))
    path = tmp_path / "12mp.jpg"
    cv2.imwrite(str(path), cv2.resize(picture, (4032, 3024)), [cv2.IMWRITE_JPEG_QUALITY, 92])
    phone.upload(SAMPLES / "plus.jpg")
    tries: list[tuple[float, float]] = []
    while len(tries) < PHOTO_TRIES and min(map(min, tries), default=9.0) >= MOST_PHOTO_S:
        start, cores = time.monotonic(), cores_s()
        phone.upload(path)
        tries.append((time.monotonic() - start, cores_s() - cores))
    said = ", ".join(f"{seconds:.2f} s ({cores:.2f} s of cores)" for seconds, cores in tries)
    print(f"12 MP from choosing to total: {said}")
    assert min(map(min, tries)) < MOST_PHOTO_S
