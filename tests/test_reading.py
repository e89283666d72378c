"""What passes from vision to decoding."""

import pytest
from msgspec.structs import replace

from kdvision.reading import Doubt, DoubtCode, Place, Reading
from kdvision.rules.terrain import LABELS
from tests.support.readings import at, reading_of


def test_reading_has_its_grids_shape():
    reading = reading_of("C W1 -/F L M3")
    assert (reading.height, reading.width) == (2, 3)
    upper, lower = reading.places
    assert [place.label for place in upper] == ["C", "W1", "-"]
    assert [place.label for place in lower] == ["F", "L", "M3"]


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


def test_castle_likeness_is_that_of_the_likeliest_place():
    reading = reading_of("C W1 F", {"a1": {"C": 0.7, "W": 0.2}, "b1": {"W1": 0.9, "C": 0.1}})
    assert reading.castle_likeness == 0.7
    assert Reading(()).castle_likeness == 0
