"""The public library: `import kdvision`."""

# Callers who use no type checker give what these tests give.
# mypy: disable-error-code="arg-type, override, attr-defined"

import base64
import io
import pickle
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from PIL import Image

import kdvision
from tests.support import refusing
from tests.support.paths import ROOT, SAMPLES
from tests.support.programs import python
from tests.support.results import EXAMPLE, NOTHING, PHOTO, TWO_KINGDOMS, plain
from tests.support.waiting import PATIENCE_S

PLUS = SAMPLES / "plus.jpg"
HEAVY = "{'numpy', 'cv2', 'onnxruntime', 'PIL', 'rich', 'typer'}"


@pytest.fixture(scope="module")
def result() -> kdvision.PhotoResult:
    return kdvision.score_photo(PLUS)


# ---------------------------------------------------------------------- what it gives


def test_importing_loads_nothing_heavy():
    names = "score_photo, score_many, score, Kingdom, Rules, to_json, PhotoResult"
    code = f"from kdvision import {names}; import sys; print({HEAVY} & set(sys.modules))"
    done = python("-W", "error", "-c", code)
    assert (done.stdout, done.stderr) == ("set()\n", "")


@pytest.mark.parametrize("name", kdvision.__all__)
def test_every_name_is_there(name):
    assert getattr(kdvision, name) is not None
    assert name in dir(kdvision)


def test_no_other_name_is_there():
    with pytest.raises(AttributeError, match="no attribute 'scoer'"):
        kdvision.scoer  # noqa: B018


# ---------------------------------------------------------------------- sources


def test_photo_outlives_its_file(result):
    with PLUS.open("rb") as file:
        scored = kdvision.score_photo(file)
    (kingdom,) = scored.kingdoms
    assert kingdom.line == result.kingdoms[0].line
    assert scored.to_image(side=100).size == result.to_image(side=100).size


# ---------------------------------------------------------------------- options and fixes


@pytest.mark.parametrize("fixes", [{"a1": "W1"}, {"A.a1": "w1"}])
def test_fixes_are_places_and_squares(fixes):
    fixed = kdvision.score_photo(PLUS, fixes=fixes)
    assert str(fixed.kingdoms[0].kingdom).startswith("W1 ")


def refuses(error: str, sentence: str, call: Callable[..., object], *given: Any, **named: Any):
    """Check that a call raises an error that `kdvision` exports under this name."""
    refusing.refuses(sentence, call, *given, error=getattr(kdvision, error), **named)


def test_no_photo_has_a_remedy():
    no_photo = np.zeros((4, 4))
    score_photo = kdvision.score_photo
    refuses("UsageError", "int is no photo. Give a path", score_photo, 5)
    refuses("UnreadablePhotoError", "is no photo. Give an RGB array", score_photo, no_photo)
    refuses("RulesError", "int is no name of a photo; give", score_photo, PLUS, name=5)


@pytest.mark.parametrize(
    ("fixes", "sentence"),
    [
        ("b" * 41, f'\'{"b" * 40}\' are no fixes. Give {{"b3": "W1"}}.'),
        ([None], 'are no fixes. Give {"b3": "W1"}.'),
        ({"b3": 1}, "b3=1: there is no square"),
        ({5: "W"}, "'5=W' is no correction."),
    ],
)
def test_no_fixes_have_a_remedy(fixes, sentence):
    refuses("UsageError", sentence, kdvision.score_photo, PLUS, fixes=fixes)


def test_no_models_have_a_remedy():
    refuses("ModelError", "is missing", kdvision.Scorer, str(ROOT))


def test_no_rules_have_a_remedy():
    refuses("RulesError", "The size of a kingdom is 5 or 7, not 6.", kdvision.Rules, 6)
    refuses("RulesError", "int is no record of rules", kdvision.Scorer().score, PLUS, 7)
    refuses("RulesError", "int is no record of rules", kdvision.score_many, [], 7)


def test_no_kingdom_has_a_remedy():
    refuses("NotationError", "'X' is no square.", kdvision.score, "C X")
    sentence = "NoneType is no kingdom; give a Kingdom, or a"
    refuses("RulesError", sentence, kdvision.score, None)


def test_no_result_has_a_remedy():
    refuses("UsageError", "it is int, and no text", kdvision.from_json, 5)
    refuses("UsageError", "str is no result. Give what score_", kdvision.to_json, "table.jpg")
    refuses("UsageError", "str is no result. Give what score_", kdvision.to_html, "table.jpg")
    refuses("UsageError", "int is no result", kdvision.draw_overlay, PLUS, 5)


def test_side_of_a_picture_is_a_number():
    draw = kdvision.draw_overlay
    refuses("UsageError", "side is '0'.", draw, PLUS, PHOTO, side=0)
    # Of a long text only the first letters are said.
    refuses("UsageError", f"'{'w' * 20}'.", draw, PLUS, PHOTO, side="w" * 21)
    refuses("UsageError", "side is 'None'.", kdvision.to_html, PHOTO, side=None)


def test_score_many_refuses_nonsense_at_once():
    score_many = kdvision.score_many
    refuses("UsageError", "photos. Give a list of paths.", score_many, "a.jpg")
    refuses("UsageError", "photos. Give a list of paths.", score_many, 5)
    refuses("UsageError", "workers is '0'.", score_many, [], workers=0)
    refuses("UsageError", f"is '{'w' * 20}'.", score_many, [], workers="w" * 21)
    refuses("RulesError", "int is no function", score_many, [], progress=5)


# ---------------------------------------------------------------------- many photos


def test_score_many_keeps_order_and_tells_progress(result):
    seen = []

    def progress(done: int, count: int) -> None:
        seen.append((done, count))

    photos = [PLUS, SAMPLES / "not_a_kingdom.jpg", "missing.jpg", PLUS.read_bytes()]
    results = list(kdvision.score_many(photos, progress=progress))
    assert [(each.photo, each.status.value) for each in results] == [
        (str(PLUS), result.status.value),
        (str(photos[1]), "no-kingdom"),
        ("missing.jpg", "unreadable"),
        ("The picture", result.status.value),
    ]
    assert results[2].message.startswith("The file does not exist.")
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_score_many_stops_early(monkeypatch):
    asked, left = [], Event()

    class Pool(ThreadPoolExecutor):
        def shutdown(self, **options: bool) -> None:
            super().shutdown(**options)
            left.set()

    def score(_, photo: str, *__: object) -> kdvision.PhotoResult:
        asked.append(photo)
        assert photo == "1.jpg" or left.wait(PATIENCE_S)
        return PHOTO

    monkeypatch.setattr("concurrent.futures.ThreadPoolExecutor", Pool)
    monkeypatch.setattr("kdvision.pipeline.scorer.Scorer.score", score)
    results = kdvision.score_many([f"{number}.jpg" for number in range(1, 9)], workers=1)
    next(results)
    results.close()
    assert asked in (["1.jpg"], ["1.jpg", "2.jpg"])


def test_name_may_be_a_path():
    assert kdvision.open_photo(PLUS.read_bytes(), name=Path("a/x.jpg")).name == str(Path("a/x.jpg"))


# ---------------------------------------------------------------------- results


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (PHOTO, "<PhotoResult 'table.jpg': 23, sure>"),
        (TWO_KINGDOMS, "<PhotoResult 'two.jpg': 1, 23, doubtful>"),
        (NOTHING, "<PhotoResult 'empty.jpg': no kingdom, no-kingdom>"),
        (PHOTO.kingdoms[0], f"<KingdomResult 23, sure, {EXAMPLE}>"),
    ],
)
def test_results_are_short_to_print(shown, text):
    assert repr(shown) == text


def test_result_becomes_json_and_back():
    assert kdvision.from_json(PHOTO.to_json()) == [PHOTO]
    assert PHOTO.to_json() == kdvision.to_json(PHOTO)


def test_overlay_of_a_result(result):
    drawn = kdvision.draw_overlay(PLUS, result, side=400)
    assert np.array_equal(np.asarray(result.to_image(side=400)), drawn)
    assert drawn.shape[1] == 300 and drawn.shape[0] > 400, "a legend lies below the photo"
    assert max(result.to_image(side=1).size) < 400, "the smallest that there is"
    small = kdvision.open_photo(PLUS).pixels(400)[0]
    assert np.array_equal(kdvision.draw_overlay(small, result), drawn)
    assert not np.array_equal(small, drawn[:400])


def test_result_without_photo_asks_for_it(result):
    sent = pickle.loads(pickle.dumps(result))
    assert sent == result
    with pytest.raises(kdvision.UsageError, match=r"does not know its photo\. Give it"):
        sent.to_image()
    assert sent.to_image(PLUS, side=100).size == result.to_image(side=100).size


def test_notebook_shows_photo_and_sheets(result):
    shown, total = result._repr_html_(), result.kingdoms[0].score
    (data,) = re.findall(r'<img src="data:image/jpeg;base64,([^"]+)">', shown)
    picture = Image.open(io.BytesIO(base64.b64decode(data)))
    assert picture.size == result.to_image(side=960).size
    assert re.search(rf"^Total +{total} ", shown, re.MULTILINE)
    kingdom = result.kingdoms[0]._repr_html_()
    assert kingdom.count("<table>") == 2
    assert f"<td>Total</td><td></td><td>{total}</td>" in kingdom


def test_notebook_escapes_names():
    named = kdvision.PhotoResult("<b>.jpg", kdvision.Status.NO_KINGDOM, plain("No kingdom & co."))
    assert named._repr_html_() == "<pre>&lt;b&gt;.jpg: No kingdom &amp; co.</pre>"
