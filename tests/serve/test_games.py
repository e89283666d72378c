"""Whose kingdom is whose, what counts, and who has won: what a family and a tournament see."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from kdvision.result import Status
from kdvision.rules.kingdom import Kingdom
from kdvision.serve import evenings, games
from kdvision.serve.evening import rank_players
from kdvision.serve.showing import show_game
from kdvision.serve.state import read_game
from tests.support.games import tables_of_four
from tests.support.serving import BLUE, COLOURS, GREEN, TABLE, Phone, draw_kingdom
from tests.support.waiting import PATIENCE_S

#: Two later kingdoms of the first player: with one more domino, and read wrong.
BLUE_GROWN = "C W1 W W/G G2 G M1/F F F1 M"
BLUE_MISREAD = "C W1 W W/G G2 G -/F F F -"
DOUBTFUL = {"status": Status.DOUBTFUL, "probability": 0.7}


def test_castle_names_the_owner(phone: Phone) -> None:
    """In whatever order they lie; the crown stands for the best of all."""
    photo = phone.photo(f"{GREEN} | {BLUE}", colours=("green", "blue"))
    assert (photo["schema"], photo["game"]) == ("kdscore/1", phone.game()["id"])
    seats = phone.game()["seats"]
    assert {seat["colour"]: seat["letter"] for seat in seats if seat["photo"]} == {
        "green": "A", "blue": "B",
    }  # fmt: skip
    assert len(seats) == 4


def test_unknown_castle_is_asked_about(phone: Phone) -> None:
    photo = phone.photo(f"{BLUE} | {GREEN}")
    assert [each["letter"] for each in phone.game()["unassigned"]] == ["A", "B"]
    path = f"/api/photos/{photo['id']}/kingdoms"
    first = phone.put(f"{path}/A", seat="blue")["entries"]
    assert phone.seats() == {"blue": 12}
    phone.put(f"{path}/B", seat="nobody")
    assert phone.game()["unassigned"] == []
    phone.undo(*first)
    assert (phone.seats(), len(phone.game()["unassigned"])) == ({}, 1)
    phone.undo(*first)
    assert phone.seats() == {"blue": 12}
    phone.put(f"{path}/A", seat=None)
    assert phone.seats() == {}
    phone.put(f"{path}/C", 404, seat="blue")
    phone.put(f"{path}/A", 422, seat="brown")


def test_person_outweighs_the_castle_colour(phone: Phone) -> None:
    """Of two kingdoms that were mixed up the other one is asked about."""
    photo = phone.photo(f"{BLUE} | {GREEN}", colours=("green", "blue"))
    path = f"/api/photos/{photo['id']}/kingdoms"
    phone.put(f"{path}/A", seat="blue")
    assert phone.seats(field="letter") == {"blue": "A"}
    # What is said last counts; taken back, it leaves what was said before.
    last = phone.put(f"{path}/B", seat="blue")["entries"]
    assert phone.seats(field="letter") == {"blue": "B", "green": "A"}
    phone.undo(*last)
    assert phone.seats(field="letter") == {"blue": "A"}
    phone.put(f"{path}/B", seat="green")
    assert phone.seats(field="letter") == {"blue": "A", "green": "B"}


@pytest.mark.parametrize(
    ("first", "second", "colour", "score"),
    [
        (BLUE, (BLUE, {}), "blue", 12),
        # Without a colour the squares say it, also where one was read wrong, or turned.
        (BLUE, (BLUE, {}), "", 12),
        (BLUE, (BLUE_MISREAD, DOUBTFUL), "", 12),
        (BLUE, (str(Kingdom.parse(BLUE).turned()), {}), "", 12),
        # The surer photo counts, whichever comes first.
        (BLUE, (BLUE_MISREAD, DOUBTFUL), "blue", 12),
        (BLUE_MISREAD, (BLUE, {"probability": 0.995}), "blue", 12),
        # A kingdom that has grown counts as it is now, however sure.
        (BLUE, (BLUE_GROWN, {}), "blue", 14),
        (BLUE, (BLUE_GROWN, DOUBTFUL), "", 14),
    ],
)
def test_second_photo_is_no_second_player(
    phone: Phone, first: str, second: tuple[str, dict], colour: str, score: int
) -> None:
    game = phone.photo(first, colours=("blue",), probability=0.98)["game"]
    line, fake = second
    phone.photo(line, game, colours=(colour,) if colour else (), number=2, **fake)
    assert phone.seats() == {"blue": score}
    assert phone.game()["unassigned"] == []
    assert [len(photos) for photos in phone.seats(field="photos").values()] == [2]


def test_corrected_photo_outweighs_a_surer(phone: Phone) -> None:
    game = phone.photo(BLUE, colours=("blue",))["game"]
    doubtful = phone.photo(BLUE_MISREAD, game, colours=("blue",), **DOUBTFUL)
    phone.client.post(f"/api/photos/{doubtful['id']}/fixes", json={"A.a1": "C"})
    assert phone.seats() == {"blue": 9}


def test_contradicting_sure_photos_are_open(phone: Phone) -> None:
    game = phone.photo(BLUE, colours=("blue",))["game"]
    phone.photo(BLUE_MISREAD, game, colours=("blue",), probability=0.98)
    (seat,) = [seat for seat in phone.game()["seats"] if seat["photo"]]
    assert (seat["score"], seat["contradicts"], seat["counts"]) == (12, 9, None)
    assert seat["explanation"] == "Two sure photos show different totals: 12 and 9."
    assert (phone.game()["waits"], phone.ranking()) == ("look", [(1, "blue", 12, True)])
    phone.seat(game, "blue", accept=12)
    assert phone.seats(field="counts") == {"blue": 12}


@pytest.mark.parametrize(
    ("first", "second", "colours", "players", "asked"),
    [
        # Four dominoes may lie alike by chance.
        ("C W W/G G F/F W -", "C W W/G G F/F W -", (), 1, 1),
        ("C W W/G G F/F W S", "C W W/G G F/F W S", (), 1, 0),
        (BLUE, GREEN, (), 1, 1),
        # Another castle is another player.
        (BLUE, BLUE, ("green",), 2, 0),
    ],
)
def test_two_players_may_begin_alike(
    phone: Phone, first: str, second: str, colours: tuple[str, ...], players: int, asked: int
) -> None:
    game = phone.photo(first, colours=("blue",))["game"]
    phone.photo(second, game, number=2, colours=colours)
    assert (len(phone.seats()), len(phone.game()["unassigned"])) == (players, asked)


@pytest.mark.parametrize(
    ("photos", "names", "winners"),
    [
        # Two of four photos are no end.
        ([(BLUE, "blue"), (GREEN, "green")], {}, []),
        ([(BLUE, "blue"), (GREEN, "green")], {"blue": "Ada"}, []),
        ([(BLUE, "blue"), (GREEN, "green")], {"blue": "Ada", "green": "Ben"}, ["blue"]),
        ([(BLUE, "blue"), (GREEN, "green")], {"blue": "Ada", "green": "Ben", "pink": "Cleo"}, []),
        ([(f"{BLUE} | {GREEN}", "blue green")], {}, ["blue"]),
        ([(" | ".join(TABLE), "blue green pink yellow")], {}, ["pink"]),
        ([(BLUE, "blue")], {"blue": "Ada"}, []),
    ],
)
def test_crown_waits_for_all_seats(
    phone: Phone, photos: list[tuple[str, str]], names: dict[str, str], winners: list[str]
) -> None:
    game = phone.game()["id"]
    for colour, name in names.items():
        phone.seat(game, colour, player=name)
    for line, colours in photos:
        phone.photo(line, game, colours=tuple(colours.split()))
    assert [colour for colour, wins in phone.seats(field="wins").items() if wins] == winners


def test_settling_a_seat_leaves_the_others(phone: Phone) -> None:
    game = phone.photo(" | ".join(TABLE), colours=COLOURS)["game"]
    for colour, claim in zip(COLOURS, (12, 9, 16, 11), strict=True):
        phone.seat(game, colour, claimed=claim)
    before = {seat["colour"]: seat for seat in phone.game()["seats"]}
    assert before["pink"]["verdict"] == "differs" and "16" in before["pink"]["explanation"]
    phone.seat(game, "pink", accept=16)
    after = {seat["colour"]: seat for seat in phone.game()["seats"]}
    assert (after["pink"]["verdict"], after["pink"]["counts"]) == ("settled", 16)
    for colour in ("blue", "green", "yellow"):
        kept = [name for name in before[colour] if name not in ("rank", "wins")]
        for name in kept:
            assert after[colour][name] == before[colour][name]
    phone.seat(game, "pink", accept=1, instead_of=16)
    assert phone.seats(field="rank")["pink"] == 4


def test_differences_ignore_broken_rules(phone: Phone) -> None:
    """A domino that lies wrong costs nothing; two players of a photo exchanged their claims."""
    game = phone.photo(f"C W1 W/- S M | {GREEN}", colours=("pink", "green"))["game"]
    for colour, claim in (("pink", 9), ("green", 2)):
        phone.seat(game, colour, claimed=claim)
    told = phone.seats(field="explanation")
    assert told["pink"].startswith("9 is the total of kingdom B of this photo. Claimed 9, read 2:")
    assert told["green"].startswith("2 is the total of kingdom A of this photo. Claimed 2, read 9:")
    assert "rules" not in told["pink"]


def test_settling_twice_is_told(phone: Phone) -> None:
    game = phone.photo(BLUE, colours=("blue",))["game"]
    phone.seat(game, "blue", claimed=13, player="Ada")
    phone.seat(game, "blue", accept=12)
    refused = phone.seat(game, "blue", 409, accept=13)
    assert refused == {"error": "Ada is settled already: 12 points.", "code": "settled"}
    phone.seat(game, "blue", accept=13, instead_of=12)
    assert phone.seats(field="counts") == {"blue": 13}
    phone.seat(game, "blue", accept=20, instead_of=13)
    assert phone.seats(field="counts") == {"blue": 20}


def test_accepted_total_outlasts_the_photo(phone: Phone) -> None:
    photo = phone.photo(BLUE, colours=("blue",))
    game = photo["game"]
    phone.seat(game, "blue", accept=12)
    phone.client.post(f"/api/photos/{photo['id']}/fixes", json={"A.b1": "W"})
    assert (phone.seats(), phone.seats(field="counts")) == ({"blue": 9}, {"blue": 12})
    (seat,) = [seat for seat in phone.game()["seats"] if seat["photo"]]
    assert "12" in seat["explanation"]


def test_largest_fields_of_a_seat_are_kept(phone: Phone) -> None:
    game = phone.game()["id"]
    phone.seat(game, "blue", player="x" * 60, claimed=999, accept=999)
    phone.seat(game, "pink", player="y", claimed=0, accept=0)
    assert phone.seats(field="player") == {"pink": "y", "blue": "x" * 60}
    assert phone.seats(field="counts") == {"pink": 0, "blue": 999}


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"claimed": -1}, 422),
        ({"claimed": 1000}, 422),
        ({"claimed": "12"}, 422),
        ({"claimed": True}, 422),
        ({"accept": "claim"}, 422),
        ({"accept": 1000}, 422),
        ({"accept": 12.5}, 422),
        ({"player": "x" * 61}, 422),
        ({"player": 1}, 422),
        ({"player": "a\x07"}, 422),
        ({"player": "a\u202eb"}, 422),
        ({"player": "\u200d"}, 422),
        ({"player": "BEN"}, 409),
        ({"letter": "A"}, 422),
    ],
)
def test_bad_seat_fields_are_refused(phone: Phone, fields: dict, status: int) -> None:
    game = phone.game()["id"]
    phone.seat(game, "green", player="Ben")
    assert phone.seat(game, "blue", status, **fields)["error"].endswith(".")
    phone.seat(game, "brown", 404, player="Eve")


@pytest.mark.parametrize(
    "name",
    [
        # A family of joined emoji, a flag, a Persian name whose letters are kept apart.
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "Ada \U0001f3f3\ufe0f\u200d\U0001f308",
        "\u0646\u06cc\u06a9\u200c\u0646\u0627\u0645",
        "\u05d3\u05e0\u05d4",
    ],
)
def test_names_of_every_script_are_names(phone: Phone, name: str) -> None:
    game = phone.photo(BLUE, colours=("blue",))["game"]
    phone.seat(game, "blue", player=name)
    assert phone.seats(field="player") == {"blue": name}
    assert [player for _, player, *_ in phone.ranking()] == [name]


def test_claims_without_photo_are_not_ranked(phone: Phone) -> None:
    game = phone.photo(BLUE, colours=("blue",))["game"]
    phone.seat(game, "pink", player="Ada", claimed=99)
    assert phone.ranking() == [(1, "blue", 12, False)]


def test_accepted_total_needs_no_photo(phone: Phone) -> None:
    phone.seat(phone.game()["id"], "pink", accept=40)
    assert phone.ranking() == [(1, "pink", 40, False)]


def test_ranking_adds_games_up(phone: Phone) -> None:
    # Kingdoms of 12, 9, 12 and 9 points.
    second = BLUE.replace("G", "M").replace("F", "L"), GREEN.replace("L", "W").replace("S", "G")
    for lines in ((BLUE, GREEN), second[::-1]):
        game = phone.photo(" | ".join(lines), colours=("blue", "green"))["game"]
        phone.seat(game, "blue", player="Ada")
        phone.seat(game, "green", player="Ben")
    assert phone.ranking() == [(1, "Ben", 21, False), (1, "Ada", 21, False)]


def test_three_thousand_players_are_ranked() -> None:
    ranking = rank_players(tables_of_four(750))
    assert [ranking[0]["player"], ranking[0]["rank"]] == ["yellow 749", 1]
    assert ranking[-1]["rank"] == 3000


def test_rules_score_a_game_again(phone: Phone) -> None:
    line = "W W W W W/F F F F F/L L C L L/G G G G G/S S S S S1"
    game = phone.photo(line, colours=("blue",))["game"]
    assert phone.seats() == {"blue": 5}
    changed = phone.put(f"/api/games/{game}", harmony=True)["entries"]
    assert phone.seats() == {"blue": 10}
    phone.undo(*changed)
    assert phone.seats() == {"blue": 5}
    phone.put(f"/api/games/{game}", 422, size=6)
    phone.put(f"/api/games/{game}", 422, magic=True)


def test_new_game_keeps_names_and_rules(phone: Phone) -> None:
    first = phone.photo(BLUE, colours=("blue",))["game"]
    phone.seat(first, "blue", player="Ada")
    phone.put(f"/api/games/{first}", harmony=True)
    second = phone.client.post("/api/games").json()["id"]
    assert (phone.seats(second, "player"), phone.game(second)["rules"]["harmony"]) == (
        {"blue": "Ada"}, True,
    )  # fmt: skip
    # Another phone that taps at the same time has the same game.
    assert phone.client.post("/api/games").json()["id"] == second
    assert [game["name"] for game in phone.games()] == ["1", "2"]


def test_deleted_evening_frees_its_room(phone: Phone) -> None:
    old = phone.photo(BLUE, colours=("blue",))["game"]
    evening = phone.client.get("/api/evening").json()["evening"]
    assert len(evening["date"]) == 10
    assert phone.client.post("/api/evenings").status_code == 201
    assert phone.seats() == {}
    assert phone.client.put(f"/api/evenings/{evening['id']}", json={"name": "Finals"}).is_success
    shown = phone.client.get("/api/evening").json()
    assert [each["name"] for each in shown["evenings"]] == ["", "Finals"]
    assert [each["bytes"] > 0 for each in shown["evenings"]] == [False, True]
    asked = phone.client.get("/api/games", params={"evening": evening["id"]}).json()
    assert [game["id"] for game in asked] == [old]
    path = f"/api/evenings/{evening['id']}"
    assert phone.client.delete(path).status_code == 204
    assert phone.client.delete(path).status_code == 404
    assert phone.client.get("/api/evening", params={"evening": evening["id"]}).status_code == 404


@pytest.mark.parametrize(("free", "low"), [(10**9 - 1, True), (10**9, False)])
def test_nearly_full_disk_is_told(
    phone: Phone, monkeypatch: pytest.MonkeyPatch, free: int, low: bool
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=free))
    assert phone.client.get("/api/evening").json()["low"] is low


@pytest.mark.parametrize("entry", [10**6, 10**20])
def test_unknown_entry_is_not_undone(phone: Phone, entry: int) -> None:
    answer = phone.client.post(f"/api/log/{entry}/undo", json={})
    assert (answer.status_code, answer.json()["code"]) == (404, "no-entry")


def test_page_is_never_older_than_answers(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another phone is shown what was there before."""
    game = phone.game()["id"]
    asked, changed = Event(), Event()

    def slow(*words: Any, **more: Any) -> dict[str, Any]:
        asked.set()
        changed.wait(PATIENCE_S)
        return show_game(*words, **more)

    with ThreadPoolExecutor(1) as threads, pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "show_game", slow)
        phone.seat(game, "green", player="Ben")
        first = threads.submit(phone.client.get, "/api/games")
        assert asked.wait(PATIENCE_S)
        patch.undo()
        phone.seat(game, "blue", player="Ada")
        phone.client.get("/api/evening")
        changed.set()
        first.result()
    assert phone.seats(field="player") == {"blue": "Ada", "green": "Ben"}


def test_unchanged_evening_is_not_sent_again(phone: Phone) -> None:
    tag = phone.client.get("/api/games").headers["etag"]
    assert phone.client.get("/api/games", headers={"if-none-match": tag}).status_code == 304
    phone.seat(phone.game()["id"], "blue", player="Ada")
    assert phone.client.get("/api/games", headers={"if-none-match": tag}).status_code == 200


def test_answers_are_compressed_and_small(phone: Phone) -> None:
    source = Random(5)
    for _ in range(20):
        table = [draw_kingdom(source) for _ in COLOURS]
        game = phone.photo(" | ".join(table), colours=COLOURS)["game"]
    for path in ("/api/evening", "/api/games"):
        answer = phone.client.get(path)
        assert answer.headers["content-encoding"] == "gzip"
        assert int(answer.headers["content-length"]) < len(answer.content) / 2
    assert len(phone.client.get(f"/api/games/{game}").content) < 4000


def test_only_the_changed_game_is_computed_anew(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in TABLE:
        first = phone.photo(line)["game"]
    computed = []

    def read_and_note(id_: str, *more: Any) -> Any:
        computed.append(id_)
        return read_game(id_, *more)

    monkeypatch.setattr(evenings, "read_game", read_and_note)
    phone.seat(first, "blue", player="Ada")
    assert len(phone.games()) == len(TABLE)
    phone.games()
    assert computed == [first]


def test_kingdom_of_two_games_counts_in_neither(
    phone: Phone,
) -> None:
    """A photo of another table, or of the game before."""
    first = phone.photo(BLUE, colours=("blue",))["game"]
    phone.seat(first, "blue", player="Ada")
    second = phone.client.post("/api/games").json()["id"]
    turned = str(Kingdom.parse(BLUE).turned())
    photo = phone.photo(f"{turned} | {GREEN}", second, colours=("pink", "green"), number=2)
    (seat,) = [seat for seat in phone.game(second)["seats"] if seat["colour"] == "pink"]
    told = "This kingdom is also in game 1, with Ada. It counts in neither."
    assert (seat["counts"], seat["elsewhere"], seat["explanation"]) == (None, True, told)
    assert phone.seats(first, "counts") == {"blue": None}
    assert phone.ranking() == [(1, "green", 9, False)]
    # Somebody takes it out of the second game.
    phone.put(f"/api/photos/{photo['id']}/kingdoms/A", seat="nobody")
    assert phone.seats(first, "counts") == {"blue": 12}
    assert [line[1:3] for line in phone.ranking()] == [("Ada", 12), ("green", 9)]
