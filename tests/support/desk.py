"""Tournaments at a desk: sheets, fake photos, and a server that reads them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from kdvision.corrections import fixes_of
from kdvision.options import GameOptions
from kdvision.result import PhotoResult
from kdvision.serve.app import create_app
from kdvision.serve.desk.seats import read_seating
from kdvision.serve.store import Store
from tests.support.fakes import FakeScorer, fake_photo

SHEET = """round,table,player,harmony
1,1,Ada,
1,1,Ben,
1,2,Cleo,yes
1,2,Dan,yes
1,3,Eve,
2,1,Ada,
2,1,Cleo,
"""


@dataclass(frozen=True, slots=True)
class AtDesk:
    """A client of a tournament, at the tables and at the desk."""

    client: TestClient

    def claim(self, round_: str, table: str, **claims: int) -> Any:
        """Write claims down; the answer."""
        data = {"round": round_, "table": table, "claims": claims}
        return self.client.post("/api/table/claims", json=data)

    def upload(self, line: str, table: str = "1", round_: str = "1", **fake: Any) -> str:
        """Send a fake photo by the rules of a table; its id."""
        query = {"round": round_, "table": table}
        rules = self.client.get("/api/table", params=query).json()["rules"]
        form = {key: str(value) for key, value in rules.items()}
        files = {"photo": ("image.jpg", fake_photo(line, **fake))}
        answer = self.client.post("/api/photos", files=files, data=form)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def hand_in(self, round_: str, table: str, photo: str, **players: str) -> Any:
        """Hand a photo in for players, with their letters; the answer."""
        data = {"round": round_, "table": table, "photo": photo, "players": players}
        return self.client.post("/api/table/photos", json=data)

    def correct(
        self, round_: str, table: str, player: str, fixes: Mapping[str, str], by: str = "Judge"
    ) -> Any:
        """Have the desk correct squares of a player's kingdom; the answer."""
        where = {"round": round_, "table": table, "player": player, "by": by}
        return self.client.post("/api/board/corrections", json={**where, "fixes": dict(fixes)})

    @contextmanager
    def as_desk(self) -> Iterator[None]:
        """Ask with the password of the desk."""
        auth = self.client.auth
        self.client.auth = ("any", "the-desk")  # type: ignore[assignment]
        yield
        self.client.auth = auth

    def be_at(self, round_: str, table: str) -> None:
        """Be a phone of a player that has opened the code of a table."""
        with self.as_desk():
            codes = self.client.get("/api/board/codes").json()["codes"]
        (token,) = [
            one["token"] for one in codes if (one["round"], one["table"]) == (round_, table)
        ]
        self.client.auth = ("any", "players")  # type: ignore[assignment]
        self.client.headers["X-Kdscore-Table"] = token

    def be_nowhere(self) -> None:
        """Be a phone of a player that has opened no code."""
        self.client.auth = ("any", "players")  # type: ignore[assignment]
        self.client.headers.pop("X-Kdscore-Table", None)

    def decide(self, round_: str, table: str, player: str, accept: Any, by: str = "Judge") -> Any:
        """Accept a side; the answer."""
        where = {"round": round_, "table": table, "player": player}
        return self.client.post("/api/board/decisions", json={**where, "accept": accept, "by": by})

    def tile(self, round_: str, table: str) -> dict[str, Any]:
        """A tile of the board."""
        tiles = self.client.get("/api/board").json()["tiles"]
        (found,) = [one for one in tiles if (one["round"], one["table"]) == (round_, table)]
        return dict(found)

    def line(self, round_: str, table: str, player: str) -> dict[str, Any]:
        """A player on the board."""
        players = self.tile(round_, table)["players"]
        (found,) = [one for one in players if one["player"] == player]
        return dict(found)


class FakeReader:
    """`FakeScorer` with corrections as programs write them."""

    def score(
        self, source: bytes, options: GameOptions, *, name: str, fixes: Mapping[str, str]
    ) -> PhotoResult:
        """The result of a fake photo."""
        return FakeScorer().score(source, options, name=name, fixes=fixes_of(fixes))


@contextmanager
def desk(
    folder: Path, sheet: str = SHEET, *, store: Store | None = None, **options: Any
) -> Iterator[AtDesk]:
    """A desk with a sheet, a new store in a folder or the one that is there, and fake photos."""
    path = folder / "sheet.csv"
    path.write_text(sheet)
    store = store or Store(folder / "desk.sqlite")
    app = create_app(FakeReader(), store, seating=read_seating(path), **options)
    with TestClient(app, raise_server_exceptions=False, follow_redirects=False) as client:
        yield AtDesk(client)
