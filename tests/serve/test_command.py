"""`kdscore serve`: what is refused before it starts, and what it prints."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kdvision.cli import main
from kdvision.errors import ExitCode
from kdvision.serve import run
from kdvision.serve.run import Served, welcome


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
        (["--dask", "tcp://127.0.0.1:8786", "--workers", "2"], "--dask is given beside"),
        (["--dask", "tcp://127.0.0.1:8786", "--processes"], "--dask is given beside"),
        (["--dask", "foo"], "--dask is 'foo'"),
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


def test_a_desk_off_loopback_gets_two_passwords(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    started: list[Served] = []

    def serve(served: Served, settings: object, say: Callable[[str], None]) -> None:
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
