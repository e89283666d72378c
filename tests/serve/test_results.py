"""A whole tournament: the sheet is only read, and the results are those of `kdscore verify`."""

import csv
import io
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from kdvision.result import Status
from kdvision.serve import outputs
from kdvision.serve.app import create_app
from kdvision.serve.evenings import Evenings
from kdvision.serve.log import GameBegun
from kdvision.serve.outputs import KeptResults
from kdvision.serve.readings import Readings
from kdvision.serve.store import Store
from kdvision.tournament.request import Request
from kdvision.tournament.run import run
from tests.support.fakes import FakeScorer, fake_photo, fake_workers
from tests.support.serving import COLOURS, Phone, draw_kingdom
from tests.support.waiting import wait_for

ROUNDS = 2
TABLES = 4
#: A photo of which a1 of every kingdom is in doubt.
DOUBTFUL: dict[str, Any] = {
    "status": Status.DOUBTFUL, "probability": 0.7, "fixes": (((0, 0), "M3"),),
}  # fmt: skip


def read_table(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """A server of a tournament that keeps its results."""
    monkeypatch.setattr(outputs, "LOOK_EVERY_S", 0.05)
    rows = ["round,game,player,colour,photo,claimed,accept,fix,note"]
    for round_ in range(1, ROUNDS + 1):
        for table in range(1, TABLES + 1):
            rows += [f"{round_},{table},P{table}-{colour},{colour},,,,," for colour in COLOURS]
    (tmp_path / "sheet.csv").write_text("\n".join(rows) + "\n")
    app = create_app(
        FakeScorer(),  # type: ignore[arg-type]
        Store(tmp_path / "e.sqlite"),
        sheet=tmp_path / "sheet.csv",
        output=tmp_path / "results.csv",
    )
    return TestClient(app)


def play(phone: Phone, folder: Path) -> None:
    """Photograph, claim, correct and settle at every table."""
    random = Random(11)
    for game in phone.games():
        lines = [draw_kingdom(random) for _ in COLOURS]
        name = f"{game['name'].replace(' / ', '-')}.jpg"
        is_doubtful = random.random() < 0.5
        fake = DOUBTFUL if is_doubtful else {}
        data = fake_photo(" | ".join(lines), colours=COLOURS, **fake)
        (folder / name).write_bytes(data)
        files, words = {"photo": (name, data)}, {"game": game["id"]}
        sent = phone.client.post("/api/photos", files=files, data=words).json()
        if is_doubtful:
            phone.client.post(f"/api/photos/{sent['id']}/fixes", json={"B.a1": "M3"})
        else:
            # A square that the photo shows clearly.
            phone.client.post(f"/api/photos/{sent['id']}/fixes", json={"C.b2": "S2"})
        scores = phone.seats(game["id"])
        for colour in COLOURS:
            wrong = random.choice([0, 0, 0, 3])
            phone.seat(game["id"], colour, claimed=scores[colour] + wrong)
        if random.random() < 0.5:
            phone.seat(game["id"], random.choice(COLOURS), accept=40)


def test_results_are_those_of_verify(hall: TestClient, tmp_path: Path) -> None:
    sheet, kept = tmp_path / "sheet.csv", tmp_path / "results.csv"
    before = sheet.read_bytes(), sheet.stat().st_mtime_ns
    # What is asked for, and what is kept beside the server, are the same bytes.
    with hall:
        play(Phone(hall), tmp_path)
        results = hall.get("/results.csv").content
        wait_for(lambda: kept.is_file() and kept.read_bytes() == results)
        assert hall.get("/results.csv").content == results, "the same bytes each time"
        assert hall.get("/results.xlsx").content == hall.get("/results.xlsx").content
    assert kept.read_bytes() == results, "also after the end"
    assert (sheet.read_bytes(), sheet.stat().st_mtime_ns) == before
    table = read_table(results)
    corrected = [row for row in table if "C.b2=S2" in row["fix"]]
    assert {row["verdict"] for row in corrected} == {"settled", "cannot tell"}
    for row in corrected:
        assert bool(row["counts"]) == (row["verdict"] == "settled"), row
    # The same photos and words in a sheet, checked by verify.
    checked, found = tmp_path / "words.csv", ("score", "status", "counts", "verdict")
    people = [name for name in table[0] if name not in (*found, "explanation", "reading")]
    with checked.open("w", newline="") as file:
        writer = csv.DictWriter(file, people, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(table)
    output = tmp_path / "verified.csv"
    run(Request(inputs=(checked,), output=output, needs_claims=True), fake_workers())
    assert read_table(output.read_bytes()) == table


def test_changed_results_are_not_overwritten(hall: TestClient, tmp_path: Path) -> None:
    kept = tmp_path / "results.csv"
    with hall:
        phone = Phone(hall)
        wait_for(kept.is_file)
        kept.write_text("mine\n")
        phone.seat(phone.game()["id"], "blue", claimed=12)
        wait_for(lambda: hall.get("/api/evening").json()["problem"])
        assert (
            "was changed since kdscore serve wrote it" in hall.get("/api/evening").json()["problem"]
        )
        assert kept.read_text() == "mine\n"
        # Moved away, it is written again.
        kept.rename(tmp_path / "mine.csv")
        wait_for(kept.is_file)
        wait_for(lambda: not hall.get("/api/evening").json()["problem"])


def kept_results(path: Path, store: Store) -> KeptResults:
    """Results that are kept in a file; nobody plays."""
    evenings = Evenings(store, Readings(store, FakeScorer()))  # type: ignore[arg-type]
    return KeptResults(path, store, evenings, None, "en")


def test_changed_results_are_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, store = tmp_path / "results.csv", Store(tmp_path / "e.sqlite")
    kept = kept_results(path, store)
    kept.look()
    written = path.read_bytes()
    for number in (1, 2):
        path.write_text("mine")
        for _ in range(2):
            store.append("evening", f"game {number}", GameBegun("1"))
            kept.look()
            assert "was changed since kdscore serve wrote it" in kept.problem
            assert path.read_text() == "mine"
        assert caplog.text.count("the results cannot be written now") == number
        # Once the file is moved away they are written again.
        path.rename(tmp_path / f"mine {number}.csv")
        kept.look()
        assert (kept.problem, path.is_file()) == ("", True)
    assert path.read_bytes()[:20] == written[:20]


def test_unchanged_evening_is_not_written_again(tmp_path: Path) -> None:
    path, store = tmp_path / "results.csv", Store(tmp_path / "e.sqlite")
    kept = kept_results(path, store)
    for _ in range(2):  # the first begins an evening
        kept.look()
    path.unlink()
    kept.look()
    assert not path.exists()
    store.append("evening", "game", GameBegun("1"))
    kept.look()
    assert path.is_file()
