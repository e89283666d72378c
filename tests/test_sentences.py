"""The catalogues: the same keys and fields in every language, and a key for every code."""

import ast
import re
from collections.abc import Iterator
from typing import Any

import pytest

from kdvision.reading import Doubt, DoubtCode
from kdvision.rules.legality import Code
from kdvision.rules.series import By
from kdvision.rules.standings import TieBreak, TieEnd, TieRule
from kdvision.rules.terrain import Terrain
from kdvision.sentences import catalogue, languages, sentence
from kdvision.tournament.mistakes import Mistake
from tests.support.paths import ROOT
from tests.support.templates import template_fields

LANGUAGES = [language for language in languages() if language != "en"]


def test_languages():
    assert {"de", "en"} <= set(languages())
    with pytest.raises(KeyError, match="'xx'"):
        sentence("doubt.blurred", "xx")
    with pytest.raises(KeyError):
        sentence("doubt.unheard-of")


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_have_the_same_fields(language):
    english, translated = catalogue(), catalogue(language)
    assert list(translated) == list(english)
    for key, template in english.items():
        assert template_fields(translated[key]) == template_fields(template), key
        assert translated[key].strip(), key


@pytest.mark.parametrize(
    ("room", "codes"),
    [("doubt", DoubtCode), ("problem", Code), ("mistake", Mistake), ("terrain", Terrain),
     ("standings.tie-rule", TieRule), ("standings.tie-break", TieBreak),
     ("standings.by", {*By} - {By.SUM}), ("standings.compared", TieBreak),
     ("standings.tie-end", {*TieEnd} - {TieEnd.BROKEN})],
)  # fmt: skip
def test_every_code_has_its_sentence(room, codes):
    keys = {code.value if "." in code.value else f"{room}.{code.value}" for code in codes}
    assert keys <= set(catalogue())


@pytest.mark.parametrize("language", languages())
def test_every_brace_is_a_field(language):
    for key, template in catalogue(language).items():
        fields = dict.fromkeys(template_fields(template), "where.top")
        assert not re.search("[{}]", sentence(key, language, **fields)), key


def test_fields_are_put_in():
    """A field stands as it is, braces and all."""
    assert sentence("plain.text", text="{damage} is odd.") == "{damage} is odd."
    with pytest.raises(KeyError, match="pixels"):
        sentence("doubt.small-squares")


def test_number_picks_the_word():
    key, squares = "laying.squares", "b1"
    texts = [sentence(key, number=number, squares=squares) for number in (1, 2)]
    assert ["all of" in text for text in texts] == [False, True]


def test_field_may_name_a_sentence():
    fields: dict[str, Any] = {"number": 8, "where": "where.top-left"}
    assert sentence("where.top-left") in sentence("doubt.tiles-left-out", **fields)
    assert sentence("where.top-left", "de") in sentence("doubt.tiles-left-out", "de", **fields)


def test_doubt_takes_its_complete_variant():
    bare, named = Doubt(DoubtCode.GLARE), Doubt(DoubtCode.GLARE, fields={"squares": "b3"})
    assert (bare.key, named.key) == ("doubt.glare", "doubt.glare.at")
    assert "b3" in named.message
    assert "b3" in named.text("de") != named.message
    # The photo is blurred everywhere: there is no variant that names squares.
    assert Doubt(DoubtCode.BLURRED, fields={"squares": "b3"}).key == "doubt.blurred"


def named_keys() -> Iterator[tuple[str, bool]]:
    """The keys of all calls that take one, and whether they are whole or what keys begin with."""
    for path in (ROOT / "kdvision").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                room = {"Sentence": "", "sentence": "", "_fix_error": "correction."}
                given = node.args[0]
                key = given.values[0] if isinstance(given, ast.JoinedStr) else given
                if node.func.id in room and isinstance(key, ast.Constant):
                    yield room[node.func.id] + str(key.value), key is given


def test_every_key_of_the_code_has_a_sentence():
    """An error whose sentence is missing would be another error."""
    keys, named = catalogue().keys(), set(named_keys())
    assert named
    assert {key for key, whole in named if whole} <= keys
    for beginning in (key for key, whole in named if not whole):
        assert any(key.startswith(beginning) for key in keys), beginning


@pytest.mark.parametrize(
    ("crowns", "words"), [(1, "einer Krone"), (2, "zwei Kronen"), (3, "drei Kronen")]
)
def test_crowns_stand_in_their_german_case(crowns, words):
    """`eine Krone` becomes `mit einer Krone`."""
    fields: dict[str, Any] = {"places": "b3", "n": 1, "terrain": "terrain.lake"}
    text = sentence("change.square", "de", **fields, with_crowns=f"with-crowns.{crowns}")
    assert text == f"b3 See mit {words} ist"
