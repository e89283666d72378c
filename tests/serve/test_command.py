"""`kdscore serve`: what is refused before it starts, and what it prints."""

import errno
import math
import os
import re
import shutil
import socket
import ssl
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import uvicorn
from starlette.testclient import TestClient

from kdvision.cli import main
from kdvision.errors import ExitCode, UsageError
from kdvision.serve import running
from kdvision.serve.running import ServeOptions, choose_password, make_address, open_port
from kdvision.serve.store import Store, new_code
from tests.support.serving import running_server
from tests.support.waiting import PATIENCE_S


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--port", "0"], "--port"),
        (["--port", "65536"], "--port"),
        (["--no-password", "--password", "x"], "--password and --no-password excl"),
        (["--host", "no.such.host.invalid"], "cannot be opened: "),
        (["sheet.csv"], "For a sheet: --sheet FILE"),
        (["--sheet", "missing.csv"], "missing.csv does not exist"),
        (["--data", "."], "cannot be used"),
        (["--keyfile", "key.pem"], "--keyfile stands without --certfile"),
        (["--certfile", "missing.pem"], "missing.pem cannot be used as a certificate"),
        (["--certfile", "table.csv"], "Give a certificate with --certfile and its key"),
        (["--sheet", "table.csv", "-o", "table.csv"], "no input is ever written"),
        (["-o", "table.csv"], "was changed since kdscore serve wrote it, or is another file"),
        (["-o", "results.txt"], "cannot go into"),
    ],
)
def test_unservable_is_a_usage_error(
    words: list[str],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_text("player\nAda\n")
    assert main.run(["serve", *words]) == ExitCode.USAGE
    assert Path("table.csv").read_text() == "player\nAda\n"
    printed = capfd.readouterr().err
    assert why in printed and "serves at" not in printed


def test_taken_port_is_said_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main.run(["serve", "--port", port]) == ExitCode.USAGE
    reason = os.strerror(errno.EADDRINUSE)
    assert capfd.readouterr().err.startswith(
        f"kdscore: Port {port} of 127.0.0.1 cannot be opened: {reason}. Name another port"
    )


def test_host_that_is_no_name_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name with a part of 64 letters, of which the system is not even asked."""

    def refuse(*_: object, **__: object) -> None:
        raise UnicodeError("encoding of hostname failed")

    monkeypatch.setattr(socket, "create_server", refuse)
    with pytest.raises(
        UsageError, match=r"^Port 80 of ä{64} cannot be opened: encoding of .*ed\. "
    ):
        open_port("ä" * 64, 80)


@pytest.mark.parametrize(
    ("host", "given", "length"),
    [
        ("127.0.0.1", None, 0),
        ("0.0.0.0", None, 8),
        ("0.0.0.0", "meadow5x5", 9),
        ("127.0.0.1", "meadow5x5", 9),
        ("0.0.0.0", "", 0),
    ],
)
def test_open_address_asks_for_a_password(
    tmp_path: Path, host: str, given: str | None, length: int
) -> None:
    store = Store(tmp_path / "e")
    password = choose_password(store, host, given)
    assert len(password) == length
    # The same after a restart.
    assert choose_password(Store(tmp_path / "e"), host, given) == password


def test_made_password_has_forty_bits() -> None:
    letters = set().union(*(new_code() for _ in range(500)))
    assert math.log2(len(letters)) * len(new_code()) >= 40
    assert letters.isdisjoint("01lo"), "nothing to confuse"


def test_address_holds_any_password() -> None:
    password = "a&b+c d#e%41ü"
    query = urlsplit(make_address(ServeOptions(host="192.0.2.7"), password)).query
    assert parse_qs(query) == {"password": [password]}
    assert make_address(ServeOptions(host="::1", port=80)) == "http://[::1]:80/"


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for 127.0.0.1 that nobody has signed, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed: it makes the certificate")
    certificate, key = folder / "table.pem", folder / "table-key.pem"
    words = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    words += ["-subj", "/CN=table", "-addext", "subjectAltName=IP:127.0.0.1"]
    words += ["-out", str(certificate), "-keyout", str(key)]
    subprocess.run(words, check=True, capture_output=True)
    return certificate, key


def test_https_with_own_certificate(tmp_path: Path) -> None:
    """Who trusts the certificate gets in; cookies then go over https alone."""
    certificate, key = make_certificate(tmp_path)
    files = ("--certfile", certificate, "--keyfile", key)
    with running_server(tmp_path / "e.sqlite", *files, fake=True) as running:
        assert running.address.startswith("https://")
        trusting = ssl.create_default_context(cafile=str(certificate))
        with urllib.request.urlopen(
            running.address, context=trusting, timeout=PATIENCE_S
        ) as answer:
            assert answer.status == 200 and "Secure" in answer.headers["set-cookie"]
        with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
            urllib.request.urlopen(running.address, timeout=PATIENCE_S)
        with pytest.raises((urllib.error.URLError, ConnectionError)):
            urllib.request.urlopen(f"http://127.0.0.1:{running.port}/", timeout=PATIENCE_S)


def test_key_of_another_certificate_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    certificate, _ = make_certificate(tmp_path)
    (tmp_path / "other").mkdir()
    _, key = make_certificate(tmp_path / "other")
    words = ["serve", "--certfile", str(certificate), "--keyfile", str(key)]
    assert main.run(words) == ExitCode.USAGE
    printed = capfd.readouterr().err
    assert "cannot be used as a certificate" in printed and "serves at" not in printed


@pytest.mark.parametrize(
    ("host", "has_code", "begin"),
    [
        ("127.0.0.1", False, "http://127.0.0.1:80/"),
        ("localhost", False, "http://localhost:80/"),
        ("192.0.2.1", True, "http://192.0.2.1:80/"),
        ("2001:db8::1", True, "http://[2001:db8::1]:80/"),
    ],
)
def test_address_off_loopback_has_a_qr_code(host: str, has_code: bool, begin: str) -> None:
    options = ServeOptions(port=80, data=Path("e.sqlite"), host=host)
    first, *picture, last = running.welcome(options, "").splitlines()
    assert first == f"kdscore serves at {begin}"
    assert (len(picture) > 9) is has_code
    assert last == "Stop it with Ctrl-C."


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_address_of_all_interfaces_leads_elsewhere(host: str) -> None:
    address = running.make_address(ServeOptions(port=80, data=Path("e.sqlite"), host=host))
    assert re.fullmatch(r"http://\d+\.\d+\.\d+\.\d+:80/", address)
    assert "0.0.0.0" not in address


@pytest.mark.parametrize(("host", "status"), [("127.0.0.1", 400), ("0.0.0.0", 401)])
def test_server_on_loopback_answers_own_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, status: int
) -> None:
    """Off loopback it has many names, and a password."""
    statuses = []

    def ask(server: uvicorn.Server, sockets: object) -> None:
        client = TestClient(server.config.app)  # type: ignore[arg-type]
        statuses.append(client.get("/codes", headers={"host": "evil.example"}).status_code)

    monkeypatch.setattr(uvicorn.Server, "run", ask)
    monkeypatch.setattr(running, "Scorer", lambda threads: None)
    options = ServeOptions(port=0, data=tmp_path / "e.sqlite", host=host, password="eight888")
    running.serve(options, lambda _: None)
    assert statuses == [status]


@pytest.mark.parametrize(
    ("password", "sheet", "lines"),
    [
        ("", None, ["kdscore serves at http://127.0.0.1:0/"]),
        ("eight888", Path("sheet.csv"), [
            "kdscore serves at http://127.0.0.1:0/?password=eight888",
            "QR codes of the games, to print: http://127.0.0.1:0/codes?password=eight888",
        ]),
    ],
)  # fmt: skip
def test_printed_addresses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, password: str, sheet: Path | None, lines: list
) -> None:
    """A tournament is told where its codes are."""
    monkeypatch.setattr(uvicorn.Server, "run", lambda server, sockets: None)
    monkeypatch.setattr(running, "Scorer", lambda threads: None)
    monkeypatch.chdir(tmp_path)
    Path("sheet.csv").write_text("player\nAda\n")
    printed: list[str] = []
    options = ServeOptions(port=0, data=Path("e.sqlite"), password=password, sheet=sheet)
    running.serve(options, printed.append)
    assert printed[0].splitlines() == [*lines, "Stop it with Ctrl-C."]
