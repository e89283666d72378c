"""A desk as a process that is killed: codes, sessions, claims and photos still hold."""

import base64
import http.client
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.desk_page import DESK_SHEET
from tests.support.serving import BOUNDARY, Running, ask, form, running_server, sample

KILLS = 3
JSON = {"Content-Type": "application/json"}


def signed(password: str, token: str = "") -> dict[str, str]:
    """The headers of a program with a password, at the table of a token."""
    coded = base64.b64encode(f"any:{password}".encode()).decode()
    return {"Authorization": f"Basic {coded}", **({"X-Kdscore-Table": token} if token else {})}


def get(server: Running, path: str, password: str) -> dict[str, Any]:
    status, found = ask(server, "GET", path, **signed(password))
    assert status == 200, found
    return found


def session(server: Running) -> str:
    """The cookie of a phone that has opened the printed address."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", "/?password=players")
    cookie = connection.getresponse().getheader("set-cookie")
    connection.close()
    assert cookie is not None
    return cookie.partition(";")[0]


@pytest.mark.slow
def test_codes_claims_and_photos_outlive_killed_servers(tmp_path: Path) -> None:
    """A phone that opened its code once goes on after every kill, between any two of its steps."""
    sheet, data = tmp_path / "sheet.csv", tmp_path / "night.sqlite"
    sheet.write_text(DESK_SHEET)
    options = ("--sheet", sheet, "--password", "players", "--desk-password", "the-desk")
    where = {"round": "1", "table": "2"}
    codes: Any = None
    cookie = token = photo = ""
    for life in range(KILLS + 1):
        with running_server(data, *options) as server:
            now = get(server, "/api/board/codes", "the-desk")["codes"]
            codes = codes or now
            assert [one["token"] for one in now] == [one["token"] for one in codes]
            cookie = cookie or session(server)
            assert ask(server, "GET", "/api/games", Cookie=cookie)[0] == 200
            token = token or next(
                one["token"] for one in codes if (one["round"], one["table"]) == ("1", "2")
            )
            head = {**signed("players", token), **JSON}
            if life == 0:
                body = json.dumps({**where, "claims": {"Cleo": 75}}).encode()
                assert ask(server, "POST", "/api/table/claims", body, **head)[0] == 200
            if life == 1:
                kind = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
                sent = form(sample("meadow_5x5.jpg"))
                status, found = ask(server, "POST", "/api/photos", sent, **{**head, **kind})
                assert status == 201
                photo = found["id"]
            if life == 2:
                handed = json.dumps({**where, "photo": photo, "players": {"Cleo": ""}}).encode()
                assert ask(server, "POST", "/api/table/photos", handed, **head)[0] == 200
            # Nobody has another table's code, before a kill or after one.
            other = json.dumps({**where, "table": "1", "claims": {"Ada": 1}}).encode()
            assert ask(server, "POST", "/api/table/claims", other, **head)[0] == 403
            server.process.kill()
            server.process.wait()
    with running_server(data, *options) as server:
        tiles = get(server, "/api/board", "the-desk")["tiles"]
        (tile,) = [one for one in tiles if (one["round"], one["table"]) == ("1", "2")]
        line = tile["players"][0]
        assert (line["player"], line["claimed"], line["photo"]) == ("Cleo", 75, photo)
        assert (line["state"], line["total"]) == ("agrees", 75)
        kinds = [one["kind"] for one in get(server, "/api/board/log", "the-desk")["events"]]
        assert kinds == ["claim", "photo"]
