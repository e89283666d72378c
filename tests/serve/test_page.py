"""An evening on the page in a real browser: photos, corrections, games, the ranking."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from kdvision.errors import NoKingdomError
from kdvision.options import GameOptions
from kdvision.pipeline.scorer import Scorer
from kdvision.report.json import to_object
from kdvision.report.wording import doubtful_cells
from kdvision.result import Status
from kdvision.rules.kingdom import Position, position_name
from kdvision.serve.squares import faces_of
from tests.support.night import Night
from tests.support.paths import SAMPLES
from tests.support.table_of_two import table_of_two

NAMES = sorted(path.name for path in SAMPLES.glob("*.jpg"))


def smudged(scorer: Scorer, at: Position, share: float, path: Path) -> Path:
    """The plus with a thumb on one of its squares: so much of a square of blur."""
    kingdom = scorer.score(SAMPLES / "plus.jpg").kingdoms[0]
    (x, y) = next(one.center or (0, 0) for one in kingdom.squares if one.at == at)
    (left, right), width = np.array(kingdom.corners)[:2], kingdom.kingdom.width
    side = float(np.linalg.norm(right - left)) / width
    picture = cv2.imread(str(SAMPLES / "plus.jpg"))
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.circle(mask, (int(x), int(y)), int(side / 2), 1, -1)
    soft = cv2.GaussianBlur(picture, (0, 0), side * share)
    cv2.imwrite(str(path), np.where(mask[:, :, None] > 0, soft, picture))
    return path


def doubtful_photo(scorer: Scorer, path: Path) -> tuple[str, str]:
    """Write the plus so that its total hangs on one square; its place and what truly lies there.

    How much blur that takes, and where, hangs on the models.
    """
    for share in (0.1, 0.08, 0.12, 0.15, 0.2):
        for at, face in {(0, 2): "G2", (2, 3): "S2", (3, 2): "M2"}.items():
            found = scorer.score(smudged(scorer, at, share, path))
            name = position_name(at)
            if doubtful_cells(found.kingdoms[0]) != {at}:
                continue
            likely = faces_of(to_object(found), GameOptions(), name)["likely"]
            if face in likely and expected(scorer, path, {name: face}) == ["9"]:
                return name, face
    raise AssertionError("no smudge makes the plus doubtful")


def expected(scorer: Scorer, path: Path, fixes: dict[str, str], **options: object) -> list[str]:
    """The totals of a photo as the command line has them, with ? where they are doubtful."""
    found = scorer.score(path, GameOptions(**options), fixes=fixes)  # type: ignore[arg-type]
    return [
        f"{one.score}{'' if one.status is Status.SURE else '?'}" if one.scored else "–"
        for one in found.kingdoms
    ]


def test_a_whole_evening(night: Night, scorer: Scorer, tmp_path: Path) -> None:
    """Upload, settle, correct, add a column, undo, name players, second game, rank, export."""
    photo = tmp_path / "plus.jpg"
    place, truth = doubtful_photo(scorer, photo)
    fixes: dict[str, str] = {}
    assert night.upload(photo) == expected(scorer, photo, fixes)
    (doubtful,) = night.run(
        "return [...document.querySelectorAll('.doubt')].map(one => one.dataset.place)"
    )
    assert doubtful == f"A.{place}" and f"Look at {place}" in night.status()
    settled = f"A.{place}", truth, "likely"
    steps = [(*settled, "9"), ("A.b3", "M2", "faces", "8")]
    for square, face, among, total in steps:
        night.settle(square, face, among)
        fixes[square] = face
        assert night.totals() == expected(scorer, photo, fixes) == [total]
    # A column on the left: room for five squares, of which a domino fills two.
    assert night.grow("A", "left") == 5
    for square, face in (("A.z3", "W"), ("A.z4", "F")):
        night.settle(square, face)
        fixes[square] = face
        assert night.totals() == expected(scorer, photo, fixes)
    assert {"A.z3", "A.a3", "A.b3"} <= set(night.places())
    while fixes:
        assert not night.run("return document.getElementById('undo').disabled")
        night.changes(lambda: night.tap("#undo"))
        fixes.popitem()
        assert night.totals() == expected(scorer, photo, fixes)
    assert night.run("return document.getElementById('undo').disabled")
    night.settle(*settled)
    night.name_players("<script>alert(1)</script>")
    night.tap("#keep")
    night.until_said("Game 1 is kept.")
    totals = night.upload(table_of_two())
    night.name_players("<script>alert(1)</script>", "Ben")
    night.tap("#keep")
    night.until_said("Game 2 is kept.")
    assert night.ranking() == [
        ["1", "<script>alert(1)</script>", str(9 + int(totals[0]))], ["2", "Ben", totals[1]],
    ]  # fmt: skip
    exported = night.browser.run_async(
        "fetch(document.querySelector('a[href$=csv]').href).then(one => one.text()).then(done)"
    )
    rows = list(csv.DictReader(io.StringIO(exported)))
    assert [(one["game"], one["player"], one["score"]) for one in rows] == [
        ("1", "<script>alert(1)</script>", "9"),
        ("2", "<script>alert(1)</script>", totals[0]),
        ("2", "Ben", totals[1]),
    ]


def test_a_game_that_is_kept_again_takes_the_place_of_the_first(night: Night) -> None:
    night.upload(SAMPLES / "plus.jpg")
    night.tap("#keep")
    night.until_said("Write at least one player's name.")
    night.name_players("Ada")
    night.tap("#keep")
    night.until_said("Game 1 is kept.")
    night.settle("A.c1", "G1")
    assert night.run("return document.getElementById('keep').textContent") == "Update game 1"
    night.tap("#keep")
    last = "document.querySelector('#ranking td:last-child').textContent"
    night.browser.until(f"return {last} === '8'")
    assert night.ranking() == [["1", "Ada", "8"]]
    assert len(night.games()) == 1
    night.tap("#games button")
    night.browser.until("return document.getElementById('evening').hidden")


@pytest.mark.parametrize(
    ("size", "side"), [("phone", "top"), ("phone", "left"), ("desk", "right"), ("desk", "bottom")]
)
def test_squares_are_added_on_every_side(
    open_night: Callable[[str], Night], scorer: Scorer, size: str, side: str
) -> None:
    night = open_night(size)
    photo = SAMPLES / "first_domino.jpg"
    night.upload(photo)
    places = {"top": ("a0", "b0"), "left": ("z1", "y1"), "right": ("d1", "e1"),
              "bottom": ("a2", "b2")}[side]  # fmt: skip
    night.grow("A", side)
    if side in ("left", "right"):
        night.grow("A", side)
    fixes = dict(zip([f"A.{place}" for place in places], ("F", "F1"), strict=True))
    for place, face in fixes.items():
        night.settle(place, face)
    assert night.totals() == expected(scorer, photo, fixes)


def test_all_samples_have_the_totals_of_the_command_line(night: Night, scorer: Scorer) -> None:
    for name in NAMES:
        try:
            totals = expected(scorer, SAMPLES / name, {})
        except NoKingdomError:
            continue
        assert night.upload(SAMPLES / name) == totals, name


def test_the_box_cannot_hold_it_and_says_why(night: Night, scorer: Scorer) -> None:
    night.upload(SAMPLES / "plus.jpg")
    night.open_square("A.c1")
    assert night.run("return document.querySelector('#likely .face').dataset.face") == "G2"
    greyed = '#faces [data-face="M3"]'
    assert night.run("return document.querySelector(arguments[0]).ariaDisabled", greyed) == "true"
    night.tap(greyed)
    reason = night.run("return document.getElementById('reason').firstChild.textContent")
    assert reason == "mine, 3 crowns: the box has 1, and all of them lie elsewhere (b3)."
    assert night.run("return document.getElementById('square').open")
    night.changes(lambda: night.tap("#reason button"))
    assert night.totals() == expected(scorer, SAMPLES / "plus.jpg", {"A.c1": "M3"})
    assert night.totals()[0].endswith("?")


def test_rules_change_the_photo_that_is_shown_and_are_remembered(
    night: Night, scorer: Scorer
) -> None:
    photo = SAMPLES / "lamp_castle_5x5.jpg"
    plain = night.upload(photo)
    for rule, words in (("harmony", {"harmony": True}),
                        ("middle", {"harmony": True, "middle_kingdom": True})):  # fmt: skip
        night.changes(lambda rule=rule: night.tap(f"#{rule}"))
        assert night.totals() == expected(scorer, photo, {}, **words)
    assert night.totals() == [str(int(plain[0]) + 15)]
    night.changes(lambda: night.tap("#harmony"))
    assert night.totals() == [str(int(plain[0]) + 10)]
    night.load()
    assert night.totals() == [str(int(plain[0]) + 10)]
    switched = "return ['harmony', 'middle'].map(id => document.getElementById(id).checked)"
    assert night.run(switched) == [False, True]
    other = SAMPLES / "meadow_5x5.jpg"
    assert night.upload(other) == expected(scorer, other, {}, middle_kingdom=True)


def test_a_territory_lights_up(night: Night) -> None:
    night.upload(SAMPLES / "meadow_5x5.jpg")
    for lit, said in ((11, "grassland: 11 squares × 6 crowns = 66"), (0, None)):
        night.tap("#kingdoms li button")
        assert night.run("return document.querySelectorAll('.cell.lit').length") == lit
        assert said is None or night.status() == said
    assert "lake: 1 square × 0 crowns = 0" in night.run(
        "return document.getElementById('kingdoms').textContent"
    )


@pytest.mark.parametrize(("name", "count"), [("three_kingdoms.jpg", 3), ("four_kingdoms.jpg", 4)])
def test_tables_of_several_kingdoms(night: Night, scorer: Scorer, name: str, count: int) -> None:
    totals = night.upload(SAMPLES / name)
    assert len(totals) == count
    shown = night.run("return [...document.querySelectorAll('.total')].map(one => one.textContent)")
    best = max(totals, key=lambda total: int(total.rstrip("?")))
    assert [one for one in shown if one.startswith("♛")] == [
        f"♛ {letter} {total}" for letter, total in zip("ABCD", totals, strict=False)
        if total == best
    ]  # fmt: skip
    assert night.run("return document.querySelectorAll('#kingdoms .leads').length") == 1
    # Every square can be tapped, also where the "+" of another kingdom is near.
    for place in night.places():
        night.tap(f'[data-place="{place}"]')
        night.run("document.getElementById('square').close()")
    fixes = {"B.a1": "F", "A.z1": "W"}
    night.grow("A", "left")
    for place, face in fixes.items():
        night.settle(place, face)
    assert night.totals() == expected(scorer, SAMPLES / name, fixes)


def test_what_cannot_be_scored_says_why(open_night: Callable[[str], Night], tmp_path: Path) -> None:
    night = open_night("phone")
    (tmp_path / "notes.txt").write_text("no photo")
    (tmp_path / "60 MB.jpg").write_bytes(b"\xff\xd8" + bytes(60_000_000))
    (tmp_path / "70 MB.jpg").write_bytes(b"\xff\xd8" + bytes(70_000_000))
    made = [tmp_path / name for name in ("notes.txt", "60 MB.jpg", "70 MB.jpg")]
    for path in (SAMPLES / "not_a_kingdom.jpg", *made):
        night.run("document.getElementById('status').textContent = ''")
        night.browser.give_file("#file", path)
        assert len(night.until_said("It did not work")) > 30
    assert any("422" in one or "413" in one for one in night.browser.console())


@pytest.mark.parametrize(("size", "shares"), [("phone", True), ("desk", False)])
def test_the_picture_to_share(open_night: Callable[[str], Night], size: str, shares: bool) -> None:
    night = open_night(size)
    night.upload(SAMPLES / "two_kingdoms.jpg")
    night.name_players("Ada")
    night.run(
        "window.given = [];"
        "navigator.canShare = () => arguments[0];"
        "navigator.share = async ({files}) => { window.given.push(files[0]) };"
        "HTMLAnchorElement.prototype.click = function () { window.given.push(this) }",
        shares,
    )
    night.tap("#share")
    night.browser.until("return window.given.length")
    if shares:
        assert night.run("return [window.given[0].name, window.given[0].type]") == [
            "kingdoms.png", "image/png",
        ]  # fmt: skip
        assert night.run("return window.given[0].size") > 100_000
    else:
        assert night.run("return window.given[0].download") == "kingdoms.png"
        night.until_said("The picture is saved.")
