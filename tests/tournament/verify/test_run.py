"""Hand-counted totals against photos: what agrees, what differs, and what cannot be told."""

import csv
import json
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from kdvision.columns import SETTLED
from kdvision.columns import VERDICT_COLUMNS as COLUMNS
from kdvision.errors import ExitCode, UsageError
from kdvision.reading import Alternative
from kdvision.result import PhotoResult, Status
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import score
from kdvision.sentences import catalogue
from kdvision.tournament.batch.scoring import Means
from kdvision.tournament.lines import SheetLine
from kdvision.tournament.sheets import read_sheet
from kdvision.tournament.verify.judging import judge_photo
from kdvision.tournament.verify.mistakes import WRITING, Explanation, Mistake
from kdvision.tournament.verify.report import verification_json, verification_text
from kdvision.tournament.verify.run import verify, write_annotated
from kdvision.tournament.verify.verdicts import LineVerdict, Verdict, Verification
from kdvision.tournament.workbook import COLOURS
from kdvision.vision.models import model_folder
from tests.support.claims import wrong_claims
from tests.support.fakes import fake_means, write_photo
from tests.support.results import NOTHING, PHOTO, plain, read_kingdom

MEANS = fake_means(executor=ThreadPoolExecutor(2), workers=2)


def doubtful(
    probability: float, *others: tuple[int, float], line: str = "C W1 W W W1"
) -> PhotoResult:
    """A doubtful photo whose kingdom scores 8."""
    alternatives = tuple(Alternative(total, chance, ()) for total, chance in others)
    kingdom = read_kingdom(line, Status.DOUBTFUL, probability, alternatives=alternatives)
    return PhotoResult("a.jpg", Status.DOUBTFUL, plain("It is dark."), (kingdom,), (800, 600))


def judge(claimed: int, photo: PhotoResult) -> LineVerdict:
    """The verdict on a claim of a photo that no other line names."""
    return judge_photo([SheetLine(claimed=claimed)], [photo])[0]


# ---------------------------------------------------------------------- one claim


@pytest.mark.parametrize(
    ("photo", "claimed", "verdict"),
    [
        (PHOTO, 23, Verdict.AGREES),
        (PHOTO, 24, Verdict.DIFFERS),
        (doubtful(0.8, (6, 0.19)), 8, Verdict.CANNOT_TELL),
        (doubtful(0.8, (6, 0.19)), 6, Verdict.CANNOT_TELL),
        (doubtful(0.8, (6, 0.19)), 7, Verdict.DIFFERS),
        # A tenth of what it can be is not listed.
        (doubtful(0.8, (6, 0.1)), 7, Verdict.CANNOT_TELL),
        (doubtful(0.0), 7, Verdict.CANNOT_TELL),
        (NOTHING, 7, Verdict.CANNOT_TELL),
    ],
)
def test_verdicts(photo: PhotoResult, claimed: int, verdict: Verdict) -> None:
    assert judge(claimed, photo).verdict is verdict


@pytest.mark.parametrize(
    ("photo", "claimed", "message"),
    [
        (PHOTO, 23, ""),
        (PHOTO, 33, "the sum came out 10 too high"),
        (PHOTO, 90, "no single mistake explains it"),
        (NOTHING, 7, "No kingdom was found."),
        (
            doubtful(0.8, (6, 0.19)),
            8,
            "the claim is the likeliest total (80 %), but the reading is not sure: It is dark.",
        ),
        (
            doubtful(0.8, (6, 0.19)),
            6,
            "the likeliest total is 8 (80 %), but 6 is possible: It is dark.",
        ),
        (doubtful(0.8), 7, "the likeliest total is 8 (80 %), but others are possible: It is dark."),
        (
            doubtful(0.8, (6, 0.19)),
            18,
            "the sum came out 10 too high; the reading is not sure, but none of its totals is 18",
        ),
    ],
)
def test_messages(photo: PhotoResult, claimed: int, message: str) -> None:
    assert judge(claimed, photo).text() == message


def test_differences_are_what_was_claimed_too_much() -> None:
    assert [judge(claimed, PHOTO).difference for claimed in (13, 23, 24)] == [-10, 0, 1]


# ---------------------------------------------------------------------- sheets

SHEET = (
    "\ufeffTable;Photo;Claimed;Player;Remark\r\n"
    'A;photos\\a.jpg;8;Ann;"good; really"\r\n'
    "A;photos\\b.jpg;10;Bob;\r\n"
    "\r\n"
    "A;photos\\c.jpg;08;Cle;x;\r\n"
    "B;photos\\d.jpg;many;Dan;\r\n"
    "B;photos\\e.jpg;8;Eve;\r\n"
    "B;;8;Fay\r\n"
    "B;photos\\f.jpg;8;Gus\r\n"
    'B;"photos\\a.jpg;8;Hal;\r\n'
    "B;photos\\g.jpg;18;Ida;"
)


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """A sheet with photos: 8, 8, 8 or 6, none, 8, text."""
    folder = tmp_path / "photos"
    write_photo(folder / "a.jpg", "C W1 W W W1")
    write_photo(folder / "b.jpg", "C F1 F F F1")
    write_photo(folder / "c.jpg", "C W1 W W W1", Status.DOUBTFUL, 0.8, ((6, 0.19),), number=3)
    write_photo(folder / "d.jpg", "C W1 W W W1", number=1)
    write_photo(folder / "g.jpg", "C W1 W W W1", number=2)
    (folder / "f.jpg").write_text("hello")
    path = tmp_path / "sheet.csv"
    path.write_bytes(SHEET.encode())
    return path


def checked(path: Path, means: Means = MEANS, **options: object) -> Verification:
    return verify(read_sheet(path), means=means, **options)  # type: ignore[arg-type]


def test_every_line_of_a_sheet_is_reported(evening: Path) -> None:
    found = checked(evening)
    assert [(line.line.number, line.verdict.value, line.status) for line in found.verdicts] == [
        (2, "agrees", Status.SURE),
        (3, "differs", Status.SURE),
        (5, "cannot tell", Status.DOUBTFUL),
        (6, "bad line", None),
        (7, "cannot tell", Status.UNREADABLE),
        (8, "bad line", None),
        (9, "cannot tell", Status.UNREADABLE),
        (10, "bad line", None),
        (11, "differs", Status.SURE),
    ]
    assert found.exit_code is ExitCode.DIFFERENT
    text = verification_text(found).splitlines()
    missing = text.index("line 7: photos\\e.jpg (Eve), claimed 8: cannot tell") + 1
    assert text.pop(missing).startswith("    The file does not exist.")
    assert text == [
        "line 3: photos\\b.jpg (Bob), claimed 10, read 8, difference +2: differs",
        "    the forest at b1 (4 squares, 2 crowns) was counted with 5 squares",
        "line 5: photos\\c.jpg (Cle), claimed 8, read 8: cannot tell",
        "    the claim is the likeliest total (80 %), but the reading is not sure: It is dark.",
        "line 6: photos\\d.jpg (Dan): bad line",
        "    claimed is 'many'; write a number from 0 to 999.",
        "line 7: photos\\e.jpg (Eve), claimed 8: cannot tell",
        "line 8: claimed 8: bad line",
        "    the photo is missing.",
        "line 9: photos\\f.jpg (Gus), claimed 8: cannot tell",
        f"    The file is text, not a photo. {catalogue()['unreadable.text.advice']}",
        "line 10: bad line",
        "    a quote is not closed.",
        "line 11: photos\\g.jpg (Ida), claimed 18, read 8, difference +10: differs",
        "    the sum came out 10 too high",
        "",
        "9 lines: 1 agrees, 2 differ, 3 cannot be told, 3 are bad lines.",
    ]


def test_json_has_an_object_per_line(evening: Path) -> None:
    found = [json.loads(line) for line in verification_json(checked(evening))]
    assert found[1] == {
        "schema": "kdscore-verify/1",
        "line": 3,
        "photo": "photos\\b.jpg",
        "player": "Bob",
        "game": "A",
        "claimed": 10,
        "letter": "",
        "verdict": "differs",
        "score": 8,
        "read": 8,
        "difference": 2,
        "explanation": "the forest at b1 (4 squares, 2 crowns) was counted with 5 squares",
        "status": "sure",
        "probability": 0.99,
        "possible": [8],
        "kingdom": "C F1 F F F1",
        "broken": None,
        "codes": ["mistake.square-too-many"],
        "counts": 8,
    }
    assert found[2]["possible"] == [8, 6]
    assert (found[3]["verdict"], found[3]["claimed"], found[3]["read"]) == ("bad line", None, None)


@pytest.mark.parametrize(
    ("claims", "code"),
    [
        ("a.jpg;8", ExitCode.SURE),
        ("c.jpg;8", ExitCode.DOUBTFUL),
        ("e.jpg;8", ExitCode.UNREADABLE),
        ("a.jpg;x", ExitCode.USAGE),
        ("e.jpg;8\nc.jpg;8\na.jpg;x\nb.jpg;9", ExitCode.DIFFERENT),
    ],
)
def test_exit_codes(evening: Path, claims: str, code: ExitCode) -> None:
    path = evening.parent / "photos" / "claims.csv"
    path.write_text(f"photo;claimed\n{claims}\n")
    assert checked(path).exit_code is code


def test_rules_of_a_line(evening: Path) -> None:
    path = evening.parent / "photos" / "claims.csv"
    path.write_text("photo,claimed,middle_kingdom\na.jpg,8,yes\nm.jpg,13,yes\nn.jpg,13,no\n")
    write_photo(path.parent / "m.jpg", "W1 W C W W1")
    write_photo(path.parent / "n.jpg", "W1 W C W W1", number=1)
    found = checked(path)
    assert [line.verdict.value for line in found.verdicts] == ["agrees", "differs", "differs"]
    assert [line.kingdom.score for line in found.verdicts if line.kingdom] == [8, 14, 4]


def test_a_sheet_without_claims(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("photo,remark\na.jpg,8\n")
    with pytest.raises(UsageError, match="line 1: a column is missing: claimed"):
        checked(tmp_path / "s.csv")


def test_full_results_are_gone_on_from(evening: Path) -> None:
    full = evening.parent / "full.jsonl"
    first = checked(evening, jsonl=full)
    told: list[PhotoResult | None] = []
    assert checked(evening, jsonl=full, progress=told.append) == first
    # The missing photo is tried again.
    assert len(told) == 6 and told.count(None) == 5


# ---------------------------------------------------------------------- written back


def test_the_sheet_is_written_back_in_its_own_form(evening: Path) -> None:
    output = evening.parent / "out.csv"
    write_annotated(checked(evening), output)
    before, after = evening.read_bytes(), output.read_bytes()
    assert after.startswith(b"\xef\xbb\xbf")
    original, written = (data.decode("utf-8").split("\r\n") for data in (before, after))
    assert written.pop() == ""
    for old, new in zip(original, written, strict=True):
        assert new.startswith(old)
    rows = {row.line: row.fields for row in read_sheet(output).rows}
    assert [rows[3][column] for column in COLUMNS] == [
        "differs",
        "8",
        "8",
        "",
        "2",
        "the forest at b1 (4 squares, 2 crowns) was counted with 5 squares",
        "sure",
        "0,99",
        "8",
        "C F1 F F F1",
        "",
    ]
    assert [rows[line]["verdict"] for line in (2, 5, 6, 7, 8, 9, 11)] == [
        "agrees", "cannot tell", "bad line", "cannot tell", "bad line", "cannot tell", "differs",
    ]  # fmt: skip
    assert rows[5]["possible_totals"] == "8; 6"
    assert rows[6]["explanation"] == "claimed is 'many'; write a number from 0 to 999."
    # What is behind an open quote cannot be told from the next field: it stays as it was.
    assert written[9] == original[9]


def test_a_sheet_that_was_written_back_can_be_checked_again(evening: Path) -> None:
    output = evening.parent / "out.csv"
    write_annotated(checked(evening), output)
    again = checked(output)
    assert [line.verdict for line in again.verdicts] == [
        line.verdict for line in checked(evening).verdicts
    ]
    once = output.read_bytes()
    write_annotated(again, output)
    assert output.read_bytes() == once


def test_a_workbook_is_written_back(evening: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.Workbook()
    book.active.append([])
    book.active.append(["photo", "claimed", "remark"])
    book.active.append(["photos/a.jpg", 8, "=1+1"])
    book.active.append(["photos/b.jpg", 10.0, None])
    book.active["A3"].font = openpyxl.styles.Font(bold=True)
    book.save(evening.parent / "s.xlsx")
    found = checked(evening.parent / "s.xlsx")
    assert [line.verdict.value for line in found.verdicts] == ["agrees", "differs"]
    write_annotated(found, evening.parent / "out.xlsx")
    sheet = openpyxl.load_workbook(evening.parent / "out.xlsx").active
    assert [cell.value for cell in sheet[2]] == ["photo", "claimed", "remark", *SETTLED, *COLUMNS]
    assert [cell.value for cell in sheet[4]][:12] == [
        "photos/b.jpg", 10, None, None, None, None, "differs", 8, 8, None, 2,
        "the forest at b1 (4 squares, 2 crowns) was counted with 5 squares",
    ]  # fmt: skip
    assert sheet.freeze_panes == "A3"
    assert sheet["G4"].fill.fgColor.rgb.endswith(COLOURS["differs"])
    assert sheet["C3"].value == "=1+1"
    assert sheet["A3"].font.bold
    # As another kind of table it can be written as well.
    write_annotated(found, evening.parent / "out.csv")
    text = (evening.parent / "out.csv").read_text().splitlines()
    assert text[0].startswith("photo,claimed,remark,fix,accept,note,verdict,counts,")
    assert text[2].startswith("photos/b.jpg,10,,,,,differs,8,8,,2,")


def test_thousands_of_claims(tmp_path: Path) -> None:
    for number in range(2_000):
        write_photo(tmp_path / f"{number}.jpg", "C W1 W W W1", number=number)
    lines = "".join(f"{number}.jpg;{8 + (number % 100 == 0)}\n" for number in range(2_000))
    (tmp_path / "s.csv").write_text(f"photo;claimed\n{lines}")
    found = checked(tmp_path / "s.csv")
    assert found.count(Verdict.AGREES) == 1_980
    assert found.count(Verdict.DIFFERS) == 20


# ---------------------------------------------------------------------- real kingdoms


BONUSES = {"harmony": True, "middle_kingdom": True}


@dataclass(frozen=True)
class Boards:
    """The real boards by name, with their kingdoms; and the mistakes made in 20 of the claims."""

    names: list[str]
    kingdoms: list[str]
    wrong: dict[int, Explanation]

    def sheet(self, path: Path, folder: str) -> Path:
        """A sheet with a claim for every board."""
        lines = ["photo,claimed,harmony,middle_kingdom"]
        for index, (name, kingdom) in enumerate(zip(self.names, self.kingdoms, strict=True)):
            total = score(Kingdom.parse(kingdom), **BONUSES).total
            claimed = total + (self.wrong[index].difference if index in self.wrong else 0)
            lines.append(f"{folder}{name},{claimed},yes,yes")
        path.write_text("\n".join(lines))
        return path

    def as_made(self, found: Verification) -> int:
        """How many wrong claims are explained, first of all, by the mistake that was made.

        Every explanation is this one alone, or says that there are others.
        """
        count = 0
        for index, made in self.wrong.items():
            line = found.verdicts[index]
            if line.verdict is Verdict.DIFFERS:
                message = line.text().partition(" (the reading is not sure")[0]
                count += str(made) in message.split(";")[0]
        return count


@pytest.fixture
def boards(data_folder: Path) -> Boards:
    with (data_folder / "boards.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    first = {row["group"]: index for index, row in reversed(list(enumerate(rows)))}
    order = sorted(first.values())
    sheets = [score(Kingdom.parse(rows[index]["kingdom"]), **BONUSES) for index in order]
    wrong = {order[number]: made for number, made in wrong_claims(sheets)}
    assert {made.mistake for made in wrong.values()} == {*Mistake} - WRITING
    return Boards([row["file"] for row in rows], [row["kingdom"] for row in rows], wrong)


def test_claims_about_real_boards_when_every_reading_is_right(
    tmp_path: Path, boards: Boards
) -> None:
    for index, (name, kingdom) in enumerate(zip(boards.names, boards.kingdoms, strict=True)):
        write_photo(tmp_path / name, kingdom, number=index)
    found = checked(boards.sheet(tmp_path / "s.csv", ""))
    differ = [index for index, line in enumerate(found.verdicts) if line.verdict is Verdict.DIFFERS]
    assert differ == sorted(boards.wrong)
    assert found.count(Verdict.AGREES) == len(boards.names) - 20
    assert boards.as_made(found) >= 15


def test_claims_about_real_boards(tmp_path: Path, boards: Boards, data_folder: Path) -> None:
    """The same with the real program: no right claim is called wrong, no wrong one right."""
    if not (model_folder() / "manifest.json").is_file():
        pytest.skip(f"there are no models in {model_folder()}")
    path = boards.sheet(tmp_path / "s.csv", f"{data_folder.resolve()}/boards/")
    found = checked(path, Means(ThreadPoolExecutor(1), 1))
    for index, line in enumerate(found.verdicts):
        never = Verdict.AGREES if index in boards.wrong else Verdict.DIFFERS
        assert line.verdict is not never, line
    assert found.count(Verdict.DIFFERS) >= 18
    assert boards.as_made(found) >= 15


def test_random_claims_are_never_called_wrong_when_right() -> None:
    rng = random.Random(0)
    for _ in range(300):
        total = rng.randrange(40)
        photo = doubtful(rng.random(), (total, 0.01), line="C W1 W W W1")
        assert judge(total, photo).verdict is Verdict.CANNOT_TELL


def test_the_domino_that_breaks_the_rule_is_named_whatever_is_claimed(tmp_path: Path) -> None:
    write_photo(tmp_path / "a.jpg", "C W F W1 L")
    write_photo(tmp_path / "b.jpg", "C W F W1 L", Status.DOUBTFUL, number=1)
    (tmp_path / "sheet.csv").write_text("photo;player;claimed\na.jpg;Ann;1\nb.jpg;Bob;1\n")
    found = verify(read_sheet(tmp_path / "sheet.csv"), means=MEANS)
    (told,) = found.notes
    assert told.startswith("line 2 (Ann): ")
    first, second = (json.loads(line)["broken"] for line in verification_json(found))
    assert (f"line 2 (Ann): {first}", second) == (told, None)


@pytest.mark.parametrize("output", ["s.csv", "out.csv", "out.xlsx"])
def test_no_cell_is_left_out_of_a_sheet_that_is_written_back(tmp_path: Path, output: str) -> None:
    """Whatever is wrong with a line, and whether or not its columns have headings of their own."""
    write_photo(tmp_path / "a.jpg", "C W1 W W W1")
    (tmp_path / "s.csv").write_text(
        "Foto,,claimed,Wertung,Wertung\na.jpg,see me,8,2.5,x\nb.jpg,1,2,3,4,too many\n"
    )
    write_annotated(checked(tmp_path / "s.csv"), tmp_path / output)
    sheet = read_sheet(tmp_path / output)
    assert sheet.headings[:5] == ["Foto", "", "claimed", "Wertung", "Wertung"]
    first, second = (list(row.cells) for row in sheet.lines)
    assert first[:5] == ["a.jpg", "see me", "8", "2.5", "x"]
    assert second[:6] == ["b.jpg", "1", "2", "3", "4", "too many"]


@pytest.mark.parametrize("output", ["s.csv", "out.csv", "out.xlsx"])
def test_a_line_that_was_edited_while_photos_were_scored_is_not_checked(
    tmp_path: Path, output: str
) -> None:
    for number in range(2):
        write_photo(tmp_path / f"{number}.jpg", "C W1 W W W1", number=number)
    sheet = tmp_path / "s.csv"
    sheet.write_text("photo,player,claimed\n0.jpg,Ann,8\n1.jpg,Bob,9\n")
    found = checked(sheet)
    sheet.write_text("photo,player,claimed\n0.jpg,Ann,18\n1.jpg,Bob,9\n")
    (note,) = write_annotated(found, tmp_path / output)
    assert note.startswith("1 line was edited while photos were scored")
    rows = [row.fields for row in read_sheet(tmp_path / output).rows]
    assert [(row["claimed"], row["verdict"]) for row in rows] == [
        ("18", "not checked"), ("9", "differs"),
    ]  # fmt: skip
