"""What passes from vision to decoding."""

import pytest
from msgspec.structs import replace

from kdvision.reading import Doubt, DoubtCode, Place, Reading
from kdvision.rules.terrain import LABELS
from tests.support.readings import at, place_of, reading_of


def test_reading_has_its_grids_shape():
    reading = reading_of("C W1 -/F L M3")
    assert (reading.height, reading.width) == (2, 3)
    upper, lower = reading.places
    assert [place.label for place in upper] == ["C", "W1", "-"]
    assert [place.label for place in lower] == ["F", "L", "M3"]


def test_reading_shows_a_kingdom():
    reading = reading_of("- C W1/- - F")
    assert str(reading.kingdom) == "- C W1/- - F"
    assert reading.taken == (at("b1"), at("c1"), at("c2"))
    assert reading.pairs == [(at("b1"), at("c1")), (at("c1"), at("c2"))]
    changed = reading.with_place(at("a2"), reading[at("c1")])
    assert str(changed.kingdom) == "- C W1/W1 - F"


@pytest.mark.parametrize(
    ("place", "is_there"),
    [("a1", True), ("c2", True), ("d1", False), ("a3", False), ("a0", False)],
)
def test_place_lies_on_the_grid(place, is_there):
    assert (at(place) in reading_of("C W1 -/F L M3")) is is_there
    assert (0, -1) not in reading_of("C W1 -/F L M3")


def test_groups_of_tiles_are_apart():
    reading = reading_of("W1 - C F -/- - L S -/G G - - M")
    groups = [str(group.kingdom) for group in reading.groups()]
    assert groups == [
        "- - C F -/- - L S -/- - - - -",
        "- - - - -/- - - - -/G G - - -",
        "W1 - - - -/- - - - -/- - - - -",
        "- - - - -/- - - - -/- - - - M",
    ]


@pytest.mark.parametrize(("share", "is_clear"), [(0.9, True), (0.89, False)])
def test_place_is_clear_from_nine_tenths(share, is_clear):
    assert place_of({"W1": share}).is_clear is is_clear


@pytest.mark.parametrize(("hidden", "is_hidden"), [(0.5, True), (0.49, False)])
def test_place_is_hidden_from_one_half(hidden, is_hidden):
    assert replace(place_of({"W1": 1.0}), hidden=hidden).is_hidden is is_hidden


@pytest.mark.parametrize(
    ("shares", "share", "castle", "wheat"),
    [
        ({"W": 0.6, "F": 0.2, "C": 0.2}, 0.6, 0.6, 0.3),  # the others keep their odds
        ({"W": 0.6, "F": 0.2, "C": 0.2}, 0.1, 0.2, 0.6),
        ({"C": 1.0}, 0.5, 1.0, 0.0),
    ],
)
def test_place_becomes_likelier_a_castle(shares, share, castle, wheat):
    place = place_of(shares).as_castle(share)
    assert place.castle == pytest.approx(castle)
    assert place.probabilities[LABELS.index("W")] == pytest.approx(wheat)
    assert sum(place.probabilities) == pytest.approx(1)


@pytest.mark.parametrize(
    ("shares", "before", "hidden"),
    [
        ({"W": 0.6, "G": 0.2, "C": 0.1, "-": 0.1}, 0.0, 0.5),
        ({"W": 0.3, "G": 0.1, "C": 0.4, "-": 0.2}, 0.0, 0.6),  # a castle and nothing are open
        ({"W": 0.3, "G": 0.1, "C": 0.4, "-": 0.2}, 0.8, 0.8),
    ],
)
def test_hidden_place_keeps_what_is_seen_of_its_terrain(shares, before, hidden):
    place = replace(place_of(shares), hidden=before).as_hidden()
    seen = dict(zip(LABELS, place.probabilities, strict=True))
    assert place.hidden == pytest.approx(hidden)
    assert (seen["C"], seen["-"], place.label) == (0, 0, "W")
    assert seen["W"] / seen["G"] == pytest.approx(shares["W"] / shares["G"], rel=1e-4)
    assert sum(place.probabilities) == pytest.approx(1)


@pytest.mark.parametrize(
    ("shares", "before", "hidden", "empty"),
    [
        ({"W": 0.6, "G": 0.2, "C": 0.1, "-": 0.1}, 0.0, 0.0, 1 / 9),  # read from what shows
        ({"W": 0.3, "G": 0.1, "C": 0.4, "-": 0.2}, 0.8, 0.8, 1 / 3),
        ({"W": 0.08, "G": 0.02, "C": 0.89, "-": 0.01}, 0.0, 0.0, 1 / 11),
        ({"W": 0.06, "G": 0.02, "C": 0.91, "-": 0.01}, 0.0, 0.92, 0),  # walls, and little else
        ({"W": 0.3, "G": 0.1, "C": 0.31, "-": 0.29}, 0.0, 0.0, 0.29 / 0.69),
        ({"W": 0.3, "G": 0.1, "C": 0.29, "-": 0.31}, 0.0, 0.6, 0),  # no tile shows
        ({"W": 0.3, "G": 0.29, "C": 0.1, "-": 0.31}, 0.0, 0.5, 0),
        ({"W": 0.3, "G": 0.1, "C": 0.29, "-": 0.31}, 0.8, 0.8, 0),
    ],
)
def test_place_behind_a_castle_is_read_from_what_shows(shares, before, hidden, empty):
    place = replace(place_of(shares), hidden=before).behind_castle()
    seen = dict(zip(LABELS, place.probabilities, strict=True))
    assert place.hidden == pytest.approx(hidden)
    assert (seen["C"], place.label) == (0, "W")
    assert seen["-"] == pytest.approx(empty, abs=1e-4)
    assert seen["W"] / seen["G"] == pytest.approx(shares["W"] / shares["G"], rel=1e-3)
    assert sum(place.probabilities) == pytest.approx(1)


@pytest.mark.parametrize(
    ("first", "second", "wheat", "hidden"),
    [(0.0, 0.0, 0.5, 0.0), (0.5, 0.5, 0.5, 0.5), (0.9, 0.6, 0.2, 0.75), (1.0, 0.5, 0.0, 0.75)],
)
def test_look_counts_as_far_as_it_sees_a_place(first, second, wheat, hidden):
    one, two = replace(place_of({"W": 1.0}), hidden=first), place_of({"F": 1.0})
    both = one.mean(replace(two, hidden=second))
    assert both.hidden == pytest.approx(hidden)
    assert both.probabilities[LABELS.index("W")] == pytest.approx(wheat, abs=1e-5)
    assert sum(both.probabilities) == pytest.approx(1)


def test_castle_hides_the_places_that_its_doubts_name():
    hidden = Doubt(DoubtCode.HIDDEN, 2.0, (at("b1"), at("c1")))
    other = Doubt(DoubtCode.GLARE, 1.0, (at("a1"),))
    assert reading_of("C W F", doubts=(other, hidden)).hidden_places == {at("b1"), at("c1")}


@pytest.mark.parametrize(
    ("line", "free"),
    [
        ("C W", {(-1, 0), (-1, 1), (0, -1), (0, 2), (1, 0), (1, 1)}),
        # Five in a row: no sixth beside them in a kingdom of 5x5.
        ("W W C W W/- - - - -", {(-1, col) for col in range(5)} | {(1, col) for col in range(5)}),
        # Six are of a 7x7, which has room for one more on either side.
        ("W W C W W W", {(row, col) for row in (-1, 1) for col in range(6)} | {(0, -1), (0, 6)}),
        ("W W W C W W W", {(row, col) for row in (-1, 1) for col in range(7)}),
    ],
)
def test_free_places_are_where_a_kingdom_can_go_on(line, free):
    """RULES 5.4."""
    assert reading_of(line).free_places == sorted(free)


@pytest.mark.parametrize(
    ("line", "reaches"),
    [
        ("- - -/- W -/- - -", False),
        ("- - -/- W W/- - -", True),
        ("- - -/W W -/- - -", True),
        ("- W -/- W -/- - -", True),
        ("- - - -/- W W -/- - - -/- - W -", True),
        ("- - - -/- W W -/- W - -/- - - -", False),
    ],
)
def test_border_kingdom_may_go_on(line, reaches):
    assert reading_of(line).reaches_border is reaches


def test_doubts_move_with_places():
    places = (at("a1"), at("b1"))
    doubts = (
        Doubt(DoubtCode.GLARE, 0.5, places[1:]),
        Doubt(DoubtCode.BLURRED, 0.5),
        Doubt(DoubtCode.HIDDEN, 2.0, places),
        Doubt(DoubtCode.NOT_READ, 1.6, places),
    )
    moved = replace(reading_of("C W"), doubts=doubts).move_places((1, 0))
    assert [doubt.places for doubt in moved.doubts][1:3] == [(), (at("a2"), at("b2"))]
    # One that counts its places counts those that are left.
    left = [
        (doubt.code, doubt.weight, doubt.places)
        for doubt in moved.without_doubts({at("b2")}).doubts
    ]
    assert left == [
        (DoubtCode.BLURRED, 0.5, ()),
        (DoubtCode.HIDDEN, 1.0, (at("a2"),)),
        (DoubtCode.NOT_READ, 1.6, (at("a2"),)),
    ]


@pytest.mark.parametrize(("count", "is_named"), [(0, False), (12, True), (13, False)])
def test_doubt_names_twelve_places_at_most(count, is_named):
    doubt = Doubt(DoubtCode.GLARE, 0.5, tuple((0, col) for col in range(count)))
    assert ("squares" in doubt.name_places((0, 0)).fields) is is_named


def test_likeliest_labels_beside_one():
    seen = {"W1": 0.6, "W": 0.3, "G": 0.1}
    place = Place(tuple(seen.get(label, 0.0) for label in LABELS))
    assert place.likeliest(2, beside="W1") == ("W", "G")
    assert place.likeliest(1, beside="W") == ("W1",)
    # What has no probability at all is no candidate.
    assert place.likeliest(9, beside="-") == ("W1", "W", "G")


#: A full 5x5.
FULL = "M2 M2 S S2 S/W M2 S W W1/W1 M C W1 G/W M3 M1 W1 F/W W W W1 L"


@pytest.mark.parametrize(
    ("share", "other", "castle"),
    [(0.24, 0.06, True), (0.24, 0.07, False), (0.002, 0.0, True), (0.001, 0.0, False)],
)
def test_contrast_of_a_faint_castle(share, other, castle):
    shares = {"c3": share, "a1": other}
    line = FULL.replace("C", "W")
    read = reading_of(line, {name: {"W": 0.7, "C": share} for name, share in shares.items()})
    assert read.castle == (at("c3") if castle else None)


@pytest.mark.parametrize(
    ("line", "share", "castle"),
    [
        # As many squares as a draft row has: dominoes without a castle, if it is not clear.
        ("C W W W/F F F F", 0.97, True),
        ("C W W W/F F F F", 0.96, False),
        ("C W W W/F F F -", 0.6, True),
        ("C W W W W/F F F F F", 0.6, True),
    ],
)
def test_draft_row_has_no_castle(line, share, castle):
    reading = reading_of(line, {"a1": {"C": share}})
    assert reading.castle == (at("a1") if castle else None)


def test_castle_has_a_middle_in_the_photo():
    reading = reading_of("C W1 F")
    assert reading.castle_centre == (0, 0), "it has no photo"
    castle = replace(reading[at("a1")], center=(20.0, 30.0))
    assert reading.with_place(at("a1"), castle).castle_centre == (20, 30)
    assert reading_of("W W1 F").castle_centre == (0, 0)


def test_castle_likeness_is_that_of_the_likeliest_place():
    reading = reading_of("C W1 F", {"a1": {"C": 0.7, "W": 0.2}, "b1": {"W1": 0.9, "C": 0.1}})
    assert reading.castle_likeness == 0.7
    assert Reading(()).castle_likeness == 0
