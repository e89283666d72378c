"""Whatever is printed as JSON is of the form that the schema file says."""

import json

import jsonschema
import pytest
from msgspec.structs import replace

from kdvision.reading import Colour, Doubt, DoubtCode
from kdvision.report.json import from_json, schema, to_json, to_object
from kdvision.result import Status
from scripts.docs import json_schema
from tests.support.paths import ROOT, SAMPLES
from tests.support.results import (
    DOUBTFUL,
    DOUBTFUL_PHOTO,
    FULL,
    ILLEGAL,
    NOTHING,
    PHOTO,
    TWO_KINGDOMS,
    read_kingdom,
)

SCHEMA = schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
UNKNOWN = replace(DOUBTFUL, scored=False, warnings=(Doubt(DoubtCode.BLURRED),))
RESULTS = {
    "sure": PHOTO,
    "doubtful": DOUBTFUL_PHOTO,
    "two": TWO_KINGDOMS,
    "illegal": ILLEGAL,
    "nothing": NOTHING,
    "blue": replace(
        PHOTO,
        kingdoms=(replace(PHOTO.kingdoms[0], colour=Colour.BLUE, colour_probability=0.99),),
    ),
    "not scored": replace(DOUBTFUL_PHOTO, kingdoms=(UNKNOWN,)),
    "bonuses": replace(
        PHOTO, kingdoms=(read_kingdom(FULL, harmony=True, middle_kingdom=True, seen=FULL),)
    ),
}


def test_the_file_holds_the_schema_of_the_records():
    assert json_schema.PATH.read_text("utf-8") == json_schema.text()


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_of_the_form(name):
    VALIDATOR.validate(json.loads(to_json(RESULTS[name])))
    assert from_json(to_json(RESULTS[name])) == [RESULTS[name]]


@pytest.mark.parametrize("name", ["meadow_5x5.jpg", "three_kingdoms.jpg", "broken_rule_5x5.jpg"])
def test_samples_are_of_the_form(scorer, name):
    VALIDATOR.validate(to_object(scorer.score(SAMPLES / name)))


@pytest.mark.parametrize(
    ("field", "value"),
    [("score", "23"), ("score", -1), ("status", "maybe"), ("probability", 1.2), ("size", 6),
     ("legal", "yes"), ("corners", [[1]]), ("squares", [{}]), ("scored", None)],
)  # fmt: skip
def test_another_form_is_refused(field, value):
    data = to_object(PHOTO)
    data["kingdoms"][0][field] = value
    assert not VALIDATOR.is_valid(data)


def test_every_field_is_described_and_explained():
    printed = to_object(PHOTO)
    assert set(printed) == set(SCHEMA["properties"])
    known = set(SCHEMA["$defs"]["KingdomObject"]["properties"])
    assert set(printed["kingdoms"][0]) == known
    text = (ROOT / "docs" / "json.md").read_text("utf-8")
    for field in {*printed, *printed["kingdoms"][0]} - {"schema"}:
        assert f"`{field}`" in text


@pytest.mark.parametrize("harmony", [True, False])
@pytest.mark.parametrize("line", [FULL, "C W1 G G"])
def test_all_points_add_up_to_the_score(line, harmony):
    """A bonus that is not in play cannot be added by mistake."""
    (kingdom,) = to_object(replace(PHOTO, kingdoms=(read_kingdom(line, harmony=harmony),)))[
        "kingdoms"
    ]
    points = [one["points"] for one in (*kingdom["territories"], *kingdom["bonuses"].values())]
    assert sum(points) == kingdom["score"]
    assert kingdom["bonuses"]["harmony"]["worth"] == 5


#: How programs may add a bonus: its points; these where it counts; its worth where it counts.
READERS = {
    "all": lambda bonus: bonus["points"],
    "counted": lambda bonus: bonus["points"] if bonus["counted"] else 0,
    "worth": lambda bonus: bonus["worth"] if bonus["counted"] else 0,
}


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
@pytest.mark.parametrize("harmony", [True, False])
@pytest.mark.parametrize("middle", [True, False])
def test_every_reader_that_adds_up_gets_the_score(reader, harmony, middle):
    """Those written for 0.1.0, whose bonuses had points when not in play, had to ask `counted`."""
    one = read_kingdom(FULL, harmony=harmony, middle_kingdom=middle)
    (kingdom,) = to_object(replace(PHOTO, kingdoms=(one,)))["kingdoms"]
    territories = sum(one["points"] for one in kingdom["territories"])
    assert territories + sum(map(reader, kingdom["bonuses"].values())) == kingdom["score"]


def test_what_0_1_0_printed_is_read_and_scored_alike():
    """It had none of the fields that came later, and points of bonuses that were not in play."""
    new = to_object(PHOTO)
    (kingdom,) = new["kingdoms"]
    later = {"scored", "warning_codes", "doubts", "origin", "dominoes"}
    old = {name: kingdom[name] for name in kingdom if name not in later}
    old["squares"] = [
        {name: one[name] for name in one if name != "others"} for one in kingdom["squares"]
    ]
    old["bonuses"] = {
        name: {"earned": one["earned"], "points": one["worth"], "counted": False, "note": ""}
        for name, one in kingdom["bonuses"].items()
    }
    (back,) = from_json(json.dumps({**new, "kingdoms": [old]}))
    assert (back.kingdoms[0].score, back.kingdoms[0].scored) == (kingdom["score"], True)
    assert back.kingdoms[0].sheet == PHOTO.kingdoms[0].sheet


def test_warnings_come_back_by_code_and_fields():
    """Whatever their sentences are: those of another version may differ."""
    places = ((1, 2), (1, 3))
    glare = Doubt(DoubtCode.GLARE, cells=places).placed((0, 0), (0, 0))
    small = Doubt(DoubtCode.SMALL_SQUARES, fields={"pixels": 17})
    kingdom = replace(DOUBTFUL, warnings=(glare, small))
    written = to_object(replace(DOUBTFUL_PHOTO, kingdoms=(kingdom,)))
    written["kingdoms"][0]["warnings"] = ["Worded.", "Otherwise."]
    (back,) = from_json(json.dumps(written))
    assert back.kingdoms[0].warnings == (glare, small)
    # A kind that only a later version knows is still said.
    written["kingdoms"][0]["doubts"][0]["code"] = "of-a-later-version"
    (back,) = from_json(json.dumps(written))
    assert [one.message for one in back.kingdoms[0].warnings] == ["Worded.", small.message]


def test_a_warning_keeps_its_kind():
    left_out = Doubt(DoubtCode.CUT_OFF_LEFT_OUT)
    result = replace(PHOTO, kingdoms=(replace(PHOTO.kingdoms[0], warnings=(left_out,)),))
    (back,) = from_json(to_json(result))
    assert back.kingdoms[0].warnings == (left_out,)
    old = to_object(result)
    for field in ("warning_codes", "doubts", "scored"):
        del old["kingdoms"][0][field]
    (back,) = from_json(json.dumps(old))
    assert back.kingdoms[0].warnings[0].message == left_out.message
    assert back.kingdoms[0].scored
    assert Status(old["status"]) is Status.SURE
