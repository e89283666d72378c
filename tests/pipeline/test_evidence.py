"""Kingdoms that several photos show: laid on each other, multiplied, and told apart."""

from collections.abc import Sequence
from itertools import permutations

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from kdvision import from_json, score_together, to_json
from kdvision.errors import NoKingdomError, UsageError
from kdvision.options import GameOptions
from kdvision.photo.photo import open_photo
from kdvision.pipeline.evidence import (
    KingdomEvidence,
    PhotoEvidence,
    evidence_of,
    laid_on,
    merged,
)
from kdvision.pipeline.matching import PhotoTable, readings_of, tables_of, with_growth
from kdvision.pipeline.reader import Sight
from kdvision.pipeline.scorer import Scorer
from kdvision.pipeline.settings import PIPELINE
from kdvision.pipeline.trust import Curve, Trust
from kdvision.reading import Doubt, DoubtCode, Place, Reading, Sign
from kdvision.result import KingdomResult, Status
from kdvision.rules.kingdom import Kingdom
from kdvision.vision.geometry import project
from tests.support.grids import grid_of, kingdom_results
from tests.support.paths import SAMPLES
from tests.support.played import DATA
from tests.support.readings import at, padded, place_of, reading_of

#: A ring of table around a kingdom of nine squares.
LINE = "- - - - -/- W G1 G -/- W C S2 -/- L L F -/- - - - -"
BARE = "W G1 G/W C S2/L L F"
#: What a place shows of which nothing can be seen.
NOTHING = {"-": 0.5, "F": 0.3}
SIZE = (2000, 2000)
TRUST = Trust(None, {DoubtCode.BLURRED: Curve((0.0, 1.0), (0.0, 10.0))})


def evidence(reading: Reading, photo: str = "a.jpg") -> PhotoEvidence:
    return evidence_of(photo, SIZE, (grid_of(reading), reading), TRUST)


def turned(reading: Reading, quarters: int) -> Reading:
    """The reading of the same kingdom from another side."""
    places = np.array(reading.places, object)
    rows = np.rot90(np.arange(places.size).reshape(places.shape), -quarters)
    flat = [place for row in reading.places for place in row]
    return Reading(
        tuple(tuple(flat[index] for index in row) for row in rows.tolist()),
        doubts=reading.doubts,
        signs=reading.signs,
    )


def together(*readings: Reading) -> KingdomResult:
    """What several photos of one kingdom, a.jpg, b.jpg and so on, come to."""
    known = KingdomEvidence((evidence(readings[0]),))
    for letter, reading in zip("bcd", readings[1:], strict=False):
        overlay = laid_on(known, evidence(reading, f"{letter}.jpg"))
        assert overlay is not None and overlay.is_same
        known = known.with_photo(overlay)
    ((result,),) = [kingdom_results("a.jpg", [merged(known)], GameOptions(), trust=TRUST)]
    return result


def shown_by(result: KingdomResult) -> dict[tuple[int, int], str]:
    return {square.at: square.photo for square in result.squares}


# ---------------------------------------------------------------------- laying on each other


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("ring", [0, 2])
def test_a_kingdom_is_found_again_from_any_side_and_with_any_window(
    quarters: int, ring: int
) -> None:
    other = padded(turned(reading_of(LINE), quarters), ring, ring)
    overlay = laid_on(KingdomEvidence((evidence(reading_of(LINE)),)), evidence(other))
    assert overlay is not None and overlay.is_same
    assert len(overlay.agreeing) == 9
    assert overlay.evidence.corner == (-ring, -ring)


def test_two_photos_from_one_direction_are_joined_by_a_third_that_shows_more_of_the_table() -> None:
    reading = reading_of(BARE)
    result = together(reading, reading, padded(turned(reading, 1), 2, 3))
    assert (str(result.kingdom), result.status) == (BARE, Status.SURE)


@pytest.mark.parametrize(
    ("line", "like"),
    [
        (LINE, True),
        ("- - - - -/- W G1 G -/- W C S2 -/- L L F -/- F F - -", True),  # a domino more
        ("- - - - -/- F M3 W -/- G C W1 -/- S S1 W -/- - - - -", False),
        ("- - - - -/- - - - -/- W C F1 -/- - - - -/- - - - -", False),
    ],
)
def test_what_was_changed_is_alike_and_another_kingdom_is_not(line: str, like: bool) -> None:
    known = KingdomEvidence((evidence(reading_of(LINE)),))
    overlay = laid_on(known, evidence(reading_of(line)))
    assert (overlay is not None and overlay.is_like) is like
    assert (overlay is not None and overlay.is_same) is (line == LINE)


def test_a_square_that_was_misread_is_named_and_the_kingdom_stays_the_same() -> None:
    other = reading_of(LINE.replace("S2", "S1"))
    result = together(reading_of(LINE), other)
    assert result.status is Status.DOUBTFUL
    differ = next(one for one in result.warnings if one.code is DoubtCode.PHOTOS_DIFFER)
    assert differ.fields["photos"] == "a.jpg / b.jpg"
    totals = {result.score, *(one.score for one in result.alternatives)}
    assert totals >= {kingdom_total(LINE), kingdom_total(LINE.replace("S2", "S1"))}


def kingdom_total(line: str) -> int:
    return GameOptions().score(Kingdom.parse(line).trimmed()).total


@pytest.mark.parametrize(("wrong", "same"), [(1, True), (2, False)])
def test_how_many_squares_may_be_misread(wrong: int, same: bool) -> None:
    """One of the eight that agree is the most that `misread_share` allows."""
    line = LINE.replace("S2", "S1") if wrong == 1 else LINE.replace("S2", "S1").replace("G1", "G2")
    overlay = laid_on(KingdomEvidence((evidence(reading_of(LINE)),)), evidence(reading_of(line)))
    assert overlay is not None and len(overlay.differing) == wrong
    assert overlay.is_same is same
    assert (wrong <= PIPELINE.misread_share * len(overlay.agreeing)) is same


@pytest.mark.parametrize(("overlap", "like"), [(4, True), (3, False)])
def test_how_many_squares_must_agree(overlap: int, like: bool) -> None:
    """At least half of the smaller one; what lies beyond a window was not seen."""
    first, more = ["W", "G1", "G", "S2", "L", "F", "C", "W1"], ["M1", "M3", "S1", "F1", "M2"]
    second = first[-overlap:] + more[: 8 - overlap]
    known = KingdomEvidence((evidence(reading_of(" ".join(first))),))
    overlay = laid_on(known, evidence(reading_of(" ".join(second))))
    assert overlay is not None
    assert (len(overlay.agreeing), overlay.clear) == (overlap, 8)
    assert overlay.is_like is like


def test_two_sides_of_a_symmetric_kingdom_that_differ_where_it_is_unclear_are_not_told() -> None:
    line = "- - - - -/- F C F -/- - - - -"
    unclear = reading_of(line, {"b2": {"F": 0.6, "F1": 0.399}})
    assert laid_on(KingdomEvidence((evidence(unclear),)), evidence(unclear)) is None
    clear = evidence(reading_of(line))
    assert laid_on(KingdomEvidence((clear,)), clear) is not None


# ---------------------------------------------------------------------- as a kingdom grows

#: Two dominoes of `LINE` were not laid yet.
FEWER = "- - - - -/- W G1 G -/- - C S2 -/- - - - -/- - - - -"


def grown(first: Reading, *others: Reading) -> KingdomResult:
    """A photo of a kingdom with what others of other moments tell of it."""
    tables = [
        PhotoTable((KingdomEvidence((evidence(reading, name),)),), (name,))
        for name, reading in zip("abc", (first, *others), strict=False)
    ]
    table = with_growth(tables)
    seen = [merged(one) for one in table.kingdoms]
    return kingdom_results("a.jpg", seen, GameOptions(), trust=TRUST)[0]


@pytest.mark.parametrize("quarters", range(4))
def test_a_later_photo_tells_which_square_lies_on_a_place(quarters: int) -> None:
    unsure = reading_of(FEWER, {"c2": {"G1": 0.5, "G": 0.49}})
    (alone,) = kingdom_results("a", [(grid_of(unsure), unsure)], GameOptions())
    assert alone.status is Status.DOUBTFUL
    result = grown(unsure, turned(reading_of(LINE), quarters))
    assert str(result.kingdom) == str(Kingdom.parse(FEWER).trimmed())
    assert (result.status, shown_by(result)[0, 1]) == (Status.SURE, "b")


def test_an_earlier_photo_tells_it_too_and_its_empty_places_say_nothing() -> None:
    unsure = reading_of(LINE, {"c2": {"G1": 0.5, "G": 0.49}, "d4": {"F": 0.5, "F1": 0.49}})
    result = grown(unsure, reading_of(FEWER))
    certainty = {one.at: one.probability for one in result.squares}
    assert (str(result.kingdom), result.status) == (BARE, Status.DOUBTFUL)
    assert certainty[0, 1] > 0.99
    assert certainty[2, 2] < 0.6
    assert shown_by(result)[2, 2] == "a"


def test_a_later_photo_does_not_tell_whether_a_square_lay_there_yet() -> None:
    open_places = {"b3": {"W": 0.4, "-": 0.59}, "b4": {"L": 0.4, "-": 0.59}}
    unsure = reading_of(FEWER, open_places)
    (alone,) = kingdom_results("a", [(grid_of(unsure), unsure)], GameOptions())
    result = grown(unsure, reading_of(LINE))
    assert str(alone.kingdom) == str(result.kingdom)
    place = (1, 0)
    before, after = (
        {one.at: one.probability for one in told.squares}[place] for told in (alone, result)
    )
    assert 0.6 < after < 0.99
    assert after == pytest.approx(before, abs=0.2)


def test_what_is_empty_later_was_empty() -> None:
    unsure = reading_of(FEWER, {"e2": {"-": 0.6, "L1": 0.39}, "e3": {"-": 0.6, "F": 0.39}})
    (alone,) = kingdom_results("a", [(grid_of(unsure), unsure)], GameOptions())
    assert alone.status is Status.DOUBTFUL
    result = grown(unsure, reading_of(LINE))
    assert str(result.kingdom) == str(Kingdom.parse(FEWER).trimmed())
    assert result.status is Status.SURE


def test_what_a_later_photo_shows_beyond_the_window_was_not_there() -> None:
    wide = "- - - - - -/- W G1 G - -/- W C S2 - -/- L L F W W/- - - - - -"
    result = grown(reading_of(LINE), reading_of(wide))
    assert (str(result.kingdom), result.status) == (BARE, Status.SURE)


def test_a_photo_whose_squares_moved_tells_nothing() -> None:
    """A square is gone that the first photo has, and others are there that it does not have."""
    unsure = reading_of(LINE, {"c2": {"G1": 0.5, "G": 0.49}})
    other = reading_of("- - - - -/- W G1 G -/- W C S2 -/- F F - -/- W W - -")
    assert set(shown_by(grown(unsure, other)).values()) == {"a"}


# ---------------------------------------------------------------------- one reading of all


def test_what_one_photo_hides_another_settles() -> None:
    washed = reading_of(LINE, {"c2": NOTHING, "d2": NOTHING})
    alone = kingdom_results("a.jpg", [(grid_of(washed), washed)], GameOptions())[0]
    assert str(alone.kingdom) != BARE or alone.status is not Status.SURE
    result = together(washed, reading_of(LINE))
    assert (str(result.kingdom), result.status) == (BARE, Status.SURE)
    assert shown_by(result)[0, 1] == shown_by(result)[0, 2] == "b.jpg"
    assert shown_by(result)[2, 0] == "a.jpg"


@pytest.mark.parametrize("quarters", range(4))
def test_two_photos_that_hide_different_squares_complete_each_other(quarters: int) -> None:
    one = reading_of(LINE, {"b2": NOTHING, "b3": NOTHING})
    other = turned(reading_of(LINE, {"c4": NOTHING, "d4": NOTHING}), quarters)
    result = together(one, other)
    assert (str(result.kingdom), result.status) == (BARE, Status.SURE)
    photos = shown_by(result)
    assert {photos[0, 0], photos[1, 0]} == {"b.jpg"}
    assert {photos[2, 1], photos[2, 2]} == {"a.jpg"}


def test_a_place_that_is_hidden_says_nothing() -> None:
    reading = reading_of(LINE)
    hidden = Place(place_of({"L": 0.9}).probabilities, hidden=0.99)
    rows = [list(row) for row in reading.places]
    rows[2][3] = hidden
    covered = Reading(tuple(map(tuple, rows)))
    result = together(covered, reading_of(LINE))
    assert (str(result.kingdom), result.status) == (BARE, Status.SURE)
    assert shown_by(result)[1, 2] == "b.jpg"


@pytest.mark.parametrize(("hidden", "label"), [(0.7, "W"), (0.4, "L")])
def test_what_lies_beside_a_hidden_place_counts_no_more_for_another_photo(
    hidden: float, label: str
) -> None:
    """One photo shows a wheat rather than a lake among lakes; the other does not, or shows a lake.

    A place counts as hidden from a half on.
    """
    line = "W F F/L C L/L W L/L1 L -"
    faint = place_of({"L": 0.5, "W": 0.1})
    rows = [list(row) for row in reading_of(line).places]
    rows[2][1] = Place(faint.probabilities, hidden=hidden)
    known = KingdomEvidence((evidence(reading_of(line, {"b3": {"W": 0.85, "L": 0.14}})),))
    overlay = laid_on(known, evidence(Reading(tuple(map(tuple, rows))), "b.jpg"))
    assert overlay is not None
    _, reading = merged(known.with_photo(overlay))
    assert reading.places[2][1].label == label


def test_nothing_is_seen_beyond_the_border_of_a_photo() -> None:
    """The first photo ends after the second column of squares: what lies there it cannot say."""
    cut = reading_of(LINE.replace("G -/", "- -/").replace("S2 -", "- -").replace("F -/", "- -/"))
    grid = grid_of(cut)
    places = tuple(
        tuple(
            Place(place.probabilities, (col * 100 + 50.0, row * 100 + 50.0))
            for col, place in enumerate(line)
        )
        for row, line in enumerate(cut.places)
    )
    known = evidence_of("a.jpg", (300, 2000), (grid, Reading(places)), TRUST)
    overlay = laid_on(KingdomEvidence((known,)), evidence(reading_of(LINE), "b.jpg"))
    assert overlay is not None and overlay.is_same
    seen = merged(KingdomEvidence((known,)).with_photo(overlay))
    (result,) = kingdom_results("a.jpg", [seen], GameOptions())
    assert str(result.kingdom) == BARE
    assert shown_by(result)[0, 2] == "b.jpg"


def test_the_window_grows_over_what_another_photo_shows_and_keeps_its_pixels() -> None:
    narrow = reading_of("W G1 G/W C S2/L L F")
    wide = reading_of("- - - - - -/- W G1 G - -/- W C S2 - -/- L L F W W/- - - - - -")
    known = KingdomEvidence((evidence(narrow),))
    overlay = laid_on(known, evidence(wide, "b.jpg"))
    assert overlay is not None and overlay.is_same
    grid, reading = merged(known.with_photo(overlay))
    assert (grid.rows, grid.cols) == (reading.height, reading.width) == (5, 6)
    assert project(grid.homography, np.array([[1.0, 1.0]])).tolist() == [[0.0, 0.0]]
    assert reading.places[1][1].center == (50.0, 50.0)
    (result,) = kingdom_results("a.jpg", [(grid, reading)], GameOptions())
    assert str(result.kingdom) == "W G1 G - -/W C S2 - -/L L F W W"


def aside(photo: PhotoEvidence, degrees: float) -> PhotoEvidence:
    """The same evidence, photographed from so many degrees beside the vertical."""
    squares = photo.squares * [np.cos(np.radians(degrees)), 1.0]
    return replace(photo, squares=squares)


def from_directions(degrees: Sequence[float], **unsure: dict[str, float]) -> float:
    """How probable the total is by photos from so many degrees beside the vertical."""
    first, *others = (aside(evidence(reading_of(LINE, unsure)), angle) for angle in degrees)
    known = KingdomEvidence((first,))
    for other in others:
        overlay = laid_on(known, other)
        assert overlay is not None and overlay.is_same
        known = known.with_photo(overlay)
    return kingdom_results("a.jpg", [merged(known)], GameOptions())[0].probability


def test_several_photos_are_no_surer_than_one_can_be() -> None:
    """The same misreading may stand in all of them: the share of such errors is taken off once."""
    most = together(reading_of(LINE, sure=1 - 1e-12)).probability
    assert from_directions([0]) < from_directions([0, 40, 60]) <= most + 1e-9


def test_only_photos_from_other_directions_make_surer() -> None:
    """What one view of a square shows wrong, a copy and the next photo from there show, too."""
    unsure = {"c2": {"G1": 0.9, "G": 0.09}}
    alone = from_directions([0], **unsure)
    assert alone < 0.95
    assert from_directions([0, 0, 5], **unsure) == pytest.approx(alone, abs=0.002)
    two = from_directions([40, 0], **unsure)
    assert from_directions([40, 0, 0, 40], **unsure) == pytest.approx(two, abs=0.002)
    assert two > 0.98


def test_a_clear_view_counts_beside_an_unclear_one_from_the_same_direction() -> None:
    unsure = reading_of(LINE, {"c2": {"G1": 0.6, "G": 0.39}})
    clear = together(reading_of(LINE)).probability
    assert together(unsure, reading_of(LINE)).probability == pytest.approx(clear, abs=0.002)
    differing = reading_of(LINE, {"c2": {"G": 0.6, "G1": 0.39}})
    assert together(unsure, differing).probability < 0.7


def test_one_photo_says_what_it_says_alone() -> None:
    reading = reading_of(LINE, {"d4": {"F": 0.7, "L": 0.299}})
    (plain,) = kingdom_results("a.jpg", [(grid_of(reading), reading)], GameOptions(), trust=TRUST)
    assert together(reading).probability == plain.probability
    assert set(shown_by(together(reading)).values()) == {"a.jpg"}


# ---------------------------------------------------------------------- doubts and signs


def with_sign(value: float, line: str = LINE, **unsure: dict[str, float]) -> Reading:
    reading = reading_of(line, unsure)
    return Reading(reading.places, signs=(Sign(DoubtCode.BLURRED, value),))


def test_the_signs_of_a_photo_cost_trust_where_it_settles_a_place() -> None:
    sharp, blurred = with_sign(0.0), with_sign(0.9)
    assert together(blurred).status is Status.DOUBTFUL
    assert together(blurred, sharp).status is Status.SURE
    hides = with_sign(0.0, c4=NOTHING, d4=NOTHING)
    assert together(blurred, hides).status is Status.DOUBTFUL
    assert together(hides, blurred).status is Status.DOUBTFUL


def test_a_doubt_about_places_goes_where_another_photo_shows_them() -> None:
    glare = Doubt(DoubtCode.GLARE, 0.3, (at("c2"), at("d2")))
    doubted = reading_of(LINE, doubts=(glare,))
    codes = [one.code for one in together(doubted, reading_of(LINE)).warnings]
    assert DoubtCode.GLARE not in codes
    hides = reading_of(LINE, {"d2": NOTHING})
    kept = next(w for w in together(doubted, hides).warnings if w.code is DoubtCode.GLARE)
    assert kept.cells == (at("c1"),)  # in the box of the kingdom


def test_all_tiles_that_one_photo_leaves_out_are_said_and_those_of_the_next_are_the_same() -> None:
    left, right = (
        Doubt(DoubtCode.TILES_LEFT_OUT, fields={"number": 4, "where": where})
        for where in ("place.left", "place.right")
    )
    first = replace(reading_of(LINE), doubts=(left, right))
    again = replace(reading_of(LINE), doubts=(replace(left, fields={**left.fields, "number": 5}),))
    for readings in ((first, reading_of(LINE)), (first, again)):
        assert together(*readings).warnings == (left, right)


def test_a_doubt_of_the_border_goes_where_another_photo_is_not_cut() -> None:
    cut = reading_of(LINE, doubts=(Doubt(DoubtCode.CUT_OFF, 0.5),))
    assert together(cut, cut).status is Status.DOUBTFUL
    assert together(cut, reading_of(LINE)).status is Status.SURE
    damaged = reading_of(LINE, doubts=(Doubt(DoubtCode.DAMAGED_FILE, 0.5, (), {"damage": "x"}),))
    assert together(damaged, reading_of(LINE)).status is Status.DOUBTFUL


def test_photos_that_contradict_each_other_halve_the_trust_of_both() -> None:
    tables = [
        PhotoTable((KingdomEvidence((evidence(reading_of(line), name),)),), (name,))
        for line, name in ((LINE, "a.jpg"), ("F M3 W/G C W1/S S1 W", "b.jpg"))
    ]
    for readings in readings_of(tables, ["c.jpg"]):
        (result,) = kingdom_results("a.jpg", readings, GameOptions())
        codes = {one.code: one for one in result.warnings}
        assert codes[DoubtCode.PHOTOS_DIFFER].fields["photos"] == "a.jpg / b.jpg"
        assert codes[DoubtCode.PHOTO_WITHOUT_KINGDOM].fields["photo"] == "c.jpg"
        assert result.probability < 0.51


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_photos_of_two_halves_of_a_table_are_joined_by_one_of_all_in_any_order(order) -> None:
    lines = (BARE, "F M3 W/G C W1/S S1 W")
    readings = [padded(reading_of(line)) for line in lines]
    seen = [(grid_of(one, at=(600.0 * n, 0.0)), one) for n, one in enumerate(readings)]
    shown = [seen[:1], seen[1:], seen]
    names = [f"{number}.jpg" for number in order]
    photos = {name: open_photo(np.zeros((600, 1200, 3), np.uint8)) for name in names}
    sights = {f"{number}.jpg": Sight(tuple(shown[number]), {}) for number in order}
    tables = tables_of(photos, {name: sights[name] for name in names}, Trust())
    assert [(len(one.kingdoms), len(one.photos)) for one in tables] == [(2, 3)]


def test_an_empty_place_says_nothing_where_something_covers() -> None:
    """Light or a thing may hide the tile, which then looks like the table."""
    washed = "- - - - -/- W G1 G -/- W C - -/- L L - -/- - - - -"
    trust = Trust(None, {DoubtCode.COVERED: Curve((0.0, 1.0), (0.0, 1.0))})
    for value, same in ((0.68, False), (0.72, True)):
        reading = reading_of(washed)
        covered = Reading(reading.places, signs=(Sign(DoubtCode.COVERED, value),))
        known = evidence_of("a.jpg", SIZE, (grid_of(covered), covered), trust)
        overlay = laid_on(KingdomEvidence((known,)), evidence(reading_of(LINE), "b.jpg"))
        assert overlay is not None and overlay.is_same is same


def test_a_kingdom_may_be_missing_in_one_photo_but_not_in_each() -> None:
    other = "F M3 W/G C W1/S S1 W"
    first, second, third = (evidence(reading_of(line)) for line in (LINE, other, "C F1 L"))
    both = PhotoTable((KingdomEvidence((first,)), KingdomEvidence((second,))), ("a.jpg",))
    joined = both.with_photo("b.jpg", [first])
    assert joined is not None and [len(one.photos) for one in joined.kingdoms] == [2, 1]
    alone = PhotoTable((KingdomEvidence((first,)),), ("a.jpg",))
    joined = alone.with_photo("b.jpg", [second, first])
    assert joined is not None and [len(one.photos) for one in joined.kingdoms] == [2, 1]
    assert both.with_photo("b.jpg", [first, third]) is None


# ---------------------------------------------------------------------- pictures


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer(threads=1)


def picture(name: str) -> NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(SAMPLES / name))[:, :, ::-1], np.uint8)


def washed_out(scorer: Scorer, name: str, *places: tuple[int, int]) -> NDArray[np.uint8]:
    """A sample with white light on some squares."""
    image = picture(name).copy()
    (kingdom,) = scorer.score(image, name=name).kingdoms
    centers = {square.at: square.center for square in kingdom.squares}
    (x0, y0), (x1, y1) = kingdom.corners[:2]
    side = np.hypot(x1 - x0, y1 - y0) / kingdom.kingdom.width
    for place in places:
        x, y = centers[place] or (0, 0)
        cv2.circle(image, (round(x), round(y)), round(0.7 * side), (250, 250, 245), -1)
    return image


@pytest.mark.parametrize("copy", ["saved again", "half", "turned", "cropped"])
def test_a_copy_of_a_photo_settles_nothing(scorer: Scorer, copy: str) -> None:
    """The second kingdom of the sample is in doubt; so it stays when the photo is sent twice."""
    image = picture("three_kingdoms.jpg")
    height, width = image.shape[:2]
    ok, saved = cv2.imencode(".jpg", image[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, 70])
    assert ok
    copies: dict[str, bytes | NDArray[np.uint8]] = {
        "saved again": saved.tobytes(),
        "half": cv2.resize(image, (width // 2, height // 2), interpolation=cv2.INTER_AREA),
        "turned": np.ascontiguousarray(np.rot90(image)),
        "cropped": np.ascontiguousarray(image[8:-8, 8:-8]),
    }
    alone, other = (scorer.score(one).kingdoms[1] for one in (image, copies[copy]))
    both = scorer.score_together([image, copies[copy]]).kingdoms[1]
    assert alone.status is Status.DOUBTFUL
    assert both.probability <= max(alone.probability, other.probability) + 0.003


@pytest.mark.parametrize("quarters", range(4))
def test_photos_from_all_sides_with_glare_on_different_squares(
    scorer: Scorer, quarters: int
) -> None:
    name = "meadow_5x5.jpg"
    truth = scorer.score(SAMPLES / name).kingdoms[0]
    one = washed_out(scorer, name, (0, 0), (0, 1))
    other = np.ascontiguousarray(np.rot90(washed_out(scorer, name, (4, 3), (4, 4)), quarters))
    result = scorer.score_together([one, other], names=["one", "other"])
    assert (result.photo, result.photos) == ("one; other", ("one", "other"))
    (kingdom,) = result.kingdoms
    assert kingdom.kingdom == truth.kingdom
    photos = shown_by(kingdom)
    assert {photos[0, 0], photos[0, 1]} == {"other"}
    assert {photos[4, 3], photos[4, 4]} == {"one"}
    centers = {square.at: square.center for square in kingdom.squares}
    for square in truth.squares:
        assert centers[square.at] == pytest.approx(square.center, abs=25)


def test_a_table_of_several_kingdoms_is_matched_kingdom_by_kingdom(scorer: Scorer) -> None:
    image = picture("two_kingdoms.jpg")
    result = scorer.score_together([image, np.ascontiguousarray(np.rot90(image))], names=["a", "b"])
    alone = scorer.score(image)
    assert [one.kingdom for one in result.kingdoms] == [one.kingdom for one in alone.kingdoms]
    assert result.status is alone.status


def test_photos_of_other_kingdoms_say_so_and_are_read_apart(scorer: Scorer) -> None:
    paths = [SAMPLES / "meadow_5x5.jpg", SAMPLES / "corner.jpg", SAMPLES / "not_a_kingdom.jpg"]
    result = score_together(paths)
    assert result.status is Status.DOUBTFUL
    assert DoubtCode.PHOTOS_DIFFER in {one.code for one in result.kingdoms[0].warnings}
    alone = [scorer.score(path).kingdoms[0].kingdom for path in paths[:2]]
    assert [one.kingdom for one in result.kingdoms] == alone
    assert len(result.kingdoms[0].corners) == 4
    # What is in another photo has no place in the first.
    assert result.kingdoms[1].corners == ()
    assert {square.center for square in result.kingdoms[1].squares} == {None}
    with pytest.raises(UsageError, match="by itself"):
        scorer.score_together(paths[:2], fixes={"A.a1": "W"})


def test_the_json_names_the_photos_and_can_be_read_back(scorer: Scorer) -> None:
    path = SAMPLES / "first_domino.jpg"
    result = scorer.score_together([path, np.ascontiguousarray(picture(path.name)[::-1, ::-1])])
    (again,) = from_json(to_json(result))
    assert again.photos == result.photos and len(result.photos) == 2
    assert shown_by(again.kingdoms[0]) == shown_by(result.kingdoms[0])
    assert scorer.score(path).photos == ()


def test_a_photo_that_is_given_twice_counts_once(scorer: Scorer) -> None:
    path = SAMPLES / "first_domino.jpg"
    assert scorer.score_together([path, path.read_bytes()]).photos == (str(path),)


def test_corrections_count_in_the_kingdom_as_it_is_read_together(scorer: Scorer) -> None:
    path = SAMPLES / "meadow_5x5.jpg"
    image = picture(path.name)
    plain = scorer.score_together([path, image])
    at_first = plain.kingdoms[0].squares[0]
    fixed = scorer.score_together([path, image], fixes={"a1": at_first.text})
    assert fixed.kingdoms[0].kingdom == plain.kingdoms[0].kingdom


@pytest.mark.parametrize("given", [[], "a.jpg", None])
def test_without_photos_there_is_a_remedy(scorer: Scorer, given: object) -> None:
    with pytest.raises(UsageError, match="Give a list of paths"):
        scorer.score_together(given)  # type: ignore[arg-type]


def test_without_any_kingdom_the_first_photo_says_so(scorer: Scorer) -> None:
    grey = np.full((300, 400, 3), 90, np.uint8)
    with pytest.raises(NoKingdomError) as error:
        scorer.score_together([grey, grey + 1], names=["one", "two"])
    assert error.value.photo == "one"


# ---------------------------------------------------------------------- real photos


@pytest.mark.parametrize("names", [("night_3", "night_4"), ("night_4", "night_3")])
def test_glare_in_one_photo_of_a_game_night(scorer: Scorer, names: tuple[str, str]) -> None:
    paths = [DATA / "photos" / f"{name}.jpg" for name in names]
    if not paths[0].is_file():
        pytest.skip(f"no real pictures: {paths[0]} is missing (set KDVISION_DATA)")
    result = scorer.score_together(paths)
    (kingdom,) = result.kingdoms
    assert (kingdom.score, result.status) == (92, Status.SURE)
    glare = {(0, 2), (0, 3), (1, 2)}
    assert {shown_by(kingdom)[place] for place in glare} == {str(DATA / "photos" / "night_4.jpg")}


def test_photos_of_a_kingdom_as_it_grows_contradict_each_other(scorer: Scorer) -> None:
    paths = [DATA / "photos" / f"mat_b_0{number}.jpg" for number in (3, 4)]
    if not paths[0].is_file():
        pytest.skip(f"no real pictures: {paths[0]} is missing (set KDVISION_DATA)")
    result = scorer.score_together(paths)
    assert len(result.kingdoms) == 2
    assert result.status is Status.DOUBTFUL
