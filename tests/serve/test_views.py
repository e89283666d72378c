"""What a place may be, from the JSON of a photo."""

from typing import Any

import msgspec
import pytest

from kdvision.errors import UsageError
from kdvision.options import GameOptions
from kdvision.pipeline.settings import PIPELINE
from kdvision.reading import DoubtCode
from kdvision.result import PhotoResult, Status
from kdvision.serve.views import faces_of
from tests.support.results import read_kingdom

#: The box holds one mine with three crowns.
MINE = "C W M3 L L"


def photo(*lines: str, unsure: float = 1.0) -> dict[str, Any]:
    """The object of a photo; the mine of every kingdom was read with a probability."""
    kingdoms = tuple(read_kingdom(line, unsure={(0, 2): unsure}) for line in lines)
    result = PhotoResult("table.jpg", Status.SURE, (), kingdoms, (800, 600))
    return dict(msgspec.to_builtins(result))


def excluded(data: dict[str, Any], place: str, face: str, **options: Any) -> Any:
    """Why a face cannot lie on a place."""
    faces = faces_of(msgspec.convert(data, PhotoResult), GameOptions(**options), place)["faces"]
    return next(one["reason"] for one in faces if one["face"] == face)


@pytest.mark.parametrize(
    ("unsure", "known"), [(PIPELINE.clear_square, True), (PIPELINE.clear_square - 0.01, False)]
)
def test_what_is_not_clear_excludes_nothing(unsure: float, known: bool) -> None:
    reason = excluded(photo(MINE, "C W M2 L L", unsure=unsure), "B.c1", "M3")
    assert (reason is not None) is known


@pytest.mark.parametrize("code", [DoubtCode.OTHER_DECK, DoubtCode.TOO_MANY_OF_KIND])
def test_of_another_deck_nothing_is_known(code: DoubtCode) -> None:
    data = photo(MINE, "C W M2 L L")
    data["kingdoms"][1]["warnings"] = [{"code": code.value}]
    assert excluded(data, "B.c1", "M3") is None
    assert excluded(data, "A.d1", "M3") is not None


def test_the_likeliest_are_what_was_read_then_other_totals_then_what_it_looked_like() -> None:
    data = photo(MINE)
    kingdom = data["kingdoms"][0]
    square = next(one for one in kingdom["squares"] if one["at"][1] == 2)
    square["others"] = ["M1", "M2"]
    assert faces_of(msgspec.convert(data, PhotoResult), GameOptions(), "c1")["likely"] == [
        "M3",
        "M1",
        "M2",
    ]
    other = [[0, 2], "S2"]
    kingdom["alternatives"] = [{"score": 2, "probability": 0.2, "squares": [other]}]
    kingdom["status"] = "doubtful"
    assert faces_of(msgspec.convert(data, PhotoResult), GameOptions(), "A.c1")["likely"] == [
        "M3",
        "S2",
        "M1",
    ]


@pytest.mark.parametrize("place", ["C.a1", "a", "", "a1=W"])
def test_a_place_that_is_none(place: str) -> None:
    with pytest.raises(UsageError):
        faces_of(msgspec.convert(photo(MINE), PhotoResult), GameOptions(), place)
