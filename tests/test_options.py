"""The options of a game: what they allow, what they say of all else, and who reads them."""

import re

import pytest
from msgspec.structs import replace

from kdvision import score, score_photo
from kdvision.errors import UsageError
from kdvision.options import GameOptions
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.legality import problems
from kdvision.rules.scoring import Centre
from tests.support.results import FULL, read_kingdom


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"size": 6}, "size is 6. Write None, 5 or 7."),
        ({"size": True}, "size is True. Write None, 5 or 7."),
        ({"middle_kingdom": 1}, "middle_kingdom is 1. Write True or False."),
        ({"centre": "m" * 21}, f"centre is '{'m' * 20}'. Write box or frame."),
        ({"size": 10**20}, f"size is {10**19}. Write None, 5 or 7."),
    ],
)
def test_options_that_make_no_sense_are_refused_with_a_remedy(options, sentence):
    for ask in (GameOptions, GameOptions.from_words, lambda given: score_photo("no.jpg", **given)):
        with pytest.raises(UsageError, match=re.escape(sentence)):
            ask(**options) if ask is GameOptions else ask(options)


def test_a_kingdom_is_scored_by_its_options():
    full = Kingdom.parse("/".join(["W W W W W"] * 2 + ["W W C W W"] + ["W W W W W"] * 2))
    assert GameOptions().score(full).total == 0
    assert GameOptions(harmony=True).score(full).total == 5
    assert GameOptions(middle_kingdom=True).score(full).total == 10
    assert GameOptions(7, harmony=True).score(full).total == 0
    assert score(full, size=7, middle_kingdom=True).total == 10
    # A rule by its name is the rule, but a word is no value.
    assert GameOptions(centre="frame") == GameOptions(centre=Centre.FRAME)
    for options in ({"size": "5"}, {"harmony": "yes"}):
        with pytest.raises(UsageError):
            GameOptions(**options)


@pytest.mark.parametrize(
    "options", [GameOptions(), GameOptions(7, middle_kingdom=True, centre=Centre.FRAME)]
)
def test_a_result_tells_by_which_rules_it_was_scored(options):
    sheet, broken = options.score(FULL), problems("C W W C")
    result = read_kingdom().with_sheet(sheet, broken)
    assert (result.sheet, result.problems, result.legal) == (sheet, broken, False)
    assert replace(result, bonuses=()).sheet.centre is Centre.BOX


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ({}, {}),
        ({"size": "7", "harmony": "yes"}, {"size": 7, "harmony": True}),
        ({"--size": "auto", "--middle-kingdom": "no"}, {}),
        ({"size": "7.0"}, {"size": 7}),
        ({"Size": " 5 ", "harmony": ""}, {"size": 5}),
        ({"harmonie": "ja", "mittelreich": "x", "Zentrum": "FRAME"},
         {"harmony": True, "middle_kingdom": True, "centre": "frame"}),
        ({"size": None, "harmony": True}, {"harmony": True}),
        ({"grösse": 7}, {"size": 7}),
    ],
)  # fmt: skip
def test_words_are_read_wherever_they_come_from(words, options):
    assert GameOptions.from_words(words) == GameOptions(**options)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"size": "6"}, "size is '6' in line 3. Write auto, 5 or 7."),
        ({"size": "5.5"}, "size is '5.5' in line 3. Write auto, 5 or 7."),
        ({"--harmony": "m" * 21}, f"--harmony is '{'m' * 20}' in line 3. Write yes or no."),
        ({"size": [5]}, "size is [5] in line 3. Write None, 5 or 7."),
        (
            {"c" * 21: "red"},
            f"There is no option '{'c' * 20}' in line 3. The options are size, harmony",
        ),
    ],
)
def test_a_wrong_word_is_said_with_its_place(words, sentence):
    with pytest.raises(UsageError, match=re.escape(sentence)):
        GameOptions.from_words(words, where="line 3")


def test_words_lie_over_options_that_hold_already():
    before = GameOptions(7, harmony=True)
    after = GameOptions.from_words({"harmony": "no", "size": ""}, over=before)
    assert after == GameOptions(7)
