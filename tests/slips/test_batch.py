"""What `batch` and `verify` make of slips: lines that nobody wrote, completed, and open."""

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from kdvision.cli import main
from kdvision.errors import ExitCode
from kdvision.result import PhotoResult
from kdvision.rules.game.players import Greedy, play_game
from kdvision.rules.game.state import FOUR_PLAYERS
from kdvision.rules.scoring import score
from kdvision.slips.event import FILE_NAME, Holder, SlipEvent, write_event
from kdvision.tournament.batch.journal import Scored
from kdvision.tournament.lines import line_from_fields
from kdvision.tournament.slip_lines import SlipsOfRun, judge_with_slips
from kdvision.tournament.verify.verdicts import Verdict
from scripts.synthesis.slips import MarkedSlip
from tests.support.fakes import slips_in
from tests.support.results import PHOTO, SLIP
from tests.support.table_photos import table_photo

EVENT = SlipEvent(
    event="7GQ2X", rounds={3: "3"}, tables={12: "B"}, players={1: "Anna", 2: "Ben", 3: "Cleo"}
)


PLACE = {"game": "B", "round": "3"}


def photos(**slips: str) -> dict[str, PhotoResult]:
    """A photo of two kingdoms, A and B, by what the slips beside each say."""
    beside = slips_in([slips.get("A", ""), slips.get("B", "")])
    kingdom = PHOTO.kingdoms[0]
    return {"t.jpg": replace(PHOTO, photo="t.jpg", kingdoms=(kingdom, kingdom), slips=beside)}


def test_a_cell_holds_what_a_slip_says() -> None:
    sure = replace(SLIP, kingdom=0, kingdom_is_sure=True)
    assert sure.brief() == "7GQ2X 3 12 47 47"
    assert replace(sure, claimed=None).brief() == "7GQ2X 3 12 47"
    for doubt in ({"kingdom_is_sure": False}, {"kingdom": None}):
        assert replace(sure, **doubt).brief() == "?7GQ2X 3 12 47 47"


def test_a_slip_gives_a_line_that_nobody_wrote() -> None:
    slips = SlipsOfRun(photos(A="7GQ2X 3 12 1 86", B="7GQ2X 3 12 2"), EVENT)
    first, second = slips.lines("t.jpg", [])
    assert (first.player, first.game, first.round) == ("Anna", "B", "3")
    assert (first.claimed, first.letter, first.problem) == (86, "A", "")
    assert (second.player, second.claimed, second.letter) == ("Ben", None, "B")


def test_a_slip_on_two_papers_of_one_photo_opens_the_lines_of_both() -> None:
    """Somebody filled a print of Anna's slip for the other kingdom: it is not hers, nor 86."""
    (name, photo), *_ = photos(A="7GQ2X 3 12 1 86", B="7GQ2X 3 12 1 50").items()
    twice = [replace(one, claimed=None, unclear="slip.two-papers") for one in photo.slips]
    slips = SlipsOfRun({name: replace(photo, slips=tuple(twice))}, EVENT)
    lines = slips.lines(name, [])
    assert [(line.letter, line.player, line.claimed) for line in lines] == [
        ("A", "Anna", None),
        ("B", "Anna", None),
    ]
    assert all("twice" in line.problem for line in lines)
    beside_one = tuple(replace(one, kingdom=0, kingdom_is_sure=False) for one in twice)
    slips = SlipsOfRun({name: replace(photo, slips=beside_one)}, EVENT)
    assert sum("twice" in note for note in slips.notes([name])) == 2


def test_a_slip_fills_what_a_line_leaves_empty() -> None:
    slips = SlipsOfRun(photos(A="7GQ2X 3 12 1 86", B="7GQ2X 3 12 2 50"), EVENT)
    written = [line_from_fields({"photo": "t.jpg", "player": "ben", "note": "late"})]
    lines = {line.letter: line for line in slips.lines("t.jpg", written)}
    assert (lines["B"].player, lines["B"].claimed, lines["B"].said["note"]) == ("ben", 50, "late")
    assert lines["A"].player == "Anna"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"kingdom": "A", "player": "Cleo"}, ("Cleo", "Anna")),
        ({"player": "Anna", "claimed": "68"}, ("68", "86")),
        ({"player": "Anna", "claimed": "68,0"}, ("68", "86")),
        ({"player": "Anna", "round": "4"}, ("4", "3")),
    ],
)
def test_a_line_and_a_slip_that_disagree_are_open_and_both_are_named(
    fields: dict[str, str], said: tuple[str, str]
) -> None:
    slips = SlipsOfRun(photos(A="7GQ2X 3 12 1 86"), EVENT)
    (line,) = slips.lines("t.jpg", [line_from_fields({"photo": "t.jpg", **fields})])
    assert all(word in line.problem for word in said)
    decided = line_from_fields({"photo": "t.jpg", "accept": "photo", **fields})
    assert slips.lines("t.jpg", [decided])[0].problem == ""


def test_without_the_event_numbers_contradict_no_name() -> None:
    slips = SlipsOfRun(photos(A="7GQ2X 3 12 1 86"), None)
    written = line_from_fields({"photo": "t.jpg", "kingdom": "A", "player": "Anna"})
    (line,) = slips.lines("t.jpg", [written])
    assert (line.player, line.claimed, line.problem) == ("Anna", 86, "")
    assert any(FILE_NAME in note for note in slips.notes(["t.jpg"]))


def test_a_line_without_a_slip_is_of_the_table_of_its_photo() -> None:
    """Else the photo would be one of two tables, and all its lines open."""
    found = photos(A="7GQ2X 3 12 1 23")
    names = [line_from_fields({"photo": "t.jpg", "player": name}) for name in ("Anna", "Ben")]
    anna, ben = SlipsOfRun(found, EVENT).lines("t.jpg", names)
    assert [(one.round, one.game) for one in (anna, ben)] == [("3", "B")] * 2
    assert (ben.claimed, ben.letter, ben.said) == (None, "", {**names[1].said, **PLACE})
    claims = [replace(line, claimed=23) for line in names]
    verdicts = judge_with_slips(claims, [Scored(found["t.jpg"], "one")] * 2, EVENT)
    assert not any("photo" in one.text() for one in verdicts)
    elsewhere = line_from_fields({"photo": "t.jpg", "player": "Ben", "game": "C"})
    _, other = SlipsOfRun(found, EVENT).lines("t.jpg", [names[0], elsewhere])
    assert (other.round, other.game) == ("3", "C")


@pytest.mark.parametrize("claimed", ["86", "086", "86,0", "86.00"])
def test_a_total_is_the_same_however_a_spreadsheet_writes_it(claimed: str) -> None:
    slips = SlipsOfRun(photos(A="7GQ2X 3 12 1 86"), EVENT)
    written = line_from_fields({"photo": "t.jpg", "player": "Anna", "claimed": claimed})
    (line,) = slips.lines("t.jpg", [written])
    assert (line.claimed, line.problem) == (86, "")


def test_without_the_event_lines_of_people_stand() -> None:
    """Which of two names is number 1, nobody knows; a photo without lines has its numbers."""
    slips = SlipsOfRun(photos(A="7GQ2X 3 12 1 86", B="7GQ2X 3 12 2 50"), None)
    assert [line.player for line in slips.lines("t.jpg", [])] == ["1", "2"]
    names = [line_from_fields({"photo": "t.jpg", "player": name}) for name in ("Ben", "Anna")]
    assert slips.lines("t.jpg", names) == names
    lettered = line_from_fields({"photo": "t.jpg", "kingdom": "B", "player": "Ben"})
    lines = {line.letter: line for line in slips.lines("t.jpg", [lettered])}
    assert (lines["B"].player, lines["B"].claimed, lines["A"].player) == ("Ben", 50, "1")


def test_numbers_that_a_run_wrote_are_names_once_the_event_is_there() -> None:
    """The file was forgotten: the first run wrote numbers where people write names."""
    found = photos(A="7GQ2X 3 12 1 86")
    (first,) = SlipsOfRun(found, None).lines("t.jpg", [])
    written = line_from_fields({"photo": "t.jpg", **first.said, "note": "late"})
    assert (written.player, written.game) == ("1", "12")
    (line,) = SlipsOfRun(found, EVENT).lines("t.jpg", [written])
    assert (line.player, line.game, line.round, line.problem) == ("Anna", "B", "3", "")
    assert line.said["note"] == "late"
    (line,) = SlipsOfRun(found, EVENT).lines("t.jpg", [replace(written, said={"player": "1"})])
    assert "1 was given" in line.problem, "one number alone is what a person wrote"


def test_copies_of_a_photo_are_one_where_people_name_them() -> None:
    """A copy for each player; two photos with one slip leave their lines open."""
    (photo,) = photos(A="7GQ2X 3 12 1 23", B="7GQ2X 3 12 2 23").values()
    lines = [
        line_from_fields({"photo": f"{name}.jpg", "player": name, "claimed": "23"})
        for name in ("Anna", "Ben")
    ]
    copies = [Scored(photo, "one"), Scored(photo, "one")]
    assert {one.verdict for one in judge_with_slips(lines, copies, EVENT)} == {Verdict.AGREES}
    others = [Scored(photo, "one"), Scored(photo, "two")]
    for one in judge_with_slips(lines, others, EVENT):
        assert one.verdict is Verdict.CANNOT_TELL
        assert "in more than one photo" in one.text()


def test_a_line_whose_slip_lies_between_kingdoms_says_so() -> None:
    """Its claim is empty because nobody can tell whose the slip's total is."""
    (photo,) = photos(A="?7GQ2X 3 12 1 86", B="7GQ2X 3 12 2 50").values()
    lines = [line_from_fields({"photo": "t.jpg", "player": name}) for name in ("anna", "Cleo")]
    anna, cleo = judge_with_slips(lines, [Scored(photo, "d")] * 2, EVENT)
    assert (anna.verdict, [one.key for one in anna.reasons]) == (
        Verdict.CANNOT_TELL, ["slip.between"],
    )  # fmt: skip
    assert (cleo.verdict, cleo.text()) == (Verdict.BAD_LINE, "claimed is empty.")


def test_a_slip_in_two_photos_leaves_both_lines_open() -> None:
    found = photos(A="7GQ2X 3 12 1 86")
    found["u.jpg"] = replace(found["t.jpg"], photo="u.jpg")
    slips = SlipsOfRun(found, EVENT)
    for photo in found:
        (line,) = slips.lines(photo, [])
        assert all(name in line.problem for name in ("Anna", "t.jpg", "u.jpg"))


def test_what_has_no_partner_is_said() -> None:
    found = photos(A="7GQ2X 3 12 1 86", B="?OTHER 1 1 1 9")
    alone = replace(slips_in(["7GQ2X 3 12 2 50"])[0], kingdom=None)
    found["t.jpg"] = replace(found["t.jpg"], slips=(*found["t.jpg"].slips, alone))
    notes = list(SlipsOfRun(found, EVENT).notes(["t.jpg"]))
    assert notes == [
        "t.jpg: The slip belongs to another event.",
        "t.jpg: No kingdom lies beside the slip of Ben.",
        "t.jpg: No slip lies beside kingdom B.",
    ]
    assert list(SlipsOfRun(photos(), EVENT).notes(["t.jpg"])) == []


NAMES = ["Anna", "Ben", "Cleo", "Dora"]


def photo_with_slips(folder: Path, miscounted: Sequence[int] = (0, 0, 0, 0)) -> list[int]:
    """Write a photo of a table with a slip for each player, and its event; returns the totals."""
    event = SlipEvent(
        event="7GQ2X", rounds={3: "3"}, tables={12: "B"}, players=dict(enumerate(NAMES, 1))
    )
    write_event(folder / FILE_NAME, event)
    laid = play_game([Greedy()] * 4, 5, FOUR_PLAYERS).kingdoms
    totals = [score(one.kingdom.trimmed()).total for one in laid]
    slips = [
        MarkedSlip(event.code(Holder(name, "B", "3")), total + more)
        for name, total, more in zip(NAMES, totals, miscounted, strict=True)
    ]
    (folder / "t.jpg").write_bytes(table_photo(laid, 5, slips=slips))
    return totals


@pytest.mark.slow
def test_a_folder_of_photos_is_a_table_of_results(tmp_path: Path) -> None:
    totals = photo_with_slips(tmp_path)
    results = tmp_path / "results.csv"
    for _ in range(2):  # the second run finds all of it done
        main.run(["batch", str(tmp_path), "-o", str(results), "-q"])
        with results.open(encoding="utf-8-sig", newline="") as file:
            read = list(csv.DictReader(file))
        assert [row["player"] for row in read] == NAMES
        assert [row["claimed"] for row in read] == list(map(str, totals))
        assert {(row["game"], row["round"]) for row in read} == {("B", "3")}
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("photo,player,kingdom\nt.jpg,Emil,A\n")
    for _ in range(2):
        main.run(["batch", str(sheet), "-o", str(tmp_path / "other.csv"), "-q"])
        with (tmp_path / "other.csv").open(encoding="utf-8-sig", newline="") as file:
            (line,) = [row for row in csv.DictReader(file) if row["status"] == "open"]
        assert "Emil" in line["message"]
        assert "Anna" in line["message"]
    elsewhere, third = (
        (tmp_path / FILE_NAME).rename(tmp_path / "names.json"),
        tmp_path / "third.csv",
    )
    main.run(["batch", str(tmp_path), "-o", str(third), "-q", "--event", str(elsewhere)])
    with third.open(encoding="utf-8-sig", newline="") as file:
        assert [row["player"] for row in csv.DictReader(file)] == NAMES


def test_a_file_that_is_no_event_is_refused_before_photos_are_scored(tmp_path: Path) -> None:
    (tmp_path / "names.json").write_text("[]")
    words = ["batch", str(tmp_path), "-o", str(tmp_path / "results.csv")]
    assert main.run([*words, "--event", str(tmp_path / "names.json")]) == ExitCode.USAGE
    assert not (tmp_path / "results.csv").exists()


@pytest.mark.slow
def test_verify_takes_from_slips_what_a_sheet_leaves_empty(tmp_path: Path) -> None:
    totals = photo_with_slips(tmp_path, miscounted=(0, 0, 1, 0))
    sheet, checked = tmp_path / "sheet.csv", tmp_path / "checked.csv"
    sheet.write_text(
        f"photo,player,claimed\nt.jpg,Anna,\nt.jpg,Ben,{totals[1] + 2}\nt.jpg,Cleo,\nt.jpg,Dora,\n"
    )
    assert main.run(["verify", str(sheet), "-o", str(checked), "-q"]) == 7
    with checked.open(encoding="utf-8-sig", newline="") as file:
        lines = {row["player"]: row for row in csv.DictReader(file)}
    found = {name: line["verdict"] for name, line in lines.items()}
    assert (found["Ben"], found["Cleo"]) == ("cannot tell", "differs")
    assert {found["Anna"], found["Dora"]} <= {"agrees", "cannot tell"}  # as the photo is sure
    assert all(str(total) in str(lines["Ben"]) for total in (totals[1], totals[1] + 2))
    (tmp_path / FILE_NAME).unlink()
    main.run(["verify", str(sheet), "-o", str(checked), "-q"])
    with checked.open(encoding="utf-8-sig", newline="") as file:
        verdicts = {row["verdict"] for row in csv.DictReader(file) if row["player"] != "Ben"}
    assert verdicts == {"bad line"}, "without the file of the slips an empty claim stays empty"
