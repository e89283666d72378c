"""What the box cannot hold on a place, and why."""

import pytest

from kdvision.rules.kingdom import Kingdom, Position, position_name
from kdvision.rules.legality import Excluded, Reason, Table
from kdvision.rules.terrain import LABELS

#: The deck has one mine with three crowns, on a domino with wheat.
MINE = "C W M3 L L"
#: A full 5x5 that the deck holds.
MEADOW = "L G2 C W W/W G1 W L S1/G2 G G G1 G/G G G G W/W F1 F F F1"


def table(*lines: str, unclear: tuple[tuple[int, Position], ...] = (), boxes: int = 1) -> Table:
    kingdoms = [Kingdom.parse(line) for line in lines]
    clear = [
        {at for at, _ in kingdom.cells() if (index, at) not in unclear}
        for index, kingdom in enumerate(kingdoms)
    ]
    return Table(kingdoms, clear, boxes)


def why(found: Excluded | None) -> tuple[str, str] | None:
    """The reason, and the places as `1 c1`."""
    if found is None:
        return None
    places = ", ".join(f"{index} {position_name(at)}" for index, at in found.places)
    return found.reason.value, places


@pytest.mark.parametrize(
    ("lines", "unclear", "boxes", "place", "text", "reason"),
    [
        # The one mine with three crowns lies elsewhere: in this kingdom, in another one.
        ((MINE,), (), 1, (0, 5), "M3", ("all-elsewhere", "0 c1")),
        ((MINE, "C W M2 L L"), (), 1, (1, (0, 2)), "M3", ("all-elsewhere", "0 c1")),
        # Not where it may lie itself, where it was hardly read, or with a second box.
        ((MINE,), (), 1, (0, 2), "M3", None),
        ((MINE,), ((0, (0, 2)),), 1, (0, 5), "M3", None),
        ((MINE,), (), 2, (0, 5), "M3", None),
        # A mine with three crowns shares its domino with wheat: none lies around b2.
        (("F F F/F F F/C F F",), (), 1, (1, 1), "M3", ("no-other-half", "0 b1, 0 a2, 0 c2, 0 b3")),
        (("F F F/F F W/C F F",), (), 1, (1, 1), "M3", None),
        (("F F F/F F F/C F F",), ((0, (1, 2)),), 1, (1, 1), "M3", None),
        (("F F F/F F -/C F F",), (), 1, (1, 1), "M3", None),
        # At the border another square can be added beside it; then the rest must change too.
        (("F F F/F F F/C F F",), (), 1, (0, 1), "M3", ("no-cutting", "")),
        (("F F F/F F F/C F F",), ((0, (2, 2)),), 1, (0, 1), "M3", None),
        # One castle.
        ((MINE,), (), 1, (0, 1), "C", ("castle-elsewhere", "0 a1")),
        ((MINE,), (), 1, (0, 0), "C", None),
        ((MINE,), ((0, (0, 0)),), 1, (0, 1), "C", None),
        # Two mines beside each other make no cutting of W M3 | L L; wheat may have no crown.
        ((MINE,), (), 1, (0, 4), "M", ("no-cutting", "")),
        ((MINE,), (), 1, (0, 4), "F", None),
        ((MINE,), ((0, (0, 3)),), 1, (0, 4), "M", None),
        # The deck has one domino of forest and grassland, and it lies in another kingdom.
        (("C F F", "C F G"), (), 1, (0, (0, 2)), "G", ("no-cutting", "")),
        (("C F F", "C F W"), (), 1, (0, (0, 2)), "G", None),
        (("C F F", "C F G"), (), 2, (0, (0, 2)), "G", None),
        (("C F F", "C F G"), ((1, (0, 2)),), 1, (0, (0, 2)), "G", None),
        # Where they cannot all lie there already, the kingdom is judged alone.
        (("C F F", "C F G", "C F G"), (), 1, (0, (0, 2)), "G", None),
        # Without a square another one has no other half.
        ((MINE,), (), 1, (0, 4), "-", ("no-cutting", "")),
        ((MINE,), ((0, (0, 3)),), 1, (0, 4), "-", None),
        # A square that is added has no other half yet.
        ((MINE,), (), 1, (0, 5), "M", None),
    ],
)  # fmt: skip
def test_what_cannot_lie_on_a_place(lines, unclear, boxes, place, text, reason):
    index, at = place if isinstance(place[1], tuple) else (0, place)
    found = table(*lines, unclear=unclear, boxes=boxes).excluded(index, at)
    assert why(found.get(text)) == reason


def test_what_lies_there_is_never_excluded():
    everything = table(MEADOW)
    for at, cell in everything.kingdoms[0].cells():
        assert str(cell) not in everything.excluded(0, at)


def test_what_may_lie_there_is_what_the_deck_can_be_laid_with():
    """The square at e2 lies between W, L and G; with others no cutting is left."""
    found = table(MEADOW).excluded(0, (1, 4))
    assert [text for text in LABELS[:16] if text not in found] == ["W1", "F", "S1", "S2"]
    assert found["S"].reason is Reason.NO_CUTTING


def test_an_empty_place_can_always_stay_empty():
    assert "-" not in table(MINE).excluded(0, (0, 5))
