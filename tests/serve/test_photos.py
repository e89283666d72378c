"""Photos over HTTP: the same results as from the command line, corrected, shown, forgotten."""

import json
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from kdvision.errors import KdvisionError
from kdvision.options import GameOptions
from kdvision.pipeline.scorer import Scorer
from kdvision.report.json import to_json
from kdvision.rules.terrain import LABELS
from kdvision.sentences import joined
from tests.support.paths import SAMPLES
from tests.support.serving import sample, send

OURS = ("id", "fixes", "kept", "options", "views")
NAMES = sorted(path.name for path in SAMPLES.glob("*.jpg"))


def plain(answer: dict) -> dict:
    """The answer without what the server adds to kdscore/1."""
    return {k: v for k, v in answer.items() if k not in OURS}


def as_command(scorer: Scorer, name: str, fixes: dict[str, str], **options: object) -> dict:
    """What `kdscore --json` prints for a sample."""
    result = scorer.score(sample(name), GameOptions(**options), name=name, fixes=fixes)
    return json.loads(to_json(result))


@pytest.mark.parametrize("name", NAMES)
def test_every_sample_scores_as_on_the_command_line(
    client: TestClient, scorer: Scorer, name: str
) -> None:
    answer = client.post("/api/photos", files={"photo": (name, sample(name))})
    try:
        expected = as_command(scorer, name, {})
    except KdvisionError as error:
        assert answer.status_code == 422
        assert answer.json()["error"] == answer.json()["message"] == joined(error.reasons)
        return
    assert answer.status_code == 201
    assert plain(answer.json()) == expected
    assert client.get(answer.headers["location"]).json() == answer.json()


@pytest.mark.parametrize(
    ("name", "fixes", "fields"),
    [
        ("plus.jpg", {"A.c1": "G1"}, {}),
        ("plus.jpg", {"c1": "G1", "a3": "W1"}, {"harmony": "true"}),
        ("corner.jpg", {"A.a1": "-"}, {"size": "7", "middle_kingdom": "1"}),
        ("two_kingdoms.jpg", {"B.b1": "W"}, {}),
        ("first_domino.jpg", {"A.d1": "F", "A.d2": "F1"}, {}),
        ("first_domino.jpg", {"A.z1": "F", "A.z0": "F1"}, {}),
    ],
)
def test_fixes_score_as_on_the_command_line(
    client: TestClient, scorer: Scorer, name: str, fixes: dict[str, str], fields: dict[str, str]
) -> None:
    photo = send(client, name, **fields)
    answer = client.post(f"/api/photos/{photo['id']}/fixes", json=fixes)
    assert answer.status_code == 200, answer.text
    assert plain(answer.json()) == as_command(scorer, name, fixes, **photo["options"])
    assert answer.json()["fixes"] == fixes


def test_fixes_add_up_and_are_taken_back(client: TestClient) -> None:
    photo = send(client, "plus.jpg")
    place = f"/api/photos/{photo['id']}/fixes"
    one = client.post(place, json={"A.c1": "G1"}).json()
    two = client.post(place, json={"A.a3": "W1"}).json()
    assert two["fixes"] == {"A.c1": "G1", "A.a3": "W1"}
    assert client.post(place, json={"A.a3": None}).json() == one
    assert client.post(place, json={"A.c1": None}).json() == photo


def test_a_square_has_one_correction_however_its_place_is_written(client: TestClient) -> None:
    place = f"/api/photos/{send(client, 'plus.jpg')['id']}/fixes"
    assert client.post(place, json={"c1": "G1"}).json()["fixes"] == {"c1": "G1"}
    assert client.post(place, json={"A.c1": "W"}).json()["fixes"] == {"A.c1": "W"}
    assert client.post(place, json={"a.C1": None}).json()["fixes"] == {}


@pytest.mark.parametrize(
    "fixes", [{"c1": "X"}, {"z9": "W"}, {"B.c1": "W"}, {"A.c1": 3}, {"": "W"}, {"A.c1": "W3"}]
)
def test_a_fix_that_is_none_changes_nothing(client: TestClient, fixes: dict) -> None:
    photo = send(client, "plus.jpg")
    answer = client.post(f"/api/photos/{photo['id']}/fixes", json=fixes)
    assert answer.status_code == 422
    assert len(answer.json()["error"]) > 20
    assert client.get(f"/api/photos/{photo['id']}").json() == photo


@pytest.mark.parametrize(
    ("fixes", "origin"),
    [({"A.a3": "-", "A.c1": "-"}, [1, 1]), ({"A.z3": "W", "A.c0": "G"}, [-1, -1])],
)
def test_places_keep_their_names(client: TestClient, fixes: dict, origin: list[int]) -> None:
    photo = send(client, "plus.jpg")
    before = photo["kingdoms"][0]
    assert before["origin"] == [0, 0]
    after = client.post(f"/api/photos/{photo['id']}/fixes", json=fixes).json()["kingdoms"][0]
    assert after["origin"] == origin
    old = {tuple(s["at"]): s["center"] for s in before["squares"]}
    new = {(s["at"][0] + origin[0], s["at"][1] + origin[1]): s["center"] for s in after["squares"]}
    assert len(old.keys() & new.keys()) > 15
    for at in old.keys() & new.keys():
        assert new[at] == pytest.approx(old[at], abs=0.05)


@pytest.mark.parametrize(
    "options",
    [
        {"harmony": True, "middle_kingdom": True},
        {"harmony": True, "size": 5, "centre": "frame"},
        {"size": None},
        {},
    ],
)
def test_other_rules_score_as_on_the_command_line(
    client: TestClient, scorer: Scorer, options: dict
) -> None:
    photo = send(client, "meadow_5x5.jpg", size="7")
    fixes = {"A.a1": "L1"}
    client.post(f"/api/photos/{photo['id']}/fixes", json=fixes)
    answer = client.post(f"/api/photos/{photo['id']}/options", json=options)
    assert answer.status_code == 200, answer.text
    expected = {"size": 7, **options}
    assert plain(answer.json()) == as_command(scorer, "meadow_5x5.jpg", fixes, **expected)
    assert answer.json()["options"].items() >= expected.items()
    assert client.get(f"/api/photos/{photo['id']}").json() == answer.json()


@pytest.mark.parametrize("options", [{"harmony": 1}, {"size": 6}, {"size": "six"}, {"magic": True}])
def test_rules_that_are_none_change_nothing(client: TestClient, options: dict) -> None:
    photo = send(client, "first_domino.jpg")
    answer = client.post(f"/api/photos/{photo['id']}/options", json=options)
    assert answer.status_code == 422
    assert len(answer.json()["error"]) > 20
    assert client.get(f"/api/photos/{photo['id']}").json() == photo


def test_a_form_names_options_as_sheets_do_and_no_others(client: TestClient) -> None:
    files = {"photo": ("x.jpg", sample("first_domino.jpg"))}
    answer = client.post("/api/photos", files=files, data={"harmonie": "ja", "size": "auto"})
    assert answer.json()["options"]["harmony"] is True
    answer = client.post("/api/photos", files=files, data={"harmoni": "yes"})
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("There is no option 'harmoni'.")


def test_changes_from_several_phones_at_once_all_stand(client: TestClient) -> None:
    photo = f"/api/photos/{send(client, 'two_kingdoms.jpg')['id']}"
    fixes = {"A.a1": "W1", "A.a2": "W", "B.e5": "G1", "B.a1": "S"}
    asked = [(f"{photo}/fixes", {place: cell}) for place, cell in fixes.items()]
    asked += [(f"{photo}/options", {"harmony": True}), (f"{photo}/options", {"size": 5})]
    with ThreadPoolExecutor(len(asked)) as phones:
        answers = list(phones.map(lambda one: client.post(one[0], json=one[1]), asked))
    assert [one.status_code for one in answers] == [200] * len(asked)
    now = client.get(photo).json()
    assert now["fixes"] == fixes
    assert (now["options"]["harmony"], now["options"]["size"]) == (True, 5)


def test_games_from_several_phones_at_once_have_numbers_of_their_own(client: TestClient) -> None:
    photo = send(client, "first_domino.jpg")["id"]
    games = [{"photo": photo, "players": {"A": f"player {n}"}} for n in range(6)]
    with ThreadPoolExecutor(len(games)) as phones:
        answers = list(phones.map(lambda one: client.post("/api/games", json=one).json(), games))
    assert sorted(one["game"] for one in answers) == list("123456")
    assert len(client.get("/api/games").json()["games"]) == 6


def test_what_may_lie_on_a_square(client: TestClient) -> None:
    photo = send(client, "plus.jpg")["id"]
    there = client.get(f"/api/photos/{photo}/squares/c1").json()
    assert (there["place"], there["face"], there["likely"][0]) == ("A.c1", "G2", "G2")
    assert len(there["likely"]) == 3
    reasons = {one["face"]: one["reason"] for one in there["faces"]}
    assert list(reasons) == list(LABELS)
    assert reasons["G2"] is None
    assert reasons["-"]["code"] == "no-cutting"
    assert reasons["M3"] == {"code": "all-elsewhere", "held": 1, "places": ["A.b3"]}
    assert reasons["C"] == {"code": "castle-elsewhere", "held": 0, "places": ["A.c3"]}
    # What is in the way is named as it was read, whatever was added.
    client.post(f"/api/photos/{photo}/fixes", json={"A.z3": "W", "A.z4": "F"})
    beside = client.get(f"/api/photos/{photo}/squares/A.z2").json()
    assert (beside["face"], beside["likely"][0]) == ("-", "-")
    reasons = {one["face"]: one["reason"] for one in beside["faces"]}
    assert reasons["M3"]["places"] == ["A.b3"]
    assert reasons["W"] is None
    outside = client.get(f"/api/photos/{photo}/squares/A.c0").json()
    assert (outside["face"], outside["likely"]) == ("-", [])


@pytest.mark.parametrize("place", ["B.c1", "c", "c1=W", "%3Cscript%3E"])
def test_a_square_that_is_none_gets_a_sentence(client: TestClient, place: str) -> None:
    photo = send(client, "first_domino.jpg")["id"]
    answer = client.get(f"/api/photos/{photo}/squares/{place}")
    assert answer.status_code == 422
    assert len(answer.json()["error"]) > 20


def test_a_board_is_one_kingdom_as_it_lies(client: TestClient) -> None:
    """Rectified: the middle of each square has the colour that it has in the photo."""
    photo = send(client, "two_kingdoms.jpg")
    address = photo["views"][1]["board"]
    answer = client.get(address)
    assert answer.headers["content-type"] == "image/jpeg"
    assert "max-age" in answer.headers["cache-control"]
    board = cv2.imdecode(np.frombuffer(answer.content, np.uint8), 1).astype(int)
    rows, cols = photo["views"][1]["rows"], photo["views"][1]["cols"]
    side = board.shape[1] // (cols + 2)
    assert board.shape[:2] == ((rows + 2) * side, (cols + 2) * side)
    picture = client.get(f"/api/photos/{photo['id']}/picture").content
    whole = cv2.imdecode(np.frombuffer(picture, np.uint8), 1).astype(int)
    scale = whole.shape[1] / photo["size"][0]
    away = []
    for square in photo["kingdoms"][1]["squares"]:
        x, y = (round(value * scale) for value in square["center"])
        across, down = (round((1.5 + place) * side) for place in reversed(square["at"]))
        near = whole[y - 6 : y + 7, x - 6 : x + 7].mean((0, 1))
        away.append(
            np.abs(near - board[down - 9 : down + 10, across - 9 : across + 10].mean((0, 1))).max()
        )
    assert np.median(away) < 12
    small = client.get(f"{address}&cell=28")
    assert len(small.content) < len(answer.content) / 4
    # Without what changes with it, an address may show another board after a correction.
    bare = client.get(f"/api/photos/{photo['id']}/boards/A")
    assert bare.headers["cache-control"] == "no-store"
    assert client.get(f"/api/photos/{photo['id']}/boards/C").status_code == 404


def test_what_the_page_draws_comes_from_the_server(client: TestClient) -> None:
    photo = send(client, "plus.jpg")
    (view,) = photo["views"]
    inside = [cell for cell in view["cells"] if cell["inside"]]
    assert len(inside) == view["rows"] * view["cols"]
    assert {cell["place"]: cell["face"] for cell in inside}["A.c1"] == "G2"
    assert {"A.z1", "A.a0"} <= {cell["place"] for cell in view["cells"] if not cell["inside"]}
    assert not any(cell["doubtful"] for cell in view["cells"])
    # A kingdom of seven squares cannot grow any more.
    wide = send(client, "gaps_7x7.jpg")["views"][0]
    assert (wide["rows"], wide["cols"]) == (7, 7)
    assert all(cell["inside"] for cell in wide["cells"])


@pytest.mark.parametrize(
    ("fixes", "english", "german"),
    [
        (
            {"A.b1": "W3"},
            "b1=W3: no domino has",
            "b1=W3: Kein Domino hat",
        ),
        (
            {"Z.b1": "W"},
            "There is no kingdom Z",
            "Es gibt kein Königreich Z",
        ),
        ({"A.p1": "W"}, "p1 is too far from the kingdom", "p1 ist zu weit vom Königreich entfernt"),
        (
            {"A.b1": "hill"},
            "b1=hill: there is no square",
            "b1=hill: Es gibt kein Feld 'hill'. Schreib",
        ),
        ({"somewhere": "W"}, "corrects no square", "korrigiert kein Feld"),
    ],
    ids=["face", "kingdom", "place", "square", "words"],
)
def test_a_refused_correction_says_what_is_wrong_in_both_languages(
    client: TestClient, fixes: dict[str, str], english: str, german: str
) -> None:
    photo = send(client, "plus.jpg")["id"]
    for language, sentence in (("en", english), ("de", german)):
        head = {"accept-language": language}
        answer = client.post(f"/api/photos/{photo}/fixes", json=fixes, headers=head)
        assert answer.status_code == 422
        assert sentence in answer.json()["error"], answer.json()


@pytest.mark.parametrize(
    ("photo", "english", "german"),
    [
        ("not_a_kingdom.jpg", "No kingdom was found", "Kein Königreich wurde"),
        ("not_a_kingdom.jpg", "no kingdom with a castle", "mit Schloss"),
        ("plus.jpg", "is cut off", "ist abgeschnitten"),
        ("truth.csv", "is text", "ist Text"),
    ],
)
def test_why_a_photo_cannot_be_scored_is_said_in_the_language_of_the_page(
    client: TestClient, photo: str, english: str, german: str
) -> None:
    data = sample(photo)[: 60_000 if photo == "plus.jpg" else None]
    for language, part in (("en", english), ("de", german)):
        head = {"accept-language": language}
        answer = client.post("/api/photos", files={"photo": (photo, data)}, headers=head)
        assert answer.status_code == 422
        assert part in answer.json()["error"], answer.json()["error"]


def test_what_makes_another_kingdom_impossible_is_excluded(client: TestClient) -> None:
    """Four kingdoms hold all 48 dominoes: at A.a1 only what was read leaves them all a cutting."""
    photo = send(client, "four_kingdoms.jpg")["id"]
    faces = client.get(f"/api/photos/{photo}/squares/A.a1").json()["faces"]
    assert [one["face"] for one in faces if one["reason"] is None] == ["W1"]
    reasons = {one["face"]: one["reason"]["code"] for one in faces if one["reason"]}
    assert reasons["W"] == reasons["-"] == "no-cutting"


def test_what_is_said_of_a_kingdom_is_said_in_the_language_of_the_page(client: TestClient) -> None:
    photo = f"/api/photos/{send(client, 'plus.jpg')['id']}"
    client.post(f"{photo}/fixes", json={"A.a3": "-"})
    texts = []
    for language in ("en", "de"):
        (view,) = client.get(photo, headers={"accept-language": f"{language}-XX,fr"}).json()[
            "views"
        ]
        texts.append(view["said"])
    assert texts[0] and len(texts[0]) == len(texts[1])
    assert not set(texts[0]) & set(texts[1])


def test_a_correction_against_the_box_is_said_once(client: TestClient) -> None:
    photo = f"/api/photos/{send(client, 'four_kingdoms.jpg')['id']}"
    found = client.post(f"{photo}/fixes", json={"A.d1": "W1"}).json()
    codes = [doubt["code"] for doubt in found["kingdoms"][0]["warnings"]]
    assert {"impossible-correction", "other-deck"} <= set(codes)
    (view,) = [one for one in found["views"] if one["letter"] == "A"]
    said = " ".join(view["said"])
    assert "cannot make this kingdom" in said and "another edition" not in said


def test_the_pictures_of_a_photo(client: TestClient) -> None:
    photo = send(client, "plus.jpg")
    pictures = [client.get(f"/api/photos/{photo['id']}/{n}") for n in ("picture", "overlay")]
    assert [one.headers["content-type"] for one in pictures] == ["image/jpeg"] * 2
    bare, drawn = (cv2.imdecode(np.frombuffer(one.content, np.uint8), 1) for one in pictures)
    assert bare.shape == drawn.shape
    assert np.abs(bare.astype(int) - drawn).mean() > 5


def test_a_photo_that_is_forgotten_is_gone(client: TestClient) -> None:
    photo = send(client, "plus.jpg")
    assert client.delete(f"/api/photos/{photo['id']}").status_code == 204
    for path in ("", "/overlay", "/picture"):
        assert client.get(f"/api/photos/{photo['id']}{path}").status_code == 404
    assert client.delete(f"/api/photos/{photo['id']}").status_code == 404


def test_an_upload_that_is_sent_twice_is_kept_once(client: TestClient) -> None:
    one = send(client, "plus.jpg", key="phone-1")
    again = client.post(
        "/api/photos", files={"photo": ("x.jpg", sample("plus.jpg"))}, data={"key": "phone-1"}
    )
    assert (again.status_code, again.json()) == (200, one)
    assert send(client, "plus.jpg", key="phone-2")["id"] != one["id"]


def test_ids_cannot_be_counted(client: TestClient) -> None:
    ids = {send(client, "first_domino.jpg")["id"] for _ in range(3)}
    assert len(ids) == 3 and all(len(one) == 22 for one in ids)
    for guess in ("1", "0" * 22, "../plus", "%2e%2e", "a" * 5000):
        assert client.get(f"/api/photos/{guess}").status_code == 404
