"""Photos over HTTP: results as on the command line, corrections, pictures, keys."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Semaphore
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from kdvision.pipeline.scorer import Scorer
from kdvision.reading import Alternative
from kdvision.report.json import to_json
from kdvision.report.overlay import encode_picture
from kdvision.result import PhotoResult, Status
from kdvision.serve.app import create_app
from kdvision.serve.store import Store
from kdvision.serve.views import cut_board, make_views
from tests.support import fakes
from tests.support.fakes import FakeScorer
from tests.support.results import PHOTO, read_kingdom
from tests.support.serving import BLUE, GREEN, Phone, sample
from tests.support.waiting import PATIENCE_S


def test_result_agrees_with_the_command_line(scorer: Scorer, tmp_path) -> None:
    app = create_app(scorer, Store(tmp_path / "e.sqlite"))
    with TestClient(app) as client:
        files = {"photo": ("plus.jpg", sample("plus.jpg"))}
        shown = client.post("/api/photos", files=files).json()
    result = scorer.score(sample("plus.jpg"), name="plus.jpg")
    assert {**shown, **json.loads(to_json(result))} == shown
    assert len(shown["id"]) == 22


@pytest.mark.parametrize(
    ("file", "name"), [("a.jpg", "a.jpg"), (f"{'x' * 99}.jpg", f"{'x' * 76}.jpg")]
)
def test_long_names_of_files_keep_their_end(phone: Phone, file: str, name: str) -> None:
    sent = phone.client.post("/api/photos", files={"photo": (file, fakes.fake_photo(BLUE))})
    assert sent.json()["photo"] == name


def test_squares_are_corrected_and_taken_back(phone: Phone) -> None:
    photo = phone.photo(BLUE, colours=("blue",))
    fixes = f"/api/photos/{photo['id']}/fixes"
    fixed = phone.client.post(fixes, json={"A.b2": "G"}).json()
    assert (fixed["kingdoms"][0]["score"], fixed["fixes"]) == (6, {"A.b2": "G"})
    both = phone.client.post(fixes, json={"A.b1": "W"}).json()
    assert both["fixes"] == {"A.b2": "G", "A.b1": "W"}
    back = phone.client.post(fixes, json={"A.b2": None, "A.b1": None}).json()
    assert (back["kingdoms"], back["fixes"]) == (photo["kingdoms"], {})
    assert phone.seats() == {"blue": 12}


def test_history_says_what_a_square_became(phone: Phone) -> None:
    photo = phone.photo(BLUE)
    texts = []
    for cell in ("G2", "W1", "F", "-", None):
        phone.client.post(f"/api/photos/{photo['id']}/fixes", json={"A.b2": cell})
        texts.append(phone.log()[-1]["text"])
    assert texts == [
        "b2 is grassland, 2 crowns.",
        "b2 is wheat, 1 crown.",
        "b2 is forest.",
        "b2 is empty.",
        "b2 is as in the photo again.",
    ]


@pytest.mark.parametrize(
    "fixes", [{"A.b2": "X"}, {"B.b2": "G"}, {"b2": 3}, {"nowhere": "G"}, {"A.z99": "G"}]
)
def test_impossible_correction_is_refused(phone: Phone, fixes: dict) -> None:
    photo = phone.photo(BLUE)
    answer = phone.client.post(f"/api/photos/{photo['id']}/fixes", json=fixes)
    assert answer.status_code == 422 and answer.json()["error"]
    assert phone.client.get(f"/api/photos/{photo['id']}").json().items() <= photo.items()


def test_repeated_key_gives_the_same_photo(phone: Phone) -> None:
    first = phone.send(BLUE, key="phone-1")
    again = phone.send(BLUE, key="phone-1")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json().items() <= first.json().items()
    assert sum(game["photos"] for game in phone.games()) == 1


def test_photo_without_a_game_begins_one(phone: Phone) -> None:
    first, second = phone.photo(BLUE), phone.photo(BLUE)
    assert first["game"] != second["game"]
    assert phone.send(BLUE, "a" * 22).status_code == 404
    assert phone.send(BLUE, "../etc").status_code == 404
    assert phone.send(BLUE, key="x" * 2000).status_code == 400


def test_photo_without_kingdom_is_refused(phone: Phone) -> None:
    for language, word in (("en", "kingdom"), ("de", "Königreich")):
        phone.client.headers["accept-language"] = language
        answer = phone.send("")
        assert answer.status_code == 422 and word in answer.json()["error"]
    files = {"photo": ("a.jpg", b"no picture")}
    assert phone.client.post("/api/photos", files=files).status_code == 422
    assert phone.game()["photos"] == 0


def test_refused_photo_begins_no_game(phone: Phone) -> None:
    phone.photo(BLUE)
    assert phone.send("").status_code == 422
    assert len(phone.games()) == 1


def test_deleted_photo_is_gone(phone: Phone) -> None:
    kept = phone.photo(BLUE, colours=("blue",))
    game = kept["game"]
    sent = phone.send(GREEN, game, key="phone-1", colours=("green",)).json()
    path = f"/api/photos/{sent['id']}"
    deleted = phone.client.delete(path).json()
    assert (deleted["game"], phone.game(game)["photos"]) == (game, 1)
    assert phone.seats(game) == {"blue": 12}
    for gone in (path, f"{path}/picture", f"{path}/boards/A"):
        assert phone.client.get(gone).status_code == 404
    # Who sends it again, as the first answer was lost, is told that it has nothing any more.
    again = phone.send(GREEN, game, key="phone-1", colours=("green",))
    assert again.json() == {"id": sent["id"], "game": game, "kingdoms": [], "views": []}
    phone.undo(*deleted["entries"])
    assert phone.seats(game) == {"blue": 12, "green": 9}
    assert phone.client.get(path).status_code == 200


def test_reading_of_another_version_is_made_anew(tmp_path: Path) -> None:
    store = Store(tmp_path / "e.sqlite")
    with TestClient(create_app(FakeScorer(), store)) as client:  # type: ignore[arg-type]
        phone = Phone(client)
        photo = phone.photo(BLUE, colours=("blue",))
        kept = store.reading(photo["id"])
        store.keep_reading(photo["id"], b"of another version")
        phone.put(f"/api/games/{photo['game']}", harmony=True)
        assert phone.seats() == {"blue": 12}
        assert store.reading(photo["id"]) == kept


def test_server_that_starts_again_judges_nothing_again(tmp_path: Path) -> None:
    class Lost(FakeScorer):
        """A scorer that nobody may ask."""

        def judge(self, *asked: object, **more: object) -> PhotoResult:
            raise AssertionError("it was judged before")

    shown: list[tuple[dict[str, int], dict[str, Any]]] = []
    for scorer in (FakeScorer(), Lost()):
        app = create_app(scorer, Store(tmp_path / "e.sqlite"))  # type: ignore[arg-type]
        with TestClient(app) as client:
            phone = Phone(client)
            if not shown:
                photo = phone.photo(BLUE, colours=("blue",))["id"]
                client.post(f"/api/photos/{photo}/fixes", json={"A.b2": "G"})
            shown.append((phone.seats(), client.get(f"/api/photos/{photo}").json()))
    assert shown[0] == shown[1]


def test_first_of_two_corrections_that_clash_counts(phone: Phone) -> None:
    """The second one holds only below the first, which is taken back."""
    photo = phone.photo("C W1 W", colours=("blue",))
    fixes = f"/api/photos/{photo['id']}/fixes"
    first = phone.client.post(fixes, json={"A.b2": "W"}).json()
    phone.client.post(fixes, json={"A.b3": "W"})
    phone.client.post(fixes, json={"A.c1": "W1"})
    assert phone.seats() == {"blue": 8}
    phone.undo(*first["entries"])
    assert phone.seats() == {"blue": 4}


def test_pictures_of_a_photo(phone: Phone) -> None:
    photo = phone.photo(BLUE)
    for path in ("picture", "boards/A", "boards/A?cell=28&v=1"):
        answer = phone.client.get(f"/api/photos/{photo['id']}/{path}")
        assert answer.headers["content-type"] == "image/jpeg"
        picture = cv2.imdecode(np.frombuffer(answer.content, np.uint8), 1)
        # A board has a ring of one square around the kingdom of four by three.
        assert picture is not None
        assert "28" not in path or picture.shape == (5 * 28, 6 * 28, 3)
        assert ("immutable" in answer.headers["cache-control"]) is ("v=" in path)
    assert phone.client.get(f"/api/photos/{photo['id']}/boards/B").status_code == 404
    assert phone.client.get(f"/api/photos/{'a' * 22}/picture").status_code == 404


@pytest.mark.parametrize("scale", [1, 6])  # the larger one is not decoded in full
def test_crop_follows_the_kingdom(scale: int) -> None:
    """Each of its squares has a shade of its own, and so has each place around them."""
    shades = np.arange(12, 252, 12, dtype=np.uint8).reshape(4, 5)
    corners = np.array([(300, 200), (700, 240), (680, 520), (280, 480)], np.float32) * scale
    box = np.array([(28, 28), (112, 28), (112, 84), (28, 84)], np.float32)
    table = np.kron(shades, np.ones((28, 28), np.uint8))
    matrix = cv2.getPerspectiveTransform(box, corners)
    photo = cv2.warpPerspective(table, matrix, (900 * scale, 600 * scale))
    kingdom = read_kingdom("C W W/F F L", corners=tuple(map(tuple, corners.tolist())))
    picture = encode_picture(np.dstack([photo] * 3), ".png")
    board = cut_board(picture, replace(PHOTO, kingdoms=(kingdom,)), "A", 28)
    squares = cv2.imdecode(np.frombuffer(board or b"", np.uint8), 0)
    assert squares is not None
    assert np.abs(squares[14::28, 14::28].astype(int) - shades).max() < 5


def test_squares_keep_their_names() -> None:
    kingdom = read_kingdom("C W W/F F L", origin=(2, -1))
    (view,) = make_views(PhotoResult("a.jpg", Status.SURE, (), (kingdom,), (120, 90)), "en")
    names = {cell["place"]: cell["face"] for cell in view["cells"] if cell["inside"]}
    assert names == {"A.z3": "C", "A.a3": "W", "A.b3": "W", "A.z4": "F", "A.a4": "F", "A.b4": "L"}


def test_square_names_its_likeliest_faces() -> None:
    alternative = Alternative(28, 0.2, (((1, 1), "S1"), ((0, 1), "W")))
    kingdom = read_kingdom(BLUE, Status.DOUBTFUL, 0.7, alternatives=(alternative,))
    (view,) = make_views(PhotoResult("a.jpg", Status.DOUBTFUL, (), (kingdom,), (120, 90)), "en")
    likely = {cell["name"]: (cell["face"], cell["likely"]) for cell in view["cells"]}
    face, faces = likely["b2"]
    assert faces == [face, "S1"]
    assert likely["b1"][1][-1] == "W"


def test_three_faces_of_a_square_are_likely() -> None:
    others = [
        Alternative(20 + n, 0.2, (((1, 1), cell),)) for n, cell in enumerate(("S1", "M", "L"))
    ]
    kingdom = read_kingdom(BLUE, Status.DOUBTFUL, 0.7, alternatives=tuple(others))
    (view,) = make_views(PhotoResult("a.jpg", Status.DOUBTFUL, (), (kingdom,), (120, 90)), "en")
    (faces,) = [cell["likely"] for cell in view["cells"] if cell["name"] == "b2"]
    assert faces[1:] == ["S1", "M"]


def test_long_names_of_photos_keep_their_end(phone: Phone) -> None:
    files = {"photo": (f"{'x' * 80}.jpg", fakes.fake_photo(BLUE))}
    sent = phone.client.post("/api/photos", files=files).json()
    assert sent["photo"] == f"{'x' * 76}.jpg"


def test_decision_and_photo_at_once(phone: Phone) -> None:
    """While a photo is scored, somebody names the player and settles the total."""
    game = phone.photo(BLUE, colours=("blue",))["game"]
    with ThreadPoolExecutor(1) as threads:
        slow = threads.submit(phone.photo, BLUE, game, colours=("blue",), number=2, act="slow")
        phone.seat(game, "blue", player="Ada", claimed=13)
        phone.seat(game, "blue", accept=13)
        slow.result()
    (seat,) = [seat for seat in phone.game()["seats"] if seat["photo"]]
    assert [seat[name] for name in ("player", "settled", "counts")] == ["Ada", 13, 13]
    assert phone.game()["photos"] == 2


def test_changes_during_scoring_are_kept(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    """The photo counts by the rules of the moment; two corrections at once both stand."""
    # `wait` stops the scoring of a photo until `go`.
    begun, go = Semaphore(0), Semaphore(0)
    line = "W W W W W/F F F F F/L L C L L/G G G G G/S S S S S1"
    game = phone.game()["id"]

    def wait(what: str) -> None:
        begun.release()
        go.acquire(timeout=PATIENCE_S)

    with ThreadPoolExecutor(2) as threads:
        with monkeypatch.context() as patch:
            patch.setattr(fakes, "act", wait)
            slow = threads.submit(phone.photo, line, game, colours=("blue",), key="1")
            begun.acquire()
            phone.put(f"/api/games/{game}", harmony=True)
            go.release(100)
            photo = slow.result()
        assert phone.seats() == {"blue": 10}
        # Two phones correct a square each.
        fixes = f"/api/photos/{photo['id']}/fixes"
        both = [
            threads.submit(phone.client.post, fixes, json={at: "W1"}) for at in ("A.b1", "A.c1")
        ]
        assert [answer.result().status_code for answer in both] == [200, 200]
    phone.put(f"/api/photos/{photo['id']}/kingdoms/A", seat="pink")
    shown = phone.client.get(f"/api/photos/{photo['id']}").json()
    assert shown["fixes"] == {"A.b1": "W1", "A.c1": "W1"}
    assert phone.seats() == {"pink": 20}
