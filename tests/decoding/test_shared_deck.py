"""Several kingdoms judged as one: what a box can and cannot hold together."""

import pytest

from kdvision.decoding.board import board_of, face_table
from kdvision.decoding.constraints import TableConstraints, joined
from kdvision.rules.kingdom import Kingdom, cell_text
from kdvision.rules.terrain import LABELS


def labels_of(lines: list[str]) -> bytes:
    cells = [cell for line in lines for _, cell in Kingdom.parse(line).cells()]
    return bytes(LABELS.index(cell_text(cell)) for cell in cells)


def judge_of(lines: list[str]) -> TableConstraints:
    kingdoms = [Kingdom.parse(line) for line in lines]
    boards = [board_of(kingdom.height, kingdom.width) for kingdom in kingdoms]
    return TableConstraints(boards, 5, face_table())


@pytest.mark.parametrize(
    ("lines", "places", "kind"),
    [
        (["C W M3", "C F F"], [], None),
        # One mine with three crowns.
        (["C W M3", "C W M3"], [2, 5], "M3"),
        (["C W M3", "C W M3", "C W M3"], [2, 5, 8], "M3"),
        # Three mines with two crowns are there, but only two beside swamp.
        (["C M2 S", "S M2 C M2 W"], [], None),
        (["C M2 S", "S M2 C M2 S"], [1, 3, 6], None),
    ],
)
def test_what_clashes(lines, places, kind):
    found, too_many = judge_of(lines).clash(labels_of(lines))
    assert found == places
    assert too_many == (None if kind is None else LABELS.index(kind))


@pytest.mark.parametrize(
    ("lines", "places"),
    [
        (["C F F", "C W W"], None),
        # Every kingdom has a castle, and only one.
        (["C F F", "F F F"], {3, 4, 5}),
        (["F F F", "C W C"], {0, 1, 2}),
        (["C F F", "C W W C"], {3, 6}),
        # Every kingdom has a box of its own, which the second is too long for.
        (["C F F", "C F F F F W W"], {3, 9}),
        # A lone square of one kingdom is not helped by that of the next.
        (["F C", "C F"], {0, 1}),
        (["C W M3", "C W M3"], {2, 5}),
    ],
)
def test_the_conflict_lies_where_it_is(lines, places):
    conflict = judge_of(lines).conflict(labels_of(lines), (), lambda place, mask: 1.0)
    assert places == (None if conflict is None else {place for place, _ in conflict})


def test_kingdoms_are_no_neighbours():
    table = joined([board_of(1, 2), board_of(2, 1)])
    assert table.neighbours == ((1,), (0,), (3,), (2,))
    assert table.following == ((1,), (), (3,), ())
