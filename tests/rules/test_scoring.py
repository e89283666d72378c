from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdvision.rules.kingdom import Kingdom
from kdvision.rules.rules import Centre, Rules
from kdvision.rules.scoring import BONUS_CODES, natural_size, score, territories
from kdvision.rules.terrain import Square, Terrain
from kdvision.sentences import languages, text_of
from tests.support.played import EXAMPLES, any_kingdoms, change_cell, mirrored

FULL = "C W W W W/W W W W W/W W W W W/W W W W W/W W W W W"
CENTRAL = "W W W W W/W W W W W/W W C W W/W W W W W/W W W W W"


WHEAT = "wheat"
FOREST = "forest"
GRASS = "grassland"
TERRITORIES = [
    # edges join, corners do not
    ("W1 W/- W", [(WHEAT, 3, 1, 3)]),
    ("W1 -/- W", [(WHEAT, 1, 1, 1), (WHEAT, 1, 0, 0)]),
    # squares times crowns, each territory by itself
    ("W1 W W1 W", [(WHEAT, 4, 2, 8)]),
    ("G2 G F G1", [(GRASS, 2, 2, 4), (GRASS, 1, 1, 1), (FOREST, 1, 0, 0)]),
    ("C W W W W", [(WHEAT, 4, 0, 0)]),
    # the castle joins nothing
    ("W1 C W", [(WHEAT, 1, 1, 1), (WHEAT, 1, 0, 0)]),
    # examples of the texts
    ("F1 F F F1/F F1 F -", [(FOREST, 7, 3, 21)]),
    ("L L L/L L L/L L L", [("lake", 9, 0, 0)]),
    ("G2 G/- G", [(GRASS, 3, 2, 6)]),
    # most points first, then most squares, then reading order
    ("S S M1 L G1 G", [(GRASS, 2, 1, 2), ("mine", 1, 1, 1), ("swamp", 2, 0, 0), ("lake", 1, 0, 0)]),
]


@pytest.mark.parametrize(("line", "expected"), TERRITORIES)
def test_rule_2_1_to_2_4_territories(line, expected):
    regions = territories(Kingdom.parse(line))
    listed = [
        (region.terrain.value, region.squares, region.crowns, region.points) for region in regions
    ]
    assert listed == expected


@pytest.mark.parametrize("name", EXAMPLES)
def test_rule_6_worked_examples(name):
    example = EXAMPLES[name]
    kingdom, size = Kingdom.parse(example["kingdom"]), int(example["size"])
    plain = score(kingdom, Rules(size))
    both = score(kingdom, Rules(size, harmony=True, middle_kingdom=True))
    assert plain.total == int(example["territories"])
    assert both.bonus("harmony").counted_points == int(example["harmony"])
    assert both.bonus("middle_kingdom").counted_points == int(example["middle_kingdom"])
    assert both.total == sum(
        int(example[column]) for column in ("territories", "harmony", "middle_kingdom")
    )


@pytest.mark.parametrize(
    ("line", "size", "paid"),
    [
        (FULL, 5, 5),
        (f"- - - - - - -/{'/'.join(f'- {row} -' for row in FULL.split('/'))}", 5, 5),
        (FULL.replace("C W", "C -"), 5, 0),
        ("C W W W W/W W W W W/W W W W W", 5, 0),
        (FULL, 7, 0),
        # As many squares on more rows.
        ("/".join(["C W W W W", *["W W W W -"] * 5]), 5, 0),
        ("/".join(["C W W W W W W", *["W W W W W W W"] * 6]), 7, 5),
    ],
)
def test_rule_3_1_harmony(line, size, paid):
    assert score(line, Rules(size, harmony=True)).bonus("harmony").counted_points == paid
    bonus = score(line, Rules(size)).bonus("harmony")
    assert all(text_of(bonus, language) for language in languages())


@pytest.mark.parametrize("centre", ["nonsense", "", None, "BOX"])
def test_rule_3_2_unknown_centre_is_refused(centre):
    with pytest.raises(ValueError, match="is no centre; write one of 'box', 'frame'"):
        Rules(centre=centre)
    assert score("C W", Rules(5, middle_kingdom=True, centre=Centre("frame"))).total == 10


@pytest.mark.parametrize(
    ("line", "paid", "note"),
    [
        (CENTRAL, 10, "box"),
        ("W W W/W C W/W W W", 10, "box"),
        ("W W W/W W W/W C W/W W W/W W W", 10, "box"),
        ("W W C W W", 10, "box"),
        ("- W -/W C -/- - W", 10, "box"),
        ("W W W W W/W W W W W/W W C W W/W W W W W", 0, "frame-would"),
        ("C W", 0, "frame-would"),
        ("C W W W W", 0, "off-centre"),
        ("W W W W C/W W W W W", 0, "off-centre"),
        ("W W/W W/W W/W C", 0, "off-centre"),
        ("C W/W W/W W/W W", 0, "off-centre"),
        ("C", 0, "castle-alone"),
        ("W W W", 0, "no-castle"),
    ],
)
def test_rule_3_2_middle_kingdom(line, paid, note):
    bonus = score(line, Rules(5, middle_kingdom=True)).bonus("middle_kingdom")
    assert bonus.counted_points == paid
    assert bonus.key == f"note.middle-kingdom.{note}"
    assert all(text_of(bonus, language) for language in languages())


def test_rule_3_3_bonuses_count_only_in_play():
    kingdom = Kingdom.parse(CENTRAL)
    assert score(kingdom).total == 0
    assert score(kingdom).bonus("harmony").earned and score(kingdom).bonus("middle_kingdom").earned
    assert score(kingdom, Rules(harmony=True, middle_kingdom=True)).total == 15


@pytest.mark.parametrize(
    ("line", "size"),
    [("C W", 5), (CENTRAL, 5), ("C W W W W W", 7), ("W W W W W/" * 5, 7), ("- - - - - C -", 5)],
)
def test_rule_3_5_kingdom_of_seven_is_mighty_duel(line, size):
    assert natural_size(Kingdom.parse(line)) == size
    assert score(Kingdom.parse(line)).size == size


def worth(kingdom: Kingdom) -> tuple[int, Counter[tuple[Terrain, int, int]]]:
    """The total, and the territories wherever they lie."""
    sheet = score(kingdom, Rules(harmony=True, middle_kingdom=True))
    parts = Counter((part.terrain, part.squares, part.crowns) for part in sheet.territories)
    return sheet.total, parts


@given(any_kingdoms(), st.integers(0, 3))
def test_turning_and_mirroring_change_no_total(kingdom, quarters):
    assert worth(kingdom.turned(quarters)) == worth(kingdom) == worth(mirrored(kingdom))


@given(any_kingdoms())
def test_removing_a_crown_never_raises_totals(kingdom):
    crowned = [at for at, square in kingdom.squares().items() if square.crowns]
    for at in crowned:
        square = kingdom[at]
        assert isinstance(square, Square)
        fewer = change_cell(kingdom, at, Square(square.terrain, square.crowns - 1))
        assert score(fewer).total < score(kingdom).total


@pytest.mark.parametrize(
    ("line", "size", "box", "frame"),
    [
        ("W W C W W", 5, True, True),
        ("W C W W/W W - -", 5, False, True),  # Four columns: a 5x5 can have the castle amid.
        ("C W W/W - -", 5, False, True),
        ("C W W W/W - - -", 5, False, False),
        ("C W W W/W - - -", 7, False, True),
        ("C", 5, False, False),
    ],
)
def test_rule_3_2_centre_of_box_or_frame(line, size, box, frame):
    for centre, earned in ((Centre.BOX, box), (Centre.FRAME, frame)):
        sheet = score(line, Rules(size, middle_kingdom=True, centre=centre))
        assert sheet.bonus("middle_kingdom").earned == earned
        assert sheet.total == 10 * earned
        assert ("frame" in sheet.bonus("middle_kingdom").key) == (frame and not box)


@pytest.mark.parametrize("code", BONUS_CODES)
def test_word_for_no_is_not_yes(code):
    with pytest.raises(ValueError, match=f"str is no value of {code}; give True"):
        Rules(**{code: "no"})  # type: ignore[arg-type]
