"""The rules of a game, and reading them from words: of a command, a sheet or a program."""

# Callers who use no type checker give what these tests give.
# mypy: disable-error-code="arg-type"

import re

import pytest
from msgspec.structs import replace

from kdvision import score
from kdvision.errors import UsageError
from kdvision.options import read_rules
from kdvision.rules.errors import RulesError
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.legality import problems
from kdvision.rules.rules import Centre, Rules
from tests.support.results import FULL, read_kingdom


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"size": 6}, "size is 6. Write None, 5 or 7."),
        ({"size": True}, "size is True. Write None, 5 or 7."),
        ({"middle_kingdom": 1}, "middle_kingdom is 1. Write True or False."),
        ({"centre": "m" * 21}, f"centre is '{'m' * 20}'. Write box or frame."),
        ({"size": 10**20}, f"size is {10**19}. Write None, 5 or 7."),
    ],
)
def test_nonsense_values_have_a_remedy(rules, sentence):
    with pytest.raises(UsageError, match=re.escape(sentence)):
        read_rules(rules)


def test_kingdom_is_scored_by_its_rules():
    full = Kingdom.parse("/".join(["W W W W W"] * 2 + ["W W C W W"] + ["W W W W W"] * 2))
    assert score(full).total == 0
    assert score(full, Rules(harmony=True)).total == 5
    assert score(full, Rules(middle_kingdom=True)).total == 10
    assert score(full, Rules(7, harmony=True)).total == 0
    assert score(full, Rules(7, middle_kingdom=True)).total == 10
    # A rule by its name is the rule, but a word is no value.
    assert Rules(centre="frame") == Rules(centre=Centre.FRAME)
    for rules in ({"size": "5"}, {"harmony": "yes"}):
        with pytest.raises(RulesError):
            Rules(**rules)


@pytest.mark.parametrize("rules", [Rules(), Rules(7, middle_kingdom=True, centre=Centre.FRAME)])
def test_result_tells_its_rules(rules):
    sheet, broken = score(FULL, rules), problems("C W W C")
    result = read_kingdom().with_sheet(sheet, broken)
    assert (result.sheet, result.problems, result.legal) == (sheet, broken, False)
    assert replace(result, bonuses=()).sheet.centre is Centre.BOX


@pytest.mark.parametrize(
    ("words", "rules"),
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
def test_words_from_any_source(words, rules):
    assert read_rules(words) == Rules(**rules)


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
def test_wrong_word_names_its_place(words, sentence):
    with pytest.raises(UsageError, match=re.escape(sentence)):
        read_rules(words, where="line 3")


def test_words_override_rules():
    before = Rules(7, harmony=True)
    after = read_rules({"harmony": "no", "size": ""}, over=before)
    assert after == Rules(7)
