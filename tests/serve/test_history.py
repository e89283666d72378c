"""The history of a game: who said what, in sentences; taken back, unless somebody built on it."""

import re
from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from kdvision.serve.guard import DEVICE_COOKIE
from tests.support.serving import BLUE, Phone


def table_of(phone: Phone) -> tuple[str, str]:
    """The ids of a game and of its photo of one kingdom, which the castle calls blue."""
    photo = phone.photo(BLUE, colours=("blue",))
    return photo["game"], photo["id"]


def other_phone(phone: Phone, device: str) -> Phone:
    """Another phone at the same table."""
    return Phone(TestClient(phone.client.app, cookies={DEVICE_COOKIE: device}))


def give(phone: Phone, photo: str, seat: str | None) -> None:
    """Say whose kingdom the photo shows."""
    phone.put(f"/api/photos/{photo}/kingdoms/A", seat=seat)


SAID: list[tuple[Callable[[Phone, str, str], object], str]] = [
    (lambda phone, game, _: phone.seat(game, "blue", player="Ada"), "Ada plays Blue."),
    (lambda phone, game, _: phone.seat(game, "blue", claimed=12), "Ada claims 12."),
    (lambda phone, game, _: phone.seat(game, "blue", claimed=None), "Ada claims nothing."),
    (lambda phone, game, _: phone.seat(game, "blue", accept=13), "Ada: 13 points."),
    (
        lambda phone, game, _: phone.seat(game, "blue", accept=None, instead_of=13),
        "Ada: the photo counts again.",
    ),
    (lambda phone, _, photo: give(phone, photo, "blue"), "It is Ada’s kingdom."),
    (lambda phone, _, photo: give(phone, photo, "pink"), "It is Pink’s kingdom."),
    (lambda phone, _, photo: give(phone, photo, "nobody"), "The kingdom is out of the game."),
    (lambda phone, _, photo: give(phone, photo, None), "The castle says again whose kingdom it"),
    (lambda phone, game, _: phone.put(f"/api/games/{game}", harmony=True), "Rules changed."),
    (lambda phone, _, photo: phone.client.delete(f"/api/photos/{photo}"), "Photo deleted."),
    (lambda phone, game, _: phone.seat(game, "blue", player=""), "Nobody plays Blue."),
]


def test_history_says_everything_in_its_order(phone: Phone) -> None:
    game, photo = table_of(phone)
    assert [entry["text"] for entry in phone.log(game)] == ["A photo was taken."]
    assert phone.log(game)[0]["photo"] == photo
    for number, (act, text) in enumerate(SAID, 2):
        act(phone, game, photo)
        entries = phone.log(game)
        assert (len(entries), entries[-1]["text"][: len(text)]) == (number, text)
        assert not entries[-1]["undone"]


def test_history_speaks_german(phone: Phone) -> None:
    game, _ = table_of(phone)
    phone.seat(game, "blue", claimed=12)
    phone.client.headers["accept-language"] = "de"
    assert "12" in phone.log(game)[-1]["text"]
    assert phone.log(game)[-1]["text"] != "Blue claims 12."


def test_history_says_whose_phone_it_was(phone: Phone) -> None:
    game, _ = table_of(phone)
    first, second = other_phone(phone, "one"), other_phone(phone, "two")
    for each, total in ((first, 12), (second, 13)):
        each.seat(game, "blue", claimed=total)
    for each, names in (
        (phone, ["A program", "Phone 1", "Phone 2"]),
        (first, ["A program", "This phone", "Phone 2"]),
        (second, ["A program", "Phone 1", "This phone"]),
    ):
        entries = each.log(game)
        assert [entry["device"] for entry in entries] == names
        assert [entry["mine"] for entry in entries] == [name == "This phone" for name in names]


def test_entry_is_undone_and_redone(phone: Phone) -> None:
    game, _ = table_of(phone)
    (entry,) = phone.seat(game, "blue", claimed=12)["entries"]
    for wanted, is_undone in (({}, True), ({}, False), ({"undone": False}, False)):
        answer = phone.undo(entry, **wanted)
        assert answer == {"id": entry, "game": game, "undone": is_undone}
        assert phone.log(game)[-1]["undone"] is is_undone
    # To undo twice what is undone changes nothing.
    assert [phone.undo(entry, undone=True)["undone"] for _ in range(2)] == [True, True]
    assert len(phone.log(game)) == 2
    assert phone.seats(game, "claimed") == {"blue": None}


@pytest.mark.parametrize("player", ["Ada", ""])
def test_what_was_changed_since_is_not_undone(phone: Phone, player: str) -> None:
    game, _ = table_of(phone)
    if player:
        phone.seat(game, "blue", player=player)
    (entry,) = phone.seat(game, "blue", claimed=12)["entries"]
    (later,) = other_phone(phone, "one").seat(game, "blue", claimed=13)["entries"]
    refused = phone.undo(entry, status=409)
    assert (refused["code"], phone.seats(game, "claimed")) == ("changed-since", {"blue": 13})
    said = rf"Phone 1 changed this at \d\d:\d\d: {player or 'Blue'} claims 13\."
    assert re.fullmatch(said, refused["error"])
    # Of another seat, or once the later one is taken back, it is.
    phone.seat(game, "pink", claimed=40)
    phone.undo(later)
    phone.undo(entry)
    assert phone.seats(game, "claimed") == {"blue": None}


def test_photo_that_was_corrected_is_not_undone(phone: Phone) -> None:
    game, photo = table_of(phone)
    taken = phone.log(game)[0]["id"]
    fixed = phone.client.post(f"/api/photos/{photo}/fixes", json={"A.b2": "G"}).json()["entries"]
    assert phone.undo(taken, status=409)["code"] == "changed-since"
    phone.undo(*fixed)
    phone.undo(taken)
    assert phone.game(game)["photos"] == 0


def test_evening_name_is_undone(phone: Phone) -> None:
    phone.game()
    id_ = phone.client.get("/api/evening").json()["evening"]["id"]
    entries = []
    for name in ("Finals", "Autumn"):
        answer = phone.put(f"/api/evenings/{id_}", name=name)
        entries += answer["entries"]
    refused = phone.undo(entries[0], status=409)
    assert refused["code"] == "changed-since"
    assert phone.undo(entries[1])["game"] is None
    assert phone.client.get("/api/evening").json()["evening"]["name"] == "Finals"


def test_begin_of_a_game_is_not_undone(phone: Phone) -> None:
    game, _ = table_of(phone)
    first = phone.log(game)[0]["id"]
    assert phone.client.post(f"/api/log/{first - 1}/undo", json={}).status_code == 404
