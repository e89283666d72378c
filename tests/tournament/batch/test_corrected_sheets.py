"""A sheet that its organiser corrects is scored again into the same results."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from kdvision.errors import ModelError, UsageError
from kdvision.tournament.batch.journal import locked
from kdvision.tournament.standings import read_standings
from kdvision.tournament.verify.run import write_annotated
from tests.support.evening import checked, rows, scored
from tests.support.fakes import write_photo

TWO = "C W1 G G | C F1 F F"
Scored = Callable[[str], list[str]]


@pytest.fixture
def again(tmp_path: Path) -> Scored:
    """Score a sheet as it is now, and return what was wrong with its lines."""
    for number in range(3):
        write_photo(tmp_path / f"{number}.jpg", number=number)
    write_photo(tmp_path / "two.jpg", TWO)

    def score(sheet: str) -> list[str]:
        path = tmp_path / "evening.csv"
        path.write_text(sheet, encoding="utf-8")
        return [line.problem for line in scored(tmp_path / "r.csv", path).problems]

    return score


def said(folder: Path, *columns: str) -> list[tuple[str, ...]]:
    return [tuple(row.get(name, "") for name in columns) for row in rows(folder / "r.csv")]


def replaced(folder: Path, old: str, new: str) -> None:
    """Edit the results."""
    text = (folder / "r.csv").read_text(encoding="utf-8")
    assert old in text
    (folder / "r.csv").write_text(text.replace(old, new), encoding="utf-8")


def test_photos_that_the_sheet_exchanges_go_to_their_players(tmp_path: Path, again: Scored) -> None:
    again("photo,player,game,claimed\n0.jpg,Ada,1,1\n1.jpg,Ben,1,9\n")
    again("photo,player,game,claimed\n1.jpg,Ada,1,1\n0.jpg,Ben,1,9\n")
    found = said(tmp_path, "photo", "player", "claimed", "status")
    assert found == [("0.jpg", "Ben", "9", "sure"), ("1.jpg", "Ada", "1", "sure")]
    # What a person wrote beside a player keeps the line.
    replaced(tmp_path, "0.jpg,Ben,1,,9,,,,", "0.jpg,Ben,1,,9,,,,left early")
    again("photo,player,game,claimed\n0.jpg,Ada,1,1\n1.jpg,Ben,1,9\n")
    assert ("0.jpg", "Ben", "left early") in said(tmp_path, "photo", "player", "note")


def test_a_player_whom_the_sheet_renames_has_one_line(tmp_path: Path, again: Scored) -> None:
    head, others = "photo,player,round,claimed\n", "two.jpg,Ben,1,3\ntwo.jpg,"
    again(f"{head}0.jpg,Adda,1,1\n{others}Cle,1,1\n")
    replaced(tmp_path, "0.jpg,Adda,,1,1,,,,", "0.jpg,Adda,,1,1,,,,left early")
    again(f"{head}0.jpg,Ada Lovelace,1,1\n{others}Cleo,1,1\n")
    assert said(tmp_path, "photo", "player", "status", "note") == [
        ("0.jpg", "Ada Lovelace", "sure", "left early"),
        ("two.jpg", "Cleo", "sure", ""), ("two.jpg", "Ben", "sure", ""),
    ]  # fmt: skip
    # In another round it is a photo for two players, and so where both are named.
    again("photo,player,round,claimed\n0.jpg,Dan,2,1\n")
    assert [row for row in said(tmp_path, "player", "status") if row[1] == "open"] == [
        ("Dan", "open"), ("Ada Lovelace", "open"),
    ]  # fmt: skip
    again("photo,player,round,claimed\n1.jpg,Eve,1,1\n2.jpg,Fay,1,1\n")
    again("photo,player,round,claimed\n1.jpg,Fay,1,1\n2.jpg,Eve,1,2\n")
    found = said(tmp_path, "photo", "player", "status")
    assert {("1.jpg", "Eve", "open"), ("1.jpg", "Fay", "open")} <= {*found}


def test_a_letter_that_the_sheet_corrects_leaves_one_line(tmp_path: Path, again: Scored) -> None:
    again("photo,player,kingdom\ntwo.jpg,Ada,A\n")
    again("photo,player,kingdom\ntwo.jpg,Ada,B\n")
    assert said(tmp_path, "kingdom", "player") == [("A", ""), ("B", "Ada")]


def test_lines_that_could_not_be_used_go_once_they_are_right(tmp_path: Path, again: Scored) -> None:
    first = again("photo,player,claimed\n,Ada,1\n1.jpg,Ben,1x\n2.jpg,Cle,1\n")
    assert len(first) == 2
    assert again("photo,player,claimed\n0.jpg,Ada,1\n1.jpg,Ben,1\n2.jpg,Cle,1\n") == []
    found = said(tmp_path, "photo", "player", "claimed", "status")
    assert sorted(found) == [
        (f"{number}.jpg", player, "1", "sure")
        for number, player in enumerate(("Ada", "Ben", "Cle"))
    ]
    # One that is still wrong, in another line, is there once.
    for above in ("", "\n"):
        again(f"photo,player,claimed\n{above},Dan,4\n")
    assert [player for _, player, _, status in found if status == "bad-line"] == []
    assert said(tmp_path, "player").count(("Dan",)) == 1


def test_a_line_that_is_spoiled_costs_nothing_of_its_photo(tmp_path: Path, again: Scored) -> None:
    right = "photo,player,claimed\n0.jpg,Ada,1\n1.jpg,Ben,1\n"
    again(right)
    replaced(tmp_path, "0.jpg,Ada,,,1,,,,", "0.jpg,Ada,,,1,,,,left early")
    before = rows(tmp_path / "r.csv")
    for above in ("", "\n"):  # the number of the line is in its message
        assert again(f"photo,player,claimed\n{above}0.jpg,Ada,1x\n1.jpg,Ben,1\n")
        first, bad, other = rows(tmp_path / "r.csv")
        assert [first, other] == before
        assert (bad["status"], bad["claimed"]) == ("bad-line", "1x")
    assert again(right) == []
    assert rows(tmp_path / "r.csv") == before


def test_squares_corrected_in_sheet_and_results_all_stay(tmp_path: Path, again: Scored) -> None:
    sheet = "photo,player,fix\n0.jpg,Ada,b1=F1\n"
    again(sheet)
    replaced(tmp_path, "b1=F1", "b1=F1 c1=F")
    for _ in range(2):
        again(sheet)
        assert said(tmp_path, "fix", "kingdom_line") == [("b1=F1 c1=F", "C F1 F G")]
    # A letter that is written into the results names the kingdom of the correction, too.
    sheet = "photo,player,fix\ntwo.jpg,Ada,c1=F\ntwo.jpg,Ben,\n"
    again(sheet)
    replaced(tmp_path, "two.jpg,Ada,,,,,", "two.jpg,Ada,,,,A,")
    for _ in range(2):
        again(sheet)
        found = said(tmp_path, "player", "kingdom", "fix", "kingdom_line")
        assert ("Ada", "A", "c1=F", "C W1 F G") in found


def test_a_square_that_is_corrected_twice_stays_as_it_is_read_again(
    tmp_path: Path, again: Scored
) -> None:
    sheet = "photo,player,kingdom,fix\ntwo.jpg,Ada,A,c1=F\ntwo.jpg,Ben,A,c1=L\n"
    for _ in range(3):
        assert again(sheet) == ["A.c1 is corrected twice, to F and to L."]
        assert ("A", "C W1 G G") in said(tmp_path, "kingdom", "kingdom_line")


def test_two_players_of_one_kingdom_are_told_what_to_do(tmp_path: Path, again: Scored) -> None:
    again("photo,player\n0.jpg,Ada\n0.jpg,Ben\n")
    (message,) = {row[0] for row in said(tmp_path, "message", "player") if row[1]}
    assert message.endswith("Correct the photo of the others, or remove their lines.")
    again("photo,player,kingdom\n1.jpg,Cle,B\n")
    (message,) = {row[0] for row in said(tmp_path, "message", "player") if row[1] == "Cle"}
    assert message.startswith("1 line names this photo") and "Write the letter" in message


@pytest.mark.parametrize(
    ("accepted", "kingdoms"),
    [
        ("", [("sure", ""), ("open", "Ada"), ("open", "Ben")]),
        # As `verify` has it: what a person settled takes its kingdom.
        ("Ada", [("sure", "Ada"), ("open", "Ben")]),
        ("Ada Ben", [("sure", ""), ("open", "Ada"), ("open", "Ben")]),
    ],
)
def test_who_settled_a_line_has_its_kingdom(
    tmp_path: Path, again: Scored, accepted: str, kingdoms: list[tuple[str, ...]]
) -> None:
    lines = [f"two.jpg,{one},A,{'photo' * (one in accepted)}\n" for one in ("Ada", "Ben")]
    for _ in range(2):
        again(f"photo,player,kingdom,accept\n{''.join(lines)}")
        found = said(tmp_path, "kingdom", "status", "player")
        assert [one for letter, *one in found if letter != "B"] == [[*one] for one in kingdoms]


def test_names_with_other_blanks_and_notes_of_two_lines(tmp_path: Path, again: Scored) -> None:
    again('photo,player,note\n0.jpg,Ada\u00a0L,"one\ntwo"\n1.jpg,Ada L\u200e,\n2.jpg,"Ada\nL",\n')
    assert said(tmp_path, "player", "note")[:1] == [("Ada L", "one\ntwo")]
    assert {player for (player,) in said(tmp_path, "player")} == {"Ada L"}


def test_a_bad_line_that_a_person_settled_counts(tmp_path: Path, again: Scored) -> None:
    again("photo,player,accept\n,Ada,40\n0.jpg,Ben,\n")
    (game,) = read_standings(tmp_path / "r.csv").games
    assert [(one.result.player, one.result.total) for one in game.ranked] == [
        ("Ada", 40), ("Ben", 1),
    ]  # fmt: skip


@pytest.mark.parametrize("heading", ["Paid?", "Note"])
def test_two_columns_of_one_name_are_refused_before_one_is_lost(
    tmp_path: Path, again: Scored, heading: str
) -> None:
    again("photo\n0.jpg\n")
    head, line = (tmp_path / "r.csv").read_text().splitlines()
    text = f"{head},Paid?,{heading}\n{line},yes,no\n"
    (tmp_path / "r.csv").write_text(text)
    with pytest.raises(UsageError, match="two columns"):
        again("photo\n0.jpg\n")
    assert (tmp_path / "r.csv").read_text() == text


def test_a_first_name_that_is_added_to_the_results_is_not_put_before_the_name(
    tmp_path: Path, again: Scored
) -> None:
    again("photo,player\n0.jpg,Ada Lovelace\n")
    head, line = (tmp_path / "r.csv").read_text().splitlines()
    (tmp_path / "r.csv").write_text(f"{head},Vorname\n{line},Ada\n")
    again("photo,player\n0.jpg,Ada Lovelace\n")
    assert said(tmp_path, "player", "first_name") == [("Ada Lovelace", "Ada")]


# ---------------------------------------------------------------------- folders, workbooks


def test_a_photo_of_a_folder_that_a_sheet_names_is_one(tmp_path: Path, again: Scored) -> None:
    (tmp_path / "evening.csv").write_text("photo,player\n0.jpg,Ada\n")
    scored(tmp_path / "r.csv", tmp_path, tmp_path / "evening.csv")
    names = sorted(Path(photo).name for (photo,) in said(tmp_path, "photo"))
    assert names == ["0.jpg", "1.jpg", "2.jpg", "two.jpg", "two.jpg"]
    # Also where the folder is scored first, and the sheet calls them otherwise.
    scored(tmp_path / "s.csv", tmp_path)
    scored(tmp_path / "s.csv", tmp_path / "evening.csv")
    found = [(Path(row["photo"]).name, row.get("player")) for row in rows(tmp_path / "s.csv")]
    assert [player for name, player in found if name == "0.jpg"] == ["Ada"]


def test_a_photo_that_two_sheets_name_is_one(tmp_path: Path, again: Scored) -> None:
    sheets = [tmp_path / "evening.csv", tmp_path / "more" / "evening.csv"]
    sheets[1].parent.mkdir()
    sheets[0].write_text("photo,player,kingdom\ntwo.jpg,Ada,A\n")
    sheets[1].write_text(f"photo,player,kingdom\n{tmp_path / 'two.jpg'},Ben,B\n")
    for _ in range(2):
        scored(tmp_path / "r.csv", *sheets)
        found = said(tmp_path, "photo", "kingdom", "player")
        assert found == [("two.jpg", "A", "Ada"), ("two.jpg", "B", "Ben")]


def test_worksheets_of_people_stay_and_formulas_are_kept(tmp_path: Path, again: Scored) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    output, sheet = tmp_path / "r.xlsx", tmp_path / "evening.csv"
    sheet.write_text("photo,player,note\n0.jpg,Ada,a\x0bb\n1.jpg,Ben,\n")
    assert scored(output, sheet).notes == ()
    book = openpyxl.load_workbook(output)
    book.create_sheet("Money").append(["Ada has paid", "=1+2"])
    book.active = book["Money"]
    book.save(output)
    page = tmp_path / "r.html"
    assert scored(output, sheet, html=page).notes == ()
    assert "There are no standings" not in page.read_text(encoding="utf-8")
    book = openpyxl.load_workbook(output)
    assert [cell.value for cell in book["Money"][1]] == ["Ada has paid", "=1+2"]
    results = book.worksheets[0]
    assert results["I2"].value == "a\nb"
    results.cell(2, results.max_column + 1).value = "=J2+1"
    results.cell(1, results.max_column).value = "more"
    book.save(output)
    assert any("r.xlsx.1.bak" in note for note in scored(output, sheet).notes)
    assert scored(output, sheet).notes == ()
    with (tmp_path / "r.xlsx.1.bak").open("rb") as file:
        kept = openpyxl.load_workbook(file).worksheets[0]
    assert "=J2+1" in [cell.value for cell in kept[2]]


def test_a_journal_that_another_run_writes_is_refused(tmp_path: Path, again: Scored) -> None:
    journal = tmp_path / "all.jsonl"
    with locked(journal), pytest.raises(UsageError, match=r"all\.jsonl"):
        scored(tmp_path / "r.csv", tmp_path / "0.jpg", jsonl=journal)


def test_a_name_of_two_lines_stays_as_it_is_in_a_checked_sheet(
    tmp_path: Path, again: Scored
) -> None:
    sheet, output = tmp_path / "evening.csv", tmp_path / "checked.csv"
    sheet.write_text('photo,player,claimed\n0.jpg,"Ada\nLovelace",1\n')
    write_annotated(checked(sheet), output)
    assert [row["player"] for row in rows(output)] == ["Ada\nLovelace"]


def test_a_sheet_with_control_characters_becomes_a_workbook(tmp_path: Path, again: Scored) -> None:
    pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    sheet, output = tmp_path / "evening.csv", tmp_path / "checked.xlsx"
    sheet.write_text("photo,player,claimed,note\n0.jpg,Ada,1,a\x07b\n")
    write_annotated(checked(sheet), output)
    assert [row["note"] for row in rows(output)] == ["a?b"]


def test_sheets_in_two_folders_may_name_photos_alike(tmp_path: Path, again: Scored) -> None:
    sheets = [tmp_path / name / "evening.csv" for name in ("one", "two")]
    for number, path in enumerate(sheets):
        write_photo(path.with_name("0.jpg"), number=20 + number)
        path.write_text("photo,player\n0.jpg,Ada\n")
    for _ in range(2):
        scored(tmp_path / "r.csv", *sheets)
        assert len({photo for (photo,) in said(tmp_path, "photo")}) == 2
    # One after the other, the second takes the place of the first, which is kept and said.
    assert scored(tmp_path / "s.csv", sheets[0]).notes == ()
    before = (tmp_path / "s.csv").read_bytes()
    notes = scored(tmp_path / "s.csv", sheets[1]).notes
    assert notes[0].startswith("0.jpg: another picture than before") and len(notes) == 2
    assert (tmp_path / "s.csv.1.bak").read_bytes() == before
    # So does a photo that is not there any more.
    sheets[1].with_name("0.jpg").unlink()
    assert len(scored(tmp_path / "s.csv", sheets[1]).notes) == 2
    assert scored(tmp_path / "s.csv", sheets[1]).notes == ()


def test_a_photo_is_there_once_by_whatever_rules_lines_ask_for_it(
    tmp_path: Path, again: Scored
) -> None:
    sheet = (
        "photo,player,kingdom,harmony\ntwo.jpg,Ada,A,yes\ntwo.jpg,Ben,B,\n"
        "0.jpg,Cle,,yes\n0.jpg,Dan,,\n"
    )
    for _ in range(2):
        again(sheet)
        assert said(tmp_path, "player", "kingdom", "harmony", "status") == [
            ("Ada", "A", "yes", "sure"), ("Ben", "B", "no", "sure"),
            ("", "", "yes", "sure"), ("Cle", "", "", "open"), ("Dan", "", "", "open"),
        ]  # fmt: skip


@pytest.mark.parametrize("suffix", ["xlsx", "ods"])
def test_merged_cells_say_the_same_of_all_their_lines(
    tmp_path: Path, again: Scored, suffix: str
) -> None:
    path = tmp_path / f"evening.{suffix}"
    write_merged(path)
    scored(tmp_path / "r.csv", path)
    assert said(tmp_path, "player", "game", "round") == [
        ("Ada", "T1", "1"), ("Ben", "T1", "1"), ("Cle", "", "1"),
    ]  # fmt: skip


def write_merged(path: Path) -> None:
    """Three lines: a round over all of them and a line more, a table over two."""
    if path.suffix == ".xlsx":
        openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
        book = openpyxl.Workbook()
        for row in (
            ["photo", "player", "game", "round"], ["0.jpg", "Ada", "T1", 1], ["1.jpg", "Ben"],
            ["2.jpg", "Cle"],
        ):  # fmt: skip
            book.active.append(row)
        book.active.merge_cells("C2:C3")
        book.active.merge_cells("D2:D5")
        book.save(path)
        return
    cell = "<t:table-cell{0}><x:p>{1}</x:p></t:table-cell>"
    rows = [
        "".join(cell.format("", text) for text in ("photo", "player", "game", "round")),
        cell.format("", "0.jpg") + cell.format("", "Ada")
        + cell.format(' t:number-rows-spanned="2"', "T1")
        + cell.format(' t:number-rows-spanned="4"', "1"),
        cell.format("", "1.jpg") + cell.format("", "Ben") + "<t:covered-table-cell/>" * 2,
        cell.format("", "2.jpg") + cell.format("", "Cle") + "<t:table-cell/>"
        + "<t:covered-table-cell/>",
        "<t:table-cell/>" * 3 + "<t:covered-table-cell/>",
    ]  # fmt: skip
    spaces = (("o", "office"), ("t", "table"), ("x", "text"))
    named = " ".join(
        f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for short, name in spaces
    )
    table = "".join(f"<t:table-row>{row}</t:table-row>" for row in rows)
    content = f'<o:document {named}><t:table t:name="Evening">{table}</t:table></o:document>'
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("content.xml", content)


def test_merged_cells_in_the_way_of_a_verdict_are_taken_apart(
    tmp_path: Path, again: Scored
) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    sheet, output = tmp_path / "evening.csv", tmp_path / "checked.xlsx"
    sheet.write_text("photo,player,claimed\n0.jpg,Ada,1\n1.jpg,Ben,2\n")
    write_annotated(checked(sheet), output)
    book = openpyxl.load_workbook(output)
    at = [cell.value for cell in book.active[1]].index("verdict") + 1
    book.active.merge_cells(start_row=2, end_row=3, start_column=at, end_column=at)
    book.create_sheet("Money").append(["Ada has paid"])
    book.save(output)
    write_annotated(checked(output), output)
    assert [row["verdict"] for row in rows(output)] == ["agrees", "differs"]
    # Written from the sheet again, the worksheet of people would go.
    (note,) = write_annotated(checked(sheet), output)
    assert "checked.xlsx.1.bak" in note


def test_verdicts_that_were_written_into_the_results_do_not_outlive_them(
    tmp_path: Path, again: Scored
) -> None:
    output = tmp_path / "r.csv"
    again("photo,player,claimed\n0.jpg,Ada,3\n")
    replaced(tmp_path, "0.jpg,Ada,,,3,,,", "0.jpg,Ada,,,3,,b1=F1 c1=F1,")
    write_annotated(checked(output), output)
    assert [row["read_total"] for row in rows(output)] == ["4"]
    replaced(tmp_path, "b1=F1 c1=F1", "")
    again("photo,player,claimed\n0.jpg,Ada,3\n")
    assert not {"verdict", "read_total"} & {*rows(output)[0]}
    (game,) = read_standings(output).games
    assert [one.result.total for one in game.ranked] == [1]


@pytest.mark.parametrize(
    ("old", "new", "notes"),
    [
        (",sure,1,", ",sure,7,", 2),
        (",5,no,no,", ",5,yes,no,", 2),
        # As spreadsheets write the same, or spoil it.
        (",sure,1,", ',sure,"1,0",', 0),
        (",5,no,no,", ",5,nein,FALSE,", 0),
        (",sure,1,", ",sure,#NAME?,", 0),
    ],
)
def test_totals_and_rules_changed_by_hand_are_said_and_kept(
    tmp_path: Path, again: Scored, old: str, new: str, notes: int
) -> None:
    again("photo,player\n0.jpg,Ada\n")
    first = said(tmp_path, "score", "harmony")
    replaced(tmp_path, old, new)
    found = scored(tmp_path / "r.csv", tmp_path / "evening.csv").notes
    assert len(found) == notes
    assert not found or found[0].startswith("0.jpg: a total or rule")
    assert (tmp_path / "r.csv.1.bak").exists() is bool(notes)
    assert said(tmp_path, "score", "harmony") == first


def test_a_run_that_starts_anew_and_fails_leaves_the_old_results(
    tmp_path: Path, again: Scored
) -> None:
    again("photo,player\n0.jpg,Ada\n")
    before = (tmp_path / "r.csv").read_bytes()
    write_photo(tmp_path / "models.jpg", act="models")
    with pytest.raises(ModelError):
        scored(tmp_path / "r.csv", tmp_path / "models.jpg", fresh=True)
    assert (tmp_path / "r.csv").read_bytes() == before
    assert "r.csv.1.bak" in scored(tmp_path / "r.csv", tmp_path / "1.jpg", fresh=True).notes[0]
    assert len(rows(tmp_path / "r.csv")) == 1
