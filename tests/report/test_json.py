"""Results as JSON, and back."""

import json

import pytest
from msgspec.structs import replace

from kdvision.errors import NoKingdomError, UsageError
from kdvision.reading import Doubt, DoubtCode
from kdvision.report.json import from_json, to_json, to_object
from kdvision.report.text import text_report
from kdvision.result import PhotoResult, Status
from kdvision.sentences import Sentence, joined, languages
from kdvision.slips.slip import Mark, Slip, SlipCode
from tests.support.results import (
    DOUBTFUL_PHOTO,
    FULL,
    FULL_TOTAL,
    ILLEGAL,
    NOTHING,
    PHOTO,
    SLIP,
    TWO_KINGDOMS,
    read_kingdom,
)

BONUSES = PhotoResult(
    "bonus.jpg",
    Status.SURE,
    (),
    (read_kingdom(FULL, harmony=True, middle_kingdom=True, seen=FULL, warnings=("Dark.",)),),
)
TILES = {"number": 8, "where": "where.top"}
RESULTS = (PHOTO, DOUBTFUL_PHOTO, TWO_KINGDOMS, ILLEGAL, NOTHING, BONUSES)


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.photo)
def test_a_result_comes_back_and_makes_the_same_report(result):
    text = to_json(result)
    assert "\n" not in text
    (back,) = from_json(text)
    assert back == result
    assert text_report(back) == text_report(result)


def test_the_form_of_a_photo():
    photo = to_object(PHOTO)
    head = ["schema", "photo", "photo_size", "status", "message", "reasons"]
    assert list(photo) == [*head, "kingdoms", "slips"]
    assert (photo["schema"], photo["photo"], photo["status"]) == ("kdscore/1", "table.jpg", "sure")
    assert photo["photo_size"] == [800, 600]


def test_the_form_of_a_kingdom():
    (kingdom,) = to_object(DOUBTFUL_PHOTO)["kingdoms"]
    assert kingdom["kingdom"].startswith("C W1 G G G/W W G2 - -/")
    assert kingdom["score"] == 23
    assert kingdom["status"] == "doubtful"
    assert kingdom["probability"] == 0.81
    assert kingdom["alternatives"][0] == {
        "score": 28,
        "probability": 0.123,
        "squares": [{"row": 2, "col": 1, "terrain": "lake", "crowns": 2}],
    }
    assert kingdom["size"] == 5
    assert kingdom["corners"] == [[120, 80], [620, 95], [600, 560], [100, 540]]
    assert kingdom["squares"][0] == {
        "row": 0, "col": 0, "terrain": "castle", "crowns": 0, "probability": 0.99, "center": [0, 0],
        "others": [],
    }  # fmt: skip
    assert kingdom["squares"][8]["terrain"] == "empty"
    assert kingdom["territories"][3] == {
        "terrain": "mine", "squares": 1, "crowns": 2, "points": 2, "cells": [[4, 0]],
    }  # fmt: skip
    assert kingdom["bonuses"]["harmony"] == {
        "earned": False,
        "points": 0,
        "worth": 5,
        "counted": False,
        "note": "17 of 25 places of the 5x5 are filled",
    }
    assert isinstance(kingdom["legal"], bool)
    assert kingdom["seen"] is None


def test_bonuses_count_in_the_score():
    (kingdom,) = to_object(BONUSES)["kingdoms"]
    assert kingdom["score"] == FULL_TOTAL + 15
    assert kingdom["bonuses"]["middle_kingdom"]["counted"] is True


def test_why_there_is_doubt_comes_back_for_every_language():
    doubt = Doubt(DoubtCode.SMALL_SQUARES, fields={"pixels": 9})
    shown = Sentence("no-kingdom.found", {"shown": "no-kingdom.no-tiles"})
    reasons = (doubt.sentence, *NoKingdomError(shown, notes=[doubt.sentence]).reasons)
    (back,) = from_json(to_json(replace(NOTHING, reasons=reasons)))
    assert back.reasons == reasons
    assert [back.why(language) for language in languages()] == [
        joined(reasons, language) for language in languages()
    ]


@pytest.mark.parametrize(
    "reasons",
    [
        None,
        [{"key": "no.such-key", "fields": {}}],
        [{"key": "doubt.small-squares", "fields": {}}],
        [{"key": "doubt.damaged-file", "fields": {"damage": "doubt.damaged-file"}}],
    ],
)
def test_a_message_of_another_version_comes_back_as_it_is(reasons):
    """Version 1.0.0 wrote no reasons, and one to come may have others."""
    (back,) = from_json(changed("reasons", to=reasons))
    assert back.message == back.why("de") == DOUBTFUL_PHOTO.message


def test_what_1_0_0_wrote_as_text_is_known_in_every_language_where_a_kingdom_says_it():
    doubts = Doubt(DoubtCode.BLURRED), Doubt(DoubtCode.TILES_NOT_READ, fields=TILES)
    kingdom = replace(DOUBTFUL_PHOTO.kingdoms[0], warnings=doubts)
    reasons = tuple(doubt.sentence for doubt in doubts)
    old = to_object(replace(DOUBTFUL_PHOTO, kingdoms=(kingdom,), reasons=reasons))
    del old["reasons"]
    (back,) = from_json(json.dumps(old))
    assert back.reasons == reasons
    (other,) = from_json(json.dumps(old | {"message": f"{old['message']} And more."}))
    assert other.why("de") == f"{old['message']} And more."


def test_a_doubt_of_another_version_keeps_its_kind_and_its_sentence():
    """Version 1.0.0 wrote damage as English text."""
    said = "The photo is damaged: its decoder says 'bad'."
    doubt = {"code": "damaged-file", "fields": {"damage": said}, "cells": [[1, 1]]}
    data = json.loads(changed("kingdoms", 0, "doubts", to=[doubt]))
    data["kingdoms"][0]["warnings"] = [said]
    (back,) = from_json(json.dumps(data))
    (warning,) = back.kingdoms[0].warnings
    assert (warning.code, warning.message) == (DoubtCode.DAMAGED_FILE, said)
    assert from_json(to_json(back)) == [back]


def test_problems_and_whether_the_kingdom_is_legal():
    (kingdom,) = to_object(replace(PHOTO, kingdoms=(read_kingdom("C M3 M3/F F -"),)))["kingdoms"]
    assert kingdom["legal"] is None
    assert {problem["severity"] for problem in kingdom["problems"]} == {"warning"}
    (kingdom,) = to_object(replace(PHOTO, kingdoms=(read_kingdom("C W1 -/- - F"),)))["kingdoms"]
    assert kingdom["legal"] is False
    problem = kingdom["problems"][0]
    assert problem["code"] == "not-connected"
    assert problem["cells"] == [[1, 2]]


def test_what_a_kingdom_breaks_whatever_the_deck_is_not_legal():
    (kingdom,) = to_object(replace(PHOTO, kingdoms=(read_kingdom("W1 W L L C"),)))["kingdoms"]
    assert kingdom["legal"] is False
    (kingdom,) = to_object(replace(PHOTO, kingdoms=(read_kingdom("C W W"),)))["kingdoms"]
    assert kingdom["legal"] is True


def test_alternatives_may_lie_beside_the_grid():
    kingdom = DOUBTFUL_PHOTO.kingdoms[0]
    beside = replace(kingdom.alternatives[0], squares=(((-1, 0), "W"), ((5, 9), "M3")))
    result = replace(DOUBTFUL_PHOTO, kingdoms=(replace(kingdom, alternatives=(beside,)),))
    assert from_json(to_json(result)) == [result]


def test_names_of_any_letters_survive():
    result = replace(PHOTO, photo="Königreich \udcff\n.jpg")
    assert to_json(result).isascii()
    assert from_json(to_json(result)) == [result]


@pytest.mark.parametrize("between", ["\n", "", " \n\n "])
def test_several_objects_in_a_row(between):
    text = between.join(map(to_json, RESULTS))
    assert from_json(text) == list(RESULTS)
    assert from_json("") == []


def changed(*path, to) -> str:
    data = json.loads(to_json(DOUBTFUL_PHOTO))
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    if to is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return json.dumps(data)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "62",
        "{}",
        "[" * 100_000,
        '{"schema": "kdscore/2"}',
        '{"schema": "kdscore/1"}',
        "1" * 5000,
        changed("kingdoms", to=5),
        changed("kingdoms", to=[5]),
        changed("photo", to=None),
        changed("photo_size", to=[1e999, 5]),
        changed("status", to="certain"),
        changed("kingdoms", 0, "kingdom", to="C X"),
        changed("kingdoms", 0, "kingdom", to=5),
        changed("kingdoms", 0, "size", to=6),
        changed("kingdoms", 0, "probability", to=7),
        changed("kingdoms", 0, "probability", to=float("nan")),
        changed("kingdoms", 0, "squares", 0, "terrain", to="town"),
        changed("kingdoms", 0, "squares", 0, "row", to=[]),
        changed("kingdoms", 0, "squares", 1, "crowns", to=77),
        changed("kingdoms", 0, "corners", 0, to=[1]),
        changed("kingdoms", 0, "bonuses", to=[]),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_no_result_is_refused_in_a_sentence(text):
    with pytest.raises(UsageError, match="This is no result of kdscore") as caught:
        from_json(text)
    assert len(str(caught.value)) < 400
    assert str(caught.value).isprintable()


def test_what_the_deck_changed_is_said_in_words_too():
    result = read_kingdom("C F1/W W1", seen="C F1/W W")
    (kingdom,) = to_object(replace(PHOTO, kingdoms=(result,)))["kingdoms"]
    assert kingdom["seen"] == "C F1/W W"
    assert kingdom["corrections"] == [
        "b2 looked like W, but with the dominoes of the deck it must be W1."
    ]
    assert to_object(PHOTO)["kingdoms"][0]["corrections"] == []


def test_a_slip_stands_with_its_kingdom_and_comes_back():
    mark = Mark("tens", 4, (210.5, 300.0))
    slip = Slip(
        code=SlipCode("7GQ2X", 3, 12, 47),
        claimed=None,
        bonuses=("harmony",),
        marks=(mark,),
        unclear="slip.blank",
        place="units",
        probability=0.25,
        corners=((1.0, 2.0), (30.0, 2.0), (30.0, 22.0), (1.0, 22.0)),
        code_px=98.0,
        kingdom=0,
    )
    photo = replace(PHOTO, slips=(slip,))
    data = to_object(photo)
    (kingdom,) = data["kingdoms"]
    assert kingdom["slip"] == data["slips"][0]
    assert {name: kingdom["slip"][name] for name in ("event", "round", "table", "player")} == {
        "event": "7GQ2X", "round": 3, "table": 12, "player": 47,
    }  # fmt: skip
    assert kingdom["slip"]["marks"] == [{"place": "tens", "digit": 4, "center": [210.5, 300.0]}]
    assert from_json(to_json(photo)) == [photo]
    for doubt in (replace(slip, kingdom_is_sure=False), replace(slip, kingdom=None)):
        (kingdom,) = to_object(replace(PHOTO, slips=(doubt,)))["kingdoms"]
        assert kingdom["slip"] is None
    (kingdom,) = to_object(replace(PHOTO, slips=(slip, slip)))["kingdoms"]
    assert kingdom["slip"] is None


def test_a_result_is_read_where_a_version_knew_other_bonuses():
    data = to_object(BONUSES)
    bonuses = data["kingdoms"][0]["bonuses"]
    bonuses["long_river"] = bonuses.pop("harmony")
    (result,) = from_json(json.dumps(data))
    (kingdom,) = result.kingdoms
    assert kingdom.sheet.total == FULL_TOTAL + 10


def test_a_slip_beside_a_kingdom_that_was_taken_out_is_said():
    data = json.loads(to_json(replace(PHOTO, slips=(SLIP,))))
    data["kingdoms"] = []
    with pytest.raises(UsageError, match="a slip lies beside a kingdom that is not there"):
        from_json(json.dumps(data))
