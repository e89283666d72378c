"""Whole evenings: what is shown is what the log says, whatever four phones do, and nobody's word is
undone by somebody else's undo."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from kdvision.rules import Rules, score
from kdvision.serve.app import create_app
from kdvision.serve.store import Store
from tests.support.fakes import FakeScorer
from tests.support.serving import COLOURS, Phone, draw_kingdom

pytestmark = pytest.mark.slow

EVENINGS = 300
PHONES = 4
STEPS = 40
NAMES = ("", "Ada", "Ben", "Cleo", "Dan", "Eve", "Fay")
BONUSES = ("harmony", "middle_kingdom")
#: What a person may type over a square; all are tiles of the box.
FACES = ("W", "F1", "L", "G2", "S", "M1")


class Told:
    """The oracle: what was said, in the order in which it was answered, by nothing of ours.

    An entry is what it is about, its value, and whether it is taken back. What stands of a thing
    is the last value that is not taken back.
    """

    def __init__(self) -> None:
        self.entries: dict[int, tuple[tuple[Any, ...], Any]] = {}
        #: What an entry is about besides: a kingdom that is given to a seat is its kingdom.
        self.besides: dict[int, tuple[Any, ...]] = {}
        self.undone: set[int] = set()

    def value(self, thing: tuple[Any, ...], otherwise: Any = None) -> Any:
        """Return what stands of a thing."""
        standing = [value for id_, value in self.said_of(thing) if id_ not in self.undone]
        return standing[-1] if standing else otherwise

    def said_of(self, thing: tuple[Any, ...]) -> list[tuple[int, Any]]:
        """Return what was said of a thing, as it came."""
        return [(id_, value) for id_, (about, value) in self.entries.items() if about == thing]

    def may_toggle(self, id_: int) -> bool:
        """Whether nobody said anything later of the same thing that stands."""
        about, _ = self.entries[id_]
        besides = self.besides.get(id_)
        for other, (thing, _) in self.entries.items():
            rests_on = about[0] == "photo" and thing[0] in ("owner", "square")
            is_same = thing == about or (rests_on and thing[1] == about[1])
            is_same = is_same or (besides is not None and besides == self.besides.get(other))
            if other > id_ and other not in self.undone and is_same:
                return False
        return True

    def owners(self) -> dict[str, str]:
        """Return whose the kingdoms of photos are, as far as it was said: one for each seat."""
        owners: dict[str, str] = {}
        games: dict[str, tuple[Any, ...] | None] = {}
        for id_, (about, seat) in self.entries.items():
            if about[0] == "owner" and id_ not in self.undone:
                owners.pop(about[1], None)
                given = self.besides.get(id_)
                for photo in [photo for photo in owners if given and games[photo] == given]:
                    del owners[photo]
                if seat is not None:
                    owners[about[1]], games[about[1]] = seat, given
        return owners


class Evening:
    """A server, its phones, and what they were answered."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random, self.data, self.told = Random(seed), folder / f"{seed}.sqlite", Told()
        self.games: list[str] = []
        #: The game and the kingdom line of every photo; the colour of its castle.
        self.photos: dict[str, tuple[str, str, str]] = {}
        self.waiting: list[Callable[[], None]] = []
        self.start()
        self.games.append(self.phones[0].game()["id"])

    def start(self) -> None:
        """Start the server; every phone keeps its cookies."""
        jars = [phone.client.cookies for phone in getattr(self, "phones", [])]
        self.store = Store(self.data)
        app = create_app(FakeScorer(), self.store)  # type: ignore[arg-type]
        self.phones = [Phone(TestClient(app)) for _ in range(PHONES)]
        for phone, jar in zip(self.phones, jars, strict=False):
            phone.client.cookies = jar
        for phone in self.phones:
            phone.client.get("/")

    def step(self) -> None:
        """Let a phone do something; now and then it has no network, and does it later."""
        acts = (
            self.photograph, self.name, self.claim, self.accept, self.correct, self.give,
            self.delete, self.toggle, self.toggle, self.begin_game, self.restart, self.choose_rules,
        )  # fmt: skip
        weights = (3, 4, 3, 2, 4, 2, 1, 4, 2, 1, 1, 2)
        (act,) = self.random.choices(acts, weights)
        phone = self.random.choice(self.phones)
        if self.random.random() < 0.15 and act != self.restart:
            number = self.phones.index(phone)
            self.waiting.append(lambda: act(self.phones[number]))
        else:
            act(phone)
        if self.waiting and self.random.random() < 0.3:
            self.waiting.pop(0)()

    def note(self, answer: Any, thing: tuple[Any, ...], value: Any) -> None:
        """Write down what was answered."""
        for id_ in answer["entries"]:
            self.told.entries[id_] = thing, value

    def is_there(self, photo: str) -> bool:
        return bool(self.told.value(("photo", photo)))

    def draw_photo(self) -> str | None:
        there = [photo for photo in self.photos if self.is_there(photo)]
        return self.random.choice(there) if there else None

    # ------------------------------------------------------------ what people do

    def photograph(self, phone: Phone) -> None:
        game, line = self.random.choice(self.games), draw_kingdom(self.random)
        colour = self.random.choice(COLOURS)
        sent = phone.photo(line, game, colours=(colour,), key=f"{len(self.photos)}")
        self.photos[sent["id"]] = game, line, colour
        self.note(sent, ("photo", sent["id"]), True)

    def name(self, phone: Phone) -> None:
        game, colour = self.random.choice(self.games), self.random.choice(COLOURS)
        name = self.random.choice(NAMES)
        path = f"/api/games/{game}/seats/{colour}"
        answer = phone.client.put(path, json={"player": name})
        begun = self.told.value(("begun", game), {})
        others = [self.player(game, each, begun) for each in COLOURS if each != colour]
        assert answer.status_code == (409 if name and name in others else 200), answer.text
        if answer.is_success:
            self.note(answer.json(), ("name", game, colour), name)

    def rule(self, game: str, name: str) -> bool:
        """Return whether a bonus counts in a game: those of the last game count in the next."""
        begun = self.told.value(("begun", game), {})
        return bool(self.told.value(("rule", game, name), begun.get(name, False)))

    def player(self, game: str, colour: str, begun: dict[str, str]) -> str:
        return str(self.told.value(("name", game, colour), begun.get(colour, "")))

    def claim(self, phone: Phone) -> None:
        game, colour = self.random.choice(self.games), self.random.choice(COLOURS)
        total = self.random.choice([None, 7, 31, 50])
        self.note(phone.seat(game, colour, claimed=total), ("claim", game, colour), total)

    def accept(self, phone: Phone) -> None:
        game, colour = self.random.choice(self.games), self.random.choice(COLOURS)
        total = self.random.choice([None, 12, 40])
        before = self.told.value(("accepted", game, colour))
        words = {"accept": total, "instead_of": before}
        self.note(phone.seat(game, colour, **words), ("accepted", game, colour), total)

    def correct(self, phone: Phone) -> None:
        photo = self.draw_photo()
        if photo is None:
            return
        place, face = self.random.choice(["A.a1", "A.b2", "A.e5"]), self.random.choice(FACES)
        answer = phone.client.post(f"/api/photos/{photo}/fixes", json={place: face})
        assert answer.status_code == 200, answer.text
        self.note(answer.json(), ("square", photo, place), face)

    def give(self, phone: Phone) -> None:
        photo = self.draw_photo()
        if photo is not None:
            seat = self.random.choice(["nobody", None, *COLOURS])
            path = f"/api/photos/{photo}/kingdoms/A"
            answer = phone.put(path, seat=seat)
            self.note(answer, ("owner", photo), seat)
            # What stands already is not said again.
            if seat in COLOURS and answer["entries"]:
                game, *_ = self.photos[photo]
                self.told.besides[answer["entries"][0]] = ("kingdom", game, seat)

    def choose_rules(self, phone: Phone) -> None:
        game, on = self.random.choice(self.games), self.random.random() < 0.5
        name = self.random.choice(BONUSES)
        self.note(phone.put(f"/api/games/{game}", **{name: on}), ("rule", game, name), on)

    def delete(self, phone: Phone) -> None:
        photo = self.draw_photo()
        if photo is not None:
            answer = phone.client.delete(f"/api/photos/{photo}").json()
            self.note(answer, ("photo", photo), False)

    def toggle(self, phone: Phone) -> None:
        """Take something back, or put it back; then everything else is as it was."""
        said = [id_ for id_ in self.told.entries if id_ > 0][-12:]
        if not said:
            return
        id_ = self.random.choice(said)
        wanted = id_ not in self.told.undone
        answer = phone.client.post(f"/api/log/{id_}/undo", json={"undone": wanted})
        if not self.told.may_toggle(id_):
            assert (answer.status_code, answer.json()["code"]) == (409, "changed-since")
            return
        assert answer.status_code == 200, answer.text
        self.told.undone ^= {id_}

    def begin_game(self, phone: Phone) -> None:
        last = self.games[-1]
        has_photos = any(
            game == last and self.is_there(photo) for photo, (game, *_) in self.photos.items()
        )
        id_ = phone.client.post("/api/games").json()["id"]
        assert (id_ != last) is has_photos
        if has_photos:
            begun = self.told.value(("begun", last), {})
            players = {colour: self.player(last, colour, begun) for colour in COLOURS}
            rules = {name: self.rule(last, name) for name in BONUSES}
            self.games.append(id_)
            self.told.entries[-len(self.games)] = ("begun", id_), players | rules

    def restart(self, phone: Phone) -> None:
        self.store.close()
        self.start()

    # ------------------------------------------------------------ what is shown

    def check(self) -> None:
        """Compare every game with what was told, and the log with what was answered."""
        phone = self.random.choice(self.phones)
        shown = {game["id"]: game for game in phone.games()}
        assert [*shown] == self.games
        for id_, game in shown.items():
            # Names, claims and accepted totals of its seats.
            begun = self.told.value(("begun", id_), {})
            for seat in game["seats"]:
                colour = seat["colour"]
                assert seat["player"] == self.player(id_, colour, begun)
                assert seat["claimed"] == self.told.value(("claim", id_, colour))
                assert seat["settled"] == self.told.value(("accepted", id_, colour))
            # Every photo that is there belongs to a seat, waits for an answer, or is nobody's.
            of_game = [photo for photo, (game_id, *_) in self.photos.items() if game_id == id_]
            there = [photo for photo in of_game if self.is_there(photo)]
            assert game["photos"] == len(there)
            seated = [photo for seat in game["seats"] for photo, _ in seat["photos"]]
            asked = [kingdom["photo"] for kingdom in game["unassigned"]]
            owners = self.told.owners()
            nobody = [photo for photo in there if owners.get(photo) == "nobody"]
            assert sorted([*seated, *asked, *nobody]) == sorted(there)
            for seat in game["seats"]:
                given = [photo for photo in there if owners.get(photo) == seat["colour"]]
                assert given == [photo for photo, _ in seat["photos"] if photo in given]
            for name in BONUSES:
                assert game["rules"][name] == self.rule(id_, name)
            for seat in game["seats"]:
                assert (seat["counts"], seat["score"]) == self.find_totals(id_, seat)
            # What was taken back is so in the history.
            entries = {entry["id"]: entry["undone"] for entry in phone.log(id_)}
            assert all(undone == (entry in self.told.undone) for entry, undone in entries.items())
        for photo in self.photos:
            answer = phone.client.get(f"/api/photos/{photo}")
            assert answer.status_code == (200 if self.is_there(photo) else 404)
            if answer.is_success:
                assert answer.json()["fixes"] == self.squares(photo)

        self.check_ranking(phone, shown)

    def squares(self, photo: str) -> dict[str, str]:
        """Return the squares of a photo that stand corrected."""
        squares = {thing for thing in self.things() if thing[:2] == ("square", photo)}
        made = {place: self.told.value((*about, place)) for *about, place in squares}
        return {place: face for place, face in made.items() if face is not None}

    def read_line(self, photo: str) -> list[list[str]]:
        """Return the squares that a photo shows, row by row."""
        _, line, _ = self.photos[photo]
        return [row.split(" ") for row in line.split("/")]

    def score(self, photo: str) -> int:
        """Return the total of a photo's kingdom as it is corrected, by the rules of its game."""
        game, *_ = self.photos[photo]
        rows = self.read_line(photo)
        for place, face in self.squares(photo).items():
            row, col = find_place(place)
            rows[row][col] = face
        harmony, middle_kingdom = [self.rule(game, name) for name in BONUSES]
        rules = Rules(harmony=harmony, middle_kingdom=middle_kingdom)
        return score("/".join(" ".join(row) for row in rows), rules).total

    def contradicts(self, photo: str) -> bool:
        """Whether a square of a photo was corrected to be another one: it shows all of them."""
        rows = self.read_line(photo)
        for place, face in self.squares(photo).items():
            row, col = find_place(place)
            if rows[row][col] not in ("-", face):
                return True
        return False

    def find_totals(self, game: str, seat: dict[str, Any]) -> tuple[int | None, int | None]:
        """Return the total of a seat that counts, and the one that its photos show.

        A corrected photo counts before others. Two that show different totals leave it open, and so
        does a claim that differs where a square was corrected that the photo shows clearly.
        """
        photos = [photo for photo, _ in seat["photos"]]
        accepted = self.told.value(("accepted", game, seat["colour"]))
        totals = {self.score(photo) for photo in photos}
        corrected = [photo for photo in photos if self.squares(photo)]
        if not photos:
            return accepted, None
        best = (corrected or photos)[0]
        shown = self.score(best)
        claimed = self.told.value(("claim", game, seat["colour"]))
        is_open = len(totals) > 1 and not corrected
        if claimed not in (None, shown) and self.contradicts(best):
            is_open = True
        return (None if is_open else shown) if accepted is None else accepted, shown

    def check_ranking(self, phone: Phone, games: dict[str, Any]) -> None:
        """Compare the ranking with the sums of what counts, or is shown while that is open."""
        sums: dict[str, int] = {}
        for id_, game in games.items():
            for seat in game["seats"]:
                counts, shown = self.find_totals(id_, seat)
                total = shown if counts is None else counts
                if total is not None:
                    name = seat["player"] or seat["colour"]
                    sums[name] = sums.get(name, 0) + total
        ranking = phone.ranking()
        assert {player: total for _, player, total, _ in ranking} == sums
        if len(games) == 1 and any(is_open for *_, is_open in ranking):
            return  # Ranks of an only game are as good as open totals allow.
        for rank, _, total, _ in ranking:
            above = sum(other > total for other in sums.values())
            # Ties of an only game are broken by the rules.
            same = sum(other == total for other in sums.values())
            assert above < rank <= (above + 1 if len(games) > 1 else above + same)

    def things(self) -> list[tuple[Any, ...]]:
        return [thing for thing, _ in self.told.entries.values()]


def find_place(place: str) -> tuple[int, int]:
    """Return the row and column of `A.b2`."""
    return int(place[-1]) - 1, "abcde".index(place[-2])


@pytest.mark.parametrize("first", range(0, EVENINGS, 25))
def test_page_shows_what_the_log_says(tmp_path: Path, first: int) -> None:
    for seed in range(first, first + 25):
        evening = Evening(tmp_path, seed)
        for number in range(STEPS):
            evening.step()
            if number % 8 == 7:
                evening.check()
        while evening.waiting:
            evening.waiting.pop(0)()
        evening.check()
        evening.store.close()
