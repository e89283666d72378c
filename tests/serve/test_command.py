"""`kdscore serve`: what is refused before it starts, and what it prints."""

import math
import socket
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from msgspec.structs import replace

from kdvision.cli import main
from kdvision.errors import ExitCode
from kdvision.serve.run import (
    Served,
    address,
    made_password,
    open_port,
    welcome,
    with_password,
)
from kdvision.serve.store import Store


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--port", "0"], "Invalid value for '--port'"),
        (["--port", "65536"], "Invalid value for '--port'"),
        (["--workers", "0"], "Invalid value for '--workers'"),
        (["--workers", "101"], "Invalid value for '--workers'"),
        (["--keep-photos", "-1"], "Invalid value for '--keep-photos'"),
        (["--no-password", "--password", "x"], "--no-password is given beside"),
        (["--most-photos-mb", "0"], "Invalid value for '--most-photos-mb'"),
        # There is one way to score: threads.
        (["--processes", "2"], "--processes"),
        (["--dask", "scheduler"], "--dask"),
        (["--host", "no.such.host.invalid"], "cannot be opened"),
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
    served = Served("0.0.0.0", 8000, tmp_path / "e", open_to_all=False)
    first = with_password(served, Store(tmp_path / "e"))
    assert len(first.password) == 8
    assert with_password(served, Store(tmp_path / "e")) == first
    chosen = replace(served, password="meadow")
    assert with_password(chosen, Store(tmp_path / "e")).password == "meadow"
    assert with_password(served, Store(tmp_path / "e")).password == "meadow"
    assert with_password(replace(served, open_to_all=True), Store(tmp_path / "e")).password == ""


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


@pytest.mark.parametrize(("password", "warned"), [("seven77", True), ("eight888", False)])
def test_a_short_password_is_warned_about(password: str, warned: bool) -> None:
    said = welcome(Served("127.0.0.1", 8000, Path("e"), password))
    assert ("Warning" in said) is warned


@pytest.mark.parametrize(
    ("served", "lines"),
    [
        (Served("127.0.0.1", 8000, Path("e")), ["kdscore serves at http://127.0.0.1:8000/"]),
        (
            Served("::1", 8000, Path("e")),
            ["kdscore serves at http://[::1]:8000/"],
        ),
    ],
)
def test_what_is_printed_on_loopback(served: Served, lines: list[str]) -> None:
    assert welcome(served).splitlines() == [*lines, "Stop it with Ctrl-C."]
