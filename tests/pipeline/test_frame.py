"""Places of the grid and of the sheet."""

import pytest

from kdvision.corrections import SheetPlace
from kdvision.pipeline.frame import Frame, GridPlace
from kdvision.reading import Doubt, DoubtCode
from kdvision.rules.kingdom import position_name

#: A kingdom whose a1 lies in the third row and second column of its grid.
FRAME = Frame(GridPlace((2, 1)))


@pytest.mark.parametrize(
    ("at", "name"), [((2, 1), "a1"), ((3, 3), "c2"), ((2, 0), "z1"), ((1, 1), "a0")]
)
def test_grid_places_have_sheet_names(at: tuple[int, int], name: str) -> None:
    place = FRAME.to_sheet(GridPlace(at))
    assert position_name(place) == name
    assert FRAME.to_grid(place) == at


def test_wider_grid_changes_no_name() -> None:
    wider = FRAME.widened(1, 2)
    assert wider.to_sheet(GridPlace((3, 3))) == FRAME.to_sheet(GridPlace((2, 1))) == (0, 0)
    assert wider.cells_on_grid({SheetPlace((0, 0)): "C"}) == {(3, 3): "C"}


def test_doubts_keep_their_tiles() -> None:
    doubt = FRAME.doubt_on_sheet(Doubt(DoubtCode.GLARE, 0.5, ((2, 1), (3, 3))))
    assert doubt.name_places((0, 0)).fields["squares"] == "a1, c2"
