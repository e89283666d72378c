"""The public library: `import kdvision`."""

# Callers who use no type checker give what these tests give.
# mypy: disable-error-code="arg-type, override, attr-defined"

import base64
import io
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from PIL import Image

import kdvision
from tests.support.paths import ROOT, SAMPLES
from tests.support.programs import python
from tests.support.results import EXAMPLE, NOTHING, PHOTO, TWO_KINGDOMS, plain
from tests.support.waiting import PATIENCE_S

PLUS = SAMPLES / "plus.jpg"
UNREADABLE, SEVERAL = "UnreadablePhotoError", "photos. Give a list of paths."
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
    assert [each.line for each in scored.kingdoms] == [each.line for each in result.kingdoms]
    assert scored.to_image(side=100).size == result.to_image(side=100).size


# ---------------------------------------------------------------------- options and fixes


@pytest.mark.parametrize("fixes", [{"a1": "W1"}, {"A.a1": "w1"}])
def test_fixes_are_places_and_squares(fixes):
    fixed = kdvision.score_photo(PLUS, fixes=fixes)
    assert str(fixed.kingdoms[0].kingdom).startswith("W1 ")


NO_PHOTO = np.zeros((4, 4))
FIXES = 'are no fixes. Give {"b3": "W1"}.'
REFUSED = [
    # What is given for a photo.
    (lambda: kdvision.score_photo(5), "UsageError", "int is no photo. Give a path"),
    (lambda: kdvision.score_photo(NO_PHOTO), UNREADABLE, "is no photo. Give an RGB array"),
    # Fixes.
    (lambda: kdvision.score_photo(PLUS, fixes="b" * 41), "UsageError", f"'{'b' * 40}' {FIXES}"),
    (lambda: kdvision.score_photo(PLUS, fixes=[None]), "UsageError", FIXES),
    (lambda: kdvision.score_photo(PLUS, fixes={"b3": 1}), "UsageError", "b3=1: there is no square"),
    (lambda: kdvision.score_photo(PLUS, fixes={5: "W"}), "UsageError", "'5=W' is no correction."),
    # Slips of a program.
    (lambda: kdvision.Scorer().score(PLUS, 7), "RulesError", "int is no record of rules"),
    (lambda: kdvision.Scorer(str(ROOT)), "ModelError", "is missing"),
    (lambda: kdvision.from_json(5), "UsageError", "it is int, and no text"),
    (lambda: kdvision.to_json("table.jpg"), "UsageError", "str is no result. Give what score_"),
    (lambda: kdvision.to_html("table.jpg"), "UsageError", "str is no result. Give what score_"),
    (lambda: kdvision.draw_overlay(PLUS, 5), "UsageError", "int is no result"),
    (lambda: kdvision.draw_overlay(PLUS, PHOTO, side=0), "UsageError", "side is '0'."),
    (lambda: kdvision.draw_overlay(PLUS, PHOTO, side="w" * 21), "UsageError", f"'{'w' * 20}'."),
    (lambda: kdvision.to_html(PHOTO, side=None), "UsageError", "side is 'None'."),
    # What is given for a kingdom.
    (lambda: kdvision.score("C X"), "NotationError", "'X' is no square."),
    (lambda: kdvision.score(None), "RulesError", "NoneType is no kingdom; give a Kingdom, or a"),
    (lambda: kdvision.Rules(6), "RulesError", "The size of a kingdom is 5 or 7, not 6."),
    # Many photos, refused at once.
    (lambda: kdvision.score_many("a.jpg"), "UsageError", SEVERAL),
    (lambda: kdvision.score_many(5), "UsageError", SEVERAL),
    (lambda: kdvision.score_many([], 7), "RulesError", "int is no record of rules"),
    (lambda: kdvision.score_many([], workers=0), "UsageError", "workers is '0'."),
    (lambda: kdvision.score_many([], progress=5), "RulesError", "int is no function"),
    (lambda: kdvision.score_photo(PLUS, name=5), "RulesError", "int is no name of a photo; give"),
    (lambda: kdvision.score_many([], workers="w" * 21), "UsageError", f"is '{'w' * 20}'."),
]


@pytest.mark.parametrize(("ask", "error", "sentence"), REFUSED)
def test_nonsense_has_a_remedy(ask, error, sentence):
    with pytest.raises(getattr(kdvision, error), match=re.escape(sentence)):
        ask()


# ---------------------------------------------------------------------- many photos


def test_score_many_keeps_order_and_tells_progress(result):
    seen = []
    photos = [PLUS, SAMPLES / "not_a_kingdom.jpg", "missing.jpg", PLUS.read_bytes()]
    results = list(
        kdvision.score_many(photos, progress=lambda done, count: seen.append((done, count)))
    )
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
