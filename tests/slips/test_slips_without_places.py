"""Slips in photos without a kingdom, and in photos that are scored together."""

import pickle

import numpy as np
import pytest
from msgspec.structs import replace

from kdvision.errors import NoKingdomError
from kdvision.photo.photo import open_photo
from kdvision.report.json import from_json, to_json
from kdvision.report.overlay import draw_overlay
from kdvision.sentences import joined, sentence
from kdvision.slips.reader import each_once
from kdvision.slips.slip import SlipCode
from scripts.synthesis.slips import MarkedSlip
from tests.slips.test_reader import scan
from tests.support.paths import ROOT
from tests.support.results import SLIP

CODE = SlipCode("7GQ2X", 3, 12, 47)


def test_a_slip_without_a_kingdom_is_said(scorer) -> None:
    with pytest.raises(NoKingdomError) as caught:
        scorer.score(scan(MarkedSlip(CODE, 86)), name="slip.jpg")
    assert [slip.claimed for slip in caught.value.slips] == [86]
    assert "47" in joined(caught.value.reasons)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.slips == caught.value.slips


def test_photos_together_give_each_slip_once() -> None:
    other = SlipCode("7GQ2X", 3, 12, 48)
    photos = [[replace(SLIP, code=code)] for code in (CODE, CODE, other)]
    first, second = each_once(photos, alone=True)
    assert (first.code, second.code, second.kingdom) == (CODE, other, 0)
    assert first.corners
    assert not second.corners
    assert each_once(photos, alone=False)[1].kingdom is None


@pytest.mark.parametrize(
    ("claims", "told"),
    [
        # What is cut off in one photo, another shows.
        ([None, 86], (86, "")),
        ([86, None], (86, "")),
        ([None, 86, 86], (86, "")),
        # The player marked something else in between.
        ([86, 68], (None, "slip.photos-differ")),
        ([None, 86, 68], (None, "slip.photos-differ")),
        ([86, 68, 86], (None, "slip.photos-differ")),
        ([None, None], (None, "slip.cut-off")),
        ([86, "twice"], (None, "slip.two-papers")),
        (["twice", 86], (None, "slip.two-papers")),
    ],
)
def test_a_slip_says_what_all_photos_show_of_it(claims, told) -> None:
    read = {None: (None, "slip.cut-off"), "twice": (None, "slip.two-papers")}
    photos = []
    for claim in claims:
        claimed, unclear = read.get(claim, (claim, ""))
        photos.append([replace(SLIP, claimed=claimed, unclear=unclear)])
    (slip,) = each_once(photos, alone=True)
    assert (slip.claimed, slip.unclear) == told
    assert slip.corners == SLIP.corners
    assert not slip.unclear or sentence(slip.unclear)


def test_photos_of_a_slip_that_show_other_bonuses_differ() -> None:
    photos = [[SLIP], [replace(SLIP, bonuses=("harmony", "middle_kingdom"))]]
    assert each_once(photos, alone=True)[0].unclear == "slip.photos-differ"


def test_a_slip_in_another_photo_of_a_kingdom_is_its_slip(scorer) -> None:
    bare, _ = open_photo(ROOT / "samples" / "meadow_5x5.jpg").pixels(1600)
    slip = scan(MarkedSlip(CODE, 86))
    with_slip = np.vstack([bare, np.full((slip.shape[0], *bare.shape[1:]), 120, np.uint8)])
    with_slip[bare.shape[0] :, : slip.shape[1]] = slip
    result = scorer.score_together([bare, with_slip], names=["bare.jpg", "slip.jpg"])
    found = result.slip_of(0)
    assert found is not None
    assert (found.code, found.claimed, found.corners) == (CODE, 86, ())
    assert from_json(to_json(result))[0].slips[0].code == CODE
    assert draw_overlay(bare, result, 1.0).dtype == np.uint8
