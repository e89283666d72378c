"""The JSON of a photo: what is written, its schema, and what is read back."""

import json

import jsonschema
import pytest
from msgspec.structs import replace

from kdvision.errors import NoKingdomError, UsageError
from kdvision.reading import Colour, Doubt, DoubtCode
from kdvision.report.json import from_json, schema, to_json, typed_kingdom
from kdvision.report.text import text_report
from kdvision.result import PhotoResult, Status
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.legality import problems
from kdvision.rules.rules import Centre, Rules
from kdvision.rules.scoring import score
from kdvision.sentences import Sentence, join_sentences, languages
from tests.support.paths import ROOT, SAMPLES
from tests.support.results import (
    DARK,
    DOUBTFUL,
    DOUBTFUL_PHOTO,
    FULL,
    FULL_TOTAL,
    ILLEGAL,
    NOTHING,
    PHOTO,
    TWO_KINGDOMS,
    read_kingdom,
)

SCHEMA = schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
BLUE = replace(read_kingdom(), colour=Colour.BLUE, colour_probability=0.99)
GLARE = Doubt(DoubtCode.GLARE, places=((1, 2), (1, 3))).name_places((0, 0))
BESIDE = replace(DOUBTFUL.alternatives[0], squares=(((-1, 0), "W"), ((5, 9), "M3")))
RESULTS = {
    "sure": PHOTO,
    "doubtful": DOUBTFUL_PHOTO,
    "two": TWO_KINGDOMS,
    "illegal": ILLEGAL,
    "nothing": NOTHING,
    "blue": replace(PHOTO, kingdoms=(BLUE,)),
    "glare": replace(DOUBTFUL_PHOTO, kingdoms=(replace(DOUBTFUL, doubts=(GLARE,)),)),
    "beside": replace(DOUBTFUL_PHOTO, kingdoms=(replace(DOUBTFUL, alternatives=(BESIDE,)),)),
    "bonuses": replace(
        PHOTO, kingdoms=(read_kingdom(FULL, harmony=True, middle_kingdom=True, seen=FULL),)
    ),
    "any letters": replace(PHOTO, photo="Königreich \udcff\n.jpg"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_result_round_trips(name):
    text = to_json(RESULTS[name])
    (back,) = from_json(text)
    assert text.isascii()
    assert "\n" not in text
    assert back == RESULTS[name]
    assert text_report(back) == text_report(RESULTS[name])


@pytest.mark.parametrize("name", ["meadow_5x5.jpg", "three_kingdoms.jpg", "broken_rule_5x5.jpg"])
def test_samples_fit_the_schema_and_round_trip(scorer, name):
    result = scorer.score(SAMPLES / name)
    VALIDATOR.validate(json.loads(to_json(result)))
    assert from_json(to_json(result)) == [result]


@pytest.mark.parametrize(
    ("field", "value"),
    [("score", "23"), ("status", "maybe"), ("probability", "likely"), ("size", "5x5"),
     ("legal", "yes"), ("corners", [[1]]), ("squares", [{}]), ("colour", "red")],
)  # fmt: skip
def test_another_form_is_refused(field, value):
    data = json.loads(to_json(PHOTO))
    data["kingdoms"][0][field] = value
    assert not VALIDATOR.is_valid(data)
    with pytest.raises(UsageError, match="This is no result of kdscore"):
        from_json(json.dumps(data))


def test_fields_are_in_schema_and_text():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    printed = json.loads(to_json(PHOTO))
    assert set(printed) == set(SCHEMA["properties"])
    assert set(printed["kingdoms"][0]) == set(SCHEMA["$defs"]["KingdomResult"]["properties"])
    text = (ROOT / "docs" / "json.md").read_text("utf-8")
    fields = {*printed, *printed["kingdoms"][0]} - {"schema"}
    assert [field for field in sorted(fields) if f"`{field}`" not in text] == []


def test_points_add_up_to_the_score():
    (kingdom,) = json.loads(to_json(RESULTS["bonuses"]))["kingdoms"]
    earned = [bonus for bonus in kingdom["bonuses"] if bonus["earned"] and bonus["counted"]]
    points = [part["points"] for part in (*kingdom["territories"], *earned)]
    assert sum(points) == kingdom["score"] == FULL_TOTAL + 15


def test_doubts_round_trip_in_every_language():
    doubt = Doubt(DoubtCode.SMALL_SQUARES, fields={"pixels": 9})
    shown = Sentence("no-kingdom.found", {"shown": "no-kingdom.no-tiles"})
    reasons = (doubt.sentence, *NoKingdomError(shown, notes=[doubt.sentence]).reasons)
    (back,) = from_json(to_json(replace(NOTHING, reasons=reasons)))
    for language in languages():
        assert back.why(language) == join_sentences(reasons, language)


@pytest.mark.parametrize("between", ["\n", "", " \n\n "])
def test_several_objects_in_a_row(between):
    results = list(RESULTS.values())
    assert from_json(between.join(map(to_json, results))) == results
    assert from_json("") == []
    pretty = json.dumps(json.loads(to_json(PHOTO)), indent=2)
    assert from_json(pretty) == [PHOTO]


# ---------------------------------------------------------------------- edited


def edited(*path, to, photo=PHOTO) -> str:
    data = inner = json.loads(to_json(photo))
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return json.dumps(data)


#: The index of b3, a lake with a crown; its territory has 10 points.
SQUARE = 11
EDITED = "C W1 G G G/W W G2 - -/S L L F -/S L L L1 -/M2 - - - -"


@pytest.mark.parametrize("photo", [PHOTO, DOUBTFUL_PHOTO], ids=["sure", "doubtful"])
@pytest.mark.parametrize(
    ("path", "value", "line", "total"),
    [
        (("kingdom",), EDITED, EDITED, 18),
        (("kingdom",), "C W1 G/W W G2", "C W1 G/W W G2", 7),
        (("score",), 99, None, 23),
    ],
)
def test_edited_result_counts_as_typed(path, value, line, total, photo):
    (result,) = from_json(edited("kingdoms", 0, *path, to=value, photo=photo))
    (kingdom,) = result.kingdoms
    assert (kingdom.line, kingdom.score) == (line or PHOTO.kingdoms[0].line, total)
    assert not line or kingdom.squares == ()


LEFT_OUT = Doubt(DoubtCode.TILES_LEFT_OUT, fields={"where": "where.top"})


@pytest.mark.parametrize("left_out", [(), (LEFT_OUT,)])
def test_doubts_of_an_edited_kingdom_are_gone(left_out):
    """The photo has those of its other kingdom, and what was left out of it."""
    kingdoms = [replace(DOUBTFUL, doubts=(doubt,)) for doubt in (DARK, GLARE)]
    photo = PhotoResult.of_kingdoms("t.jpg", kingdoms, left_out=left_out)
    (result,) = from_json(edited("kingdoms", 0, "kingdom", to=EDITED, photo=photo))
    assert [kingdom.status for kingdom in result.kingdoms] == [Status.SURE, Status.DOUBTFUL]
    assert result.reasons == tuple(doubt.sentence for doubt in (GLARE, *left_out))


def test_other_rules_keep_the_certainty():
    full = read_kingdom(FULL, Status.DOUBTFUL, 0.8, doubts=(DoubtCode.DARK,))
    photo = replace(DOUBTFUL_PHOTO, kingdoms=(full,))
    (result,) = from_json(to_json(photo), Rules(harmony=True))
    (kingdom,) = result.kingdoms
    assert (kingdom.score, kingdom.status) == (FULL_TOTAL + 5, Status.DOUBTFUL)
    assert kingdom.probability == 0.8
    assert result.reasons == photo.reasons


def test_corrections_stay_under_other_rules():
    wide = "W W C F F F/- - - - - F"
    guessed = replace(read_kingdom(wide), problems=problems(wide))
    framed = read_kingdom("C W", middle_kingdom=True, centre=Centre.FRAME)
    photo = replace(PHOTO, kingdoms=(guessed, framed))
    (result,) = from_json(to_json(photo), Rules(harmony=True))
    first, second = result.kingdoms
    assert [problem.code for problem in first.problems] == ["mighty-duel-guessed"]
    assert second.score == 10


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "{}",
        "[" * 100_000,
        '{"schema": "kdscore/2"}',
        '{"schema": "kdscore/1"}',
        "1" * 5000,
        edited("kingdoms", to=5),
        edited("kingdoms", to=[5]),
        edited("size", to=[1e999, 5]),
        edited("kingdoms", 0, "corners", to=[[1e999, 0.0]]),
        edited("kingdoms", 0, "corners", to=[[0.0, -2e5]]),
        edited("reasons", to=[{"key": "no.such-key", "fields": {}}]),
        edited("reasons", to=[{"key": "x" * 999, "fields": {}}]),
        edited("reasons", to=[{"key": "doubt.small-squares", "fields": {}}]),
        edited("reasons", to=[{"key": "change.empty", "fields": {"where": "change.empty"}}]),
        edited("kingdoms", 0, "kingdom", to="C X"),
        edited("kingdoms", 0, "kingdom", to="-"),
        edited("kingdoms", 0, "size", to=6),
        edited("kingdoms", 0, "bonuses", to=[{"code": "river"}]),
        edited("kingdoms", 0, "squares", 0, "text", to="town"),
        edited("kingdoms", 0, "squares", SQUARE, "text", to="L"),
        edited("kingdoms", 0, "squares", 0, "at", to=[10**9, 0]),
        edited("kingdoms", 0, "squares", 0, "at", to=[]),
        edited("kingdoms", 0, "doubts", to=[{"code": "bored"}]),
        edited("left_out", to=[{"code": "tiles-left-out"}]),
    ],
    ids=lambda text: text[:20],
)  # fmt: skip
def test_not_a_result_is_refused(text):
    with pytest.raises(UsageError) as caught:
        from_json(text)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


def test_result_is_read_from_text():
    with pytest.raises(UsageError, match="it is bytes, and no text"):
        from_json(to_json(PHOTO).encode())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("C W W", Status.SURE),
        ("C W", Status.DOUBTFUL),  # half a domino
        ("C W4 W", Status.DOUBTFUL),  # no square of the box
        ("M3 W C W M3", Status.DOUBTFUL),  # one more than the box has
        ("C W F W1 F", Status.SURE),  # against the rules, but laid with the box
    ],
)
def test_impossible_typed_kingdom_is_doubtful(line, status):
    rules = Rules()
    result = typed_kingdom(score(Kingdom.parse(line), rules), rules)
    assert result.status is status
    # Of what no box can hold nobody knows.
    assert result.probability == (1.0 if status is Status.SURE else 0.5)
    codes = [warning.code for warning in result.doubts]
    assert codes == [DoubtCode.NOT_OF_THE_BOX] * (status is Status.DOUBTFUL)
