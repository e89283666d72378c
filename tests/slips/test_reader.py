"""Slips in photos: rendered from many sides, and clear or said to be unclear."""

from collections import Counter

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.arrays import Image
from kdvision.photo.photo import open_photo
from kdvision.rules.dominoes import standard_deck
from kdvision.rules.scoring import MOST_SIDE
from kdvision.slips import layout
from kdvision.slips.codes import find_codes
from kdvision.slips.reader import LIMITS, MOST_TOTAL, Bubble, judged, read_slips
from kdvision.slips.slip import Slip, SlipCode
from kdvision.vision.geometry import project
from scripts.synthesis.slip_photos import slip_photo
from scripts.synthesis.slips import PX_PER_MM, MarkedSlip, Page, draw_slip, random_slip

CODE = SlipCode("7GQ2X", 3, 12, 47)
BONUS = "harmony"


def scan(slip: MarkedSlip, *, px_per_mm: float = 6.0, border: int = 40) -> Image:
    """A slip as from above on a gray table."""
    drawn = draw_slip(slip, np.random.default_rng(1))
    factor = px_per_mm / PX_PER_MM
    small = cv2.resize(drawn, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    frame = [border] * 4
    return np.asarray(
        cv2.copyMakeBorder(small, *frame, cv2.BORDER_CONSTANT, value=(120, 110, 90)), np.uint8
    )


def read(picture: Image) -> tuple[Slip, ...]:
    photo = open_photo(picture, name="table")
    return read_slips(photo, max(picture.shape[:2]))


def one(picture: Image) -> Slip:
    (slip,) = read(picture)
    return slip


@pytest.mark.parametrize("total", [0, 7, 47, 103, 258])
@pytest.mark.parametrize("style", ["filled", "scribbled", "tick", "cross"])
def test_a_total_is_read(total: int, style: str) -> None:
    slip = one(scan(MarkedSlip(CODE, total, (BONUS,), style=style)))
    assert (slip.code, slip.claimed, slip.bonuses, slip.unclear) == (CODE, total, (BONUS,), "")
    assert slip.probability >= LIMITS.least
    digits = {mark.place: mark.digit for mark in slip.marks if mark.place in layout.PLACES}
    assert digits == dict(zip(layout.PLACES, map(int, f"{total:03}"), strict=True))


@pytest.mark.parametrize("pen", ["pencil", "red pen", "black felt", "green felt", "ballpoint"])
def test_any_pen_will_do(pen: str) -> None:
    assert one(scan(MarkedSlip(CODE, 86, pen=pen, style="tick"))).claimed == 86


@pytest.mark.parametrize("turn", [None, cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180])
def test_corners_and_marks_lie_where_they_are(turn: int | None) -> None:
    picture = scan(MarkedSlip(CODE, 47), border=40)
    height, width = picture.shape[:2]
    shown = picture if turn is None else np.asarray(cv2.rotate(picture, turn), np.uint8)
    slip = one(shown)

    def moved(point: tuple[float, float]) -> tuple[float, float]:
        x, y = point
        if turn == cv2.ROTATE_180:
            return width - x, height - y
        return (x, y) if turn is None else (height - y, x)

    corners = [moved((40 + 6 * x, 40 + 6 * y)) for x, y in layout.SLIP_CORNERS]
    assert np.abs(np.array(slip.corners) - corners).max() < 2
    assert slip.code_px == pytest.approx(6 * layout.CODE_SIDE, rel=0.02)
    for mark in slip.marks:
        x, y = layout.BUBBLES[mark.place, mark.digit]
        at = moved((40 + 6 * x, 40 + 6 * y))
        assert np.hypot(*np.subtract(mark.center, at)) < 4


@pytest.mark.parametrize(
    ("fault", "reason"),
    [("blank", "slip.blank"), ("two", "slip.two-marks"), ("erased", "slip.")],
)
@pytest.mark.parametrize("place", layout.PLACES)
def test_what_no_one_can_tell_is_unclear(fault: str, reason: str, place: str) -> None:
    slip = one(scan(MarkedSlip(CODE, 47, fault=fault, fault_place=place)))
    assert slip.claimed is None
    assert slip.unclear.startswith(reason)
    assert slip.place == place
    assert slip.code == CODE


def test_a_corrected_mark_is_read_or_unclear() -> None:
    for seed in range(6):
        drawn = draw_slip(
            MarkedSlip(CODE, 47, fault="corrected", fault_place="tens"), np.random.default_rng(seed)
        )
        small = cv2.resize(drawn, None, fx=0.45, fy=0.45, interpolation=cv2.INTER_AREA)
        framed = cv2.copyMakeBorder(small, *[40] * 4, cv2.BORDER_CONSTANT, value=(60, 60, 60))
        assert one(np.asarray(framed, np.uint8)).claimed in (47, None)


def test_a_slip_that_is_cut_off_says_so() -> None:
    picture = scan(MarkedSlip(CODE, 47))
    cut = np.ascontiguousarray(picture[:, : picture.shape[1] - 40 - 30])
    slip = one(cut)
    assert (slip.code, slip.claimed, slip.unclear) == (CODE, None, "slip.cut-off")


def test_a_covered_corner_is_enough_to_doubt() -> None:
    picture = scan(MarkedSlip(CODE, 47))
    for x, y in layout.CORNER_MARKS[1:3]:
        at = (round(40 + 6 * x), round(40 + 6 * y))
        cv2.circle(picture, at, 40, (200, 160, 120), -1)
    assert one(picture).unclear == "slip.cut-off"


def test_a_blurred_slip_and_one_under_glare_are_unclear() -> None:
    picture = scan(MarkedSlip(CODE, 47, style="tick"))
    blurred = cv2.GaussianBlur(picture, (0, 0), 6.5)
    assert all(slip.claimed is None for slip in read(np.asarray(blurred, np.uint8)))
    glare = picture.copy()
    x, y = layout.BUBBLES["tens", 5]
    cv2.circle(glare, (round(40 + 6 * x), round(40 + 6 * y)), 60, (255, 255, 255), -1)
    slip = one(glare)
    assert (slip.claimed, slip.unclear) == (None, "slip.blurred")


def test_a_slip_below_the_measured_size_is_not_measured() -> None:
    small = LIMITS.px_per_mm * 0.9
    slips = read(scan(MarkedSlip(CODE, 47), px_per_mm=small))
    assert [slip.unclear for slip in slips] == ["slip.too-small"]
    large = read(scan(MarkedSlip(CODE, 47), px_per_mm=LIMITS.px_per_mm * 1.5))
    assert [slip.claimed for slip in large] == [47]


@pytest.mark.parametrize("above", [30, 45, 70])
def test_a_slanted_slip_is_read(above: float) -> None:
    read_right = 0
    for seed in range(4):
        slip = MarkedSlip(CODE, 138, style="filled", pen="black felt")
        photo = slip_photo(np.random.default_rng(seed), slip, code_px=190, above=above)
        found = read(photo.image)
        assert {one.code for one in found} <= {CODE}
        assert {one.claimed for one in found} <= {138, None}
        read_right += [one.claimed for one in found] == [138]
        for one_slip in found:
            true = project(photo.to_photo, np.array(layout.SLIP_CORNERS))
            assert np.abs(np.array(one_slip.corners) - true).max() < 0.15 * photo.code_px
    assert read_right >= 3


def test_several_slips_are_read_and_other_codes_are_none() -> None:
    codes = [SlipCode("7GQ2X", 1, 2, player) for player in (5, 9, 300)]
    rows = [scan(MarkedSlip(code, 10 * n)) for n, code in enumerate(codes, start=1)]
    slips = read(np.vstack(rows))
    assert {slip.code: slip.claimed for slip in slips} == dict(
        zip(codes, (10, 20, 30), strict=True)
    )
    gray = np.asarray(cv2.cvtColor(rows[0], cv2.COLOR_RGB2GRAY), np.uint8)
    assert find_codes(gray)[1] is False
    other = cv2.QRCodeEncoder.create().encode("https://example.org")
    other = cv2.resize(other, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    assert find_codes(np.asarray(other, np.uint8)) == ([], False)


def test_one_slip_on_two_papers_is_unclear_on_both() -> None:
    """A player who filled a second print: either could be meant."""
    other = SlipCode("7GQ2X", 3, 12, 48)
    rows = [scan(MarkedSlip(code, n)) for code, n in ((CODE, 10), (other, 20), (CODE, 30))]
    slips = sorted(read(np.vstack(rows)), key=lambda slip: slip.corners)
    assert sorted((slip.code.player, slip.claimed, slip.unclear) for slip in slips) == [
        (47, None, "slip.two-papers"),
        (47, None, "slip.two-papers"),
        (48, 20, ""),
    ]
    assert len({slip.corners for slip in slips}) == 3


def test_a_code_that_is_small_in_the_reduced_picture_is_measured_in_the_whole_photo() -> None:
    picture = np.full((2400, 3200, 3), (130, 120, 100), np.uint8)
    slip = scan(MarkedSlip(CODE, 47), px_per_mm=7.4, border=0)
    picture[300 : 300 + slip.shape[0], 500 : 500 + slip.shape[1]] = slip
    photo = open_photo(picture, name="table")
    assert [one.claimed for one in read_slips(photo, 800)] == [47]


def bubbles(**marked: float) -> list[Bubble]:
    """Bubbles as dark as given, by place and digit as in `tens4`."""
    return [
        Bubble(value, 0.8, at)
        for (place, digit), at in layout.BUBBLES.items()
        for value in (marked.get(f"{place}{digit}", 0.01),)
    ]


def judge_bubbles(measured: list[Bubble]) -> Slip:
    return judged(Slip(code=CODE, corners=(), code_px=200.0), measured)


CLEAR = {"hundreds0": 0.5, "tens4": 0.5, "units7": 0.5}


def dark(share: float) -> float:
    """How dark a bubble is that is so dark as a share of the marks of `CLEAR`."""
    return 0.01 + share * (0.5 - 0.01)


def test_darkness_decides_on_both_sides() -> None:
    assert judge_bubbles(bubbles(**CLEAR)).claimed == 47
    least = LIMITS.middle + 4 / LIMITS.slope
    for share, claimed in ((least, 47), (LIMITS.middle + 1 / LIMITS.slope, None)):
        assert judge_bubbles(bubbles(**CLEAR | {"tens4": dark(share)})).claimed == claimed
    most = LIMITS.middle - 4 / LIMITS.slope
    for share, claimed in ((most, 47), (LIMITS.middle - 1 / LIMITS.slope, None)):
        assert judge_bubbles(bubbles(**CLEAR, tens9=dark(share))).claimed == claimed


def test_the_marks_of_a_person_may_be_as_faint_as_is_measured() -> None:
    ring = 0.8
    for faintness, claimed in ((1.1, 47), (0.75, None)):
        faint = dict.fromkeys(CLEAR, 0.01 + faintness * LIMITS.dark * ring)
        assert judge_bubbles(bubbles(**faint)).claimed == claimed


def test_what_glare_takes_from_rings_and_mark_alike_is_no_doubt() -> None:
    lit = []
    for (place, _), bubble in zip(layout.BUBBLES, bubbles(**CLEAR), strict=True):
        share = 0.4 if place == "units" else 1.0
        values = (share * value for value in (bubble.dark, bubble.ring))
        lit.append(Bubble(*values, bubble.center))
    assert judge_bubbles(lit).claimed == 47


def test_marks_of_bonuses_that_darken_their_own_rings_are_marks() -> None:
    marked = bubbles(**CLEAR, harmony1=0.5, middle_kingdom1=0.5)
    marked[-2:] = [Bubble(one.dark, 1.6, one.center) for one in marked[-2:]]
    judged = judge_bubbles(marked)
    assert (judged.claimed, judged.bonuses) == (47, ("harmony", "middle_kingdom"))


def test_a_stroke_that_leads_on_is_no_mark() -> None:
    for share, claimed in ((LIMITS.stroke - 0.05, 47), (LIMITS.stroke + 0.05, None)):
        lined = bubbles(**CLEAR)
        index = list(layout.BUBBLES).index(("tens", 4))
        lined[index] = replace(lined[index], stroke=share * lined[index].dark)
        judged = judge_bubbles(lined)
        assert judged.claimed == claimed
        assert (judged.unclear, judged.place) == (
            ("slip.faint", "tens") if not claimed else ("", "")
        )


@pytest.mark.parametrize("turn", range(0, 180, 15))
def test_a_line_across_an_empty_column_is_no_claim(turn: int) -> None:
    """Through the middle of a bubble, or ending in it; before, some were read as its mark."""
    rng = np.random.default_rng(turn)
    along = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
    for pen, back in (("black felt", 20.0), ("ballpoint", 1.0), ("green felt", 6.0)):
        page = Page(rng)
        page.printed(CODE)
        for at in (("hundreds", 0), ("tens", 4)):
            page.mark(layout.BUBBLES[at], pen, "tick")
        middle = np.array(layout.BUBBLES["units", 5])
        page.stroke(np.array([middle - back * along, middle + 20 * along]), pen)
        drawn = np.clip(page.picture, 0, 255).astype(np.uint8)
        small = cv2.resize(drawn, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
        framed = cv2.copyMakeBorder(small, *[40] * 4, cv2.BORDER_CONSTANT, value=(120, 110, 90))
        slip = one(np.asarray(framed, np.uint8))
        assert (slip.code, slip.claimed) == (CODE, None)


def test_a_total_that_no_kingdom_has_is_unclear() -> None:
    kinds = standard_deck().square_counts
    squares: Counter[str] = Counter()
    crowns: Counter[str] = Counter()
    for kind, count in kinds.items():
        squares[kind.terrain] += count
        crowns[kind.terrain] += count * kind.crowns
    left, most = MOST_SIDE**2 - 1, 5 + 10  # Harmony and Middle Kingdom
    for terrain, number in crowns.most_common():
        laid = min(left, squares[terrain])
        most, left = most + laid * number, left - laid
    assert most == MOST_TOTAL
    for digits, claimed in (("327", 327), ("328", None), ("400", None)):
        marked = {
            f"{place}{digit}": 0.5 for place, digit in zip(layout.PLACES, digits, strict=True)
        }
        judged = judge_bubbles(bubbles(**marked))
        assert judged.claimed == claimed
        assert judged.place == ("" if claimed else "hundreds")


def test_the_reason_names_the_column() -> None:
    blank = judge_bubbles(bubbles(hundreds0=0.5, tens4=0.5))
    assert (blank.unclear, blank.place) == ("slip.blank", "units")
    both = judge_bubbles(bubbles(**CLEAR, tens9=0.5))
    assert (both.unclear, both.place) == ("slip.two-marks", "tens")
    faint = judge_bubbles(bubbles(**CLEAR | {"hundreds0": dark(LIMITS.middle)}))
    assert (faint.unclear, faint.place) == ("slip.faint", "hundreds")
    assert both.probability < LIMITS.least


def test_a_bonus_is_marked_or_not_or_makes_the_slip_unclear() -> None:
    assert judge_bubbles(bubbles(**CLEAR, harmony1=0.6)).bonuses == ("harmony",)
    assert judge_bubbles(bubbles(**CLEAR)).bonuses == ()
    unclear = judge_bubbles(bubbles(**CLEAR, middle_kingdom1=dark(LIMITS.middle)))
    assert (unclear.claimed, unclear.place) == (None, "middle_kingdom")


def test_a_ring_that_is_not_seen_makes_the_slip_unclear() -> None:
    for contrast, claimed in ((LIMITS.contrast + 0.01, 47), (LIMITS.contrast - 0.01, None)):
        last = bubbles(**CLEAR)
        last[5] = Bubble(0.01, contrast, last[5].center)
        assert judge_bubbles(last).claimed == claimed


def test_what_is_dark_everywhere_is_not_marked() -> None:
    gray = [Bubble(b.dark + 0.1, b.ring, b.center) for b in bubbles(**CLEAR)]
    assert judge_bubbles(gray).claimed == 47


@pytest.mark.parametrize("seed", [6, 30, 214])
def test_a_slanted_slip_has_its_far_corner_found(seed: int) -> None:
    """Where the code alone puts the far corner mark is off by several millimetres."""
    rng = np.random.default_rng([11, seed])
    slip = random_slip(rng, CODE)
    px, above = float(np.exp(rng.uniform(*np.log((66, 220))))), float(rng.uniform(30, 90))
    photo = slip_photo(rng, slip, code_px=px, above=above)
    assert one(photo.image).claimed == slip.total
