"""The sample of a table, read by the real program: claims, colours, and a turned photo."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import Any

import cv2
import numpy as np
import pytest

from kdvision import concurrency
from kdvision.errors import ExitCode
from kdvision.pipeline.read_photo import ReadPhoto
from kdvision.pipeline.scorer import Scorer
from kdvision.tournament.executors import Workers
from kdvision.tournament.report import Outcome
from kdvision.tournament.request import Request
from kdvision.tournament.run import run
from kdvision.tournament.scoring import make_scorer
from kdvision.tournament.sheet import read_sheets
from kdvision.vision import vision
from tests.support.golden_photos import beside, blurred, sample
from tests.support.paths import ROOT

WORKERS = Workers(ThreadPoolExecutor(1), 1)
#: The players of the sample by the colours of their castles, with their totals.
PLAYERS = {"yellow": ("Ann", 46), "pink": ("Ben", 54), "blue": ("Cle", 41), "green": ("Dan", 40)}


@pytest.fixture(autouse=True)
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.jpg").write_bytes((ROOT / "samples" / "four_kingdoms.jpg").read_bytes())


def verify(sheet: str) -> Outcome:
    Path("s.csv").write_text(f"photo,player,claimed,colour,fix\n{sheet}")
    return run(Request(inputs=(Path("s.csv"),), output=Path("out.csv"), needs_claims=True), WORKERS)


@pytest.mark.parametrize(("make", "alone"), [(make_scorer, True), (Scorer, False)])
def test_worker_leaves_other_cores_to_other_photos(
    make: Callable[[], Scorer], alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a tournament the kingdoms of one photo are read side by side."""
    started = []

    def begin(target: Callable[[], None]) -> Thread:
        started.append(target)
        return Thread(target=target)

    monkeypatch.setattr(vision, "cores", lambda: 4)
    monkeypatch.setattr(concurrency, "Thread", begin)
    make().score("t.jpg")
    assert (started == []) is alone


@pytest.mark.parametrize("quarters", [0, 1])
def test_castle_colour_names_the_owner(
    quarters: int,
) -> None:
    picture = cv2.imread("t.jpg")
    assert picture is not None
    photo = np.rot90(picture, quarters)
    cv2.imwrite("t.jpg", photo)
    sheet = "".join(f"t.jpg,{name},{total},{c}\n" for c, (name, total) in PLAYERS.items())
    assert [verdict.word for verdict in verify(sheet).verdicts] == ["agrees"] * 4
    cv2.imwrite("t.jpg", cv2.rotate(photo, cv2.ROTATE_180))
    # Nothing but what was read before says whose it is now.
    results = Path("out.csv").read_text()
    for colour in PLAYERS:
        results = results.replace(f",{colour},", ",,")
    Path("names.csv").write_text(results)
    request = Request(inputs=(Path("names.csv"),), output=Path("new.csv"), needs_claims=True)
    assert [verdict.word for verdict in run(request, WORKERS).verdicts] == ["agrees"] * 4
    (again,) = read_sheets(Path("new.csv"))
    assert {row.player: int(row.found["score"]) for row in again.rows} == dict(PLAYERS.values())


def test_photo_is_read_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    photos = []
    read = Scorer.read

    def counted(*given: Any, **more: Any) -> ReadPhoto:
        photos.append(1)
        return read(*given, **more)

    monkeypatch.setattr(Scorer, "read", counted)
    # The photo reads clearly: that is asked about elsewhere.
    monkeypatch.setattr("kdvision.tournament.fixes.CLEAR_FROM", 1.0)
    for fix in ("", "a1=G1", "a1=G1"):
        Path("s.csv").write_text(
            "photo,player,claimed,colour,fix,harmony\n"
            f"t.jpg,Ben,63,pink,{fix},\nt.jpg,Ann,46,yellow,,yes\nt.jpg,Cle,41,blue,,no\n"
        )
        request = Request(inputs=(Path("s.csv"),), output=Path("out.csv"), needs_claims=True)
        verdict, *_ = run(request, WORKERS).verdicts
        assert photos == [1]
    assert verdict.score == 63
    assert verdict.kingdom and str(verdict.kingdom.kingdom).startswith("G1 G G G G/")


@pytest.mark.parametrize("claimed", [49, 48])
def test_broken_rule_costs_nothing(claimed: int) -> None:
    Path("t.jpg").write_bytes((ROOT / "samples" / "broken_rule_5x5.jpg").read_bytes())
    (verdict,) = verify(f"t.jpg,Ann,{claimed},,\n").verdicts
    assert verdict.counts == 49
    assert verdict.text().endswith("but does not change the score.")


def test_rows_count_the_kingdoms() -> None:
    picture = np.ascontiguousarray(beside(sample("plus"), blurred(sample("corner")))[..., ::-1])
    cv2.imwrite("one.png", picture)
    (alone,) = verify("one.png,Ann,9,,\n").verdicts
    assert alone.word == "agrees"
    assert alone.exit_code == ExitCode.SURE
    # Two rows for one kingdom do not: what was left out may be the other one.
    verdicts = verify("one.png,Ann,9,,\none.png,Ben,70,,\n").verdicts
    assert [verdict.word for verdict in verdicts] == ["agrees", "cannot tell"]
    assert {verdict.exit_code for verdict in verdicts} == {ExitCode.DOUBTFUL}
