"""The result of a photo: its status and why, from its kingdoms and what was left out."""

import pytest

from kdvision.reading import Doubt, DoubtCode
from kdvision.result import PhotoResult, Status
from tests.support.results import read_kingdom

SURE = read_kingdom()
DARK = read_kingdom(status=Status.DOUBTFUL, doubts=(DoubtCode.DARK, DoubtCode.BLURRED))
GLARE = read_kingdom(status=Status.DOUBTFUL, doubts=(DoubtCode.GLARE,))
LEFT_OUT = Doubt(DoubtCode.TILES_LEFT_OUT, fields={"number": 6, "where": "where.top"})


@pytest.mark.parametrize(
    ("kingdoms", "left_out", "codes"),
    [
        ([SURE, SURE], [], []),
        ([SURE, DARK, GLARE], [], [DoubtCode.DARK]),  # the first of the first doubtful kingdom
        ([SURE], [LEFT_OUT], [DoubtCode.TILES_LEFT_OUT]),
        ([SURE, GLARE], [LEFT_OUT, LEFT_OUT], [DoubtCode.GLARE, DoubtCode.TILES_LEFT_OUT]),
    ],
)
def test_reasons_of_a_photo(kingdoms, left_out, codes):
    photo = PhotoResult.of_kingdoms("a.jpg", kingdoms, left_out=left_out)
    doubts = {DoubtCode.TILES_LEFT_OUT: LEFT_OUT}
    assert list(photo.reasons) == [doubts.get(code, Doubt(code)).sentence for code in codes]
    assert photo.status is (Status.DOUBTFUL if codes else Status.SURE)
