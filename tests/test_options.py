"""The options of a game: what they allow, and what they say of all else."""

import re

import pytest

from kdvision import score_photo
from kdvision.errors import UsageError
from kdvision.options import GameOptions
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import Centre


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"size": 6}, "size is 6. Write 5, 7, or None for what fits."),
        ({"size": 99}, "size is 99. Write 5, 7"),
        ({"size": "5"}, "size is '5'. Write 5, 7"),
        ({"size": True}, "size is True. Write 5, 7"),
        ({"harmony": "yes"}, "harmony is 'yes'. Write True or False."),
        ({"middle_kingdom": 1}, "middle_kingdom is 1. Write True or False."),
        ({"boxes": 0}, "boxes is 0. Write a number from 1 to 9."),
        ({"boxes": 10}, "boxes is 10. Write a number from 1 to 9."),
        ({"boxes": 1.5}, "boxes is 1.5. Write a number from 1 to 9."),
        ({"boxes": None}, "boxes is None. Write a number from 1 to 9."),
    ],
)
def test_options_that_make_no_sense_are_refused_with_a_remedy(options, sentence):
    for ask in (GameOptions, lambda **given: score_photo("no.jpg", **given)):
        with pytest.raises(UsageError, match=re.escape(sentence)):
            ask(**options)


@pytest.mark.parametrize("size", [None, 5, 7])
@pytest.mark.parametrize("boxes", [1, 9])
def test_options_that_are_allowed(size, boxes):
    options = GameOptions(size, True, True, boxes)
    assert (options.size, options.boxes) == (size, boxes)


def test_a_kingdom_is_scored_by_its_options():
    full = Kingdom.parse("/".join(["W W W W W"] * 2 + ["W W C W W"] + ["W W W W W"] * 2))
    assert GameOptions().score(full).total == 0
    assert GameOptions(harmony=True).score(full).total == 5
    assert GameOptions(middle_kingdom=True).score(full).total == 10
    assert GameOptions(7, harmony=True).score(full).total == 0


def test_a_rule_by_its_name_is_the_rule():
    assert GameOptions(centre="frame").centre is Centre.FRAME
    assert GameOptions(centre="frame") == GameOptions(centre=Centre.FRAME)
