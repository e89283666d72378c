"""An evening at the joints: from a sheet to results, corrections by hand, and the ranking."""

import csv
import random
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from kdvision.errors import ExitCode
from kdvision.result import Status
from kdvision.tournament.sheets import read_sheet
from kdvision.tournament.standings import read_standings
from kdvision.tournament.verify.run import write_annotated
from kdvision.tournament.verify.verdicts import LineVerdict, Verdict
from tests.support.evening import checked, rows, scored
from tests.support.fakes import fake_photo, write_photo

#: Four kingdoms with 46, 54, 41 and 40 points.
TABLE = " | ".join(" ".join(["C", "F1", *["F"] * (total - 1)]) for total in (46, 54, 41, 40))
DOUBT: tuple[object, ...] = (Status.DOUBTFUL, 0.8, ((6, 0.19),))


def test_four_players_who_claim_the_best_kingdom_of_a_table(tmp_path: Path) -> None:
    write_photo(tmp_path / "four.jpg", TABLE)
    sheet = tmp_path / "s.csv"
    sheet.write_text("photo,player,claimed\n" + "four.jpg,P,54\n" * 4)
    found = checked(sheet)
    assert found.count(Verdict.AGREES) == 0
    assert found.exit_code is ExitCode.DOUBTFUL
    sheet.write_text(
        "photo,kingdom,claimed\nfour.jpg,A,54\nfour.jpg,B,54\nfour.jpg,C,54\nfour.jpg,D,54\n"
    )
    found = checked(sheet)
    said = [one.verdict.value for one in found.verdicts]
    assert said == ["differs", "agrees", *["differs"] * 2]
    assert found.exit_code is ExitCode.DIFFERENT


# ---------------------------------------------------------------------- a table photo in batch


def test_a_table_photo_has_one_kingdom_per_player(tmp_path: Path) -> None:
    write_photo(tmp_path / "four.jpg", TABLE)
    sheet = tmp_path / "s.csv"
    sheet.write_text(
        "photo,player,kingdom\nfour.jpg,Anna,A\nfour.jpg,Ben,B\nfour.jpg,Cle,C\nfour.jpg,Dan,D\n"
    )
    assert scored(tmp_path / "r.csv", sheet).exit_code is ExitCode.SURE
    found = [(row["player"], row["kingdom"], row["score"]) for row in rows(tmp_path / "r.csv")]
    assert found == [
        ("Anna", "A", "46"), ("Ben", "B", "54"), ("Cle", "C", "41"), ("Dan", "D", "40"),
    ]  # fmt: skip
    (game,) = read_standings(tmp_path / "r.csv").games
    assert (game.game, game.winners) == ("four.jpg", ("Ben",))


def test_claims_say_whose_kingdom_it_is_and_without_them_it_is_open(tmp_path: Path) -> None:
    write_photo(tmp_path / "four.jpg", TABLE)
    sheet, results = tmp_path / "s.csv", tmp_path / "r.csv"
    lines = "four.jpg,Anna,54\nfour.jpg,Ben,46\nfour.jpg,Cle,41\nfour.jpg,Dan,40\n"
    sheet.write_text(f"photo,player,claimed\n{lines}")
    scored(results, sheet)
    assert [row["player"] for row in rows(results)] == ["Ben", "Anna", "Cle", "Dan"]
    results.unlink()
    sheet.write_text("photo,player\nfour.jpg,Anna\nfour.jpg,Ben\n")
    summary = scored(results, sheet)
    assert (summary.open_lines, summary.exit_code) == (2, ExitCode.DOUBTFUL)
    found = rows(results)
    assert [row["status"] for row in found] == [*["sure"] * 4, "open", "open"]
    assert "Write the letter of the kingdom" in found[4]["message"]
    # The letters are written into the results, and the same command goes on from there.
    text = results.read_text()
    for player, letter in (("Anna", "B"), ("Ben", "A")):
        text = text.replace(f"four.jpg,{player},,,,,", f"four.jpg,{player},,,,{letter},")
    results.write_text(text)
    assert scored(results, sheet).exit_code is ExitCode.SURE
    assert [row["player"] for row in rows(results)] == ["Ben", "Anna", "", ""]


# ---------------------------------------------------------------------- settled by hand


def test_corrections_and_decisions_survive_every_later_run(tmp_path: Path) -> None:
    write_photo(tmp_path / "p" / "a.jpg", "C W1 W W W1", *DOUBT)
    write_photo(tmp_path / "p" / "b.jpg", "C W1 W W W1", *DOUBT, number=1)
    results = tmp_path / "r.csv"
    assert scored(results, tmp_path / "p").exit_code is ExitCode.DOUBTFUL
    with results.open() as file:
        table = list(csv.DictReader(file))
    table[0].update(fix="c1=W1", player="Ann")
    table[1].update(accept="6", note="Kim, judge", player="Bob")
    with results.open("w") as file:
        writer = csv.DictWriter(file, list(table[0]))
        writer.writeheader()
        writer.writerows(table)
    for _ in range(2):
        summary = scored(results, tmp_path / "p")
        assert (summary.exit_code, summary.settled) == (ExitCode.SURE, 1)
        found = rows(results)
        assert [row["score"] for row in found] == ["12", "8"]
        assert (found[0]["fix"], found[0]["player"]) == ("c1=W1", "Ann")
        assert (found[1]["accept"], found[1]["note"]) == ("6", "Kim, judge")
    standings = read_standings(results)
    assert [(one.result.player, one.result.total) for one in standings.games[0].ranked] == [
        ("Ann", 12), ("Bob", 6),
    ]  # fmt: skip
    assert standings.games[0].winners == ("Ann",)


SETTLED = [
    ("photo", Verdict.SETTLED, 8), ("claim", Verdict.SETTLED, 7), ("49", Verdict.SETTLED, 49),
    ("49,0", Verdict.SETTLED, 49), ("maybe", Verdict.BAD_LINE, None), ("", Verdict.DIFFERS, None),
]  # fmt: skip


@pytest.mark.parametrize(("accept", "verdict", "total"), SETTLED)
def test_what_a_person_accepts_counts(
    tmp_path: Path, accept: str, verdict: Verdict, total: int | None
) -> None:
    write_photo(tmp_path / "a.jpg", "C W1 W W W1", *DOUBT)
    sheet, output = tmp_path / "s.csv", tmp_path / "checked.csv"
    sheet.write_text(f'photo,player,claimed,accept,note\na.jpg,Ann,7,"{accept}",Kim\n')
    (line,) = (found := checked(sheet)).verdicts
    assert (line.verdict, line.settled) == (verdict, total)
    if verdict is not Verdict.SETTLED:
        return
    assert found.exit_code is ExitCode.SURE
    assert "(Kim)" in line.text()
    write_annotated(found, output)
    assert [one.result.total for one in read_standings(output).games[0].ranked] == [total]


def test_a_checked_sheet_is_edited_checked_again_and_ranked(tmp_path: Path) -> None:
    for number, line in enumerate(("C W1 W W W1", "C F1 F F F1", "C L1 L L L1")):
        status: tuple[object, ...] = DOUBT if number == 2 else ()
        write_photo(tmp_path / f"{number}.jpg", line, *status, number=number)
    sheet, output = tmp_path / "s.csv", tmp_path / "checked.csv"
    sheet.write_text(
        "Foto;Spieler;Punkte\n0.jpg;Ann;8\n1.jpg;Bob;9\n2.jpg;Cle;6\n", encoding="utf-8"
    )
    first = checked(sheet)
    write_annotated(first, output)
    # Standings and another check work right away.
    standings = read_standings(output)
    assert [(one.result.player, one.result.total) for one in standings.games[0].ranked] == [
        ("Ann", 8), ("Bob", 8), ("Cle", 8),
    ]  # fmt: skip
    assert standings.games[0].winners == ()
    assert [line.verdict for line in checked(output).verdicts] == [
        line.verdict for line in first.verdicts
    ]
    with output.open() as file:
        table = list(csv.reader(file, delimiter=";"))
    table[3][table[0].index("fix")] = "d1=L1"
    with output.open("w") as file:
        csv.writer(file, delimiter=";").writerows(table)
    again = checked(output)
    # With three crowns the lake has 12; the claim of 6 differs now.
    assert [line.verdict.value for line in again.verdicts] == ["agrees", "differs", "differs"]
    write_annotated(again, output)
    assert read_standings(output).games[0].winners == ("Cle",)
    assert read_sheet(output).rows[2].fields["fix"] == "d1=L1"


def test_a_correction_that_names_no_place_leaves_a_doubt(tmp_path: Path) -> None:
    write_photo(tmp_path / "a.jpg", "C W1 W W W1")
    sheet = tmp_path / "s.csv"
    sheet.write_text("photo,claimed,fix\na.jpg,8,h9=W1\na.jpg,8,b=W\n")
    first, second = checked(sheet).verdicts
    assert first.verdict is Verdict.CANNOT_TELL
    assert "No correction was made: h9" in first.text()
    assert second.verdict is Verdict.BAD_LINE


# ---------------------------------------------------------------------- nothing is lost


def test_results_of_two_rounds_accumulate(tmp_path: Path) -> None:
    for round_ in (1, 2):
        for number in range(2):
            write_photo(tmp_path / f"Runde {round_}" / f"{number}.jpg", number=10 * round_ + number)
    results = tmp_path / "r.csv"
    scored(results, tmp_path / "Runde 1")
    with results.open() as file:
        table = list(csv.DictReader(file))
    table[0].update(player="Ann", remark="mine")
    with results.open("w") as file:
        writer = csv.DictWriter(file, [*table[1], "remark"])
        writer.writeheader()
        writer.writerows(table)
    summary = scored(results, tmp_path / "Runde 2")
    assert summary.others == 2
    found = rows(results)
    assert [Path(row["photo"]).parent.name[-1] for row in found] == ["1", "1", "2", "2"]
    assert (found[0]["player"], found[0]["remark"], found[2].get("remark")) == ("Ann", "mine", "")
    # Both again: the order stays, and nothing is scored twice.
    assert scored(results, tmp_path / "Runde 2", tmp_path / "Runde 1").skipped == 4
    assert rows(results) == found
    fresh = scored(results, tmp_path / "Runde 2", fresh=True)
    assert len(rows(results)) == 2
    (note,) = fresh.notes
    assert "is kept in" in note
    assert "mine" in (tmp_path / "r.csv.1.bak").read_text()


def test_a_line_that_cannot_be_used_stays_in_the_results(tmp_path: Path) -> None:
    for name in "abc":
        write_photo(tmp_path / f"{name}.jpg", number=ord(name))
    sheet, results = tmp_path / "s.csv", tmp_path / "r.csv"
    sheet.write_text(
        'photo,player,harmony,claimed\na.jpg,Ann,ja,1\nb.jpg,Bob,maybe,1\nc.jpg,Cle,nein,"49,0"\n'
    )
    summary = scored(results, sheet)
    assert summary.exit_code is ExitCode.USAGE
    found = {row["player"]: row for row in rows(results)}
    assert (found["Ann"]["status"], found["Ann"]["harmony"]) == ("sure", "yes")
    assert found["Bob"]["status"] == "bad-line"
    assert "harmony is 'maybe'" in found["Bob"]["message"]
    assert (found["Cle"]["harmony"], found["Cle"]["claimed"]) == ("no", "49,0")
    sheet.write_text("photo,player,harmony\na.jpg,Ann,ja\nb.jpg,Bob,ja\nc.jpg,Cle,nein\n")
    assert scored(results, sheet).exit_code is ExitCode.SURE
    assert [row["status"] for row in rows(results)] == ["sure"] * 3


VARIANTS = {
    "Excel, German": (";", "utf-8-sig", "\r\n"),
    "LibreOffice, German": (";", "utf-8", "\n"),
    "Excel, Unicode text": ("\t", "utf-16", "\r\n"),
    "Excel, Windows": (";", "cp1252", "\r\n"),
    "Excel, English": (",", "utf-8-sig", "\r\n"),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_results_that_a_spreadsheet_has_saved_are_gone_on_from(
    tmp_path: Path, variant: str
) -> None:
    delimiter, encoding, end = VARIANTS[variant]
    for number in range(3):
        write_photo(tmp_path / "p" / f"{number}.jpg", "C W1 W W W1", number=number)
    results = tmp_path / "r.csv"
    scored(results, tmp_path / "p")
    table = [list(row.values()) for row in csv.DictReader(results.read_text().splitlines())]
    head = results.read_text().splitlines()[0].split(",")
    for row in table:
        row[head.index("player")] = "Jürgen"
        if delimiter == ";":
            row[head.index("probability")] = row[head.index("probability")].replace(".", ",")
            row[head.index("harmony")] = "nein"
    with results.open("w", encoding=encoding, newline="") as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator=end)
        writer.writerows([head, *table])
    write_photo(tmp_path / "p" / "9.jpg", "C W1 W W W1", number=9)
    assert scored(results, tmp_path / "p").skipped == 3
    found = read_sheet(results)
    assert (found.style.delimiter, found.style.encoding) == (delimiter, encoding)
    assert [row.fields["player"] for row in found.rows] == [*["Jürgen"] * 3, ""]
    assert [row.fields["score"] for row in found.rows] == ["8"] * 4


def test_a_workbook_of_results_can_be_looked_at(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    write_photo(tmp_path / "p" / "a.jpg", "C W1 W W W1")
    write_photo(tmp_path / "p" / "b.jpg", "C W1 W W W1", *DOUBT, number=1)
    results = tmp_path / "r.xlsx"
    scored(results, tmp_path / "p")
    book = openpyxl.load_workbook(results)
    sheet = book.active
    head = [cell.value for cell in sheet[1]]
    status = sheet.cell(3, head.index("status") + 1)
    assert status.value == "doubtful"
    assert status.fill.fgColor.rgb.endswith("FFE0B2")
    assert sheet.freeze_panes == "A2"
    assert sheet.cell(2, head.index("score") + 1).value == 8
    assert (tmp_path / sheet["A2"].hyperlink.target).read_bytes()[:4] == b"RIFF"
    assert sheet.column_dimensions["A"].width > 10
    sheet.cell(2, head.index("player") + 1).value = "Ann"
    book.save(results)
    assert scored(results, tmp_path / "p").skipped == 2
    assert [row.get("player", "") for row in rows(results)] == ["Ann", ""]
    assert openpyxl.load_workbook(results).active["A2"].hyperlink


# ---------------------------------------------------------------------- cheats and mix-ups


def test_one_photo_handed_in_by_two_players_agrees_for_neither(tmp_path: Path) -> None:
    write_photo(tmp_path / "anna.jpg", "C W1 W W W1")
    (tmp_path / "ben.jpg").write_bytes((tmp_path / "anna.jpg").read_bytes())
    sheet = tmp_path / "s.csv"
    sheet.write_text("photo,player,claimed\nanna.jpg,Anna,8\nben.jpg,Ben,8\n")
    found = checked(sheet)
    assert [line.verdict for line in found.verdicts] == [Verdict.CANNOT_TELL] * 2
    assert [codes(line) for line in found.verdicts] == [["verdict.claimed-twice"]] * 2
    assert "line 3 (Ben)" in found.verdicts[0].text()
    assert "line 2 (Anna)" in found.verdicts[1].text()
    assert found.notes == ()
    summary = scored(tmp_path / "r.csv", sheet)
    assert summary.notes == ("Anna (anna.jpg) and Ben (ben.jpg) show the same picture.",)


def saved_again(data: bytes, path: Path, kingdom: str) -> None:
    """Save the picture of a fake photo smaller and worse, with the same kingdom in it."""
    picture = Image.open(BytesIO(data))
    again = BytesIO()
    picture.resize((picture.width * 3 // 4, picture.height * 3 // 4)).save(
        again, "JPEG", quality=50
    )
    comment = fake_photo(kingdom)
    length = int.from_bytes(comment[4:6], "big")
    path.write_bytes(comment[: 4 + length] + again.getvalue()[2:])


def test_a_picture_that_was_saved_again_is_known(tmp_path: Path) -> None:
    write_photo(tmp_path / "anna.jpg", "C W1 W W W1")
    saved_again((tmp_path / "anna.jpg").read_bytes(), tmp_path / "ben.jpg", "C W1 W W W1")
    sheet = tmp_path / "s.csv"
    sheet.write_text("photo,player,claimed\nanna.jpg,Anna,8\nben.jpg,Ben,8\n")
    found = checked(sheet)
    assert [line.verdict for line in found.verdicts] == [Verdict.CANNOT_TELL] * 2
    assert [codes(line) for line in found.verdicts] == [["verdict.claimed-twice"]] * 2


def codes(line: LineVerdict) -> list[str]:
    """What is said of a line, without what to do about it."""
    return [one.key for one in line.reasons if "remedy" not in one.key]


#: Ten squares with the first and the last domino of the mine, which the deck has once.
LONG = "C W W W W W W W W1 F F"


def test_one_kingdom_on_two_photos(tmp_path: Path) -> None:
    write_photo(tmp_path / "anna.jpg", LONG)
    turned = "/".join(reversed(LONG.split()))
    write_photo(tmp_path / "ben.jpg", turned, number=1)
    sheet = tmp_path / "s.csv"
    sheet.write_text("photo,player,claimed,round\nanna.jpg,Anna,8,1\nben.jpg,Ben,8,2\n")
    found = checked(sheet)
    assert [line.verdict for line in found.verdicts] == [Verdict.CANNOT_TELL] * 2
    assert [codes(line) for line in found.verdicts] == [["verdict.same-kingdom"]] * 2
    assert "ben.jpg" in found.verdicts[0].text() and "round 1" in found.verdicts[1].text()


def test_a_domino_of_one_box_in_two_kingdoms_of_a_game(tmp_path: Path) -> None:
    write_photo(tmp_path / "anna.jpg", "C W M3 S S")
    write_photo(tmp_path / "ben.jpg", "C W M3 F F", number=1)
    sheet = tmp_path / "s.csv"
    sheet.write_text("photo,player,claimed,game\nanna.jpg,Anna,3,1\nben.jpg,Ben,3,1\n")
    found = checked(sheet)
    assert [codes(line) for line in found.verdicts] == [["verdict.domino-twice"]] * 2
    assert "48 (M3 W)" in found.verdicts[0].text()
    sheet.write_text("photo,player,claimed,game\nanna.jpg,Anna,3,1\nben.jpg,Ben,3,2\n")
    assert [line.verdict for line in checked(sheet).verdicts] == [Verdict.AGREES] * 2


# ---------------------------------------------------------------------- headings


@pytest.mark.parametrize(
    "head",
    [
        "photo,player,claimed",
        "Foto,Spieler,Punkte",
        "Image,Name,Score",
        "Bild,Spielerin,Ergebnis",
        "Punkte Herbst 2026,,\n,,\nDatei,Team,Points",
    ],
)
def test_columns_are_known_by_other_names(tmp_path: Path, head: str) -> None:
    write_photo(tmp_path / "a.jpg", "C W1 W W W1")
    sheet = tmp_path / "s.csv"
    sheet.write_text(f"{head}\na.jpg,Ann,8\n")
    (line,) = checked(sheet).verdicts
    assert (line.verdict, line.line.player) == (Verdict.AGREES, "Ann")
    skipped = ["1 line above the headings in line 3 was skipped."] if "Herbst" in head else []
    assert read_sheet(sheet).notes == skipped


def test_random_edits_of_results_lose_nothing(tmp_path: Path) -> None:
    """Whatever is written into free fields by hand is there after the next run."""
    rng = random.Random(4)
    for number in range(6):
        write_photo(tmp_path / "p" / f"{number}.jpg", "C W1 W W W1", number=number)
    results = tmp_path / "r.csv"
    scored(results, tmp_path / "p")
    for _ in range(5):
        with results.open() as file:
            table = list(csv.DictReader(file))
        for row in table:
            column = rng.choice(["player", "game", "round", "note"])
            row[column] = rng.choice(["Ann", "2", "ümlaut; and, more", '"quoted"'])
        with results.open("w") as file:
            writer = csv.DictWriter(file, list(table[0]))
            writer.writeheader()
            writer.writerows(table)
        scored(results, tmp_path / "p")
        with results.open() as file:
            assert list(csv.DictReader(file)) == table


@pytest.mark.parametrize(
    ("lines", "letters"),
    [
        # Every claim is the total of one kingdom.
        (("Ann,,8", "Bob,,13", "Cle,,5"), {"A": "Ann", "B": "Cle", "C": "Bob"}),
        # Two lines name one kingdom: neither has it.
        (("Ann,A,8", "Bob,A,8", "Cle,C,13"), {"A": "", "B": "", "C": "Cle"}),
        # A total that a person chose says which kingdom is meant.
        (("Ann,A,8", "Bob,,9,13"), {"A": "Ann", "B": "", "C": "Bob"}),
    ],
)
def test_results_and_checked_sheets_agree_on_whose_kingdom_is_whose(
    tmp_path: Path, lines: tuple[str, ...], letters: dict[str, str]
) -> None:
    write_photo(tmp_path / "t.jpg", "C W1 W W W1 | C F1 F F F F | C M3 M M L1 L1")
    sheet, results, output = (tmp_path / name for name in ("s.csv", "r.csv", "out.csv"))
    text = "".join(f"t.jpg,{line}\n" for line in lines)
    sheet.write_text(f"photo,player,kingdom,claimed,accept\n{text}")
    scored(results, sheet)
    found = {row["kingdom"]: row["player"] for row in rows(results) if row["status"] != "open"}
    assert found == letters
    write_annotated(checked(sheet), output)
    read = {(row["read_letter"], row["player"]) for row in rows(output)}
    assert {(letter, player) for letter, player in letters.items() if player} <= read
