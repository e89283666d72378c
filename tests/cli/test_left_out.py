"""What is left out of a photo is said alike by every command and in every form."""

import csv
import io
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import kdvision.pipeline.scorer
from kdvision.arrays import Image
from kdvision.cli import main
from kdvision.errors import ExitCode
from kdvision.photo.photo import Photo
from kdvision.pipeline.scorer import Scorer
from kdvision.report.json import from_json
from kdvision.result import PhotoResult, Status
from kdvision.rules.rules import Rules
from kdvision.tournament.executors import Workers
from kdvision.tournament.request import Request
from kdvision.tournament.run import run
from tests.support.golden_photos import beside, sample, scaled

pytestmark = pytest.mark.slow

#: A sample, and one beside it whose castle is gone.
WITHOUT_CASTLE = (
    ("plus", "corner"), ("plus", "gaps_5x5"), ("corner", "gaps_5x5"), ("meadow_5x5", "gaps_5x5"),
    ("low_angle_5x5", "gaps_5x5"), ("first_domino", "gaps_5x5"), ("sideways_draft", "corner"),
    ("sideways_draft", "gaps_5x5"), ("gaps_5x5", "corner"),
)  # fmt: skip
#: A sample, and one beside it that is less than half as large.
SMALLER = (
    ("corner", "plus"), ("meadow_5x5", "corner"), ("meadow_5x5", "plus"),
    ("meadow_5x5", "gaps_5x5"), ("gaps_5x5", "corner"), ("gaps_5x5", "plus"),
    ("low_angle_5x5", "corner"), ("low_angle_5x5", "plus"), ("low_angle_5x5", "gaps_5x5"),
    ("sideways_draft", "corner"), ("sideways_draft", "plus"),
)  # fmt: skip
NAMES = [
    f"{first}-{second}-{change}-{turned}.jpg"
    for change, pairs in (("castle", WITHOUT_CASTLE), ("half", SMALLER))
    for first, second in pairs
    for turned in ("upright", "turned")
]


def draw(scorer: Scorer, name: str) -> Image:
    """Draw the picture that a name of `NAMES` stands for."""
    first, second, change, turned = name.removesuffix(".jpg").split("-")
    other = scaled(sample(second), 0.6)
    if change == "half":
        other = scaled(other, 0.45)
    else:
        cover_castle(scorer, other)
    picture = beside(scaled(sample(first), 0.6), other)
    if turned == "turned":
        picture = picture[::-1, ::-1]
    return np.ascontiguousarray(picture)


def cover_castle(scorer: Scorer, picture: Image) -> None:
    """Paint the colour of the table over the castle."""
    (kingdom,) = scorer.score(picture).kingdoms
    (castle,) = [square for square in kingdom.squares if square.text == "C"]
    assert castle.center is not None
    x, y = castle.center
    left, right = np.array(kingdom.corners[:2])
    half = 0.56 * float(np.linalg.norm(right - left)) / kingdom.kingdom.width
    table = np.median(picture[:20].reshape(-1, 3), axis=0)
    picture[int(y - half) : int(y + half), int(x - half) : int(x + half)] = table


class Kept:
    """Stands in for the Scorer: every picture is read once by the real one."""

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer
        self.read: dict[str, Any] = {}

    def score(
        self, photo: Photo, rules: Rules, *, fixes: Any = None, kingdoms: int | None = None
    ) -> PhotoResult:
        if photo.name not in self.read:
            self.read[photo.name] = self.scorer.read(photo)
        return self.scorer.judge(self.read[photo.name], rules, fixes=fixes, kingdoms=kingdoms)


@pytest.fixture(scope="module")
def kept(scorer: Scorer) -> Kept:
    return Kept(scorer)


@pytest.fixture(scope="module")
def folder(scorer: Scorer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pictures."""
    path = tmp_path_factory.mktemp("pictures")
    for name in NAMES:
        picture = cv2.cvtColor(draw(scorer, name), cv2.COLOR_RGB2BGR)
        cv2.imwrite(str(path / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    return path


@pytest.fixture(autouse=True)
def inside(folder: Path, kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setattr(kdvision.pipeline.scorer, "Scorer", lambda: kept)


#: The cells of a row by its headings.
Row = dict[str, str]


def write_results(*words: str) -> tuple[int, list[Row]]:
    """Run `batch`, or `verify` for a sheet; return its exit code and the rows of its results."""
    output = Path("results.csv")
    inputs = tuple(map(Path, words))
    needs_claims = inputs[0].suffix == ".csv"
    request = Request(inputs=inputs, output=output, needs_claims=needs_claims)
    outcome = run(request, Workers(ThreadPoolExecutor(1), 1))
    with output.open(newline="", encoding="utf-8") as file:
        return outcome.exit_code, list(csv.DictReader(file))


def claim(name: str, totals: list[str], more: int) -> str:
    """Write a sheet that claims these totals, and `more` rows of 2 points; return its name."""
    lines = ["photo,kingdom,claimed"]
    for letter, total in zip("ABCD", totals, strict=False):
        lines.append(f"{name},{letter},{total}")
    lines += [f"{name},,2"] * more
    sheet = Path("claims.csv")
    sheet.write_text("\n".join(lines), encoding="utf-8")
    return str(sheet)


def ask(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Run a command line; return its exit code and what it prints."""
    code = main.run(words)
    return code, capfd.readouterr().out


@pytest.mark.parametrize("name", NAMES)
def test_every_form_says_the_same(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Sheet, -q, CSV, JSON and exit code say what a batch says, and `verify` of two sheets.

    Kingdoms keep their status, and the photo is doubtful: so say all exit codes. As many rows as
    kingdoms say that nothing else is one, as --kingdoms does. More say nothing: a photo may show
    kingdoms of another table.
    """
    code, found = write_results(name)
    totals = [row["score"] for row in found]
    assert check_forms(capfd, [name], found) == code
    code, more = write_results(claim(name, totals, 1))
    assert code == ExitCode.DOUBTFUL  # one row has no kingdom
    check_forms(capfd, [name], more[: len(totals)], is_verified=True)
    code, exact = write_results(claim(name, totals, 0))
    counted = [name, "--kingdoms", str(len(totals))]
    assert check_forms(capfd, counted, exact, is_verified=True) == code


def check_forms(
    capfd: pytest.CaptureFixture[str],
    words: list[str],
    results: list[Row],
    *,
    is_verified: bool = False,
) -> int:
    """Check that a photo is told alike in all forms, and as in results; return its exit code."""
    code, text = ask(capfd, *words, "--json")
    (photo,) = from_json(text)
    notes = [note.message for note in photo.left_out]
    # Something is left out, until a person says that these are all kingdoms.
    assert bool(notes) is ("--kingdoms" not in words)
    assert code == photo.status.exit_code
    forms = {"json": [kingdom.status.value for kingdom in photo.kingdoms]}
    sheet_code, sheet = ask(capfd, *words)
    quick_code, quick = ask(capfd, *words, "-q")
    csv_code, lines = ask(capfd, *words, "--csv")
    assert {sheet_code, quick_code, csv_code} == {code}
    rows = list(csv.DictReader(io.StringIO(lines)))
    forms["sheet"] = re.findall(r"^Total .* (\w+)$", sheet, re.MULTILINE)
    forms["-q"] = re.findall(r", (sure|doubtful)\b", quick)
    forms["csv"] = [row["status"] for row in rows]
    forms["results"] = [row["status"] for row in results]
    assert forms == dict.fromkeys(forms, forms["json"])
    is_doubtful = photo.misses_kingdoms or Status.DOUBTFUL.value in forms["json"]
    assert (photo.status is Status.DOUBTFUL) is is_doubtful
    if is_verified:
        verdicts = {Status.SURE.value: "agrees", Status.DOUBTFUL.value: "cannot tell"}
        agreed = [verdicts[status] for status in forms["json"]]
        assert [row["verdict"] for row in results] == agreed
    # What is left out is named as often as there are kingdoms, on the sheet once.
    for note in notes:
        assert sheet.replace("\n", " ").count(note) == 1
        told = [*quick.splitlines(), *(row["explanation"] for row in [*rows, *results])]
        assert [note in line for line in told] == [True] * len(told)
    return code
