"""A claim's way through `verify` is one that a newcomer can follow: few modules, few records."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from msgspec import Struct

from kdvision.tournament.sheets import read_sheet
from kdvision.tournament.verify.run import verify
from kdvision.tournament.verify.verdicts import Verdict, Verification
from tests.support.fakes import fake_means, write_photo

ROOM = "kdvision.tournament."
#: The modules that the claim passes before and after it is judged: they read and write tables, and
#: score photos, whatever is done with them.
OF_ALL_COMMANDS = (f"{ROOM}sheets", f"{ROOM}batch.")
MOST_MODULES, MOST_RECORDS = 10, 8


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    """Claims of all kinds: right, wrong, open, settled, exchanged, without letters, of no photo."""
    write_photo(tmp_path / "a.jpg", "C W1 W W W1 | C F1 F F F F | C F M3 M")
    write_photo(tmp_path / "b.jpg", "C W1 W W W W1", number=1)
    write_photo(tmp_path / "c.jpg", "C L1 L L L L L1", number=2)
    rows = (
        "a.jpg,A,8,,,1,1", "a.jpg,B,18,,,1,1", "a.jpg,C,6,,,1,1", "b.jpg,D,10,,photo,1,2",
        "c.jpg,E,13,,,1,3", "c.jpg,F,13,A,,2,3", "x.jpg,G,1,,,2,2", "b.jpg,H,many,,,2,4",
    )  # fmt: skip
    path = tmp_path / "s.csv"
    path.write_text("photo,player,claimed,kingdom,accept,round,game\n" + "\n".join(rows))
    return path


def walked(sheet: Path) -> tuple[Verification, dict[str, set[CodeType]]]:
    """Verify a sheet; the functions of the room that ran, by their modules."""
    ran: dict[str, set[CodeType]] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        name = frame.f_globals.get("__name__", "")
        if event == "call" and name.startswith(ROOM):
            ran.setdefault(name, set()).add(frame.f_code)

    means = fake_means(executor=ThreadPoolExecutor(1), workers=1)
    table = read_sheet(sheet)
    sys.setprofile(note)
    try:
        return verify(table, means=means), ran
    finally:
        sys.setprofile(None)


def test_a_claim_meets_few_modules_and_few_records(sheet: Path) -> None:
    found, ran = walked(sheet)
    assert {*Verdict} == {verdict.verdict for verdict in found.verdicts}
    assert len(ran) <= MOST_MODULES, sorted(ran)
    records = {
        known.__name__
        for module, codes in ran.items()
        if not module.startswith(OF_ALL_COMMANDS)
        for code in codes
        for name in code.co_names
        if isinstance(known := vars(sys.modules[module]).get(name), type)
        and issubclass(known, Struct)
        and known.__module__.startswith(ROOM)
    }
    assert {"SheetLine", "LineVerdict", "Explanation", "Verification"} <= records
    assert len(records) <= MOST_RECORDS, sorted(records)
