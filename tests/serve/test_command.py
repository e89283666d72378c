"""`kdscore serve`: what is refused before it starts, and what it prints."""

import math
import re
import socket
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from msgspec.structs import replace

from kdvision.cli import main
from kdvision.errors import ExitCode, UsageError
from kdvision.serve import run
from kdvision.serve.desk.pages import table_address
from kdvision.serve.desk.seats import RoundTable
from kdvision.serve.run import (
    Connections,
    Served,
    address,
    made_password,
    open_port,
    welcome,
    with_passwords,
)
from kdvision.serve.store import Store


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--port", "0"], "--port is 0"),
        (["--port", "65536"], "--port is 65536"),
        (["--workers", "0"], "--workers is 0"),
        (["--workers", "101"], "--workers is 101"),
        (["--keep-photos", "-1"], "--keep-photos is -1"),
        (["--no-password", "--password", "x"], "--no-password is given beside"),
        (["--desk-password", "x"], "--desk-password is given without --sheet"),
        (["--event", "slips.event.json"], "--event is given without --sheet"),
        (["--most-photos-mb", "0"], "--most-photos-mb is 0"),
        # There is one way to score: threads.
        (["--processes", "2"], "--processes"),
        (["--dask", "scheduler"], "--dask"),
        (["--host", "no.such.host.invalid"], "cannot be opened"),
        (["--sheet", "missing.csv"], "missing.csv does not exist"),
    ],
)
def test_what_cannot_be_served_is_a_usage_error(
    words: list[str],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main.run(["serve", *words]) == ExitCode.USAGE
    said = capfd.readouterr().err
    assert why in said and "serves at" not in said


def test_a_port_that_is_taken_is_said_before_anything_is_promised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main.run(["serve", "--port", port]) == ExitCode.USAGE
    said = capfd.readouterr().err
    assert "cannot be opened" in said and port in said and "serves at" not in said


def test_passwords_are_the_same_after_a_restart(tmp_path: Path) -> None:
    served = Served("0.0.0.0", 8000, tmp_path / "e", sheet=Path("s.csv"), open_to_all=False)
    first = with_passwords(served, Store(tmp_path / "e"))
    assert len(first.password) == len(first.desk_password) == 8
    assert with_passwords(served, Store(tmp_path / "e")) == first
    chosen = replace(served, password="meadow")
    assert with_passwords(chosen, Store(tmp_path / "e")).password == "meadow"
    assert with_passwords(served, Store(tmp_path / "e")).password == "meadow"
    assert with_passwords(replace(served, open_to_all=True), Store(tmp_path / "e")).password == ""


def test_the_password_of_players_does_not_open_the_desk(tmp_path: Path) -> None:
    served = Served(
        "127.0.0.1", 8000, tmp_path / "e", "meadow5x5", Path("s.csv"), None, "meadow5x5"
    )
    with pytest.raises(UsageError, match="one password") as refused:
        with_passwords(served, Store(tmp_path / "e"))
    assert refused.value.exit_code == ExitCode.USAGE
    alone = replace(served, sheet=None, desk_password="")
    assert with_passwords(alone, Store(tmp_path / "e")).password == "meadow5x5"
    # One of them may be from the start before.
    again = replace(served, password="", open_to_all=False)
    with pytest.raises(UsageError, match="--desk-password"):
        with_passwords(again, Store(tmp_path / "e"))


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="IPv6 is not there")
def test_on_all_interfaces_of_ipv6_the_printed_address_of_ipv4_answers() -> None:
    with open_port("::", 0) as port, socket.create_connection(("127.0.0.1", port.getsockname()[1])):
        pass


def test_a_made_password_has_forty_bits() -> None:
    letters = set().union(*(made_password() for _ in range(500)))
    assert math.log2(len(letters)) * len(made_password()) >= 40
    assert letters.isdisjoint("01lo"), "nothing to confuse"


def test_any_password_is_whole_in_the_address_that_phones_open() -> None:
    password = "a&b+c d#e%41ü"
    query = urlsplit(address("192.0.2.7", 8000, password)).query
    assert parse_qs(query) == {"password": [password]}
    code = table_address(address("192.0.2.7", 8000, password), RoundTable("1", "3"), "t")
    assert parse_qs(urlsplit(code).query)["password"] == [password]


@pytest.mark.parametrize(("password", "warned"), [("seven77", True), ("eight888", False)])
def test_a_short_password_is_warned_about(password: str, warned: bool) -> None:
    said = welcome(Served("127.0.0.1", 8000, Path("e"), password))
    assert ("Warning" in said) is warned


def test_idle_connections_are_closed_for_those_who_come() -> None:
    class Connection:
        def __init__(self, peer: str, *, is_answering: bool = False) -> None:
            self.peer, self.is_answering, self.closed = peer, is_answering, False
            self.transport = self

        def close(self) -> None:
            self.closed = True
            connections.drop(self)  # type: ignore[arg-type]

    connections = Connections(4)
    busy = Connection("crowd", is_answering=True)
    crowd = [Connection("crowd"), Connection("crowd")]
    every = [busy, *crowd, Connection("phone")]
    for one in (*every, late := Connection("late")):
        connections.add(one)  # type: ignore[arg-type]
    assert [one.closed for one in (*every, late)] == [False, True, False, False, False]


def test_a_desk_off_loopback_gets_two_passwords(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    started: list[Served] = []

    def serve(served: Served, settings: object, say: Callable[[str], None]) -> None:
        served = with_passwords(served, Store(tmp_path / "e.sqlite"))
        started.append(served)
        say(welcome(served))

    monkeypatch.setattr(run, "serve", serve)
    words = ["serve", "--host", "0.0.0.0", "--sheet", str(tmp_path / "s.csv")]
    assert main.run(words) == ExitCode.SURE
    (served,) = started
    assert len(served.password) == len(served.desk_password) == 8
    assert served.password != served.desk_password
    said = capfd.readouterr().err
    assert re.search(rf"/board\?password={served.desk_password}\b", said)
    assert re.search(rf"/\?password={served.password}\b", said)


@pytest.mark.parametrize(
    ("served", "lines"),
    [
        (Served("127.0.0.1", 8000, Path("e")), ["kdscore serves at http://127.0.0.1:8000/"]),
        (
            Served("::1", 8000, Path("e"), sheet=Path("s.csv")),
            [
                "kdscore serves at http://[::1]:8000/",
                "The board of the desk, with the QR codes of the tables: http://[::1]:8000/board",
            ],
        ),
    ],
)
def test_what_is_printed_on_loopback(served: Served, lines: list[str]) -> None:
    assert welcome(served).splitlines() == [*lines, "Stop it with Ctrl-C."]
