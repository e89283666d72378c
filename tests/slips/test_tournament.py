"""A tournament of 16 players and 5 rounds from photos with slips alone: nobody types a name."""

import csv
from pathlib import Path

import pytest

from kdvision.cli import main
from kdvision.errors import ExitCode
from kdvision.rules.game.players import Greedy, play_game
from kdvision.rules.game.state import FOUR_PLAYERS
from kdvision.rules.scoring import score
from kdvision.slips.event import FILE_NAME, Holder, read_event
from scripts.synthesis.slips import PENS, STYLES, MarkedSlip
from tests.support.table_photos import table_photo

ROUNDS, TABLES, SEATS = 5, 4, 4
#: Planted mistakes by round, table and seat: what was counted too much or too little.
WRONG = {(0, 1, 2): 3, (1, 0, 0): -4, (2, 3, 1): 10, (3, 2, 3): 1, (4, 1, 0): -2}
#: A slip on which two bubbles are marked in one column: nobody can tell the claim.
UNREADABLE = (2, 0, 2)
#: A kingdom whose slip was forgotten.
FORGOTTEN = (4, 3, 3)
Place = tuple[int, int, int]


def player(place: Place) -> str:
    """Everybody meets others in every round."""
    round_, table, seat = place
    return f"P{4 * ((table + seat * round_) % TABLES) + seat:02d}"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def totals(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[Place, int]]:
    """A folder with the photos of all tables and the event's file, and the true totals."""
    folder = tmp_path_factory.mktemp("tournament")
    places = [(r, t, s) for r in range(ROUNDS) for t in range(TABLES) for s in range(SEATS)]
    sheet = folder / "sheet.csv"
    lines = [f"{player(place)},{place[1] + 1},{place[0] + 1}" for place in places]
    sheet.write_text("\n".join(["player,table,round", *lines]) + "\n")
    assert main.run(["slips", str(sheet), "-o", str(folder / "slips.html")]) == ExitCode.SURE
    event = read_event(folder / FILE_NAME)
    photos = folder / "photos"
    photos.mkdir()
    true: dict[Place, int] = {}
    for number in range(ROUNDS * TABLES):
        round_, table = divmod(number, TABLES)
        laid = play_game([Greedy()] * SEATS, 100 * round_ + table, FOUR_PLAYERS).kingdoms
        slips: list[MarkedSlip | None] = []
        for seat, one in enumerate(laid):
            place = (round_, table, seat)
            true[place] = score(one.kingdom.trimmed()).total
            holder = Holder(player(place), str(table + 1), str(round_ + 1))
            slip = MarkedSlip(
                event.code(holder),
                true[place] + WRONG.get(place, 0),
                pen=list(PENS)[number % len(PENS)],
                style=STYLES[number % 2],
                fault="two" if place == UNREADABLE else "",
            )
            slips.append(None if place == FORGOTTEN else slip)
        photo = table_photo(laid, number, slips=slips)
        (photos / f"IMG_{4711 + number}.jpg").write_bytes(photo)
    return photos, true


@pytest.mark.slow
def test_photos_with_slips_alone_give_the_true_ranking(
    totals: tuple[Path, dict[Place, int]], capfd: pytest.CaptureFixture[str]
) -> None:
    photos, true = totals
    checked = photos.parent / "checked.csv"
    code = main.run(["verify", str(photos), "-o", str(checked), "-q"])
    lines = rows(checked)
    found = {(line["player"], line["round"]): line for line in lines if line["player"]}
    for place, total in true.items():
        if place == FORGOTTEN:
            continue
        line = found[player(place), str(place[0] + 1)]
        assert line["game"] == str(place[1] + 1)
        if place == UNREADABLE:
            assert line["verdict"] not in ("agrees", "differs")
            assert "bubble" in line["explanation"]
            continue
        assert line["claimed"] == str(total + WRONG.get(place, 0))
        assert line["verdict"] != ("agrees" if place in WRONG else "differs"), line
        assert bool(line["explanation"]) or line["verdict"] == "agrees"
    differing = [line for line in lines if line["verdict"] == "differs"]
    assert len(differing) == len(WRONG)
    assert code == ExitCode.DIFFERENT
    without = [line for line in lines if not line["player"]]
    assert [line["photo"][-12:] for line in without] == ["IMG_4730.jpg"]
    capfd.readouterr()
    main.run(["standings", str(checked), "--csv"])
    said = list(csv.DictReader(capfd.readouterr().out.splitlines()))
    totals_shown = [(row["player"], int(row["total"])) for row in said if row["table"] == "totals"]
    told: dict[str, int] = {}
    for place, total in true.items():
        if place not in (UNREADABLE, FORGOTTEN):
            told[player(place)] = told.get(player(place), 0) + total
    assert dict(totals_shown) == told
    assert [total for _, total in totals_shown] == sorted(told.values(), reverse=True)
    main.run(["standings", str(checked)])
    notes = [line for line in capfd.readouterr().out.splitlines() if "is left out" in line]
    assert len(notes) == 2
    assert all(name in "".join(notes) for name in (player(UNREADABLE), "IMG_4730.jpg"))
