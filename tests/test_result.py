"""Results: how sure a kingdom and its photo are, and why; what a person said of the photo."""

import pytest
from msgspec.structs import replace

from kdvision.errors import ExitCode
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


def test_count_of_a_person_outweighs_notes():
    alone = PhotoResult.of_kingdoms("a.jpg", [SURE], left_out=[LEFT_OUT], count=1)
    assert (alone.status, alone.left_out, alone.misses_kingdoms) == (Status.SURE, (), False)
    fewer = PhotoResult.of_kingdoms("a.jpg", [SURE], left_out=[LEFT_OUT, LEFT_OUT], count=2)
    assert [note.code for note in fewer.left_out] == [
        DoubtCode.OTHER_COUNT,
        DoubtCode.TILES_LEFT_OUT,
    ]
    assert fewer.status is Status.DOUBTFUL
    assert fewer.left_out[0].fields == {"found": 1, "n": 2}


@pytest.mark.parametrize(
    ("codes", "is_missing"),
    [
        ([], False),
        ([DoubtCode.PRINT_LEFT_OUT], False),
        ([DoubtCode.PRINT_LEFT_OUT, DoubtCode.TILES_LEFT_OUT], True),
    ],
)
def test_tiles_left_out_may_be_a_kingdom(codes, is_missing):
    notes = [replace(LEFT_OUT, code=code) for code in codes]
    photo = PhotoResult.of_kingdoms("a.jpg", [SURE], left_out=notes)
    assert photo.misses_kingdoms is is_missing
    assert photo.status is (Status.DOUBTFUL if is_missing else Status.SURE)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (Status.SURE, ExitCode.SURE),
        (Status.DOUBTFUL, ExitCode.DOUBTFUL),
        (Status.NO_KINGDOM, ExitCode.NO_KINGDOM),
        (Status.UNREADABLE, ExitCode.UNREADABLE),
    ],
)
def test_status_has_an_exit_code(status, code):
    assert status.exit_code is code


@pytest.mark.parametrize(
    ("status", "probability", "is_scored"),
    [
        (Status.SURE, 0.01, True),
        (Status.DOUBTFUL, 0.05, True),
        (Status.DOUBTFUL, 0.049, False),
    ],
)
def test_total_is_scored_from_a_twentieth(status, probability, is_scored):
    assert read_kingdom(status=status, probability=probability).scored is is_scored


@pytest.mark.parametrize(
    ("kingdom", "code"),
    [
        (SURE, None),
        (read_kingdom(doubts=(DoubtCode.GLARE,)), None),
        (DARK, DoubtCode.DARK),
        (read_kingdom(status=Status.DOUBTFUL), DoubtCode.UNCERTAIN_SQUARES),
    ],
)
def test_doubtful_total_has_a_reason(kingdom, code):
    assert (kingdom.doubt and kingdom.doubt.code) == code
    assert kingdom.reason == (Doubt(code).message if code else "")


def test_kingdoms_have_names_and_places():
    photo = PhotoResult.of_kingdoms("a.jpg", [SURE, DARK])
    assert photo.named == {"A": SURE, "B": DARK}
    assert read_kingdom(origin=(-1, 2)).on_sheet((1, 3)) == (0, 5)
